"""Matches on a GPU have the rows of the CPU; where there is no GPU, Numba's simulator stands in."""

from __future__ import annotations

import ast
import json
from types import SimpleNamespace

import pytest

import cardlab
from simcore.catalogue import get_game
from simcore.errors import InputError
from simcore.gpu import kernels, launch
from simcore.gpu.device import check_device
from simcore.gpu.launch import Shape, Tuning
from simcore.jit import IN_PLAIN_PYTHON
from studies.operations.arguments import make_cell
from tests.programs import run_python

pytestmark = pytest.mark.skipif(IN_PLAIN_PYTHON, reason="nothing is compiled")
pytest.importorskip("numba_cuda")
GAMES = ("updown", "dnup", "uno", "up", "upordown")
EIGHTS = "docs/games/eights.py"
ROWS, PAIRS = "tests/own/games/rows.py", "tests/own/games/pairs.py"
FIRST = (
    *("updown:1", "dnup:random", "uno:5", "up:1", "upordown:random"),  # 1, 5: unusual options
    "updown:policies",
    *("updown:patient", "updown:cheat", "updown:overflowing"),
    ":sums",
)
MORE = {
    game: (f"{game}:{kind}" for kind in ("random", "policies", *range(10, 16))) for game in GAMES
} | {
    EIGHTS: (f"{EIGHTS}:random", f"{EIGHTS}:saver", f"{EIGHTS}:10", "updown:endless"),
    "places in order, teams": (f"{ROWS}:random", f"{PAIRS}:helper"),
}


def outcomes(cases: tuple[str, ...]) -> dict[str, str]:
    run = run_python("-m", "tests.gpu.rows", *cases, patience=None, CARDLAB_DECISION_LIMIT="1")
    assert run.returncode == 0, run.stderr
    return dict(map(json.loads, run.stdout.splitlines()))


@pytest.mark.whole_but("first")
@pytest.mark.parametrize("cases", [FIRST, *map(tuple, MORE.values())], ids=["first", *MORE])
def test_rows_are_those_of_the_cpu(cases):
    """One process plays them all: it costs more than the matches."""
    assert outcomes(cases) == dict.fromkeys(cases, "same")


PTX = (
    *(f"{game}:random" for game in GAMES),
    "uno:all_rounder",
    f"{EIGHTS}:saver",
    f"{ROWS}:random",
)


@pytest.mark.whole
@pytest.mark.parametrize("case", PTX)
def test_a_kernel_is_compiled_for_a_gpu_without_a_call(case):
    """Without a GPU or its driver; a call would pass a state by memory, not in registers."""
    pytest.importorskip("nvidia.cuda_nvcc")
    run = run_python("-m", "tests.gpu.ptx", case, patience=None)
    assert run.returncode == 0, run.stderr
    found, lines, calls = json.loads(run.stdout)
    assert found == case
    assert lines > 1000
    assert not calls


def test_rows_would_be_told_apart(monkeypatch, capsys):
    from tests.gpu import rows

    monkeypatch.setattr(rows, "played", lambda *given: {"score_0": [given[-1] == "cuda"]})
    assert rows.outcome("updown", "random").startswith("score_0 of {'players': 4")


def test_a_search_is_refused():
    cell = make_cell(get_game("updown"), {}, "random,search")
    with pytest.raises(InputError, match="a GPU does not play policy 'search', which searches"):
        kernels.module_of(cell)


def test_a_gpu_that_is_not_there_is_refused(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(InputError, match="'cuda' is refused: numba-cuda is not installed"):
        check_device("cuda")


@pytest.mark.parametrize("best", range(3))
def test_the_quickest_shape_is_found(best):
    """First threads a block, then blocks, then who gets which match."""
    tuning, blocks = Tuning(multiprocessors=10), (64, 128, 256)
    launched = []
    for _ in range(8):
        shape, most = tuning.next()
        assert most >= 2 * shape.threads
        launched.append(shape)
        rate = 100.0 + 50.0 * (shape.block == blocks[best]) + 20.0 * (shape.threads < 15_000)
        tuning.note(shape, rate + 10.0 * shape.refill)
    assert len(set(launched)) == 5
    assert launched[-1] == launched[-2] == Shape(blocks[best], 10 * 1024 // blocks[best], True)


def test_parameters_are_no_part_of_a_module():
    """Or a sweep over a policy's parameter would be compiled again and again."""
    cell, other = (make_cell(get_game("updown"), {}, f"saver(pot={pot})") for pot in (1, 2))
    assert kernels.module_of(cell) == kernels.module_of(other)
    assert kernels.option_row(cell, 0).tolist() != kernels.option_row(other, 0).tolist()


def test_floats_are_rounded_one_by_one():
    """A product that is put together with a sum would be rounded once for both on a GPU."""
    text = "def f(a, b):\n    a *= b + b * 2.0\n    return a * b\n"
    made = ast.unparse(ast.fix_missing_locations(kernels.Products().visit(ast.parse(text))))
    assert "*" not in made
    assert made.count("_times(") == 3


def test_what_a_driver_refuses_is_told_in_a_sentence(monkeypatch):
    from contextlib import nullcontext

    from numba import cuda

    class DriverError(RuntimeError):
        __module__ = "numba.cuda.cudadrv.driver"

    monkeypatch.setattr(cuda, "gpus", [nullcontext()])
    gpu_at_hand = SimpleNamespace(place=0)
    message = "GPU 0 cannot play this: DriverError: out of memory; allowed here: device 'cpu'"
    with pytest.raises(InputError, match=message), launch._at_work(gpu_at_hand):
        raise DriverError("\nout of memory\nmore of it")
    with pytest.raises(ZeroDivisionError), launch._at_work(gpu_at_hand):
        raise ZeroDivisionError


def test_a_study_with_a_search_is_refused_before_anything_is_written(monkeypatch, tmp_path):
    monkeypatch.setattr("studies.operations.results.check_device", lambda _: None)
    study = {"game": "updown", "matches": 2, "lineups": [{"name": "s", "seats": ["search"]}]}
    with pytest.raises(InputError, match="a GPU does not play policy 'search'"):
        cardlab.run(study, tmp_path / "study", device="cuda")
    assert not (tmp_path / "study").exists()
