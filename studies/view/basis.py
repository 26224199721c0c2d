"""What an answer rests on: what was played, by whom, under which rules, and how to go on."""

from __future__ import annotations

from shlex import quote

from simcore.options import show
from studies.measures import BASELINE, game_of
from studies.render import Column, Table, counted
from studies.store.opened import Stored
from studies.view.query import View


def played(view: View, stored: Stored) -> list[str]:
    """Say what was played, what is assumed, and what is missing."""
    deals = [stored.deals(cell) for cell in stored.cells]
    matches = sum(stored.matches(cell) for cell in stored.cells)
    each = counted(max(deals), "deal")
    if min(deals) < max(deals):
        each = f"{min(deals):,} to {each}"
    players = {len(cell.seats) for cell in stored.cells}
    cells, level = counted(len(deals), "cell"), 100 * view.answer.level
    return [
        f"{counted(matches, 'match')} in {cells} of {each} each, seed {stored.cells[0].seed}.",
        f"Intervals are {level:g} % intervals, by deal; p-values are corrected in their family.",
        *(f"Assumed: {text.rstrip('.')}." for text in game_of(stored.cells[0]).assumed(players)),
        *(f"{note.rstrip('.')}." for note in view.answer.notes),
    ]


def legends(view: View) -> list[Table]:
    """Return who sits where, and what the rules and the policies are."""
    seats = {
        name: ", ".join(held) if len(set(held)) > 1 else f"{held[0]} × {len(held)}"
        for name, held in view.answer.seats.items()
    }
    legend = view.answer.legend
    told = {"Line-ups": seats, "Rules": legend.rules, "Policies": legend.policies}
    columns = (Column("name"), Column("meaning", "what it is", wraps=True))
    return [
        Table.of([{"name": k, "meaning": v} for k, v in lines.items()], columns, title)
        for title, lines in told.items()
        if lines
    ]


def commands(view: View, stored: Stored) -> list[tuple[str, str]]:
    """Return what one may want next, each with its command."""
    directory = quote(str(stored.directory))
    most = max(stored.deals(cell) for cell in stored.cells)
    return [
        ("every number, a row each", f"cardlab compare {directory} --csv"),
        ("one match in words", _play(view, stored)),
        ("more matches", f"cardlab run {directory} --matches {2 * most}"),
    ]


def _play(view: View, stored: Stored) -> str:
    """Return the command that shows the first match of the reference line-up."""
    cell = next(
        cell
        for cell in stored.cells
        if cell.variant == BASELINE and cell.lineup in (view.reference, "")
    )
    seats = ",".join(cell.seats[:1] if view.is_alone(cell.lineup) else cell.seats)
    usual = game_of(cell).resolve({"players": len(cell.seats)})
    rules = "".join(
        f" --rule {name}={quote(show(value))}"
        for name, value in cell.options.items()
        if name != "players" and usual.get(name) != value
    )
    return (
        f"cardlab play {quote(cell.game)} --players {len(cell.seats)}{rules} "
        f"--lineup {quote(seats)} --seed {cell.seed} --match 0"
    )
