r"""Product workloads: every combination of one predicate for each attribute, without listing them.

Purpose: a census asks all combinations of a few predicates on each attribute; 3.6 million queries
are then five short lists.

Rules of this file: nothing of the size of the product is built.

Theory of operation: a row meets a combination if each of its values meets that attribute's
predicate, so that the number of queries it meets is the product, over the attributes, of how many
of their predicates its value meets; each factor is greatest on its own.

Source: the workload is that of Zhang et al., "EKTELO", SIGMOD 2018, section 9.2, as used by Smith
et al., PoPETs 2022, section 7.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from exactdp.errors import InputError
from exactdp.mechanisms import Parametric
from exactdp.workloads.cells import maximal_cells
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.workload import Attribute, Query, Workload


@dataclass(frozen=True, slots=True)
class ProductWorkload:
    """All combinations of a predicate on each attribute, each answered with the same parameters.

    Attributes:
        attributes: the domain.
        families: for each attribute its predicates; None is the one that admits every value.
        mechanism: what answers each query.
    """

    attributes: tuple[Attribute, ...]
    families: tuple[tuple[Coverage | None, ...], ...]
    mechanism: Parametric

    def __post_init__(self) -> None:
        """Check."""
        if len(self.families) != len(self.attributes):
            raise InputError(
                field="families",
                value=str(len(self.families)),
                expected=f"one for each of {len(self.attributes)} attributes",
            )

    def __len__(self) -> int:
        """The number of queries, t."""
        return prod(map(len, self.families))

    @property
    def overlap(self) -> tuple[int, tuple[int, ...]]:
        """γ, and a row that meets so many queries."""
        best = [_most_met(family) for family in self.families]
        return prod(count for count, _ in best), tuple(value for _, value in best)

    def listed(self) -> Workload:
        """The same queries, one by one."""
        queries = (
            Query(
                self.mechanism, {a: each for a, each in enumerate(combination) if each is not None}
            )
            for combination in product(*self.families)
        )
        return Workload(self.attributes, tuple(queries))


def _most_met(family: Sequence[Coverage | None]) -> tuple[int, int]:
    """How many predicates of a family one value meets at most, and such a value."""
    free = sum(each is None for each in family)
    cells = maximal_cells([each for each in family if each is not None])
    met, value = max(((ks.bit_count(), -value) for value, ks in cells), default=(0, 0))
    return (free + met if family else 0), -value
