"""Whether results come out again, and whether policies and this machine can be trusted."""
