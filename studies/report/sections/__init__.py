"""The sections of a report, each made from the same material."""

from studies.report.sections.basis import basis, notable
from studies.report.sections.drama import drama
from studies.report.sections.length import length
from studies.report.sections.luck import luck
from studies.report.sections.policies import policies
from studies.report.sections.population import population
from studies.report.sections.seats import seats
from studies.report.sections.sensitivity import sensitivity
from studies.report.sections.together import together
from studies.report.sections.variants import variants

ALL = (
    population,
    variants,
    together,
    sensitivity,
    seats,
    length,
    drama,
    luck,
    policies,
    notable,
    basis,
)
"""In the order of the page. Each takes the material and returns a section, or None when the study
has nothing for it."""

__all__ = ["ALL"]
