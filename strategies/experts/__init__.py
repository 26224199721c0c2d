"""Learned policies that come with the games, as `python -m studies.learn.experts` makes them."""
