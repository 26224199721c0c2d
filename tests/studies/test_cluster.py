"""Blocks on a Dask cluster of worker processes: the same files, whatever happens to workers."""

import asyncio
import concurrent.futures
import dataclasses
import os
import re
import signal
import sys
import threading
import time
from contextlib import contextmanager
from importlib.util import find_spec
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
from tests.programs import run_cardlab, run_python
from tests.studies.conftest import ROOT, contents, goal_study, study, totals_of

pytestmark = [
    pytest.mark.skipif(not find_spec("distributed"), reason="distributed is not installed"),
    pytest.mark.filterwarnings("default"),  # what dask warns of is not ours
]

POLICY = """
from simcore.games.up.rules import PLAY, lowest, nth_play
from strategies import policy


@policy("up", idea="{idea}")
def traveller(s, seat, moves):
    return nth_play(s, seat, {move}) if s.phase == PLAY else lowest(moves)
"""


@contextmanager
def dask_cluster(workers, threads=1):
    """Start a scheduler, and workers as processes of their own."""
    from distributed import Client, LocalCluster

    with LocalCluster(
        n_workers=workers,
        threads_per_worker=threads,
        dashboard_address="127.0.0.1:0",
        silence_logs="CRITICAL",
        env={"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
    ) as running:
        with Client(running, set_as_default=False) as client:
            if workers:
                client.wait_for_workers(workers)
        yield running


@pytest.fixture(scope="module")
def workers():
    with dask_cluster(2) as running:
        yield running


@pytest.fixture(scope="module")
def worker():
    with dask_cluster(1, threads=2) as running:
        yield running


def run_there(running, planned, directory, **changes):
    policies = changes.get("policies")
    files = policies.files if policies else ()
    with connected(running.scheduler_address, expand(planned, policies), files, 2) as executor:
        return run_study(planned, directory, executor=executor, **changes)


EFFECTS = {  # factors, a population, a sweep whose changes may be the same, and interactions
    "variants": {"double": {"double_two": "always"}},
    "factors": {"dirty_one": ["off", "always"], "minus_two": [True, False]},
    "sweep": {"points_limit": [200, 300]},
    "population": {"policies": {"greedy": 1, "random": 1}, "tables": 2},
    "lineups": [],
    "matches": 40,
}
STUDIES = {
    "matches": study(block=20),
    "summary": study(block=20, rows=False),
    "effects": study(block=20, **EFFECTS),
    "effects in sums": study(block=20, rows=False, **EFFECTS),
    "goal": goal_study(),
}


@pytest.mark.whole_only("matches", "summary", "goal")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name == "effects")) for name in STUDIES]
)
def test_files_are_those_of_a_local_run(worker, tmp_path, name):
    planned = STUDIES[name]
    outcome = run_there(worker, planned, tmp_path / "there")
    assert outcome.played == run_study(planned, tmp_path / "here", threads=2).played > 0
    assert contents(tmp_path / "there") == contents(tmp_path / "here") != {}
    assert totals_of(tmp_path / "there") == totals_of(tmp_path / "here")
    assert open_study(tmp_path / "there").stops == open_study(tmp_path / "here").stops


@pytest.mark.whole
def test_worker_killed_midway_costs_time_only(workers, tmp_path):
    from distributed import Client

    planned = study(matches=6000, block=200)
    directory = tmp_path / "there"
    parts_at_death = []

    def kill():
        with Client(workers.scheduler_address, set_as_default=False) as client:
            processes = client.run(os.getpid)
            deadline = time.monotonic() + PATIENCE
            while len(contents(directory)) < 5 and time.monotonic() < deadline:
                time.sleep(0.01)
            os.kill(next(iter(processes.values())), signal.SIGKILL)
            parts_at_death.append(len(contents(directory)))

    killer = threading.Thread(target=kill)
    killer.start()
    outcome = run_there(workers, planned, directory)
    killer.join()
    assert parts_at_death, "no worker was killed"
    assert 5 <= parts_at_death[0] < 90, "it was not killed midway"
    run_study(planned, tmp_path / "here", threads=2)
    assert outcome.played == 3 * 6000 * 3
    assert contents(directory) == contents(tmp_path / "here")


# ---- what travels


@pytest.mark.whole
def test_policies_of_the_user_travel_in_their_newest_form(workers, tmp_path):
    planned = study(lineups=[{"name": "mine", "seats": ["traveller", "random"]}], block=20)
    rows = []
    for idea, move in (("first", 0), ("last", 1)):
        path = tmp_path / idea / "mine.py"
        path.parent.mkdir()
        path.write_text(POLICY.format(idea=idea, move=move))
        policies = load_strategies(path)
        run_there(workers, planned, path.parent / "there", policies=policies)
        run_study(planned, path.parent / "here", threads=1, policies=policies)
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

    monkeypatch.setattr(cluster, "_files", lambda cell: {"deck": cell.options["deck"]})
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
    assert pack(expand(study()), [path]) == Payload(strategies=((("mine.py", content),),))


# ---- what is refused


def test_a_task_for_other_sources_is_refused_by_the_worker():
    cell = expand(study())[0]
    with pytest.raises(InputError, match="other sources of cardlab"):
        play_abroad(Task((cell,), cell, 0, 1, "0123"), Payload())


@pytest.mark.whole
def test_workers_with_other_sources_are_refused_before_anything_is_played(workers, monkeypatch):
    worker = cluster.describe_worker()
    here = {**worker, "source": "an older hash"}
    with connected(workers.scheduler_address, [], [], 2) as executor:
        client = executor._client
        monkeypatch.setattr(cluster, "describe_worker", lambda: here)
        monkeypatch.setattr(client, "run", lambda _: {"tcp://w:1": worker})
        with pytest.raises(InputError, match="worker tcp://w:1 has other sources") as refused:
            cluster.check_workers(client, "tcp://s:1")
    assert "an older hash" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.whole
def test_policy_that_fails_there_is_told_as_here(workers, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(POLICY.format(idea="wrong", move=0).replace("nth_play(s, seat, 0)", "-7"))
    policies = load_strategies(path)
    cells = expand(study(lineups=[{"name": "mine", "seats": ["traveller"]}], block=20), policies)
    with connected(workers.scheduler_address, cells, [path], 2) as executor:
        task = Task((cells[0],), cells[0], 0, 5, cluster.describe_worker()["source"])
        with pytest.raises(InputError, match="no legal move"):
            list(executor.run(iter([task, None]).__next__, lambda _: None))
        list(executor.finish())


@pytest.mark.whole
def test_cluster_without_workers_is_refused(monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    with (
        dask_cluster(0) as empty,
        pytest.raises(InputError, match="no worker is there"),
        connected(empty.scheduler_address, [], [], 1),
    ):
        pass


# ---- a scheduler that is lost


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
    planned = study(block=20)
    with pytest.raises(InputError, match="tcp://s:1 was lost") as refused:
        run_study(planned, tmp_path / "there", executor=Interrupted(2))
    text = str(refused.value)
    matches = int(re.search(r"the (\d+) matches that this run had finished are kept", text)[1])
    assert matches == len(contents(tmp_path / "there")) * 20 * 3 >= 2 * 20 * 3
    assert "To go on, give the same command again" in text
    assert run_study(planned, tmp_path / "there", threads=1).present == matches
    run_study(planned, tmp_path / "here", threads=1)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


@pytest.mark.whole_but("error0")
@pytest.mark.parametrize(
    "error",
    [
        OSError("ConnectionPool closing"),
        TimeoutError(),
        asyncio.CancelledError(),
        concurrent.futures.CancelledError(),
    ],
)
def test_errors_of_a_lost_scheduler_are_told_as_such(worker, error, monkeypatch):
    def fail(*_arguments, **_named):
        raise error

    with connected(worker.scheduler_address, [], [], 7) as executor:
        assert isinstance(executor, DaskExecutor)
        assert executor.workers == 2  # the threads of the cluster
        monkeypatch.setattr(executor._client, "submit", fail)
        with pytest.raises(LostError, match=f"{worker.scheduler_address} was lost"):
            list(executor.run(iter(["task", None]).__next__, lambda _: None))


# ---- the command


@pytest.mark.whole
def test_command_with_a_local_cluster(study_file, tmp_path):
    arguments = ("run", study_file(), "--out")
    run = run_cardlab(*arguments, tmp_path / "a", "--scheduler", "local", "--threads", 2)
    assert run.returncode == 0, run.stderr
    assert "Is it fair?" in run.stdout
    assert "Traceback" not in run.stderr
    assert run_cardlab(*arguments, tmp_path / "b").returncode == 0
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


@pytest.mark.whole
@pytest.mark.parametrize(
    ("address", "fragment"),
    [
        ("tcp://127.0.0.1:9", "no scheduler answers"),
        ("nonsense", "missing port"),
        ("foo://x:1", "unknown address scheme"),
    ],
)
def test_no_such_scheduler(study_file, tmp_path, address, fragment):
    refused = run_cardlab("run", study_file(), "--out", tmp_path / "a", "--scheduler", address)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert len(refused.stderr.splitlines()) == 1, refused.stderr
    assert f"--scheduler '{address}' is refused" in refused.stderr
    assert fragment in refused.stderr
    assert not (tmp_path / "a").exists()


@pytest.mark.whole
def test_package_not_installed(study_file, tmp_path):
    code = (
        "import sys; sys.modules['distributed'] = None\n"
        "from studies.cli.app import run_app\n"
        f"sys.exit(run_app(['run', {str(study_file())!r}, '--out', {str(tmp_path / 'a')!r}, "
        "'--scheduler', 'local']))"
    )
    refused = run_python("-c", code)
    assert refused.returncode == 2
    assert "pip install 'cardlab[cluster]'" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
