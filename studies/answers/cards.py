"""Strength of cards: how often seats that are dealt, draw or play a card win, beside their average.

The rows need the counts of the rule file `cards` (`simcore.userfiles.shipped`). A seat is compared
with the average win rate of its policy at its position over all deals, so that a card does not look
strong because a strong player or the first seat plays it. The difference is a ratio of sums over
groups of deals; its influence accounts for the estimated averages as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from simcore.described import DescribedGame
from studies.answers.estimate import LEVEL, ratio
from studies.answers.families import holm
from studies.answers.totals import GROUPS
from studies.measures import Block, Table, game_of, win_unit

WHEN = {"dealt": "card_dealt", "drawn": "card_drawn", "played": "card_played"}
"""Events of a card for a seat, and the counts that record them."""

BITS = 31
FEWEST = 100
"""Minimum number of events of a card to report its strength."""


def counts_cards(cell: Table) -> bool:
    """Return whether the matches of a cell record each seat's cards."""
    return bool(cell.game) and set(WHEN.values()) <= game_of(cell).counted.keys()


def study_cards(
    stored: Any, level: float = LEVEL, chosen: Sequence[Any] | None = None
) -> pl.DataFrame | None:
    """Return the strength of cards in the cells of a study (or in `chosen`) that count them.

    Parameters
    ----------
    stored : studies.store.opened.Stored
    """
    cells = [cell for cell in (stored.cells if chosen is None else chosen) if counts_cards(cell)]
    if not cells or not stored.study.rows:
        return None
    frames = []
    for cell in cells:
        rows = stored.rows(cell).collect().sort("match", "rotation")
        rows_of_cards = card_answers(
            cell, {name: rows[name].to_numpy() for name in rows.columns}, level
        )
        names = {"lineup": cell.lineup, "variant": cell.variant, **cell.point}
        frames.append(
            rows_of_cards.select(*(pl.lit(v).alias(k) for k, v in names.items()), pl.all())
        )
    return pl.concat(frames)


def card_answers(cell: Table, columns: Mapping[str, Any], level: float = LEVEL) -> pl.DataFrame:
    """Return the strength of each card, one row per card and `when` ("dealt", "drawn", "played").

    Parameters
    ----------
    cell : Table
        Its game counts cards (`counts_cards`).
    columns : mapping of str to array
        Columns of its matches, with every rotation of each deal.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    polars.DataFrame
        `when`, `card` (equal cards share a row), `times` (events in decided matches), `win_rate` of
        the seats concerned, `less_usual` (that rate less their average) with `low`, `high`, `p` and
        `p_holm` over the cards of a `when`.
    """
    block = Block(cell, columns)
    deck = game_of(cell).deck
    places = 64 if deck.packs > 1 else deck.places
    kinds: dict[str, list[int]] = {}
    for card in sorted({card % places for card in deck.cards}):
        kinds.setdefault(_name(cell, deck, card), []).append(card)
    group = np.arange(block.deals) * min(GROUPS, block.deals) // max(block.deals, 1)
    who, won, decided = (np.stack(by_seat, axis=-1) for by_seat in _seats(block))
    usual = _usual(who, won, decided)
    left = (won - usual[who]) * decided
    frames = []
    for when, name in WHEN.items():
        words = -(-places // BITS)
        bits = [
            [block[f"{name}_{seat * words + word}"] for seat in range(block.players)]
            for word in range(words)
        ]
        moved_by_group, counted_by_group, wins = [], [], []
        for equal in kinds.values():
            had: Any = sum(
                np.stack([column >> card % BITS & 1 for column in bits[card // BITS]], axis=-1)
                for card in equal
            )
            here = (had > 0) * decided
            moved = here * left
            # The influence of the averages: every deal of a seat moves its average.
            times = np.bincount(who.ravel(), here.ravel(), len(usual))
            all_times = np.bincount(who.ravel(), decided.ravel(), len(usual))
            weight = times / np.maximum(all_times, 1)
            moved = moved - weight[who] * left
            moved_by_group.append(np.bincount(group, moved.sum(axis=(1, 2))))
            counted_by_group.append(np.bincount(group, here.sum(axis=(1, 2))))
            wins.append((here * won).sum())
        frames.append(_frame(when, list(kinds), moved_by_group, counted_by_group, wins, level))
    return pl.concat(frames)


def _name(cell: Table, deck: Any, card: int) -> str:
    """Return a card's name; cards with equal names share a row."""
    from simcore.narration.teller import Teller

    game = game_of(cell).original
    if isinstance(game, DescribedGame):  # whose file, with what is printed, is not run
        return str(deck.name(card))
    return Teller(game).printed(card, cell.options)


def _seats(block: Block) -> Iterator[list[Any]]:
    """Yield, by seat: policy and position as an index, share of the win, whether it is decided."""
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
    enough = wholes.sum(axis=1) >= FEWEST
    names = [name for name, keep in zip(names, enough, strict=True) if keep]
    parts, wholes, won = parts[enough], wholes[enough], won[enough]
    deals = (wholes > 0).sum(axis=1)
    estimate = ratio(parts, wholes, deals, low=-1.0, high=1.0, centre=0.0)
    times = wholes.sum(axis=1)
    # With few wins, and as far in the tail as Holm looks, the standard error at the estimate is too
    # small; the one under the null hypothesis keeps the level.
    alike = np.sqrt(np.square(parts).sum(axis=1)) / times
    known = replace(estimate.known, error=np.fmax(estimate.error, alike))
    low, high = known.interval(level)
    p = known.p()
    return pl.DataFrame(
        {
            "when": [when] * len(names),
            "card": list(names),
            "times": times.astype(np.int64),
            "win_rate": won / times,
            "less_usual": estimate.value,
            "low": low,
            "high": high,
            "p": p,
            "p_holm": holm(p),
        }
    )
