"""The sentences: what is said to each question, each from rows of the frame.

A claim is made only where simultaneous bounds (`studies.answers.headlines`), or a test corrected
over its family, bear it out. The number beside it is the frame's row with its own interval, as in
tables and figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from studies.answers.headlines import FIRST_SEAT, LENGTH, POLICIES, SEATS, Headline, side
from studies.answers.population import ALL_TABLES
from studies.measures import BASELINE
from studies.render import counted, listed, number
from studies.view.grid import Claim
from studies.view.query import (
    Place,
    Row,
    View,
    policy,
    position,
    sign,
    text,
    turned,
    with_unit,
)

MOST_NAMED = 3
MOST_EFFECTS = 4
"""Rules that a page describes in a sentence each."""

FEWEST_DEALS = 30
"""From which on the number of deals that would show a difference is told."""

MOST_TURNING = 2
"""Rules with effects of both signs that have a sentence each."""

ABORTED_FROM = 0.001
"""Smaller shares of aborted matches are not mentioned, unless variants differ in them."""

WHAT_CHANGES = {
    LENGTH: ("Which rule changes the length most?", "the length of a match"),
    FIRST_SEAT: ("Which rule changes the first seat most?", "the first seat's win rate"),
}


# ---- rules


def of_rules(view: View, place: Place) -> list[Claim]:
    """Say what the rules change: what the study asks about first, then length and first seat."""
    changed = [name for name in view.variants if not _is_control(view, name)]
    if len(changed) == 1 and len(view.points) == 1:
        return [*_only_variant(view, changed[0]), *_turning(view)]
    ways = {name: _largest_change(view, place, name) for name in view.answer.measures}
    ways["another_winner"] = _winner(view, place)
    ways[view.length] = _of_headline(view, LENGTH)
    ways["win_rate"] = _of_headline(view, FIRST_SEAT)
    ways["factor"] = _largest_factor(view)
    asked = (*view.answer.measures, *view.answer.about)
    order = sorted(ways, key=lambda name: asked.index(name) if name in asked else len(asked))
    return [*(claim for name in order for claim in ways[name]), *_turning(view)]


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
    question = "Which rule changes who wins most?"
    most = max(rows, key=lambda row: row["estimate"])
    where = view.where([place])
    if not most["estimate"]:
        return [Claim(question, "no rule changes the winner in any match played", "", where)]
    differences = {
        (row["variant"], row["against"]): row
        for row in view.rows("difference", "another_winner", place)
    }
    alike = []
    for row in rows:
        pair = most["variant"], row["variant"]
        known = differences.get(pair) or differences.get(pair[::-1])
        if row is not most and row["estimate"] and not view.is_shown(known):
            alike.append(row["variant"])
    words = most["variant"]
    if alike:
        words += f", not shown to differ from {listed(alike, MOST_NAMED)}"
    moved = f"another seat wins in {_of_decided(most)}"
    unrelated = view.row("level", "unrelated", place, variant=most["variant"])
    if unrelated is not None:
        moved += f", on unrelated deals in {with_unit(unrelated)}"
    return [Claim(question, words, moved, where)]


def _of_decided(row: Row) -> str:
    return f"{with_unit(row)} of the matches decided with and without it"


def _largest_change(view: View, place: Place, name: str) -> list[Claim]:
    """Say which rule is shown to change one of the study's own numbers most."""
    kind = "population" if place[0] == ALL_TABLES else "change"
    rows = [row for row in view.rows(kind, name, place) if row["variant"] != BASELINE]
    if not rows:
        return []
    question, where = f"Which rule changes {name} most?", view.where([place])
    shown = [row for row in rows if view.is_shown(row)]
    if not shown:
        return [Claim(question, "none is shown to change it", "", where)]
    most = max(shown, key=lambda row: abs(row["estimate"]))
    who = f" of {view.name(most['who'])}" if most["who"] else ""
    return [Claim(question, f"{most['variant']}{who}", with_unit(most), where)]


def _largest_factor(view: View) -> list[Claim]:
    """Say which factor changes the length most, over the levels of the others."""
    rows = view.rows("factor", view.length, view.main, who="")
    rows = [row for row in rows if " × " not in row["variant"]]
    if not rows:
        return []
    question, where = "Which factor changes the length most?", view.where([view.main])
    shown = [row for row in rows if view.is_shown(row)]
    if not shown:
        return [Claim(question, "no factor is shown to change it", "", where)]
    most = max(shown, key=lambda row: abs(row["estimate"]))
    return [Claim(question, most["variant"], f"{with_unit(most)} {view.length}", where)]


def _of_headline(view: View, question: str) -> list[Claim]:
    """Say which rule changes the length, or the first seat, most at each point of the sweep."""
    asked, what = WHAT_CHANGES[question]
    claims = []
    for words, members in _alike(view, question, lambda one, _: _change_words(one, what)).items():
        headline, row = members[0]
        places = [view.place_of(known) for _, known in members]
        said = ""
        if headline.shown:
            said = with_unit(row)
            if len(members) > 1:
                said += f" with {view.at(places[0][1:])}"
            said += _decided_and_aborted(view, row) if question == LENGTH else ""
        rest = "" if headline.shown else _elsewhere(view, question)
        claims.append(Claim(asked, words, said, view.where(places), rest))
    return claims


def _change_words(headline: Headline, what: str) -> str:
    variant = headline.row["variant"]
    if not headline.shown:
        return f"no rule is shown to change {what}"
    if headline.question == FIRST_SEAT:
        return f"{variant} makes the first seat win {headline.verdict} often"
    return f"{variant} makes matches {'longer' if headline.verdict == 'more' else 'shorter'}"


def _alike(
    view: View, question: str, words: Callable[[Headline, Row], str]
) -> dict[str, list[tuple[Headline, Row]]]:
    """Return the headlines of a question that the frame has, those of one wording together."""
    alike: dict[str, list[tuple[Headline, Row]]] = {}
    headlines = view.answer.headlines
    for headline in headlines.all if headlines is not None and not view.answer.numbers else ():
        if headline.question == question and (row := view.same(headline.row)) is not None:
            alike.setdefault(words(headline, row), []).append((headline, row))
    return alike


def _elsewhere(view: View, question: str) -> str:
    """Say what is shown at other line-ups where nothing is at the one that is told of."""
    who, number_ = ("", view.length) if question == LENGTH else ("position 0", "win_rate")
    told = {view.place_of(row) for _, row in _alike(view, question, lambda _, __: "").get("", [])}
    others = []
    for moved in view.rows("change", number_, who=who, against=""):
        if view.place_of(moved) not in told and view.is_shown(moved):
            same = {"variant": moved["variant"], "who": who}
            relative = view.rows("relative", number_, view.place_of(moved), **same)
            others.append(relative[0] if question == LENGTH and relative else moved)
    if not others:
        return ""
    most = max(others, key=lambda moved: abs(moved["estimate"]))
    more = f" and {len(others) - 1} more" if len(others) > 1 else ""
    where = view.where([view.place_of(most)])
    return f"elsewhere it does: {most['variant']} {with_unit(most)} ({where}){more}"


def _only_variant(view: View, variant: str) -> list[Claim]:
    """Say all that a single variant is shown to change, at each line-up."""
    claims = []
    for lineup in view.lineups[:MOST_NAMED]:
        for place in view.places(lineup)[:1]:
            if parts := effect_parts(view, variant, place):
                words = "; ".join(parts)
                question = f"What does {variant} change?"
                claims.append(Claim(question, words, "", view.where([place])))
    return claims


def effect_parts(view: View, variant: str, place: Place) -> list[str]:
    """Return what a variant is shown to change at a place, in words; and that nothing else is."""
    parts, told = [], set()
    moved = view.row("level", "another_winner", place, variant=variant)
    if moved is not None:
        parts.append(
            f"another seat wins in {_of_decided(moved)}"
            if moved["estimate"]
            else "the same seat wins in every match played"
        )
    shown = view.shown_changes(variant, place)
    for row in shown:
        if row["number"] in view.answer.measures:
            who = f" of {view.name(row['who'])}" if row["who"] else ""
            parts.append(f"{row['number']}{who} {with_unit(row)}")
            told.add(row["number"])
    if any((row["number"], row["who"]) == (view.length, "") for row in shown):
        relative = view.rows("relative", view.length, place, variant=variant, who="")
        parts += [f"{view.length} {with_unit(row)}" for row in relative[:1]]
        told.add(view.length)
    for row in shown:
        if (row["number"], row["who"]) == ("win_rate", "position 0"):
            parts.append(f"the first seat wins {with_unit(row)}")
    gaps = [row for row in shown if row["against"] and row["number"] == "win_rate"]
    gaps.sort(key=lambda row: (not is_reversed(view, row), -abs(row["estimate"])))
    parts += [_gap_words(view, row) for row in gaps[:1]]
    told |= {"win_rate", f"decided_{view.length}"}
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
    if is_reversed(view, gap):
        before, after = _before_and_after(view, gap)
        if sign(before) < 0:
            gap, before, after = turned(gap), turned(before), turned(after)
        names = view.name(gap["who"]), view.name(gap["against"])
        return (
            f"the lead of {names[0]} over {names[1]} is reversed, from {with_unit(before)} to "
            f"{with_unit(after)} a seat"
        )
    pair = view.pair_words((policy(gap["who"]), policy(gap["against"])))
    return f"{pair} {with_unit(gap)} a seat"


def of_effects(view: View, place: Place) -> list[str]:
    """Describe the rules with the largest effects on who wins, a sentence each; name the others."""
    if len(view.variants) < 2:
        return []
    size = {row["variant"]: row["estimate"] for row in view.rows("level", "another_winner", place)}
    shown = [name for name in view.variants if view.shown_changes(name, place)]
    shown.sort(key=lambda name: -size.get(name, 0.0))
    where = view.where([place])
    sentences = [
        f"{name}{f' ({where})' if where else ''}: {'; '.join(effect_parts(view, name, place))}."
        for name in shown[:MOST_EFFECTS]
    ]
    if len(shown) > MOST_EFFECTS:
        sentences.append(f"Also shown to change something: {listed(shown[MOST_EFFECTS:], 8)}.")
    silent = [n for n in view.variants if n not in shown and not _is_control(view, n)]
    if silent:
        sentences.append(f"Nothing but the winner is shown to change with {listed(silent, 8)}.")
    return sentences


def _turning(view: View) -> list[Claim]:
    """Say which rules change the length, or the first seat's wins, in both directions."""
    turning = []
    for who, number_, words in (
        ("", view.length, ("matches longer", "shorter")),
        ("position 0", "win_rate", ("the first seat win more often", "less often")),
    ):
        by_variant: dict[str, list[Row]] = {}
        for row in view.rows("change", number_, who=who, against=""):
            if view.is_shown(row):
                by_variant.setdefault(row["variant"], []).append(row)
        for variant, members in by_variant.items():
            ends = [pick(members, key=lambda row: row["estimate"]) for pick in (max, min)]
            if ends[0]["estimate"] > 0 > ends[1]["estimate"]:
                size = min(abs(row["estimate"] / (row["baseline"] or 1)) for row in ends)
                turning.append((size, variant, words, ends))
    turning.sort(key=lambda item: -item[0])
    claims = []
    for _, variant, words, ends in turning[:MOST_TURNING]:
        told = [
            next(
                iter(view.rows("relative", row["number"], view.place_of(row), variant=variant)), row
            )
            if not row["who"]
            else row
            for row in ends
        ]
        sizes = [f"{view.where([view.place_of(row)])}: {with_unit(row)}" for row in told]
        claims.append(
            Claim("", f"{variant} makes {words[0]} ({sizes[0]}), but {words[1]} ({sizes[1]})")
        )
    if len(turning) > MOST_TURNING:
        rest = dict.fromkeys(variant for _, variant, _, _ in turning[MOST_TURNING:])
        claims.append(Claim("", f"Both ways, too: {listed(rest, 6)}"))
    return claims


def sameness(rows: Sequence[Row]) -> str:
    """Say whether changes are shown to lie within their margins: "yes", "no" or "open"."""
    if all(row["equivalent"] for row in rows):
        return "yes"
    outside = any(
        row["low"] is not None and (row["low"] >= row["margin"] or row["high"] <= -row["margin"])
        for row in rows
    )
    return "no" if outside else "open"


def caption_of_effects(view: View, kind: str, where: str) -> str:
    """Say what a figure of effects shows."""
    at = f" ({where})" if where else ""
    if kind == "factor":
        return f"Effects of the factors{at}, each over the levels of the others; 95 % intervals."
    deals = " on the same deals" if view.answer.is_paired else ""
    return f"What each variant changes{at}{deals}; 95 % intervals."


# ---- seats


def of_seats(view: View) -> list[Claim]:
    """Say whether the seats are fair, by one test of all of them; and what the data leave open."""
    claims = []
    headlines = view.answer.headlines
    fair = headlines.fair if headlines is not None else None
    for words, members in _alike(view, SEATS, _seat_words).items():
        headline, row = members[0]
        places = [view.place_of(known) for _, known in members]
        said = ""
        if headline.verdict == "uneven":
            even = 100 * headline.row["null"]
            said = f"{view.name(row['who'])}: {with_unit(row)}, even: {even:.1f} %"
            if fair is not None:
                said += f"; one test of all seats: {_p_text(fair)}"
                fair = None  # once is enough
        elif headline.verdict == "open":
            said = _left_open([row for one, _ in members for row in one.rows])
        rest = _seats_elsewhere(view, headline)
        claims.append(Claim("Is it fair?", words, said, view.where(places), rest))
    return claims


def _p_text(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def _seat_words(headline: Headline, row: Row) -> str:
    del row
    if headline.verdict == "even":
        return f"all {_sides(headline)} are even within a point"
    above, below = (
        [position(row["who"]) for row in headline.rows if side(row) == way] for way in (1, -1)
    )
    if headline.verdict == "uneven":
        first = above or below
        words = f"{_in_words(first)} win{'s' if len(first) == 1 else ''}"
        words += f" {'more' if above else 'less'} than the even share"
        return words + (f", {_in_words(below)} less" if above and below else "")
    return f"no difference between {_sides(headline)} is shown"


def _sides(headline: Headline) -> str:
    return "teams" if headline.row["who"].startswith("team") else "seats"


def _left_open(rows: Sequence[Row]) -> str:
    """Say how large a difference the data leave, and how many deals would show half of it."""
    known = [row for row in rows if row["low"] is not None and row["high"] is not None]
    if len(known) < len(rows):
        return ""
    far = max(known, key=lambda row: max(row["high"] - row["null"], row["null"] - row["low"]))
    left = max(far["high"] - far["null"], far["null"] - far["low"])
    words = f"up to {100 * left:.1f} points from the even share are possible"
    if far["error"] and (far["deals"] or 0) >= FEWEST_DEALS:
        # Half of it is shown in four of five studies if the bound and 0.84 errors fit into it.
        reach = (far["high"] - far["low"]) / 2 + 0.84 * far["error"]
        deals = far["deals"] * (2 * reach / left) ** 2
        digits = 10 ** max(0, len(str(int(deals))) - 2)
        words += f", and about {round(deals / digits) * digits:,} deals would show half of that"
    return words


def _seats_elsewhere(view: View, headline: Headline) -> str:
    """Say which seats are shown to differ at another line-up, if the claim would hide it."""
    found = []
    shares = {row["who"]: side(row) for row in headline.rows}
    for place, rows in view.by_place("level", "win_rate").items():
        even = 1 / max(1, len(view.seats(place)))
        for row in rows:
            if place[0] == headline.lineup or not view.is_shown(row) or row["variant"] != BASELINE:
                continue
            way = 1 if row["estimate"] > even else -1
            hidden = not headline.shown or shares.get(row["who"], 0) == -way
            if row in view.seats(place).values() and hidden:
                found.append((abs(row["estimate"] - even), row, even))
    if not found:
        return ""
    _, most, even = max(found, key=lambda item: item[0])
    words = f"{view.name(most['who'])} {with_unit(most)} (even: {100 * even:.1f} %)"
    return f"but {view.where([view.place_of(most)])}: {words}"


def _in_words(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


# ---- length


def of_length(view: View) -> list[Claim]:
    """Say how long a match is: over a population, or at the reference line-up."""
    rows = [row for row in view.rows("population", view.length) if row["variant"] == BASELINE]
    rows = rows or [
        row
        for row in view.rows("level", view.length, variant=BASELINE, who="")
        if row["lineup"] == view.reference
    ]
    parts = [length_words(view, row) for row in rows]
    if not parts:
        return []
    if len(parts) == 1:
        return [Claim("How long is it?", parts[0], "", view.where([view.place_of(rows[0])]))]
    lineup = view.where([view.place_of(rows[0])]).partition(", ")[0]
    where = lineup if lineup.startswith(("line-up", "over")) else ""
    return [Claim("How long is it?", listed(parts, MOST_NAMED + 1), "", where)]


def length_words(view: View, row: Row) -> str:
    """Write a length: "449 ±7 plays, about 22 minutes at 3 s each"."""
    words = f"{text(row)} {view.length}"
    if row["constant"]:
        words = f"{number(row['estimate'])} {view.length} in all {counted(row['deals'], 'deal')}"
    if at := view.at(view.place_of(row)[1:]):
        words += f" with {at}"
    if decided := _decided_level(view, row):
        words += f" ({text(decided)} of decided matches)"
    if view.answer.seconds and row["estimate"]:
        minutes = row["estimate"] * view.answer.seconds / 60
        words += f", about {minutes:,.0f} minutes at {view.answer.seconds:g} s each"
    return words


def _decided_level(view: View, row: Row) -> Row | None:
    """Return the length of decided matches, where it differs."""
    place, name = view.place_of(row), f"decided_{row['number']}"
    for decided in view.rows(row["kind"], name, place, variant=row["variant"], who=""):
        if _is_apart(row, decided):
            return decided
    return None


def _is_apart(row: Row, decided: Row) -> bool:
    """Whether a number of all matches lies outside its interval over the decided ones."""
    ends = decided["low"], decided["high"]
    return None not in ends and not ends[0] <= row["estimate"] <= ends[1]


def is_decided_apart(view: View, place: Place) -> bool:
    """Whether aborted matches move a length, or its change, out of what decided ones tell."""
    pairs = (
        (row, decided)
        for kind in ("level", "relative")
        for row in view.rows(kind, view.length, place, who="")
        for decided in view.rows(
            kind, f"decided_{view.length}", place, variant=row["variant"], who=""
        )
    )
    return any(_is_apart(row, decided) for row, decided in pairs)


def _decided_and_aborted(view: View, row: Row) -> str:
    """Say a length's change in decided matches, where it differs, and what is aborted."""
    place, variant = view.place_of(row), row["variant"]
    decided = view.rows("relative", f"decided_{view.length}", place, variant=variant)
    aborted = view.row("change", "aborted", place, variant=variant)
    if not decided or aborted is None or not _is_apart(row, decided[0]):
        return ""
    return f"; of decided matches {with_unit(decided[0])}, aborted ones {with_unit(aborted)}"


def of_aborted(view: View) -> list[str]:
    """Return a sentence about aborted matches if they reach 0.1 % or variants differ in them."""
    levels = view.rows("level", "aborted", variant=BASELINE)
    highest = max(levels, key=lambda row: row["estimate"], default=None)
    changed: dict[str, Row] = {}
    for row in view.rows("change", "aborted", who=""):
        if abs(row["estimate"]) >= ABORTED_FROM or view.is_shown(row):
            before = changed.setdefault(row["variant"], row)
            if abs(row["estimate"]) > abs(before["estimate"]):
                changed[row["variant"]] = row
    if highest is None or (highest["estimate"] < ABORTED_FROM and not changed):
        return []
    where = view.where([view.place_of(highest)]) if len(levels) > 1 else ""
    words = f"Aborted matches: {with_unit(highest)}{f' at most, {where}' if where else ''}"
    most = sorted(changed, key=lambda name: -abs(changed[name]["estimate"]))
    if most:
        parts = [f"{name} {with_unit(changed[name])}" for name in most]
        words += f"; {listed(parts, MOST_NAMED + 1)}"
    return [f"{words}. Win rates are of decided matches."]


# ---- policies


def of_policies(view: View) -> list[Claim]:
    """Say who is best, and where the reverse is shown."""
    claims = []
    for words, members in _alike(
        view, POLICIES, lambda h, row: _policy_words(view, h, row)
    ).items():
        headline, row = members[0]
        places = [view.place_of(known) for _, known in members]
        said = with_unit(row) if headline.shown else ""
        if said and len(members) > 1:
            said += f" with {view.at(places[0][1:])}"
        where = view.where(places)
        if headline.verdict == "best" and len(view.lineups) > 1 and "every" in words:
            where = f"the nearest: {view.name(row['against'])}, {where}"
        claims.append(Claim("Who is best?", words, said, where, _reverse(view, headline)))
    return claims


def _policy_words(view: View, headline: Headline, row: Row) -> str:
    if not headline.shown:
        return "no policy is shown to be better than another"
    names = {end for known in headline.rows for end in (known["who"], known["against"])}
    if headline.verdict == "best" and len(names) > 2:
        return f"{view.name(row['who'])} beats every other policy"
    return f"{view.name(row['who'])} beats {view.name(row['against'])}"


def _reverse(view: View, headline: Headline) -> str:
    """Say where the policy that is told to win is shown to lose to the same one."""
    told = headline.row
    for row in headline.rows:
        if side(row) and (row["who"], row["against"]) == (told["against"], told["who"]):
            known = view.same(row)
            if known is not None and headline.shown:
                where = view.where([view.place_of(known)])
                return f"the reverse at {where}: {view.name(row['who'])} {with_unit(known)}"
    return ""


def of_strengths(view: View) -> Iterator[str]:
    """Say which policy is shown to be ahead of which, over all line-ups."""
    for rows in view.by_place("strength", "strength").values():
        order = [row["who"] for row in rows if not row["against"]]
        steps = {(row["who"], row["against"]): row for row in rows if row["against"]}
        if len(order) < 2:
            continue
        at = view.at(view.place_of(rows[0])[1:])
        close = [who for who in order[1:] if not view.is_shown(steps.get((order[0], who)))]
        first, *others = map(view.name, [order[0], *close])
        beside = f"{_in_words([first, *others])}, which are not shown to differ"
        words = beside if close else f"{first}, ahead of all others"
        yield f"Strongest over all line-ups{f' with {at}' if at else ''}: {words}."
        unclear = [
            f"{view.name(who)} and {view.name(after)}"
            for who, after in pairwise(order[1:])
            if not view.is_shown(steps.get((who, after))) and who not in close
        ]
        if unclear:
            yield f"Not shown to differ: {listed(unclear, 6)}."


# ---- cards, drama, luck, what a study counts


def of_cards(view: View, rows: Sequence[Row]) -> list[Claim]:
    """Say which cards are shown to help, and which to hurt, the seat that is dealt them."""
    if not rows:
        return []
    parts = []
    for words, way in (("more often with", 1), ("less often with", -1)):
        dealt = [row for row in rows if view.is_shown(row) and row["estimate"] * way > 0]
        dealt.sort(key=lambda row: -abs(row["estimate"]))
        if dealt:
            named = [f"{row['card']} ({with_unit(row)})" for row in dealt]
            parts.append(f"{words} {listed(named, MOST_NAMED)}")
    words = "no card is shown to help or to hurt the seat that is dealt it"
    if parts:
        words = f"by what it is dealt a seat wins {'; '.join(parts)}"
    return [Claim("Which card is too strong?", words, "", view.where([view.main]))]


def of_drama(view: View) -> list[Claim]:
    """Say how often the lead changes late, and how far the winner is ahead."""
    claims = []
    place = view.main
    row = view.row("level", "decided_at_the_end", place, variant=BASELINE, who="")
    led = view.row("level", "led_throughout", place, variant=BASELINE, who="")
    if row is not None and led is not None and led["estimate"] < 1:
        words = (
            f"the winner led throughout in {with_unit(led)} of decided matches; the lead changed "
            f"in the last round in {with_unit(row)}"
        )
        margin = view.row("level", "margin", place, variant=BASELINE, who="")
        if margin is not None and not view.has_teams:
            words += f"; the winner is {text(margin)} points ahead of the next"
        claims.append(Claim("How is it decided?", words, "", view.where([place])))
    return claims


def of_luck(view: View) -> list[Claim]:
    """Say what share of the variance of who wins the policies explain."""
    rows = view.rows("variance", "policy")
    if not rows:
        return []
    most = max(rows, key=lambda row: row["estimate"])
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


def of_selection(view: View) -> str:
    """Say what the claims are corrected for."""
    headlines = view.answer.headlines
    if headlines is None or headlines.looked < 2 or view.answer.numbers:
        return ""
    return (
        f"Rules and policies are picked from {headlines.looked} numbers, and what is claimed of "
        f"them is corrected for that ({100 * headlines.level:g} % hold together). Intervals hold "
        "one by one."
    )


def paragraphs(claims: Sequence[Claim]) -> list[str]:
    """Return claims as sentences, those to the same question together."""
    by_question: dict[str, list[Claim]] = {}
    for claim in claims:
        by_question.setdefault(claim.question or claim.words, []).append(claim)
    return [
        f"{members[0].question} {'; '.join(map(str, members))}.".lstrip()
        for members in by_question.values()
    ]
