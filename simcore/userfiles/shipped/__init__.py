"""Rules that come with cardlab: files that are run as those of a user are."""
