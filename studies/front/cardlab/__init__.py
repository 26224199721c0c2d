"""A Monte-Carlo laboratory for card games: rule variants, strategies, balance.

The `cardlab` commands as Python functions, which print nothing:

>>> import cardlab
>>> sim = cardlab.simulate("up", players=3, lineup=["greedy", "shedder"], matches=500)
>>> sim.rows().collect().height
500

An invalid argument and a damaged file raise `InputError`: the message names it, its value and what
is allowed.

Everything here is defined in `studies.operations` and imported on first use.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simcore.errors import InputError
    from strategies.params import Param, PolicyParam
    from strategies.registry import learned
    from studies.operations.bench import bench
    from studies.operations.check import Checked, check
    from studies.operations.compare import compare
    from studies.operations.dry_run import dry_run
    from studies.operations.exploit import Exploited, exploit
    from studies.operations.listing import games, options, schema, strategies, studies, warmup
    from studies.operations.new import new
    from studies.operations.plan import Planned, plan
    from studies.operations.play import Transcript, play
    from studies.operations.report import report
    from studies.operations.results import Results, open, run  # noqa: A004 (the name that users say)
    from studies.operations.simulate import Simulation, simulate
    from studies.operations.study import Study
    from studies.operations.train import Trained, train
    from studies.operations.tune import Tuned, tune
    from studies.operations.user_code import policy
    from studies.view.answer import Answer

    __version__: str

_HOMES = {
    "simcore.errors": "InputError",
    "strategies.params": "Param PolicyParam",
    "studies.operations.bench": "bench",
    "studies.operations.check": "Checked check",
    "studies.operations.compare": "compare",
    "studies.operations.dry_run": "dry_run",
    "studies.operations.exploit": "Exploited exploit",
    "studies.operations.listing": "games options schema strategies studies warmup",
    "studies.operations.new": "new",
    "studies.operations.user_code": "policy",
    "studies.operations.plan": "Planned plan",
    "studies.operations.play": "Transcript play",
    "studies.operations.report": "report",
    "studies.operations.results": "Results open run",
    "studies.operations.simulate": "Simulation simulate",
    "studies.operations.study": "Study",
    "strategies.registry": "learned",
    "studies.operations.train": "Trained train",
    "studies.operations.tune": "Tuned tune",
    "studies.view.answer": "Answer",
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Answer",
    "Checked",
    "Exploited",
    "InputError",
    "Param",
    "Planned",
    "PolicyParam",
    "Results",
    "Simulation",
    "Study",
    "Trained",
    "Transcript",
    "Tuned",
    "bench",
    "check",
    "compare",
    "dry_run",
    "exploit",
    "games",
    "learned",
    "new",
    "open",
    "options",
    "plan",
    "play",
    "policy",
    "report",
    "run",
    "schema",
    "simulate",
    "strategies",
    "studies",
    "train",
    "tune",
    "warmup",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a name on first use."""
        from importlib import import_module

        if name == "__version__":
            return import_module("studies.version").VERSION
        if name not in _HOME_OF:
            raise AttributeError(f"module 'cardlab' has no attribute {name!r}")
        value = getattr(import_module(_HOME_OF[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
