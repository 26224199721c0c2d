"""The language for your own games and rules: `from cardlab.rules import *`."""

from simcore.language import *
from strategies.params import Param
