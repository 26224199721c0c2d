"""Play the missing matches of a study, here or on a cluster, until its goal is reached."""
