"""The statistics of a study: sums by group of deals, estimates, and one long frame."""
