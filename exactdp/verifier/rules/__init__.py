r"""The rules: a file for each family, and the table of them all.

Rules of this file: a rule that is not in the table does not exist; it has its name from its class.

Sources: certs/SPEC.md, sections 7, 10, 11 and 12.
"""

from __future__ import annotations

from typing import Final

from ..kernel import AnyRule
from .bracket import ConnectTheDots, GriddedTest
from .closed_forms import (
    AdvancedComposition,
    KairouzOhViswanath,
    KairouzOhViswanathHomogeneous,
    MurtaghVadhanSteps,
)
from .concurrent import ConcurrentBasic
from .exact import Infeasible, RationalOdds, Sum
from .filters import FilterConcentrated, FilterGaussian, FilterRenyi, FilterSum, FixedSpends
from .fourier import FourierLower, FourierUpper
from .gaussian import Gaussian
from .grid import Grid
from .groups import GroupMechanisms, GroupPrivacy
from .interactive import DistinguishingAdversary, PostProcessing
from .lattice import Lattice
from .mixtures import GaussianMesh, GaussianMixture, ZcdpPair
from .parallel import OverlapWitness, ParallelColouring
from .renyi import BunSteinke, Renyi
from .vacuous import Vacuous
from .zcdp import CanonneKamathSteinke

_RULES: Final[tuple[type[AnyRule], ...]] = (
    *(Vacuous, Sum, Infeasible, RationalOdds, Grid, Lattice, ConnectTheDots, GriddedTest),
    *(FourierUpper, FourierLower),
    *(AdvancedComposition, KairouzOhViswanathHomogeneous, KairouzOhViswanath, MurtaghVadhanSteps),
    *(BunSteinke, CanonneKamathSteinke, Renyi),
    *(Gaussian, GaussianMixture, GaussianMesh, ZcdpPair),
    *(ConcurrentBasic, GroupPrivacy, GroupMechanisms),
    *(OverlapWitness, ParallelColouring),
    *(PostProcessing, DistinguishingAdversary),
    *(FilterSum, FilterConcentrated, FilterGaussian, FilterRenyi, FixedSpends),
)

RULES: Final = {rule.name: rule for rule in _RULES}
