"""Blocks on a Dask cluster of two worker processes: the same files, whatever happens to workers."""

import asyncio
import concurrent.futures
import dataclasses
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from simcore.errors import InputError
from strategies import load_strategies
from studies.design.cells import expand
from studies.run import cluster
from studies.run.cluster import DaskExecutor, Payload, connected, pack, play_abroad
from studies.run.executors import Done, LostError, Task, ThreadExecutor
from studies.run.run import run_study
from studies.store.opened import open_study
from tests.patience import PATIENCE
from tests.studies.conftest import ROOT, document, program, study, told

pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("default")  # what dask warns of is not ours

POLICY = """
from simcore.games.up.rules import PLAY, lowest, nth_play
from strategies import policy


@policy("up", idea="{idea}")
def traveller(s, seat, moves):
    return nth_play(s, seat, {move}) if s.phase == PLAY else lowest(moves)
"""


@pytest.fixture(scope="module")
def workers():
    """A scheduler and two workers, processes of their own."""
    from distributed import Client, LocalCluster

    environment = {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        silence_logs="CRITICAL",
        env=environment,
    ) as running:
        with Client(running, set_as_default=False) as client:
            client.wait_for_workers(2)
        yield running


def contents(directory):
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in sorted(directory.glob("*/cell=*/*.parquet"))
    }


def run_there(running, asked, directory, **changes):
    policies = changes.get("policies")
    files = policies.files if policies else ()
    with connected(running.scheduler_address, expand(asked, policies), files, 2) as executor:
        return run_study(asked, directory, executor=executor, **changes)


@pytest.mark.whole
@pytest.mark.parametrize("detail", ["matches", "summary"])
def test_files_are_those_of_a_local_run(workers, tmp_path, detail):
    asked = study(detail=detail, block=20)
    outcome = run_there(workers, asked, tmp_path / "there")
    run_study(asked, tmp_path / "here", threads=2)
    assert outcome.played == 3 * 60 * 3
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert len(contents(tmp_path / "there")) == 9


@pytest.mark.whole_but("matches")
@pytest.mark.parametrize("detail", [pytest.param("matches", marks=pytest.mark.long), "summary"])
def test_effects_over_cells_of_all_kinds_are_those_of_a_local_run(workers, tmp_path, detail):
    """Factors, a population, a sweep whose changes may be the same, and the interactions."""
    asked = study(
        detail=detail,
        block=20,
        variants={"double": {"double_two": "always"}},
        factors={"dirty_one": ["off", "always"], "minus_two": [True, False]},
        sweep={"points_limit": [200, 300]},
        population={"policies": {"greedy": 1, "random": 1}, "tables": 3},
    )
    run_there(workers, asked, tmp_path / "there")
    run_study(asked, tmp_path / "here", threads=2)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert told(tmp_path / "there") == told(tmp_path / "here")


@pytest.mark.whole
def test_goal_stops_at_the_same_deals(workers, tmp_path):
    from tests.studies.test_stopping import goal_study

    run_there(workers, goal_study(), tmp_path / "there")
    run_study(goal_study(), tmp_path / "here", threads=2)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert open_study(tmp_path / "there").stops == open_study(tmp_path / "here").stops


@pytest.mark.whole
def test_worker_killed_midway_costs_time_only(workers, tmp_path):
    from distributed import Client

    asked = study(matches=6000, block=200)
    directory = tmp_path / "there"
    killed = []

    def kill():
        with Client(workers.scheduler_address, set_as_default=False) as client:
            before = client.run(os.getpid)
            deadline = time.monotonic() + PATIENCE
            while len(contents(directory)) < 5 and time.monotonic() < deadline:
                time.sleep(0.01)
            name, process = next(iter(before.items()))
            os.kill(process, signal.SIGKILL)
            killed.append((name, process, len(contents(directory))))

    killer = threading.Thread(target=kill)
    killer.start()
    outcome = run_there(workers, asked, directory)
    killer.join()
    assert killed, "no worker was killed"
    assert 5 <= killed[0][2] < 90, "it was not killed midway"
    run_study(asked, tmp_path / "here", threads=2)
    assert outcome.played == 3 * 6000 * 3
    assert contents(directory) == contents(tmp_path / "here")


@pytest.mark.whole
def test_policies_of_the_user_travel_in_their_newest_form(workers, tmp_path):
    lineups = [{"name": "mine", "seats": ["traveller", "random"]}]
    rows = []
    for idea, move in (("first", 0), ("last", 1)):
        path = tmp_path / idea / "mine.py"
        path.parent.mkdir()
        path.write_text(POLICY.format(idea=idea, move=move))
        policies = load_strategies(path)
        asked = study(lineups=lineups, block=20)
        run_there(workers, asked, path.parent / "there", policies=policies)
        run_study(asked, path.parent / "here", threads=1, policies=policies)
        rows.append(contents(path.parent / "there"))
        assert rows[-1] == contents(path.parent / "here")
    assert rows[0] != rows[1]


def test_files_that_options_name_travel(monkeypatch):
    """A worker plays with a copy of the file's text, wherever the file lies."""
    cell = expand(study())[0]
    named = dataclasses.replace(cell, options={**cell.options, "deck": "/nowhere/deck.txt"})
    played = []

    def look(task, stand_in):
        played.append(stand_in(task.cells[0]))
        return Done(task, 0.0)

    monkeypatch.setattr(cluster, "_files", lambda one: {"deck": one.options["deck"]})
    monkeypatch.setattr(cluster, "compute", look)
    task = Task((named,), named, 0, 1, cluster.describe_worker()["source"])
    play_abroad(task, Payload(files=(("/nowhere/deck.txt", (("deck.txt", b"red 1\n"),)),)))
    deck = Path(played[0].options["deck"])
    assert (deck.name, deck.read_text()) == ("deck.txt", "red 1\n")
    assert task.cells[0].options["deck"] == "/nowhere/deck.txt"


def test_a_payload_is_what_was_loaded(tmp_path):
    path = tmp_path / "mine.py"
    content = POLICY.format(idea="first", move=0).encode()
    path.write_bytes(content)
    load_strategies(path)
    path.write_text("edited = True\n")  # too late: what was loaded is what plays
    payload = pack(expand(study()), [path])
    assert payload == Payload(strategies=((("mine.py", content),),))


def test_a_task_for_other_sources_is_refused_by_the_worker():
    cell = expand(study())[0]
    with pytest.raises(InputError, match="other sources of cardlab"):
        play_abroad(Task((cell,), cell, 0, 1, "0123"), Payload())


@pytest.mark.whole
def test_workers_with_other_sources_are_refused_before_anything_is_played(workers, monkeypatch):
    here = {**cluster.describe_worker(), "source": "an older hash"}
    real = cluster.describe_worker
    with connected(workers.scheduler_address, [], [], 2) as executor:
        client = executor._client
        monkeypatch.setattr(cluster, "describe_worker", lambda: here)
        monkeypatch.setattr(client, "run", lambda _: {"tcp://w:1": real()})
        with pytest.raises(InputError, match="worker tcp://w:1 has other sources") as refused:
            cluster.check_workers(client, "tcp://s:1")
    assert "an older hash" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.whole
def test_policy_that_fails_there_is_told_as_here(workers, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(POLICY.format(idea="wrong", move=0).replace("nth_play(s, seat, 0)", "-7"))
    policies = load_strategies(path)
    lineups = [{"name": "mine", "seats": ["traveller"]}]
    asked = study(lineups=lineups, block=20)
    cells = expand(asked, policies)
    with connected(workers.scheduler_address, cells, [path], 2) as executor:
        task = Task((cells[0],), cells[0], 0, 5, cluster.describe_worker()["source"])
        with pytest.raises(InputError, match="no legal move"):
            list(executor.run(iter([task, None]).__next__, lambda _: None))
        list(executor.finish())


@pytest.mark.whole
def test_cluster_without_workers_is_refused(monkeypatch):
    from distributed import LocalCluster

    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    with (
        LocalCluster(
            n_workers=0, dashboard_address="127.0.0.1:0", silence_logs="CRITICAL"
        ) as empty,
        pytest.raises(InputError, match="no worker is there"),
        connected(empty.scheduler_address, [], [], 1),
    ):
        pass


class Interrupted:
    """An executor that is lost after some blocks."""

    workers = 1

    def __init__(self, blocks):
        self.inner, self.blocks = ThreadExecutor(1), blocks

    def run(self, take, keep):
        left = iter(range(self.blocks))  # blocks beyond them would be kept, or not, by a race
        yield from self.inner.run(lambda: None if next(left, None) is None else take(), keep)
        raise LostError("the Dask scheduler tcp://s:1 was lost (CommClosedError)")

    def finish(self):
        return self.inner.finish()


@pytest.mark.whole
def test_scheduler_that_is_lost_says_what_is_kept_and_how_to_go_on(tmp_path):
    asked = study(block=20)
    with pytest.raises(InputError, match="tcp://s:1 was lost") as refused:
        run_study(asked, tmp_path / "there", executor=Interrupted(2))
    told = re.search(r"the (\d+) matches that this run had finished are kept", str(refused.value))
    kept = len(contents(tmp_path / "there"))
    assert int(told[1]) == kept * 20 * 3 >= 2 * 20 * 3
    assert "To go on, give the same command again" in str(refused.value)
    outcome = run_study(asked, tmp_path / "there", threads=1)
    assert outcome.present == kept * 20 * 3
    run_study(asked, tmp_path / "here", threads=1)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


@pytest.mark.parametrize(
    "error",
    [
        OSError("ConnectionPool closing"),
        TimeoutError(),
        asyncio.CancelledError(),
        concurrent.futures.CancelledError(),
    ],
)
def test_errors_of_a_lost_scheduler_are_told_as_such(workers, error, monkeypatch):
    def fail(*_arguments, **_named):
        raise error

    with connected(workers.scheduler_address, [], [], 2) as executor:
        monkeypatch.setattr(executor._client, "submit", fail)
        with pytest.raises(LostError, match=f"{workers.scheduler_address} was lost"):
            list(executor.run(iter(["task", None]).__next__, lambda _: None))


@pytest.mark.whole
class TestCommand:
    @pytest.fixture
    def file(self, tmp_path):
        import tomli_w

        path = tmp_path / "small.toml"
        path.write_text(tomli_w.dumps(document()))
        return path

    def test_local_cluster(self, file, tmp_path):
        found = program(
            "run", file, "--out", tmp_path / "a", "--scheduler", "local", "--threads", 2
        )
        assert found.returncode == 0, found.stderr
        assert "Is it fair?" in found.stdout
        assert "Traceback" not in found.stderr
        program("run", file, "--out", tmp_path / "b", check=True)
        assert contents(tmp_path / "a") == contents(tmp_path / "b")

    @pytest.mark.parametrize(
        ("address", "fragment"),
        [
            ("tcp://127.0.0.1:9", "no scheduler answers"),
            ("nonsense", "missing port"),
            ("foo://x:1", "unknown address scheme"),
        ],
    )
    def test_no_such_scheduler(self, file, tmp_path, address, fragment):
        found = program("run", file, "--out", tmp_path / "a", "--scheduler", address)
        assert (found.returncode, found.stdout) == (2, "")
        assert len(found.stderr.splitlines()) == 1, found.stderr
        assert f"--scheduler '{address}' is refused" in found.stderr
        assert fragment in found.stderr
        assert not (tmp_path / "a").exists()

    def test_package_not_installed(self, file, tmp_path):
        code = (
            "import sys; sys.modules['distributed'] = None\n"
            "from studies.cli.app import run_app\n"
            f"sys.exit(run_app(['run', {str(file)!r}, '--out', {str(tmp_path / 'a')!r}, "
            "'--scheduler', 'local']))"
        )
        found = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert found.returncode == 2
        assert "pip install 'cardlab[cluster]'" in found.stderr
        assert len(found.stderr.splitlines()) == 1


@pytest.mark.whole
def test_executor_counts_the_threads_of_the_cluster(workers):
    with connected(workers.scheduler_address, [], [], 7) as executor:
        assert isinstance(executor, DaskExecutor)
        assert executor.workers == 2
