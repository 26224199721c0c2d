"""The direction of imports: studies, strategies, simcore, and the games apart from one another."""

from __future__ import annotations

from pathlib import Path

from importlinter.cli import lint_imports


def test_import_contracts(monkeypatch):
    monkeypatch.chdir(Path(__file__).parent.parent)
    assert lint_imports(cache_dir=None) == 0
