"""Sentences made from numbers. They say what the numbers allow and no more."""

from studies.report.sentences.course import (
    drama_sentences,
    ending_sentence,
    length_sentence,
    pace_sentence,
    seat_sentence,
)
from studies.report.sentences.skill import (
    ladder_sentence,
    luck_sentence,
    rating_sentences,
    restriction_sentence,
    within_bounds,
)
from studies.report.sentences.variants import (
    effect_sentence,
    gain_sentences,
    length_change,
    range_sentence,
    seat_changes,
    variant_name,
)
from studies.report.sentences.words import at_point, joined, number, plays_at_random, who, whole

__all__ = [
    "at_point",
    "drama_sentences",
    "effect_sentence",
    "ending_sentence",
    "gain_sentences",
    "joined",
    "ladder_sentence",
    "length_change",
    "length_sentence",
    "luck_sentence",
    "number",
    "pace_sentence",
    "plays_at_random",
    "range_sentence",
    "rating_sentences",
    "restriction_sentence",
    "seat_changes",
    "seat_sentence",
    "variant_name",
    "who",
    "whole",
    "within_bounds",
]
