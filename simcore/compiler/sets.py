"""Sets of cards as machine words: the text of what is asked of one to four words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from simcore.compiler.core import INT, Core, constant, lines
from simcore.compiler.layout import Functions, signed
from simcore.language import Deck


def lowest_text(words: list[str]) -> str:
    """Return the number of the lowest bit of some words."""
    text = f"lowest_bit({words[-1]})" + (f" + {64 * (len(words) - 1)}" if len(words) > 1 else "")
    for place in range(len(words) - 2, -1, -1):
        more = f" + {64 * place}" if place else ""
        text = f"(lowest_bit({words[place]}){more} if {words[place]} != 0 else {text})"
    return text


def without_lowest(words: list[str]) -> str:
    """Return statements that take the lowest bit of some words away."""
    text = []
    for place in range(len(words) - 1, -1, -1):
        word, below = words[place], " | ".join(words[:place])
        cleared = f"cleared({word})"
        rest = f"({cleared} if ({below}) == 0 else {word})" if below else cleared
        text.append(f"{word} = {rest}")
    return "\n".join(text)


def lower_texts(words: Sequence[str], card: str) -> list[str]:
    """Return the cards of a set that are lower than a card."""
    return [
        f"below_bit({word}, {card} - {64 * place})" if place else f"below_bit({word}, {card})"
        for place, word in enumerate(words)
    ]


def higher_texts(words: Sequence[str], card: str) -> list[str]:
    """Return the cards of a set that are higher than a card."""
    below = lower_texts(words, f"({card} + 1)")
    return [f"({word} ^ {lower})" for word, lower in zip(words, below, strict=True)]


def bit_text(card: str, place: int, count: int) -> str:
    """Return the bit of a card in a word of a set."""
    number = constant(card)
    if number is not None:
        return f"({signed(1 << number % 64)})" if number // 64 == place else "0"
    if count == 1:
        return f"bit_of({card})"
    if count == 2:
        return f"((({card} >> 6) == {place}) << ({card} & 63))"  # none for what is no card
    return f"(bit_of({card}) if ({card} >> 6) == {place} else 0)"


def has_text(words: Sequence[str], card: str) -> str:
    """Return the test whether a card is in a set of some words."""
    tests = [f"(has_bit({word}, {card} - {64 * at}) != 0)" for at, word in enumerate(words)]
    return f"({' or '.join(tests)})"


def nth_text(low: Functions, words: list[str], index: str) -> str:
    """Return the card of a set by its place."""
    if len(words) == 1:
        return f"nth_bit({words[0]}, {index})"
    name = f"nth_of_{len(words)}"
    if name not in low.done:
        given = [f"w{place}" for place in range(len(words))]
        text = ["left = index", "card = 0", "word = w0", "base = 0"]
        for place in range(len(words) - 1):
            # Of words that are passed over all bits are counted off. Where nothing is beyond, as in
            # many sets of moves, the compiler sees that nothing is to be done.
            beyond = " | ".join(f"w{after}" for after in range(place + 1, len(words)))
            text += [
                f"count = popcount(w{place})",
                f"if (left >= count) and (base == {64 * place}) and ({beyond}) != 0:",
                f"    left = left - count\n    base = {64 * (place + 1)}\n    word = w{place + 1}",
            ]
        text.append("return base + nth_bit(word, left)")
        kinds = dict.fromkeys([*given, "index", "left", "card", "word", "base", "count"], INT)
        low.add(Core(name, [*given, "index"], lines("\n".join(text)), kinds, (INT,), False))
    return f"{name}(o, {', '.join(words)}, {index})"


def highest_text(_low: Functions, words: list[str]) -> str:
    """Return the number of the highest bit of some words."""
    text = f"highest_bit({words[0]})"
    for place, word in enumerate(words[1:], 1):
        text = f"({64 * place} + highest_bit({word}) if {word} != 0 else {text})"
    return text


FINDS: Mapping[str, Callable[..., str]] = {
    "lowest_": lambda _low, words: lowest_text(words),
    "highest_": highest_text,
    "nth_": nth_text,
}


def cards_of_suit(deck: Deck, number: int) -> list[int]:
    """Return the cards of a suit."""
    return [
        card
        for card in deck.cards
        if (card % 64 if deck.packs > 1 else card) >> deck.shift == number
    ]


def cards_of_rank(deck: Deck, number: int) -> list[int]:
    """Return the cards of a rank."""
    return [card for card in deck.cards if card & ((1 << deck.shift) - 1) == number]
