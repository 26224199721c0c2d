"""What takes longer than a moment shows on a terminal what it does; a pipe gets nothing of it."""

from studies.run.progress import waiting
from tests.studies.planted import plant, winners_by


def test_on_a_terminal_and_not_in_a_pipe(capsys, monkeypatch):
    for forced in (False, True):
        if forced:
            monkeypatch.setenv("FORCE_COLOR", "1")
        with waiting("reads") as step:
            step("draws figure 3 of 21")
        out, err = capsys.readouterr()
        assert out == ""
        assert ("draws figure 3 of 21" in err) == forced


def test_report_and_compare_say_what_they_do(cardlab, tmp_path, monkeypatch):
    def rows(_, columns):
        columns["winners"] = winners_by((1 / 3,) * 3, columns["winners"].shape, 1)

    directory = plant(
        tmp_path / "one", 60, rows, lineups=[{"name": "all", "seats": ["greedy"]}], variants={}
    )
    out = tmp_path / "a" / "b.html"
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "draws figure" in cardlab("report", directory, "--out", out).err
    assert out.is_file()
    assert "compares" in cardlab("compare", directory).err
