"""What variants change: one row a variant, one mark a table, with intervals."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from studies.compare.results import VariantEffect
from studies.plots.style import INK, SHIFT, dots, key_above, row_axes, spread, style
from studies.stats.intervals import Interval


def _variants(effects: Sequence[VariantEffect]) -> list[str]:
    return list(dict.fromkeys(effect.variant for effect in effects))


def forest(
    effects: Sequence[VariantEffect], *, reach: float | None = None, narrow: bool = False
) -> Figure:
    """Draw how often each variant changes the winners, by line-up, at one sweep point.

    Where nothing is decided with and without a variant there is no mark. The scale ends at
    `reach`, in %, so that figures of several points share it.
    """
    variants = _variants(effects)
    lineups = list(dict.fromkeys(effect.lineup for effect in effects))
    with style():
        figure, axes = row_axes(variants, narrow=narrow, row=0.2 + 0.1 * len(lineups))
        for place, lineup in enumerate(lineups):
            own = [effect for effect in effects if effect.lineup == lineup and effect.decided]
            shift = spread(place, len(lineups)) + (SHIFT if narrow else 0)
            dots(
                axes,
                [variants.index(effect.variant) + shift for effect in own],
                [effect.another_winner for effect in own],
                series=place,
                label=lineup,
            )
        axes.set_xlim(0, None if reach is None else 1.04 * reach)
        aborted = any(effect.any_aborted for effect in effects)
        axes.set_xlabel(f"{'decided ' if aborted else ''}matches with other winners, %")
        key_above(axes, columns=1 if narrow else 3)
    return figure


def gains(
    effects: Sequence[VariantEffect], *, reach: float | None = None, narrow: bool = False
) -> Figure:
    """Draw what each variant changes of the policies' win shares, at one table.

    The scale reaches `reach` points on either side, so that figures of several tables share it.
    """
    policies = [own.policy for own in effects[0].policies]
    with style():
        figure, axes = row_axes(_variants(effects), narrow=narrow, row=0.2 + 0.1 * len(policies))
        axes.axvline(0, color=INK, linewidth=1)
        for place, policy in enumerate(policies):
            shift = spread(place, len(policies)) + (SHIFT if narrow else 0)
            changes = [
                next(own.win_share.change for own in effect.policies if own.policy == policy)
                for effect in effects
            ]
            dots(
                axes,
                [row + shift for row in range(len(effects))],
                changes,
                series=place,
                label=policy,
            )
        if reach is not None:
            axes.set_xlim(-1.04 * reach, 1.04 * reach)
        axes.set_xlabel("change of win share per seat, points")
        key_above(axes, columns=1 if narrow else 3)
    return figure


def contrasts(
    rows: Sequence[tuple[str, Sequence[tuple[str, Interval]]]], *, narrow: bool = False
) -> Figure:
    """Draw contrasts of win shares: main effects and interactions, a row each.

    Parameters
    ----------
    rows : sequence of (name, contrasts)
        Of each row the contrasts by policy, in one order.
    """
    policies = [name for name, _ in rows[0][1]]
    with style():
        names = [name for name, _ in rows]
        figure, axes = row_axes(names, narrow=narrow, row=0.2 + 0.1 * len(policies))
        axes.axvline(0, color=INK, linewidth=1)
        for place, policy in enumerate(policies):
            shift = spread(place, len(policies)) + (SHIFT if narrow else 0)
            found = [dict(own)[policy] for _, own in rows]
            places = [row + shift for row in range(len(rows))]
            dots(axes, places, found, series=place, label=policy)
        axes.set_xlabel("win share per seat, points")
        key_above(axes, columns=1 if narrow else 3)
    return figure
