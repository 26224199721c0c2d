"""The files on disk: the study directory, its parts, and the files beside them."""
