"""Files that users write: games, rules and helpers, loaded, named and told to a spectator."""
