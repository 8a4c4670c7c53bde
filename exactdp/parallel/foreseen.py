r"""What steps of a large workload take: foreseen, so that a time limit is kept.

Rules of this file: what is foreseen decides which steps are taken, never what is true of what they
find. Seconds are those that the first step of a kind took; pairs that the verifier compares count
half of their price, which is more than they took where they were measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from exactdp.answers.proving import proof_seconds
from exactdp.certificate.cost_beyond_ledgers import colouring_cost, witness_cost
from exactdp.certificate.statement import Certificate
from exactdp.errors import CostLimitError
from exactdp.parallel.workload import Workload

MOST_SCALED: Final = 2000
"""Of more different parameters it is not asked how much larger noise had to be."""
_NANOSECONDS: Final = 10**9
_READ_AND_WRITTEN: Final = 80_000
"""Nanoseconds for each predicate and range, to write both certificates and to read them again."""
_MANY_KINDS: Final = 64


@dataclass(frozen=True, slots=True)
class Foreseen:
    """Seconds that steps take; 0 of a workload that is not swept.

    Attributes:
        row: a row by sweeps.
        classes: classes by sweeps.
        composing: the composition of what a row meets, and of one mechanism for each class.
        printing: how much larger noise had to be, for what is printed.
        checking: the check of both certificates.
    """

    row: float = 0.0
    classes: float = 0.0
    composing: float = 0.0
    printing: float = 0.0
    checking: float = 0.0

    @property
    def swept(self) -> bool:
        """Whether the workload is swept."""
        return self.row > 0

    @property
    def another_row(self) -> float:
        """A row for other weights, and its composition."""
        return self.row + self.composing

    @property
    def other_classes(self) -> float:
        """Classes as they are, then of one weight each, and their composition."""
        return 2 * self.classes + self.composing

    @property
    def weighting(self) -> float:
        """A row and classes for other weights."""
        return self.another_row + self.other_classes


def sizes_of(workload: Workload) -> list[int]:
    """For each query 1, and its clauses and ranges."""
    return [
        1 + sum(1 + len(coverage.ranges) for coverage in query.where.values()) for query in workload
    ]


def checking_seconds(workload: Workload, classes: Sequence[Sequence[int]]) -> float:
    """What the verifier takes for certificates of a row and of these classes, about."""
    sizes = sizes_of(workload)
    pairs = colouring_cost(sizes, classes) - witness_cost(sizes)
    return (_READ_AND_WRITTEN * sum(sizes) + pairs / 2) / _NANOSECONDS


def checked_seconds(
    workload: Workload, classes: Sequence[Sequence[int]], about_ledger: Certificate | None
) -> float:
    """What the verifier takes for one certificate: of these classes, and about a ledger."""
    seconds = checking_seconds(workload, classes) / 2
    return seconds if about_ledger is None else seconds + proof_seconds(about_ledger)


def has_many_kinds(workload: Workload) -> bool:
    """Whether so many parameters differ that certificates have a part of a time limit."""
    return len({query.mechanism.without_label() for query in workload}) > _MANY_KINDS


def reserved_for_checks(
    workload: Workload, classes: Sequence[Sequence[int]], limit: float | None
) -> float:
    """Seconds to keep for the check of both certificates, if there shall be any.

    Those of many parameters have a part of the time already.

    Raises:
        CostLimitError: it takes longer than the limit.
    """
    if limit is None:
        return 0.0
    seconds = checking_seconds(workload, classes)
    check_checking(seconds, limit)
    return 0.0 if has_many_kinds(workload) else seconds


def check_checking(seconds: float, limit: float) -> None:
    """Refuse certificates whose check alone is foreseen to exceed a time limit.

    Raises:
        CostLimitError: it is.
    """
    if seconds > limit:
        raise CostLimitError(
            field="certificates",
            value=f"about {seconds:.0f} seconds for the verifier",
            expected=f"less than the time limit of {limit} seconds",
            remedy="allow more time by --time-limit, or ask for no certificates",
        )
