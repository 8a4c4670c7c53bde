r"""Which mechanism is at least as private as which other, whatever gives it.

Rules of this file: an order is used only where ``certs/SPEC.md``, section 15.3, proves it; what has
none is dominated by its equal alone. Nothing is rounded.

Theory of operation: a mechanism is *dominated* by another if its profile is nowhere above the
other's, in either direction. Noise of one family is ordered by its shift, Gaussian, Laplace and
discrete Laplace noise by how little there is of it as well, a sampled mechanism by its rate;
discrete Gaussian noise is not ordered by its variance. A *chain* holds mechanisms any two of which
are ordered, so that every class of them has one that dominates the others. Those given by (ε, δ)
are one chain: the greatest ε and the greatest δ dominate them together.

Sources: Zhu, Dong & Wang, AISTATS 2022, Theorem 10, for why that is enough.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.errors import InternalError
from exactdp.ledger.model import ConcentratedMechanism, Entry, GaussianMechanism, Mechanism
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
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import asking

_WHOLE: Final = mpq(1)
_COST: Final = 10**4
"""Nanoseconds that a comparison takes."""


def dominating(entries: Sequence[Entry]) -> Entry:
    """The first of some mechanisms that dominates them all; none of them is given by (ε, δ).

    Raises:
        InternalError: there is none; no chain holds them all.
    """
    most = entries[0]
    for entry in entries[1:]:
        if is_dominated(most, entry) and not is_dominated(entry, most):
            most = entry
    if not all(is_dominated(entry, most) for entry in entries):
        raise InternalError(field="colouring", value="a class", expected="mechanisms of one chain")
    return most


def chains(kinds: Iterable[Entry], weights: Mapping[Entry, int], clock: Clock) -> dict[Entry, int]:
    """The number of each mechanism's chain, for weights that rise with what it reveals.

    Once the time is up, each of the rest is a chain by itself.
    """
    ends: dict[Hashable, dict[int, _Noise | None]] = {}
    found: dict[Entry, int] = {}
    number = 0
    for kind in sorted(kinds, key=lambda each: -weights[each]):
        order = _Noise.of(kind)
        own = ends.setdefault(_compared_with(kind, order), {})
        follows = (i for i, end in own.items() if _is_below(order, end))
        place = number if clock.is_over else next(follows, number)
        own[place] = order
        found[kind] = place
        number = max(number, place + 1)
    return found


def _compared_with(kind: Entry, order: _Noise | None) -> Hashable:
    """What all have in common that may be of one chain with it."""
    if order is not None:
        return order.family
    return Mechanism if isinstance(kind, Mechanism) else kind


def is_dominated(one: Entry, other: Entry) -> bool:
    """Whether ``one`` is known to be as private as ``other``, each of them once."""
    first, second = _Noise.of(one), _Noise.of(other)
    return first is not None and second is not None and _is_below(first, second)


def are_between(low: Entry, entries: Iterable[Entry], high: Entry) -> bool:
    """Whether each is known to be as private as ``high``, and ``low`` as private as each."""
    least, most = _Noise.of(low), _Noise.of(high)
    if least is None or most is None:
        return False
    orders = map(_Noise.of, asking(entries, _COST))
    return all(
        order is not None and _is_below(least, order) and _is_below(order, most) for order in orders
    )


def _is_below(first: _Noise | None, second: _Noise | None) -> bool:
    """Whether one reveals no more; those without an order are compared with their like alone."""
    if first is None or second is None:
        return first is second
    return (
        first.family == second.family
        and first.rate <= second.rate
        and first.scale <= second.scale
        and len(first.shifts) <= len(second.shifts)
        and all(s <= t for s, t in zip(first.shifts, second.shifts, strict=False))
    )


@dataclass(frozen=True, slots=True)
class _Noise:
    """A mechanism of an ordered family, by numbers that rise with what it reveals.

    Attributes:
        family: two of different families are not compared.
        scale: for discrete Laplace noise 1/scale; else 1.
        shifts: the greatest first; where only shift/scale counts, that quotient.
        rate: of the sample.
    """

    family: tuple[object, ...]
    shifts: tuple[mpq | int, ...]
    scale: mpq = _WHOLE
    rate: mpq = _WHOLE

    @staticmethod
    def of(entry: Entry) -> _Noise | None:
        """What orders a mechanism; None for parameters alone."""
        found: _Noise | None = None
        match entry:
            case GaussianMechanism(mu=size) | ConcentratedMechanism(rho=size):
                found = _Noise((type(entry),), (size,))
            case RenyiMechanism():
                found = _Noise(("renyi", entry.orders), ())
            case LaplaceMechanism():
                found = _Noise(("laplace",), (entry.sensitivity / entry.scale,))
            case BoundedRangeMechanism():
                found = _Noise(("range",), (entry.epsilon,))
            case DiscreteLaplaceMechanism():
                found = _Noise(("discrete_laplace",), entry.shifts[::-1], 1 / entry.scale)
            case DiscreteGaussianMechanism():
                found = _Noise(("discrete_gaussian", entry.variance), entry.shifts[::-1])
            case SampledMechanism():
                base = _Noise.of(entry.base)
                found = base and _Noise(base.family, base.shifts, base.scale, entry.rate)
            case PairMechanism():
                found = _Noise(("pair", entry.p, entry.q), ())
            case Mechanism() | ShuffledGaussianMechanism():
                pass
        return found
