"""Rows that were not played here: files, the one tidy form, and their answers."""
