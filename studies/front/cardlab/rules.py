"""The language for your own games and rules: `from cardlab.rules import *`."""

from simcore.language import *  # noqa: F403 (these are what the file is for)
from strategies.params import Param  # noqa: F401 (of policies)
