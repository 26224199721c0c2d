"""Matches in words: one teller for all games, with a table of phrases for each (`teller`)."""
