"""The words that games and rules of one's own are written in: `from cardlab.rules import *`."""

from simcore.language import *  # noqa: F403 (these are what the file is for)
