"""Every public name is told with an example, and every example gives what it says."""

from __future__ import annotations

import doctest
import inspect

import pytest

import cardlab
from tests.programs import run_python

# Errors and classes of parameters have their words where they are.
WITHOUT_EXAMPLE = {"InputError", "Param", "PolicyParam"}


def examples():
    finder = doctest.DocTestFinder(exclude_empty=False)
    for name in cardlab.__all__:
        if name not in WITHOUT_EXAMPLE:
            value = getattr(cardlab, name)
            yield from finder.find(value, name, module=False, globs={"cardlab": cardlab})


EXAMPLES = {example.name: example for example in examples()}


def is_public(name):
    return not any(part.startswith("_") for part in name.split("."))


def test_all_that_is_promised_is_there():
    assert set(dir(cardlab)) >= set(cardlab.__all__)
    for name in cardlab.__all__:
        assert inspect.getdoc(getattr(cardlab, name)), name
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        _ = cardlab.simulat


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", [name for name in EXAMPLES if is_public(name) and "." not in name])
def test_every_name_has_an_example(name):
    assert EXAMPLES[name].examples


@pytest.mark.whole_only("bench", "warmup")
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", [name for name in EXAMPLES if EXAMPLES[name].examples])
def test_example(name):
    example = EXAMPLES[name]
    runner = doctest.DocTestRunner()
    output = []
    runner.run(example, out=output.append)
    assert runner.failures == 0, "".join(output)


def test_importing_is_quick_and_prints_nothing():
    names = ("numba", "polars", "pandas", "matplotlib", "scipy", "pydantic", "typer", "rich")
    program = f"import sys, cardlab; print([name for name in {names} if name in sys.modules])"
    process = run_python("-c", program)
    assert (process.stdout, process.stderr) == ("[]\n", "")
