"""What is measured of each deal, and its exact sums."""
