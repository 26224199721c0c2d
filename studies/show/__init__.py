"""Comparisons as words and tables, for the command line."""
