"""How a game plays: seats, ties, length, decisions, drama, and luck against skill.

`measure` reads a study directory once, in chunks, and gives a `Balance`: for every table (a cell)
what its rows tell, and over the tables the skill ladder and restricted play. All of it depends on
the policies that play, so every number stands beside its table. What a variant changes is paired
with the unchanged rules in `studies.compare.effects`; nothing here compares two tables on common
deals.
"""

from studies.balance.measure import measure
from studies.balance.results import Balance, TableBalance

__all__ = ["Balance", "TableBalance", "measure"]
