"""What `cardlab train` learns from in the built-in games, beside what it makes of their state."""
