"""The studies that ship with cardlab, and what makes the balance studies among them."""
