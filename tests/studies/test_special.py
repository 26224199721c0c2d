"""What needs little of scipy loads no more of it, and scipy remains whole for others."""

from __future__ import annotations

from tests.programs import run_python

LATER = """
from studies.answers import special
from studies.run import tuning
import sys
tuning._cma()
assert not {"scipy", "matplotlib"} & sys.modules.keys()
import scipy.special, scipy.linalg
assert scipy.special.stdtrit is special.stdtrit
assert abs(special.stdtrit(10, 0.975) - 2.228138852) < 1e-9
assert scipy.linalg.det([[1.0, 2.0], [3.0, 4.0]]) < 0
assert scipy.special.ellip_harm(5, 8, 1, 1, 2.5) == 2.5
"""

BEFORE = """
import scipy.special
from studies.answers import special
assert special.ndtri is scipy.special.ndtri
"""

BUILT_OTHERWISE = """
import sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "scipy.special._ufuncs" and not hasattr(sys.modules["scipy"], "__version__"):
            raise ImportError(name)

sys.meta_path.insert(0, Missing())
from studies.answers import special
import scipy.special
assert special.ndtri is scipy.special.ndtri
"""


def test_scipy_is_whole_for_those_who_import_it_before_or_later():
    for code in (LATER, BEFORE, BUILT_OTHERWISE):
        run = run_python("-c", code)
        assert run.returncode == 0, run.stderr
