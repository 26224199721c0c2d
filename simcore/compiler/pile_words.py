"""Words of places of cards: cards that move, and ordered places."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from simcore.compiler.core import INT, Value, indented, lines
from simcore.compiler.expressions import Expressions
from simcore.compiler.layout import Place
from simcore.compiler.piles import Zone, is_ordered, room_of
from simcore.compiler.sets import bit_text, lowest_text, without_lowest


class PileWords(Expressions):
    """Translates words that move cards from place to place, and look into ordered places."""

    def zone(self, node: ast.expr) -> Place:
        place = self.place(node)
        declared = self.low.fields.get(place.name) if place.holder == "s" else None
        if declared is None or not self.program.is_place(declared.kind):
            self.stop(node, f"{ast.unparse(node)} is no place of cards")
        self.at(place)
        return place

    def zones(self, call: ast.Call, *how: Callable[[Any], Any]) -> tuple[list[Any], list[Zone]]:
        """Return the values of a call's arguments, and those that are places.

        A place is found once, before cards move.
        """
        found = self.in_order(list(zip(call.args, how, strict=False)))
        places = [one for one in found if isinstance(one, Place)]
        zones = [self.zone_at(one, self.at(one)) for one in self.kept(places, len(self.before))]
        return [one for one in found if not isinstance(one, Place)], zones

    def zone_at(self, place: Place, words: list[str]) -> Zone:
        """Return a place of cards with its words, and where its order lies."""
        declared = self.low.fields[place.name]
        holder = place.indices[0] if declared.per_seat else "0"
        if not is_ordered(declared.kind):
            return Zone(place.name, words, holder)
        pairs = zip(place.indices, place.steps, strict=True)
        at = " + ".join(f"({index}) * {step * room_of(self.low.program)}" for index, step in pairs)
        return Zone(place.name, words, holder, True, at or "0")

    def viewers(self, zone: Zone) -> str:
        """Return the seats that see what lies in a place, as bits."""
        return self.low.viewers(zone.field, zone.holder)

    def moved(
        self, call: ast.Call, what: Value, source: Zone, target: Zone, k: str = "0"
    ) -> list[ast.stmt]:
        """Return the statements that move a card or a set, below k cards of an ordered place."""
        what = self.as_set(what, call, one=True)
        names = [self.fresh() for _ in what.texts]
        text = [f"{name} = {word}" for name, word in zip(names, what.texts, strict=True)]
        if self.low.checked:
            elsewhere = " | ".join(f"{x} & ~{a}" for x, a in zip(names, source.words, strict=True))
            text.append(f"if rarely(({elsewhere}) != 0):\n    s.fault = 1")
        if source.is_ordered or target.is_ordered:
            text += [f"{x} = {x} & {a}" for x, a in zip(names, source.words, strict=True)]
            text += self.each_carried(names, source, target, k)
        else:
            for a, b, name in zip(source.words, target.words, names, strict=True):
                text += [f"{a} = {a} & ~{name}", f"{b} = {b} | {name}"]
        return lines("\n".join(text))

    def of_pile(self, function: str, zone: Zone, *args: str) -> str:
        """Return the call of a function of an ordered place (`piles`)."""
        name = self.low.pile_function(function, zone.field)
        return f"{name}(s, o, {', '.join([zone.at, zone.size, *args])})"

    def carried(self, card: str, source: Zone, target: Zone, k: str = "0") -> list[str]:
        """Return the text that moves a card, by the name of a local, from place to place."""
        count = len(source.words)
        bits = [self.fresh() for _ in range(count)]
        text = [f"{bit} = {bit_text(card, place, count)}" for place, bit in enumerate(bits)]
        if source.is_ordered or target.is_ordered:
            seats = self.fresh()
            text.append(f"{seats} = {self.viewers(source)}")
            if source.is_ordered:
                text.append(f"{seats} = {seats} | {self.of_pile('take', source, card)}")
            text += [f"{a} = {a} & ~{bit}" for a, bit in zip(source.words, bits, strict=True)]
            text += self.laid(card, target, bits, k, seats)
        else:
            for a, b, bit in zip(source.words, target.words, bits, strict=True):
                text += [f"{a} = {a} & ~{bit}", f"{b} = {b} | {bit}"]
        return text

    def laid(
        self, card: str, target: Zone, bits: Sequence[str], k: str = "0", seats: str = "0"
    ) -> list[str]:
        """Return the text that lays a card somewhere; seats have seen it."""
        text = [self.of_pile("lay", target, k, card, seats)] if target.is_ordered else []
        return text + [f"{b} = {b} | {bit}" for b, bit in zip(target.words, bits, strict=True)]

    def each_laid(self, cards: Sequence[str], target: Zone) -> list[str]:
        """Return the text that lays the cards of a set, which lie nowhere, on an ordered place."""
        rest = [self.fresh() for _ in cards]
        card = self.fresh()
        bits = [bit_text(card, place, len(cards)) for place in range(len(cards))]
        first = [f"{a} = {b}" for a, b in zip(rest, cards, strict=True)]
        return [*first, *self.for_each(rest, card, self.laid(card, target, bits))]

    def each_carried(self, cards: Sequence[str], source: Zone, target: Zone, k: str) -> list[str]:
        """Return the text that moves the cards of a set, whose words are locals, in their order."""
        card = self.fresh()
        return self.for_each(cards, card, self.carried(card, source, target, k))

    @staticmethod
    def for_each(cards: Sequence[str], card: str, text: Sequence[str]) -> list[str]:
        """Return a loop over the cards of a set, whose words are locals that end as none."""
        head = [f"{card} = {lowest_text([*cards])}", without_lowest([*cards])]
        return [f"while ({' | '.join(cards)}) != 0:", indented("\n".join([*head, *text]))]

    def word_insert(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 4)
        (what, k), (source, target) = self.zones(call, self.x, self.zone, self.zone, self.x)
        self.need_order(call, target)
        return self.moved(call, what, source, target, self.as_int(k, call))

    def need_order(self, call: ast.Call, zone: Zone) -> None:
        if not zone.is_ordered:
            how = f"declare it as ordered, as in {zone.field} = shown(ordered)"
            self.stop(call, f"s.{zone.field} has no order; {how}")

    def pile(self, call: ast.Call, *how: Callable[[Any], Any]) -> tuple[list[str], Zone]:
        """Return the numbers that a word of an ordered place is given, and the place."""
        values, (zone,) = self.zones(call, *how)
        self.need_order(call, zone)
        return [self.as_int(value, call) for value in values], zone

    def word_cut(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 2)
        (k,), zone = self.pile(call, self.zone, self.x)
        return self.statement_of(self.of_pile("cut", zone, k))

    def word_shuffle(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 1)
        _, zone = self.pile(call, self.zone)
        self.low.streams.add("DEAL")
        return self.statement_of(self.of_pile("shuffle", zone))

    def word_look(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 3)
        (seat, k), zone = self.pile(call, self.x, self.zone, self.x)
        seats = f"1 << ({self.index(seat, 'o.players')})"
        return self.statement_of(self.of_pile("look", zone, k, seats))

    def word_reveal(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 2)
        (k,), zone = self.pile(call, self.zone, self.x)
        return self.statement_of(self.of_pile("look", zone, k, "((1 << o.players) - 1)"))

    def statement_of(self, text: str) -> list[ast.stmt]:
        return ast.parse(text).body

    def card(self, text: str) -> Value:
        return Value(INT, [text], bits=9)

    def call_top(self, call: ast.Call) -> Value:
        self.need(call, 1, 2)
        k, zone = self.pile(call, self.zone, self.x)
        return self.card(self.of_pile("top", zone, *(k or ["0"])))

    def call_bottom(self, call: ast.Call) -> Value:
        self.need(call, 1)
        _, zone = self.pile(call, self.zone)
        return self.card(self.of_pile("top", zone, f"{zone.size} - 1"))

    def call_seen(self, call: ast.Call) -> Value:
        self.need(call, 3)
        (seat, k), zone = self.pile(call, self.x, self.zone, self.x)
        return self.card(
            self.of_pile("seen", zone, k, self.viewers(zone), self.index(seat, "o.players"))
        )
