"""How wide texts are: the letters of DejaVu Sans, which is wider than most fonts of pages."""

from __future__ import annotations

_WIDTHS = {
    28: "'ijl|IJ",
    33: " ,.‘’·/:;\\f",
    40: "-()[]t!r",
    50: '"*_`–“”szc?',
    58: "LFkvxyP",
    62: "TYaoeäö",
    64: "ESbdghnpquüß$0123456789{}K",
    69: "AVBRXZC",
    75: "UHNDG▲▼◀▶&OQ",
    83: "w#+<=>^~−±×M",
    97: "%m@W—…",
}
_WIDTH_OF = {letter: width / 100 for width, letters in _WIDTHS.items() for letter in letters}
_UNKNOWN = 1.0
"""Of other letters, which may be of a script with wide ones."""


def text_width(text: str, size: float) -> float:
    """Return about how wide a text is, in the unit of the letters' size."""
    return size * sum(_WIDTH_OF.get(letter, _UNKNOWN) for letter in text)
