r"""Mechanisms that know themselves: one file a family, sealed.

Whoever asks something of a mechanism asks a method of :class:`~exactdp.mechanisms.family.Family`;
what is not in :data:`FAMILIES` is unknown, and refused where a ledger is made.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from exactdp.mechanisms.allocated import AllocatedGaussianMechanism
from exactdp.mechanisms.approximate import Mechanism
from exactdp.mechanisms.bounded_range import BoundedRangeMechanism
from exactdp.mechanisms.concentrated import ConcentratedMechanism
from exactdp.mechanisms.constraints import ConstrainedMechanism
from exactdp.mechanisms.discrete_gaussian import DiscreteGaussianMechanism
from exactdp.mechanisms.discrete_laplace import DiscreteLaplaceMechanism
from exactdp.mechanisms.factorized import FactorizedGaussianMechanism
from exactdp.mechanisms.families import UNSAMPLED
from exactdp.mechanisms.family import REPLACE_ONE, ZERO_OUT, EntryShape, Family, Sampleable
from exactdp.mechanisms.fixed_size import FixedSizeGaussianMechanism
from exactdp.mechanisms.gaussian import GaussianMechanism
from exactdp.mechanisms.laplace import LaplaceMechanism
from exactdp.mechanisms.records_of_person import PersonInSampleMechanism, person_in_sample
from exactdp.mechanisms.remainder import RemainderGaussianMechanism
from exactdp.mechanisms.renyi import RenyiMechanism
from exactdp.mechanisms.sampled import SAMPLED_BASES, SampledMechanism, sampled
from exactdp.mechanisms.selection import SelectionMechanism
from exactdp.mechanisms.shuffled import ShuffledGaussianMechanism
from exactdp.mechanisms.shuffled_reports import ShuffledReportsMechanism
from exactdp.mechanisms.table import PairMechanism

__all__ = [
    "FAMILIES",
    "REPLACE_ONE",
    "SAMPLED_BASES",
    "ZERO_OUT",
    "AllocatedGaussianMechanism",
    "BoundedRangeMechanism",
    "ConcentratedMechanism",
    "ConstrainedMechanism",
    "DiscreteGaussianMechanism",
    "DiscreteLaplaceMechanism",
    "Entry",
    "EntryShape",
    "FactorizedGaussianMechanism",
    "Family",
    "FixedSizeGaussianMechanism",
    "GaussianMechanism",
    "LaplaceMechanism",
    "Mechanism",
    "PairMechanism",
    "Parametric",
    "PersonInSampleMechanism",
    "RemainderGaussianMechanism",
    "RenyiMechanism",
    "Sampleable",
    "SampledMechanism",
    "SelectionMechanism",
    "ShuffledGaussianMechanism",
    "ShuffledReportsMechanism",
    "person_in_sample",
    "sampled",
]

Parametric: TypeAlias = Mechanism | ConcentratedMechanism | GaussianMechanism
"""A mechanism with its parameters in one of three privacy definitions."""

Entry: TypeAlias = Family
"""What a ledger holds: a mechanism of a family, and of no class that is derived from one."""

FAMILIES: Final[tuple[type[Family], ...]] = (
    *UNSAMPLED,
    PersonInSampleMechanism,
    SampledMechanism,
    RemainderGaussianMechanism,
    ShuffledGaussianMechanism,
    AllocatedGaussianMechanism,
    FixedSizeGaussianMechanism,
    FactorizedGaussianMechanism,
    ShuffledReportsMechanism,
    RenyiMechanism,
    ConstrainedMechanism,
    SelectionMechanism,
)
"""The families: there are no others."""
