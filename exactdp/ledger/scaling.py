r"""Scaling: the ledger of the same mechanisms with more or less noise, or one of them changed.

Theory of operation: a factor c is that by which every answer is scaled beside its noise: ε_i, μ and
the range of a mechanism grow by c, a ρ by c², and noise shrinks by c, so that a variance shrinks by
c². A table and a list of Rényi divergences have no such factor. Mechanisms are held by their label,
or by #N, the N-th.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, assert_never

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.errors import UnsupportedError
from exactdp.ledger.model import (
    ConcentratedMechanism,
    Entry,
    GaussianMechanism,
    Ledger,
    Mechanism,
)
from exactdp.ledger.noise import (
    BoundedRangeMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    LaplaceMechanism,
    PairMechanism,
    RenyiMechanism,
    SampledMechanism,
    ShuffledGaussianMechanism,
)

_PLACES: Final = 20


def scale_ledger(ledger: Ledger, factor: mpq, hold: Iterable[str] = ()) -> Ledger:
    """Multiply every ε_i by ``factor`` >= 0, but for the mechanisms that ``hold`` names.

    Claims are left out: they are about the ledger as it was.
    """
    held = places_of(ledger, hold)
    mechanisms = tuple(
        each
        if index in held
        else Mechanism(each.epsilon * factor, each.delta, each.count, each.label)
        for index, each in enumerate(ledger.approximate())
    )
    return replace(ledger, mechanisms=mechanisms, claims=())


def scale_noise(ledger: Ledger, factor: mpq, hold: Iterable[str] = ()) -> Ledger:
    """Scale mechanisms of every notion by ``factor`` > 0, but for those that ``hold`` names.

    Claims are left out.

    Raises:
        UnsupportedError: a mechanism that has no such factor.
    """
    held = places_of(ledger, hold)
    mechanisms = tuple(
        each if index in held else _scaled_at(each, index, factor)
        for index, each in enumerate(ledger.mechanisms)
    )
    return replace(ledger, mechanisms=mechanisms, claims=())


def places_of(ledger: Ledger, labels: Iterable[str]) -> frozenset[int]:
    """Where the mechanisms stand that have one of the labels, or are the N-th for #N.

    >>> sorted(places_of(Ledger.of([(1, 0, 1, "a"), (2,), (3,)]), ["a", "#3"]))
    [0, 2]
    """
    known = frozenset(labels)
    return frozenset(
        index
        for index, each in enumerate(ledger.mechanisms)
        if each.label in known or f"#{index + 1}" in known
    )


def has_factor(entry: Entry) -> bool:
    """Whether a mechanism can be scaled.

    >>> has_factor(GaussianMechanism(1))
    True
    """
    base = entry.base if isinstance(entry, SampledMechanism) else entry
    return not isinstance(base, PairMechanism | RenyiMechanism)


def _scaled_at(entry: Entry, index: int, factor: mpq) -> Entry:
    try:
        return _scaled(entry, factor)
    except UnsupportedError as error:
        raise error.located(f"mechanisms[{index}]") from None


def _scaled(entry: Entry, factor: mpq) -> Entry:
    match entry:
        case Mechanism(epsilon=epsilon):
            return Mechanism(epsilon * factor, entry.delta, entry.count, entry.label)
        case ConcentratedMechanism(rho=rho):
            return replace(entry, rho=rho * factor**2)
        case GaussianMechanism(mu=mu):
            return replace(entry, mu=mu * factor)
        case BoundedRangeMechanism(epsilon=size):
            return replace(entry, epsilon=size * factor)
        case SampledMechanism(base=base):
            return _sampling(entry, _scaled(base, factor))
        case (
            LaplaceMechanism()
            | DiscreteLaplaceMechanism()
            | DiscreteGaussianMechanism()
            | ShuffledGaussianMechanism()
            | PairMechanism()
            | RenyiMechanism()
        ):
            name, value = noise_of(entry)
            return replace_noise(entry, value / (factor**2 if name == "variance" else factor))
        case _:
            assert_never(entry)


def noise_of(entry: Entry) -> tuple[str, mpq]:
    """What says how much noise a mechanism draws, and how much that is.

    Raises:
        UnsupportedError: its parameters do not say that.

    >>> noise_of(GaussianMechanism.of_noise(sigma=4, sensitivity=2))
    ('sigma over the sensitivity', mpq(2,1))
    """
    match entry:
        case GaussianMechanism(mu=mu) if mu:
            return "sigma over the sensitivity", 1 / mu
        case LaplaceMechanism(scale=scale) | DiscreteLaplaceMechanism(scale=scale):
            return "scale", scale
        case DiscreteGaussianMechanism(variance=variance):
            return "variance", variance
        case ShuffledGaussianMechanism(sigma=sigma):
            return "sigma", sigma
        case SampledMechanism(base=base):
            return noise_of(base)
        case (
            Mechanism()
            | ConcentratedMechanism()
            | GaussianMechanism()
            | BoundedRangeMechanism()
            | PairMechanism()
            | RenyiMechanism()
        ):
            raise _without_noise(entry)
        case _:
            assert_never(entry)


def _without_noise(entry: Entry) -> UnsupportedError:
    return UnsupportedError(
        field="mechanism",
        value=entry.label or type(entry).__name__,
        expected="a mechanism given by its noise (mu, sigma, laplace, discrete_laplace, "
        "discrete_gaussian) or by what it may reveal (epsilon, rho, bounded_range)",
        remedy="ask at which rate a table fits (--rate-of LABEL), or how many more of it, or of a "
        "list of Rényi divergences (--count-of LABEL)",
    )


def replace_noise(entry: Entry, noise: mpq) -> Entry:
    """The mechanism with so much noise, in terms of :func:`noise_of`."""
    match entry:
        case GaussianMechanism():
            return replace(entry, mu=1 / noise)
        case LaplaceMechanism() | DiscreteLaplaceMechanism():
            return replace(entry, scale=noise)
        case DiscreteGaussianMechanism():
            return replace(entry, variance=noise)
        case ShuffledGaussianMechanism():
            return replace(entry, sigma=noise)
        case SampledMechanism(base=base):
            return _sampling(entry, replace_noise(base, noise))
        case (
            Mechanism()
            | ConcentratedMechanism()
            | BoundedRangeMechanism()
            | PairMechanism()
            | RenyiMechanism()
        ):
            raise _without_noise(entry)
        case _:
            assert_never(entry)


def promise_of(entry: Entry) -> tuple[str, mpq] | None:
    """What a mechanism may reveal, where it is given by that: its ε, ρ or range, and how much.

    An irrational ε is a decimal near it.

    >>> promise_of(ConcentratedMechanism("1/8"))
    ('rho', mpq(1,8))
    """
    match entry:
        case Mechanism(epsilon=epsilon) if epsilon.is_rational:
            return "epsilon", epsilon.rational
        case Mechanism(epsilon=epsilon):
            return "epsilon", enclose_in_decimals(epsilon, _PLACES)[1]
        case ConcentratedMechanism(rho=rho):
            return "rho", rho
        case BoundedRangeMechanism(epsilon=size):
            return "range", size
        case SampledMechanism(base=base):
            return promise_of(base)
        case (
            GaussianMechanism()
            | LaplaceMechanism()
            | DiscreteLaplaceMechanism()
            | DiscreteGaussianMechanism()
            | ShuffledGaussianMechanism()
            | PairMechanism()
            | RenyiMechanism()
        ):
            return None
        case _:
            assert_never(entry)


def replace_promise(entry: Entry, size: mpq) -> Entry:
    """The mechanism that may reveal so much, in terms of :func:`promise_of`."""
    match entry:
        case Mechanism():
            return Mechanism(size, entry.delta, entry.count, entry.label)
        case ConcentratedMechanism():
            return replace(entry, rho=size)
        case BoundedRangeMechanism():
            return replace(entry, epsilon=size)
        case SampledMechanism(base=base):
            return _sampling(entry, replace_promise(base, size))
        case (
            GaussianMechanism()
            | LaplaceMechanism()
            | DiscreteLaplaceMechanism()
            | DiscreteGaussianMechanism()
            | ShuffledGaussianMechanism()
            | PairMechanism()
            | RenyiMechanism()
        ):
            return entry
        case _:
            assert_never(entry)


def replace_count(entry: Entry, count: int) -> Entry:
    """The mechanism so many times."""
    changed: Entry = replace(entry, count=count)
    return changed


def _sampling(entry: SampledMechanism, base: Entry) -> SampledMechanism:
    return replace(entry, base=base)  # type: ignore[arg-type]  # of the class of its base
