r"""The families that are run on all records: the only list, to which a new one adds its line."""

from __future__ import annotations

from typing import Final

from exactdp.mechanisms.approximate import Mechanism
from exactdp.mechanisms.bounded_range import BoundedRangeMechanism
from exactdp.mechanisms.concentrated import ConcentratedMechanism
from exactdp.mechanisms.discrete_gaussian import DiscreteGaussianMechanism
from exactdp.mechanisms.discrete_laplace import DiscreteLaplaceMechanism
from exactdp.mechanisms.family import Family
from exactdp.mechanisms.gaussian import GaussianMechanism
from exactdp.mechanisms.laplace import LaplaceMechanism
from exactdp.mechanisms.skellam import SkellamMechanism
from exactdp.mechanisms.table import PairMechanism

UNSAMPLED: Final[tuple[type[Family], ...]] = (
    Mechanism,
    ConcentratedMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    DiscreteLaplaceMechanism,
    DiscreteGaussianMechanism,
    SkellamMechanism,
    BoundedRangeMechanism,
    PairMechanism,
)
"""In the order in which tables and schemas have their keys."""
