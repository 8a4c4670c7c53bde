r"""The cost of checking, by the formulas of ``certs/SPEC.md``, section 7.

Rules of this file: the formulas are normative and shared with the verifier through that page only;
a certificate that states another cost is rejected. A unit is about a nanosecond.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt, prod
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber

MOST_SLOTS: Final = 10**8
MOST_DIGITS: Final = 20_000

Groups = Sequence[tuple[ExactNumber, int]]


def size_of(value: mpq) -> int:
    """The bits above and below the fraction bar."""
    return int(abs(value.numerator)).bit_length() + int(value.denominator).bit_length()


def odds_size(groups: Groups) -> int:
    """B: the bits of the products of odds ratios, as the rule ``rational-odds`` bounds them."""
    return sum(
        count * sum(abs(int(c)) * size_of(r) for c, r in epsilon.logs) for epsilon, count in groups
    )


def failure_size(delta: mpq, deltas: Sequence[tuple[mpq, int]]) -> int:
    """B_Δ: the bits of Δ as a fraction; ``deltas`` holds every distinct δ_i, 0 included."""
    return size_of(delta) + sum(count * size_of(d) for d, count in deltas)


def vacuous_cost() -> int:
    """The cost of ``vacuous``."""
    return 1


def sum_cost(entries: int) -> int:
    """The cost of ``sum`` and of ``infeasible`` for a subject of so many entries."""
    return 1000 * (entries + 1)


def rational_odds_cost(
    mechanisms: Groups, groups: Groups, *, digits: int, sums: int, failure_bits: int
) -> int:
    """The cost of ``rational-odds`` with at most ``sums`` distinct products.

    B counts every entry, also one that is 0 in value though not in normal form; the table counts
    only the ``groups`` of positive ε.
    """
    work = _collecting([count for _, count in groups], sums)
    return (
        sum_cost(len(mechanisms))
        + _transcendental(digits)
        + work * (500 + _product(odds_size(mechanisms)))
        + _product(failure_bits)
    )


def grid_slots(groups: Sequence[tuple[int, int]], digits: int) -> int:
    """S: how many coefficients the blocks of a grid span, for groups (a_i, count)."""
    return sum(a * window(count, digits) + 1 for a, count in groups)


def grid_cost(entries: int, groups: Sequence[tuple[int, int]], digits: int) -> int:
    """The cost of ``grid``; one group (a_i, count) for each distinct text of a positive ε."""
    levels = len(groups).bit_length() + 2
    products = 20 * grid_slots(groups, digits) * (digits + 30) * levels
    return sum_cost(entries) + len(groups) * _transcendental(digits) + products


def dots_slots(groups: Sequence[tuple[int, int]], digits: int) -> int:
    """S of the rules for brackets, for groups (a_i, count)."""
    return sum(2 * (a + 1) * window(count, digits) + 1 for a, count in groups)


def bracket_cost(
    entries: int, groups: Sequence[tuple[int, int]], *, digits: int, atoms: int
) -> int:
    """The cost of ``connect-the-dots`` and ``gridded-test``; groups as for :func:`grid_cost`."""
    levels = len(groups).bit_length() + 2
    products = 20 * dots_slots(groups, digits) * (digits + 30) * levels
    lists = atoms * (_transcendental(digits) // 5)
    return sum_cost(entries) + len(groups) * _transcendental(digits) + lists + products


def lattice_cost(entries: int, groups: Groups, *, digits: int, sums: int) -> int:
    """The cost of ``lattice`` with at most ``sums`` distinct sums."""
    logarithms = len({r for epsilon, _ in groups for _, r in epsilon.logs})
    work = _collecting([window(count, digits) for _, count in groups], sums)
    return (
        1000 * (entries + 1) ** 2
        + (len(groups) + 1) * _transcendental(digits)
        + work * (500 + 10 * digits + 100 * logarithms)
        + sums * (_transcendental(digits) // 5)
    )


def closed_form_cost(entries: int, groups: int, digits: int) -> int:
    """The cost of the rules that evaluate a formula; ``groups`` distinct texts of a positive ε."""
    return sum_cost(entries) + (groups + 4) * _transcendental(2 * digits)


def interactive_cost(*, states: int, histories: int, bits: int) -> int:
    """The cost of the rules about interactive mechanisms."""
    return 1000 * states + histories * (50_000 + 20 * _product(bits))


def witness_cost(sizes: Sequence[int]) -> int:
    """The cost of ``overlap-witness``; for each query 1 and its clauses and ranges."""
    return 1000 * (1 + sum(sizes))


def colouring_cost(sizes: Sequence[int], colours: Sequence[Sequence[int]]) -> int:
    """The cost of ``parallel-colouring`` with these classes of queries."""
    pairs = sum((len(colour) - 1) * sum(sizes[i] for i in colour) for colour in colours)
    return witness_cost(sizes) + 500 * pairs


def conversion_cost(entries: int, groups: int, digits: int) -> int:
    """The cost of the rules that go through zCDP or Rényi divergences."""
    return sum_cost(entries) + (3 * groups + 6) * _transcendental(digits)


def gaussian_cost(entries: int, digits: int) -> int:
    """The cost of ``gaussian``."""
    return sum_cost(entries) + _profile(digits)


def mixture_cost(entries: int, counts: Sequence[int], digits: int) -> int:
    """The cost of ``gaussian-mixture``, for the counts of the groups."""
    atoms = prod(window(count, digits) + 1 for count in counts)
    return sum_cost(entries) + len(counts) * _transcendental(digits) + atoms * _profile(digits)


def mesh_cost(rule: int, slots: int, digits: int) -> int:
    """The cost of ``gaussian-mesh``, for the cost and cells of the rule that it extends."""
    return rule + (slots + 1) * _profile(digits)


def pair_cost(mesh: int, digits: int) -> int:
    """The cost of ``zcdp-pair``, for that of ``gaussian-mesh`` with the pair."""
    return mesh + 6 * _transcendental(digits)


def concurrent_basic_cost(entries: int, digits: int) -> int:
    """The cost of ``concurrent-basic``."""
    return sum_cost(entries) + entries * _transcendental(digits)


def group_privacy_cost(digits: int) -> int:
    """The cost of ``group-privacy``, without that of its premise."""
    return 1000 + _transcendental(digits)


def group_mechanisms_cost(entries: int, pairs: int, digits: int) -> int:
    """The cost of ``group-mechanisms``, without its premise; ``pairs`` entries have (ε, δ)."""
    return sum_cost(entries) + pairs * _transcendental(digits)


def window(count: int, digits: int) -> int:
    """b_i: at most so many of the count + 1 weights of a block, less one, are not 0."""
    return min(count, 2 * isqrt(2 * count * (digits + 10)) + 64)


def _transcendental(digits: int) -> int:
    """x(D): one logarithm and one exponential."""
    return 200_000 + 500 * digits * isqrt(digits)


def _profile(digits: int) -> int:
    """One value of a Gaussian profile."""
    return 300_000 + 50 * digits * digits


def _product(bits: int) -> int:
    """m(v): one product of integers of so many bits."""
    return bits * isqrt(bits) // 64


def _collecting(lengths: Sequence[int], sums: int) -> int:
    """W: the work of collecting at most ``sums`` sums, group by group."""
    work = table = 1
    for length in lengths:
        extended = table * (length + 1)
        work += extended
        table = min(sums, extended)
    return work
