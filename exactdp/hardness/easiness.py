r"""#P-easiness: the divergence of randomized responses by counting witnesses, with one question.

Purpose: the other half of "#P-complete". The chain of :mod:`exactdp.hardness.reductions` shows that
whoever composes exactly can count; here whoever can count composes, to any number of digits.

Rules of this file: the oracle is told a checker and which pairs it is about, and answers with a
number; nothing else of it is used. What it says becomes an enclosure.

Theory of operation: with odds ratios E_i and y = e^ε, only Σ_S max(∏_{i∈S} E_i - y·∏_{i∉S} E_i, 0)
is hard; the rest of D(y) is a product. For a number c, a pair (S, j) of a set and an integer j >= 1
is a *witness* if j <= c·max(∏_{i∈S} E_i - y·∏_{i∉S} E_i, 0): checked in polynomial time, so that
counting them is a problem of #P. A set has ⌊c·max(…)⌋ witnesses, so the count over c is the sum
from below, by less than 2^k/c. With c = 2^{k + bits} the error is below 2^-bits.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, the proof that OptComp is #P-easy (TCC
2016, Lemma 4.4, refers to it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import prod
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.enclosures import Ends
from exactdp.errors import CostLimitError, DomainError

MOST_RATIOS: Final = 20

Witness = tuple[tuple[bool, ...], int]
"""For each mechanism whether it is in the set; and j."""

Checker = Callable[[Witness], bool]
CountingOracle = Callable[[Checker, int, int], int]
"""How many of the pairs of a set of so many members and a j up to a bound are accepted."""


def divergence_by_counting(
    odds_ratios: Sequence[mpq], y: mpq, *, bits: int, oracle: CountingOracle | None = None
) -> Ends:
    r"""Enclose D(y) = ∏(1 + E_i)^{-1}·Σ_S max(∏_{i∈S} E_i - y·∏_{i∉S} E_i, 0), by counting.

    Args:
        odds_ratios: rationals E_i >= 1.
        y: a rational >= 1.
        bits: the sum over the sets is enclosed to a width of 2^-bits.
        oracle: what counts; None asks every set, so that at most 20 ratios are allowed.

    Raises:
        DomainError: a ratio, y or bits out of range.
        CostLimitError: too many ratios to ask every set.

    >>> low, high = divergence_by_counting([mpq(3), mpq(3)], mpq(3), bits=20)
    >>> low <= mpq(3, 8) <= high
    True
    """
    if any(ratio < 1 for ratio in odds_ratios) or y < 1 or bits < 0:
        raise DomainError(
            field="odds_ratios, y or bits",
            value=f"{min([*odds_ratios, y])} or {bits}",
            expected="ratios and y at least 1, bits at least 0",
        )
    k = len(odds_ratios)
    scale = 1 << (k + bits)

    def is_witness(witness: Witness) -> bool:
        inside, j = witness
        return j <= scale * excess(odds_ratios, inside, y)

    greatest = int(scale * prod(odds_ratios, start=mpq(1)) // 1)
    witnesses = (oracle or ask_every_set)(is_witness, k, greatest)
    whole = prod((1 + ratio for ratio in odds_ratios), start=mpq(1))
    return mpq(witnesses, scale) / whole, (mpq(witnesses, scale) + mpq(1, 1 << bits)) / whole


def excess(odds_ratios: Iterable[mpq], inside: Iterable[bool], y: mpq) -> mpq:
    """∏_{i∈S} E_i - y·∏_{i∉S} E_i, or 0 if that is negative."""
    first, second = mpq(1), y
    for ratio, is_inside in zip(odds_ratios, inside, strict=True):
        if is_inside:
            first *= ratio
        else:
            second *= ratio
    return max(first - second, mpq(0))


def ask_every_set(accepts: Checker, members: int, greatest: int) -> int:
    """Count the accepted pairs of every set; a j is accepted with all that are smaller.

    Raises:
        CostLimitError: there are more than 2^20 sets.
    """
    if members > MOST_RATIOS:
        raise CostLimitError(
            field="odds_ratios", value=members, expected=f"at most {MOST_RATIOS} to ask every set"
        )
    return sum(
        _greatest_accepted(accepts, inside, greatest)
        for inside in product((False, True), repeat=members)
    )


def _greatest_accepted(accepts: Checker, inside: tuple[bool, ...], greatest: int) -> int:
    low, high = 0, greatest
    while low < high:
        middle = (low + high + 1) // 2
        if accepts((inside, middle)):
            low = middle
        else:
            high = middle - 1
    return low
