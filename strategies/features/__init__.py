"""What `cardlab train` may learn from in the built-in games, beside what it makes of their state."""
