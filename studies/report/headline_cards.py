"""The first row of a report: a question, an answer that its interval bears out, the number."""

from __future__ import annotations

from collections.abc import Iterator

from studies.overview import gap_row, short
from studies.render import number, percent
from studies.report.content import HeadlineCard
from studies.report.report_data import BASELINE, ReportData, Row, is_shown, one, points

EVEN_WITHIN = 0.01
"""An interval within a point of the even share is called even."""


def headline_cards(data: ReportData) -> list[HeadlineCard]:
    """Return the answers at a glance, of the main point of the sweep."""
    return list(_headline_cards(data))


def _headline_cards(data: ReportData) -> Iterator[HeadlineCard]:
    here = {"lineup": data.reference, "variant": BASELINE}
    who = data.who(data.reference)
    at = f", {data.at(data.point)}" if len(data.points) > 1 else ""
    if data.alone(data.reference) and data.told.keys == ["players"]:
        at = ""  # "in all 4 seats" says it
    first = one(data.main(kind="level", number="win_rate", who="position 0", **here))
    if first is not None:
        even = 1 / len(data.seats[data.reference])
        text = percent(first["estimate"], first["low"], first["high"], " %")
        note = f"win rate of the first seat, {100 * even:.1f} % is even; {who}{at}"
        yield HeadlineCard("Is it fair?", _fairness(first, even), text, note, "seats")
    length = one(data.main(kind="level", number=data.length, who="", **here))
    if length is not None:
        ends = {
            row["number"].rpartition(" ")[2]: row["estimate"]
            for row in data.main(kind="quantile", lineup=data.reference)
            if row["number"].startswith(f"{data.length} q")
        }
        word = (
            f"{length['estimate']:,.0f} {data.length}"
            if length["estimate"] >= 10
            else (f"{length['estimate']:.1f} {data.length}")
        )
        mean = number(length["estimate"], length["low"], length["high"])
        half = ""
        if ends and ends["q25"] != ends["q75"]:
            half = f"half of the matches {ends['q25']:.0f} to {ends['q75']:.0f}; "
        yield HeadlineCard("How long is it?", word, mean, f"{half}{who}{at}", "length")
    yield from _skill(data)
    yield from _rule(data)
    led = one(data.main(kind="level", number="led_throughout", **here))
    if led is not None:
        text = percent(led["estimate"], led["low"], led["high"], " %")
        yield HeadlineCard(
            "Is it decided early?",
            f"{100 * led['estimate']:.0f} % led throughout",
            text,
            f"matches whose winner led from beginning to end; {who}{at}",
            "drama",
        )


def _fairness(row: Row, even: float) -> str:
    if row["low"] is None:
        return "Not told"
    if max(abs(row["low"] - even), abs(row["high"] - even)) <= EVEN_WITHIN:
        return "Even within a point"
    if row["low"] > even:
        return "First seat ahead"
    return "First seat behind" if row["high"] < even else "No difference shown"


def _skill(data: ReportData) -> Iterator[HeadlineCard]:
    if data.pair is None:
        return
    for lineup in data.lineups:
        rows = data.main(kind="difference", number="win_rate", lineup=lineup)
        gap = gap_row({(r["who"], r["number"], r["against"]): r for r in rows}, data.pair)
        if gap is None or gap["low"] is None:
            continue
        shown = gap["low"] > 0
        names = [short(name) for name in data.pair]
        word = f"{names[0]} beats {names[1]}" if shown else "No difference shown"
        note = f"win rate of {names[0]} less that of {names[1]}, the widest gap; line-up {lineup}"
        yield HeadlineCard("Does the better policy win?", word, points(gap), note, "skill")
        return


def _rule(data: ReportData) -> Iterator[HeadlineCard]:
    """Yield the rule that changes the length most, where that is shown."""
    rows = [
        row
        for row in data.main(kind="change", number=data.length, who="", lineup=data.reference)
        if is_shown(row) and row["baseline"]
    ]
    if rows:
        most = max(rows, key=lambda row: abs(row["estimate"] / row["baseline"]))
        word = f"{most['variant']}: {'longer' if most['estimate'] > 0 else 'shorter'}"
        text = number(most["estimate"], most["low"], most["high"], signed=True)
        note = f"{data.length} per match, the largest change shown; {data.who(most['lineup'])}"
        yield HeadlineCard("Which rule changes most?", word, text, note, "variants")
