r"""The rules: a file for each family, and the table of them all.

Rules of this file: a rule that is not in the table does not exist.

Sources: certs/SPEC.md, sections 7 to 11.
"""

from __future__ import annotations

from typing import Final

from ..kernel import AnyRule
from .atoms import Atoms
from .cases import Cases
from .exact import Sum
from .filters import Filter
from .formula import Formula
from .fourier import FourierLower, FourierUpper
from .gaussian import Gaussian
from .grid import Grid
from .group_noise import GroupNoise
from .group_path import GroupPath
from .groups import Group
from .interactive import DistinguishingAdversary, PostProcessing
from .large_grids import GridCounts, GridFourier
from .mesh import MeshLower, MeshUpper
from .mixtures import GaussianMesh, GaussianMixture, ZcdpPair
from .moments import Moments
from .notions import GdpSum, ZcdpSum
from .parallel import Rows
from .rejection import ClopperPearson, OneRunRule
from .shares import Shares
from .trivial import Trivial

_RULES: Final[tuple[type[AnyRule], ...]] = (
    *(Trivial, Sum, Atoms, Grid, GridCounts, GridFourier, FourierUpper, FourierLower, Moments),
    *(Formula, Gaussian, GaussianMixture, GaussianMesh, ZcdpPair, Group, GroupNoise, GroupPath),
    *(Rows, Cases, Shares, PostProcessing, DistinguishingAdversary, Filter, MeshUpper, MeshLower),
    *(ClopperPearson, OneRunRule),
    *(ZcdpSum, GdpSum),
)
RULES: Final = {rule.name: rule for rule in _RULES}
