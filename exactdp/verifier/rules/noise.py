r"""The pairs of laws of a ledger: what dominates its mechanisms, and what some of them have.

Rules of this file: no mechanism is left out; who has no pair of laws is asked for by name.

Theory of operation: randomized responses stand for (ε, δ), one Gaussian mechanism for all μ, as
Gaussian noise without sampling composes to Gaussian noise; then come the pairs of all others.

Sources: certs/SPEC.md, sections 7.1 and 7.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

from ..arithmetic.enclosures import enclose_rationals
from .by_noise import REPLACED, Divergences, Noisy
from .curves import Normal
from .ledger import Ledger
from .pairs_of_laws import Dominating, Law, Pair
from .responses import Leaf, leaves
from .tables import Response
from .three_laws import Batches

L = TypeVar("L", bound=Law)


def divergences_of(ledger: Ledger) -> tuple[Divergences, ...]:
    """What is known by its divergences."""
    return tuple(each for each in ledger.by_noise if isinstance(each, Divergences))


def is_directed(ledger: Ledger) -> bool:
    """Whether the two directions differ."""
    directed = any(
        isinstance(each, Batches) or (isinstance(each, Noisy) and each.directed)
        for each in ledger.by_noise
    )
    return directed and ledger.relation != REPLACED


def dominating(ledger: Ledger, bits: int, sums: int = 0) -> list[tuple[Dominating, int]]:
    """Pairs that dominate: randomized responses, Gaussian noise, and all others."""
    squares = [(m.count, m.square) for m in ledger.gaussian]
    listed = [pair for each in ledger.by_noise for pair in each.dominating(ledger.relation)]
    others = _apart(listed, squares)
    return [*_others(ledger, enclose_rationals(squares, bits)[1], bits, sums), *others]


def attained(ledger: Ledger, tilt: Fraction, bits: int, sums: int = 0) -> list[tuple[Pair, int]]:
    """Pairs that mechanisms have, in the same order; ρ is that of Gaussian noise.

    A mechanism of bounded range ε has a loss of tilt·ε, or that less ε.
    """
    squares = [(m.count, m.square) for m in ledger.gaussian]
    squares += [(2 * m.count, m.parameter) for m in ledger.concentrated]
    listed = [pair for each in ledger.by_noise for pair in each.attained(ledger.relation, tilt)]
    others = _apart(listed, squares)
    return [*_others(ledger, enclose_rationals(squares, bits)[0], bits, sums), *others]


def _apart(
    listed: Sequence[tuple[L, int]], squares: list[tuple[int, Fraction]]
) -> list[tuple[L, int]]:
    """The pairs but for Gaussian noise, which joins the noise of all."""
    squares += [(count, pair.square) for pair, count in listed if isinstance(pair, Normal)]
    return [(pair, count) for pair, count in listed if not isinstance(pair, Normal)]


def _others(
    ledger: Ledger, square: int, bits: int, sums: int
) -> Iterator[tuple[Response | Leaf | Normal, int]]:
    """What is not given by its noise, for a Σμ² times 2^bits; gathered, if ``sums`` is not 0."""
    if sums:
        yield from ((Leaf(tuple(leaf)), 1) for leaf in leaves(ledger.groups, sums))
    else:
        yield from ((Response(epsilon), count) for epsilon, count in ledger.groups)
    if square:
        yield Normal(Fraction(square, 1 << bits)), 1
