"""`python -m tests.modes.measure`: coverage of `simcore` and `strategies`, nothing compiled.

Lines of kernels can only be seen as plain Python, some thousand times slower. So it is not the
whole suite that runs here, but small matches of every policy and option, the referees, and the
tests of rules, words and errors that need no large sample. The report ends with an error when
coverage is below the bound in `pyproject.toml`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

_GAMES = (
    "Descriptor or illegal_move_is or policy_that_raises or chosen_from or pieces or from_outside "
    "or in_words"
)
_RULES = """
    tests/upordown/test_rules_display.py tests/upordown/test_rules_turn.py
    tests/upordown/test_rules_scoring.py tests/up/test_rules_variants.py
    tests/up/test_rules_last_card.py tests/dnup/test_rules_play.py tests/dnup/test_rules_two.py
    tests/uno/test_rules_scoring.py tests/uno/test_rules_actions.py tests/uno/test_rules_play.py
    tests/updown/test_rules_end.py tests/updown/test_rules_play.py
"""
RUNS: tuple[tuple[str, str], ...] = (
    ("tests/modes/test_plain.py", ""),
    ("tests/*/test_referee.py --hypothesis-profile=few", "any_combination"),
    ("tests/*/test_words.py tests/contract/test_file_option.py", ""),
    ("tests/strategies/test_specs.py", "fit"),
    ("tests/dnup/test_rules_setup.py", "wrong_file or star_is_needed or refused"),
    ("tests/upordown/test_rules_setup.py", "file or refused or colour"),
    ("tests/strategies/test_search.py", "own_parameters and not believes"),
    ("tests/strategies/test_rollouts.py", "Drop or quantile or borrowed"),
    ("tests/contract/test_games.py", _GAMES),
    ("tests/randomness/test_streams.py tests/updown/test_draws.py", "below or number"),
    (
        "tests/cli/test_refusals.py tests/cli/test_own_policies.py",
        "not good_policy and not of_its_own and not with_file and not wrong_arguments",
    ),
    (_RULES, ""),
)
"""Arguments of pytest (patterns of paths are expanded), and what -k selects."""


def coverage(*arguments: str, data: Path) -> int:
    """Run coverage.py and return its exit status."""
    environment = os.environ | {
        "CARDLAB_PLAIN": "1",
        "COVERAGE_FILE": str(data),
        "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
    }
    return subprocess.run(
        [sys.executable, "-m", "coverage", *arguments], cwd=ROOT, env=environment, check=False
    ).returncode


def expanded(words: str) -> list[str]:
    """Return the words with patterns of paths replaced by the paths."""
    paths: list[str] = []
    for word in words.split():
        paths += sorted(str(path) for path in ROOT.glob(word)) if "*" in word else [word]
    return paths


def main() -> int:
    """Run all, and report."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "coverage"
        for words, selected in RUNS:
            select = ["-k", selected] if selected else []
            tests = [*expanded(words), *select]
            # What a mode cannot do fails here and is no matter: the report counts.
            coverage("run", "-p", "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, data=data)
        coverage("combine", "-q", folder, data=data)
        return coverage("report", data=data)


if __name__ == "__main__":
    sys.exit(main())
