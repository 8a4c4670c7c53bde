r"""Budgets: a sum that is never exceeded, whatever is chosen in the light of earlier answers.

Rules of this file: every size is an exact rational; a budget is fixed before the first spend.

Theory of operation: a *filter* keeps a sum of what mechanisms may reveal below a budget. Which sum
decides which mechanisms it can count, and which theorem says what the budget promises:

- ``epsilon``: Σε_i <= B;
- ``rho``: Σρ_i <= B, zero-concentrated differential privacy;
- ``renyi``: Σ of Rényi divergences of one order α <= B;
- ``mu``: Σμ_i² <= μ², Gaussian mechanisms alone.

Beside each, the failures δ_i add up to at most a budget of their own.

Sources: certs/SPEC.md, section 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import short_text
from exactdp.arithmetic.numbers import as_rational
from exactdp.errors import DomainError, InputError

BudgetKind = Literal["epsilon", "rho", "renyi", "mu"]
ZERO: Final = mpq(0)
KINDS: Final[tuple[BudgetKind, ...]] = ("epsilon", "rho", "renyi", "mu")
MOST_BITS: Final = 512
_EXPECTED: Final = (
    "epsilon=B, rho=B, mu=B or renyi=B,alpha=A, with or without ,delta=D for the failures"
)


@dataclass(frozen=True, slots=True)
class Charge:
    """What counts against a budget: a size in its own measure, and failures.

    Attributes:
        size: an ε, a ρ, a Rényi divergence or a μ².
        delta: the sum of failures.
    """

    size: mpq
    delta: mpq

    def __add__(self, other: Charge) -> Charge:
        return Charge(self.size + other.size, self.delta + other.delta)

    def __sub__(self, other: Charge) -> Charge:
        return Charge(self.size - other.size, self.delta - other.delta)


NOTHING: Final = Charge(mpq(0), mpq(0))


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent.

    Attributes:
        kind: what adds up.
        size: B; for ``mu`` the μ itself, and what adds up is μ².
        delta: the most that the failures may add up to.
        alpha: the order, for ``renyi``.
    """

    kind: BudgetKind
    size: mpq
    delta: mpq = ZERO
    alpha: mpq | None = None

    def __post_init__(self) -> None:
        _check(self.kind, self.size, self.size >= 0, "a rational at least 0")
        _check("delta", self.delta, 0 <= self.delta < 1, "a rational at least 0 and below 1")
        if (self.kind == "renyi") != (self.alpha is not None):
            raise InputError(
                field="alpha",
                value="nothing" if self.alpha is None else str(self.alpha),
                expected="an order alpha for a budget of Rényi divergences, and for no other",
            )
        if self.alpha is not None:
            _check("alpha", self.alpha, self.alpha > 1, "a rational above 1")

    @property
    def limit(self) -> Charge:
        """The most that charges may add up to."""
        return Charge(self.size**2 if self.kind == "mu" else self.size, self.delta)

    def allows(self, spent: Charge) -> bool:
        """Whether charges that add up to this keep within the budget."""
        limit = self.limit
        return spent.size <= limit.size and spent.delta <= limit.delta

    def document(self) -> dict[str, str]:
        """The budget as logs and certificates have it."""
        alpha = {} if self.alpha is None else {"alpha": str(self.alpha)}
        return {self.kind: str(self.size), "delta": str(self.delta), **alpha}

    def __str__(self) -> str:
        alpha = "" if self.alpha is None else f",alpha={short_text(self.alpha)}"
        failures = f",delta={short_text(self.delta)}" if self.delta else ""
        return f"{self.kind}={short_text(self.size)}{alpha}{failures}"


def budget_of(parts: Mapping[str, object]) -> Budget:
    """The budget with these parameters, ``epsilon``, ``rho``, ``renyi`` or ``mu`` among them.

    Raises:
        InputError: none of these, several, or one that is no budget.

    >>> print(budget_of({"rho": "1/2", "delta": "1e-9"}))
    rho=0.5,delta=1e-9
    """
    kinds: list[BudgetKind] = [kind for kind in KINDS if kind in parts]
    unknown = [key for key in parts if key not in (*KINDS, "delta", "alpha")]
    if len(kinds) != 1 or unknown:
        found = ", ".join(unknown or kinds) or "nothing"
        raise InputError(field="budget", value=found, expected=_EXPECTED)
    numbers = {key: as_rational(value, key) for key, value in parts.items()}
    for key, number in numbers.items():
        if _too_long(number):
            raise InputError(
                field=key, value=str(number), expected=f"a fraction of at most {MOST_BITS} bits"
            )
    return Budget(kinds[0], numbers[kinds[0]], numbers.get("delta", mpq(0)), numbers.get("alpha"))


def parse_budget(text: str) -> Budget:
    """A budget as the command line states it.

    >>> print(parse_budget("renyi=1/2,alpha=8"))
    renyi=0.5,alpha=8
    """
    parts: dict[str, object] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals or key.strip() in parts:
            raise InputError(field="budget", value=text, expected=_EXPECTED)
        parts[key.strip()] = value.strip()
    return budget_of(parts)


def bounded(total: Charge, charge: Charge) -> Charge:
    """``total`` plus ``charge``, as long as its fractions stay short.

    Raises:
        InputError: a denominator would grow beyond all use.
    """
    after = total + charge
    for field, value, part in (
        ("size", after.size, charge.size),
        ("delta", after.delta, charge.delta),
    ):
        if _too_long(value):
            raise InputError(
                field=field,
                value=str(part),
                expected=f"a charge with which the sum stays a fraction of {MOST_BITS} bits",
                remedy="round what is spent up to a decimal of a few digits",
            )
    return after


def _too_long(value: mpq) -> bool:
    return max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS


def _check(field: str, value: mpq, holds: bool, expected: str) -> None:
    if not holds:
        raise DomainError(field=field, value=str(value), expected=expected)
