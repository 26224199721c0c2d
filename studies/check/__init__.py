"""Checks: stored results are reproducible, games and policies are sound, cardlab works here."""
