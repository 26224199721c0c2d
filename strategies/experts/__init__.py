"""Learned policies that come with the games, as `python -m studies.library.experts` makes them."""
