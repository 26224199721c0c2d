"""What is to be played: the study file, and the cells that follow from it."""
