"""What a study tells: sums by group of deals, estimates made of them, and one long frame."""
