"""Seats, length, pace, endings and drama, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator

from studies.balance.results import Distribution, Drama, TableBalance
from studies.report.sentences.words import (
    SEAT,
    WIDEST,
    between_bounds,
    capital,
    counted,
    half_width,
    joined,
    place,
    played,
    who,
    whole,
)
from studies.report.verdict import Verdict, judge
from studies.show.wording import matches_, mean, percent, too_few, up_to
from studies.stats.intervals import Interval

CLEAR = (Verdict.SMALL, Verdict.MEDIUM, Verdict.LARGE)


def seat_sentence(table: TableBalance) -> str:
    """Say whether a place at the table is an advantage, by the intervals that the figure shows."""
    seats, at = table.positions, f"With {who(table)}"
    if table.outcomes.aborted.count == table.matches:
        return f"{at}, nobody wins any of {matches_(table.matches)}: all are aborted."
    matches, null = played(table), seats.even
    even = f"{100 * null:.1f} %"
    clear = [
        position
        for position, found in enumerate(seats.win_share)
        if judge(found, null, *SEAT) in CLEAR
    ]
    if not clear:
        reach = max(max(abs(found.low - null), abs(found.high - null)) for found in seats.win_share)
        if reach <= 2 * SEAT[0]:
            return (
                f"{at}, no seat has an advantage that shows: no position's win rate is further "
                f"than {100 * reach:.1f} points from the even {even} ({matches})."
            )
        return (
            f"{at}, no advantage of a seat shows, but one of up to {100 * reach:.1f} points either "
            f"way cannot be excluded (even: {even}; {matches})."
        )
    parts = [
        f"{place(position)} wins {percent(seats.win_share[position], ' %')}" for position in clear
    ]
    largest = max(abs(seats.win_share[position].estimate - null) for position in clear)
    degree = "" if SEAT[0] <= largest < SEAT[1] else "great " if largest >= SEAT[1] else "small "
    return (
        f"{at}, there is a {degree}difference between the seats: {joined(parts)}, where {even} "
        f"would be even ({matches})."
    )


def length_sentence(table: TableBalance, found: Distribution) -> str:
    """Say how long matches are."""
    aborted = table.outcomes.aborted
    cut = ""
    if aborted.count:
        cut = f" ({percent(aborted.share, ' %')} were aborted and count up to there)"
    if not found.quantiles:
        return (
            f"With {who(table)}, a match takes {mean(found.mean)} {found.name} on average "
            f"({matches_(table.matches)}){cut}."
        )
    if len(found.counts) == 1:
        (every,) = found.counts
        return (
            f"With {who(table)}, every match takes {every:,} {found.name} "
            f"({matches_(table.matches)}){cut}."
        )
    median, high = found.quantiles[0.5], found.quantiles[0.95]
    long_ = found.quantiles[0.99]
    text = (
        f"With {who(table)}, half of the matches take at most {whole(median)} {found.name}, 95 in "
        f"100 at most {whole(high)}, 99 in 100 at most {whole(long_)}"
    )
    if not math.isfinite(long_.high):
        text += f"; {too_few(found.matches)} to bound the longest"
    return f"{text}{cut}."


def pace_sentence(table: TableBalance) -> str:
    """Say how often there is something to decide."""
    forced, decisions = table.forced, table.decisions
    if math.isnan(forced.estimate):
        return f"Nobody decides or moves anything in {matches_(table.matches)}."
    constant = half_width(decisions) == 0 and half_width(forced) == 0
    if constant:
        some = (
            f"{100 * forced.estimate:.1f} % of all moves are" if forced.estimate else "no move is"
        )
        return (
            f"Every match asks {decisions.estimate:,g} real decisions of them; {some} forced (the "
            f"same in all {matches_(table.matches)})."
        )
    some = f"{percent(forced, ' %')} of all moves are forced"
    if math.isnan(forced.high):
        some = f"{100 * forced.estimate:.1f} % of all moves are forced"
    if forced.estimate == 0:
        some = f"no move is forced ({matches_(table.matches)})"
    return f"A match asks {mean(decisions)} real decisions of them; {some}."


def ending_sentence(table: TableBalance) -> str:
    """Say how matches end besides with one winner."""
    shared, aborted = table.outcomes.shared, table.outcomes.aborted
    matches = matches_(table.matches)
    if shared.count == 0 and aborted.count == 0:
        return (
            f"Of {matches} none ends in a shared win and none is aborted (each at most "
            f"{up_to(max(shared.share.high, aborted.share.high))} %)."
        )
    return (
        f"Of {matches} {counted(shared)} end in a shared win; {counted(aborted)} are aborted (won "
        "by nobody)."
    )


def drama_sentences(table: TableBalance) -> Iterator[str]:
    """Say how a match gets to its winner, and how it ends; among decided matches."""
    drama, at = table.lead, f"With {who(table)}"
    decided = drama.comeback.matches
    if not decided:
        yield f"{at}, nobody wins any of {matches_(table.matches)}: there is no drama to tell of."
        return
    aborted = table.outcomes.aborted
    if aborted.count:
        at += (
            f", among decided matches ({percent(aborted.share, ' %')} of "
            f"{matches_(table.matches)} were aborted)"
        )
    behind_told = False
    if drama.lead_changes is not None and drama.led_throughout is not None:
        led = drama.led_throughout.share
        if not any(drama.lead_changes.counts):
            yield (
                f"{at}, the lead never changes in {matches_(decided)} "
                f"({drama.lead_changes.meaning})."
            )
        elif half_width(led) > WIDEST:
            text = (
                f"{at}, whoever leads first keeps the lead to the end in {between_bounds(led)} of "
                "matches"
            )
            if half_width(drama.behind.share) > WIDEST:
                text += f", and the winner came from behind in {between_bounds(drama.behind.share)}"
                behind_told = True
            yield f"{text}: {too_few(decided)} to tell more closely."
        else:
            yield (
                f"{at}, the lead changes {mean(drama.lead_changes.mean)} times in a match; whoever "
                f"leads first leads to the end in {percent(led, ' %')} of matches."
            )
    if not behind_told:
        yield _comeback_sentence(drama)
    yield _settled_sentence(drama)
    if drama.close is not None and drama.runaway is not None:
        close, runaway = drama.close.share, drama.runaway.share
        if half_width(close) > WIDEST or half_width(runaway) > WIDEST:
            yield (
                f"{capital(between_bounds(close))} of matches end close, and the winner runs away "
                f"in {between_bounds(runaway)}: {too_few(drama.margin.matches)} to "
                "tell more closely."
            )
        else:
            yield (
                f"{percent(close, ' %')} of matches end close; in {percent(runaway, ' %')} the "
                "winner runs away."
            )


def _comeback_sentence(drama: Drama) -> str:
    """Say how often, and from how far, the winner came from behind."""
    behind, far = drama.behind.share, drama.comeback
    if drama.behind.count == 0 and half_width(behind) <= WIDEST:
        return f"No winner was ever behind (in at most {up_to(behind.high)} % of matches)."
    if half_width(behind) > WIDEST:
        return (
            f"The winner came from behind in {between_bounds(behind)} of matches: "
            f"{too_few(far.matches)} to tell more closely."
        )
    text = f"The winner came from behind in {percent(behind, ' %')} of matches"
    middle, long_ = far.quantiles[0.5], far.quantiles[0.95]
    if middle.low > 0:
        text += f", from {_points(middle)} or more behind in half of all matches"
    if long_.estimate > 0:
        text += f", from {_points(long_)} or more in one of twenty"
    return f"{text}."


def _points(found: Interval) -> str:
    return f"{whole(found)} point{'' if found.estimate == 1 else 's'}"


def _settled_sentence(drama: Drama) -> str:
    """Say how early the lead was settled: runaway leaders."""
    quarter, half = drama.by_quarter.share, drama.by_half.share
    if half_width(quarter) > WIDEST or half_width(half) > WIDEST:
        return (
            f"By half of the {drama.course.name} the lead was settled, not to change again, in "
            f"{between_bounds(half)} of matches: {too_few(drama.settled.matches)} to tell "
            "more closely."
        )
    return (
        f"The lead was settled, not to change again, by a quarter of the {drama.course.name} in "
        f"{percent(quarter, ' %')} of matches, by half of them in {percent(half, ' %')}."
    )
