"""How many deals each cell of a study needs, what they cost, and what pairing saves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from simcore.errors import InputError
from simcore.game import SEAT, STOCK, Game, get_game
from studies.deals.sums import seats_of
from studies.design.cells import StudyCell, period
from studies.design.margins import MARGINS, WIN_SHARE
from studies.design.study import LARGEST_MATCHES, Study
from studies.run.estimate import Estimate, estimate
from studies.run.pairings import Pairing, pairings
from studies.run.pilot import (
    ANOTHER_WINNER,
    Played,
    Subject,
    pairs_of,
    play_pilot,
    read_pilot,
    subjects,
)
from studies.run.run import Watcher
from studies.stats.intervals import LEVEL, Interval
from studies.stats.sample_size import (
    Spread,
    deals_for_power,
    deals_for_width,
    half_width_at,
    power_at,
    spread,
)


@dataclass(frozen=True)
class Target:
    """What a study shall tell.

    Attributes
    ----------
    number : str
        "win_share", "another_winner", "score" or a metric.
    amount : float
        Of a share 0.01 is a point.
    detect : bool
        Whether `amount` shall be found by a test; else it is a half-width.
    power : float
        How often the test finds it.
    level : float
        Of intervals; the tests of a family together err as often as one of them.
    """

    number: str
    amount: float
    detect: bool
    power: float = 0.8
    level: float = LEVEL

    @property
    def is_share(self) -> bool:
        """Whether it is told in points."""
        return self.number in (WIN_SHARE, ANOTHER_WINNER)


@dataclass(frozen=True)
class CellNeed:
    """What a cell needs.

    Attributes
    ----------
    of : str
        Whose outcome it is: of all those of the cell the one that needs most deals.
    family : int
        Tests over which `compare` corrects this one; 1 of half-widths.
    spread : Spread
        Of one value a deal.
    deals : Interval
        Deals needed, with the bounds that the pilot leaves; infinite where it tells none.
    half_width, power : float
        At the deals that the study has; `power` is nan of half-widths.
    """

    cell: StudyCell
    of: str
    family: int
    spread: Spread
    deals: Interval
    half_width: float
    power: float


@dataclass(frozen=True)
class StudyNeed:
    """What a study needs.

    Attributes
    ----------
    pilot : int
        Deals of each cell.
    from_rows : bool
        Whether they are those of a study directory.
    cells : list of CellNeed
        Without controls, and baselines of which variants need more.
    deals : Interval
        Match numbers a cell: those of the cell that needs most.
    cost : Estimate
        Of all cells at so many.
    """

    study: Study
    target: Target
    pilot: int
    from_rows: bool
    cells: list[CellNeed]
    deals: Interval
    cost: Estimate
    pairings: list[Pairing]


def needs(
    study: Study,
    cells: Sequence[StudyCell],
    target: Target,
    *,
    deals: int,
    threads: int,
    rows: Path | None = None,
    watcher: Watcher | None = None,
) -> StudyNeed:
    """Return what a study needs to reach a target.

    Parameters
    ----------
    deals : int
        Of the pilot, for each cell.
    rows : Path, optional
        A study directory whose rows are the pilot.

    Raises
    ------
    InputError
        If nothing is there to tell, the pilot tells nothing, or so much is needed that no study may
        have it.
    """
    coupling = None if rows else _other_coupling(study, cells)
    if rows:
        pilot = read_pilot(rows)
    else:
        if watcher:
            matches = deals * sum(period(cell.seats) for cell in cells)
            watcher.begin(matches if coupling is None else 2 * matches, len(cells))
        pilot = play_pilot(cells, deals, threads, watcher)
    pairs = pairs_of(cells, pilot)
    family = _families(pairs, target, get_game(study.game))
    chosen = [
        (found, played, base)
        for cell, played, base in pairs
        if (found := _most(study, target, family, cell, played, base))
    ]
    if not chosen:
        raise InputError(
            f"{target.number} is refused: the study has no variant whose matches can be paired "
            "with the baseline's; allowed: win_share, score, or a metric"
        )
    needed = _largest([found.deals for (found, _), _, _ in chosen], target)
    longer = study.model_copy(update={"matches": int(needed.estimate)})
    other = play_pilot(cells, deals, threads, watcher, coupling) if coupling else {}
    return StudyNeed(
        study=study,
        target=target,
        pilot=min(one.deals for one in pilot.values()),
        from_rows=rows is not None,
        cells=[found for (found, _), _, _ in chosen],
        deals=needed,
        cost=estimate(longer, cells, rows, threads),
        pairings=_pairings(study, target, chosen, other),
    )


def _largest(found: Sequence[Interval], target: Target) -> Interval:
    """Return what the cell that needs most needs."""
    told = [one for one in found if math.isfinite(one.estimate)]
    if not told:
        raise InputError(
            f"the pilot says nothing of {target.number}: no two of its deals differ; allowed: a "
            "larger --pilot, or a study in which it changes"
        )
    most = max(told, key=lambda one: one.estimate)
    if most.estimate > LARGEST_MATCHES:
        raise InputError(
            f"amount {target.amount * (100 if target.is_share else 1):g} of {target.number} is "
            f"refused: it takes {most.estimate:.3g} deals a cell; allowed: one that takes at most "
            f"{LARGEST_MATCHES:,}"
        )
    return most


Chosen = tuple[tuple[CellNeed, Subject], Played, Played | None]


def _most(
    study: Study,
    target: Target,
    family: Mapping[bool, int],
    cell: StudyCell,
    played: Played,
    base: Played | None,
) -> tuple[CellNeed, Subject] | None:
    """Return what the outcome of a cell that needs most deals needs."""
    before = None if base is None else base.first(base.used)
    own = subjects(target.number, played.first(played.used), before, gaps=target.detect)
    if not own:
        return None
    spreads = [spread(one.values.mean(axis=1), one.bound) for one in own]
    place = max(
        range(len(own)), key=lambda k: (spreads[k].variance.estimate, spreads[k].variance.high)
    )
    found, tests = spreads[place], family[base is not None] if target.detect else 1
    error = (1 - target.level) / tests
    variance = found.variance

    def deals(value: float) -> float:
        if target.detect:
            return deals_for_power(value, target.amount, error, target.power)
        return deals_for_width(value, target.amount, target.level)

    # No deal of the pilot moved: as many as would be needed if it were as much as that leaves room.
    middle = variance.estimate if found.is_shown else variance.high
    return (
        CellNeed(
            cell=cell,
            of=own[place].of,
            family=tests,
            spread=found,
            deals=Interval(deals(middle), deals(variance.low), deals(variance.high)),
            half_width=half_width_at(middle, study.matches, target.level),
            power=power_at(middle, target.amount, study.matches, error)
            if target.detect
            else math.nan,
        ),
        own[place],
    )


def _families(
    pairs: Sequence[tuple[StudyCell, Played, Played | None]], target: Target, game: Game
) -> dict[bool, int]:
    """Return over how many tests `compare` corrects, of changes (True) and of tables alone."""
    found = {True: 0, False: 0}
    for cell, _, base in pairs:
        policies = len(seats_of(cell).policies)
        alone = policies == 1
        if target.number not in MARGINS:
            count = len(game.metric_names)
        elif base is not None:
            count = cell.players + (0 if alone and target.number == WIN_SHARE else policies)
        else:
            count = cell.players if alone else policies * (policies - 1) // 2
        found[base is not None] += count
    return found


def _other_coupling(study: Study, cells: Sequence[StudyCell]) -> str | None:
    """Return the coupling that the study does not use; None where it would change nothing."""
    if len(get_game(study.game).couplings) < 2 or len({cell.variant for cell in cells}) < 2:
        return None
    return STOCK if study.coupling_used == SEAT else SEAT


def _pairings(
    study: Study, target: Target, chosen: Sequence[Chosen], other: Mapping[str, Played]
) -> list[Pairing]:
    tables: dict[tuple[str, str], list[Subject]] = {}
    rotated: list[tuple[Subject, int]] = []
    couplings: dict[str, list[Subject]] = {SEAT: [], STOCK: []} if other else {}
    unused = STOCK if study.coupling_used == SEAT else SEAT
    for (need, subject), played, base in chosen:
        if not need.spread.is_shown:
            continue
        tables.setdefault(need.cell.group, []).append(subject)
        if played.cell.rotations > 1:
            rotated.append((_same(target, need.of, played, base), played.used))
        if base is not None and other:
            couplings[study.coupling_used].append(subject)
            sides = [other[one.cell.id] for one in (played, base)]
            after, before = (one.first(one.used) for one in sides)
            couplings[unused].append(_same(target, need.of, after, before))
    if not couplings.get(STOCK):
        couplings = {}
    return pairings(tables, rotated, couplings, study.coupling_used)


def _same(target: Target, of: str, played: Played, base: Played | None) -> Subject:
    """Return the outcome of the same one in other deals of the cell."""
    own = subjects(target.number, played, base, gaps=target.detect)
    return next(one for one in own if one.of == of)
