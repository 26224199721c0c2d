"""Playing what is missing of a study, here or elsewhere, until it is known well enough."""
