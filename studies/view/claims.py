"""The sentences: what is said to each question, each from rows of the frame.

A claim is made only where simultaneous bounds (`studies.answers.headlines`), or a test corrected
over its family, bear it out. The number beside it is the frame's row with its own interval, as in
tables and figures. It names its line-up and point, and what is shown elsewhere if it would hide it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from simcore.phrases import joined
from studies.answers.frame_builder import FIRST_SEAT, LENGTH, POLICIES, SEATS, WON
from studies.answers.headlines import EVEN_WITHIN, Headline, side
from studies.answers.population import ALL_TABLES
from studies.measures import BASELINE
from studies.render import counted, listed, number
from studies.view.grid import Claim
from studies.view.query import Place, Row, View, policy, position, sign, text, turned, with_unit

MOST_NAMED = 3

ALIKE_WITHIN = math.log(0.52 / 0.48)
ALIKE_WORDS = "each wins 48 to 52 of 100 against the other"
"""Log-odds up to which strengths count as alike, and what that is."""

MOST_EFFECTS = 4
"""Rules that a page describes in a sentence each."""

FEW_CHANGED = 10
"""Matches with another winner up to which intervals of a rule's changes are called rough."""

FEWEST_DEALS = 30
"""From which on the number of deals that would show a difference is told."""

MOST_TURNING = 2
"""Rules with effects of both signs that have a sentence each."""

ABORTED_FROM = 0.001
"""Smaller shares of aborted matches are not mentioned, unless variants differ in them."""


def paragraphs(claims: Sequence[Claim]) -> list[str]:
    """Return claims as sentences, those to the same question together."""
    by_question: dict[str, list[Claim]] = {}
    for claim in claims:
        by_question.setdefault(claim.question or claim.words, []).append(claim)
    return [
        f"{members[0].question} {'; '.join(map(str, members))}.".lstrip()
        for members in by_question.values()
    ]


def caveats(view: View) -> list[str]:
    """Say what the claims are corrected for, which intervals are rough, and what nobody won."""
    return [*_of_selection(view), *_of_few(view), *_of_aborted(view), *_of_nobody(view)]


def _of_selection(view: View) -> list[str]:
    headlines = view.answer.headlines
    if headlines is None or headlines.looked < 2 or view.answer.numbers:
        return []
    words = (
        f"Rules and policies are picked from {headlines.looked} numbers, and what is claimed of "
        f"them is corrected for that ({100 * headlines.level:g} % hold together). Intervals hold "
        "one by one."
    )
    return [words]


def _of_few(view: View) -> list[str]:
    """Say of which rules so few matches have another winner that their intervals are rough."""
    rows = view.rows("level", "another_winner")
    few = [row["variant"] for row in rows if 0 < (row["count"] or 0) < FEW_CHANGED]
    if not few:
        return []
    words = (
        f"Fewer than {FEW_CHANGED} matches have another winner with "
        f"{listed(dict.fromkeys(few), MOST_NAMED)}. Intervals of so rare changes are rough: up to "
        "four times as wide as needed, or, where several matches of a deal change at once, too "
        "narrow (83 % hold)."
    )
    return [words]


Members = list[tuple[Headline, Row]]


def _alike(
    view: View, question: str, words: Callable[[Headline, Row], str]
) -> dict[str, tuple[Headline, Row, list[Place], str]]:
    """Return the headlines of a question that the frame has, those of one wording together.

    Returns
    -------
    dict of str to (headline, row, places, at)
        By wording: the first of them with its row, where they all are, and at which of several
        points the row is.
    """
    alike: dict[str, Members] = {}
    headlines = view.answer.headlines
    for headline in headlines.all if headlines is not None and not view.answer.numbers else ():
        if headline.question == question and (row := view.same(headline.row)) is not None:
            alike.setdefault(words(headline, row), []).append((headline, row))
    found = {}
    for said, members in alike.items():
        places = [view.place_of(row) for _, row in members]
        at = f" with {view.at(places[0][1:])}" if len(members) > 1 else ""
        found[said] = (*members[0], places, at)
    return found


def _largest(
    view: View, question: str, rows: Iterable[Row], place: Place, unit: str = ""
) -> list[Claim]:
    """Say which of some changes is the largest that is shown, by a test corrected for all."""
    known, where = list(rows), view.where([place])
    shown = [row for row in known if view.is_shown(row)]
    if not shown:
        return [Claim(question, "none is shown to change it", "", where)] if known else []
    most = max(shown, key=lambda row: abs(row["estimate"]))
    who = f" of {view.name(most['who'])}" if most["who"] else ""
    return [Claim(question, f"{most['variant']}{who}", f"{with_unit(most)}{unit}", where)]


# ---- rules


def of_rules(view: View, place: Place) -> list[Claim]:
    """Say what the rules change: what the study asks about first, then length and first seat."""
    changed = [name for name in view.variants if not _is_control(view, name)]
    if len(changed) == 1 and len(view.points) == 1 and not view.is_drawn:
        return [*_only_variant(view, changed[0]), *_turning(view), *_whoever_plays(view)]
    kind = "population" if place[0] == ALL_TABLES else "change"
    ways: dict[str, list[Claim]] = {}
    for name in view.answer.measures:
        rows = [row for row in view.rows(kind, name, place) if row["variant"] != BASELINE]
        ways[name] = _largest(view, f"Which rule changes {name} most?", rows, place)
    ways["another_winner"] = _winner(view, place)
    ways[view.length] = _of_changes(view, LENGTH, "the length", "the length of a match")
    ways["win_rate"] = [
        *_of_changes(view, FIRST_SEAT, "the first seat", "the first seat's win rate"),
        *_of_changes(view, WON, "how often the table wins", "how often the table wins"),
    ]
    effects = view.rows("factor", view.length, view.main, who="")
    factors = [row for row in effects if " × " not in row["variant"]]
    question = "Which factor changes the length most?"
    ways["factor"] = _largest(view, question, factors, view.main, f" {view.length}")
    asked = (*view.answer.measures, *view.answer.about)
    order = sorted(ways, key=lambda name: asked.index(name) if name in asked else len(asked))
    told = [claim for name in order for claim in ways[name]]
    return [*told, *_turning(view), *_whoever_plays(view)]


def _is_control(view: View, variant: str) -> bool:
    """Whether a variant changes nothing, so that none of its changes is tested."""
    rows = view.rows("change", "win_rate", variant=variant)
    return bool(rows) and all(row["p"] is None for row in rows)


def _winner(view: View, place: Place) -> list[Claim]:
    """Say with which rule another seat wins most often; "most" only as far as it is shown."""
    kind = "population" if place[0] == ALL_TABLES else "level"
    rows = view.rows(kind, "another_winner", place)
    if not rows:
        return []
    question, where = "Which rule changes who wins most?", view.where([place])
    most = max(rows, key=lambda row: row["estimate"])
    if not most["estimate"]:
        what = "result" if view.is_cooperative else "winner"
        return [Claim(question, f"no rule changes the {what} in any match played", "", where)]
    differences = {
        frozenset((row["variant"], row["against"])): row
        for row in view.rows("difference", "another_winner", place)
    }
    words = most["variant"]
    alike = [
        row["variant"]
        for row in rows
        if row is not most and row["estimate"]
        if not view.is_shown(differences.get(frozenset((words, row["variant"]))))
    ]
    if alike:
        words += f", not shown to differ from {listed(alike, MOST_NAMED)}"
    moved = f"{of_another(view)} in {_of_decided(most)}"
    unrelated = view.row("level", "unrelated", place, variant=most["variant"])
    if unrelated is not None:
        moved += f", on unrelated deals in {with_unit(unrelated)}"
    return [Claim(question, words, moved, where)]


def of_another(view: View) -> str:
    """Say what happens where a rule changes who wins."""
    return "the result is another" if view.is_cooperative else "another seat wins"


def _of_decided(row: Row) -> str:
    return f"{with_unit(row)} of the matches decided with and without it"


def _of_changes(view: View, question: str, short: str, what: str) -> list[Claim]:
    """Say which rule changes the length, or the first seat, most at each point of the sweep."""

    def words(headline: Headline, row: Row) -> str:
        if not headline.shown:
            return f"no rule is shown to change {what}"
        if question in (FIRST_SEAT, WON):
            who = "the first seat" if question == FIRST_SEAT else "the table"
            return f"{row['variant']} makes {who} win {headline.verdict} often"
        longer = "longer" if headline.verdict == "more" else "shorter"
        return f"{row['variant']} makes matches {longer}"

    claims = []
    alike = _alike(view, question, words)
    told = {place for _, _, places, _ in alike.values() for place in places}
    for said, (headline, row, places, at) in alike.items():
        size, rest = "", ""
        if headline.shown:
            size = f"{with_unit(row)}{at}"
            size += _decided_and_aborted(view, row) if question == LENGTH else ""
        else:
            rest = _elsewhere(view, question, told)
        asked = f"Which rule changes {short} most?"
        claims.append(Claim(asked, said, size, view.where(places), rest))
    return claims


def _elsewhere(view: View, question: str, told: set[Place]) -> str:
    """Say what is shown at other line-ups where nothing is at the one that is told of."""
    who, number_ = {
        LENGTH: ("", view.length),
        FIRST_SEAT: ("position 0", "win_rate"),
        WON: ("", "win_rate"),
    }[question]
    moved = view.rows("change", number_, who=who, against="")
    others = [row for row in moved if view.place_of(row) not in told and view.is_shown(row)]
    others = [_in_parts(view, row) for row in others]
    if not others:
        return ""
    most = max(others, key=lambda row: abs(row["estimate"]))
    more = f" and {len(others) - 1} more" if len(others) > 1 else ""
    where = view.where([view.place_of(most)])
    return f"elsewhere it does: {most['variant']} {with_unit(most)} ({where}){more}"


def _in_parts(view: View, row: Row) -> Row:
    """Return the relative change of a length, or the change itself of anything else."""
    same = {"variant": row["variant"], "who": row["who"]}
    return next(iter(view.rows("relative", row["number"], view.place_of(row), **same)), row)


def _only_variant(view: View, variant: str) -> list[Claim]:
    """Say all that a single variant is shown to change, at each line-up."""
    question = f"What does {variant} change?"
    places = [place for name in view.lineups for place in view.places(name)[:1]]
    told = {place: effect_parts(view, variant, place) for place in places}
    claims = [
        Claim(question, "; ".join(parts), "", view.where([place]))
        for place, parts in told.items()
        if parts
    ]
    more = f"{len(claims) - MOST_NAMED} more line-ups have a table each"
    return [*claims[:MOST_NAMED], *([Claim(question, more)] if len(claims) > MOST_NAMED else [])]


def effect_parts(view: View, variant: str, place: Place) -> list[str]:
    """Return what a variant is shown to change at a place, in words; and that nothing else is."""
    parts = []
    moved = view.row("level", "another_winner", place, variant=variant)
    if moved is not None:
        same = "the same seat wins in every match played"
        same = "the result of every match played is the same" if view.is_cooperative else same
        other = f"{of_another(view)} in {_of_decided(moved)}"
        parts.append(other if moved["estimate"] else same)
    shown = view.shown_changes(variant, place)
    told = {*view.answer.measures, view.length, "win_rate", f"decided_{view.length}"}
    for row in shown:
        if row["number"] in view.answer.measures:
            who = f" {view.name(row['who'])}" if row["who"] else ""
            parts.append(f"{row['number']}{who} {with_unit(row)}")
        elif (row["number"], row["who"]) == (view.length, ""):
            parts.append(f"{view.length} {with_unit(_in_parts(view, row))}")
        elif (row["number"], row["who"]) == ("win_rate", "position 0"):
            parts.append(f"the first seat wins {with_unit(row)}")
        elif (row["number"], row["who"]) == ("win_rate", ""):
            parts.append(f"the table wins {with_unit(row)}")
    gaps = [row for row in shown if row["against"] and row["number"] == "win_rate"]
    gaps.sort(key=lambda row: (not is_reversed(view, row), -abs(row["estimate"])))
    parts += [_gap_words(view, row) for row in gaps[:1]]
    others = list(dict.fromkeys(row["number"] for row in shown if row["number"] not in told))
    if others:
        parts.append(f"further changes shown: {listed(others, 5)}")
    elif parts:
        parts.append("nothing else is shown to change")
    return parts


def _before_and_after(view: View, gap: Row) -> list[Row]:
    pair, place = (policy(gap["who"]), policy(gap["against"])), view.place_of(gap)
    before = view.gap("difference", place, pair, variant=BASELINE)
    after = view.gap("after", place, pair, variant=gap["variant"])
    return [row for row in (before, after) if row is not None]


def is_reversed(view: View, gap: Row) -> bool:
    """Whether one policy is shown to lead without the variant, and the other one with it."""
    signs = [sign(row) for row in _before_and_after(view, gap)]
    return len(signs) == 2 and signs[0] * signs[1] < 0


def _gap_words(view: View, gap: Row) -> str:
    """Say how the gap of two policies moves; a reversal is called one only where it is shown."""
    if not is_reversed(view, gap):
        pair = view.pair_words((policy(gap["who"]), policy(gap["against"])))
        return f"{pair} {with_unit(gap)} a seat"
    before, after = _before_and_after(view, gap)
    if sign(before) < 0:
        before, after = turned(before), turned(after)
    return (
        f"the lead of {view.name(before['who'])} over {view.name(before['against'])} is reversed, "
        f"from {with_unit(before)} to {with_unit(after)} a seat"
    )


def of_effects(view: View, place: Place) -> list[str]:
    """Describe the rules with the largest effects on who wins, a sentence each; name the others."""
    rules = [name for name in view.variants if not _is_control(view, name)]
    if len(rules) < 2:
        return []
    size = {row["variant"]: row["estimate"] for row in view.rows("level", "another_winner", place)}
    shown = [name for name in rules if view.shown_changes(name, place)]
    shown.sort(key=lambda name: -size.get(name, 0.0))
    where = f" ({words})" if (words := view.where([place])) else ""
    sentences = [
        f"{name}{where}: {'; '.join(effect_parts(view, name, place))}."
        for name in shown[:MOST_EFFECTS]
    ]
    if len(shown) > MOST_EFFECTS:
        sentences.append(f"Also shown to change something: {listed(shown[MOST_EFFECTS:], 8)}.")
    if silent := [name for name in rules if name not in shown]:
        sentences.append(f"Nothing but the winner is shown to change with {listed(silent, 8)}.")
    return sentences


def _ways(view: View) -> tuple[tuple[str, str, tuple[str, str, str]], ...]:
    """Return what a rule may change: who, the number, and words for it, for more and for less."""
    return (
        ("", view.length, ("matches", "longer", "shorter")),
        ("position 0", "win_rate", ("the first seat win", "more often", "less often")),
        ("", "win_rate", ("the table win", "more often", "less often")),
    )


def _turning(view: View) -> list[Claim]:
    """Say which rules change the length, or the first seat's wins, in both directions."""
    turning = []
    for who, number_, (what, more, less) in _ways(view):
        shown = [
            row for row in view.rows("change", number_, who=who, against="") if view.is_shown(row)
        ]
        for variant in dict.fromkeys(row["variant"] for row in shown):
            own = [row for row in shown if row["variant"] == variant]
            ends = [pick(own, key=lambda row: row["estimate"]) for pick in (max, min)]
            if ends[0]["estimate"] > 0 > ends[1]["estimate"]:
                told = [_in_parts(view, row) for row in ends]
                at = [f"{view.where([view.place_of(row)])}: {with_unit(row)}" for row in told]
                said = f"{variant} makes {what} {more} ({at[0]}), but {less} ({at[1]})"
                size = min(map(_weight, ends))
                turning.append((size, variant, said))
    turning.sort(reverse=True)
    claims = [Claim("", said) for _, _, said in turning[:MOST_TURNING]]
    if rest := [variant for _, variant, _ in turning[MOST_TURNING:]]:
        claims.append(Claim("", f"Both ways, too: {listed(dict.fromkeys(rest), 6)}"))
    return claims


def _whoever_plays(view: View) -> list[Claim]:
    """Say which changes are shown the same way at each table of one policy, and which are not.

    Those tables are rungs: they differ in nothing but how well all play, from random play to a
    trained player.
    """
    changed = set(view.by_place("change", view.length))
    alone = [place for place in view.all_places if view.is_alone(place[0]) and place in changed]
    rungs = {
        str(view.answer.seats[place[0]][0]): place for place in alone if place[1:] == alone[0][1:]
    }
    if len(rungs) < 2:
        return []
    always, sometimes = [], []
    for who, name, (what, more, less) in _ways(view):
        for variant in view.variants:
            at = {
                rung: row
                for rung, place in rungs.items()
                if (row := view.row("change", name, place, variant=variant, who=who))
                if view.is_shown(row)
            }
            if len({row["estimate"] > 0 for row in at.values()}) != 1:
                continue  # never shown, or both ways, which is told apart
            parts = {rung: _in_parts(view, row) for rung, row in at.items()}
            rung, least = min(parts.items(), key=lambda item: abs(item[1]["estimate"]))
            said = f"{variant} makes {what} {more if least['estimate'] > 0 else less}"
            if len(at) == len(rungs):
                always.append((_weight(least), f"{said} (least with {rung}: {with_unit(least)})"))
            else:
                sometimes.append((_weight(least), f"{said} ({listed(at, MOST_NAMED)})"))
    where = view.at(alone[0][1:])
    question = f"What holds whoever plays ({listed(rungs, MOST_EFFECTS)})?"
    claims = []
    for before, found in (("", always), ("shown with some of them alone: ", sometimes)):
        found.sort(reverse=True)
        if found:
            said = before + listed((words for _, words in found), MOST_NAMED)
            claims.append(Claim(question, said, "", where))
    return claims or [Claim(question, "no change of length or first seat is shown", "", where)]


def _weight(change: Row) -> float:
    """Return how large a change is, as a share of what it is of."""
    whole = 1 if change["kind"] == "relative" else change["baseline"] or 1
    return abs(float(change["estimate"]) / whole)


def margins(view: View, place: Place) -> dict[str, str]:
    """Say whether each variant's changes are shown to lie within their margins."""
    limited = view.frame.filter(view.frame["margin"].is_not_null())
    by_variant: dict[str, list[Row]] = {}
    for number_ in limited["number"].unique():
        for row in view.rows("change", str(number_), place):
            if row["margin"] is not None:
                by_variant.setdefault(row["variant"], []).append(row)
    return {variant: sameness(rows) for variant, rows in by_variant.items()}


def sameness(rows: Sequence[Row]) -> str:
    """Say whether changes are shown to lie within their margins: "yes", "no" or "open"."""
    if all(row["equivalent"] for row in rows):
        return "yes"
    outside = any(
        row["low"] is not None and (row["low"] >= row["margin"] or row["high"] <= -row["margin"])
        for row in rows
    )
    return "no" if outside else "open"


# ---- seats


def of_seats(view: View) -> list[Claim]:
    """Say whether the seats are fair, by one test of all of them; and what the data leave open."""
    claims = []
    headlines = view.answer.headlines
    fair = headlines.fair if headlines is not None else None
    for words, (headline, row, places, at) in _alike(view, SEATS, _seat_words).items():
        said = ""
        if headline.verdict == "uneven":
            even = 100 * headline.row["null"]
            said = f"{view.name(row['who'])}: {with_unit(row)}{at}, even: {even:.1f} %"
            if fair is not None:
                p = "p < 0.001" if fair < 0.001 else f"p = {fair:.2g}"
                said, fair = f"{said}; one test of all seats: {p}", None  # once is enough
        elif headline.verdict == "open":
            said = _left_open(headline.rows) + at
        rest = _seats_elsewhere(view, headline)
        claims.append(Claim("Is it fair?", words, said, view.where(places), rest))
    return claims


def _seat_words(headline: Headline, row: Row) -> str:
    sides = "teams" if row["who"].startswith("team") else "seats"
    if headline.verdict == "even":
        return f"all {sides} are even within a point"
    above, below = (
        [position(row["who"]) for row in headline.rows if side(row) == way] for way in (1, -1)
    )
    if headline.verdict != "uneven":
        return f"no difference between {sides} is shown"
    *most, last = above or below
    first = f"{', '.join(most)} and {last} win" if most else f"{last} wins"
    less = f", {' and '.join(below)} less" if above and below else ""
    return f"{first} {'more' if above else 'less'} than the even share{less}"


def _left_open(rows: Sequence[Row]) -> str:
    """Say how large a difference the data leave, and how many deals would show half of it."""
    known = [row for row in rows if row["low"] is not None and row["high"] is not None]
    if len(known) < len(rows):
        return ""
    away = [max(row["high"] - row["null"], row["null"] - row["low"]) for row in known]
    left, far = max(zip(away, known, strict=True), key=lambda item: item[0])
    words = f"up to {100 * left:.1f} points from the even share are possible"
    if far["error"] and (far["deals"] or 0) >= FEWEST_DEALS:
        # Half of it is shown in four of five studies if the bound and 0.84 errors fit into it.
        reach = (far["high"] - far["low"]) / 2 + 0.84 * far["error"]
        deals = far["deals"] * (2 * reach / left) ** 2
        digits = 10 ** max(0, len(str(int(deals))) - 2)
        words += f", and about {round(deals / digits) * digits:,} deals would show half of that"
    return words


def _seats_elsewhere(view: View, headline: Headline) -> str:
    """Say which seat is shown to differ at another line-up, if the claim would hide it."""
    if headline.lineup == ALL_TABLES:
        return ""
    found = []
    sides = {row["who"]: side(row) for row in headline.rows}
    for place, rates in ((p, view.seats(p)) for p in view.all_places if p[0] != headline.lineup):
        for row in rates.values():
            away = row["estimate"] - 1 / len(rates)
            hidden = not headline.shown or sides.get(row["who"], 0) * away < 0
            if hidden and view.is_shown(row):
                found.append((abs(away), f"{view.where([place])}: {view.name(row['who'])}", row))
    if not found:
        return ""
    away, words, row = max(found, key=lambda item: item[0])
    even = row["estimate"] - away if row["estimate"] > away else row["estimate"] + away
    return f"but {words} {with_unit(row)} (even: {100 * even:.1f} %)"


def of_table(view: View) -> list[Claim]:
    """Say how often a table wins whose seats play together, at each line-up."""
    question = "How often does the table win?"
    rows = view.rows("population", "win_rate", variant=BASELINE, who="") or view.everywhere(
        "level", "win_rate", variant=BASELINE, who=""
    )
    claims = []
    for row in rows[:MOST_NAMED]:
        where = view.where([view.place_of(row)])
        claims.append(Claim(question, f"in {with_unit(row)} of matches", "", where))
    more = f"{len(rows) - MOST_NAMED} more are in the table"
    return [*claims, *([Claim(question, more)] if len(rows) > MOST_NAMED else [])]


# ---- length


def of_length(view: View) -> list[Claim]:
    """Say how long a match is: over a population, or at the reference line-up."""
    rows = view.rows("population", view.length, variant=BASELINE) or view.rows(
        "level", view.length, variant=BASELINE, who="", lineup=view.reference
    )
    if not rows:
        return []
    parts = [length_words(view, row) for row in rows]
    where = view.lineup_words(rows[0]["lineup"])
    return [Claim("How long is it?", listed(parts, MOST_NAMED + 1), "", where)]


def length_words(view: View, row: Row) -> str:
    """Write a length: "449 ±7 plays, about 22 minutes at 3 s each"."""
    words = f"{text(row)} {view.length}"
    if row["constant"]:
        words = f"{number(row['estimate'])} {view.length} in all {counted(row['deals'], 'deal')}"
    place = view.place_of(row)
    if at := view.at(place[1:]):
        words += f" with {at}"
    name = f"decided_{row['number']}"
    for decided in view.rows(row["kind"], name, place, variant=row["variant"], who=""):
        if _is_apart(row, decided):
            words += f" ({text(decided)} of decided matches)"
    if view.answer.seconds and row["estimate"]:
        minutes = row["estimate"] * view.answer.seconds / 60
        words += f", about {minutes:,.0f} minutes at {view.answer.seconds:g} s each"
    return words


def _is_apart(row: Row, decided: Row) -> bool:
    """Whether a number of all matches lies outside its interval over the decided ones."""
    ends = decided["low"], decided["high"]
    return None not in ends and not ends[0] <= row["estimate"] <= ends[1]


def is_decided_apart(view: View, place: Place) -> bool:
    """Whether aborted matches move a length, or its change, out of what decided ones tell."""
    name = f"decided_{view.length}"
    return any(
        _is_apart(row, decided)
        for kind in ("level", "relative")
        for row in view.rows(kind, view.length, place, who="")
        for decided in view.rows(kind, name, place, variant=row["variant"], who="")
    )


def _decided_and_aborted(view: View, row: Row) -> str:
    """Say a length's change in decided matches, where it differs, and what is aborted."""
    place, variant = view.place_of(row), row["variant"]
    decided = view.rows("relative", f"decided_{view.length}", place, variant=variant)
    aborted = view.row("change", "aborted", place, variant=variant)
    if not decided or aborted is None or not _is_apart(row, decided[0]):
        return ""
    return f"; of decided matches {with_unit(decided[0])}, aborted ones {with_unit(aborted)}"


def _of_aborted(view: View) -> list[str]:
    """Return a sentence about aborted matches if they reach 0.1 % or variants differ in them."""
    levels = view.rows("level", "aborted", variant=BASELINE)
    highest = max(levels, key=lambda row: row["estimate"], default=None)
    changed: dict[str, Row] = {}
    for row in sorted(
        view.rows("change", "aborted", who=""), key=lambda row: -abs(row["estimate"])
    ):
        if abs(row["estimate"]) >= ABORTED_FROM or view.is_shown(row):
            changed.setdefault(row["variant"], row)
    if highest is None or (highest["estimate"] < ABORTED_FROM and not changed):
        return []
    where = view.where([view.place_of(highest)]) if len(levels) > 1 else ""
    parts = [f"{name} {with_unit(row)}" for name, row in changed.items()]
    words = f"Aborted matches: {with_unit(highest)}{f' at most, {where}' if where else ''}"
    words += f"; {listed(parts, MOST_NAMED + 1)}" if parts else ""
    return [f"{words}. Win rates are of decided matches."]


def _of_nobody(view: View) -> list[str]:
    """Return a sentence about matches that all lose, where there are any."""
    rows = view.rows("level", "nobody", variant=BASELINE)
    if not rows:
        return []
    most = max(rows, key=lambda row: row["estimate"])
    where = view.where([view.place_of(most)]) if len(rows) > 1 else ""
    words = f"Nobody wins in {with_unit(most)} of matches{f' at most, {where}' if where else ''}"
    return [f"{words}; win rates are of those that somebody wins."]


# ---- policies


def of_policies(view: View) -> list[Claim]:
    """Say who is best, and where the reverse is shown."""

    def words(headline: Headline, row: Row) -> str:
        if not headline.shown:
            return "no policy is shown to be better than another"
        names = {end for known in headline.rows for end in (known["who"], known["against"])}
        best = headline.verdict == "best" and len(names) > 2
        loser = "every other policy" if best else view.name(row["against"])
        return f"{view.name(row['who'])} beats {loser}"

    claims = []
    for said, (headline, row, places, at) in _alike(view, POLICIES, words).items():
        size = f"{with_unit(row)}{at}" if headline.shown else ""
        where = view.where(places)
        if "every other" in said:
            where = ", ".join(filter(None, (f"the nearest: {view.name(row['against'])}", where)))
        claims.append(Claim("Who is best?", said, size, where, _reverse(view, headline)))
    return [*claims, *_alike_policies(view)]


def _alike_policies(view: View) -> list[Claim]:
    """Say which policies are alike: all bounds of their differences, at once, are close to none.

    By strength where policies are rated over all line-ups, otherwise by the win rates of a table.
    """
    headlines, question = view.answer.headlines, "Who is alike?"
    told = [h for h in headlines.all if h.question == POLICIES] if headlines is not None else []
    if view.answer.numbers:
        return []
    claims = []
    by_place = view.by_place("strength", "strength")
    for place, rows in by_place.items():
        # Where two win the same on every deal, strengths have no interval but win rates do.
        met = _close_pairs([row for h in told for row in h.rows], ("low", "high"), EVEN_WITHIN)
        rated = _close_pairs(
            [r for r in rows if r["against"]], ("low_all", "high_all"), ALIKE_WITHIN
        )
        order = [row["who"] for row in rows if not row["against"]]
        for group in _groups(order, {**met, **rated}):
            where = view.at(place[1:])
            claims.append(Claim(question, _alike_words(view, group), ALIKE_WORDS, where))
    for headline in told if not by_place else ():
        close = _close_pairs(headline.rows, ("low", "high"), EVEN_WITHIN)
        order = list(dict.fromkeys(who for pair in close for who in sorted(pair)))
        where = view.where([view.place_of(headline.row)])
        claims += [
            Claim(question, _alike_words(view, group), "within a point", where)
            for group in _groups(order, close)
        ]
    return claims


def _close_pairs(
    rows: Iterable[Row], ends: tuple[str, str], within: float
) -> dict[frozenset[str], bool]:
    """Return, for each pair whose difference has bounds in all rows, whether all are that close."""
    found: dict[frozenset[str], bool] = {}
    for row in rows:
        bounds = [row[end] for end in ends]
        if None not in bounds:
            pair = frozenset((row["who"], row["against"]))
            found[pair] = found.get(pair, True) and max(map(abs, bounds)) <= within
    return found


def _groups(order: Sequence[str], close: Mapping[frozenset[str], bool]) -> list[list[str]]:
    """Return the groups of neighbours of which each two are close."""
    groups: list[list[str]] = []
    for who in order:
        if groups and all(close.get(frozenset((who, other))) for other in groups[-1]):
            groups[-1].append(who)
        else:
            groups.append([who])
    return [group for group in groups if len(group) > 1]


def _alike_words(view: View, group: Sequence[str]) -> str:
    """Name alike policies, and which of them looks at the fewest things."""
    words = joined([view.name(who) for who in group])
    looks = {who: view.looks[who] for who in group if who in view.looks}
    fewest = min(looks.values(), default=0)
    if len(looks) == len(group) and fewest < max(looks.values()):
        easy = [view.name(who) for who in group if looks[who] == fewest]
        words += f" (easiest to play: {joined(easy)}, with {counted(fewest, 'thing')} to look at)"
    return words


def _reverse(view: View, headline: Headline) -> str:
    """Say where the policy that is told to win is shown to lose to the same one."""
    told = headline.row["against"], headline.row["who"]
    for row in headline.rows if headline.shown else ():
        if side(row) and (row["who"], row["against"]) == told and (known := view.same(row)):
            where = view.where([view.place_of(known)])
            return f"the reverse at {where}: {view.name(row['who'])} {with_unit(known)}"
    return ""


# ---- cards, drama, luck, what a study counts


def of_cards(view: View, rows: Sequence[Row]) -> list[Claim]:
    """Say which cards are shown to help, and which to hurt, the seat that is dealt them."""
    if not rows:
        return []
    parts = []
    for words, way in (("more often with", 1), ("less often with", -1)):
        dealt = [row for row in rows if view.is_shown(row) and row["estimate"] * way > 0]
        dealt.sort(key=lambda row: -abs(row["estimate"]))
        named = [f"{row['card']} ({with_unit(row)})" for row in dealt]
        parts += [f"{words} {listed(named, MOST_NAMED)}"] if named else []
    words = "no card is shown to help or to hurt the seat that is dealt it"
    if parts:
        words = f"by what it is dealt a seat wins {'; '.join(parts)}"
    return [Claim("Which card is too strong?", words, "", view.where([view.main]))]


def of_drama(view: View) -> list[Claim]:
    """Say how often the lead changes late, and how far the winner is ahead."""
    known = [
        view.row("level", name, view.main, variant=BASELINE, who="")
        for name in ("led_throughout", "decided_at_the_end", "margin")
    ]
    led, at_the_end, margin = known
    if led is None or at_the_end is None or led["estimate"] == 1:
        return []
    words = (
        f"the winner led throughout in {with_unit(led)} of decided matches; the lead changed in "
        f"the last round in {with_unit(at_the_end)}"
    )
    if margin is not None and not view.has_teams:
        words += f"; the winner is {text(margin)} points ahead of the next"
    return [Claim("How is it decided?", words, "", view.where([view.main]))]


def of_luck(view: View) -> list[Claim]:
    """Say what share of the variance of who wins the policies explain."""
    most = max(view.rows("variance", "policy"), key=lambda row: row["estimate"], default=None)
    if most is None:
        return []
    words = f"the policies explain {with_unit(most)} of the variance of who wins"
    return [Claim("What decides who wins?", words, "", view.where([view.place_of(most)]))]


def of_measures(view: View) -> list[Claim]:
    """Say what the study's own measures are at the main point."""
    claims = []
    for name in view.answer.measures:
        rows = view.rows("level", name, view.main, variant=BASELINE)
        parts = [f"{view.name(row['who'])} {with_unit(row)}".lstrip() for row in rows]
        if parts:
            words = listed(parts, MOST_NAMED + 1)
            claims.append(Claim(f"{name}:", words, "", view.where([view.main])))
    return claims
