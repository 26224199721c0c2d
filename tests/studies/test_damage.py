"""Whatever befalls the files of a study directory is noticed, named and mended."""

import json
import re
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from simcore.errors import DataError, InputError
from studies.check.stored_blocks import check_blocks
from studies.design.cells import expand
from studies.design.study import load_study
from studies.manifest import NAME, Entry, read_manifest
from studies.run.run import run_study
from studies.store.opened import DOCUMENTS, open_study
from studies.store.parts import as_array, encode_table
from studies.store.provenance import PROVENANCE
from tests.studies.conftest import (
    cardlab,
    cut,
    everything,
    flip,
    load,
    name_anew,
    parts_of,
    read_rows,
    study,
    totals_of,
)

STUDY = "study.toml"


def folder_instead(path):
    path.unlink()
    path.mkdir()


def foreign_instead(path):
    pq.write_table(pa.table({"match": [1, 2, 3]}), path)


# What befalls a part -> what does it, and what is said.
CHANGED = "its content is not what was written"
HARMS = {
    **{
        f"bit {place} flipped": (lambda path, at=place: flip(path, at), CHANGED)
        for place in (1, 200, 300, -4, -200, -2000)
    },
    "cut": (lambda path: cut(path, 100), "it is cut short"),
    "lost": (lambda path: path.unlink(), "it is gone"),
    "a folder": (folder_instead, ""),
    "a foreign file": (foreign_instead, ""),
}
READERS = (totals_of, load, lambda directory: list(check_blocks(directory, 1)))


@pytest.mark.whole_only("bit *200 *", "bit -2000 *")
@pytest.mark.parametrize("harm", HARMS)
def test_damaged_part_is_named_by_all_readers_set_aside_and_played_again(copy, played, harm):
    damage, why = HARMS[harm]
    path = parts_of(copy, expand(study())[1])[1].path
    damage(path)
    for read in READERS:
        with pytest.raises(DataError, match=rf"{path.name}.*{why}"):
            read(copy)
    for command in ("compare", "report", "check"):
        refused = cardlab(command, copy)
        assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
        assert path.name in refused.stderr
    harmed = path.read_bytes() if path.is_file() else None
    notices = []
    outcome = run_study(study(), copy, threads=1, block=25, notice=notices.append)
    assert outcome.played == 25 * 3
    (line,) = (line for line in notices if "its 25 match numbers are played again" in line)
    assert str(path) in line
    assert why in line
    assert ("set aside" in line) == (harm != "lost")
    if harmed is not None:
        assert (copy / "damaged" / path.parent.name / path.name).read_bytes() == harmed
    assert read_rows(copy) == read_rows(played)
    assert totals_of(copy) == totals_of(played)


@pytest.mark.parametrize("lost", ["cell", "manifest"])
def test_lost_cell_and_lost_manifest_are_named_by_every_command(copy, lost):
    folder = parts_of(copy, expand(study())[1])[1].path.parent
    if lost == "cell":
        shutil.rmtree(folder)
    else:
        (copy / NAME).unlink()
    for command in ("compare", "report", "check"):
        refused = cardlab(command, copy)
        assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
        assert (folder.name if lost == "cell" else NAME) in refused.stderr


@pytest.mark.parametrize("name", [*DOCUMENTS, NAME])
@pytest.mark.parametrize("harm", ["flipped", "emptied", "deleted"])
def test_file_beside_the_matches_is_named_and_written_anew(copy, played, name, harm):
    before = totals_of(copy)
    path = copy / name
    if harm == "flipped":
        flip(path, path.stat().st_size // 2)
    elif harm == "emptied":
        path.write_bytes(b"")
    else:
        path.unlink()
    with pytest.raises(InputError, match=name):
        totals_of(copy)
    notices = []
    outcome = run_study(study(), copy, threads=1, notice=notices.append)
    assert (outcome.played, outcome.present) == (0, 540)
    assert totals_of(copy) == before
    assert all(name in line for line in notices)
    assert (copy / "damaged" / name).exists() == (harm != "deleted")
    if name == "cells.parquet":
        assert path.read_bytes() == (played / name).read_bytes()


def refusal(is_same):
    """Return what is said of damaged data; None where all is the same."""
    try:
        assert is_same()
    except InputError as error:
        return str(error)
    return None


def test_every_file_is_named_with_its_digest_and_any_bit_of_the_manifest_counts(copy):
    files = {
        path.relative_to(copy).as_posix(): path
        for path in copy.rglob("*")
        if path.is_file() and path.name not in {".lock", NAME}
    }
    assert len(files) == 3 * 3 + 3 + 3  # parts, totals, documents
    named = {name: (Entry.of(path.read_bytes()),) for name, path in files.items()}
    assert read_manifest(copy).files == named
    path = copy / NAME
    content = path.read_bytes()
    for place in range(0, len(content), 3):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        refused = refusal(lambda: read_manifest(copy).files == named)  # white space
        assert refused is None or NAME in refused


def test_parts_of_another_study_are_no_reason_to_write_cells_anew(copy):
    (copy / "cells.parquet").unlink()
    with pytest.raises(DataError, match="holds other things"):
        run_study(study(seed=6), copy, threads=1)
    flip(copy / STUDY, 5)
    with pytest.raises(DataError, match="holds other things"):
        run_study(study(seed=6), copy, threads=1)


# ---- what killed runs leave behind


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


@pytest.mark.parametrize("damaged", [False, True])
def test_parts_of_a_killed_run_are_told_and_taken_in_or_played_again(copy, played, damaged):
    manifest = read_manifest(copy)
    unnamed = [name for name in manifest.files if name.endswith("050-10.parquet")]
    for name in unnamed:
        del manifest.files[name]
    (copy / NAME).write_bytes(manifest.encode())
    stored = open_study(copy)
    assert stored.notes[0].startswith("3 parts")
    assert [stored.totals(cell).deals for cell in stored.cells] == [50, 50, 50]
    if damaged:
        flip(copy / unnamed[0], 300)
    assert run_study(study(), copy, threads=1).played == (30 if damaged else 0)
    assert totals_of(copy) == totals_of(played)


# ---- files of other origin


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
        totals_of(copy)


def test_variants_named_like_what_the_store_writes_are_harmless(tmp_path):
    names = ["cardlab-seal:", "manifest.json", '"digest"']
    variants = {name: {"dirty_one": "always"} for name in names}
    planned = study(variants=variants, matches=5, title=" ".join(names))
    run_study(planned, tmp_path, threads=1)
    assert [cell.variant for cell in open_study(tmp_path).cells] == ["baseline", *names]
    assert run_study(planned, tmp_path, threads=1).played == 0
    assert len(totals_of(tmp_path)) == 4


def test_foreign_files_are_left_alone_told_and_do_not_count(copy, played):
    folder = parts_of(copy, expand(study())[0])[0].path.parent
    (copy / "notes.txt").write_text("mine")
    (folder / "notes.txt").write_text("mine")
    (copy / "matches" / "more").mkdir()
    shutil.copy(next(folder.glob("*.parquet")), folder / "my copy.parquet")
    (folder / "sub").mkdir()
    before = everything(copy)
    notices = []
    assert run_study(study(), copy, threads=1, notice=notices.append).played == 0
    assert load(copy).collect().height == 3 * 60 * 3
    assert totals_of(copy) == totals_of(played)
    for name in ("my copy.parquet", "notes.txt"):
        assert any(name in line and "ignored" in line for line in notices)
    assert everything(copy) == before


def test_part_with_matches_of_another_part_does_not_count(copy, tmp_path):
    run_study(study(), tmp_path / "other", threads=1, block=30)
    cell = expand(study())[0]
    path = parts_of(tmp_path / "other", cell)[1].path
    shutil.copy(path, parts_of(copy, cell)[0].path.parent)
    stored = open_study(copy)
    assert "1 parts" in stored.notes[0]
    assert stored.deals(cell) == stored.totals(cell).deals == 60
    notices = []
    run_study(study(matches=61), copy, threads=1, notice=notices.append)
    assert any("would count twice" in line and path.name in line for line in notices)
    assert open_study(copy).deals(cell) == 61


def test_a_part_with_more_rows_than_its_deals_is_named_before_they_are_unpacked(copy):
    """A stranger's manifest is right of a small file that unpacks to millions of rows."""
    path = parts_of(copy, expand(study())[0])[0].path
    rows = pq.read_table(path)
    pq.write_table(pa.concat_tables([rows, rows]), path, write_page_checksum=True)
    manifest = read_manifest(copy)
    manifest.files[str(path.relative_to(copy))] = (Entry.of(path.read_bytes()),)
    (copy / NAME).write_bytes(manifest.encode())
    for command in (("compare", copy), ("report", copy)):
        refused = cardlab(*command)
        assert refused.returncode == 2
        assert re.search(r"damaged: it has (\d+) rows instead of \d+", refused.stderr)
        assert "Traceback" not in refused.stderr


# -------------------------------------------------------- doors that lead out of the directory

OUTSIDE = ("../victim.txt", "{victim}", "matches/../../victim.txt", "")


def sentence_of_all(copy):
    """Return the one line with which each command refuses a directory."""
    lines = set()
    for command in (("compare", copy), ("report", copy), ("run", copy / STUDY, "--out", copy)):
        refused = cardlab(*command)
        assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
        lines.add(refused.stderr)
    return " ".join(lines)


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_name_outside_the_directory_is_refused_and_nothing_moved(copy, name):
    victim = copy.parent / "victim.txt"
    victim.write_text("precious")
    manifest = read_manifest(copy)
    manifest.files[name.format(victim=victim)] = (Entry(5, "00"),)
    (copy / NAME).write_bytes(manifest.encode())
    assert "which is outside the directory" in sentence_of_all(copy)
    assert victim.read_text() == "precious"


@pytest.mark.parametrize("name", [".lock", "damaged", "totals", "matches", "cells.parquet"])
def test_nothing_is_opened_through_a_link(copy, name):
    elsewhere = copy.parent / "elsewhere"
    if (copy / name).exists() and name != ".lock":
        (copy / name).rename(elsewhere)
    elif name == ".lock":
        elsewhere.write_text("precious, and long enough to see a cut")
        (copy / name).unlink(missing_ok=True)
    else:
        elsewhere.mkdir()
    before = everything(elsewhere) if elsewhere.is_dir() else elsewhere.read_bytes()
    (copy / name).symlink_to(elsewhere)
    assert f"{copy / name} is a link" in sentence_of_all(copy)
    assert before == (everything(elsewhere) if elsewhere.is_dir() else elsewhere.read_bytes())


def test_a_study_of_another_game_than_its_cells_is_refused_by_all(copy):
    path = copy / STUDY
    path.write_text(path.read_text("utf-8").replace('game = "up"', 'game = "uno"'), "utf-8")
    name_anew(copy)
    for command in ("compare", "report", "check"):
        refused = cardlab(command, copy)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
        assert "it names the game uno, its cells up" in refused.stderr


def test_stored_sums_are_not_those_of_a_part_that_was_changed_since(copy):
    """A part with other rows that the manifest knows: what was summed before it does not count."""
    path = min(copy.glob("matches/*/*.parquet"))
    table = pq.read_table(path)
    plays = pa.array(as_array(table["plays"]) + 100, pa.int32())
    place = table.column_names.index("plays")
    changed = table.set_column(place, table.schema.field("plays"), plays)
    path.write_bytes(encode_table(changed))
    manifest = read_manifest(copy)
    name = path.relative_to(copy).as_posix()
    assert any(other.startswith("totals/") for other in manifest.files)
    manifest.files[name] = (Entry.of(path.read_bytes()),)
    (copy / NAME).write_bytes(manifest.encode())
    with_stored_sums = totals_of(copy)
    name_anew(copy)  # without them
    assert with_stored_sums == totals_of(copy)
