"""A Monte-Carlo laboratory for card games: rule variants, strategies, balance.

What the commands of `cardlab` do, from Python, and nothing prints by itself:

>>> import cardlab
>>> sim = cardlab.simulate("up", players=3, lineup=["greedy", "shedder"], matches=500)
>>> sim.rows.height
500

Everything here is in `studies.api`, and is imported when it is first asked for.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simcore.errors import InputError
    from strategies.params import Param
    from strategies.registry import PolicyParam
    from studies.api.answer import Answer
    from studies.api.document import Study
    from studies.api.listing import games, options, policies, schema, studies
    from studies.api.own import policy, spec_policy
    from studies.api.planning import Planned, plan
    from studies.api.results import Results, open, run  # noqa: A004 (the name that users say)
    from studies.api.sensitivity import Sensitivity, sensitivity
    from studies.api.simulation import Simulation, simulate
    from studies.api.transcript import Transcript, play
    from studies.api.tuning import Tuned, tune

    __version__: str

_HOMES = {
    "simcore.errors": ("InputError",),
    "strategies.params": ("Param",),
    "strategies.registry": ("PolicyParam",),
    "studies.api.answer": ("Answer",),
    "studies.api.document": ("Study",),
    "studies.api.listing": ("games", "options", "policies", "schema", "studies"),
    "studies.api.own": ("policy", "spec_policy"),
    "studies.api.planning": ("Planned", "plan"),
    "studies.api.results": ("Results", "open", "run"),
    "studies.api.sensitivity": ("Sensitivity", "sensitivity"),
    "studies.api.simulation": ("Simulation", "simulate"),
    "studies.api.transcript": ("Transcript", "play"),
    "studies.api.tuning": ("Tuned", "tune"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Answer",
    "InputError",
    "Param",
    "Planned",
    "PolicyParam",
    "Results",
    "Sensitivity",
    "Simulation",
    "Study",
    "Transcript",
    "Tuned",
    "games",
    "open",
    "options",
    "plan",
    "play",
    "policies",
    "policy",
    "run",
    "schema",
    "sensitivity",
    "simulate",
    "spec_policy",
    "studies",
    "tune",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import what is asked for the first time."""
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
