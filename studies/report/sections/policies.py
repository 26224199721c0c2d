"""Policies against each other: payoffs, restricted play, ratings."""

from __future__ import annotations

from simcore.options import show_all
from studies.balance.duels import turned
from studies.balance.results import Duel
from studies.compare.results import Rating
from studies.plots import (
    nash_shares,
    payoff_matrix,
    restrictions,
    strengths,
)
from studies.report.content import Grid, Item, Material, Picture, Section, matches_of
from studies.report.recipes import Recipe, recipe
from studies.report.recipes import skill as snippets
from studies.report.recipes.pieces import ROWS, SHARE, TABLE, WINNERS
from studies.report.sentences import (
    joined,
    rating_sentences,
    restriction_sentence,
)
from studies.report.sentences.words import needs_matches
from studies.show.wording import between, change, count, mean, p_value, percent
from studies.stats.intervals import Interval

_FEWEST_FOR_A_MATRIX = 3


def policies(material: Material) -> Section | None:
    """Return the section on policies; None when no two of them met."""
    duels = [duel for duel in material.balance.duels if duel.point == material.main_point]
    level = f"{100 * material.balance.level:g} %"
    ladder = material.ladder
    items: list[Item] = []
    said: list[str] = []
    notes: list[str] = []
    if ladder is not None and len(ladder.order) >= _FEWEST_FOR_A_MATRIX:
        names = ladder.order[::-1]
        shares = _shares(duels)
        said += _dominated(names, duels)
        items.append(
            Picture(
                name="payoffs",
                alt=f"Payoff matrix of {len(names)} policies, in the order of the ladder.",
                caption=(
                    "Wins of the row's policy against the column's, in % (50 is even); of what the "
                    "two win, per seat held, in every rotation; n = "
                    f"{matches_of([duel.matches - duel.aborted for duel in duels])} decided "
                    f"matches a pair; {level} intervals are at most ±{_widest(duels):.1f} points "
                    "wide (shares with what would be even are in the table)."
                ),
                draw=lambda narrow: payoff_matrix(names, shares, narrow=narrow),
            )
        )
    found = [one for one in material.balance.restrictions if one.duel.point == material.main_point]
    if found:
        said += [restriction_sentence(one) for one in found]
        items.append(
            Picture(
                name="restrictions",
                alt=" ".join(restriction_sentence(one) for one in found),
                caption=(
                    "Wins of a policy against itself with one thing forbidden; share of decided "
                    "matches; strokes: no difference; n = "
                    f"{matches_of([one.duel.matches - one.duel.aborted for one in found])} decided "
                    f"matches each; bars: {level} Wilson intervals, by deal."
                ),
                draw=lambda narrow: restrictions(found, narrow=narrow),
            )
        )
    extra_said, extra_items, extra_notes = _ratings(material)
    said, items, notes = said + extra_said, items + extra_items, notes + extra_notes
    items += [_duel_grid(material), _share_grid(material)]
    items = [item for item in items if not isinstance(item, Grid) or item.rows]
    if not items:
        return None
    recipes = [
        recipe(
            f"{duel.lineup}: share of {duel.first}",
            duel.share,
            TABLE,
            WINNERS,
            SHARE,
            snippets.DUEL,
            directory=material.directory,
            cell=table.cell,
            players=table.players,
            policy=duel.first,
            level=material.balance.level,
        )
        for duel in duels[:1]
        for table in material.main
        if table.lineup == duel.lineup
    ]
    return Section("policies", "Policies", said, items, notes, recipes + _rating_recipes(material))


def _rating_recipes(material: Material) -> list[Recipe]:
    """Return snippets on strengths, payoffs, what is cyclic, and the Nash average."""
    rating = main_rating(material)
    if rating is None:
        return []
    tables = [
        table
        for table in material.baseline
        if table.lineup in rating.lineups
        and table.players == rating.players
        and all(table.point.get(key) == value for key, value in rating.point.items())
    ]
    values: dict[str, object] = {
        "directory": material.directory,
        "tables": {table.cell: table.seats for table in tables},
        "policies": rating.policies,
        "players": rating.players,
        "level": material.balance.level,
    }
    made = []
    if rating.strengths:
        shows = {own.policy: own.strength for own in rating.strengths}
        pieces = (ROWS, WINNERS, snippets.STRENGTHS)
        reference = {"reference": rating.reference}
        made.append(recipe("strengths of all policies", shows, *pieces, **values, **reference))
    pieces = (ROWS, WINNERS, SHARE)
    payoffs = {(own.first, own.second): own.payoff for own in rating.payoffs}
    made.append(recipe("payoffs of all pairs", payoffs, *pieces, snippets.PAYOFFS, **values))
    if rating.cyclic is not None and rating.transitive is not None:
        shows = {"transitive": rating.transitive, "cyclic": rating.cyclic}
        made.append(
            recipe(
                "what is cyclic",
                shows,
                *pieces,
                snippets.CYCLIC,
                **values,
                among=rating.cyclic_among,
            )
        )
    if rating.nash:
        shows = {own.policy: own.mass for own in rating.nash}
        made.append(recipe("the Nash average", shows, *pieces, snippets.NASH, **values))
    return made


def main_rating(material: Material) -> Rating | None:
    """Return the rating of the main point; parameters of policies are no part of its point."""
    point = {key: value for key, value in material.main_point.items() if "." not in key}
    players = material.reference.players
    return next(
        (one for one in material.ratings if (one.point, one.players) == (point, players)), None
    )


def _ratings(material: Material) -> tuple[list[str], list[Item], list[str]]:
    """Return sentences, figures and notes on the rating of the main point.

    Without restricted play, whose policies have met one other only.
    """
    rating = main_rating(material)
    if rating is None:
        met = any(not table.alike for table in material.main)
        why = needs_matches("How strong the policies are by finishing orders")
        return [why] * (material.of_sums and met), [], []
    level = f"{100 * material.balance.level:g} %"
    items: list[Item] = []
    if rating.strengths:
        strengths_, reference = rating.strengths, rating.reference
        items.append(
            Picture(
                name="strengths",
                alt="Strengths: "
                + "; ".join(f"{own.policy} {change(own.strength)}" for own in strengths_)
                + ".",
                caption=(
                    f"Plackett–Luce strength: log-odds of finishing ahead of {reference}; from "
                    f"{rating.orders:,} finishing orders at {count(len(rating.lineups), 'table')}; "
                    f"bars: {level} intervals, deals as the unit; {_fit_of(rating)}"
                    "what lies further off than 4 is written at the edge."
                ),
                draw=lambda narrow: strengths(strengths_, reference, narrow=narrow),
            )
        )
    mixed = rating.nash if len(rating.nash) >= _FEWEST_FOR_A_MATRIX else []
    if mixed:
        items.append(
            Picture(
                name="nash",
                alt="Nash average: "
                + "; ".join(f"{own.policy} {percent(own.mass, ' %')}" for own in mixed)
                + ".",
                caption=(
                    "Nash average: a mixture that no policy beats, and what each gets from it; the "
                    "most even one; (w − v) / (w + v) of win rates per seat; n = "
                    f"{_matches_of_a_pair(rating)} matches a pair; bars: {level} bootstrap "
                    "intervals over deals."
                ),
                draw=lambda narrow: nash_shares(mixed, narrow=narrow),
            )
        )
    items.append(_rating_grid(rating))
    if len(rating.policies) >= _FEWEST_FOR_A_MATRIX:
        items.append(_payoff_grid(rating))
    notes = [
        (
            "A strength tells who finishes ahead of whom at tables like these; the Nash average "
            "gives no weight to how often a weak policy is beaten."
        )
    ]
    return list(rating_sentences(rating)), items, notes if items else []


def _fit_of(rating: Rating) -> str:
    """Say in a caption whether the strengths are to be believed."""
    if not rating.misfits:
        return ""
    return (
        f"they do not fit these matches (p {p_value(rating.fit_p)}), whose pairings (payoffs) are "
        "to be believed; "
    )


def _matches_of_a_pair(rating: Rating) -> str:
    return matches_of([own.matches for own in rating.payoffs])


def _rating_grid(rating: Rating) -> Grid:
    """Return strengths and the Nash average, whichever of them there are."""
    strength = {own.policy: own.strength for own in rating.strengths}
    nash = {own.policy: own for own in rating.nash}
    strengths_ = (
        "no strengths"
        if rating.reference == ""
        else (
            f"strength (log-odds of finishing ahead of {rating.reference}; {rating.orders:,} "
            "finishing orders)"
        )
    )
    return Grid(
        caption=f"Ratings: {strengths_}, part in the Nash average in %, and payoff from it in %",
        columns=["policy", "strength", "Nash %", "payoff %"],
        rows=[
            [
                name,
                between(strength[name]) if name in strength else "–",
                percent(nash[name].mass) if name in nash else "–",
                between(nash[name].against, 100) if name in nash else "–",
            ]
            for name in dict.fromkeys([*strength, *nash])
        ],
    )


def _payoff_grid(rating: Rating) -> Grid:
    return Grid(
        caption="Payoffs in %, (w − v) / (w + v) of win rates per seat (bootstrap over deals)",
        columns=["policy", "from", "payoff", "all at once", "matches"],
        rows=[
            [
                own.first,
                own.second,
                between(own.payoff, 100),
                between(own.simultaneous, 100),
                f"{own.matches:,}",
            ]
            for own in rating.payoffs
        ],
        words=2,
    )


def _shares(duels: list[Duel]) -> dict[tuple[str, str], Interval]:
    shares: dict[tuple[str, str], Interval] = {}
    for duel in duels:
        if duel.aborted == duel.matches:
            continue
        shares[duel.first, duel.second] = duel.per_seat
        shares[duel.second, duel.first] = turned(duel).per_seat
    return shares


def _widest(duels: list[Duel]) -> float:
    return max(50 * (duel.per_seat.high - duel.per_seat.low) for duel in duels)  # of none: 50


def _dominated(names: list[str], duels: list[Duel]) -> list[str]:
    """Say which policies lose, clearly, against some other one in every comparison with it.

    A policy is dominated here when another one beats it and does at least as well against every
    third policy that both met.
    """
    gains = {(d.first, d.second): d.advantage for d in duels}
    gains |= {(d.second, d.first): turned(d).advantage for d in duels}
    said: dict[str, list[str]] = {}
    for name in names:
        by = [
            other
            for other in names
            if (other, name) in gains
            and gains[other, name].low > 0
            and all(
                gains[other, third].estimate >= gains[name, third].estimate
                for third in names
                if third not in (name, other) and (other, third) in gains and (name, third) in gains
            )
        ]
        if by:
            said.setdefault(by[0], []).append(name)
    if not said:
        return ["No policy here is shown to be dominated by another one."]
    return [
        f"{better} dominates {joined(worse)}: it clearly beats "
        f"{'it' if len(worse) == 1 else 'each of them'} and, by point estimates, does no worse "
        "against any third policy."
        for better, worse in said.items()
    ]


def _duel_grid(material: Material) -> Grid:
    restricted = [one.duel for one in material.balance.restrictions]
    rows = [
        [
            show_all(duel.point) or "–",
            duel.first,
            duel.second,
            percent(duel.share),
            f"{100 * duel.even:.1f}",
            "–"
            if duel.advantage.estimate != duel.advantage.estimate
            else between(duel.advantage, 100),
            p_value(duel.p),
            f"{duel.matches - duel.aborted:,}",
            f"{duel.aborted:,}",
        ]
        for duel in (*material.balance.duels, *restricted)
    ]
    return Grid(
        caption=(
            "All duels, among decided matches (advantage: win rate per seat, points; p for each "
            "by itself)"
        ),
        columns=[
            "at",
            "policy",
            "against",
            "wins %",
            "even %",
            "advantage",
            "p",
            "decided",
            "aborted",
        ],
        rows=rows,
        words=3,
    )


def _share_grid(material: Material) -> Grid:
    rows = []
    for result in material.comparison.lineups:
        if len(result.policies) < _FEWEST_FOR_A_MATRIX:
            continue
        rows += [
            [
                result.lineup,
                show_all(result.point) or "–",
                own.policy,
                mean(own.win_share, 100),
                f"{100 / result.players:.1f}",
                mean(own.score),
                f"{result.matches:,}",
            ]
            for own in result.policies
        ]
    return Grid(
        caption="Tables of three and more policies (win rate and score per seat held)",
        columns=["line-up", "at", "policy", "win rate %", "even %", "score", "matches"],
        rows=rows,
        words=3,
    )
