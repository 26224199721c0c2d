"""Slow plain-Python referees of the games, written from the rule texts only."""
