"""The manifest: whatever befalls a file of a study directory is noticed, named and mended."""

import json
import random
import shutil

import pytest

from simcore.errors import DataError, InputError
from studies.check.stored_blocks import check_blocks
from studies.cli.app import run_app
from studies.design.cells import expand
from studies.design.study import load_study
from studies.manifest import NAME, Entry, read_manifest
from studies.run.run import run_study
from studies.store.opened import DOCUMENTS, open_study
from studies.store.provenance import PROVENANCE
from tests.studies.conftest import load, name_anew, parts_there, read_rows, study, told

STUDY = "study.toml"


@pytest.fixture
def copy(played, tmp_path):
    shutil.copytree(played, tmp_path / "copy")
    return tmp_path / "copy"


def flip(path, place):
    content = bytearray(path.read_bytes())
    content[place] ^= 4
    path.write_bytes(content)


def test_every_file_is_named_with_its_digest(played):
    files = {
        path.relative_to(played).as_posix(): path
        for path in played.rglob("*")
        if path.is_file() and path.name not in {".lock", NAME}
    }
    assert len(files) == 3 * 3 + 3 + 3  # parts, totals, documents
    manifest = read_manifest(played)
    assert manifest.files == {name: (Entry.of(path.read_bytes()),) for name, path in files.items()}


def test_any_bit_of_the_manifest_counts(copy):
    path = copy / NAME
    content = path.read_bytes()
    before = read_manifest(copy).files
    for place in range(0, len(content), 3):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        found = refusal(lambda: read_manifest(copy).files == before)  # white space
        assert found is None or NAME in found


def refusal(same):
    """Return what is said of damaged data; None where all is the same."""
    try:
        assert same()
    except InputError as error:
        return str(error)
    return None


def harms(directory, rng):
    """Return a random damage: what it is, and what does it."""
    files = sorted(path for path in directory.rglob("*") if path.is_file() and path.name != ".lock")
    path, other = rng.sample(files, 2)
    place = rng.randrange(path.stat().st_size)

    def swap():
        content = path.read_bytes()
        path.write_bytes(other.read_bytes())
        other.write_bytes(content)

    return rng.choice(
        [
            (f"flip {path} at {place}", lambda: flip(path, place)),
            (f"cut {path} at {place}", lambda: path.write_bytes(path.read_bytes()[:place])),
            (f"delete {path}", path.unlink),
            (f"swap {path} and {other}", swap),
            (f"copy {other} to {path}", lambda: shutil.copy(other, path)),
            (f"lengthen {path}", lambda: path.write_bytes(path.read_bytes() + b"\n")),
            (f"delete the cell of {path}", lambda: remove_cell(directory, rng)),
        ]
    )


def remove_cell(directory, rng):
    shutil.rmtree(rng.choice(sorted((directory / "matches").glob("cell=*"))))


@pytest.mark.parametrize("ask", [told, lambda there: load(there).collect().rows()])
def test_no_damage_gives_other_numbers(played, tmp_path, ask):
    rng = random.Random(20)  # noqa: S311 (no secret)
    before = ask(played)
    seen = 0
    for number in range(100):
        directory = tmp_path / f"{number}"
        shutil.copytree(played, directory)
        name, harm = harms(directory, rng)
        harm()
        found = refusal(lambda: ask(directory) == before)  # noqa: B023 (called at once)
        assert found is None or str(directory) in found, name
        seen += found is not None
        shutil.rmtree(directory)
    assert seen > 90  # of the others nothing but white space of the manifest was changed


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_damaged_is_mended_by_running_again(played, copy, seed):
    name, harm = harms(copy, random.Random(seed))  # noqa: S311 (no secret)
    harm()
    run_study(study(), copy, threads=1, block=25)
    assert told(copy) == told(played), name
    assert read_rows(copy) == read_rows(played), name


@pytest.mark.parametrize("place", [1, 200, -4, -200, -2000])
def test_damaged_part_is_named_by_all_who_read_it(copy, place):
    path = parts_there(copy, expand(study())[0])[1].path
    flip(path, place)
    for read in (told, load, lambda there: list(check_blocks(there, 1))):
        with pytest.raises(DataError, match=path.name):
            read(copy)


def test_lost_part_and_lost_cell_are_named(copy):
    part = parts_there(copy, expand(study())[1])[1]
    part.path.unlink()
    for read in (told, load, lambda there: list(check_blocks(there, 1))):
        with pytest.raises(DataError, match=rf"{part.path.name} is damaged: it is gone"):
            read(copy)
    shutil.rmtree(part.path.parent)
    with pytest.raises(DataError, match=part.path.parent.name):
        told(copy)


def test_damaged_part_of_a_complete_study_is_played_again(copy, played):
    part = parts_there(copy, expand(study())[0])[1]
    flip(part.path, 300)
    said = []
    outcome = run_study(study(), copy, threads=1, block=25, notice=said.append)
    assert outcome.played == 75
    assert "its content is not what was written" in said[0]
    assert read_rows(copy) == read_rows(played)
    assert (copy / "damaged" / part.path.parent.name / part.path.name).is_file()


@pytest.mark.parametrize("name", [*DOCUMENTS, NAME])
@pytest.mark.parametrize("harm", ["flipped", "emptied", "deleted"])
def test_file_beside_the_matches_is_named_and_written_anew(copy, played, name, harm):
    before = told(copy)
    path = copy / name
    if harm == "flipped":
        flip(path, path.stat().st_size // 2)
    elif harm == "emptied":
        path.write_bytes(b"")
    else:
        path.unlink()
    with pytest.raises(InputError, match=name):
        told(copy)
    said = []
    outcome = run_study(study(), copy, threads=1, notice=said.append)
    assert (outcome.played, outcome.present) == (0, 540)
    assert told(copy) == before
    assert all(name in line for line in said)
    assert (copy / "damaged" / name).exists() == (harm != "deleted")
    if name == "cells.parquet":
        assert path.read_bytes() == (played / name).read_bytes()


def test_parts_of_another_study_are_no_reason_to_write_cells_anew(copy):
    (copy / "cells.parquet").unlink()
    with pytest.raises(DataError, match="holds other things"):
        run_study(study(seed=6), copy, threads=1)
    flip(copy / STUDY, 5)
    with pytest.raises(DataError, match="holds other things"):
        run_study(study(seed=6), copy, threads=1)


def test_killed_while_a_document_is_replaced(copy):
    """Both its forms are sound while the manifest names both."""
    manifest = read_manifest(copy)
    old = (copy / STUDY).read_bytes()
    new = old.replace(b"matches = 60", b"matches = 70")
    manifest.files[STUDY] += (Entry.of(new),)
    (copy / NAME).write_bytes(manifest.encode())
    assert open_study(copy).study.matches == 60
    (copy / STUDY).write_bytes(new)
    assert open_study(copy).study.matches == 70
    run_study(study(), copy, threads=1)
    assert read_manifest(copy).files[STUDY] == (Entry.of((copy / STUDY).read_bytes()),)
    assert open_study(copy).study.matches == 70


def test_parts_of_a_killed_run_are_told_and_taken_in(copy, played):
    manifest = read_manifest(copy)
    lost = [name for name in manifest.files if name.endswith("050-10.parquet")]
    for name in lost:
        del manifest.files[name]
    (copy / NAME).write_bytes(manifest.encode())
    stored = open_study(copy)
    assert stored.notes[0].startswith("3 parts")
    assert [stored.totals(cell).deals for cell in stored.cells] == [50, 50, 50]
    assert run_study(study(), copy, threads=1).played == 0
    assert told(copy) == told(played)


def test_part_of_a_killed_run_that_is_damaged_is_played_again(copy, played):
    manifest = read_manifest(copy)
    lost = next(name for name in manifest.files if name.endswith("050-10.parquet"))
    del manifest.files[lost]
    (copy / NAME).write_bytes(manifest.encode())
    flip(copy / lost, 300)
    assert run_study(study(), copy, threads=1).played == 30
    assert told(copy) == told(played)


def test_study_of_a_directory_is_run_only_as_it_was_written(copy):
    assert load_study(str(copy / STUDY)).seed == 5
    text = (copy / STUDY).read_text()
    (copy / STUDY).write_text(text.replace("matches = 60", "matches = 61"))
    with pytest.raises(InputError, match="or was changed by hand"):
        load_study(str(copy / STUDY))
    shutil.copy(copy / STUDY, copy.parent / STUDY)  # a template for another study
    assert load_study(str(copy.parent / STUDY)).matches == 61


def test_provenance_that_is_nonsense_is_named(copy):
    document = json.loads((copy / PROVENANCE).read_text())
    document["stops"]["cells"] = {"x": {"why": "goal"}}
    (copy / PROVENANCE).write_text(json.dumps(document))
    name_anew(copy)
    with pytest.raises(DataError, match=PROVENANCE):
        told(copy)


@pytest.mark.parametrize("name", ["cardlab-seal:", "manifest.json", '"digest"'])
def test_a_variant_named_like_what_the_store_writes_is_harmless(tmp_path, name):
    asked = study(variants={name: {"dirty_one": "always"}}, matches=5, title=name)
    run_study(asked, tmp_path, threads=1)
    assert [cell.variant for cell in open_study(tmp_path).cells] == ["baseline", name]
    assert run_study(asked, tmp_path, threads=1).played == 0
    assert len(told(tmp_path)) == 2


@pytest.mark.parametrize("harm", ["flip", "delete", "delete the cell", "delete the manifest"])
def test_every_command_names_the_same_damage(copy, capsys, harm):
    path = parts_there(copy, expand(study())[0])[1].path
    if harm == "flip":
        flip(path, 300)
    elif harm == "delete":
        path.unlink()
    elif harm == "delete the cell":
        shutil.rmtree(path.parent)
    else:
        path = copy / NAME
        path.unlink()
    for command in ("compare", "report", "check"):
        assert run_app([command, str(copy)]) == 2
        found = capsys.readouterr()
        assert (found.out, found.err.count("\n")) == ("", 1)
        assert (path.parent.name if harm == "delete the cell" else path.name) in found.err
