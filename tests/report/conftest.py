import pytest

from studies.run.run import run_study
from tests.studies.conftest import study


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A small study with everything that a report can show; tests must not change it."""
    directory = tmp_path_factory.mktemp("small") / "study"
    planned = study(
        title="A <small> study & more",
        options={"rounds": 3},
        sweep={"players": [3, 2]},
        matches=240,
        variants={"dirty": {"dirty_one": "always"}, "short": {"rounds": 2}, "same": {}},
        lineups=[
            {"name": "only random", "seats": ["random"]},
            {"name": "only guard", "seats": ["guard"]},
            {"name": "guard-greedy", "seats": ["guard", "greedy"], "rotate": True},
            {"name": "guard-random", "seats": ["guard", "random"], "rotate": True},
            {"name": "greedy-random", "seats": ["greedy", "random"], "rotate": True},
            {
                "name": "off guard",
                "seats": ["guard", "guard(cards=0)"],
                "rotate": True,
                "variants": False,
            },
        ],
    )
    run_study(planned, directory, threads=2)
    return directory


@pytest.fixture(scope="session")
def built(small):
    from studies.report import build

    return build(small)


@pytest.fixture(scope="session")
def page(built, tmp_path_factory):
    """The small study's report as a file."""
    from studies.report import write_html

    path = tmp_path_factory.mktemp("page") / "report.html"
    write_html(built, path)
    return path
