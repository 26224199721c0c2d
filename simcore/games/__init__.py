"""One package for each game, with the same rooms."""
