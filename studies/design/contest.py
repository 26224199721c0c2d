"""Who is compared under `[goal] best = true`: cells that differ in one thing and share all else.

Where a study has variants (or factors), each line-up at each point of its sweep is a contest of the
rules, the unchanged ones among them; where it has none, the line-ups (and swept parameters) at each
set of options are a contest of the strategies in their first seat, against the same opponents.
Either way the best is that with the highest win rate of the first seat's policy, per seat held.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simcore.errors import InputError
from simcore.options import show_all
from studies.design.study import BASELINE, SUMMARY, Study

if TYPE_CHECKING:
    from studies.design.cells import StudyCell

MOST_CONTESTANTS = 300
"""Each is followed beside each other."""


@dataclass(frozen=True)
class Contest:
    """Cells of which one is the best.

    Attributes
    ----------
    where : str
        The line-up and sweep point of a contest of rules, the swept options of one of strategies;
        empty where there is but one.
    cells : list of StudyCell
        All with the same deals.
    names : list of str
        Of the contestants: variants, or strategies.
    """

    where: str
    cells: list[StudyCell]
    names: list[str]


def contests(study: Study, cells: Sequence[StudyCell]) -> list[Contest]:
    """Return the contests of a study with `[goal] best = true`."""
    assert study.goal
    if study.detail == SUMMARY:
        raise _refusal("cells are compared deal by deal, which sums do not tell", "without detail")
    if study.population:
        raise _refusal("a population is asked for what holds over all its tables", "line-ups alone")
    of_rules = any(cell.variant != BASELINE for cell in cells)
    sharing: dict[str, list[StudyCell]] = {}
    for cell in cells:
        options = {key: value for key, value in cell.point.items() if "." not in key}
        where = ", ".join(filter(None, cell.group)) if of_rules else show_all(options)
        sharing.setdefault(where, []).append(cell)
    for where, members in sharing.items():
        at = f" at {where}" if where else ""
        if not 2 <= len(members) <= MOST_CONTESTANTS:
            raise _refusal(
                f"{len(members)} {'variants' if of_rules else 'line-ups'}{at}",
                f"2 to {MOST_CONTESTANTS} variants of a line-up (the baseline counts), or line-ups "
                "without variants",
            )
        if of_rules:
            _check_seats(members[0])
        else:
            _check_strategies(study, members)
    return [
        Contest(
            where if len(sharing) > 1 else "",
            members,
            [cell.variant if of_rules else cell.seats[0] for cell in members],
        )
        for where, members in sharing.items()
    ]


def _check_seats(cell: StudyCell) -> None:
    if len(set(cell.seats)) == 1:
        raise _refusal(
            f"line-up {cell.lineup} has one policy in all seats, whose win rate no rule changes",
            "line-ups of several policies, the first of which is looked at",
        )


def _check_strategies(study: Study, cells: Sequence[StudyCell]) -> None:
    """Refuse line-ups that differ in more than the strategy in their first seat."""
    lineups = {lineup.name: lineup for lineup in study.lineups}
    first = cells[0]
    taken: dict[str, StudyCell] = {}
    for cell in cells:
        if _beside(lineups[cell.lineup].seats, cell) != _beside(lineups[first.lineup].seats, first):
            differ = "other seats"
        elif lineups[cell.lineup].rotate != lineups[first.lineup].rotate:
            differ = "rotate"
        else:
            differ = ""
        if differ:
            raise _refusal(
                f"line-ups {first.lineup} and {cell.lineup} differ in {differ}, not only in their "
                "first seat",
                "line-ups with the same opponents, who do not change with a swept parameter",
            )
        if cell.seats[0] in taken:
            raise _refusal(
                f"{cell.seats[0]} is in the first seat twice (line-ups "
                f"{taken[cell.seats[0]].lineup} and {cell.lineup})",
                "each strategy once",
            )
        taken[cell.seats[0]] = cell
    if len(lineups[first.lineup].seats) == 1:
        raise _refusal(
            f"line-up {first.lineup} has one policy in all seats, which wins its share",
            "line-ups with opponents after the first seat",
        )


def _beside(seats: Sequence[str], cell: StudyCell) -> list[str]:
    """Return the opponents of the first seat's strategy; a short line-up is repeated."""
    return [one if place % len(seats) else "" for place, one in enumerate(cell.seats)]


def _refusal(why: str, allowed: str) -> InputError:
    return InputError(f"study key goal.best = true is refused: {why}; allowed: {allowed}")
