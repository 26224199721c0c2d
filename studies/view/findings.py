"""What a study answers: its findings, the question of its design first.

Each finding is a question, what is said to it (`studies.view.claims`), and the grids that show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import pairwise

from studies.answers.population import ALL_TABLES
from studies.measures import BASELINE
from studies.view import claims as say
from studies.view.grid import Cells, Columns, Finding, Grid, Heading
from studies.view.query import EVENTS, MOVED, Place, Row, View, policy, position

CONTRASTS = {
    "factor": "effects of the factors, each over the levels of the others",
    "interaction": "interactions: both variants together, less what each changes alone",
}
"""Kinds of rows across variants, with what their tables are called."""

ALONE = ("change", "population")
"""Kinds of rows of one variant beside the unchanged rules."""

QUANTILES = {"q05": "5 %", "q50": "50 %", "q95": "95 %"}
"""Quantiles that a table shows, with how many matches are at most as long."""

MOST_HISTOGRAMS = 6

LOOKS_AT = "how many things of the table its code reads, so how much has to be watched"

WON, OTHER_END = "won by the table", "other result"
"""Headings where all seats win together."""


def findings(view: View) -> list[Finding]:
    """Return all that a study answers, the question of its design first."""
    headlines = view.answer.headlines
    primary = "variants" if headlines is None else headlines.primary
    of_sides = table if view.is_cooperative else seats
    first = {"variants": rules, "policies": policies, "seats": of_sides}[primary]
    # A study's own measures are columns of what its rules change.
    leading = [first, measures] if view.variants else [measures, first]
    order = dict.fromkeys([*leading, cards, rules, of_sides, length, policies, drama, luck])
    made = [make(view) for make in order]
    return [finding for finding in made if finding.grids or finding.claims]


def _columns(
    rows: Iterable[Row], row_name: Callable[[Row], str], column_name: Callable[[Row], str]
) -> Columns:
    """Return rows of the frame as columns, by what names their row and their column."""
    columns: dict[Heading, dict[str, Row | str]] = {}
    for row in rows:
        columns.setdefault(Heading(column_name(row)), {})[row_name(row)] = row
    return columns


def _grids(grids: Iterable[Grid | None]) -> list[Grid]:
    """Return the grids that have something to show; each name of a figure is given once."""
    kept: dict[str, Grid] = {}
    for place, grid in enumerate(grids):
        if grid is not None and (grid.columns or grid.counts):
            kept[grid.name if grid.name and grid.name not in kept else f"{place}"] = grid
    return [grid if grid.name == key else grid.without_figure() for key, grid in kept.items()]


# ---- what the rules change


def rules(view: View) -> Finding:
    """Tell what each rule changes, and which factors and pairs of rules do."""
    drawn = (ALL_TABLES, *view.main[1:])
    places = [place for lineup in view.lineups for place in view.places(lineup)[:1]]
    grids = [
        *([effects(view, drawn, "population")] if view.is_drawn else []),
        *(effects(view, place, "factor") for place in places),
        *(effects(view, place) for place in places),
        *across(view),
        *(effects(view, place, "interaction") for place in places),
    ]
    claims = say.of_rules(view, drawn if view.is_drawn else view.main)
    sentences = say.of_effects(view, view.main)
    return Finding("rules", "What does each rule change?", claims, _grids(grids), sentences)


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
    shown = [cell for _, cells in columns.values() for cell in cells.values()]
    matches = {
        cell["matches"]
        for cell in shown
        # Who wins is compared where a match is decided on both sides.
        if not isinstance(cell, str) and cell["matches"] and cell["number"] not in MOVED
    }
    counts = dict.fromkeys([min(matches), max(matches)]) if matches else ()
    seated = view.answer.lineups.get(place[0], "")
    lineup = "over all tables" if place[0] == ALL_TABLES else f"line-up {place[0]}"
    parts = (
        lineup + (f" ({seated})" if seated and seated not in place[0] else ""),
        view.at(place[1:]),
        f"{' to '.join(f'{count:,}' for count in counts)} matches a row" if counts else "",
    )
    return Grid(
        CONTRASTS.get(kind, "what changes"),
        dict(columns[name] for name in order),
        {"factor": "effect", "interaction": "interaction"}.get(kind, "variant"),
        "panels",
        {"factor": "factors", "interaction": ""}.get(kind, "variants"),
        ", ".join(filter(None, parts)),
    )


def _effect_columns(view: View, place: Place, kind: str) -> Iterator[tuple[str, Heading, Cells]]:
    """Yield the columns of a table of effects; those that are empty are left out later."""
    rows_of = partial(_beside_baseline, view, place, kind)
    for number in view.answer.measures:
        yield number, Heading(view.with_per_cent(number), even=0.0), rows_of(number)
    if kind in ALONE:
        changes = "level" if kind == "change" else ""
        yield from _winner_columns(view, partial(rows_of, changes=changes))
    relative = rows_of(view.length, changes="relative") if kind in ALONE else {}
    if set(relative) - {BASELINE}:
        yield view.length, Heading(f"{view.length}, change in %", even=0.0), relative
        if say.is_decided_apart(view, place):
            decided = rows_of(f"decided_{view.length}", changes="relative")
            yield "decided", Heading("of decided ones", "aborted matches left out"), decided
    elif view.length:
        yield view.length, Heading(f"{view.length}, change", even=0.0), rows_of(view.length)
    yield "win_rate", Heading(f"{WON}, %", even=0.0), rows_of("win_rate")
    first = rows_of("win_rate", who="position 0")
    yield "win_rate", Heading("first seat wins, %", even=0.0), first
    if (pair := view.pair(place)) and kind != "change":
        who = f"policy {pair[0]}"
        heading = Heading(f"{view.name(who)} wins, %", "a seat", even=0.0)
        yield "gap", heading, rows_of("win_rate", who=who)
    elif pair:
        gaps = [view.gap("difference", place, pair, variant=BASELINE)]
        gaps += [view.gap("change", place, pair, variant=name) for name in view.variants]
        meaning = "how much more often the first wins than the second, a seat"
        heading = Heading(f"{view.pair_words(pair)}, %", meaning, even=0.0)
        yield "gap", heading, {row["variant"]: row for row in gaps if row is not None}
    aborted = rows_of("aborted")
    if any(row["estimate"] for row in aborted.values()):
        yield "aborted", Heading("aborted, %", priority=3, even=0.0), aborted
    yield "nobody", Heading("nobody wins, %", even=0.0), rows_of("nobody")
    if kind == "change":
        meaning = "whether all changes of win rates and scores are shown to lie within it"
        yield "margin", Heading("within margin", meaning), say.margins(view, place)


def _winner_columns(
    view: View, rows_of: Callable[[str], dict[str, Row]]
) -> Iterator[tuple[str, Heading, Cells]]:
    """Yield how often a variant changes who wins, beside what unrelated deals would give."""
    another = rows_of("another_winner")
    title, on = ("another winner", "the winner") if not view.is_cooperative else (OTHER_END, "it")
    happens = say.of_another(view)
    meaning = f"{happens} on the same deal, of matches decided in both"
    cells = {name: row if row["estimate"] else "none" for name, row in another.items()}
    yield "another_winner", Heading(f"{title}, %", meaning), cells
    never = {name for name, row in another.items() if not row["estimate"]}
    for number, meaning, priority in (
        ("agreement", f"on {on}, beyond chance (Cohen's kappa)", 1),
        ("unrelated", f"{happens} on different deals", 2),
    ):
        # Where the winner never changes there is nothing to agree beyond.
        moved = {name: row for name, row in rows_of(number).items() if name not in never}
        yield number, Heading(f"{number}, %", meaning, priority), moved


def _beside_baseline(
    view: View, place: Place, kind: str, number: str, *, who: str = "", changes: str = ""
) -> dict[str, Row]:
    """Return a number's level under the unchanged rules, and what the variants change of it."""
    levels = "population" if place[0] == ALL_TABLES else "level"
    cells = {}
    if number not in MOVED and kind not in CONTRASTS:
        for row in view.rows(levels, number, place, variant=BASELINE, who=who)[:1]:
            cells[BASELINE] = row
    for row in view.rows(changes or kind, number, place, who=who):
        if row["variant"] != BASELINE:
            cells.setdefault(row["variant"], row)
    return cells


def across(view: View) -> Iterator[Grid]:
    """Yield what rules change at all line-ups and points, a column each, number by number."""
    if view.is_drawn and len(view.points) == 1:
        return
    numbers = {name: view.everywhere("change", name, who="") for name in view.answer.measures}
    numbers[f"{OTHER_END if view.is_cooperative else 'another winner'}, %"] = view.everywhere(
        "level", "another_winner"
    )
    numbers[f"{WON}, change in points"] = view.everywhere("change", "win_rate", who="")
    numbers[f"{view.length}, change in %"] = view.everywhere("relative", view.length, who="")
    first = view.everywhere("change", "win_rate", who="position 0")
    numbers["first seat wins, change in points"] = first
    if pair := view.pair(view.main):
        gaps = (
            view.gap("change", place, pair, variant=variant)
            for place in view.all_places
            for variant in view.variants
        )
        numbers[f"{view.pair_words(pair)}, change in points"] = [row for row in gaps if row]
    for title, rows in numbers.items():
        told = [{**row, "shown": view.is_tested(row)} for row in rows]
        columns = _columns(told, lambda row: str(row["variant"]), view.table)
        if len(columns) > 1:
            name = "variants_map" if title.startswith(f"{view.length}, ") else ""
            caption = f"By variant and table: {title}; “0?”: not shown to differ from no change."
            everywhere = "what changes at all line-ups and points"
            yield Grid(everywhere, columns, "variant", "map", name, title, caption, middle=0.0)


# ---- seats, or the table where all win together


def table(view: View) -> Finding:
    """Tell how often a table wins whose seats play together."""
    rows = view.everywhere("level", "win_rate", variant=BASELINE, who="")
    where = "all seats win or lose together"
    columns = {Heading(f"{WON}, %", where): {view.table(row): row for row in rows}}
    scores = view.everywhere("level", "score", variant=BASELINE, who="")
    if any(row["estimate"] for row in scores):
        columns[Heading("score")] = {view.table(row): row for row in scores}
    grid = Grid(WON, columns if rows else {}, "table", "panels", "table", where)
    return Finding("table", "How often does the table win?", say.of_table(view), _grids([grid]))


def seats(view: View) -> Finding:
    """Tell whether the seats are even, at every table."""
    alike = [name for name in view.lineups if view.is_alone(name)] or view.lineups
    lineups = dict.fromkeys([*filter(None, [view.reference]), *alike])
    places = [place for lineup in lineups for place in view.places(lineup)]
    known = {place: rates for place in places if len(rates := view.seats(place)) > 1}
    columns: Columns
    title = f"win rate by {'team' if view.has_teams else 'position'}"
    grids = []
    main = (ALL_TABLES, *view.main[1:]) if view.is_drawn else view.main
    if here := view.seats(main) or known.get(main):
        even = 1 / len(here)
        score = {} if view.has_teams else view.seats(main, "score")
        beside = {Heading("score"): score} if score else {}
        columns = {Heading("win rate, %", even=even): here, **beside}
        where = "; ".join(filter(None, (view.where([main]), f"even {100 * even:.1f} %")))
        caption = f"{title} ({where}): the first seat begins, the others follow clockwise."
        kind = title.rpartition(" ")[2]
        grids.append(Grid(title, columns, kind, "panels", "seats", where, caption))
    if len(known) > 1:
        told = [
            {**row, "even": 1 / len(rates), "shown": view.is_shown(row)}
            for rates in known.values()
            for row in rates.values()
        ]
        columns = _columns(told, view.table, lambda row: view.name(row["who"]))
        caption = f"{title} in %, by table. ▲ and ▼: shown to be more or less than even."
        where = "in %, at all tables"
        grids.append(Grid(title, columns, "table", "map", "seats_map", where, caption))
    return Finding("seats", "Is it fair?", say.of_seats(view), grids)


# ---- length


def length(view: View) -> Finding:
    """Tell how long matches are, at every table and point."""
    title = f"length in {view.length}"
    numbers = {
        Heading("mean"): ("level", view.length),
        Heading("of decided ones", "aborted matches left out"): ("level", f"decided_{view.length}"),
        **{
            Heading(f"{share} at most"): ("quantile", f"{view.length} {name}")
            for name, share in QUANTILES.items()
        },
    }
    columns = {
        heading: {
            view.table(row): row for row in view.everywhere(kind, number, variant=BASELINE, who="")
        }
        for heading, (kind, number) in numbers.items()
    }
    grids = [
        Grid(title, {heading: cells for heading, cells in columns.items() if cells}),
        _histogram(view),
        *_by_dials(view, title),
    ]
    kept = _grids(grids) if view.length else []
    return Finding("length", "How long is it?", say.of_length(view), kept)


def _histogram(view: View) -> Grid | None:
    """Return the distribution of the length, by point of the sweep, or by variant."""
    stored, places = view.answer.stored, view.places(view.reference)
    if stored is None or not places:
        return None
    variants = [BASELINE]
    if len(places) == 1:
        moved = view.rows("change", view.length, places[0], who="", against="")
        shown = sorted(filter(view.is_shown, moved), key=lambda row: -abs(row["estimate"]))
        variants += [row["variant"] for row in shown[:3]]
    cells = {
        (cell.variant, *(cell.point.get(key) for key in view.keys)): cell
        for cell in stored.cells
        if cell.lineup == view.reference
    }

    @cache
    def counts() -> dict[str, Mapping[int, int]]:
        read: dict[str, Mapping[int, int]] = {}
        for place in places[:MOST_HISTOGRAMS]:
            for variant in variants:
                cell = cells.get((variant, *place[1:]))
                totals = stored.totals(cell) if cell else None
                known = totals.histogram(view.length) if totals else {}
                if len(known) > 2:
                    read[view.at(place[1:]) if len(places) > 1 else variant] = known
        return read

    caption = (
        f"Distribution of {view.length} a match, line-up {view.reference}; the thick line is the "
        "mean, the thin outline repeats the first."
    )
    title = f"distribution of {view.length}"
    return Grid(
        title, {}, "", "histogram", "length", caption=caption, unit=view.length, counts=counts
    )


def _by_dials(view: View, title: str) -> Iterator[Grid]:
    """Yield the length over two swept values, and that of each variant at each point."""
    keys = [key for key in view.keys if any(key in view.differing(p) for p in view.points)]
    lineup = f"line-up {view.reference}"
    levels = view.everywhere("level", view.length, lineup=view.reference, variant=BASELINE, who="")
    if len(keys) == 2 and len(view.points) > 3:
        one, other = (lambda row, key=key: f"{key} = {row[key]}" for key in keys)
        dials = _columns(levels, one, other)
        yield Grid(title, dials, keys[0], "map", "length_map", f"by two dials, {lineup}")
    after = view.everywhere("after", view.length, lineup=view.reference, who="", against="")
    by_point = _columns([*levels, *after], lambda row: str(row["variant"]), view.table)
    if after and len(by_point) > 1:
        where = f"by variant and point, {lineup}"
        yield Grid(title, by_point, "variant", "series", "length_by_point", where, unit=view.length)


# ---- policies


def policies(view: View) -> Finding:
    """Tell how strong the policies are: over all line-ups, against each other, at each table."""
    places = [place for place in view.all_places if not view.is_alone(place[0])]
    mixed = {place[0] for place in places}
    standings = _grids(_standing(view, place) for place in places)
    grids: list[Grid | None] = [*_strengths(view), *_payoffs(view)]
    # At a single table strengths only repeat the win rates.
    place = 0 if len(mixed) < 2 and not view.keys else len(grids)
    grids[place:place] = standings[:1]
    if len(places) > 1 and len(mixed) == 1:
        rates = view.everywhere("level", "win_rate", variant=BASELINE)
        known = [row for row in rates if row["who"].startswith("policy ")]
        columns = _columns(known, view.table, lambda row: view.name(row["who"]))
        where = "by point of the sweep"
        unit = "win rate, %"
        grids.append(
            Grid("win rate a seat, %", columns, "at", "series", "win_rates", where, unit=unit)
        )
    grids += [*(_policy_seats(view, place) for place in places), *standings[1:]]
    return Finding("policies", "Who is best?", say.of_policies(view), _grids(grids))


def _strengths(view: View) -> Iterator[Grid]:
    for place, rows in view.by_place("strength", "strength").items():
        ranked = [row for row in rows if not row["against"]]
        ranked.sort(key=lambda row: -row["estimate"])
        steps = {(row["who"], row["against"]): row for row in rows}
        pairs = [(one["who"], after["who"]) for one, after in pairwise(ranked)]
        columns: Columns = {
            Heading("wins of 100", "against a policy of mean strength", even=0.5): {
                view.name(row["who"]): row for row in ranked
            },
            Heading("against the next", "wins of 100 where these two meet"): {
                view.name(pair[0]): steps[pair] for pair in pairs if pair in steps
            },
            Heading("looks at", LOOKS_AT, 1): {
                view.name(row["who"]): str(view.looks[row["who"]])
                for row in ranked
                if row["who"] in view.looks
            },
        }
        where = ", ".join(filter(None, ("over all line-ups", view.at(place[1:]))))
        caption = (
            f"Strength of each policy {where}: how many of 100 matches it wins against a policy of "
            "mean strength."
        )
        yield Grid("strength", columns, "policy", "panels", "strengths", where, caption)


def _payoffs(view: View) -> Iterator[Grid]:
    title = "wins of 100 where two policies meet"
    for place, rows in view.by_place("payoff", "payoff").items():
        won: dict[str, float] = {}
        for row in rows:
            won[row["who"]] = won.get(row["who"], 0.0) + row["estimate"]
        if len(won) < 3:
            continue
        order = sorted(won, key=lambda who: -won[who])
        known = {(row["who"], row["against"]): row for row in rows}
        columns: Columns = {
            Heading(view.name(against)): {
                view.name(who): known.get((who, against), "") for who in order
            }
            for against in order
        }
        caption = f"{title}, of the row against the column: of matches that either wins."
        at = view.at(place[1:])
        yield Grid(title, columns, "policy", "map", "payoffs", at, caption, middle=0.5)


def _standing(view: View, place: Place) -> Grid | None:
    """Return how the policies of a table stand, the best first, each beside the next."""
    levels = view.rows("level", "win_rate", place, variant=BASELINE)
    ranked = [row for row in levels if row["who"].startswith("policy ")]
    ranked.sort(key=lambda row: -row["estimate"])
    if len(ranked) < 2:
        return None
    pairs = [(policy(one["who"]), policy(after["who"])) for one, after in pairwise(ranked)]
    leads = [view.gap("difference", place, pair, variant=BASELINE) for pair in pairs]
    scores = view.rows("level", "score", place, variant=BASELINE)
    columns = {
        Heading("win rate, %", "a seat"): ranked,
        Heading("less the next, %"): [row for row in leads if row is not None],
        Heading("score"): [row for row in scores if row["who"].startswith("policy ")],
    }
    kept = {
        heading: {view.name(row["who"]): row for row in rows}
        for heading, rows in columns.items()
        if rows
    }
    where = ", ".join(filter(None, (f"line-up {place[0]}", view.at(place[1:]))))
    return Grid("win rate a seat", kept, "policy", where=f"{where}, unchanged rules")


def _policy_seats(view: View, place: Place) -> Grid | None:
    rows = view.rows("seating", "win_rate", place)
    if not rows:
        return None
    even = 1 / len({row["against"] for row in rows})
    columns = _columns(
        [{**row, "even": even} for row in rows],
        lambda row: view.name(row["who"]),
        lambda row: position(row["against"]),
    )
    at = ", ".join(filter(None, (f"line-up {place[0]}", view.at(place[1:]))))
    title, where = "win rate by policy and position", f"{at}; even {100 * even:.1f} %"
    return Grid(title, columns, "policy", "map", "policy_seats", where)


# ---- cards, drama, luck, and what a study counts


def cards(view: View) -> Finding:
    """Tell which cards help and which hurt, where cards were counted."""
    frame = view.answer.cards
    parts = [] if frame is None else frame.partition_by("lineup", "variant", maintain_order=True)
    grids: list[Grid] = []
    dealt: list[Row] = []
    caption = (
        "How much more often a seat wins that was dealt a card, drew it or played it than it does "
        "over all deals, in points. The deal is chance alone; what was drawn or played also tells "
        "how the match went."
    )
    for part in parts:
        columns: dict[Heading, dict[str, Row | str]] = {}
        ranked = part.rename({"less_usual": "estimate"}).sort("estimate", descending=True)
        for card in ranked.iter_rows(named=True):
            row = {**card, "kind": "change", "number": "win_rate", "scale": 100, "signed": True}
            heading = Heading(f"{row['when']}, points", even=0.0)
            columns.setdefault(heading, {})[row["card"]] = row
            dealt += [row] if row["when"] == "dealt" and not grids else []
        where = "line-up {}, {}".format(*part.select("lineup", "variant").row(0))
        title = "win rate of the seats that have a card, less their usual"
        grids.append(Grid(title, columns, "card", "panels", "cards", where, caption))
    claims = say.of_cards(view, dealt)
    return Finding("cards", "Which card is too strong?", claims, _grids(grids))


def drama(view: View) -> Finding:
    """Tell how matches get to their winners; nothing of a game whose lead is known once."""
    margins = {"close", "runaway"} if view.has_teams else set()
    alike = [name for name in view.lineups if view.is_alone(name)] or view.lineups
    columns: dict[Heading, Cells] = {}
    for place in [place for lineup in alike[:4] for place in view.places(lineup)[:1]]:
        cells = {
            words: row
            for name, words in EVENTS.items()
            if name not in margins  # of partners none is behind
            for row in view.rows("level", name, place, variant=BASELINE, who="")
        }
        if cells and cells.get(EVENTS["led_throughout"], {}).get("estimate") != 1:
            columns[Heading(place[0])] = cells
    caption = (
        "Shares of decided matches. Close: the winner's margin is at most a tenth of the distance "
        "between first and last; runaway: at least half."
    )
    unit = "decided matches, %"
    title = "how matches are decided"
    grid = Grid(title, columns, "event", "series", "drama", f"of {unit}", caption, unit=unit)
    claims = say.of_drama(view) if columns else []
    return Finding("drama", "How is it decided?", claims, _grids([grid]), minor=True)


def luck(view: View) -> Finding:
    """Tell what share of the variance of who wins the policies explain, and all else."""
    rows = [row for n in ("policy", "cards", "seat", "rest") for row in view.rows("variance", n)]
    columns = _columns(rows, view.table, lambda row: f"{row['number']}, %")
    several = len({view.table(row) for row in rows}) > 1
    grid = Grid("variance of who wins", columns, "line-up", "panels", "luck", "by source, in %")
    grid = grid if several else grid.without_figure()
    return Finding("luck", "What decides who wins?", say.of_luck(view), _grids([grid]), minor=True)


def measures(view: View) -> Finding:
    """Tell what the study counts by itself, under the unchanged rules."""
    rows = [
        row
        for number in view.answer.measures
        for row in view.everywhere("level", number, variant=BASELINE)
        if row["who"] or not view.variants  # or it stands beside what the rules change
    ]

    def name(row: Row) -> str:
        at = view.table(row) if len(view.all_places) > 1 or not row["who"] else ""
        return ", ".join(filter(None, (view.name(row["who"]), at)))

    columns = _columns(rows, name, lambda row: view.with_per_cent(row["number"]))
    title = "what the study counts"
    grid = Grid(title, columns, "table", "panels", "measures")
    return Finding("measures", "What the study counts", say.of_measures(view), _grids([grid]))
