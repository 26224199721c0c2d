"""Intervals, tests and games of numbers; nothing here knows a study or a match."""
