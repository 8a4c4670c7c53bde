r"""Scaling: the ledger of the same mechanisms with more or less noise, or one of them changed.

Theory of operation: a factor c is that by which every answer is scaled beside its noise: ε_i, μ and
the range of a mechanism grow by c, a ρ by c², and noise shrinks by c, so that a variance shrinks by
c². A table and a curve of Rényi divergences have no such factor.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gmpy2 import mpq

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
    SampledMechanism,
    ShuffledGaussianMechanism,
)


def scale_ledger(ledger: Ledger, factor: mpq, hold: Iterable[str] = ()) -> Ledger:
    """Multiply every ε_i by ``factor`` >= 0, but for the mechanisms with a label in ``hold``.

    Claims are left out: they are about the ledger as it was.
    """
    held = frozenset(hold)
    mechanisms = tuple(
        each
        if each.label in held
        else Mechanism(each.epsilon * factor, each.delta, each.count, each.label)
        for each in ledger.approximate()
    )
    return replace(ledger, mechanisms=mechanisms, claims=())


def scale_noise(ledger: Ledger, factor: mpq, hold: Iterable[str] = ()) -> Ledger:
    """Scale mechanisms of every notion by ``factor`` > 0, but for those with a label in ``hold``.

    Claims are left out.

    Raises:
        UnsupportedError: a mechanism that has no such factor.
    """
    held = frozenset(hold)
    mechanisms = tuple(
        each if each.label in held else _scaled_at(each, index, factor)
        for index, each in enumerate(ledger.mechanisms)
    )
    return replace(ledger, mechanisms=mechanisms, claims=())


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
    name, value = noise_of(entry)
    return replace_noise(entry, value / (factor**2 if name == "variance" else factor))


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
    raise UnsupportedError(
        field="mechanism",
        value=entry.label or type(entry).__name__,
        expected="a mechanism given by its noise: mu, sigma, laplace, discrete_laplace or "
        "discrete_gaussian",
        remedy="a table has no factor: hold it (--hold LABEL), or ask how many more fit "
        "(--count-of LABEL)",
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
    noise_of(entry)
    return entry


def replace_count(entry: Entry, count: int) -> Entry:
    """The mechanism so many times."""
    changed: Entry = replace(entry, count=count)  # type: ignore[type-var]  # all are dataclasses
    return changed


def _sampling(entry: SampledMechanism, base: Entry) -> SampledMechanism:
    return replace(entry, base=base)  # type: ignore[arg-type]  # of the class of its base
