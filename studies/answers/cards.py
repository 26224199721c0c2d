"""Which card is too strong: how often seats win that hold, draw or play it, beside what they win.

The rows must have what the rules `cards` count (`simcore.compiler.shipped`). A seat is compared
with itself: with the win rate of its policy at its position over all deals, so that a card does not
look strong because a strong player or the first seat plays it. The difference is a ratio of sums
over groups of deals; its influence takes into account that the seats' averages are estimated, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from studies.answers.estimate import LEVEL, ratio
from studies.answers.families import holm
from studies.answers.totals import GROUPS
from studies.design.study import MATCHES
from studies.measures import Block, Table, game_of, win_unit

WHEN = {"dealt": "card_dealt", "drawn": "card_drawn", "played": "card_played"}
"""What a card was to a seat, and the counts that tell it."""

BITS = 31
FEWEST = 100
"""Minimum number of times that a card was dealt, drawn or played, to report a number."""


def counts_cards(cell: Table) -> bool:
    """Tell whether the matches of a cell say which cards each seat had."""
    return bool(cell.game) and set(WHEN.values()) <= game_of(cell).counted.keys()


def study_cards(
    stored: Any, level: float = LEVEL, asked: Sequence[Any] | None = None
) -> pl.DataFrame | None:
    """Return what cards are worth in each cell of a study that counts them, or in those asked for.

    Parameters
    ----------
    stored : studies.store.opened.Stored
    """
    cells = [cell for cell in (stored.cells if asked is None else asked) if counts_cards(cell)]
    if not cells or stored.study.detail != MATCHES:
        return None
    frames = []
    for cell in cells:
        rows = stored.rows(cell).collect().sort("match", "rotation")
        found = card_answers(cell, {name: rows[name].to_numpy() for name in rows.columns}, level)
        names = {"lineup": cell.lineup, "variant": cell.variant, **cell.point}
        frames.append(found.select(*(pl.lit(v).alias(k) for k, v in names.items()), pl.all()))
    return pl.concat(frames)


def card_answers(cell: Table, columns: Mapping[str, Any], level: float = LEVEL) -> pl.DataFrame:
    """Return what each card is worth, one row per card and `when` ("dealt", "drawn", "played").

    Parameters
    ----------
    cell : Table
        Its game counts cards (`counts_cards`).
    columns : mapping of str to array
        Of its matches, every rotation of each deal.
    level : float
        Of the intervals.

    Returns
    -------
    polars.DataFrame
        `when`, `card` (equal cards are one), `times` (how often it was so to a seat, of decided
        matches), `win_rate` of
        those seats, `less_usual` (the same less what they win on average) with `low`, `high`, `p`
        and `p_holm` over the cards of a `when`.
    """
    block = Block(cell, columns)
    deck = game_of(cell).deck
    places = 64 if deck.packs > 1 else deck.places
    kinds: dict[str, list[int]] = {}
    for card in sorted({card % places for card in deck.cards}):
        kinds.setdefault(_name(cell, deck, card), []).append(card)
    group = np.arange(block.deals) * min(GROUPS, block.deals) // max(block.deals, 1)
    who, won, decided = (np.stack(each, axis=-1) for each in _seats(block))
    usual = _usual(who, won, decided)
    left = (won - usual[who]) * decided
    frames = []
    for when, name in WHEN.items():
        words = -(-places // BITS)
        bits = [
            [block[f"{name}_{seat * words + word}"] for seat in range(block.players)]
            for word in range(words)
        ]
        part, whole, wins = [], [], []
        for equal in kinds.values():
            had: Any = sum(
                np.stack([one >> card % BITS & 1 for one in bits[card // BITS]], axis=-1)
                for card in equal
            )
            here = (had > 0) * decided
            own = here * left
            # What the seats' averages add: each is moved by every deal of its seat.
            times = np.bincount(who.ravel(), here.ravel(), len(usual))
            all_times = np.bincount(who.ravel(), decided.ravel(), len(usual))
            weight = times / np.maximum(all_times, 1)
            own = own - weight[who] * left
            part.append(np.bincount(group, own.sum(axis=(1, 2))))
            whole.append(np.bincount(group, here.sum(axis=(1, 2))))
            wins.append((here * won).sum())
        frames.append(_frame(when, list(kinds), part, whole, wins, level))
    return pl.concat(frames)


def _name(cell: Table, deck: Any, card: int) -> str:
    """Return a card's name; cards of one name are one."""
    printed = getattr(game_of(cell).words(), "printed", None)
    return str(printed(card, cell.options) if printed else deck.name(card))


def _seats(block: Block) -> Iterator[list[Any]]:
    """Yield by seat: who holds it at which position, its part of the win, whether it is decided."""
    names = list(dict.fromkeys(block.cell.seats))
    first, players = block["first_seat"].astype(np.int64), block.players
    rotation = np.arange(block.rotations)
    held = np.array([names.index(name) for name in block.cell.seats])
    yield [
        held[(seat + rotation) % players][None, :] * players + (seat - first) % players
        for seat in range(players)
    ]
    yield [credit / win_unit(players) for credit in block.credit]
    yield [block.decided.astype(float)] * players


def _usual(who: Any, won: Any, decided: Any) -> Any:
    size = int(who.max(initial=0)) + 1
    wins = np.bincount(who.ravel(), (won * decided).ravel(), size)
    return wins / np.maximum(np.bincount(who.ravel(), decided.ravel(), size), 1)


def _frame(
    when: str,
    names: Sequence[str],
    part: Sequence[Any],
    whole: Sequence[Any],
    wins: Sequence[float],
    level: float,
) -> pl.DataFrame:
    parts, wholes, won = np.array(part), np.array(whole, float), np.array(wins)
    told = wholes.sum(axis=1) >= FEWEST
    names = [name for name, one in zip(names, told, strict=True) if one]
    parts, wholes, won = parts[told], wholes[told], won[told]
    deals = (wholes > 0).sum(axis=1)
    found = ratio(parts, wholes, deals, low=-1.0, high=1.0, centre=0.0)
    times = wholes.sum(axis=1)
    # Few win, and Holm looks far into the tail, where an error found beside the estimate is too
    # small: the error if there were no difference keeps the level.
    alike = np.sqrt(np.square(parts).sum(axis=1)) / times
    known = replace(found.known, error=np.fmax(found.error, alike))
    low, high = known.interval(level)
    p = known.p()
    return pl.DataFrame(
        {
            "when": [when] * len(names),
            "card": list(names),
            "times": times.astype(np.int64),
            "win_rate": won / times,
            "less_usual": found.value,
            "low": low,
            "high": high,
            "p": p,
            "p_holm": holm(p),
        }
    )
