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

from .statement import Statement, Subject

DEFINITION: Final = "definition"
MURTAGH_VADHAN: Final = "murtagh-vadhan-2018-theorem-1.5"
VADHAN_WANG_BASIC: Final = "vadhan-wang-2021-theorem-4.1"

BOTH: Final = ("adaptive", "concurrent")
ADAPTIVE: Final = ("adaptive",)
CONCURRENT: Final = ("concurrent",)


def _of_pairs(subject: Subject) -> bool:
    return not subject.gaussian and not subject.concentrated


def _pure(subject: Subject) -> bool:
    return _of_pairs(subject) and not any(m.delta for m in subject.mechanisms)


_INTERLEAVED: Final[dict[str, Callable[[Subject], bool]]] = {
    "vadhan-wang-2021-theorem-5.4": _pure,
    "lyu-2022-approximate-dp": _of_pairs,
    "vadhan-zhang-2023-f-dp": _of_pairs,
}


def permitted(theorem: str, interactions: tuple[str, ...], statement: Statement) -> tuple[str, ...]:
    """The theorems that a statement may name whose rule rests on ``theorem``.

    ``interactions`` are those that the rule's upper bounds are about.
    """
    if statement.bound.kind != "upper":
        return (theorem,)
    if statement.interaction not in interactions:
        return ()
    if statement.interaction in ADAPTIVE or theorem == DEFINITION or "adaptive" not in interactions:
        return (theorem,)
    return tuple(name for name, covers in _INTERLEAVED.items() if covers(statement.subject))
