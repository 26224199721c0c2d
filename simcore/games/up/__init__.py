"""The game Up: see RULES.md."""
