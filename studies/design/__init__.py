"""What to play: the study file, and its cells."""
