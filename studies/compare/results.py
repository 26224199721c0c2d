"""What a comparison finds: plain data, which `cardlab compare --json` prints as it stands.

Win rates and scores of a policy are per seat that it holds: two seats of the same policy count
each for itself, so that an even table gives every policy 1 / players. A position is a seat counted
clockwise from the match's `first_seat`, which is position 0.

An aborted match has no winner. Win rates are told of the decided matches of a cell; the same over
all matches, aborted ones in the denominator, stand beside them as `…_of_all`. Scores and metrics
count what was played of aborted matches, too. Where nothing was aborted both are one.

A study tells the same whether it keeps matches or sums over blocks (`detail`); what sums cannot
tell is None, and an interval of which they give the estimate alone has no ends (nan).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from simcore.options import Value
from studies.compare.contrast_results import Factorial, Interaction, Sameness
from studies.compare.population_results import Population
from studies.stats.intervals import Interval


@dataclass(frozen=True)
class Equivalence:
    """Whether a change is shown to lie within ± margin (two one-sided tests).

    Attributes
    ----------
    p_holm : float
        Corrected over all changes of the study that have a margin.
    holds : bool
        Whether `p_holm` is at most 1 - level. False means "not shown", not "different".
    """

    margin: float
    p: float
    p_holm: float
    holds: bool


@dataclass(frozen=True)
class Change:
    """A mean without the variant, and how the variant changes it.

    Attributes
    ----------
    change : Interval
        Cluster-robust over deals.
    p : float
        Sign-flip test over deals; of win rates, where the variant aborts other matches than the
        unchanged rules do, the t-test of the linearised change (`studies.compare.decided`).
    p_holm : float or None
        Corrected over its family; None in a control, where nothing can change, and over all matches
        (`win_share_of_all`), which is no test of its own.
    """

    baseline: float
    change: Interval
    p: float
    p_holm: float | None = None
    equivalence: Equivalence | None = None


@dataclass(frozen=True)
class WinEffect:
    """What a variant changes for somebody.

    Attributes
    ----------
    win_share : Change
        Of decided matches; a match won by k seats gives each 1/k.
    win_share_of_all : Change
        Of all matches: an aborted one counts as won by nobody.
    score : Change
        Of the seats' final scores.
    gained, lost : int or None
        Matches, decided with and without the variant, in which one of the seats is among the
        winners only with, only without it.
    gained_share, lost_share : Interval or None
        The same as shares of the matches decided in both.
    among_winners : Interval or None
        (gained - lost) / matches decided in both: without rotation Newcombe's interval, else
        cluster-robust.
    among_winners_tango : Interval or None
        Tango's interval of the same; None with rotation.
    among_winners_p : float or None
        Sign-flip test over deals; without rotation this is McNemar's exact test.
    """

    win_share: Change
    win_share_of_all: Change
    score: Change
    gained: int | None
    lost: int | None
    gained_share: Interval | None
    lost_share: Interval | None
    among_winners: Interval | None
    among_winners_tango: Interval | None
    among_winners_p: float | None


@dataclass(frozen=True)
class PolicyEffect(WinEffect):
    """What a variant changes for a policy, per seat that it holds."""

    policy: str
    seats: int


@dataclass(frozen=True)
class PositionEffect(WinEffect):
    """What a variant changes for whoever sits at a position."""

    position: int


@dataclass(frozen=True)
class VariantEffect:
    """What a variant changes, at one line-up and sweep point.

    Attributes
    ----------
    changed : dict
        Option -> [value without, value with].
    control : bool
        Whether nothing is changed: an A/A control, whose rows must equal the baseline's.
    another_winner : Interval
        Share of the `decided` matches (won by somebody with and without the variant) of which
        another set of seats is the winner.
    aborted_in_one : Interval
        Share of matches that are aborted either with or without the variant, not in both.
    winners_differ, in_play : Interval
        Shares of matches; the first counts "aborted" as one more set of winners, so that it is made
        of both shares above; the second those recorded otherwise (`measures.told_apart`), None
        for a control.
    clauses : list of str
        The clauses that carry out the changed options.
    floor, independent : Interval
        The least share of other winners that the two distributions of winners allow ("aborted"
        being one); the share if both were played with other cards. Of sums without ends, which take
        resampled deals.
    metrics : dict
        Changes of the game's metrics, its length among them; of sums also those that every game
        has, which are no tests (`p_holm` is None).
    aborted : list of int
        Aborted matches without, with the variant.
    aborted_share : list of Interval
        The same as shares of matches.
    """

    variant: str
    lineup: str
    point: dict[str, object]
    changed: dict[str, list[Value]]
    control: bool
    deals: int
    rotations: int
    matches: int
    winners_differ_count: int
    winners_differ: Interval
    floor: Interval
    independent: Interval
    clauses: list[str]
    in_play_count: int | None
    in_play: Interval | None
    policies: list[PolicyEffect]
    positions: list[PositionEffect]
    metrics: dict[str, Change]
    aborted: list[int]
    aborted_share: list[Interval]
    aborted_in_one_count: int
    aborted_in_one: Interval
    decided: int
    another_winner_count: int
    another_winner: Interval

    @property
    def any_aborted(self) -> bool:
        """Whether a match was aborted with or without the variant."""
        return any(self.aborted)


@dataclass(frozen=True)
class Superlative:
    """Which variant changes the winners most or least often at a table; controls do not take part.

    Attributes
    ----------
    kind : str
        "most" or "least".
    variant, against : str
        That with the largest (smallest) share of other winners; the one that is least known to have
        a smaller (larger) share.
    difference : Interval
        Between the two, on the deals that they share.
    p_holm : float
        Corrected over all superlatives of the study; while it is large, neither can be called the
        one that changes the winners most (least) often.
    """

    kind: str
    lineup: str
    point: dict[str, object]
    variant: str
    against: str
    difference: Interval
    p: float
    p_holm: float


@dataclass(frozen=True)
class Fares:
    """How somebody fares in a cell: win rate and score per seat.

    Attributes
    ----------
    win_share : Interval
        Of decided matches.
    win_share_of_all : Interval
        Of all matches: an aborted one counts as won by nobody.
    """

    win_share: Interval
    score: Interval
    win_share_of_all: Interval


@dataclass(frozen=True)
class PolicyShare(Fares):
    """How a policy fares, per seat that it holds.

    Attributes
    ----------
    simultaneous : Interval or None
        Of the win rate: these cover the shares of all policies of the table at once.
    """

    policy: str
    seats: int
    simultaneous: Interval | None


@dataclass(frozen=True)
class PositionShare(Fares):
    """How whoever sits at a position fares."""

    position: int


@dataclass(frozen=True)
class PolicyDifference:
    """Win rate of `first` less that of `second`, per seat, of decided matches on the same deals.

    Attributes
    ----------
    simultaneous : Interval or None
        These cover all differences of the study at once (max-T).
    p : float
        Sign-flip test over deals.
    p_family : float or None
        Corrected over all differences of the study: step-down max-T by sign-flips over deals.
    p_holm : float
        The same by Holm's method.
    """

    first: str
    second: str
    difference: Interval
    simultaneous: Interval | None
    p: float
    p_family: float | None
    p_holm: float
    equivalence: Equivalence | None = None


@dataclass(frozen=True)
class LineupResult:
    """The policies of a line-up, and its positions, against each other under the unchanged rules.

    Attributes
    ----------
    policies : list of PolicyShare
        Best first.
    metrics : dict
        Means of the game's metrics; of sums those that every game has, too.
    """

    lineup: str
    point: dict[str, object]
    players: int
    rotated: bool
    deals: int
    rotations: int
    matches: int
    aborted: int
    aborted_share: Interval
    policies: list[PolicyShare]
    positions: list[PositionShare]
    differences: list[PolicyDifference]
    metrics: dict[str, Interval]


@dataclass(frozen=True)
class Strength:
    """Plackett–Luce strength of a policy: log-odds of finishing ahead of `Rating.reference`."""

    policy: str
    strength: Interval


@dataclass(frozen=True)
class Misfit:
    """Where a policy fares otherwise than its strength says.

    Attributes
    ----------
    winning : bool
        Whether as winner; else in the places behind.
    seen, expected : float
        How often it comes next among those still in, and how often by the strengths.
    p : float
        Corrected over all that was tested.
    """

    lineup: str
    policy: str
    winning: bool
    seen: float
    expected: float
    p: float


@dataclass(frozen=True)
class Payoff:
    """What `first` wins from `second`: (w - v) / (w + v) of their win rates per seat, -1 to 1.

    Attributes
    ----------
    simultaneous : Interval
        These cover all payoffs of the rating at once.
    duels : bool
        Whether from tables with these two policies only; else from all at which both sit.
    """

    first: str
    second: str
    payoff: Interval
    simultaneous: Interval
    duels: bool
    matches: int


@dataclass(frozen=True)
class Cycle:
    """Three policies of which each beats the next: the sum of the three log-odds.

    Attributes
    ----------
    strength : Interval
        These cover the sums of all triples at once; a cycle is listed when it lies above 0.
    """

    policies: list[str]
    strength: Interval


@dataclass(frozen=True)
class NashShare:
    """A policy's part in the Nash average.

    Attributes
    ----------
    mass : Interval
        How often the most even optimal mixture plays it.
    against : Interval
        Its payoff against that mixture: 0 for its members, below 0 for others.
    """

    policy: str
    mass: Interval
    against: Interval


@dataclass(frozen=True)
class Rating:
    """All policies of a sweep point, over all its line-ups, under the unchanged rules.

    Attributes
    ----------
    strengths : list of Strength
        Best first; empty where they do not exist, with the reason in `no_strengths`.
    reference : str
        The policy of strength 0: that against which the others are known best.
    lead : Interval or None
        Strength of the first less that of `rival`, the other one that it is least surely ahead of.
    fit_p : float or None
        Of "one strength a policy fits" (`studies.stats.fit`); None where nothing could deviate.
    misfits : list of Misfit
        The deviations that are shown, most surely first. Where there are any, the payoffs are to be
        believed, and not the strengths.
    orders, aborted : int
        Matches whose finishing order went into the strengths; matches that nobody won.
    cyclic : Interval or None
        Root mean square of that part of the log-odds that no ranking explains. None below three
        policies, where not every two have met, and where all met at one table, which cannot show
        cycles.
    transitive : Interval or None
        Root mean square of the part of the log-odds that a ranking explains.
    cyclic_p : float or None
        Of "there is no cyclic part".
    cyclic_among : list of str
        The policies that this is about: those of which each has won and lost against each other
        one.
    cycles : list of Cycle
        Cycles that are shown.
    nash : list of NashShare
        Empty unless every two policies have met.
    """

    point: dict[str, object]
    players: int
    policies: list[str]
    lineups: list[str]
    deals: int
    strengths: list[Strength]
    no_strengths: str
    reference: str
    lead: Interval | None
    rival: str
    fit_p: float | None
    misfits: list[Misfit]
    orders: int
    aborted: int
    payoffs: list[Payoff]
    cyclic: Interval | None
    transitive: Interval | None
    cyclic_p: float | None
    cyclic_among: list[str]
    cycles: list[Cycle]
    nash: list[NashShare]


@dataclass(frozen=True)
class Comparison:
    """All that `cardlab compare` tells of a study directory.

    Attributes
    ----------
    detail : str
        What the study keeps: "matches", "summary" (sums).
    ratings : list of Rating or None
        One a sweep point with two policies or more.
    interactions : list of Interaction
        Of variants that stand alone and together, one family over the study.
    factors : Factorial or None
        Main effects and interactions, where the study has factors.
    sameness : list of Sameness
        Whether each change is the same at all points of the sweep, and for all line-ups.
    population : Population or None
        What tables drawn from a population tell of it.
    tests_of_variants, tests_of_scores, tests_of_metrics : int
        Sizes of the families of changes of win rate, of scores and of metrics (Holm).
    tests_of_policies : int
        Size of the family of differences of policies (max-T).
    tests_of_equivalence : int
        Size of the family of equivalence tests (Holm).
    incomplete : list of str
        Cells that have no matches on the deals of their baseline.
    incomparable : list of str
        Cells with other seats than their baseline: a variant that changes the players.
    anytime : bool
        Whether intervals of other winners, win rates and their changes are confidence sequences.
    """

    title: str
    game: str
    detail: str
    level: float
    coupling: str
    assumptions: list[str]
    incomparable: list[str]
    margins: dict[str, float]
    incomplete: list[str] = field(default_factory=list)
    variants: list[VariantEffect] = field(default_factory=list)
    lineups: list[LineupResult] = field(default_factory=list)
    ratings: list[Rating] | None = None
    superlatives: list[Superlative] | None = None
    interactions: list[Interaction] = field(default_factory=list)
    factors: Factorial | None = None
    sameness: list[Sameness] = field(default_factory=list)
    population: Population | None = None
    tests_of_variants: int = 0
    tests_of_scores: int = 0
    tests_of_metrics: int = 0
    tests_of_policies: int = 0
    tests_of_equivalence: int = 0
    remarks: list[str] = field(default_factory=list)
    anytime: bool = False
