"""The game dnup: see RULES.md."""
