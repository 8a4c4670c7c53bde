"""A corner of what the format allows, and parameters that are as long there as they may be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from exactdp.verifier.format.numbers import Number, rational_text
from tools.adversaries import LONG, TENTH, Claim, Entry, long, pair, scaled

SHORT: Final = 500
"""Bits of what a rule allows no more than 512 bits for."""

BUDGET_BITS: Final = 900
"""Bits of a denominator, so that a rational of a budget has no more than 2048 in all."""


@dataclass(frozen=True)
class Corner:
    """How long the numbers of a certificate are, and how many there are."""

    digits: int
    bits: int
    entries: int
    count: int
    logs: int
    failing: bool

    def __str__(self) -> str:
        failing = ", δ_i > 0" if self.failing else ""
        return (
            f"D = {self.digits}, {self.bits} bits, {self.entries}·{self.count} mechanisms, "
            f"{self.logs} logarithms{failing}"
        )

    def value(self, about: Fraction, step: int = 0) -> Fraction:
        """A rational of this many bits."""
        return long(about, self.bits, step)

    def epsilon(self, step: int) -> Number:
        """An ε with these many logarithms."""
        rational = self.value(TENTH, step)
        if not self.logs:
            return Number(rational)
        arguments = (self.value(Fraction(3), step * self.logs + i) for i in range(self.logs))
        return Number(rational, tuple((Fraction(1), r) for r in sorted(arguments)))

    def pairs(self) -> list[Entry]:
        """Entries given by (ε, δ)."""
        return [pair(self.epsilon(i), self.count, self.delta(i)) for i in range(self.entries)]

    def delta(self, step: int) -> Fraction:
        """A δ_i; 0 where mechanisms do not fail."""
        return self.value(Fraction(1, 10**9), step) if self.failing else Fraction(0)

    def noise(self, key: str) -> list[Entry]:
        """Entries given by μ or ρ."""
        return [scaled(key, self.value(TENTH, i), self.count) for i in range(self.entries)]

    def claim(self) -> Claim:
        """ε and δ of this many bits; ε so large that a rule goes on to its end."""
        epsilon, delta = self.value(Fraction(self.entries)), self.value(Fraction(1, 10**6))
        return rational_text(epsilon), rational_text(delta)


BOUNDARY_CASES: Final = tuple(
    Corner(*values)
    for values in (
        (1, 8, 1, 1, 0, False),
        (1, 8, 200, 1, 0, True),
        (1, 8, 2, 1000, 0, True),
        (1, 64, 2, 1, 100, False),
        (1, 2000, 2, 1, 2, True),
        (1, LONG, 1, 1, 0, True),
        (1, LONG // 2, 1, 1, 1, False),
        (30, 64, 1, 1, 0, False),
        (30, 64, 40, 100, 1, True),
        (300, 1000, 3, 20, 1, True),
        (2000, 64, 1, 1, 1, False),
        (2000, 6000, 1, 1, 1, True),
        (20_000, 64, 1, 1, 0, False),
        (20_000, 64, 1, 1, 0, True),
    )
)


def spectrum(rule: str, corner: Corner, factors: int) -> dict[str, Any]:
    """The parameters of a rule about a characteristic function of so many factors."""
    short = replace(corner, bits=min(corner.bits, SHORT // 2))
    finer = 1 + (corner.digits + corner.bits // 3) // 30
    options: dict[str, Any] = {
        "tilt": rational_text(short.value(Fraction(2))),
        "step": rational_text(short.value(Fraction(1, 8))),
        "noise": rational_text(short.value(Fraction(1, 20))),
        "last": "20000",
        "near": str(max(1, 40 // finer)),
        "far": str(2000 // finer),
        "blocks": "1000",
        "cut": "20",
        "factors": [str(i) for i in range(min(factors, 20))],
        "digits": str(corner.digits),
    }
    if rule.endswith("fourier-lower"):
        four = rational_text(short.value(Fraction(4)))
        options |= {"left": four, "right": four}
    return options
