"""Noise on whole numbers, by its law: what tests of every kind draw, and are judged by.

Rules of this file: a family is told of by its masses and by certs/SPEC.md, section 7.4, and by
nothing that the engine or the verifier computes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt, sqrt
from random import Random
from typing import Any, Final

from mpmath import mp, mpf  # type: ignore[import-untyped]

from exactdp.mechanisms.discrete_gaussian import DiscreteGaussianMechanism
from exactdp.mechanisms.discrete_laplace import DiscreteLaplaceMechanism
from exactdp.mechanisms.integers import OnIntegers
from exactdp.mechanisms.skellam import SkellamMechanism

DIGITS: Final = 50
"""Of all masses."""


@dataclass(frozen=True, slots=True)
class Noise:
    """A family of noise on whole numbers.

    Attributes:
        key: the key of its entries.
        amount: the key of how much noise it is.
        family: its class.
        usual: an amount of some privacy.
        masses: the probabilities of 0, 1, … for an amount, up to a number.
        reach: beyond which number nothing matters to a double.
        outputs: how many outputs the verifier lists for an amount, a shift and a number of digits.
        more_is_less: whether more of the noise reveals no more.
        is_asked: whether any accountant knows it.
        is_checked: whether the extracted checker knows it.
        has_divergences: whether its Rényi divergences are known.
    """

    key: str
    amount: str
    family: type[OnIntegers]
    usual: int
    masses: Callable[[Fraction, int], Sequence[Any]]
    reach: Callable[[float], int]
    outputs: Callable[[Fraction, int, int], int]
    more_is_less: bool = True
    is_asked: bool = True
    is_checked: bool = True
    has_divergences: bool = True

    def made(self, amount: object, *shifts: int) -> OnIntegers:
        """The mechanism."""
        return self.family(amount, shifts or (1,))  # type: ignore[call-arg] # of each family here

    def entry(self, *shifts: int) -> dict[str, Any]:
        """A usual one, in a ledger file."""
        return {self.key: {self.amount: self.usual, "shifts": [*(shifts or (1,))]}}

    @property
    def clipped(self) -> dict[str, Any]:
        """A usual one beside a clip."""
        return {self.key: {self.amount: self.usual}, "clip": 1, "rate": "1/4"}

    def written(self, amount: str, *shifts: int) -> dict[str, Any]:
        """One in a statement, without its count."""
        return {self.key: {self.amount: amount, "shifts": [str(each) for each in shifts]}}

    def drawn(self, random: Random) -> dict[str, Any]:
        """One in a ledger file, of some amount and one or two coordinates."""
        amount = str(random.randint(self.usual, 9 * self.usual))
        return {self.key: {self.amount: amount, "shifts": [1] * random.randint(1, 2)}}

    def law(self, amount: Fraction, most: int) -> list[Any]:
        """The probabilities of all whole numbers from -most to most."""
        half = _masses(self, amount, most)
        return [half[abs(x)] for x in range(-most, most + 1)]


@lru_cache(maxsize=100)
def _masses(noise: Noise, amount: Fraction, most: int) -> Sequence[Any]:
    with mp.workdps(DIGITS):
        return noise.masses(amount, most)


def real(value: Fraction) -> Any:  # noqa: ANN401 (mpmath has no types)
    """A rational at the precision of the context."""
    return mpf(value.numerator) / value.denominator


# --- the families -------------------------------------------------------------------------------


def _discrete_laplace(scale: Fraction, most: int) -> list[Any]:
    odds = mp.exp(-1 / real(scale))
    return [(1 - odds) / (1 + odds) * odds**x for x in range(most + 1)]


def _discrete_gaussian(variance: Fraction, most: int) -> list[Any]:
    last = most + isqrt(int(2 * variance * 3 * DIGITS)) + 2
    weights = [mp.exp(-x * x / (2 * real(variance))) for x in range(last + 1)]
    total = weights[0] + 2 * mp.fsum(weights[1:])
    return [weight / total for weight in weights[: most + 1]]


def _skellam(variance: Fraction, most: int) -> list[Any]:
    """Two laws of Poisson counts, convolved."""
    mean = real(variance) / 2
    last = most + int(mean + sqrt(mean * 6 * DIGITS)) + 3 * DIGITS
    counts = [mp.exp(-mean)]
    for x in range(1, last + 1):
        counts.append(counts[-1] * mean / x)
    return [mp.fdot(counts[x:], counts) for x in range(most + 1)]


NOISE_ON_INTEGERS: Final = (
    Noise(
        "discrete_laplace",
        "scale",
        DiscreteLaplaceMechanism,
        2,
        _discrete_laplace,
        lambda scale: int(50 * scale) + 1,
        lambda _scale, shift, _digits: shift + 1,
    ),
    Noise(
        "discrete_gaussian",
        "variance",
        DiscreteGaussianMechanism,
        4,
        _discrete_gaussian,
        lambda variance: int(12 * sqrt(2 * variance)) + 1,
        lambda variance, shift, digits: (
            2 * (isqrt(int(5 * variance * (digits + 4))) + 2) + shift + 1
        ),
        more_is_less=False,
    ),
    Noise(
        "skellam",
        "variance",
        SkellamMechanism,
        4,
        _skellam,
        lambda variance: int(12 * sqrt(2 * variance)) + 60,
        lambda variance, shift, digits: (
            2 * isqrt(int(Fraction(3, 5) * (digits + 4) ** 2 + 5 * variance * (digits + 4)))
            + 2 * (4 * (digits + 4) // 5 + 2)
            + shift
            + 1
        ),
        is_asked=False,
        is_checked=False,
        has_divergences=False,
    ),
)
"""All families of noise on whole numbers; a test sees to that."""
KEYS: Final = tuple(noise.key for noise in NOISE_ON_INTEGERS)
WITHOUT_DIVERGENCES: Final = {each.key for each in NOISE_ON_INTEGERS if not each.has_divergences}


def noise_of(entry: Mapping[str, Any]) -> Noise | None:
    """The family of an entry, if it is noise on whole numbers."""
    return next((noise for noise in NOISE_ON_INTEGERS if noise.key in entry), None)
