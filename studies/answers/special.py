"""What statistics take of scipy.special.

On its way scipy looks at every name of numpy, at `numpy.f2py` too, whose import takes longer than
all the rest and which nothing here uses: it is loaded when somebody does.
"""

from __future__ import annotations

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec

import numpy as np


def _load_when_used(name: str) -> None:
    """Put a module of numpy in its place that loads itself when it is first used."""
    full_name = f"numpy.{name}"
    spec = find_spec(full_name)
    if full_name in sys.modules or spec is None or spec.loader is None:
        return
    spec.loader = LazyLoader(spec.loader)
    module = module_from_spec(spec)
    sys.modules[full_name] = module
    spec.loader.exec_module(module)
    setattr(np, name, module)


for _name in ("f2py", "testing", "ctypeslib"):
    _load_when_used(_name)

from scipy.special import (  # noqa: E402 (after what makes it quick)
    bdtr,
    betainc,
    betaincinv,
    betaln,
    chdtri,
    ndtr,
    ndtri,
    stdtr,
    stdtrit,
)

__all__ = [
    "bdtr",
    "betainc",
    "betaincinv",
    "betaln",
    "chdtri",
    "ndtr",
    "ndtri",
    "stdtr",
    "stdtrit",
]
