r"""Correlated noise: Gaussian noise on a matrix factorization of what rounds contribute.

Rules of this file: σ is in units of the clip norm; μ² is rational, and μ need not be.

Theory of operation: Cu + σz is released, row by row, and a record takes part in some rounds. Row r
moves by a vector that is known given the past, and the squares of all of them are together at most
s², however contributions are chosen: a Gaussian filter with μ² = s²/σ². From below a record
contributes ±1 in one coordinate. So all that matters is s².

Sources: certs/SPEC.md, sections 7.4 and 7.7; Denisov, McMahan, Rush, Smith & Thakurta, "Improved
differential privacy for SGD via optimal private linear operators on adaptive streams", NeurIPS
2022, Theorem 2.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isqrt
from typing import ClassVar, Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number
from exactdp.errors import InputError, UnsupportedError
from exactdp.mechanisms.checks import positive
from exactdp.mechanisms.factorizations import (
    AtMost,
    Every,
    Factorization,
    Participation,
    deviation_of,
    factorization_of,
    participation_of,
)
from exactdp.mechanisms.family import (
    ADD_REMOVE_ONE,
    REPLACE_ONE,
    ZERO_OUT,
    EntryShape,
    NeverFails,
    Symmetric,
    set_field,
)
from exactdp.mechanisms.gaussian import GaussianMechanism, GaussianPair
from exactdp.mechanisms.keys import JsonEntry, Key, TextOf, counted, each_leaf
from exactdp.mechanisms.pairs import CountedPair
from exactdp.mechanisms.sampled import SampledMechanism
from exactdp.mechanisms.sensitivity import squared_sensitivity

_REACHES: Final = {ZERO_OUT: 1, ADD_REMOVE_ONE: 1, REPLACE_ONE: 2}
_ROUNDING: Final = mpq(1, 2**200)
_ROOTS: Final = 2**64
"""Norms are rounded up to multiples of one over it."""


@dataclass(frozen=True, slots=True, init=False)
class FactorizedGaussianMechanism(Symmetric, NeverFails):
    r"""Gaussian noise, correlated over rounds by a matrix C, in each of which a record has norm 1.

    Attributes:
        sigma: the deviation of z, in units of the clip norm.
        factorization: C, or its entry, as ``{"sqrt": 200, "band": 20}``.
        participation: the rounds that a record may take part in, or its entry.

    >>> FactorizedGaussianMechanism("7", {"tree": 16}, {"most": 4, "apart": 4}).squares()
    (mpq(36,49), mpq(36,49))
    """

    sigma: mpq
    factorization: Factorization
    participation: Participation
    count: int
    label: str

    HAS_LEMMA: ClassVar[bool] = False
    IS_IN_BATCHES: ClassVar[bool] = True
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("factorization", joins=("sigma",), in_cells=False),
        Key("participation", joins=("sigma",), in_cells=False),
    )

    def __init__(
        self,
        sigma: Number,
        factorization: object,
        participation: object,
        count: int = 1,
        label: str = "",
    ) -> None:
        """Check and normalise the parameters."""
        set_field(self, "sigma", positive(sigma, "sigma"))
        matrix = factorization_of(factorization)
        set_field(self, "factorization", matrix)
        set_field(self, "participation", participation_of(participation, matrix.rounds))
        self._counted(count, label)
        squared_sensitivity(self.factorization, self.participation)

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> FactorizedGaussianMechanism:
        """By the deviation of the noise, in units of the clip norm."""
        for key in ("factorization", "participation"):
            if key not in entry:
                raise InputError(
                    field=key, value="nothing", expected="a factorization with a participation"
                )
        if "sensitivity" in entry:
            raise InputError(
                field="sensitivity",
                value=text_of(entry["sensitivity"]),
                expected="none: the sensitivity is that of the factorization, for the clip norm 1",
                remedy="divide sigma by the clip norm",
            )
        matrix, taken = (each_leaf(entry[key.name], text_of) for key in cls.KEYS)
        return cls(text_of(entry["sigma"]), matrix, taken, *counted(entry))

    @staticmethod
    def of_multiplier(
        noise_multiplier: Number, sensitivity: Number, factorization: object, participation: object
    ) -> FactorizedGaussianMechanism:
        """Noise of deviation ``noise_multiplier`` times the sensitivity that a library found."""
        sigma = deviation_of(noise_multiplier, sensitivity)
        return FactorizedGaussianMechanism(sigma, factorization, participation)

    def on_cyclic_samples(self, rate: Number) -> SampledMechanism:
        """What dominates it where each round samples, at a rate, one of so many classes in turn.

        The participation is ``{"every": b}`` for b classes, to which records belong whatever others
        there are. A record meets at most ⌈n/b⌉ rounds, whose columns are orthogonal, as C has a
        band of at most b: as many samples of Gaussian noise by the greatest norm of a column, here
        rounded up (Choquette-Choo et al., arXiv:2306.08153, Theorem 4).

        Raises:
            UnsupportedError: there are no fixed epochs, or the band is wider than they are.

        >>> banded = FactorizedGaussianMechanism("2", {"sqrt": 100, "band": 1}, {"every": 10})
        >>> banded.on_cyclic_samples("1/10")
        <SampledMechanism: mu=0.5, rate=0.1, count=10>
        """
        matrix, taken = self.factorization, self.participation
        if not isinstance(taken, Every) or matrix.span > taken.every:
            raise UnsupportedError(
                field="participation",
                value=str(taken.shape()),
                expected=f"every, at least {matrix.span}: a band no wider than what lies between "
                "two rounds of a class",
                remedy="no theorem about samples with a wider band is both tight and finite",
            )
        norm_squared = squared_sensitivity(matrix, AtMost(1, 1))[1] / self.sigma**2
        scaled = norm_squared * _ROOTS**2
        least = isqrt(int(-(-scaled.numerator // scaled.denominator)))
        root = mpq(least if least**2 >= scaled else least + 1, _ROOTS)
        count = self.count * -(-matrix.rounds // taken.every)
        return SampledMechanism(GaussianMechanism(root), rate, count, self.label)

    def shape(self) -> EntryShape:
        return {
            "sigma": self.sigma,
            "factorization": self.factorization.shape(),
            "participation": self.participation.shape(),
        }

    @property
    def neighbours(self) -> tuple[str, ...]:
        return (ZERO_OUT, ADD_REMOVE_ONE, REPLACE_ONE)

    def squares(self, relation: str = ZERO_OUT) -> tuple[mpq, mpq]:
        """Both ends of μ²."""
        low, high = squared_sensitivity(self.factorization, self.participation)
        times = (_REACHES[relation] / self.sigma) ** 2
        return low * times, high * times

    def pairs(self, relation: str) -> Iterator[CountedPair]:
        """Gaussian noise, by the sensitivity from above."""
        yield GaussianPair(self.squares(relation)[1]), 1

    def attained(self, relation: str, _tilt: mpq) -> Iterator[CountedPair]:
        """Gaussian noise, by the sensitivity from below."""
        yield GaussianPair(self.squares(relation)[0]), 1

    def gap(self) -> str:
        low, high = self.squares()
        if high - low <= _ROUNDING * high:
            return ""
        return "what lies between two ends of the sensitivity of a factorization"

    def attained_by(self, _relation: str) -> Iterator[str]:
        yield "of correlated noise, where a record contributes the same in its rounds, up to signs"

    def implied_epsilon_delta(self) -> None:
        """No ε holds without a δ."""

    def implied_rho(self) -> None:
        """Its μ² says more."""

    def rho_estimate(self) -> mpq:
        """Its ρ."""
        return self.squares()[1] / 2

    def ordering(self) -> None:
        """Only its equal is like it."""

    def scaled(self, factor: mpq) -> FactorizedGaussianMechanism:
        return replace(self, sigma=self.sigma / factor)

    @property
    def has_noise(self) -> bool:
        return True

    def noise(self) -> tuple[str, mpq]:
        """Its deviation."""
        return "sigma", self.sigma

    def with_noise(self, noise: mpq) -> FactorizedGaussianMechanism:
        return replace(self, sigma=noise)
