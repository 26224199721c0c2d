"""Learned policies that come with the games, as `.ci/make-experts` makes them."""
