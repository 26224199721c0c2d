"""Running a study: what is played, in which blocks, what is kept when a run ends early."""

import errno
import json
import signal
import subprocess
import sys
import time
import tomllib

import pytest

from simcore.catalogue import get_game
from simcore.errors import DataError, InputError
from simcore.game import game_names
from strategies import policies
from studies.design.cells import expand
from studies.design.study import check_study
from studies.run import blocks, executors
from studies.run import run as run_module
from studies.run.blocks import round_down
from studies.run.run import run_study
from studies.store.files import cannot_write
from studies.store.writing import Writer
from studies.view.terminal import LINES
from tests.patience import PATIENCE
from tests.studies.conftest import (
    ROOT,
    add_one_play,
    cardlab,
    contents,
    document,
    everything,
    frame_of,
    parts_of,
    read_rows,
    study,
    table,
)

ONE_LINEUP = [{"name": "one", "seats": ["random"]}]


# ---- what is played


@pytest.mark.whole_only("1-1000")
@pytest.mark.parametrize(("threads", "block"), [(1, 1000), (1, 7), (3, 10), (2, None)])
def test_rows_do_not_depend_on_threads_or_blocks(played, tmp_path, threads, block):
    run_study(study(), tmp_path, threads=threads, block=block)
    assert read_rows(tmp_path) == read_rows(played)


@pytest.mark.parametrize("matches", [60, 10])
def test_running_again_with_as_many_matches_or_fewer_does_nothing(played, matches):
    before = everything(played)
    outcome = run_study(study(matches=matches), played, threads=2)
    assert (outcome.played, outcome.present) == (0, 3 * matches * 3)
    assert everything(played) == before


def test_more_matches_extend_and_fill_gaps_in_blocks_that_are_the_same_everywhere(copy, tmp_path):
    cell = expand(study())[1]
    parts_of(copy, cell)[1].path.unlink()
    before = everything(copy / "matches")
    outcome = run_study(study(matches=83), copy, threads=2, block=10)
    assert (outcome.played, outcome.present) == (3 * 23 * 3 + 25 * 3, 3 * 60 * 3 - 25 * 3)
    after = everything(copy / "matches")
    assert {path: after[path] for path in before} == before
    ranges = [(part.first, part.first + part.count) for part in parts_of(copy, cell)]
    assert ranges == [
        (0, 25),
        *[(25, 30), (30, 40), (40, 50)],
        (50, 60),
        *[(60, 70), (70, 80), (80, 83)],
    ]
    run_study(study(matches=83), tmp_path / "new", threads=1)
    assert read_rows(copy) == read_rows(tmp_path / "new")
    assert tomllib.loads((copy / "study.toml").read_text())["matches"] == 83
    assert len(json.loads((copy / "provenance.json").read_text())["runs"]) == 2


def test_fewer_matches_after_a_loss_keep_the_larger_number(copy, played):
    parts_of(copy, expand(study())[1])[0].path.unlink()
    assert run_study(study(matches=40), copy, threads=1).played == 25 * 3
    assert tomllib.loads((copy / "study.toml").read_text())["matches"] == 60
    assert read_rows(copy) == read_rows(played)
    runs = json.loads((copy / "provenance.json").read_text())["runs"]
    assert [run["matches"] for run in runs] == [60, 40]


def test_changed_policy_does_not_mix_with_old_rows(copy, monkeypatch):
    before = everything(copy)

    def play_otherwise(cell, first, count):
        columns, seconds = executors.play_rows(cell, first, count)
        columns["plays"] = columns["plays"] + 1
        return columns, seconds

    monkeypatch.setattr(run_module, "play_rows", play_otherwise)
    with pytest.raises(DataError, match="does not come out again"):
        run_study(study(matches=70), copy, threads=1)
    assert everything(copy) == before


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_last_part_is_played_again_before_a_run_goes_on(copy, place):
    """The newest rows are those that the last run made, with the rules of that day."""
    add_one_play(parts_of(copy, expand(study())[1])[place].path)
    before = everything(copy)
    if place == 2:
        with pytest.raises(DataError, match=r"050-10\.parquet does not come out again"):
            run_study(study(matches=70), copy, threads=1)
        assert everything(copy) == before
    else:  # what older parts hold is for `cardlab check`
        assert run_study(study(matches=70), copy, threads=1).played == 3 * 10 * 3


def test_the_seed_that_was_not_given_is_written_down(tmp_path):
    run_study(check_study(document(matches=2, seed=None), name="test"), tmp_path / "out")
    assert tomllib.loads((tmp_path / "out" / "study.toml").read_text("utf-8"))["seed"] == 1


@pytest.mark.whole_but("updown")
@pytest.mark.parametrize("game", game_names())
def test_a_variant_that_changes_nothing_changes_no_match(game, tmp_path):
    names = [policy.name for policy in policies(get_game(game)) if policy.name != "search"]
    lineups = [{"name": "random", "seats": ["random"]}, table("mixed", *names[1:3])]
    keys = {"game": game, "matches": 60, "variants": {"aa": {}}, "lineups": lineups}
    run_study(check_study(keys), tmp_path / "study", threads=2)
    control = frame_of(tmp_path / "study").filter(variant="aa")
    another = control.filter(number="another_winner")
    assert another["count"].to_list() == [0, 0]
    assert another["matches"].min() > 0
    changes = control.filter(kind="change")["estimate"].drop_nulls()
    assert len(changes) > 40
    assert (changes == 0).all()


# ---- sizes of blocks


@pytest.mark.parametrize(
    ("number", "size"), [(0.2, 1), (1, 1), (4.9, 2), (5, 5), (99, 50), (150_000, 100_000)]
)
def test_round_down(number, size):
    assert round_down(number) == size


def test_a_busy_machine_cuts_no_blocks(monkeypatch):
    """Files are the same everywhere: what other processes take of a core does not count."""
    cell = expand(study())[0]
    size = blocks.block_size(cell, rows=True)

    def held_up(*arguments, **named):
        time.sleep(0.05)
        columns, seconds = executors.play_rows(*arguments, **named)
        return columns, seconds + 0.05

    def slow(cell, first, count, **named):
        started = time.thread_time()
        while time.thread_time() < started + 0.005 * count:
            pass
        columns, seconds = executors.play_rows(cell, first, count, **named)
        return columns, seconds + 0.005 * count

    monkeypatch.setattr(blocks, "play_rows", held_up)
    assert blocks.block_size(cell, rows=True) == size
    monkeypatch.setattr(blocks, "play_rows", slow)
    assert blocks.block_size(cell, rows=True) < size


@pytest.mark.parametrize(
    ("call", "match"), [(0.0, 2e-6), (0.012, 1e-5), (0.05, 1e-4), (0.001, 0.3), (0.0, 20.0)]
)
def test_a_trial_tells_what_a_match_takes_and_not_what_a_call_costs(call, match, monkeypatch):
    (cell,) = expand(study(variants={}, lineups=ONE_LINEUP))
    counts = []

    def seconds(_cell, count, **_):
        counts.append(count)
        return call + count * match

    monkeypatch.setattr(blocks, "_core_seconds", seconds)
    monkeypatch.setattr(blocks, "play_rows", lambda *_, **__: None)
    assert blocks.trial_seconds(cell) == pytest.approx(match, rel=1.0)
    assert sum(counts) * match < max(1.0, 1.1 * match)


# ---- runs that end early


def test_failing_block_ends_the_run_and_keeps_the_others(tmp_path):
    def fail_once(task):
        if task.first == 20:
            raise DataError("no luck")
        return executors.compute(task)

    executor = executors.ThreadExecutor(1, fail_once)
    with pytest.raises(DataError, match="no luck"):
        run_study(study(), tmp_path, block=10, executor=executor)
    assert run_study(study(), tmp_path, threads=1).present >= 10
    assert not list(tmp_path.rglob("*.tmp"))


def test_full_disk_ends_the_run_and_loses_nothing(played, tmp_path, monkeypatch):
    keep, room = Writer.keep, iter(range(4))

    def keep_four(self, encoded):
        if next(room, None) is None:
            raise cannot_write(tmp_path, OSError(errno.ENOSPC, "No space left on device"))
        return keep(self, encoded)

    monkeypatch.setattr(Writer, "keep", keep_four)
    with pytest.raises(InputError, match="disk is full") as refused:
        run_study(study(), tmp_path, threads=2, block=10)
    assert "run the same command again, it continues" in str(refused.value)
    assert sum(len(parts_of(tmp_path, cell)) for cell in expand(study())) == 4
    monkeypatch.setattr(Writer, "keep", keep)
    assert run_study(study(), tmp_path, threads=2, block=10).present == 4 * 10 * 3
    assert read_rows(tmp_path) == read_rows(played)


@pytest.fixture
def running(tmp_path, study_file):
    """A run that would take for ever, its study file and its directory; it is interrupted."""
    path, directory = study_file(matches=10**9, lineups=ONE_LINEUP), tmp_path / "out"
    process = subprocess.Popen(
        [sys.executable, "-m", "studies.cli.app", "run", path, "--out", directory],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + PATIENCE
    while len(contents(directory)) < 4:
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline, "no parts appear"
        time.sleep(0.02)
    yield process, path, directory
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, stderr
    assert f"cardlab run {path} --out {directory}" in stderr  # says how to continue
    assert "Traceback" not in stderr
    assert not list(directory.rglob("*.tmp"))
    assert sum(len(parts_of(directory, cell)) for cell in expand(study(lineups=ONE_LINEUP))) > 0


@pytest.mark.whole
def test_interrupted_run_refuses_another_one_and_says_how_to_continue(running):
    process, path, directory = running
    second = cardlab("run", path, "--out", directory)
    assert (second.returncode, second.stdout) == (2, "")
    assert f"another run is writing to {directory} (process {process.pid} on" in second.stderr
    assert len(second.stderr.splitlines()) == 1
    assert process.poll() is None


# ---- commands


@pytest.mark.parametrize("detail", ["matches", "summary"])
def test_run_prints_the_comparison_and_the_directory(study_file, tmp_path, detail):
    out = tmp_path / "out"
    arguments = ("run", study_file(detail=detail), "--out", out)
    run = cardlab(*arguments, "--matches", "20", check=True)
    assert "± and brackets are 95 % intervals" in run.stdout
    assert str(out) in run.stderr
    assert max(map(len, run.stdout.splitlines())) <= 120
    assert 12 < len(run.stdout.splitlines() + run.stderr.splitlines()) <= LINES + 6
    for command in ("compare", "report"):
        assert f"cardlab {command} {out}" in " ".join(run.stdout.split())
    assert "nothing to do" in cardlab(*arguments, "--set", "matches=20").stderr


@pytest.mark.whole
@pytest.mark.parametrize("name", ["updown-tournament", "updown-variants", "updown-players"])
def test_run_prints_a_page_and_says_how_to_see_the_rest(name, tmp_path):
    out = tmp_path / "out"
    run = cardlab("run", name, "--out", out, "--set", "matches=12", check=True)
    assert 12 < len(run.stdout.splitlines() + run.stderr.splitlines()) <= LINES + 6
    for command in ("compare", "report"):
        assert f"cardlab {command} {out}" in " ".join(run.stdout.split())


def test_study_of_a_directory_goes_on_there(copy):
    run = cardlab("run", copy / "study.toml", "--matches", "61")
    assert f"results: {copy}" in run.stderr
    assert len(list(copy.glob("matches/*/*060-1.parquet"))) == 3


def test_dry_run_writes_nothing(study_file, tmp_path):
    run = cardlab("run", study_file(), "--out", tmp_path / "out", "--dry-run", check=True)
    assert "540 matches wanted, 0 present" in run.stdout
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("command", "options", "fragment"),
    [("run", ("--scheduler", "nowhere"), "nowhere"), ("compare", (), "no study directory")],
)
def test_refusal_is_a_line_and_status_2(study_file, tmp_path, command, options, fragment):
    refused = cardlab(command, study_file() if command == "run" else tmp_path, *options)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert len(refused.stderr.splitlines()) == 1
    assert fragment in refused.stderr


def test_check_tells_same_from_different(played, copy):
    assert cardlab("check", played, "--blocks", "2").returncode == 0
    for path in copy.glob("matches/*/*.parquet"):
        add_one_play(path)
    checked = cardlab("check", copy, "--blocks", "1")
    assert checked.returncode == 1
    text = " ".join((checked.stdout + checked.stderr).split())
    assert "does not come out again" in text
    assert "plays =" in text
