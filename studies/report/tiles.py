"""The first row of a report: a question, an answer that its interval bears out, the number."""

from __future__ import annotations

from collections.abc import Iterator

from studies.overview import gap_row, short
from studies.render import number, percent
from studies.report.content import Tile
from studies.report.story import BASELINE, Row, Story, is_shown, one, points

EVEN_WITHIN = 0.01
"""An interval within a point of the even share is called even."""


def tiles(story: Story) -> list[Tile]:
    """Return the answers at a glance, of the main point of the sweep."""
    return list(_tiles(story))


def _tiles(story: Story) -> Iterator[Tile]:
    here = {"lineup": story.reference, "variant": BASELINE}
    who = story.who(story.reference)
    at = f", {story.at(story.point)}" if len(story.points) > 1 else ""
    if story.alone(story.reference) and story.told.keys == ["players"]:
        at = ""  # "in all 4 seats" says it
    first = one(story.main(kind="level", number="win_rate", who="position 0", **here))
    if first is not None:
        even = 1 / len(story.seats[story.reference])
        text = percent(first["estimate"], first["low"], first["high"], " %")
        note = f"win rate of the first seat, {100 * even:.1f} % is even; {who}{at}"
        yield Tile("Is it fair?", _fairness(first, even), text, note, "seats")
    length = one(story.main(kind="level", number=story.length, who="", **here))
    if length is not None:
        ends = {
            row["number"].rpartition(" ")[2]: row["estimate"]
            for row in story.main(kind="quantile", lineup=story.reference)
            if row["number"].startswith(f"{story.length} q")
        }
        word = (
            f"{length['estimate']:,.0f} {story.length}"
            if length["estimate"] >= 10
            else (f"{length['estimate']:.1f} {story.length}")
        )
        mean = number(length["estimate"], length["low"], length["high"])
        half = ""
        if ends and ends["q25"] != ends["q75"]:
            half = f"half of the matches {ends['q25']:.0f} to {ends['q75']:.0f}; "
        yield Tile("How long is it?", word, mean, f"{half}{who}{at}", "length")
    yield from _skill(story)
    yield from _rule(story)
    led = one(story.main(kind="level", number="led_throughout", **here))
    if led is not None:
        text = percent(led["estimate"], led["low"], led["high"], " %")
        yield Tile(
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


def _skill(story: Story) -> Iterator[Tile]:
    if story.pair is None:
        return
    for lineup in story.lineups:
        rows = story.main(kind="difference", number="win_rate", lineup=lineup)
        gap = gap_row({(r["who"], r["number"], r["against"]): r for r in rows}, story.pair)
        if gap is None or gap["low"] is None:
            continue
        shown = gap["low"] > 0
        names = [short(name) for name in story.pair]
        word = f"{names[0]} beats {names[1]}" if shown else "No difference shown"
        note = f"win rate of {names[0]} less that of {names[1]}, the widest gap; line-up {lineup}"
        yield Tile("Does the better policy win?", word, points(gap), note, "skill")
        return


def _rule(story: Story) -> Iterator[Tile]:
    """Yield the rule that changes the length most, where that is shown."""
    rows = [
        row
        for row in story.main(kind="change", number=story.length, who="", lineup=story.reference)
        if is_shown(row) and row["baseline"]
    ]
    if rows:
        most = max(rows, key=lambda row: abs(row["estimate"] / row["baseline"]))
        word = f"{most['variant']}: {'longer' if most['estimate'] > 0 else 'shorter'}"
        text = number(most["estimate"], most["low"], most["high"], signed=True)
        note = f"{story.length} per match, the largest change shown; {story.who(most['lineup'])}"
        yield Tile("Which rule changes most?", word, text, note, "variants")
