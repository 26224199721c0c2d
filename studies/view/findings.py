"""What a study answers: its findings, those that it asks about first.

Each finding is a question, claims and sentences, and the grids that show it. A sentence says only
what an interval, or a test corrected over its family, bears out, and names its line-up and point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise

from studies.answers.population import ALL_TABLES
from studies.measures import BASELINE
from studies.view import claims as say
from studies.view.grid import Cells, Finding, Grid, Heading
from studies.view.query import EVENTS, MOVED, Place, Row, View, policy, position

CONTRASTS = {
    "factor": "effects of the factors, each over the levels of the others",
    "interaction": "interactions: both variants together, less what each changes alone",
}
"""Kinds of rows across variants, with what their tables are called."""

VARIANTS_ALONE = ("change", "population")
"""Kinds of rows of one variant beside the baseline."""

QUANTILES = {"q05": "5 %", "q50": "50 %", "q95": "95 %"}
"""Quantiles that a table shows, with how many matches are at most as long."""

MOST_CARDS = 20
"""Cards in the figure of cards: as many of the strongest as of the weakest."""

MOST_HISTOGRAMS = 6


def findings(view: View) -> list[Finding]:
    """Return all that a study answers, the question of its design first."""
    headlines = view.answer.headlines
    primary = headlines.primary if headlines is not None else "variants"
    ways: dict[str, Callable[[View], Finding]] = {
        "measures": measures,
        "rules": rules,
        "seats": seats,
        "length": length,
        "policies": policies,
        "cards": cards,
        "drama": drama,
        "luck": luck,
    }
    first = {"variants": "rules", "policies": "policies", "seats": "seats"}[primary]
    # A study's own measures are columns of what its rules change.
    leading = [first, "measures"] if view.variants else ["measures", first]
    made = [ways[name](view) for name in dict.fromkeys([*leading, *ways])]
    return [finding for finding in made if finding.grids or finding.claims]


# ---- what the rules change


def rules(view: View) -> Finding:
    """Tell what each rule changes, and which factors and pairs of rules do."""
    place = view.main
    if view.is_drawn:
        place = (ALL_TABLES, *place[1:])
    grids: list[Grid | None] = []
    if view.is_drawn:
        grids.append(effects(view, place, "population"))
    first = [place for lineup in view.lineups for place in view.places(lineup)[:1]]
    grids += [effects(view, place, "factor") for place in first]
    grids += [effects(view, place) for place in first]
    grids += across(view)
    grids += [effects(view, place, "interaction") for place in first]
    return Finding(
        "rules",
        "What does each rule change?",
        say.of_rules(view, place),
        say.of_effects(view, view.main),
        named("variants", filled(grids)),
    )


def effects(view: View, place: Place, kind: str = "change") -> Grid | None:
    """Return what each rule, factor or pair of rules changes at a place."""
    columns = {
        name: (heading, cells)
        for name, heading, cells in _effect_columns(view, place, kind)
        if any(variant != BASELINE for variant in cells)
    }
    if not columns:
        return None
    asked = (*view.answer.measures, *view.answer.about)
    order = sorted(columns, key=lambda name: asked.index(name) if name in asked else len(asked))
    lineup = "Over all tables" if place[0] == ALL_TABLES else f"Line-up {place[0]}"
    counts = {
        cell["matches"]
        for _, cells in columns.values()
        for cell in cells.values()
        if not isinstance(cell, str) and cell["matches"]
    }
    each = f"{max(counts):,} matches a row" if counts else ""
    if len(counts) > 1:
        each = f"{min(counts):,} to {each}"
    content, where = CONTRASTS.get(kind, ""), view.where([place])
    parts = (f"{lineup}{_seated(view, place[0])}", view.at(place[1:]), content, each)
    return Grid(
        ", ".join(filter(None, parts)),
        dict(columns[name] for name in order),
        rows_are={"factor": "effect", "interaction": "interaction"}.get(kind, "variant"),
        chart="panels",
        name={"factor": "factors", "change": "variants"}.get(kind, ""),
        caption=say.caption_of_effects(view, kind, where),
        label=content.partition(":")[0].partition(",")[0] or f"line-up {place[0]}",
    )


def _effect_columns(view: View, place: Place, kind: str) -> Iterator[tuple[str, Heading, Cells]]:
    """Yield the columns of a table of effects; those that are empty are left out later."""
    rows_of = partial(_beside_baseline, view, place, kind)
    for number in view.answer.measures:
        unit = ", %" if number in view.shares else ""
        yield number, Heading(f"{number}{unit}", even=0.0), rows_of(number)
    if kind in VARIANTS_ALONE:
        yield from _winner_columns(view, place, kind)
    relative = rows_of(view.length, changes="relative") if kind in VARIANTS_ALONE else {}
    if set(relative) - {BASELINE}:
        yield view.length, Heading(f"{view.length}, change in %", even=0.0), relative
        if say.is_decided_apart(view, place):
            decided = rows_of(f"decided_{view.length}", changes="relative")
            yield "decided", Heading("of decided ones", "aborted matches left out"), decided
    elif view.length:
        yield view.length, Heading(f"{view.length}, change", even=0.0), rows_of(view.length)
    first = rows_of("win_rate", who="position 0")
    yield "win_rate", Heading("first seat wins, %", even=0.0), first
    if pair := view.pair(place):
        yield _gap_column(view, place, kind, pair)
    aborted = rows_of("aborted")
    if any(row["estimate"] for row in aborted.values()):
        yield "aborted", Heading("aborted, %", even=0.0), aborted
    if kind == "change":
        meaning = "whether all changes of win rates and scores are shown to lie within it"
        yield "margin", Heading("within margin", meaning), _within_margin(view, place)


def _winner_columns(view: View, place: Place, kind: str) -> Iterator[tuple[str, Heading, Cells]]:
    """Yield how often a variant changes who wins, beside what unrelated deals would give."""
    rows_of = partial(_beside_baseline, view, place, "level" if kind == "change" else kind)
    another = rows_of("another_winner")
    meaning = "another seat wins on the same deal, of matches decided in both"
    cells = {name: row if row["estimate"] else "none" for name, row in another.items()}
    yield "another_winner", Heading("another winner, %", meaning), cells
    for number, meaning, priority in (
        ("agreement", "on the winner, beyond chance (Cohen's kappa)", 1),
        ("unrelated", "another seat wins on different deals", 2),
    ):
        # Where the winner never changes there is nothing to agree beyond.
        moved = {
            n: row
            for n, row in rows_of(number).items()
            if n not in another or another[n]["estimate"]
        }
        yield number, Heading(f"{number}, %", meaning, priority), moved


def _gap_column(
    view: View, place: Place, kind: str, pair: tuple[str, str]
) -> tuple[str, Heading, Cells]:
    """Return how much further two policies are apart; of contrasts, how often the first wins."""
    if kind != "change":
        who = f"policy {pair[0]}"
        cells = _beside_baseline(view, place, kind, "win_rate", who=who)
        return "gap", Heading(f"{view.name(who)} wins, %", "a seat", even=0.0), cells
    gaps = {BASELINE: view.gap("difference", place, pair, variant=BASELINE)}
    gaps |= {name: view.gap("change", place, pair, variant=name) for name in view.variants}
    meaning = "how much more often the first wins than the second, a seat"
    heading = Heading(f"{view.pair_words(pair)}, %", meaning, even=0.0)
    return "gap", heading, {name: row for name, row in gaps.items() if row is not None}


def _seated(view: View, lineup: str) -> str:
    """Say who sits there, where the name of the line-up does not."""
    words = view.answer.lineups.get(lineup, "")
    return f" ({words})" if words and words not in lineup else ""


def _beside_baseline(
    view: View, place: Place, kind: str, number: str, *, who: str = "", changes: str = ""
) -> dict[str, Row]:
    """Return a number's level under the unchanged rules, and what the variants change of it."""
    moved = changes or kind
    levels = "population" if place[0] == ALL_TABLES else "level"
    cells = {}
    if number not in MOVED and kind not in CONTRASTS:
        for row in view.rows(levels, number, place, variant=BASELINE, who=who)[:1]:
            cells[BASELINE] = row
    for row in view.rows(moved, number, place, who=who):
        if row["variant"] != BASELINE:
            cells.setdefault(row["variant"], row)
    return cells


def _within_margin(view: View, place: Place) -> dict[str, str]:
    """Return whether a variant's changes are shown to lie within their margins."""
    verdicts: dict[str, list[Row]] = {}
    if view.frame["margin"].is_null().all():
        return {}
    for number in view.frame.filter(view.frame["margin"].is_not_null())["number"].unique():
        for row in view.rows("change", str(number), place):
            if row["margin"] is not None:
                verdicts.setdefault(row["variant"], []).append(row)
    return {variant: say.sameness(rows) for variant, rows in verdicts.items()}


def across(view: View) -> list[Grid]:
    """Return what rules change at all line-ups and points, a column each, number by number."""
    places = [place for lineup in view.lineups for place in view.places(lineup)]
    if view.is_drawn and len(view.points) == 1:
        return []
    first = (view.length, "relative", "", f"{view.length}, change in %", "variants_map")
    numbers = [
        *((name, "change", "", name, "") for name in view.answer.measures),
        ("another_winner", "level", "", "another winner, %", ""),
        first,
        ("win_rate", "change", "position 0", "first seat wins, change in points", ""),
    ]
    grids = [
        _across(
            view, title, name, {place: view.rows(kind, number, place, who=who) for place in places}
        )
        for number, kind, who, title, name in numbers
    ]
    if pair := view.pair(view.main):
        gaps = {
            place: [view.gap("change", place, pair, variant=variant) for variant in view.variants]
            for place in places
        }
        title = f"{view.pair_words(pair)}, change in points"
        grids.append(_across(view, title, "", gaps))
    return filled(grids)


def _across(
    view: View, title: str, name: str, by_place: Mapping[Place, Sequence[Row | None]]
) -> Grid | None:
    """Return what variants change of a number, a column a place."""
    columns: dict[Heading, Cells] = {}
    for place, rows in by_place.items():
        cells = {
            row["variant"]: {**row, "shown": view.is_tested(row)}
            for row in rows
            if row is not None and row["variant"] != BASELINE
        }
        if cells:
            words = view.where([place]) or place[0]
            columns[Heading(words.removeprefix("line-up "))] = cells
    if len(columns) < 2:
        return None
    return Grid(
        f"{title}: all line-ups and points",
        columns,
        rows_are="variant",
        chart="map",
        name=name,
        caption=f"{title}, by variant and table; “0?”: not shown to differ from no change.",
        middle=0.0,
        label="what rules change at all line-ups and points",
    )


# ---- seats


def seats(view: View) -> Finding:
    """Tell whether the seats are even, at every table."""
    kinds = [name for name in view.lineups if view.is_alone(name)] or view.lineups
    lineups = dict.fromkeys([view.reference, *kinds]) if view.reference else kinds
    places = [place for lineup in lineups for place in view.places(lineup)]
    by_place = {place: view.seats(place) for place in places}
    grids: list[Grid | None] = []
    rates = by_place.get(view.main, {})
    if len(rates) > 1:
        even = 1 / len(rates)
        columns = {
            Heading("win rate, %", even=even): rates,
            Heading("score"): {} if view.has_teams else view.seats(view.main, "score"),
        }
        where = view.where([view.main])
        which = "team" if view.has_teams else "position"
        title = f"Win rate by {which}{f', {where}' if where else ''}; even: {100 * even:.1f} %"
        caption = (
            f"Win rate by {which} in %{f', {where}' if where else ''}: the first seat begins, the "
            "others follow clockwise. The line is an even share; 95 % intervals."
        )
        grids.append(
            Grid(
                title,
                {heading: cells for heading, cells in columns.items() if cells},
                rows_are=which,
                chart="panels",
                name="seats",
                caption=caption,
                label="win rate by position",
            )
        )
    if sum(len(rates) > 1 for rates in by_place.values()) > 1:
        grids.append(_seats_map(view, by_place))
    return Finding("seats", "Is it fair?", say.of_seats(view), grids=filled(grids))


def _seats_map(view: View, by_place: Mapping[Place, Mapping[str, Row]]) -> Grid:
    columns: dict[Heading, dict[str, Row]] = {}
    for place, rates in by_place.items():
        words = view.where([place]).removeprefix("line-up ") or place[0]
        for who, row in rates.items():
            cell = {**row, "even": 1 / len(rates), "shown": view.is_shown(row)}
            columns.setdefault(Heading(who), {})[words] = cell
    caption = "Win rate by position in %, by table. ▲ and ▼: shown to be more or less than even."
    title = "Win rate by position in %, at all tables"
    return Grid(title, columns, rows_are="table", chart="map", name="seats_map", caption=caption)


# ---- length


def length(view: View) -> Finding:
    """Tell how long matches are, at every table and point."""
    if not view.length:
        return Finding("length", "How long is it?")
    grids = [_lengths(view), _histogram(view), _two_dials(view), _length_by_point(view)]
    return Finding("length", "How long is it?", say.of_length(view), grids=filled(grids))


def _lengths(view: View) -> Grid | None:
    numbers = {
        Heading("mean"): ("level", view.length),
        Heading("of decided ones", "aborted matches left out"): ("level", f"decided_{view.length}"),
        **{
            Heading(f"{share} at most", f"{share} of the matches are at most as long"): (
                "quantile",
                f"{view.length} {name}",
            )
            for name, share in QUANTILES.items()
        },
    }
    columns: dict[Heading, Cells] = {}
    for heading, (kind, number) in numbers.items():
        cells = {}
        for place in (place for lineup in view.lineups for place in view.places(lineup)):
            words = view.where([place]).removeprefix("line-up ") or place[0]
            for row in view.rows(kind, number, place, variant=BASELINE, who="")[:1]:
                cells[words] = row
        if cells:
            columns[heading] = cells
    title = f"{view.length} a match, unchanged rules"
    if not columns:
        return None
    return Grid(title, columns, rows_are="table", label=f"quantiles of {view.length}")


def _histogram(view: View) -> Grid | None:
    stored = view.answer.stored
    if stored is None or not view.lineups:
        return None
    places = view.places(view.reference)
    variants = [BASELINE]
    if len(places) == 1:
        moved = view.rows("change", view.length, places[0], who="")
        shown = [row for row in moved if view.is_shown(row) and not row["against"]]
        shown.sort(key=lambda row: -abs(row["estimate"]))
        variants += [row["variant"] for row in shown[:3]]
    cells = {
        (cell.variant, *(cell.point.get(key) for key in view.keys)): cell
        for cell in stored.cells
        if cell.lineup == view.reference
    }

    @cache
    def counts() -> dict[str, Mapping[int, int]]:
        """Return the matches of each length, by table or by variant."""
        read: dict[str, Mapping[int, int]] = {}
        for place in places[:MOST_HISTOGRAMS]:
            for variant in variants:
                if cell := cells.get((variant, *place[1:])):
                    totals = stored.totals(cell)
                    known = {} if totals is None else totals.histogram(view.length)
                    if len(known) > 2:
                        read[view.at(place[1:]) if len(places) > 1 else variant] = known
        return read

    where = "" if len(view.lineups) == 1 else f"; line-up {view.reference}"
    caption = (
        f"Distribution of {view.length} a match{where}; the thick line is the mean, the thin "
        "outline repeats the first."
    )
    return Grid(
        f"Distribution of {view.length}",
        {},
        chart="histogram",
        name="length",
        caption=caption,
        unit=view.length,
        counts=counts,
    )


def _two_dials(view: View) -> Grid | None:
    """Return the map of the length over two swept values."""
    keys = [key for key in view.keys if any(key in view.differing(p) for p in view.points)]
    if len(keys) != 2 or len(view.points) < 4:
        return None
    columns: dict[Heading, dict[str, Row]] = {}
    for place in view.places(view.reference):
        row = view.row("level", view.length, place, variant=BASELINE, who="")
        if row is not None:
            words = [f"{key} = {row[key]}" for key in keys]
            columns.setdefault(Heading(words[1]), {})[words[0]] = row
    title = f"{view.length} a match by {keys[0]} and {keys[1]}"
    caption = f"{title}; line-up {view.reference}."
    return Grid(title, columns, keys[0], chart="map", name="length_map", caption=caption)


def _length_by_point(view: View) -> Grid | None:
    """Return the length of each variant at each point."""
    columns: dict[Heading, Cells] = {}
    for place in view.places(view.reference):
        levels = view.rows("level", view.length, place, variant=BASELINE, who="")
        rows = [*levels, *view.rows("after", view.length, place, who="", against="")]
        if len(rows) > 1:
            columns[Heading(view.at(place[1:]))] = {row["variant"]: row for row in rows}
    if len(columns) < 2:
        return None
    title = f"{view.length} a match, by variant and point"
    caption = f"{title}; line-up {view.reference}, 95 % intervals."
    return Grid(
        title,
        columns,
        rows_are="variant",
        chart="series",
        name="length_by_point",
        caption=caption,
        unit=view.length,
    )


# ---- policies


def policies(view: View) -> Finding:
    """Tell how strong the policies are: over all line-ups, against each other, at each table."""
    mixed = [lineup for lineup in view.lineups if not view.is_alone(lineup)]
    places = [place for lineup in mixed for place in view.places(lineup)]
    standings = filled(_standing(view, place) for place in places)
    across_lineups = [*_strengths(view), *_payoffs(view)] if len(mixed) > 1 or view.keys else []
    grids = [
        *across_lineups,
        *standings[:1],
        *filled([_win_rates_by_point(view, mixed)]),
        *filled(_policy_seats(view, place) for place in places),
        *standings[1:],
    ]
    if not any(grid.rows for grid in grids):
        return Finding("policies", "Who is best?")
    titled = named("policy_seats", grids)
    return Finding("policies", "Who is best?", say.of_policies(view), grids=titled)


def _strengths(view: View) -> Iterator[Grid]:
    for place, rows in view.by_place("strength", "strength").items():
        ranked = sorted(
            (row for row in rows if not row["against"]), key=lambda row: -row["estimate"]
        )
        steps = {(row["who"], row["against"]): row for row in rows}
        nexts = {
            view.name(row["who"]): step
            for row, after in pairwise(ranked)
            if (step := steps.get((row["who"], after["who"])))
        }
        columns = {
            Heading("wins of 100", "against a policy of mean strength", even=0.5): {
                view.name(row["who"]): row for row in ranked
            },
            Heading("against the next", "wins of 100 where these two meet"): nexts,
        }
        at = view.at(place[1:])
        title = f"Strength over all line-ups{f', {at}' if at else ''}: wins of 100"
        caption = (
            "Strength of each policy over all line-ups: how many of 100 matches it wins against a "
            "policy of mean strength; 95 % intervals."
        )
        yield Grid(
            title,
            columns,
            rows_are="policy",
            chart="panels",
            name="strengths",
            caption=caption,
            label="strengths",
        )


def _payoffs(view: View) -> Iterator[Grid]:
    for place, rows in view.by_place("payoff", "win_rate").items():
        names = list(dict.fromkeys(row["who"] for row in rows))
        if len(names) < 3:
            continue
        mean = {name: sum(row["estimate"] for row in rows if row["who"] == name) for name in names}
        order = sorted(names, key=lambda name: -mean[name])
        known = {(row["who"], row["against"]): row for row in rows}
        columns = {
            Heading(view.name(against)): {
                view.name(who): known[who, against] for who in order if (who, against) in known
            }
            for against in order
        }
        at = view.at(place[1:])
        title = f"Wins of 100 where two policies meet{f', {at}' if at else ''}"
        caption = (
            "How often the policy of the row wins against the policy of the column, in % of the "
            "matches that either wins; 50 is even."
        )
        yield Grid(
            title,
            columns,
            rows_are="policy",
            chart="map",
            name="payoffs",
            caption=caption,
            middle=0.5,
            label="wins of 100 where two policies meet",
        )


def _standing(view: View, place: Place) -> Grid | None:
    """Return how the policies of a table stand, the best first, each beside the next."""
    levels = view.rows("level", "win_rate", place, variant=BASELINE)
    ranked = [row for row in levels if row["who"].startswith("policy ")]
    ranked.sort(key=lambda row: -row["estimate"])
    if len(ranked) < 2:
        return None
    leads = {}
    for row, after in pairwise(ranked):
        pair = policy(row["who"]), policy(after["who"])
        if gap := view.gap("difference", place, pair, variant=BASELINE):
            leads[view.name(row["who"])] = gap
    scores = {row["who"]: row for row in view.rows("level", "score", place, variant=BASELINE)}
    columns: dict[Heading, Cells] = {
        Heading("win rate, %", "a seat"): {view.name(row["who"]): row for row in ranked},
        Heading("less the next, %"): leads,
        Heading("score"): {
            view.name(row["who"]): scores[row["who"]] for row in ranked if row["who"] in scores
        },
    }
    at = view.at(place[1:])
    title = f"Line-up {place[0]}{f', {at}' if at else ''}: win rate a seat, unchanged rules"
    kept = {heading: cells for heading, cells in columns.items() if cells}
    return Grid(title, kept, rows_are="policy", label="win rate a seat")


def _win_rates_by_point(view: View, mixed: Sequence[str]) -> Grid | None:
    """Return the win rates of the policies at each point, where a study sweeps one line-up."""
    if len(view.points) < 2 or len(mixed) != 1:
        return None
    columns: dict[Heading, dict[str, Row]] = {}
    for place in view.places(mixed[0]):
        for row in view.rows("level", "win_rate", place, variant=BASELINE):
            if row["who"].startswith("policy "):
                columns.setdefault(Heading(view.name(row["who"])), {})[view.at(place[1:])] = row
    title = f"Line-up {mixed[0]}: win rate a seat by point of the sweep"
    caption = f"{title}, in %; 95 % intervals."
    return Grid(
        title,
        columns,
        rows_are="at",
        chart="series",
        name="win_rates",
        caption=caption,
        label="win rate a seat",
        unit="win rate, %",
    )


def _policy_seats(view: View, place: Place) -> Grid | None:
    rows = view.rows("seating", "win_rate", place)
    positions = list(dict.fromkeys(row["against"] for row in rows))
    if not positions:
        return None
    even = 1 / len(positions)
    columns = {
        Heading(position(against)): {
            view.name(row["who"]): {**row, "even": even}
            for row in rows
            if row["against"] == against
        }
        for against in positions
    }
    at = view.at(place[1:])
    title = f"Line-up {place[0]}{f', {at}' if at else ''}: win rate by policy and position, %"
    caption = f"{title}; {100 * even:.1f} % is even."
    label = "win rate by policy and position"
    return Grid(title, columns, rows_are="policy", chart="map", caption=caption, label=label)


# ---- cards, drama, luck, and what a study counts


def cards(view: View) -> Finding:
    """Tell which cards help and which hurt, where cards were counted."""
    frame = view.answer.cards
    grids: list[Grid] = []
    rows: list[Row] = []
    parts = (
        []
        if frame is None
        else frame.rename({"less_usual": "estimate"}).partition_by(
            "lineup", "variant", maintain_order=True
        )
    )
    for part in parts:
        columns: dict[Heading, dict[str, Row]] = {}
        for row in part.sort("estimate", descending=True).iter_rows(named=True):
            named_ = {**row, "kind": "change", "number": "win_rate", "scale": 100, "signed": True}
            heading = Heading(f"{row['when']}, points", even=0.0)
            columns.setdefault(heading, {})[row["card"]] = named_
        first = part.row(0, named=True)
        title = (
            f"Cards: win rate of the seats that have them, less their usual (line-up "
            f"{first['lineup']}, {first['variant']})"
        )
        caption = (
            "How much more often a seat wins that was dealt a card, drew it or played it than it "
            "does over all deals, in points; 95 % intervals. The deal is chance alone; what was "
            "drawn or played also tells how the match went."
        )
        name = "" if grids else "cards"
        grids.append(
            Grid(title, columns, rows_are="card", chart="panels", name=name, caption=caption)
        )
        if not rows:
            dealt = (heading for heading in columns if heading.name.startswith("dealt"))
            rows = [row for heading in dealt for row in columns[heading].values()]
    return Finding("cards", "Which card is too strong?", say.of_cards(view, rows), grids=grids)


def drama(view: View) -> Finding:
    """Tell how matches get to their winners; nothing of a game whose lead is known once."""
    alone = [name for name in view.lineups if view.is_alone(name)] or view.lineups
    columns: dict[Heading, Cells] = {}
    for lineup in alone[:4]:
        place = next(iter(view.places(lineup)), None)
        cells = {}
        events = {"close", "runaway"} if view.has_teams else set()  # partners are not apart
        for name, words in EVENTS.items() if place else ():
            if name in events:
                continue
            for row in view.rows("level", name, place, variant=BASELINE, who="")[:1]:
                cells[words] = row
        led = cells.get(EVENTS["led_throughout"])
        if cells and not (led and led["estimate"] == 1):
            columns[Heading(lineup)] = cells
    if not columns:
        return Finding("drama", "How is it decided?")
    caption = (
        "Shares of decided matches, 95 % intervals. Close: the winner's margin is at most a tenth "
        "of the distance between first and last; runaway: at least half."
    )
    unit = "decided matches, %"
    grid = Grid(
        "Of decided matches, %",
        columns,
        rows_are="event",
        chart="series",
        name="drama",
        caption=caption,
        unit=unit,
        label="how matches are decided",
    )
    return Finding("drama", "How is it decided?", say.of_drama(view), grids=[grid], minor=True)


def luck(view: View) -> Finding:
    """Tell what share of the variance of who wins the policies explain, and all else."""
    sources = ("policy", "cards", "seat", "rest")
    columns: dict[Heading, dict[str, Row]] = {}
    for source in sources:
        for place, rows in view.by_place("variance", source).items():
            words = view.where([place]).removeprefix("line-up ") or place[0]
            columns.setdefault(Heading(f"{source}, %"), {})[words] = rows[0]
    if not columns:
        return Finding("luck", "What decides who wins?")
    caption = "Share of the variance of who wins, by line-up; 95 % intervals."
    title = "Of the variance of who wins, %"
    grid = Grid(
        title,
        columns,
        rows_are="line-up",
        chart="panels" if len(next(iter(columns.values()))) > 1 else "",
        name="luck",
        caption=caption,
        label="luck and skill",
    )
    return Finding("luck", "What decides who wins?", say.of_luck(view), grids=[grid], minor=True)


def measures(view: View) -> Finding:
    """Tell what the study counts by itself, under the unchanged rules."""
    columns: dict[Heading, dict[str, Row]] = {}
    for number in view.answer.measures:
        unit = ", %" if number in view.shares else ""
        for place in (place for lineup in view.lineups for place in view.places(lineup)):
            at = view.where([place]).removeprefix("line-up ")
            for row in view.rows("level", number, place, variant=BASELINE):
                words = ", ".join(filter(None, (view.name(row["who"]), at))) or place[0]
                columns.setdefault(Heading(f"{number}{unit}"), {})[words] = row
    title = "What the study counts"
    grid = Grid(
        title, columns, rows_are="table", chart="panels", name="measures", caption=f"{title}."
    )
    return Finding("measures", title, say.of_measures(view), grids=filled([grid]))


def filled(grids: Sequence[Grid | None] | Iterator[Grid | None]) -> list[Grid]:
    """Return the grids that have something to show."""
    return [grid for grid in grids if grid is not None and (grid.columns or grid.counts)]


def named(name: str, grids: Sequence[Grid]) -> list[Grid]:
    """Return grids of which the first that has no name of its own gets this one, and no other."""
    seen: set[str] = set()
    result = []
    for grid in grids:
        own = grid.name or (name if grid.chart else "")
        result.append(replace(grid, name="" if own in seen else own))
        seen.add(own)
    return result
