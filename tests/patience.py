"""How long a test waits before it takes something for a hang.

No test of the default run depends on how quick a machine is or what else it does; what is to be
quick is measured by tests marked `speed`.
"""

PATIENCE = 900
"""Seconds."""
