"""What a game must provide: its rooms, and what stands in each.

A game is a folder `simcore/games/<name>` with a module for every room. `Game.room` imports one;
`batch`, `replay`, `strategies.search` and the tests use what is said here and nothing else of a
game. `tests/contract/test_rooms.py` holds every game to it, by names and parameters. Beside these
rooms a game has `options.py` with `GAME`, its descriptor (`game.Game`), and RULES.md, whose marks
code and tests name; what else it divides its rules into is its own affair.

TABLE, SEAT and BOX are the three records of a game (`simcore.records`); kernels are compiled
functions of them and change them in place. They assume what they are given to be legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from simcore.events import RoundEnd, RoundStart, State, Step
from simcore.options import Options
from simcore.records import Dtypes

Array = npt.NDArray[Any]
Table = Any
"""A TABLE record."""

Seat = Any
"""A SEAT record."""

Box = Any
"""A BOX record."""


class BlockKernel(Protocol):
    """A game's kernel that plays a block of matches, one after another or many side by side.

    Rows do not depend on which.
    """

    def __call__(
        self,
        tables: np.recarray,
        boxes: np.recarray,
        seed: int,
        first: int,
        count: int,
        out: tuple[Array, ...],
        row: int,
    ) -> int:
        """Play the matches first … first + count − 1 and write them to rows from `row` on.

        Parameters
        ----------
        tables, boxes : record[n]
            As `batch.records` returns them, modified in place.
        seed, first, count : int
        out : tuple of arrays
            `first_seat` uint8[m], `winners` uint16[m], `aborted` uint8[m], `scores`
            int32[players, m], `metrics` int32[metrics, m], modified in place.
        row : int

        Returns
        -------
        int
            How many matches were played: `count`, or fewer when a policy returned an illegal move.
            After one match after another the position is then in the first records, the move in
            `illegal_move`; after many side by side the rows are good for nothing.
        """


class TableRoom(Protocol):
    """`table`: the three records.

    Attributes
    ----------
    PHASES : dict of int to str
        What a seat on turn may have to decide, by the number in `table.phase`.
    RECORDS : int
        How many TABLE and BOX records a block needs; matches played side by side need several.
    """

    PHASES: Mapping[int, str]
    RECORDS: int

    def record_dtypes(self, options: Options) -> Dtypes:
        """Return the dtypes of the three records for a game with these options."""

    def new_records(self, options: Options) -> tuple[np.recarray, np.recarray]:
        """Return fresh TABLE[1] and BOX[1] with the options filled in."""


class KernelRoom(Protocol):
    """`kernel`: the rules, compiled, and the kernels that play blocks.

    Attributes
    ----------
    play_block : BlockKernel
        Plays one match after another, whoever plays.
    """

    play_block: BlockKernel

    def block_kernel(self, table: Table, box: Box) -> BlockKernel:
        """Return the kernel that plays blocks of such matches: `play_block` or a quicker one."""

    def start_match(self, table: Table, box: Box, seed: int, match: int) -> None:
        """Begin a match: streams, totals, metrics, who begins."""

    def start_round(self, table: Table, box: Box) -> None:
        """Deal a round and put the seat that decides first on turn."""

    def find_moves(self, table: Table, seat: Seat) -> int:
        """Find the legal moves of the seat on turn; return how many they are."""

    def legal_moves(self, table: Table, seat: Seat) -> None:
        """Write the moves found to `seat.moves`."""

    def is_legal(self, table: Table, seat: Seat, move: int) -> bool:
        """Tell whether a move is among those found."""

    def nth_move(self, table: Table, seat: Seat, index: int) -> int:
        """Return the move number `index` (from 0) of those found, in the order of `moves`."""

    def choose(self, tables: np.recarray, boxes: np.recarray) -> int:
        """Return what the policy of the seat on turn chooses, or `records.NO_MOVE`."""

    def apply_move(self, table: Table, box: Box, move: int) -> None:
        """Carry out a move; then who decides next is on turn, or the phase says that none does."""

    def score_round(self, table: Table, box: Box) -> None:
        """Score a round that is over; then the phase says whether the match is."""

    def finish_match(self, table: Table) -> None:
        """Name the winners, and what is counted of a match once it is over."""


class KernelExtras(Protocol):
    """What `kernel` has in games that have use for it."""

    def is_aside(self, table: Table, seat: Seat) -> bool:
        """Tell whether a decision draws from a stream of its own (`match.aside_stream`).

        In games where an option adds decisions or drops them, so that other options' matches go on
        with the same random numbers.
        """

    def by_spec(self, table: Table, seat: Seat) -> int:
        """Return the move of a seat that plays as its spec says, without a policy that is called.

        In games with policies that are nothing but a play spec.
        """


class WordsRoom(Protocol):
    """`words`: a match as a spectator who sees all cards tells it; not compiled.

    Attributes
    ----------
    CARD_COLOURS : sequence of (str, str)
        A regular expression for a card's name, and the colour to write it in (a style of rich).
    """

    CARD_COLOURS: Sequence[tuple[str, str]]

    def round_in_words(self, start: RoundStart, names: Sequence[str]) -> Iterator[str]:
        """Yield lines that tell the deal; `names` are the players by seat."""

    def step_in_words(self, step: Step, names: Sequence[str]) -> Iterator[str]:
        """Yield lines that tell a move and what came of it."""

    def score_in_words(self, end: RoundEnd, names: Sequence[str]) -> Iterator[str]:
        """Yield lines that tell how a round was scored."""

    def amount(self, table: Table, number: int) -> str:
        """Return so much of what a match is won with: three tricks, 12 points."""

    def table_in_words(self, state: State, names: Sequence[str]) -> Iterator[str]:
        """Yield lines that draw the table."""

    def move_in_words(self, table: Table, seat: Seat, move: int) -> str:
        """Return a legal move of the seat on turn in words; its moves have been found."""

    def mark_of(self, table: Table, seat: Seat, move: int) -> str:
        """Return the mark of the clause of RULES.md that a move carries out, as in "[R12]"."""


class WordsExtras(Protocol):
    """What `words` has in games that have use for it."""

    def occasion(self, table: Table) -> str:
        """Return what a decision is for, to be put between "may" and the moves."""


class UnseenRoom(Protocol):
    """`unseen`: what a seat cannot see, dealt anew; for searches and for tests of blindness."""

    def deal_unseen(self, table: Table, seat: Seat, box: Box, stream: Array) -> None:
        """Deal what a seat cannot see, each deal consistent with what it saw equally likely.

        Parameters
        ----------
        table, seat : record
            As the seat sees them; not changed.
        box : record
            Modified in place.
        stream : uint64[2]
            Random numbers; modified in place.
        """


class UnseenExtras(Protocol):
    """What `unseen` has in games that have use for it; without, `strategies.search` does."""

    def deal_believed(
        self, table: Table, seat: Seat, box: Box, stream: Array, trust: float
    ) -> None:
        """Deal what is likely by what the others did, to the degree of `trust`, 0 … 1."""

    def beliefs(self, table: Table) -> int:
        """Return how many parameters of a search say what it believes."""

    def take_back(self, table: Table, box: Box) -> None:
        """Take back what the other seats chose in secret; put the first of them on turn."""

    def is_overdue(self, table: Table) -> bool:
        """Tell whether a round lasts so long that a search should let it end."""

    def score_sign(self, table: Table) -> float:
        """Return 1 when the highest score wins, -1 when the lowest does.

        In games where an option decides that.
        """


class SpecRoom(Protocol):
    """`spec`: how a policy plays, in whole numbers (a play spec).

    Attributes
    ----------
    play_spec : callable
        Takes what a player weighs, in the game's own terms, and returns at most
        `records.SPEC_WORDS` whole numbers, the first of them not 0.
    """

    play_spec: Callable[..., Sequence[int]]


class SpecExtras(Protocol):
    """What `spec` has in games that have use for it."""

    def for_match(self, words: Sequence[int], options: Options) -> Sequence[int]:
        """Return the words of a play spec as kernels take them under these options."""


ROOMS: Mapping[str, tuple[type, ...]] = {
    "table": (TableRoom,),
    "kernel": (KernelRoom, KernelExtras),
    "words": (WordsRoom, WordsExtras),
    "unseen": (UnseenRoom, UnseenExtras),
    "spec": (SpecRoom, SpecExtras),
}
"""The rooms: what each must have, and what it may have besides."""
