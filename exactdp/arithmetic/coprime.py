r"""Coprime bases: exact linear algebra over logarithms of rationals, without factoring.

Purpose: write the logarithms of rationals over integers p > 1 that are pairwise coprime, so that
equality of sums of logarithms becomes equality of rational vectors.

Theory of operation: refine the numerators and denominators by greatest common divisors until all
pairs are coprime. Unique factorisation then makes the :math:`\ln p` linearly independent over
the rationals, whether or not the p are prime: a 200-digit semiprime costs one gcd, not a
factorisation.

Sources: Bernstein, "Factoring into coprimes in essentially linear time", J. Algorithms 54, 2005
(the idea; the method here is the plain quadratic one).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gmpy2 import gcd, mpq, mpz, remove

from exactdp.arithmetic.numbers import ExactNumber

Vector = tuple[mpq, ...]


def coprime_basis(integers: Iterable[int | mpz]) -> list[mpz]:
    """Pairwise coprime integers > 1 of which every given positive integer is a product of powers.

    >>> [int(p) for p in coprime_basis([12, 18])]
    [2, 3]
    """
    basis: list[mpz] = []
    for integer in integers:
        _refine(basis, mpz(integer))
    return sorted(basis)


def has_longer_basis(integers: Iterable[int | mpz], most: int) -> bool:
    """Whether a coprime basis of these has more than ``most`` members; no longer one is made.

    A step of refining never leaves fewer members than there were.

    >>> has_longer_basis([12, 18], 1), has_longer_basis([12, 18], 2)
    (True, False)
    """
    basis: list[mpz] = []
    for integer in integers:
        _refine(basis, mpz(integer))
        if len(basis) > most:
            return True
    return False


def _refine(basis: list[mpz], integer: mpz) -> None:
    """Add ``integer`` to a coprime ``basis``, splitting members that share a factor with it."""
    waiting = [integer]
    while waiting:
        new = waiting.pop()
        if new == 1:
            continue
        for index, member in enumerate(basis):
            common = gcd(new, member)
            if common != 1:
                if common == member:
                    waiting.append(remove(new, member)[0])
                else:
                    del basis[index]
                    waiting += [common, member // common, new // common]
                break
        else:
            basis.append(new)


def exponents(ratio: mpq, basis: Sequence[mpz]) -> list[int]:
    """The exponents of ``ratio`` over a basis that :func:`coprime_basis` made for it."""
    return [remove(ratio.numerator, p)[1] - remove(ratio.denominator, p)[1] for p in basis]


def coordinates(numbers: Sequence[ExactNumber]) -> tuple[list[mpz], list[Vector]]:
    r"""The numbers as vectors over 1 and :math:`\ln p` for a common coprime basis of integers p.

    Returns: the basis (p_1 < p_2 < …), and for each number its vector: first the rational part,
    then one coordinate per p. Two numbers are equal in value iff their vectors are equal.

    >>> basis, vectors = coordinates([ExactNumber.parse("ln(4)"), ExactNumber.parse("2*ln(2)")])
    >>> vectors[0] == vectors[1]
    True
    """
    ratios = sorted({r for number in numbers for _, r in number.logs})
    basis = coprime_basis(part for r in ratios for part in (r.numerator, r.denominator))
    rows = {r: exponents(r, basis) for r in ratios}
    vectors = []
    for number in numbers:
        vector = [mpq(0)] * len(basis)
        for coefficient, r in number.logs:
            for index, exponent in enumerate(rows[r]):
                if exponent:
                    vector[index] += coefficient * exponent
        vectors.append((number.rational, *vector))
    return basis, vectors
