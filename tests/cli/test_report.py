"""`cardlab report`: where the page goes, and what is refused."""

import pytest

from simcore.catalogue import get_game
from simcore.game import game_names
from strategies import policies
from studies.cli.app import run_app
from studies.design.cells import expand
from studies.design.study import LIBRARY, check_study, load_study
from studies.library.balance import balance_document
from studies.run.run import run_study
from tests.studies.conftest import study


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results") / "tiny"
    run_study(study(matches=30, options={"players": 3, "rounds": 1}), folder, threads=1)
    return folder


def test_page_beside_the_study_with_lengths_in_minutes(cardlab, directory):
    result = cardlab("report", directory, "--seconds", "30")
    assert (result.status, result.out) == (0, "")
    assert result.err == f"cardlab: report: {directory / 'report.html'}\n"
    page = (directory / "report.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "minutes at 30 s each" in page


def test_refusals(refused, directory, tmp_path):
    assert "DIR" in refused("report")
    assert "unexpected" in refused("report", directory, directory)
    assert "is no study directory" in refused("report", tmp_path)
    assert "is a directory; allowed: a file" in refused("report", directory, "--out", tmp_path)
    message = refused("report", directory, "--out", tmp_path / "page.txt")
    assert "page.txt' is refused; allowed: a name that ends in .html" in message
    for seconds in ("0", "nan", "soon"):
        assert f"seconds '{seconds}' is refused" in refused(
            "report", directory, "--seconds", seconds
        )
    assert "cannot hold a null character" in refused("report", directory, "--out", "a\0.html")


@pytest.mark.parametrize("name", game_names())
def test_balance_study_of_each_game(name):
    """The shipped file is what the template gives, and a study that can be run."""
    game = get_game(name)
    if len(policies(game)) < 2:
        pytest.skip(f"{name} has no policies to compare yet")
    document = balance_document(game)
    shipped = load_study(str(LIBRARY / f"balance-{name}.toml"))
    assert shipped.document == check_study(document).document, (
        f"studies/library/balance-{name}.toml is another; make it anew: "
        f"python -m studies.library.balance {name} > studies/library/balance-{name}.toml"
    )
    cells = expand(shipped)
    assert len({cell.point["players"] for cell in cells}) >= 2
    assert any(cell.variant != "baseline" for cell in cells)


def test_app_knows_the_command(capsys):
    assert run_app(["report", "--help"]) == 0
    assert "--out" in capsys.readouterr().out


class TestPlaces:
    """Places that cannot be read or written."""

    def test_nothing_there_is_refused_as_by_compare(self, refused):
        for place in ("nothing/there", "s3://bucket/study"):
            assert refused("report", place) == refused("compare", place)
