r"""Budgets: sums that an interaction never exceeds, whatever the answers are.

Rules of this file: a budget is a few rationals of limited size; every range is checked here, once.

Theory of operation: in fully adaptive composition each mechanism and its parameters may depend on
all earlier answers. What is fixed in advance is the budget: the parameters of the mechanisms, each
taken in one measure, add up to at most its size on every path, and their failures to at most its
delta. A theorem for each measure says what any such interaction is.

Sources: certs/SPEC.md, section 9; Rogers, Roth, Ullman & Vadhan, NeurIPS 2016; Feldman & Zrnic,
NeurIPS 2021; Whitehouse, Ramdas, Rogers & Wu, ICML 2023; Koskela, Tobaben & Honkela, ICLR 2023.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final, Self

from ..format.numbers import size
from ..format.outcomes import MalformedError, RejectedError, shown
from ..format.shapes import members, rational, string
from ..format.strict_json import Json
from ..statement import Subject
from .theorems import FULLY_ADAPTIVE

MEASURES: Final = ("epsilon", "mu", "renyi", "rho")
MAX_BITS: Final = 2048
_DIGEST: Final = 64


@dataclass(frozen=True)
class Line:
    """A line of a spend log: its digest, and what had been spent there."""

    digest: str
    size: Fraction
    delta: Fraction


@dataclass(frozen=True)
class Budget(Subject):
    """A measure, its budget, and that of failures.

    ``alpha`` is the order of Rényi divergences, and 1 for the other measures. The budget of the
    measure ``mu`` is a μ, and what adds up are the μ².
    """

    type: ClassVar[str] = "budget"
    nouns: ClassVar[tuple[str, str]] = ("budget", "budgets")
    interactions: ClassVar[tuple[str, ...]] = (FULLY_ADAPTIVE,)

    measure: str
    size: Fraction
    delta: Fraction
    alpha: Fraction = Fraction(1)
    log: Line | None = None

    @classmethod
    def read(cls, value: Json) -> Self:
        """The budget of a statement."""
        measure = _measure_of(value)
        order = ("alpha",) if measure == "renyi" else ()
        parts = members(value, ("delta", "type", measure, *order), "subject", ("log",))
        delta = _short(parts["delta"], "delta")
        if delta >= 1:
            raise MalformedError("a budget's delta is 1 or more")
        alpha = _short(parts["alpha"], "alpha") if order else Fraction(1)
        if order and alpha <= 1:
            raise MalformedError("a budget's alpha is not above 1")
        log = _read_line(parts["log"]) if "log" in parts else None
        budget = cls(measure, _short(parts[measure], measure), delta, alpha, log)
        if log and (log.size > budget.limit or log.delta > budget.delta):
            raise RejectedError("more was spent than the budget")
        return budget

    @property
    def count(self) -> int:
        """One budget."""
        return 1

    @property
    def limit(self) -> Fraction:
        """What the charges may add up to."""
        return self.size**2 if self.measure == "mu" else self.size


def _measure_of(value: Json) -> str:
    found = [key for key in MEASURES if isinstance(value, dict) and key in value]
    if len(found) != 1:
        raise MalformedError(f"a budget has one of {', '.join(MEASURES)}")
    return found[0]


def _read_line(value: Json) -> Line:
    parts = members(value, ("delta", "digest", "size"), "log")
    digest = string(parts["digest"], "digest")
    if len(digest) != _DIGEST or any(letter not in "0123456789abcdef" for letter in digest):
        raise MalformedError(f"digest is not {_DIGEST} hexadecimal digits: {shown(digest)}")
    return Line(digest, _short(parts["size"], "size"), _short(parts["delta"], "delta"))


def _short(value: Json, what: str) -> Fraction:
    number = rational(value, what)
    if size(number) > MAX_BITS:
        raise MalformedError(f"a budget's {what} has more than {MAX_BITS} bits")
    return number
