r"""Private selection: a mechanism is run a random number of times, and the best answer kept.

Rules of this file: a divergence is from above, a decimal; every order gives a bound that holds.

Theory of operation: how often it is run has nothing to do with the data. If the runs are
(α, c(α))-Rényi-DP for every order α, what is kept has a divergence of order α of at most

    c(α) + (1 + η)·((1 - 1/λ)·c(λ) + ln(1/γ)/λ) + ln E[K]/(α - 1)     for every λ >= 1,

for a negative binomial number K >= 1 of runs, and for a Poisson number of mean m of at most

    ln(e^{-m} + m·e^{(α - 1)(c(α) + m·δ)})/(α - 1),

where a run is (ln(α/(α - 1)), δ)-DP; with e^{-m} nothing is run. If a run is ε-DP and K negative
binomial, what is kept is (2 + η)ε-DP; where all runs score alike the first may be kept.

Sources: certs/SPEC.md, sections 7.4 and 7.5; Papernot & Steinke, ICLR 2022,
arXiv:2110.03620v2, Theorems 2 and 6, and Corollary 3; Liu & Talwar, STOC 2019.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import ClassVar, Final, Self, TypeAlias

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.decimal_text import ceil_to
from exactdp.arithmetic.enclosures import ball, ball_of_rational, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber, Number, as_rational
from exactdp.errors import DomainError, InputError, UnsupportedError
from exactdp.mechanisms.approximate import Mechanism, RandomizedResponse
from exactdp.mechanisms.concentrated import ConcentratedMechanism
from exactdp.mechanisms.divergences import GAP_OF_DIVERGENCES, Orders, RenyiBounds
from exactdp.mechanisms.family import (
    REPLACE_ONE,
    THERE_OR_NOT,
    EntryShape,
    Family,
    NeverFails,
    Symmetric,
    set_field,
)
from exactdp.mechanisms.gaussian import GaussianMechanism
from exactdp.mechanisms.keys import JsonEntry, Key, TextOf, counted, each_leaf
from exactdp.mechanisms.order import Order
from exactdp.mechanisms.pairs import (
    Atom,
    CountedPair,
    Direction,
    GreatestLoss,
    OutputTable,
    SameSupport,
)
from exactdp.mechanisms.renyi import RenyiMechanism
from exactdp.mechanisms.sampled import SampledMechanism

MOST_BITS: Final = 256
"""Of a number in a selection."""
_BELOW_TWO: Final = (mpq(9, 8), mpq(5, 4), mpq(3, 2), mpq(7, 4), mpq(5, 2))
_MOST_ORDER: Final = 4096
_MOST_SAMPLED_ORDER: Final = 256
_STEPS: Final = range(8, 16)
_LEAST_ETA: Final = mpq(1, 10**6)
_MOST_ETA: Final = 1000
_LEAST_GAMMA: Final = mpq(1, 10**12)
_MOST_MEAN: Final = 10**6
_BITS: Final = 256
_PLACES: Final = 30

_Curve: TypeAlias = list[tuple[mpq, arb]]
"""Orders, each with a divergence."""


# --- how often it is run ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, init=False)
class NegativeBinomialRuns:
    r"""A truncated negative binomial number of runs, at least one; geometric for η = 1.

    >>> NegativeBinomialRuns(1, "1/10").eta
    mpq(1,1)
    """

    eta: mpq
    gamma: mpq

    NAME: ClassVar[str] = "negative_binomial"

    def __init__(self, eta: Number, gamma: Number) -> None:
        """Check and normalise the parameters."""
        set_field(self, "eta", _short(as_rational(eta, "eta"), "eta"))
        set_field(self, "gamma", _short(as_rational(gamma, "gamma"), "gamma"))
        if not -1 < self.eta <= _MOST_ETA or (self.eta and abs(self.eta) < _LEAST_ETA):
            raise DomainError(
                field="eta",
                value=str(self.eta),
                expected=f"0, or a rational above -1 and up to {_MOST_ETA}, a millionth from 0",
            )
        if not _LEAST_GAMMA <= self.gamma <= 1 - _LEAST_GAMMA:
            raise DomainError(
                field="gamma", value=str(self.gamma), expected="from 1e-12 to 1 - 1e-12"
            )

    def shape(self) -> EntryShape:
        """As an entry has it."""
        return {self.NAME: {"eta": self.eta, "gamma": self.gamma}}

    def divergences(self, curve: _Curve) -> _Curve:
        """Of what is kept."""
        eta, gamma = ball_of_rational(self.eta), ball_of_rational(self.gamma)
        runs = -gamma.log()
        further = [runs]
        for order, bound in curve:
            weight = ball_of_rational(1 / order)
            further.append((1 - weight) * bound + weight * runs)
        spent = (1 + eta) * arb(_least(further))
        above = (1 - gamma) / gamma
        mean = above / runs if not self.eta else eta * above / (1 - gamma**eta)
        return [
            (order, bound + spent + mean.log() / ball_of_rational(order - 1))
            for order, bound in curve
        ]


@dataclass(frozen=True, slots=True, init=False)
class PoissonRuns:
    """A Poisson number of runs, perhaps none."""

    mean: mpq

    NAME: ClassVar[str] = "poisson"

    def __init__(self, mean: Number) -> None:
        """Check and normalise the parameter."""
        set_field(self, "mean", _short(as_rational(mean, "mean"), "mean"))
        if not 0 < self.mean <= _MOST_MEAN:
            raise DomainError(
                field="mean", value=str(self.mean), expected=f"above 0 and up to {_MOST_MEAN}"
            )

    def shape(self) -> EntryShape:
        """As an entry has it."""
        return {self.NAME: {"mean": self.mean}}

    def divergences(self, curve: _Curve) -> _Curve:
        """Of what is kept."""
        mean, lines = ball_of_rational(self.mean), []
        for order, bound in curve:
            size = ball_of_rational(order)
            lines.append(
                (size - 1, (size - 1) * bound + size * (1 - 1 / size).log() - (size - 1).log())
            )
        kept = []
        for order, bound in curve:
            slope = ball_of_rational(order - 1)
            near = ball_of_rational(order / (order - 1)).log()
            failing = arb(0).min(_least([at - each * near for each, at in lines])).exp()
            most = slope * (bound + mean * failing) + mean.log()
            kept.append((order, _log_of_sum([-mean, most]) / slope))
        return kept


Runs: TypeAlias = NegativeBinomialRuns | PoissonRuns

_LAWS: Final[Mapping[str, type[Runs]]] = {
    NegativeBinomialRuns.NAME: NegativeBinomialRuns,
    PoissonRuns.NAME: PoissonRuns,
}
_INNER: Final[Mapping[str, type[Family]]] = {
    "epsilon": Mechanism,
    "rho": ConcentratedMechanism,
    "mu": GaussianMechanism,
    "sigma": GaussianMechanism,
    "renyi": RenyiMechanism,
}


def _least(values: list[arb]) -> arb:
    return min(values, key=lambda value: float(value.mid()))


def _log_of_sum(exponents: list[arb]) -> arb:
    highest = max(exponents, key=lambda value: float(value.mid()))
    return highest + sum(((each - highest).exp() for each in exponents), arb(0)).log()


def _short(value: mpq, field: str) -> mpq:
    size = abs(value.numerator).bit_length() + value.denominator.bit_length()
    if size > MOST_BITS:
        raise DomainError(
            field=field, value=f"{size} bits", expected=f"a number of at most {MOST_BITS} bits"
        )
    return value


# --- what is kept -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, init=False)
class SelectionMechanism(Symmetric, NeverFails):
    r"""The best of a random number of runs of a mechanism, which may itself be run several times.

    What is run is given by an ε without δ, by ρ, μ, Gaussian noise, perhaps on a Poisson sample, or
    Rényi divergences.

    >>> best = SelectionMechanism(Mechanism("1/10"), NegativeBinomialRuns(1, "1/10"))
    >>> best.implied_epsilon_delta()
    (ExactNumber(rational=mpq(3,10), logs=()), mpq(0,1))
    """

    of: Family
    repetitions: Runs
    count: int
    label: str

    HAS_LEMMA: ClassVar[bool] = False
    KNOWS_GREATEST_LOSS: ClassVar[bool] = False
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("selection", "", {"of": None, "repetitions": None}, in_cells=False),
    )

    def __init__(self, of: Family, repetitions: Runs, count: int = 1, label: str = "") -> None:
        """Check the parameters."""
        set_field(self, "of", _checked(of))
        set_field(self, "repetitions", repetitions)
        self._counted(count, label)

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> SelectionMechanism:
        """What is run is an entry itself."""
        parts = entry["selection"]
        [(name, law)] = parts["repetitions"].items()
        try:
            runs = _LAWS[name](**each_leaf(law, text_of))
            return cls(_inner_of(parts["of"], text_of), runs, *counted(entry))
        except InputError as error:
            raise type(error)(
                field="selection",
                value=error.value if error.field == "selection" else f"{error.field} {error.value}",
                expected=error.expected,
                remedy=error.remedy,
                code=error.code,
            ) from None

    def shape(self) -> EntryShape:
        inner = {**self.of.shape(), "count": self.of.count}
        return {"selection": {"of": inner, "repetitions": self.repetitions.shape()}}

    @property
    def neighbours(self) -> tuple[str, ...]:
        """As of what is run."""
        return THERE_OR_NOT if self.of.is_sampled else ()

    def implied_epsilon_delta(self) -> tuple[ExactNumber, mpq] | None:
        """The ε of pure runs, 2 + η times as large."""
        if not (
            isinstance(self.of, Mechanism) and isinstance(self.repetitions, NegativeBinomialRuns)
        ):
            return None
        return self.of.epsilon * (self.of.count * (2 + self.repetitions.eta)), mpq(0)

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        """Randomized response for pure runs; else there are divergences alone."""
        known = self.implied_epsilon_delta()
        if known is not None:
            yield KeptResponse(known[0]), 1

    def divergences(self) -> RenyiBounds | None:
        """By the orders that the specification looks at."""
        if self.implied_epsilon_delta() is not None:
            return None
        return RenyiBounds(mpq(0), ((_divergences(self.of, self.repetitions), 1),))

    def attained(self, _relation: str, _tilt: mpq) -> Iterator[CountedPair]:
        """Of pure runs the first, where all score alike; of others nothing is known."""
        if isinstance(self.of, Mechanism) and self.implied_epsilon_delta() is not None:
            yield KeptResponse(self.of.epsilon), self.of.count

    def gap(self) -> str:
        if self.implied_epsilon_delta() is not None:
            return "what selection gains an adversary depends on the mechanism that is run"
        return GAP_OF_DIVERGENCES

    def attained_by(self, _relation: str) -> Iterator[str]:
        if self.implied_epsilon_delta() is not None:
            yield "of private selection, by runs that all score alike"
        else:
            yield "of private selection by Rényi divergences, by runs that reveal nothing"

    def implied_rho(self) -> None:
        """Some orders do not say."""

    def rho_estimate(self) -> mpq:
        """About four times what a run has, at least."""
        return 4 * self.of.count * self.of.rho_estimate()

    def ordering(self) -> Order:
        """Only its equal is like it."""
        return Order(("selection", self.of.parameters(), self.of.count, self.repetitions))

    @property
    def can_be_scaled(self) -> bool:
        return False

    def scaled(self, _factor: mpq) -> Self:
        raise self.not_turned()


@dataclass(frozen=True, slots=True)
class KeptResponse(SameSupport, OutputTable):
    """The pair of randomized response, which is gathered with no other here."""

    epsilon: ExactNumber

    def size(self, _digits: int) -> int:
        """Two answers."""
        return 2

    def atoms(self, digits: int) -> Iterator[Atom]:
        return self._alone.atoms(digits)

    @property
    def _alone(self) -> RandomizedResponse:
        return RandomizedResponse(self.epsilon)

    def greatest_loss(self, direction: Direction) -> GreatestLoss:
        return self._alone.greatest_loss(direction)

    @property
    def has_moments(self) -> bool:
        return True

    def moment(self, order: arb) -> arb:
        return self._alone.moment(order)

    def step(self) -> mpq | None:
        return self._alone.step()


def _inner_of(entry: JsonEntry, text_of: TextOf) -> Family:
    named = next((name for name in _INNER if name in entry), None)
    if named is None:
        raise _not_run(", ".join(entry) or "nothing")
    family = SampledMechanism if "rate" in entry else _INNER[named]
    return family.from_entry(entry, text_of)


def _checked(of: Family) -> Family:
    """A family whose divergences are known, without a label."""
    base = of.sampled_base()
    if not isinstance(base, Mechanism | ConcentratedMechanism | GaussianMechanism | RenyiMechanism):
        raise _not_run(of.name)
    if of.is_sampled and REPLACE_ONE in of.neighbours:
        raise _not_run("a clip")
    for number in _numbers(of):
        _short(number, "selection")
    if of.failure():
        raise UnsupportedError(
            field="selection",
            value="runs with a delta",
            expected="runs without a delta",
            remedy="state their Rényi divergences as renyi",
        )
    if not of.rho_estimate() or (isinstance(base, Mechanism) and sign(base.epsilon) <= 0):
        raise InputError(
            field="selection", value="runs that reveal nothing", expected="runs that are private"
        )
    return of.without_label(of.count)


def _numbers(of: Family) -> Iterator[mpq]:
    """What a statement says of it."""
    base = of.sampled_base()
    if isinstance(base, Mechanism):
        yield sum((abs(c) + r for c, r in base.epsilon.logs), base.epsilon.rational)
    elif isinstance(base, RenyiMechanism):
        for pair in base.orders:
            yield from pair
    else:
        yield base.rho_estimate()
    yield of.sampling_rate


def _not_run(name: str) -> UnsupportedError:
    return UnsupportedError(
        field="selection",
        value=f"runs of {name}",
        expected="runs given by epsilon, rho, mu, sigma (with a rate or without) or renyi",
        remedy="state the ε of a run, or its Rényi divergences as renyi",
    )


# --- divergences --------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _divergences(of: Family, repetitions: Runs) -> Orders:
    """Of what is kept, by orders, rounded up."""
    with precision(_BITS):
        found = repetitions.divergences(_curve(of))
        return tuple((order, ceil_to(upper_end(bound), _PLACES)) for order, bound in found)


def _curve(of: Family) -> _Curve:
    if isinstance(of, RenyiMechanism):
        return [(order, of.count * ball_of_rational(bound)) for order, bound in of.orders]
    return [
        (order, of.count * _divergence(of, order)) for order in orders_of(sampled=of.is_sampled)
    ]


def orders_of(*, sampled: bool) -> list[mpq]:
    """From 9/8 to 4096; on a sample the integers among them up to 256."""
    whole = [*range(2, 16), *(j << k for k in range(1, 10) for j in _STEPS)]
    if sampled:
        return [mpq(each) for each in whole if each <= _MOST_SAMPLED_ORDER]
    return sorted([*_BELOW_TWO, *(mpq(each) for each in whole if each <= _MOST_ORDER)])


def _divergence(of: Family, order: mpq) -> arb:
    """Of one of the runs that are one run."""
    base = of.sampled_base()
    if isinstance(base, Mechanism):
        epsilon = ball(base.epsilon)
        return epsilon.min(ball_of_rational(order) * epsilon**2 / 2)
    rho = base.rho if isinstance(base, ConcentratedMechanism) else mpq(base.rho_estimate())
    if not of.is_sampled:
        return ball_of_rational(order * rho)
    alpha, rate = int(order), of.sampling_rate
    without, there = ball_of_rational(1 - rate).log(), ball_of_rational(rate).log()
    exponents = [
        arb(comb(alpha, k)).log()
        + (alpha - k) * without
        + k * there
        + ball_of_rational(k * (k - 1) * rho)
        for k in range(alpha + 1)
    ]
    return _log_of_sum(exponents) / (alpha - 1)
