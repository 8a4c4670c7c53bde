r"""Mechanisms by their noise: known is how they draw their answers, not parameters of privacy.

Rules of this file: as in :mod:`exactdp.ledger.model`; each class is a family of the format
``exactdp-ledger/1``, and says in :meth:`shape` how that writes it.

Theory of operation: noise of a family is added to a query whose answers on neighbours differ by at
most a *sensitivity*, or, for noise on the integers, by at most a listed *shift* in each coordinate.
A ``pair`` is a mechanism written out: the probabilities of its answers on two neighbours. Under
Poisson sampling each record takes part with probability ``rate``, apart from all others, and the
neighbours differ in one record that is there or not.

Sources: Dwork, McSherry, Nissim & Smith, TCC 2006 (Laplace); Ghosh, Roughgarden & Sundararajan,
STOC 2009 (discrete Laplace); Canonne, Kamath & Steinke, NeurIPS 2020 (discrete Gaussian); Dong,
Durfee & Rogers, ICML 2020 (bounded range); Zhu, Dong & Wang, AISTATS 2022, Theorem 11 (sampling);
Mironov, CSF 2017, Definition 4 (Rényi).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from gmpy2 import mpq

from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.checks import (
    checked_count,
    checked_law,
    checked_orders,
    checked_rate,
    checked_shifts,
    checked_text,
    checked_variance,
    positive,
    whole,
)
from exactdp.ledger.clips import checked_clip, clipped_shape, missing_clip
from exactdp.ledger.mechanisms import ZERO_OUT, GaussianMechanism, NoiseMechanism, NoiseShape

MOST_BATCHES: Final = 10**9
ORDERS_OF_DATA: Final = ("fresh", "persistent")
REPLACE_ONE: Final = "replace-one"
_THERE_OR_NOT: Final = ("add-remove-one", ZERO_OUT)

_set = object.__setattr__


@dataclass(frozen=True, slots=True, init=False)
class LaplaceMechanism(NoiseMechanism):
    r"""Laplace noise of a scale, on a query of an L1 sensitivity: both rational, above 0.

    >>> LaplaceMechanism("2").shape()["laplace"]["scale"]
    mpq(2,1)
    """

    scale: mpq
    sensitivity: mpq
    count: int
    label: str

    def __init__(
        self, scale: object, sensitivity: object = 1, count: int = 1, label: str = ""
    ) -> None:
        """Check and normalise the parameters."""
        _set(self, "scale", positive(scale, "scale"))
        _set(self, "sensitivity", positive(sensitivity, "sensitivity"))
        _counted(self, count, label)

    def shape(self) -> NoiseShape:
        """See :class:`NoiseMechanism`."""
        return {"laplace": {"scale": self.scale, "sensitivity": self.sensitivity}}


@dataclass(frozen=True, slots=True, init=False)
class DiscreteLaplaceMechanism(NoiseMechanism):
    r"""Discrete Laplace noise, P(x) ∝ e^{-|x|/scale}, on integers that move by these shifts.

    A shift of 1 is randomized response with ε = 1/scale: its noise says no more than its ε does.
    """

    scale: mpq
    shifts: tuple[int, ...]
    count: int
    label: str

    def __init__(
        self, scale: object, shifts: Iterable[int] = (1,), count: int = 1, label: str = ""
    ) -> None:
        """Check and normalise the parameters; shifts are sorted, for their order says nothing."""
        _set(self, "scale", positive(scale, "scale"))
        _set(self, "shifts", checked_shifts(shifts))
        _counted(self, count, label)

    def shape(self) -> NoiseShape:
        """See :class:`NoiseMechanism`."""
        return {"discrete_laplace": {"scale": self.scale, "shifts": list(self.shifts)}}


@dataclass(frozen=True, slots=True, init=False)
class DiscreteGaussianMechanism(NoiseMechanism):
    r"""Discrete Gaussian noise, P(x) ∝ e^{-x²/(2·variance)}, on integers that move by these shifts.

    Integer vectors of one L2 norm differ for this noise, so the shift of each coordinate is listed.
    """

    variance: mpq
    shifts: tuple[int, ...]
    count: int
    label: str

    def __init__(
        self, variance: object, shifts: Iterable[int] = (1,), count: int = 1, label: str = ""
    ) -> None:
        """Check and normalise the parameters; shifts are sorted, for their order says nothing."""
        _set(self, "variance", checked_variance(positive(variance, "variance")))
        _set(self, "shifts", checked_shifts(shifts))
        _counted(self, count, label)

    def shape(self) -> NoiseShape:
        """See :class:`NoiseMechanism`."""
        return {"discrete_gaussian": {"variance": self.variance, "shifts": list(self.shifts)}}


@dataclass(frozen=True, slots=True, init=False)
class BoundedRangeMechanism(NoiseMechanism):
    r"""A mechanism of bounded range: the privacy losses of its answers lie within ε of each other.

    So is the exponential mechanism with weights e^{ε·u/(2·sensitivity)}, and report-noisy-max with
    Gumbel noise; not with Laplace or exponential noise (permute-and-flip).
    """

    epsilon: mpq
    count: int
    label: str

    def __init__(self, epsilon: object, count: int = 1, label: str = "") -> None:
        """Check and normalise the parameters."""
        _set(self, "epsilon", positive(epsilon, "bounded_range"))
        _counted(self, count, label)

    def shape(self) -> NoiseShape:
        """See :class:`NoiseMechanism`."""
        return {"bounded_range": self.epsilon}


@dataclass(frozen=True, slots=True, init=False)
class PairMechanism(NoiseMechanism):
    r"""A mechanism written out: the probabilities of its answers on two neighbouring inputs.

    Of neighbours that differ in one record, ``p`` is with it and ``q`` without.

    >>> PairMechanism(["3/4", "1/4"], ["1/4", "3/4"]).p
    (mpq(3,4), mpq(1,4))
    """

    p: tuple[mpq, ...]
    q: tuple[mpq, ...]
    count: int
    label: str

    def __init__(
        self, p: Iterable[object], q: Iterable[object], count: int = 1, label: str = ""
    ) -> None:
        """Check and normalise the parameters."""
        _set(self, "p", checked_law(p, "p"))
        _set(self, "q", checked_law(q, "q"))
        if len(self.p) != len(self.q):
            raise InputError(
                field="pair",
                value=f"{len(self.p)} and {len(self.q)} probabilities",
                expected="p and q over the same answers, in the same order",
                remedy="write 0 for an answer that one of them does not give",
            )
        _counted(self, count, label)

    @property
    def neighbours(self) -> tuple[str, ...]:
        """See :class:`NoiseMechanism`."""
        return _THERE_OR_NOT

    def shape(self) -> NoiseShape:
        """See :class:`NoiseMechanism`."""
        return {"pair": {"p": list(self.p), "q": list(self.q)}}


SampledBase: TypeAlias = (
    GaussianMechanism
    | LaplaceMechanism
    | DiscreteLaplaceMechanism
    | DiscreteGaussianMechanism
    | BoundedRangeMechanism
    | PairMechanism
)
"""What may be run on a Poisson sample."""
SAMPLED_BASES: Final = (
    GaussianMechanism,
    LaplaceMechanism,
    DiscreteLaplaceMechanism,
    DiscreteGaussianMechanism,
    BoundedRangeMechanism,
    PairMechanism,
)
"""The classes of these."""


@dataclass(frozen=True, slots=True, init=False)
class SampledMechanism(NoiseMechanism):
    r"""A mechanism on a Poisson sample: each record takes part with probability ``rate``.

    Its neighbours differ by one record that is added or removed. Where one is replaced, a range is
    about a record added, removed or replaced alike, and noise on a sum needs the ``clip``: the most
    that one record moves the sum. A removal moves it by that, a replacement by twice that. The base
    is about a removal. With a Gaussian base this is a step of DP-SGD.

    >>> step = GaussianMechanism.of_noise(sigma="1.1", sensitivity=1)
    >>> SampledMechanism(step, "256/60000", 14063).rate
    mpq(8,1875)
    """

    base: SampledBase
    rate: mpq
    clip: mpq | None
    count: int
    label: str

    def __init__(
        self,
        base: SampledBase,
        rate: object,
        count: int = 1,
        label: str = "",
        clip: object = None,
    ) -> None:
        """Check and normalise the parameters; the base is one mechanism without a label."""
        if type(base) not in SAMPLED_BASES:
            raise UnsupportedError(
                field="rate",
                value=f"{rate} beside {type(base).__name__}",
                expected="beside a Gaussian, laplace, discrete_laplace, discrete_gaussian, "
                "bounded_range or pair mechanism: amplification by sampling is not known of others",
            )
        if base.count != 1 or base.label:
            raise InputError(
                field="count",
                value=base.count,
                expected="a base of count 1 without a label: both are those of the sampled one",
            )
        if len(getattr(base, "shifts", (1,))) > 1:
            raise UnsupportedError(
                field="rate",
                value=str(rate),
                expected="one shift, as one sample would serve all coordinates",
                remedy="write a mechanism for each coordinate if each draws a sample of its own",
            )
        _set(self, "base", base)
        _set(self, "rate", checked_rate(rate))
        _set(self, "clip", None if clip is None else checked_clip(_shape_of(base), self.rate, clip))
        _counted(self, count, label)

    @property
    def neighbours(self) -> tuple[str, ...]:
        """See :class:`NoiseMechanism`; a table says nothing of a replacement."""
        known = self.clip is not None or isinstance(self.base, BoundedRangeMechanism)
        return (*_THERE_OR_NOT, REPLACE_ONE) if known else _THERE_OR_NOT

    def refused(self, neighbouring: str) -> UnsupportedError | None:
        """See :class:`NoiseMechanism`: noise on a sum needs a clip where a record is replaced."""
        needed = neighbouring == REPLACE_ONE and self.clip is None
        return missing_clip(_shape_of(self.base), self.rate) if needed else None

    def shape(self) -> NoiseShape:
        """See :class:`NoiseMechanism`."""
        shape = _shape_of(self.base)
        if self.clip is not None:
            return clipped_shape(shape, self.rate, self.clip)
        return shape if self.rate == 1 or shape == {"mu": 0} else {**shape, "rate": self.rate}


def _shape_of(base: SampledBase) -> NoiseShape:
    return {"mu": base.mu} if isinstance(base, GaussianMechanism) else base.shape()


@dataclass(frozen=True, slots=True, init=False)
class ShuffledGaussianMechanism(NoiseMechanism):
    r"""Gaussian noise on the sum of every batch, where the records are shuffled into batches.

    In each epoch every record is in one batch of so many; records have norm at most 1. ``order`` is
    ``fresh`` if each epoch shuffles anew, ``persistent`` if all have the first one's order.
    """

    sigma: mpq
    batches: int
    epochs: int
    order: str
    count: int
    label: str

    def __init__(
        self,
        sigma: object,
        batches: int,
        epochs: int = 1,
        order: str = "fresh",
        count: int = 1,
        label: str = "",
    ) -> None:
        """Check and normalise the parameters."""
        _set(self, "sigma", positive(sigma, "sigma"))
        _set(self, "batches", whole(batches, "batches", MOST_BATCHES))
        _set(self, "epochs", whole(epochs, "epochs", MOST_BATCHES))
        if order not in ORDERS_OF_DATA:
            raise InputError(field="order", value=order, expected=" or ".join(ORDERS_OF_DATA))
        _set(self, "order", order)
        _counted(self, count, label)

    @property
    def neighbours(self) -> tuple[str, ...]:
        """See :class:`NoiseMechanism`."""
        return (ZERO_OUT, REPLACE_ONE)

    def shape(self) -> NoiseShape:
        """See :class:`NoiseMechanism`."""
        plan: NoiseShape = {"batches": self.batches, "epochs": self.epochs, "order": self.order}
        return {"sigma": self.sigma, "shuffled": plan}

    def known_batch(self, neighbouring: str) -> GaussianMechanism:
        """What it is to someone who is told in which batch the record is: a release an epoch.

        A record moves its sum by at most 1 if it is zeroed out, by at most 2 if it is replaced.

        >>> ShuffledGaussianMechanism("1/2", 1000, 3).known_batch("zero-out").count
        3
        """
        reach = 2 if neighbouring == REPLACE_ONE else 1
        return GaussianMechanism(reach / self.sigma, self.count * self.epochs, self.label)


@dataclass(frozen=True, slots=True, init=False)
class RenyiMechanism(NoiseMechanism):
    r"""A mechanism whose Rényi divergences of some orders α > 1 are at most so much."""

    orders: tuple[tuple[mpq, mpq], ...]
    count: int
    label: str

    def __init__(self, orders: Iterable[Sequence[object]], count: int = 1, label: str = "") -> None:
        """Check and normalise the parameters; pairs (α, ε_α) are sorted by α."""
        _set(self, "orders", checked_orders(orders))
        _counted(self, count, label)

    def shape(self) -> NoiseShape:
        """See :class:`NoiseMechanism`."""
        return {"renyi": [[alpha, bound] for alpha, bound in self.orders]}


def sampled(
    base: SampledBase, rate: object, count: int, label: str, clip: object = None
) -> SampledBase | SampledMechanism:
    """The mechanism on a Poisson sample; at rate 1 the mechanism itself, ``count`` times."""
    says_something = not isinstance(base, GaussianMechanism) or base.mu
    known = checked_rate(rate)
    if clip is not None or (known != 1 and says_something):
        return SampledMechanism(base, known, count, label, clip)
    return repeated(base, count, label)


def whole_base(entry: SampledMechanism) -> SampledBase:
    """What a sampled mechanism is at rate 1: one that is replaced moves twice the clip.

    >>> whole_base(SampledMechanism(GaussianMechanism(1), "1/2", clip=3)).mu
    mpq(2,1)
    """
    if entry.clip is None:
        return entry.base
    match entry.base:
        case GaussianMechanism(mu=mu):
            return GaussianMechanism(2 * mu)
        case LaplaceMechanism(scale=scale, sensitivity=reach):
            return LaplaceMechanism(scale, 2 * reach)
        case DiscreteLaplaceMechanism(scale=scale, shifts=shifts):
            return DiscreteLaplaceMechanism(scale, [2 * each for each in shifts])
        case DiscreteGaussianMechanism(variance=variance, shifts=shifts):
            return DiscreteGaussianMechanism(variance, [2 * each for each in shifts])
        case base:
            return base


def repeated(base: SampledBase, count: int, label: str) -> SampledBase:
    """The same mechanism, ``count`` times."""
    match base:
        case GaussianMechanism():
            return GaussianMechanism(base.mu, count, label)
        case LaplaceMechanism():
            return LaplaceMechanism(base.scale, base.sensitivity, count, label)
        case DiscreteLaplaceMechanism():
            return DiscreteLaplaceMechanism(base.scale, base.shifts, count, label)
        case DiscreteGaussianMechanism():
            return DiscreteGaussianMechanism(base.variance, base.shifts, count, label)
        case BoundedRangeMechanism():
            return BoundedRangeMechanism(base.epsilon, count, label)
        case PairMechanism():
            return PairMechanism(base.p, base.q, count, label)


def _counted(mechanism: NoiseMechanism, count: int, label: str) -> None:
    _set(mechanism, "count", checked_count(count))
    _set(mechanism, "label", checked_text(label, "label"))
