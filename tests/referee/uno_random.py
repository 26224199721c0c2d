"""Uniform random play of the referee for UNO alone, apart from any kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tests.referee.uno import UnoReferee

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping


def play_random(
    options: Mapping[str, object],
    random_source: random.Random,
    watch: Callable[[UnoReferee], None] | None = None,
) -> dict[str, int]:
    """Play a whole match with uniformly random moves.

    Parameters
    ----------
    options
        Options by name; those left out have their defaults.
    random_source
        Source of the dealer, the decks, the moves, the forgetting and the noticing.
    watch
        Called with the referee after every action, for checks and counts.

    Returns
    -------
    dict
        ``first_seat``, ``winners`` (bit i for seat i, 0 if aborted), ``score_i`` for every seat,
        ``aborted``, every metric, and ``decisions``: those with two or more moves.
    """
    uniform = random_source.random

    def shuffle(cards: list[str]) -> list[str]:
        random_source.shuffle(cards)
        return cards

    first_dealer = random_source.randrange(cast("int", options.get("players", 4)))
    referee = UnoReferee(options, first_dealer, shuffle)
    forget = [referee.options.forget_probability(seat) for seat in range(referee.players)]
    decisions = 0
    while referee.phase != "MATCH_OVER":
        if referee.phase == "START":
            referee.start_round(shuffle(referee.options.deck()))
        else:
            moves = referee.legal_moves()
            decisions += len(moves) > 1
            move = moves[int(uniform() * len(moves))]
            penalised = (
                referee.calls_uno(move)
                and uniform() < forget[referee.on_turn]
                and uniform() < referee.options.notice_uno
            )
            referee.carry_out(move, penalised=penalised)
        if watch is not None:
            watch(referee)
    return {
        "first_seat": referee.first_seat,
        "winners": sum(1 << seat for seat in referee.winners),
        **{f"score_{seat}": total for seat, total in enumerate(referee.totals)},
        "aborted": int(referee.aborted),
        **referee.metrics,
        "decisions": decisions,
    }
