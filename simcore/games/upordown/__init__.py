"""Up or down?."""
