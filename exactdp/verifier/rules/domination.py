r"""Which mechanism is at least as private as which other.

Rules of this file: an order is used only where it is proved below; what has none is dominated by
its equal alone. No number is rounded: parameters are rationals, and compared as such.

Theory of operation: one mechanism is *dominated* by another if its profile is nowhere above the
other's, in either direction. Composition asks for no more (Zhu, Dong & Wang, AISTATS 2022, Theorem
10), and Rényi divergences, which are integrals over the profile, do not fall either.

- *Shifts.* The density f of Gaussian, Laplace, discrete Laplace and discrete Gaussian noise is
  log-concave, so that f(x - s)/f(x) does not fall with x, and the best test of a shift s against
  none is a threshold: the profile is sup_c F̄(c - s) - y·F̄(c), and rises with s. By symmetry so it
  is in the other direction.
- *Scales.* Laplace and Gaussian noise depend on shift/scale alone. Discrete Laplace noise of a
  greater scale is that of a smaller one plus something: with x = e^{-1/scale} its generating
  function is (1 - x)²/((1 - xz)(1 - x/z)), and (1 - xz)/(1 - x'z) = 1 + Σ_k (x' - x)x'^{k-1}z^k has
  no negative coefficient where x < x'. Discrete Gaussian noise is *not* ordered by its variance.
- *Several shifts* are a product of pairs, each at most the other's; some may be missing.
- *Rates.* ((1 - q)Q + qP, Q) is for q < q' a mixture of (Q, Q) and of ((1 - q')Q + q'P, Q), and the
  profile is convex in the pair. A rate of 1 is no sampling.
- A range of ε is one of every greater ε; ρ-zCDP holds for every greater ρ; μ-GDP for a greater μ.

Sources: certs/SPEC.md, section 7.6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from typing import TypeAlias

from ..arithmetic.signs import sign
from ..format.outcomes import RejectedError
from .by_noise import Divergences, Law, Noisy
from .curves import Normal, Range, TwoSided
from .discrete_noise import OnIntegers
from .entries import Concentrated, Gaussian, Mechanism
from .ledger import Entry

_Order: TypeAlias = "_Once | Fraction | Divergences | None"
"""What an order is known of: laws, ρ, or a list of divergences."""


@dataclass(frozen=True)
class _Once:
    """One mechanism: its laws, those of the greatest shifts first, its rate, and its failure."""

    laws: Sequence[Law]
    rate: Fraction
    failure: Fraction = Fraction(0)

    @classmethod
    def of(cls, entry: Entry) -> _Order:
        """What stands for an entry; nothing for (ε, δ), whose greatest need not be an entry."""
        match entry:
            case Noisy():
                laws = [law for law, times in reversed(entry.laws) for _ in range(times)]
                return cls(laws, entry.rate, entry.failure)
            case Gaussian():
                return cls([Normal(entry.square)], Fraction(1))
            case Concentrated():
                return entry.parameter
            case Divergences():
                return entry
        return None


def greatest(entries: Iterable[Entry]) -> Entry:
    """What dominates all of these: one of them, or the greatest ε with the greatest δ."""
    distinct = list({entry.text: entry for entry in entries}.values())
    pairs = [entry for entry in distinct if isinstance(entry, Mechanism)]
    if len(pairs) == len(distinct):
        largest = reduce(lambda a, b: b if sign(b.epsilon - a.epsilon) > 0 else a, pairs)
        return replace(largest, delta=max(pair.delta for pair in pairs))
    once = [(entry, _Once.of(entry)) for entry in distinct]
    found, most = once[0]
    for entry, each in once[1:]:
        if _is_dominated(most, each) and not _is_dominated(each, most):
            found, most = entry, each
    if not all(_is_dominated(each, most) for _, each in once):
        raise RejectedError("no query of a colour is known to dominate the others")
    return found


def _is_dominated(one: _Order, other: _Order) -> bool:
    match one, other:
        case _Once(), _Once():
            few, many = one.laws, other.laws
            return (
                one.rate <= other.rate
                and one.failure == other.failure
                and len(few) <= len(many)
                and all(map(_is_law_dominated, few, many))
            )
        case Fraction(), Fraction():
            return one <= other
        case Divergences(), Divergences():
            return one.orders == other.orders
    return False


def _is_law_dominated(one: Law, other: Law) -> bool:
    match one, other:
        case Normal(), Normal():
            return one.square <= other.square
        case TwoSided(), TwoSided():
            return one.most <= other.most
        case Range(), Range():
            return one.epsilon <= other.epsilon
        case OnIntegers(), OnIntegers():
            return type(one) is type(other) and one.is_below(other)
    return one == other
