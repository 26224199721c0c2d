"""What `cardlab train` learns from in built-in games, beside what it makes of their state."""
