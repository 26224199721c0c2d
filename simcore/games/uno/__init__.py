"""The game UNO H2O To Go: see RULES.md."""
