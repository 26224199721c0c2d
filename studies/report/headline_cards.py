"""The first row of a report: a question, an answer that its interval bears out, the number."""

from __future__ import annotations

from collections.abc import Iterator

from studies.answers.headlines import LENGTH, POLICIES, SEATS, Headline, seat_words
from studies.overview import counted_length, decided_level, short
from studies.render import number, percent
from studies.report.content import HeadlineCard
from studies.report.report_data import BASELINE, ReportData, one, points


def headline_cards(data: ReportData) -> list[HeadlineCard]:
    """Return the answers at a glance, of the main point of the sweep."""
    return list(_headline_cards(data))


def _headline_cards(data: ReportData) -> Iterator[HeadlineCard]:
    here = {"lineup": data.reference, "variant": BASELINE}
    who = data.about
    at = f", {data.at(data.point)}" if len(data.points) > 1 else ""
    if data.alone(data.reference) and data.told.keys == ["players"] and "seats" in who:
        at = ""  # "in all 4 seats" says it
    seats = data.headlines.of(SEATS, **data.point)
    if seats is not None:
        row = seats.row
        text = percent(row["estimate"], row["low"], row["high"], " %")
        shares = ", ".join(f"{100 * own['estimate']:.1f}" for own in seats.rows)
        note = (
            f"win rate of {seat_words(row['who'])}, furthest from the even share; all seats: "
            f"{shares} %, {100 * row['null']:.1f} % is even; {who}{at}"
        )
        yield HeadlineCard("Is it fair?", _capital(seats), text, note, "seats")
    asked = {"number": data.length, "who": "", "variant": BASELINE}
    length = one(
        data.main(kind="population", **asked)
        or data.main(kind="level", lineup=data.reference, **asked)
    )
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
        mean = counted_length(length, "")
        half = ""
        if ends and ends["q25"] != ends["q75"]:
            half = f"half of the matches {ends['q25']:.0f} to {ends['q75']:.0f}; "
        decided = decided_level(data.told, length).strip(" ()")
        note = "; ".join(filter(None, (decided, f"{half}{who}{at}")))
        yield HeadlineCard("How long is it?", word, mean, note, "length")
    yield from _skill(data)
    yield from _rule(data)
    led = one(data.main(kind="level", number="led_throughout", **here))
    if led is not None:
        text = percent(led["estimate"], led["low"], led["high"], " %")
        yield HeadlineCard(
            "Is it decided early?",
            f"{100 * led['estimate']:.0f} % led throughout",
            text,
            f"matches whose winner led from beginning to end; {data.who(data.reference)}{at}",
            "drama",
        )


def _capital(headline: Headline) -> str:
    return headline.words[0].upper() + headline.words[1:]


def _skill(data: ReportData) -> Iterator[HeadlineCard]:
    told = data.headlines.of(POLICIES, **data.point)
    if data.pair is None or told is None or told.row["low"] is None:
        return
    names = [short(told.row[end].removeprefix("policy ")) for end in ("who", "against")]
    pairs = f"of {len(told.rows)} pairs " if len(told.rows) > 1 else ""
    nearest = {"best": "the nearest ", "ahead": "the widest gap ", "open": "the widest gap "}
    note = (
        f"win rate of {names[0]} less that of {names[1]}, {nearest[told.verdict]}{pairs}"
        f"in line-up {told.lineup}"
    )
    if not pairs:
        note = f"win rate of {names[0]} less that of {names[1]}, line-up {told.lineup}"
    question = "Does the better policy win?"
    yield HeadlineCard(question, _capital(told), points(told.row), note, "skill")


def _rule(data: ReportData) -> Iterator[HeadlineCard]:
    """Yield the rule that changes the length most, where that is shown."""
    told = data.headlines.of(LENGTH, **data.point)
    if told is None or not told.shown:
        return
    most = told.row
    text = number(most["estimate"], most["low"], most["high"], signed=True)
    of = f", of {len(told.rows)} rules" if len(told.rows) > 1 else ""
    note = f"{data.length} per match, the largest change shown{of}; {data.about}"
    yield HeadlineCard("Which rule changes most?", _capital(told), text, note, "variants")
