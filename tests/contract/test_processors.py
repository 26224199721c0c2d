"""Code is compiled for the processor at hand, or the one that is named."""

from __future__ import annotations

import subprocess
import sys

import pytest

from simcore import jit

PRINT = "from simcore.jit import has_feature; print(*map(has_feature, ('bmi2', 'avx2')))"


def flags(monkeypatch, name, features):
    monkeypatch.setenv("CARDLAB_CPU_NAME", name)
    monkeypatch.setenv("CARDLAB_CPU_FEATURES", features)
    shown = subprocess.run([sys.executable, "-c", PRINT], capture_output=True, check=True)
    return shown.stdout.split()


@pytest.mark.skipif(jit.platform.machine() not in ("x86_64", "AMD64"), reason="x86 only")
def test_another_processor_has_the_features_that_are_named(monkeypatch):
    assert flags(monkeypatch, "x86-64", "") == [b"False", b"False"]
    assert flags(monkeypatch, "x86-64", "+bmi2,-avx2") == [b"True", b"False"]


def test_a_processor_of_another_kind_has_none(monkeypatch):
    monkeypatch.setattr(jit.platform, "machine", lambda: "arm64")
    assert not jit.has_feature("avx2")
