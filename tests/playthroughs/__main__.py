"""`python -m tests.playthroughs --write`: record all matches anew; without: say what differs."""

from __future__ import annotations

import argparse
import sys

from tests.playthroughs.cases import FOLDER, cases, first_difference, recorded


def main() -> int:
    """Write or compare the recordings."""
    parser = argparse.ArgumentParser(prog="python -m tests.playthroughs", description=__doc__)
    parser.add_argument("--write", action="store_true", help="record the matches anew")
    write = parser.parse_args().write
    known = set()
    differing = 0
    for case in cases():
        known.add(case.path)
        lines = list(case.lines())
        before = recorded(case) if case.path.exists() else []
        difference = first_difference(before, lines)
        if difference is None:
            continue
        differing += 1
        print(f"{case.path.relative_to(FOLDER)}: {difference if before else 'new'}")
        if write:
            case.path.parent.mkdir(exist_ok=True)
            case.path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for path in sorted(set(FOLDER.glob("*/*.txt")) - known):
        differing += 1
        print(f"{path.relative_to(FOLDER)}: no longer a case")
        if write:
            path.unlink()
    print(f"{len(known)} recordings, {differing} {'written' if write else 'differ'}")
    return int(differing > 0 and not write)


if __name__ == "__main__":
    sys.exit(main())
