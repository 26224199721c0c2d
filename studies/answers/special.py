"""What statistics take of scipy.special.

The package around these functions imports five times what they need: linear algebra, orthogonal
polynomials, other libraries' arrays. So the module of compiled functions is loaded alone; whoever
imports scipy later gets all of it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

_COMPILED = "scipy.special._ufuncs"


def _functions() -> ModuleType:
    """Return the module of compiled functions; scipy's own way to it remains behind it."""
    if "scipy" not in sys.modules:
        try:
            return _alone()
        except (ImportError, AttributeError):  # a version of scipy is built otherwise
            pass
    return import_module("scipy.special")


def _alone() -> ModuleType:
    """Import the compiled functions within packages that are empty, and forget these."""
    found = find_spec("scipy")
    assert found is not None
    assert found.origin is not None
    for name, folder in (("scipy", "."), ("scipy.special", "special")):
        empty = sys.modules[name] = ModuleType(name)
        empty.__path__ = [str(Path(found.origin).parent / folder)]
    try:
        return import_module(_COMPILED)
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] == "scipy"]:
            if _is_python(sys.modules[name]):
                del sys.modules[name]


def _is_python(module: ModuleType) -> bool:
    """Tell whether a module is of Python: compiled ones are loaded once in a process."""
    return (getattr(module, "__file__", None) or ".py").endswith(".py")


_known = _functions()
bdtr = _known.bdtr
betainc = _known.betainc
betaincinv = _known.betaincinv
betaln = _known.betaln
chdtri = _known.chdtri
ndtr = _known.ndtr
ndtri = _known.ndtri
stdtr = _known.stdtr
stdtrit = _known.stdtrit
