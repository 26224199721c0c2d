"""What lies on the disk: the study directory, its parts, and the files beside them."""
