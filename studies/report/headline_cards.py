"""The first row of a report: a question, an answer that its interval bears out, the number."""

from __future__ import annotations

from collections.abc import Iterator

from studies.answers.headlines import LENGTH, POLICIES, SEATS, seat_words
from studies.measures import BASELINE
from studies.overview import counted_length, decided_level, policy, short
from studies.report.content import HeadlineCard
from studies.report.report_data import ReportData, first_of
from studies.sentences import change, points, say, share


def headline_cards(data: ReportData) -> list[HeadlineCard]:
    """Return the answers at a glance, of the main point of the sweep."""
    at = data.at_main
    if data.alone(data.reference) and data.screen.keys == ["players"] and "seats" in data.about:
        at = ""  # "in all 4 seats" says it
    return [*_seats(data, at), *_length(data, at), *_skill(data), *_rule(data), *_led(data, at)]


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _seats(data: ReportData, at: str) -> Iterator[HeadlineCard]:
    headline = data.headlines.of(SEATS, **data.point)
    if headline is None:
        return
    row = headline.row
    note = say("card_seats", seat_words(row["who"]), headline.rows, row["null"], data.about + at)
    yield HeadlineCard("Is it fair?", _capital(headline.words), share(row), note, "seats")


def _length(data: ReportData, at: str) -> Iterator[HeadlineCard]:
    values = {"number": data.length, "who": "", "variant": BASELINE}
    length = first_of(
        data.main(kind="population", **values)
        or data.main(kind="level", lineup=data.reference, **values)
    )
    if length is None:
        return
    value = length["estimate"]
    word = f"{value:,.0f}" if value >= 10 else f"{value:.1f}"
    decided = decided_level(data.screen, length).strip(" ()")
    note = say("card_length", decided, data.quantiles(data.point), data.about + at)
    mean = counted_length(length, "")
    yield HeadlineCard("How long is it?", f"{word} {data.length}", mean, note, "length")


def _skill(data: ReportData) -> Iterator[HeadlineCard]:
    headline = data.headlines.of(POLICIES, **data.point)
    if data.pair is None or headline is None or headline.row["low"] is None:
        return
    names = [short(policy(headline.row[end])) for end in ("who", "against")]
    note = say("card_skill", names, len(headline.rows), headline.verdict, headline.lineup)
    question = "Does the better policy win?"
    yield HeadlineCard(question, _capital(headline.words), points(headline.row), note, "skill")


def _rule(data: ReportData) -> Iterator[HeadlineCard]:
    """Yield the rule that changes the length most, where that is shown."""
    headline = data.headlines.of(LENGTH, **data.point)
    if headline is None or not headline.shown:
        return
    note = say("card_rule", data.length, len(headline.rows), data.about)
    question = "Which rule changes most?"
    yield HeadlineCard(question, _capital(headline.words), change(headline.row), note, "variants")


def _led(data: ReportData, at: str) -> Iterator[HeadlineCard]:
    here = {"lineup": data.reference, "variant": BASELINE}
    led = first_of(data.main(kind="level", number="led_throughout", **here))
    if led is not None:
        word = f"{100 * led['estimate']:.0f} % led throughout"
        note = say("card_led", data.who(data.reference) + at)
        yield HeadlineCard("Is it decided early?", word, share(led), note, "drama")
