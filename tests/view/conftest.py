from functools import cache

import pytest

from studies.plots.figure import to_svg
from studies.run.run import run_study
from studies.store.opened import open_study
from studies.view.page import write_page
from studies.view.study import study_answer
from tests.studies.conftest import planted, study, undrawn

__all__ = ["planted", "undrawn"]


@pytest.fixture(scope="session")
def planted_answer(planted):
    """Return a function that gives the answer of a study of `planted.PLANTS`, computed once."""
    return cache(lambda name, **asked: study_answer(planted(name), **asked))


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A small study with everything that a report can show; tests must not change it."""
    directory = tmp_path_factory.mktemp("small") / "study"
    planned = study(
        title="A <small> study & more",
        options={"rounds": 3},
        sweep={"players": [3, 2]},
        matches=240,
        block=240,
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
def answer(small):
    """The answer that the small study gives to a report."""
    return study_answer(open_study(small), complete=False)


@pytest.fixture(scope="session")
def report(answer, tmp_path_factory):
    """The small study's report as a file; its figures: names, charts and what is drawn of them."""
    path, figures = tmp_path_factory.mktemp("page") / "report.html", []

    def noted(chart, name, title):
        figures.append((name, chart, to_svg(chart, name, title)))
        return figures[-1][2]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("studies.view.page.to_svg", noted)
        write_page(answer, path)
    return path, figures


@pytest.fixture(scope="session")
def page(report):
    return report[0]


@pytest.fixture(scope="session")
def figures(report):
    return report[1]
