"""The options of Up as its referee reads them, and the pack that they make."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace

MINUS_TWO = "-2"
CLEAR = "clear"
NUMBERS = tuple(str(value) for value in range(1, 12))

HAND_PASSES = 5
TABLE_PASSES = 4
CARD_VALUES = {
    "dirty_one_points": 30,
    "minus_two_points": 20,
    "clear_points": 50,
    "out_credit": 10,
    "blind_credit": 80,
}
"""Dials that mean nothing where no points are counted, and what the rule text says."""


class Options(SimpleNamespace):
    """The resolved options of a match, named as on the command line."""

    def __init__(self, options: Mapping[str, object]) -> None:
        super().__init__(**options)
        self._check()

    def _check(self) -> None:
        """Refuse combinations that are ruled out."""
        if self.rounds is None and self.points_limit is None:
            raise ValueError("rounds and points_limit are both none: the match would never end")
        if not self.minus_twos_of_a_set and self.double_two != "off":
            raise ValueError("double_two needs the '-2' cards, but there are none")
        if self.scoring != "points" and self.dirty_one != "off":
            raise ValueError(f"scoring {self.scoring!r} has no card values for dirty_one")
        if self.scoring == "matches" and self.points_limit is not None:
            raise ValueError("scoring 'matches' has no points, but points_limit is set")

        self._check_house_rules()

    def _check_house_rules(self) -> None:
        """Refuse house rules that cannot be dealt, or mean nothing."""
        for name, default in CARD_VALUES.items():
            if self.scoring != "points" and getattr(self, name) != default:
                raise ValueError(f"scoring {self.scoring!r} has no points for {name}")
        if self.minus_two_collapse not in {"one", "any"}:
            raise ValueError(f"minus_two_collapse {self.minus_two_collapse!r} is not known")
        dealt = self.players * (self.hand_passes + 2 * self.table_cards)
        if dealt > len(self.full_pack()):
            raise ValueError(f"{dealt} cards cannot be dealt of {len(self.full_pack())}")

    @property
    def minus_twos_of_a_set(self) -> int:
        """How many "-2" cards there are in each set."""
        return self.minus_two_cards if self.minus_two else 0

    @property
    def usual_hand(self) -> int:
        """The cards of a hand by the rule text: one fewer without "-2", as without clear cards."""
        return HAND_PASSES - (not self.minus_twos_of_a_set) - (not self.clear_cards)

    @property
    def hand_passes(self) -> int:
        """How many cards come to a hand."""
        return self.usual_hand if self.hand_cards is None else self.hand_cards

    def dealt_otherwise(self) -> set[str]:
        """Return the dials that let other cards be dealt than the rule text."""
        dials = {
            "hand_cards": self.hand_passes != self.usual_hand,
            "table_cards": self.table_cards != TABLE_PASSES,
            "minus_two_cards": self.minus_two and self.minus_two_cards != 1,
            "clear_cards": self.clear_cards != 1,
        }
        return {dial for dial, otherwise in dials.items() if otherwise}

    def full_pack(self) -> list[str]:
        """Return all cards of the pack, unshuffled."""
        specials = [MINUS_TWO] * self.minus_twos_of_a_set + [CLEAR] * self.clear_cards
        return [*NUMBERS, *specials] * (self.players + self.extra_set)
