"""Replays of a match, decision by decision: for programs (`steps`) and in words (`replay`).

Matches are keyed by seed and number, so any match can be played alone. A replay runs the same rules
as a block, as ordinary Python with every move checked, and ends with the same row. It is thousands
of times slower, and meant for reading, tests, adapters and external search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simcore.batch import Cell
from simcore.compiler.blocks import check_sources
from simcore.compiler.seat_policy import is_foreign
from simcore.events import MatchEnd, RoundEnd, RoundStart, Step
from simcore.match import Chooser, Match
from simcore.narration.teller import Teller
from simcore.phrases import match_in_words


def steps(
    cell: Cell, match: int, rotation: int = 0, *, choose: Chooser | None = None
) -> Iterator[Step]:
    """Yield every move of a match with the position before and after it.

    Parameters
    ----------
    cell, match, rotation, choose
        As for `match.Match`.

    Raises
    ------
    PolicyError
        If a policy returns a move that is not legal.
    """
    if is_foreign(cell):
        check_sources(cell)
    for event in Match(cell, match, rotation=rotation, choose=choose):
        if isinstance(event, Step):
            yield event


def replay(
    cell: Cell, match: int, *, rotation: int = 0, why: bool = False, draw: bool = False
) -> Iterator[str]:
    """Yield a match in words, line by line, as a commentary by a spectator who sees all cards.

    Parameters
    ----------
    cell, match, rotation
        As in `batch.play`.
    why : bool
        Before every choice also list the legal moves, the chosen move with its clause of the rules,
        the policy's weights and its reason.
    draw : bool
        Before every move also draw the table.

    Raises
    ------
    PolicyError
        If a policy returns a move that is not legal.
    """
    if is_foreign(cell):
        check_sources(cell)
    words = Teller(cell.game)
    playback = Match(cell, match, rotation=rotation)
    names = [f"seat {seat}" for seat in range(cell.players)]
    yield heading(playback, names)
    for event in playback:
        match event:
            case RoundStart():
                if event.s.round_number == 1 and (ends := words.ends(event.s)):
                    yield f"The match ends when {ends}."
                yield from words.round_in_words(event, names)
            case Step():
                if draw:
                    yield from words.table_in_words(event, names)
                if why and event.chosen:
                    yield from _why(event, playback, words)
                yield from words.step_in_words(event, names)
            case RoundEnd():
                yield from words.score_in_words(event, names)
            case MatchEnd():
                yield match_in_words(words, event.s, names)


def heading(playback: Match, names: Sequence[str]) -> str:
    """Return which match it is, and who sits where."""
    which = f"match {playback.match} of seed {playback.cell.seed}"
    seated = (f"{name} {policy}" for name, policy in zip(names, playback.players, strict=True))
    return (
        f"{playback.cell.game.title}, {which} ({playback.options_in_words()}): {', '.join(seated)}."
    )


def _why(step: Step, match: Match, words: Teller) -> Iterator[str]:
    """Yield the legal moves, the chosen move, and the weights and reasons of the policy."""
    s = step.s
    legal = {move: words.move_in_words(s, step.seat, move) for move in step.moves}
    name = match.names[step.seat]
    where = words.occasion(s)
    mark = words.mark_of(s, step.seat, step.move)
    yield f"    {name} may{where}: {'; '.join(legal.values())} → {legal[step.move]} {mark}"
    weights = dict(value for kind, value in match.reasons if kind == "weigh")
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0] != step.move))
    # A single weight was compared with nothing.
    if len(ranked) > 1:
        listed = "; ".join(f"{legal.get(move, move)}: {worth:.4g}" for move, worth in ranked)
        yield f"    {name} weighs: {listed}"
    reasons = [" ".join(map(str, value)) for kind, value in match.reasons if kind == "because"]
    reason = "; ".join(dict.fromkeys(reasons)) or match.players[step.seat].idea
    yield f"    {name} decides: {reason}"
