"""Random programs of rules: the whole language, with effects wherever Python allows them.

A program is a game of one's own in one to three files: state, options, helpers, a decision beside
the move, a policy, tables, a file of rules that wraps a step and counts. Names are those that a
translator might use itself. Programs seldom do what they may not; where one does, ordinary Python
and compiled code have to say so in the same words.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.own.small import text_of

DECKS = (
    ("french_deck()", 64),
    ("skat_deck()", 32),
    ('cards_of("ABCD", range(2, 15))', 64),
    ('cards_of("ABC", range(9), packs=2)', 128),
    ('cards_of("ABCDE", range(20))', 160),
    ("numbered(60)", 60),
    ("numbered(130)", 130),
    ("numbered(250)", 250),
    ('cards_of("ABCDEFG", range(30))', 224),
    ('cards_of("AB", ("low", "high", "odd"), packs=4)', 256),
)
EXPRESSIONS = """
N
    leaf: <n>  <n>  <n>  INTEGER  INTEGER  255  1048576
    leaf state: s.last  size  s.round_number  len(s.laid)  s.sums[WHO][N % 3]  s.mark[WHO]
    leaf rules: len(s.hand[WHO])  len(s.stock)  len(s.row[WHO])
    rules: (top(s.row[SAME], (N & 7) % len(s.row[SAME])) if s.row[SAME] else N)
    rules: (bottom(s.row[SAME]) if s.row[SAME] else N)  seen(WHO, s.row[WHO], (N & 7) - 1)
    (N ARITH N)  (N ARITH N)  ((N & 1023) * (N & 63))  (N // ((N & 7) + 1))  (N % ((N & 7) + 1))
    (N if T else N)  (N BOTH N)  (bool(T) BOTH N)  MOST(N, N)  abs(N)  (-N if T else ~N)
    ((N & 4095) << (N & 7))  ((N & 4095) >> (N & 7))
    (N >> (N & 127))  ((N & 1) << (N & 31))  int(F)  popcount(N)  shr(N, 45)  (bool(T) + N)
    len(S)  lowest(S or {CARD})  highest(S | {CARD})  NTH  MOST(S | {CARD, CARD}, key=lambda c: N@c)
    TABLE[N % 5]  tables.TABLE[N % 7]  ROWS[N % 3][N % 2]
    sum(N & 255 EACH)  len({N % SIZE EACH})  sum(1 EACH)  any(T EACH)  all(T EACH)
    MOST(N@k for k in range(3))  paired(N, S)  as_truth(N, N)  CALL_n  CALL_n  CALL_n
    suits: rank(N & 31)  suit(N & 63)
    effects: below(s, STREAM, (N & 15) + 1)  below(s, STREAM, (N & 15) + 1)  below(s, STREAM, 6)
    rules effects: (draw(s.stock, s.laid) if len(s.stock) > THIRD else N)
T
    leaf: N COMPARE N  N & 1  N in S  S
    N ORDER N ORDER N  (T and T)  (T or T)  not (T)  N not in S  N in (N, N)  S == S  S != S
    F < N  CALL_b  MOST(F, NAN) ORDER F  MOST(NAN, F) ORDER F  abs(F - NAN) ORDER 1.0
    BIG + (N & 3) ORDER 9007199254740992.0 + (N & 1)  F ORDER N ORDER F
    F ORDER BIG + (N & 3) ORDER 9007199254740992.0 + (N & 1)
    state: way == "low"
S
    leaf: <s>  <s>  {CARD}  set()  FEW
    leaf state: s.laid  s.laid  s.noted
    leaf rules: s.hand[WHO]  s.hand[WHO]  s.pile[WHO]  s.row[WHO]
    leaf teams: team(WHO)  partners(WHO)  {partner(WHO)}
    leaf suits: of_suit(N)  of_rank(N)
    (S SETS S)  (S SETS S)  (S if T else S)  (S BOTH S)  {N & 31, N & 15}
    {c for c in S if T@c}  {N % SIZE EACH}  lower(S, N)  higher(S, N)  CALL_s
F
    leaf: <f>  0.5  2.25
    (F + F)  (F - F)  (F * F)  (N & 1023) / ((N & 7) + 1)  (F if T else F)  min(F, 1000.0)  abs(F)
    CALL_f
    leaf effects: uniform(s, STREAM)  uniform(s, STREAM)
WHO
    leaf: <seat>  <seat>  0  players - 1  after(<seat>, 1)  after(<seat>, -1)
    N % players
OVER
    leaf: S  S  range(3)  range(N & 3)  range(2, N % 7)  seats()
RANGE
    leaf: seats()  range(3)  range((N) & 3)  range((N) & 7, -1, -2)
    leaf: range((N) % 5, 6, 1 + ((N) & 1))
ARITH
    leaf: +  -  &  |  ^
SETS
    leaf: |  &  -  ^
BOTH
    leaf: and  or
MOST
    leaf: min  max
COMPARE
    leaf: <  <=  ==  !=  >
ORDER
    leaf: <  <=  !=
AUG
    leaf: +=  -=  |=  ^=  &=
NUMBERS
    leaf: x  y  z  total  best  worth  first  most  kept  rest  found  last  seat_now  a  b  best_
    leaf: got_  t1_  s0
GROUPS
    leaf: those  mine  group  left_over  cards0  hand  hand__0  rest_
TITLES
    leaf: worth_  rarely_  best_score_  step_  choose  after_  index_  swap
"""
"""What stands for each word in capitals, and what it needs; leaves do for the innermost, too.

<n> is a known number, `N@c` one that may use c; EACH is a loop whose variable the rest may use.
"""


STATEMENTS = {
    "": [
        "NAME = (N) & 1023",
        "NAME = (N) & 1023",
        "NAME = (N) & 1023",
        "GROUP = S",
        "NAME, OTHER = (N) & 255, (N) & 511",
        "NAME = (N) & 7\nNAME AUG (N) & 255\nNAME &= 1023",
        "LOCAL AUG (N) & 255\nLOCAL &= 1023",
    ],
    "deep": [
        "if T:\n    BLOCK",
        "if T:\n    BLOCK\nelse:\n    BLOCK",
        "if T:\n    BLOCK\nelif T:\n    BLOCK\nelse:\n    BLOCK",
        "for STEP in RANGE:\n    LOOP",
        "for STEP in S:\n    LOOP",
        "COUNT = (N) & 3\nwhile COUNT > 0 and (T):\n    COUNT -= 1\n    LOOP",
        "real = F",
    ],
    "loops": ["if T:\n    break", "if T:\n    continue"],
    "rules effects": [
        "s.sums[WHO][N % 3] AUG (N) & 255",
        "s.sums[WHO][N % 3] AUG (N) & 255",
        "s.last = (N) & 255",
        "s.mark[WHO] = (N) & 255",
        "s.mark[WHO], s.last = s.last, (N) & 255",
        "s.last = s.mark[WHO] = s.sums[WHO][N % 3] = (N) & 255",
        "s.count.turns += (N) & 3",
        "s.noted = S",
        "move(s.pile[0] & (QUIET), s.pile[0], s.laid)",
        "move(s.pile[players - 1] & (QUIET), s.pile[players - 1], s.pile[WHO])",
        "if len(s.stock) > HALF:\n    draw(s.stock, s.pile[WHO])",
        "if len(s.stock) > HALF:\n    draw(s.stock, s.pile[WHO], (N) & 3)",
        "HELPER",
        "HELPER",
        "insert(s.pile[SAME] & (QUIET), s.pile[SAME], s.row[SAME], len(s.row[SAME]) // 2)",
        "if s.row[0]:\n    insert(top(s.row[0]), s.row[0], s.row[0], len(s.row[0]) - 1)",
        "move(s.row[SAME] & (QUIET), s.row[SAME], s.row[SAME])",
        "cut(s.row[SAME], (N & 7) % (len(s.row[SAME]) + 1))",
        "shuffle(s.row[WHO])",
        "if s.row[0]:\n    look(WHO, s.row[0], (N & 7) % len(s.row[0]))",
        "draw(s.row[WHO], s.row[WHO], min(N & 3, len(s.row[SAME]) * 0))",
    ],
}
"""Statements by what they need; BLOCK and LOOP are more of them, LOOP with `break`."""


def ways_of(text: str) -> dict[str, list[tuple[set[str], str]]]:
    """Return what may stand for each word: what it needs, and its text."""
    ways: dict[str, list[tuple[set[str], str]]] = defaultdict(list)
    word = ""
    for line in text.strip().splitlines():
        if not line.startswith(" "):
            word = line
            continue
        needs, texts = re.fullmatch(r" +(?:([a-z ]+): )?(.*)", line).groups()  # type: ignore[union-attr]
        ways[word] += [(set((needs or "").split()), template) for template in texts.split("  ")]
    return ways


WAYS = ways_of(EXPRESSIONS)
PROBES = 24
"""Functions of a program that are tried beside its own rules: compiling takes long."""

LEVEL = "\n    for one in seats():\n        s.points[one] = s.points[lowest(team(one))]"
"""Gives a team one total."""

NAMES, GROUPS, TITLES = (
    [name for _, name in WAYS[word]] for word in ("NUMBERS", "GROUPS", "TITLES")
)
WORD = re.compile(r"<(\w+)>|\b([A-Z]+(?:_[nbsf])?)(?:@(\w))?\b")


@dataclass
class Scope:
    """What a piece of source may use: names by kind (n, s, f, seat), and what it may do."""

    can: set[str]
    names: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    stream: str = "CHANCE"

    @classmethod
    def of(cls, can: str, stream: str = "CHANCE", **names: str) -> Scope:
        by_kind = defaultdict(list, {kind: words.split() for kind, words in names.items()})
        return cls(set(can.split()), by_kind, stream)

    def copy(self) -> Scope:
        names = {kind: list(words) for kind, words in self.names.items()}
        return replace(self, names=defaultdict(list, names))

    def quiet(self) -> Scope:
        return replace(self, can=self.can - {"effects"})

    def with_bound(self, name: str, *kinds: str) -> Scope:
        """Return the scope within a loop over a name."""
        inner = self.copy()
        for words in inner.names.values():
            words[:] = [word for word in words if word != name]
        for kind in kinds:
            inner.names[kind].append(name)
        return inner

    def learn(self, name: str, kind: str = "n") -> None:
        if name not in self.names[kind]:
            self.names[kind].append(name)


@dataclass
class Helper:
    """A function that others call; kinds are n, s, f, and b for a test."""

    name: str
    params: list[str]
    gives: str  # n, b, s, f, nn, ns or nothing
    can: set[str]


class Rules:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311
        self.deck, self.places = self.chance.choice(DECKS)
        self.suits = "" if self.deck.startswith("numbered") else " suits"
        self.has_teams = self.maybe(0.2)
        self.suits += " teams" * self.has_teams
        self.players = 4 if self.has_teams else 2 + seed % 3
        self.helpers: list[Helper] = []
        self.probes: dict[int, str] = {}

    def maybe(self, share: float) -> bool:
        return self.chance.random() < share

    # ---- expressions

    def word(self, word: str, scope: Scope, depth: int) -> str:
        """Return something that a word stands for."""
        match word:
            case "INTEGER":
                return str(self.chance.randint(-3, 9))
            case "CARD":
                return str(self.chance.randrange(min(self.places, 32)))
            case "SIZE":
                return str(min(self.places, 60))
            case "THIRD" | "HALF":
                return str(self.places // (3 if word == "THIRD" else 2))
            case "STREAM":
                return scope.stream
            case "QUIET":
                return self.word("S", scope.quiet(), depth)
            case "NTH":
                cards = self.text("S | {CARD, CARD}", scope.quiet(), depth)
                return f"nth({cards}, {self.word('N', scope.quiet(), depth)} % len({cards}))"
        if word.startswith("CALL_"):
            return self.call(word[-1], scope, depth)
        if word not in WAYS:  # a name of the program
            return word
        ways = [
            template
            for needs, template in WAYS[word]
            if ("leaf" in needs or depth > 0)
            and needs - {"leaf"} <= scope.can
            and all(scope.names[kind] for kind in re.findall(r"<(\w+)>", template))
        ]
        return self.text(self.chance.choice(ways), scope, depth)

    def text(self, template: str, scope: Scope, depth: int) -> str:
        """Put something in place of each word of a template; `SAME` is one place in all of it."""
        if "SAME" in template:
            template = template.replace("SAME", self.chance.choice(("0", "players - 1")))
        loop, inner = self.loop(scope, depth) if "EACH" in template else ("", scope)

        def put(match: re.Match[str]) -> str:
            kind, word, bound = match.groups()
            if kind:
                return self.chance.choice(inner.names[kind])
            if word == "EACH":
                return loop
            return self.word(word, scope.with_bound(bound, "n") if bound else inner, depth - 1)

        return WORD.sub(put, template)

    def loop(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        """Return what a comprehension goes over, and the scope within."""
        name = self.chance.choice(["c", "d", "k", *NAMES[:6]])
        over = self.word("OVER", scope, depth - 2)
        inner = scope.with_bound(name, "n", *(["seat"] if over == "seats()" else []))
        tests = [
            f" if {self.word('T', inner, depth - 2)}"
            for _ in range(self.chance.choice((0, 0, 1, 2)))
        ]
        return f"for {name} in {over}{''.join(tests)}", inner

    def call(self, gives: str, scope: Scope, depth: int) -> str:
        """Return the call of a helper, or something else of its kind."""
        callable_ = [
            helper for helper in self.helpers if helper.gives == gives and helper.can <= scope.can
        ]
        if not callable_:
            return self.word("T" if gives == "b" else gives.upper(), scope, depth)
        return self.called(self.chance.choice(callable_), scope, depth)

    def called(self, helper: Helper, scope: Scope, depth: int) -> str:
        values = [
            # A truth value may be given as any number, which it stays.
            self.text(self.chance.choice(("N", "bool(T)")), scope, depth)
            if kind == "b"
            else self.word(kind.upper(), scope, depth - 1)
            for kind in helper.params
        ]
        return f"{helper.name}({', '.join(['s'] * ('state' in helper.can) + values)})"

    # ---- statements

    def statement(self, scope: Scope, depth: int, loops: int) -> list[str]:
        """Return one statement, perhaps with others in it."""
        can = scope.can | ({"deep"} if depth > 0 else set()) | ({"loops"} if loops else set())
        templates = [
            template
            for needs, templates in STATEMENTS.items()
            if set(needs.split()) <= can
            for template in templates
        ]
        template = self.chance.choice(templates)
        if template == "HELPER":
            return self.helped(scope)
        name, other = self.chance.sample(NAMES, 2)
        local = self.chance.choice([known for known in NAMES if known in scope.names["n"]] or [""])
        names = {
            "NAME": name,
            "OTHER": other,
            "GROUP": self.chance.choice(GROUPS),
            "LOCAL": local or "x",
            "STEP": f"k{depth}",
            "COUNT": f"n{depth}",
        }
        if "LOCAL" in template and not local:
            template = f"LOCAL = 1\n{template}"
        lines, inner = list[str](), scope
        for line in re.sub(r"\b[A-Z]+\b", lambda w: names.get(w[0], w[0]), template).splitlines():
            if line.strip() in ("BLOCK", "LOOP"):
                block = self.block(inner.copy(), depth - 1, loops + (line.strip() == "LOOP"))
                lines += [f"    {inside}" for inside in block]
                continue
            lines.append(self.text(line, scope, 3))
            if line.startswith("for "):
                kinds = ["n", "seat"] if lines[-1].endswith(" seats():") else ["n"]
                inner = scope.with_bound(names["STEP"], *kinds)
        for word, kind in (("NAME", "n"), ("OTHER", "n"), ("LOCAL", "n"), ("GROUP", "s")):
            if word in template:
                scope.learn(names[word], kind)
        if template.startswith("real"):
            scope.learn("real", "f")
        return lines

    def helped(self, scope: Scope) -> list[str]:
        """Return the call of a helper that does something."""
        doing = [known for known in self.helpers if "effects" in known.can]
        if not doing:
            return ["pass"]
        helper = self.chance.choice(doing)
        call = self.called(helper, scope, 3)
        if helper.gives not in ("nn", "ns"):
            return [call]
        second, kind = ("y", "n") if helper.gives == "nn" else ("those", "s")
        scope.learn("x")
        scope.learn(second, kind)
        return [f"x, {second} = {call}", "x &= 1023"] + ["y &= 1023"] * (second == "y")

    def block(self, scope: Scope, depth: int, loops: int = 0) -> list[str]:
        """Return some statements."""
        count = self.chance.randint(1, 3)
        return [line for _ in range(count) for line in self.statement(scope, depth, loops)]

    def body(self, scope: Scope, depth: int) -> str:
        return "\n".join(f"    {line}" for line in self.block(scope, depth))

    # ---- files

    def helper(self, number: int) -> str:
        """Return a function, and let others call it."""
        gives = self.chance.choice(["n", "n", "n", "b", "s", "s", "f", "nn", "ns", ""])
        effects = self.maybe(0.55) or gives in ("", "nn", "ns")
        can = "state rules effects" if effects else self.chance.choice(["state rules", ""])
        params = self.chance.choices("nnsfb", k=self.chance.randint(0, 3))
        free = {
            "n": ["x", "most", "seat0"],
            "b": ["whether", "is_x", "flag_"],
            "s": ["those", "w0", "mine"],
            "f": ["real", "f0", "f1"],
        }
        names = [(kind, free[kind].pop(0)) for kind in params]
        scope = Scope.of(can + self.suits)
        for kind, name in names:
            scope.learn(name, "n" if kind == "b" else kind)
        notes = {"n": "", "s": ": cardset", "f": ": float", "b": ": bool"}
        head = ["s"] * bool(can) + [name + notes[kind] for kind, name in names]
        name = TITLES[number] if self.maybe(0.3) else f"helper{number}"
        lines = [f"def {name}({', '.join(head)}):", self.body(scope, 2)]
        words = {"n": "N", "s": "S", "f": "F", "b": "bool(T)"}
        if gives in words and self.maybe(0.3):
            early = f"    if T:\n        return {words[gives]}"
            lines.append(self.text(early, scope, 3))
        if gives:
            values = ", ".join(f"({words[kind]})" for kind in gives)
            lines.append(self.text(f"    return {values}", scope, 4))
        self.helpers.append(Helper(name, params, gives, set(can.split())))
        return "\n".join(lines)

    def probe(self, number: int, scope: Scope) -> str:
        """Return a function of which each call adds to a number of its own."""
        lines = self.block(scope, 1)
        lines.append(self.text("return (N)", scope, 4))
        return f"def probe_{number}(s, seat, card):\n" + "\n".join(f"    {line}" for line in lines)

    def fill(self, template: str, **texts: str) -> str:
        """Return a file of `games/` with texts in place of $names."""
        return re.sub(r"\$(\w+)", lambda name: texts[name[1]], text_of(template))

    def game(self) -> str:
        """Return the game's file."""
        helpers = "\n\n\n".join(self.helper(number) for number in range(self.chance.randint(4, 8)))
        rules = "state rules effects" + self.suits
        move = Scope.of(rules, n="card card", seat="seat")
        self.probes = {number: self.probe(number, move.copy()) for number in range(PROBES)}
        mind = Scope.of(
            "state effects" + self.suits, "SEAT(seat)", n="s.kept_[seat]", s="moves", seat="seat"
        )
        asks = ["card & 3 == 1"] + ["rank(card) & 1", "below(s, CHANCE, 4) == 0"] * bool(self.suits)
        picks = Scope.of("state rules" + self.suits, seat="seat")
        return self.fill(
            "random.txt",
            deck=self.deck,
            players="players = 4\nteams = 2" if self.has_teams else "players = 2, 4",
            size=str(self.chance.randint(1, 4)),
            helpers=helpers,
            probes="$probes",
            calls="$calls",
            level=LEVEL if self.has_teams else "",
            legal=self.chance.choice(["", " or s.hand[seat]", " & all_cards"]),
            apply=f"{self.body(move, 3)}\n{self.body(move, 3)}",
            asks=self.chance.choice(asks),
            picks=self.text("{CARD, CARD, 40} | (S)", picks, 3),
            applied=self.body(Scope.of(rules, n="choice", seat="seat"), 2),
            thought=self.body(mind, 2),
            kept=self.word("N", mind, 2),
            chosen=self.word("N", mind, 3),
        )

    def changed(self) -> str:
        """Return a file of rules that changes the game."""
        self.helpers = []
        scopes = [
            Scope.of("state rules effects" + self.suits, n="card card", seat="seat")
            for _ in range(2)
        ]
        before, after = (self.body(scope, 2) for scope in scopes)
        return self.fill("random_change.txt", before=before, after=after)

    def write(self, folder: Path) -> str:
        """Write all files; return the name of the game."""
        table = [self.chance.randint(-9, 9) for _ in range(7)]
        self.folder = folder
        if self.maybe(0.5):
            table[:5] = [5, -3, 8, 1, 0]  # one begins as the other
        (folder / "tables.py").write_text(f"TABLE = {table}\n")
        self.game_text = self.game()
        self.write_game()
        if self.maybe(0.25):
            (folder / "more.py").write_text(self.changed(), encoding="utf-8")
            return f"{folder / 'rules.py'}+{folder / 'more.py'}"
        return str(folder / "rules.py")

    def write_game(self) -> None:
        """Write the game with the probes that there are."""
        calls = (
            f"    s.r[{number}] = (s.r[{number}] + probe_{number}(s, seat, card)) % 100003"
            for number in self.probes
        )
        probes = "\n\n\n".join(self.probes.values())
        text = self.game_text.replace("$probes", probes).replace("$calls", "\n".join(calls))
        (self.folder / "rules.py").write_text(text, encoding="utf-8")
