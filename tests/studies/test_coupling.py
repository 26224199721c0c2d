"""The coupling of a study: which one, where it is told, and that a match can be played again."""

import json
import tomllib
from dataclasses import replace

import polars as pl
import pyarrow.parquet as pq
import pytest
import tomli_w

from simcore.errors import DataError, InputError
from simcore.game import SEAT, STOCK, get_game
from studies import load
from studies.balance.notable import replay_command
from studies.check.stored_blocks import check_blocks
from studies.cli.app import run_app
from studies.compare.effects import compare
from studies.design.cells import _digest, expand
from studies.design.study import check_study
from studies.report.build import build
from studies.run.run import run_study
from studies.store.cellfile import stored_cells
from tests.studies.conftest import cardlab, study, unseal

LINEUPS = [{"name": "pair", "seats": ["random_playable", "hitter"], "rotate": True}]


def uno(**changes):
    document = {
        "game": "uno",
        "seed": 3,
        "matches": 40,
        "options": {"players": 2, "rounds": 1},
        "variants": {"forget": {"forget_uno": 0.5}, "same": {}},
        "lineups": LINEUPS,
        **changes,
    }
    return check_study(document, name="paired")


def ids(asked):
    return [cell.id for cell in expand(asked)]


class TestChoice:
    def test_paired_studies_of_uno_draw_by_seat(self):
        assert {cell.coupling for cell in expand(uno())} == {SEAT}
        assert {cell.coupling for cell in expand(uno(variants={}))} == {STOCK}
        assert {cell.coupling for cell in expand(study())} == {STOCK}

    @pytest.mark.parametrize("coupling", [STOCK, SEAT])
    def test_the_study_decides(self, coupling):
        for variants in ({}, {"same": {}}):
            cells = expand(uno(coupling=coupling, variants=variants))
            assert {cell.coupling for cell in cells} == {coupling}

    def test_it_belongs_to_what_a_cell_is(self):
        assert ids(uno()) == ids(uno(coupling=SEAT))
        assert not set(ids(uno(coupling=STOCK))) & set(ids(uno(coupling=SEAT)))
        cell = expand(uno(coupling=STOCK))[0]
        # As before there was a choice: the draws are the same, and so is the id.
        names = ("game", "options", "seats", "rotations", "seed")
        assert cell.id == _digest({name: getattr(cell, name) for name in names})

    @pytest.mark.parametrize(
        ("changes", "fragments"),
        [
            ({"coupling": "seats"}, ["coupling = 'seats' is refused", '"stock"', '"seat"']),
            ({"coupling": 1}, ["coupling = 1 is refused", '"seat"']),
            (
                {
                    "game": "up",
                    "options": {},
                    "variants": {},
                    "coupling": SEAT,
                    "lineups": [{"name": "a", "seats": ["random"]}],
                },
                ["coupling 'seat' is refused for up", "no card is drawn", "allowed: stock"],
            ),
        ],
    )
    def test_refusals(self, changes, fragments):
        with pytest.raises(InputError) as refused:
            uno(**changes)
        for fragment in fragments:
            assert fragment in str(refused.value)

    def test_told_before_and_by_the_game(self, tmp_path):
        path = tmp_path / "s.toml"
        path.write_text(tomli_w.dumps(uno().document))
        found = cardlab("run", path, "--dry-run", check=True)
        assert 'coupling "seat"; 240 matches wanted' in " ".join(found.stdout.split())
        assert "coupling stock or seat" in cardlab("games", "uno", check=True).stdout
        assert "coupling" not in cardlab("games", "up", check=True).stdout

    def test_refused_by_the_command_line(self, tmp_path):
        path = tmp_path / "s.toml"
        path.write_text(tomli_w.dumps(study().document))
        found = cardlab("run", path, "--set", "coupling=seat", "--dry-run")
        assert (found.returncode, found.stdout) == (2, "")
        assert "coupling 'seat' is refused for up" in found.stderr
        assert len(found.stderr.splitlines()) == 1


@pytest.fixture(scope="module")
def paired(tmp_path_factory):
    directory = tmp_path_factory.mktemp("paired") / "study"
    run_study(uno(), directory, threads=2, block=20)
    return directory


class TestDirectory:
    def test_it_is_told_everywhere(self, paired):
        assert tomllib.loads((paired / "study.toml").read_text())["coupling"] == SEAT
        assert json.loads((paired / "provenance.json").read_text())["coupling"] == SEAT
        assert stored_cells(paired) == [replace(cell, planned=None) for cell in expand(uno())]
        for path in paired.glob("matches/*/*.parquet"):
            assert pq.read_metadata(path).metadata[b"coupling"] == b"seat"
        assert load(paired).select(pl.col("coupling").unique()).collect().item() == SEAT

    def test_blocks_come_out_again(self, paired):
        assert len(list(check_blocks(paired, 6))) == 6

    def test_a_control_changes_nothing(self, paired):
        same = next(effect for effect in compare(paired).variants if effect.variant == "same")
        assert same.control
        assert same.winners_differ_count == 0
        assert same.policies[0].score.change.estimate == 0

    def test_comparisons_name_it(self, paired, tmp_path, played):
        assert compare(paired).coupling.startswith("“seat”: ")
        assert compare(played).coupling.startswith("“stock”: ")
        asked = uno(detail="summary")
        run_study(asked, tmp_path / "sums", threads=1)
        assert compare(tmp_path / "sums").coupling == compare(paired).coupling
        for directory in (paired, tmp_path / "sums"):
            shown = " ".join(cardlab("compare", directory, check=True).stdout.split())
            assert "Coupling: “seat”: " in shown
        page = build(paired)
        notes = [note for section in page.sections for note in section.notes]
        assert any("Coupling: “seat”: " in note for note in notes)

    def test_another_coupling_is_another_study(self, paired):
        with pytest.raises(DataError, match="coupling = seat there, stock here"):
            run_study(uno(coupling=STOCK), paired, threads=1)

    def test_directories_from_before_there_was_a_choice_go_on(self, tmp_path):
        """They name no coupling: it was that of the stock."""
        before = uno(coupling=STOCK)
        run_study(before, tmp_path / "old", threads=1, block=20)
        stored = pq.read_table(tmp_path / "old" / "cells.parquet").drop_columns(["coupling"])
        pq.write_table(stored.replace_schema_metadata(), tmp_path / "old" / "cells.parquet")
        unseal(tmp_path / "old" / "study.toml")
        text = (tmp_path / "old" / "study.toml").read_text()
        (tmp_path / "old" / "study.toml").write_text(text.replace('coupling = "stock"\n', ""))
        assert {cell.coupling for cell in stored_cells(tmp_path / "old")} == {STOCK}
        with pytest.raises(DataError, match="coupling = stock there, seat here"):
            run_study(uno(matches=50), tmp_path / "old", threads=1)
        assert run_study(uno(coupling=STOCK, matches=50), tmp_path / "old").played == 3 * 10 * 2


class TestPlayingAgain:
    def test_simulate_gives_the_rows_of_the_study(self, paired, tmp_path):
        out = tmp_path / "rows.parquet"
        cardlab(
            *("simulate", "uno", "--players", 2, "--rule", "rounds=1", "--seed", 3),
            *("--lineup", "random_playable,hitter", "--matches", 40, "--coupling", "seat"),
            *("--out", out),
            check=True,
        )
        assert b"seat" in pq.read_metadata(out).metadata[b"coupling"]
        rows = pl.read_parquet(out).drop("rotation")
        base = expand(uno())[0].id
        stored = load(paired).filter(pl.col("cell") == base, pl.col("rotation") == 0).collect()
        assert rows.equals(stored.select(rows.columns))

    def test_the_command_of_a_notable_match(self, paired, capsys):
        from studies.balance import measure

        balance = measure(paired)
        table = next(own for own in balance.tables if own.variant == "forget")
        longest = next(one for one in table.notable if one.kind == "longest")
        command = replay_command(get_game("uno"), table, longest).split()
        assert command[-2:] == ["--coupling", "seat"]
        told = []
        for words in (command, command[:-2]):
            assert run_app(words[1:]) == 0
            told.append(capsys.readouterr().out)
        rows = load(paired).filter(
            pl.col("cell") == table.cell,
            pl.col("match") == longest.match,
            pl.col("rotation") == longest.rotation,
        )
        row = rows.collect().to_dicts()[0]
        best = max(row["score_0"], row["score_1"])
        assert f"wins with {best} points" in told[0]
        assert told[0] != told[1]

    def test_refused_in_games_without_draws(self):
        for command in ("play", "simulate"):
            found = cardlab(command, "dnup", "--coupling", "seat")
            assert (found.returncode, found.stdout) == (2, "")
            assert "coupling 'seat' is refused for dnup" in found.stderr
        found = cardlab("play", "uno", "--coupling", "sea")
        assert found.returncode == 2
        assert "did you mean 'seat'" in found.stderr

    def test_json_names_it(self):
        words = ("simulate", "uno", "--json", "--matches", 5, "--rule", "rounds=1")
        words += ("--lineup", "hitter")
        told = json.loads(cardlab(*words, "--coupling", "seat", check=True).stdout)
        assert told["coupling"] == "seat"
        assert "coupling" not in json.loads(cardlab(*words, check=True).stdout)
