"""Matches on a GPU: the module of a cell (`kernels`), its words, and the host that launches it."""
