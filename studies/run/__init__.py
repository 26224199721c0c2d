"""Play the missing matches of a study, here or elsewhere, until its goal is reached."""
