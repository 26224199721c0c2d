"""Interactions of variants that stand in a study by themselves and together.

Two variants and a third one that changes the options of both, to the same values and nothing else,
are four cells with the baseline. Their interaction is y_AB - y_A - y_B + y_0: what both change
together less what each changes alone. It is paired by deal: of a deal all four matches count.

Additive changes are the measure of "no interaction", so that it depends on the scale: of two
variants that each halve a share, both together take less than their sum. Where a share is near an
end of its range this is arithmetic, not the game. Shares of other winners hardly ever add up: a
match whose winner changes under either variant alone mostly has one other winner under both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from studies.compare.by_group import (
    EffectGroups,
    Outcome,
    combined,
    grouped_by,
    shared_outcomes,
    table_of,
)
from studies.compare.contrast_results import Interaction, InteractionFinding, told_fields
from studies.stats.contrasts import Contrast, tell_family

WEIGHTS = (1.0, -1.0, -1.0)
"""Of the change of both together, and of each."""

Triple = tuple[EffectGroups, EffectGroups, EffectGroups]


def interactions(effects: Sequence[EffectGroups], level: float) -> list[Interaction]:
    """Return all interactions that a study's variants show, corrected as one family."""
    tables = grouped_by(effects, table_of)
    found = [triple for table in tables for triple in together_and_alone(table)]
    asked: list[tuple[Triple, Outcome, Contrast]] = []
    for triple in found:
        asked += [(triple, one, combined(triple, WEIGHTS, one)) for one in shared_outcomes(triple)]
    told = iter(tell_family([contrast for _, _, contrast in asked], level))
    listed: dict[int, list[InteractionFinding]] = defaultdict(list)
    for triple, outcome, _ in asked:
        one = next(told)
        both, first, second = (effect.moved[outcome].estimate for effect in triple)
        listed[id(triple)].append(
            InteractionFinding(
                **told_fields(outcome.of, outcome.who, outcome.number, one),
                first=first,
                second=second,
                together=both,
            )
        )
    return [
        Interaction(
            first=first.variant,
            second=second.variant,
            together=both.variant,
            lineup=both.lineup,
            point=both.point,
            deals=min(effect.deals for effect in triple),
            outcomes=listed[id(triple)],
        )
        for triple in found
        for both, first, second in [triple]
    ]


def together_and_alone(table: Sequence[EffectGroups]) -> Iterator[Triple]:
    """Yield the effects at a table that stand together, and each of the two alone.

    Of several variants that change the same the first one counts.
    """
    known: dict[frozenset[tuple[str, str]], EffectGroups] = {}
    for effect in table:
        known.setdefault(_options(effect), effect)
    for changes, both in known.items():
        for part, first in known.items():
            rest = changes - part
            if part and part < changes and rest in known:
                second = known[rest]
                if table.index(first) < table.index(second):
                    yield both, first, second


def _options(effect: EffectGroups) -> frozenset[tuple[str, str]]:
    return frozenset((name, repr(value)) for name, (_, value) in effect.changed.items())
