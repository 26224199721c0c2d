"""What measuring the balance finds. Nothing is computed here.

Every `Interval` is a 95 % interval at the level of `Balance.level`, built from one value a deal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from simcore.options import Options
from studies.stats.intervals import Interval


@dataclass(frozen=True)
class Share:
    """A number of matches and what share of all it is."""

    count: int
    share: Interval


@dataclass(frozen=True)
class Outcomes:
    """How matches end: one winner, a shared win, or aborted (won by nobody)."""

    single: Share
    shared: Share
    aborted: Share


@dataclass(frozen=True)
class Seats:
    """Win rate and mean final rank by position (0 = the seat that begins, then clockwise).

    All of it among decided matches: what is aborted is won by nobody, which is no matter of seats.

    Attributes
    ----------
    win_share, rank : list of Interval
        Simultaneous: all of a list hold together at the level. Rank 1 is best; ties share the mean
        of their ranks; ranks are those of deals without any aborted match. None of sums.
    even : float
        The win rate of each position if there were no advantage.
    spread : float
        Largest less smallest win rate.
    p : float
        Of "all positions win equally often": below 1 - level just where one of the intervals of
        `win_share` leaves `even` out. NaN where nothing was decided.
    """

    win_share: list[Interval]
    rank: list[Interval] | None
    even: float
    spread: float
    p: float


@dataclass(frozen=True)
class Distribution:
    """Of a whole number a match.

    Attributes
    ----------
    counts : dict of int to int
        Value -> matches; empty of sums, of which `quantiles` are, too.
    mean : Interval
        Cluster-robust over deals.
    quantiles : dict of float to Interval
        Order-statistic intervals; where deals are rotated at the number of deals, which is at least
        as wide as needed.
    deals : int
        That the intervals rest on.
    """

    name: str
    meaning: str
    counts: dict[int, int] = field(repr=False)
    mean: Interval
    quantiles: dict[float, Interval]
    deals: int

    @property
    def matches(self) -> int:
        """Number of matches."""
        return sum(self.counts.values())


@dataclass(frozen=True)
class Course:
    """In what the course of a match is counted: its name, and the metric that tells how many."""

    name: str
    metric: str


@dataclass(frozen=True)
class Drama:
    """How a match gets to its winner, as far as its row tells.

    Attributes
    ----------
    course : Course
        What scores are noted after.
    lead_changes : Distribution or None
        None when the game does not count them.
    led_throughout : Share or None
        Matches won by who led first, without any change of lead.
    comeback : Distribution
        Points by which the winner was once behind whoever led, 0 when never; of several winners the
        one furthest behind. Matches with a winner only.
    behind : Share
        Matches whose winner was once behind.
    settled : Distribution
        After how many % of the match (rounded up) the lead did not change again; matches with a
        winner only.
    by_quarter, by_half : Share
        Matches whose lead was settled by then.
    margin : Distribution
        Points between the winners and the best of the others; matches with a winner only.
    close, runaway : Share or None
        Of matches with a winner: margin at most a tenth of the distance between first and last, or
        at least half of it. None for two players, where the two are the same.
    """

    course: Course
    lead_changes: Distribution | None
    led_throughout: Share | None
    comeback: Distribution
    behind: Share
    settled: Distribution
    by_quarter: Share
    by_half: Share
    margin: Distribution
    close: Share | None
    runaway: Share | None


@dataclass(frozen=True)
class Parts:
    """Variance of an outcome of one seat in one match, split over its sources.

    Attributes
    ----------
    total : float
        Variance.
    shares : dict of str to Interval
        Source -> share of the variance, by the names in `studies.balance.luck.SOURCES`. Estimated
        without bias, so that a part that is not there may come out below 0.
    most : float
        Of who wins: the share that the policy which is ahead would explain if it always won, by lot
        at either of its seats. NaN of scores, which have no such end.
    """

    total: float
    shares: dict[str, Interval]
    most: float = math.nan

    @property
    def policy_of_most(self) -> Interval:
        """The part of the policies, as a share of what one that always won would explain."""
        own = self.shares["policy"]
        return Interval(*(bound / self.most for bound in (own.estimate, own.low, own.high)))


@dataclass(frozen=True)
class Luck:
    """Luck against skill at a table whose policies take every seat on every deal.

    Attributes
    ----------
    deals, left_out : int
        Deals all of whose matches were decided; the others, which are left out.
    """

    policies: list[str]
    deals: int
    left_out: int
    win: Parts
    score: Parts


@dataclass(frozen=True)
class Notable:
    """A match worth looking at.

    Attributes
    ----------
    kind : str
        "longest", "closest", "clearest", "most lead changes", "largest comeback" or "aborted".
    value : int
        What makes it so: moves, points, changes.
    seats : list of str
        Who sat where in this match, its rotation carried out.
    """

    kind: str
    value: int
    match: int
    rotation: int
    seats: list[str]


@dataclass(frozen=True)
class TableBalance:
    """A cell: one set of rules with one strategy in each seat.

    Attributes
    ----------
    strategies : list of str
        The different ones, in the order of the seats.
    decisions : Interval
        Mean number of decisions with a choice in a match, all seats together.
    forced : Interval
        Share of decisions that had one legal move.
    drama : Drama or None
        None of sums.
    luck : Luck or None
        None unless the line-up is rotated and its policies differ, and of sums.
    """

    cell: str
    variant: str
    lineup: str
    point: dict[str, object]
    options: Options
    seats: list[str]
    strategies: list[str]
    rotations: int
    seed: int
    coupling: str
    deals: int
    matches: int
    outcomes: Outcomes
    positions: Seats
    moves: Distribution
    lengths: list[Distribution]
    decisions: Interval
    forced: Interval
    drama: Drama | None
    luck: Luck | None
    notable: list[Notable]

    @property
    def lead(self) -> Drama:
        """How a match gets to its winner; asked for where matches are kept."""
        assert self.drama is not None
        return self.drama

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.seats)

    @property
    def decided(self) -> int:
        """Number of matches with a winner."""
        return self.matches - self.outcomes.aborted.count

    @property
    def alike(self) -> bool:
        """Whether the same strategy sits everywhere."""
        return len(self.strategies) == 1


@dataclass(frozen=True)
class Duel:
    """Two strategies at one table, each in every seat on every deal.

    Attributes
    ----------
    share, other_share : Interval
        Of the decided matches, won by `first` and by `second`, however many seats each holds; a
        shared win is split. Together 1.
    even : float
        The share of `first` if both were equally strong: its seats over all seats.
    advantage : Interval
        Win rate per seat of `first` less that of `second`; lies above 0 just where `share` lies
        above `even`.
    p : float
        Of "no difference"; at most 1 - level just where the interval leaves `even` out.
    matches, aborted : int
        All, and those that nobody won.
    """

    lineup: str
    point: dict[str, object]
    first: str
    second: str
    share: Interval
    other_share: Interval
    even: float
    advantage: Interval
    p: float
    deals: int
    matches: int
    aborted: int = 0

    @property
    def per_seat(self) -> Interval:
        """What `first` wins of what the two win, per seat held: even is one half."""

        def of(share: float) -> float:
            own = share / self.even
            return own / (own + (1 - share) / (1 - self.even))

        return Interval(*map(of, (self.share.estimate, self.share.low, self.share.high)))


@dataclass(frozen=True)
class Ladder:
    """Strategies from weakest to strongest at one sweep point, and the steps between neighbours.

    Attributes
    ----------
    steps : list of Duel
        `first` is the stronger; there is none where the two were not set against each other.
    """

    point: dict[str, object]
    order: list[str]
    steps: list[Duel]


@dataclass(frozen=True)
class Restriction:
    """A policy against itself with some parameters changed: what doing without is worth.

    Attributes
    ----------
    changed : dict
        Parameter -> [value of `full`, value of `restricted`]; None where it is not known.
    duel : Duel
        `first` is the unrestricted one.
    """

    full: str
    restricted: str
    changed: dict[str, list[float | None]]
    duel: Duel


@dataclass(frozen=True)
class Balance:
    """All that is measured in a study directory."""

    game: str
    level: float
    tables: list[TableBalance]
    duels: list[Duel]
    ladders: list[Ladder]
    restrictions: list[Restriction]
    incomplete: list[str]
