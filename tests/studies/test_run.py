import json
import shutil
import time
import tomllib

import pytest
import tomli_w

from simcore.errors import DataError
from studies.design.cells import expand
from studies.design.study import MATCHES, check_study
from studies.overview import LINES
from studies.run import blocks, executors
from studies.run import run as run_module
from studies.run.blocks import round_down
from studies.run.plan import Plan
from studies.run.run import run_study
from studies.store.parts import as_array, cell_folder, read_part
from tests.studies.conftest import cardlab, document, parts_there, read_rows, rewrite, study
from tests.studies.test_store import everything, parts_of


@pytest.mark.parametrize(("threads", "block"), [(1, 1000), (1, 7), (3, 10), (2, None)])
def test_rows_do_not_depend_on_threads_or_blocks(played, tmp_path, threads, block):
    run_study(study(), tmp_path, threads=threads, block=block)
    assert read_rows(tmp_path) == read_rows(played)


def test_rows_are_in_the_order_of_match_and_rotation(played):
    for rows in read_rows(played).values():
        keys = list(zip(rows["match"], rows["rotation"], strict=True))
        assert keys == [(match, rotation) for match in range(60) for rotation in range(3)]


def test_running_again_does_nothing(played):
    before = everything(played)
    outcome = run_study(study(), played, threads=2)
    assert (outcome.played, outcome.present) == (0, 3 * 60 * 3)
    assert everything(played) == before


def test_fewer_matches_do_nothing(played):
    before = everything(played)
    assert run_study(study(matches=10), played, threads=1).played == 0
    assert everything(played) == before


def test_more_matches_extend(played, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(played, directory)
    before = everything(directory / "matches")
    outcome = run_study(study(matches=83), directory, threads=2, block=11)
    assert (outcome.played, outcome.present) == (3 * 23 * 3, 3 * 60 * 3)
    after = everything(directory / "matches")
    assert {path: after[path] for path in before} == before
    run_study(study(matches=83), tmp_path / "whole", threads=1)
    assert read_rows(directory) == read_rows(tmp_path / "whole")
    assert tomllib.loads((directory / "study.toml").read_text())["matches"] == 83
    assert len(json.loads((directory / "provenance.json").read_text())["runs"]) == 2


def test_missing_part_is_played_again(played, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(played, directory)
    cell = expand(study())[1]
    parts_there(directory, cell)[1].path.unlink()
    assert run_study(study(), directory, threads=1).played == 25 * 3
    assert read_rows(directory) == read_rows(played)


def test_damaged_part_is_set_aside_and_played_again(played, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(played, directory)
    part = parts_there(directory, expand(study())[1])[1]
    content = part.path.read_bytes()
    part.path.write_bytes(content[:-20])
    said = []
    run_study(study(), directory, threads=1, notice=said.append)
    told = [line for line in said if "set aside" in line]
    assert len(told) == 1
    assert str(part.path) in told[0]
    aside = directory / "damaged" / part.path.parent.name / part.path.name
    assert aside.read_bytes() == content[:-20]
    assert read_rows(directory) == read_rows(played)


def test_changed_policy_does_not_mix_with_old_rows(played, tmp_path, monkeypatch):
    directory = tmp_path / "copy"
    shutil.copytree(played, directory)
    before = everything(directory)

    def other(cell, first, count):
        columns, seconds = executors.play_rows(cell, first, count)
        columns["plays"] = columns["plays"] + 1
        return columns, seconds

    monkeypatch.setattr(run_module, "play_rows", other)
    with pytest.raises(DataError, match="does not come out again"):
        run_study(study(matches=70), directory, threads=1)
    assert everything(directory) == before


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_last_part_is_played_again_before_a_run_goes_on(played, tmp_path, place):
    """The newest rows are those that the last run made, with the rules of that day."""
    directory = tmp_path / "copy"
    shutil.copytree(played, directory)
    cell = expand(study())[1]
    part = parts_there(directory, cell)[place]
    table = read_part(part)
    column = table.column_names.index("plays")
    rewrite(part.path, table.set_column(column, "plays", [as_array(table["plays"]) + 1]))
    before = everything(directory)
    if place == 2:
        with pytest.raises(DataError, match=r"050-10\.parquet does not come out again"):
            run_study(study(matches=70), directory, threads=1)
        assert everything(directory) == before
    else:  # what older parts hold is for `cardlab check`
        assert run_study(study(matches=70), directory, threads=1).played == 3 * 10 * 3


def test_fewer_matches_after_a_loss_keep_the_larger_number(played, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(played, directory)
    parts_there(directory, expand(study())[1])[0].path.unlink()
    assert run_study(study(matches=40), directory, threads=1).played == 25 * 3
    assert tomllib.loads((directory / "study.toml").read_text())["matches"] == 60
    assert read_rows(directory) == read_rows(played)
    told = json.loads((directory / "provenance.json").read_text())
    assert [run["matches"] for run in told["runs"]] == [60, 40]


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


def test_plan_covers_what_is_missing_once(tmp_path):
    asked = study(matches=55)
    cells = expand(asked)
    there = {cells[0].id: [(0, 3), (21, 40)], cells[1].id: [(0, 55)], cells[2].id: [(12, 60)]}
    parts = {name: parts_of(*ranges) for name, ranges in there.items()}
    plan = Plan(asked, cells, parts, tmp_path, "source", block=10)
    tasks = []
    while task := plan.take():
        tasks.append((task.cells[0].id, task.first, task.first + task.count))
    found = {cell.id: [(a, b) for name, a, b in tasks if name == cell.id] for cell in cells}
    assert found[cells[0].id] == [(3, 10), (10, 20), (20, 21), (40, 50), (50, 55)]
    assert found[cells[1].id] == []
    assert found[cells[2].id] == [(0, 10), (10, 12)]
    assert [first for _, first, _ in tasks] == sorted(first for _, first, _ in tasks)


@pytest.mark.parametrize(
    ("number", "size"), [(0.2, 1), (1, 1), (4.9, 2), (5, 5), (99, 50), (150_000, 100_000)]
)
def test_round_down(number, size):
    assert round_down(number) == size


def test_the_seed_that_was_not_given_is_written_down(tmp_path):
    told = {name: value for name, value in document(matches=2).items() if name != "seed"}
    run_study(check_study(told, name="test"), tmp_path / "out")
    assert tomllib.loads((tmp_path / "out" / "study.toml").read_text("utf-8"))["seed"] == 1


class TestCommands:
    @pytest.fixture
    def file(self, tmp_path):
        path = tmp_path / "small.toml"
        path.write_text(tomli_w.dumps(document()))
        return path

    def test_run_prints_the_comparison_and_the_directory(self, file, tmp_path):
        found = cardlab("run", file, "--out", tmp_path / "out", "--matches", "20")
        assert found.returncode == 0, found.stderr
        assert "± and brackets are 95 % intervals" in found.stdout
        assert str(tmp_path / "out") in found.stderr
        assert max(map(len, found.stdout.splitlines())) <= 120
        again = cardlab("run", file, "--out", tmp_path / "out", "--set", "matches=20")
        assert "nothing to do" in again.stderr

    @pytest.mark.whole_only("updown-tournament")
    @pytest.mark.parametrize("name", ["updown-tournament", "updown-variants", "updown-players"])
    def test_run_prints_a_page_and_says_how_to_see_the_rest(self, name, tmp_path):
        out = tmp_path / "out"
        found = cardlab("run", name, "--out", out, "--set", "matches=12", check=True)
        lines = found.stdout.splitlines() + found.stderr.splitlines()
        assert 12 < len(lines) <= LINES + 6
        assert f"cardlab compare {out}" in " ".join(found.stdout.split())
        assert f"cardlab report {out}" in " ".join(found.stdout.split())

    def test_a_page_of_sums(self, file, tmp_path):
        arguments = ("--out", tmp_path / "out", "--set", "detail=summary", "--matches", "20")
        found = cardlab("run", file, *arguments, check=True)
        assert "± and brackets are 95 % intervals" in found.stdout
        assert len(found.stdout.splitlines()) <= 60

    def test_study_of_a_directory_goes_on_there(self, played, tmp_path):
        directory = tmp_path / "copy"
        shutil.copytree(played, directory)
        found = cardlab("run", directory / "study.toml", "--matches", "61")
        assert f"results: {directory}" in found.stderr
        assert len(list(directory.glob("matches/*/*060-1.parquet"))) == 3

    def test_dry_run_writes_nothing(self, file, tmp_path):
        found = cardlab("run", file, "--out", tmp_path / "out", "--dry-run")
        assert found.returncode == 0, found.stderr
        assert "540 matches wanted, 0 present" in found.stdout
        assert not (tmp_path / "out").exists()

    def test_refusal_is_a_line_and_status_2(self, file):
        found = cardlab("run", file, "--scheduler", "nowhere")
        assert (found.returncode, found.stdout) == (2, "")
        assert len(found.stderr.splitlines()) == 1

    def test_check_tells_same_from_different(self, played, tmp_path):
        assert cardlab("check", played, "--blocks", "2").returncode == 0
        directory = tmp_path / "copy"
        shutil.copytree(played, directory)
        for path in directory.glob("matches/*/*.parquet"):
            add_one_play(path)
        found = cardlab("check", directory, "--blocks", "1")
        assert found.returncode == 1
        said = " ".join((found.stdout + found.stderr).split())
        assert "does not come out again" in said
        assert "plays =" in said

    def test_damaged_part_is_named_by_compare(self, played, tmp_path):
        directory = tmp_path / "copy"
        shutil.copytree(played, directory)
        path = next(cell_folder(directory, expand(study())[0].id).glob("*.parquet"))
        path.write_bytes(path.read_bytes()[:-9])
        found = cardlab("compare", directory)
        assert found.returncode == 2
        assert str(path) in found.stderr

    def test_compare_refuses_what_is_no_study(self, tmp_path):
        found = cardlab("compare", tmp_path)
        assert found.returncode == 2
        assert "no study directory" in found.stderr


def add_one_play(path):
    """Change one number of a part; its metadata stay."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.ParquetFile(path).read()
    place = table.column_names.index("plays")
    values = table["plays"].to_pylist()
    values[3] += 1
    rewrite(path, table.set_column(place, "plays", pa.array(values, pa.int32())))


def test_a_busy_machine_cuts_no_blocks(monkeypatch):
    """Files are the same everywhere: what other processes take of a core does not count."""
    cell = expand(study())[0]
    size = blocks.block_size(cell, MATCHES)

    def held_up(*args, **given):
        time.sleep(0.05)
        columns, seconds = executors.play_rows(*args, **given)
        return columns, seconds + 0.05

    def slow(one, first, count, **given):
        started = time.thread_time()
        while time.thread_time() < started + 0.005 * count:
            pass
        columns, seconds = executors.play_rows(one, first, count, **given)
        return columns, seconds + 0.005 * count

    monkeypatch.setattr(blocks, "play_rows", held_up)
    assert blocks.block_size(cell, MATCHES) == size
    monkeypatch.setattr(blocks, "play_rows", slow)
    assert blocks.block_size(cell, MATCHES) < size
