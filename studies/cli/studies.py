"""`cardlab studies`: the library, what each study asks, and how long it takes."""

from __future__ import annotations

from studies.cli.common import AsCsv, AsJson, check_form, print_data


def studies(as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """List the studies of the library: what each asks, its matches, and about how long it takes."""
    from studies.api.asked import core_count
    from studies.api.listing import library
    from studies.cli.tables import new_table, print_table
    from studies.run.progress import duration

    data = check_form(as_json, as_csv)
    rows = library()
    if data:
        print_data(as_csv, rows, rows)
        return
    cores = core_count()
    table = new_table("study", "what it asks", "cells", "matches", "time", numbers_from=2)
    for row in rows:
        time = duration(max(1.0, row["seconds"] / cores))
        table.add_row(
            row["study"], row["asks"], f"{row['cells']:,}", f"{row['matches']:,}", f"some {time}"
        )
    print_table(table)
    print(
        f"\nTimes: on {cores} core{'' if cores == 1 else 's'} like those of docs/results/speed.md, "
        "all compiled;\ncardlab run STUDY --dry-run tries it on this machine. "
        "cardlab run STUDY plays it."
    )
