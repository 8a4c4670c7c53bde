r"""Which theorem a statement may rest on.

Rules of this file: a theorem is permitted only where it says what the statement says; the table is
that of the specification.

Theory of operation: a rule is about mechanisms run one after the other, adaptively. Concurrent
composition lets an adversary interleave its questions to interactive mechanisms; a theorem must
say that this gives it nothing. What fails adaptively fails concurrently, for running one after the
other is a way of interleaving; so a ``lower`` bound needs no such theorem. An ``underivable`` bound
is about a formula.

Sources: certs/SPEC.md, section 3; Vadhan & Wang, TCC 2021, Theorem 5.4; Lyu, NeurIPS 2022; Vadhan
& Zhang, STOC 2023.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..statement import Statement, Subject
from .workload import Workload

DEFINITION: Final = "definition"
MURTAGH_VADHAN: Final = "murtagh-vadhan-2018-theorem-1.5"
VADHAN_WANG_BASIC: Final = "vadhan-wang-2021-theorem-4.1"
_VADHAN_WANG: Final = "vadhan-wang-2021-theorem-5.4"
_LYU: Final = "lyu-2022-approximate-dp"
_LYU_RENYI: Final = "lyu-2022-renyi-dp"
_VADHAN_ZHANG: Final = "vadhan-zhang-2023-f-dp"

APPROXIMATE: Final = (_VADHAN_WANG, _LYU, _VADHAN_ZHANG)
"""What carries over a rule about mechanisms given by (ε, δ)."""
OF_PROFILES: Final = (_VADHAN_ZHANG,)
"""What carries over a rule about privacy profiles."""
OF_RENYI_DIVERGENCES: Final = (_LYU_RENYI,)
"""What carries over a rule about Rényi divergences."""


def _lossless(subject: Subject) -> bool:
    return not any(mechanism.delta for mechanism in subject.mechanisms)


_COVERS: Final[dict[str, Callable[[Subject], bool]]] = {
    _VADHAN_WANG: lambda subject: not (subject.has_mu or subject.has_rho) and _lossless(subject),
    _LYU: lambda subject: not (subject.has_mu or subject.has_rho),
    _LYU_RENYI: _lossless,
    _VADHAN_ZHANG: lambda subject: not subject.has_rho,
}
"""The mechanisms that a theorem is about; those that are not here are about all."""


def permitted(theorem: str, interleaved: tuple[str, ...], statement: Statement) -> tuple[str, ...]:
    """The theorems that a statement may name, by the theorem of its rule and what carries it over.

    A rule whose own theorem is one of concurrent composition, and no other, is about that alone.
    """
    if statement.bound.kind != "upper":
        return (theorem,)
    if statement.interaction == "adaptive":
        return () if theorem == VADHAN_WANG_BASIC else (theorem,)
    subject = statement.subject
    if isinstance(subject, Workload):
        return ()
    return tuple(name for name in interleaved if _covered(name, subject))


def _covered(name: str, subject: Subject) -> bool:
    return name not in _COVERS or _COVERS[name](subject)
