"""UP & DOWN: its rooms."""
