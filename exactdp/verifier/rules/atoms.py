r"""The rule ``atoms``: every privacy loss of a composition, told from all others, with its mass.

Rules of this file: losses are equal if and only if their coordinates over a coprime basis are.
Exact masses are integers over one denominator, of which nothing is rounded. Rounded ones are from
below, and what is missing from 1 counts against the claim.

Theory of operation: let P and Q be the laws of all answers, with the record and without it, and L
the privacy losses. The profile of the composition at y is the sum over the losses

    D(y) = Σ_l max(0, P[L = l] - y·Q[L = l]) + P[L = ∞],   Q[L = l] = P[L = l]·e^{-l},

and losses of mechanisms add up. For (ε, δ) these are randomized responses, with failures in Δ; a
table is a pair of laws that is written out. Where every odds ratio is rational, so are all masses.

Sources: certs/SPEC.md, section 11.3; Murtagh & Vadhan, "The Complexity of Computing the Optimal
Composition of Differential Privacy", Theory of Computing 14(8), 2018, Theorem 1.5; Zhu, Dong &
Wang, AISTATS 2022, Theorem 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import gcd, lcm
from typing import ClassVar, Final, TypeAlias

from ..arithmetic.enclosures import bits_for, enclose, exp_fixed, exp_floating
from ..arithmetic.signs import coordinates, distinct_arguments
from ..format.meter import of_division, of_product, pay
from ..format.numbers import Number, in_pairs, normal_form, size
from ..format.outcomes import RejectedError
from ..format.shapes import one_of
from ..format.strict_json import Json
from .by_noise import ByNoise, Noisy
from .fixed_point import Comparison, exact_block
from .ledger import Ledger, TableRule
from .noise import is_directed
from .rule import EITHER, parameter, read_digits, read_sums
from .tables import Written

MAX_ODDS_BITS: Final = 2**22
_GUARD: Final = 40
_TWO: Final = 2

_Masses: TypeAlias = dict[bytes, int]
"""Masses by the bytes of their losses: the hashes of integers may all be equal."""

_Moves: TypeAlias = list[tuple[int, int]]
"""Losses of one mechanism, or of several, packed, each with its mass."""


def _read_masses(value: Json) -> bool:
    return one_of(value, ("exact", "rounded"), "masses") == "exact"


@dataclass(frozen=True)
class Atoms(TableRule):
    """D(e^ε) against Δ, loss by loss."""

    name: ClassVar[str] = "atoms"
    kinds: ClassVar[tuple[str, ...]] = EITHER

    digits: int = parameter(read_digits)
    masses: bool = parameter(_read_masses)
    """Whether they are exact."""
    sums: int = parameter(read_sums)

    def check(self, ledger: Ledger) -> None:
        """In integers, or in fixed point."""
        if self.masses:
            self._check_exactly(ledger)
        else:
            self._check_rounded(ledger)

    # --- exact masses ---------------------------------------------------------------------------

    def _check_exactly(self, ledger: Ledger) -> None:
        """D(y) and Δ as fractions, for y = e^ε or a bound of it, in both directions."""
        if not all(_has_rational_odds(epsilon) for epsilon, _ in ledger.groups):
            raise RejectedError("the odds of an epsilon are not rational")
        deltas = size(self.bound.delta) + sum(n * size(delta) for n, delta in ledger.failures)
        odds = sum(count * _odds_size(epsilon) for epsilon, count in ledger.groups)
        if max(odds, deltas) > MAX_ODDS_BITS:
            raise RejectedError("the odds or the deltas are too large")
        tables = [*(_response(*each) for each in ledger.groups), *map(_table, ledger.by_noise)]
        bits = sum(each.count * each.whole.bit_length() for each in tables)
        if bits > MAX_ODDS_BITS:
            raise RejectedError("the probabilities are too large")
        p, q = self._laws(tables)
        pay(sum(4 * of_product(each.count * each.whole.bit_length()) for each in tables))
        whole = _product(each.whole**each.count for each in tables)
        y, unit = self._odds_bound(whole)
        pay(2 * (len(p) + 8) * (1000 + 4 * of_product(bits + (y + unit).bit_length())))
        divergence = _divergence(p, q, whole, (y, unit))
        if is_directed(ledger):
            divergence = max(divergence, _divergence(q, p, whole, (y, unit)))
        above, below = _exact_delta(ledger, self.bound.delta)
        pay(4 * of_product(divergence.bit_length() + below.bit_length() + unit.bit_length()))
        left, right = divergence * below, above * unit * whole
        if self.bound.kind == "upper":
            if left > right:
                raise RejectedError("the divergence is above Δ")
        elif left <= right:
            raise RejectedError("the divergence is not above Δ")

    def _laws(self, tables: Sequence[_Table]) -> tuple[_Masses, _Masses]:
        """P and Q of all finite losses, times all denominators; of mirrored tables Q is P at -l."""
        losses = _Losses([(loss, each.count) for each in tables for loss in each.losses])
        p = self._law(losses, [(each, each.p) for each in tables])
        if any(each.q != each.p[::-1] for each in tables):
            return p, self._law(losses, [(each, each.q) for each in tables])
        pay(1000 * len(p))
        return p, {losses.bytes_of(-losses.integer_of(at)): mass for at, mass in p.items()}

    def _law(self, losses: _Losses, tables: Sequence[tuple[_Table, Sequence[int]]]) -> _Masses:
        law = {losses.bytes_of(0): 1}
        packed, bits = iter(losses.packed), 0
        for table, masses in tables:
            times, moves = table.moves([next(packed) for _ in masses], masses)
            for _ in range(times):
                bits += table.count // times * table.whole.bit_length()
                law = self._collected(law, losses, moves, 2 * of_product(bits))
        return law

    def _odds_bound(self, whole: int) -> tuple[int, int]:
        """e^ε as a fraction: exactly if it is rational and small, else from the safe side.

        No mass exceeds ``whole``, which may therefore stand for every greater e^ε.
        """
        epsilon = self.bound.finite()
        if _has_rational_odds(epsilon) and _odds_size(epsilon) <= MAX_ODDS_BITS:
            return _odds(epsilon)
        bits = bits_for(self.digits) + _GUARD
        low, high, exponent = exp_floating(enclose(epsilon, bits), bits)
        end = low if self.bound.kind == "upper" else high  # D does not increase in y
        if exponent > whole.bit_length():
            return whole, 1
        return end << max(exponent, 0), 1 << (bits + max(-exponent, 0))

    # --- rounded masses -------------------------------------------------------------------------

    def _check_rounded(self, ledger: Ledger) -> None:
        """D, loss by loss, against Δ, in fixed point."""
        if ledger.by_noise:
            raise RejectedError("masses of tables are exact")
        losses = _Losses(ledger.groups)
        masses = {losses.bytes_of(0): 10**self.digits}
        total = 0
        for (epsilon, count), key in zip(ledger.groups, losses.packed, strict=True):
            total += count * key
            weights = exact_block(epsilon, count, self.digits)
            moves = [((count - 2 * j) * key, weight) for j, weight in weights.items()]
            product = of_product(4 * self.digits)
            masses = self._collected(masses, losses, moves, product, 10**self.digits)
        comparison = Comparison(ledger, self.bound, self.digits)
        bits = comparison.bits(max(map(abs, losses.coordinates(losses.bytes_of(total)))))
        kept = self._kept(masses, losses, bits)
        comparison.decide(kept, sum(masses.values()), bits)

    def _kept(self, masses: _Masses, losses: _Losses, bits: int) -> int:
        """Σ w·max(0, 1 - e^{ε - l}) over the losses l and their masses w."""
        epsilon_low, epsilon_high = enclose(self.bound.finite(), bits)
        units = [enclose(unit, bits) for unit in losses.units]
        one, kept = 1 << bits, 0
        for place, weight in masses.items():
            pay(len(units) * (1500 + 4 * of_product(2 * bits)))
            loss = losses.coordinates(place)
            parts = [(x * low, x * high) for x, (low, high) in zip(loss, units, strict=True)]
            low = sum(min(ends) for ends in parts) - epsilon_high
            high = sum(max(ends) for ends in parts) - epsilon_low
            if high > 0:
                z_low, z_high = exp_fixed((-high, -low), bits)
                kept += weight * max(0, one - (z_low if self.bound.kind == "upper" else z_high))
        return kept

    # --- either ---------------------------------------------------------------------------------

    def _collected(
        self, masses: _Masses, losses: _Losses, moves: _Moves, product: int, scale: int = 1
    ) -> _Masses:
        """The masses with further losses added, divided by the scale and rounded down."""
        pay(len(masses) * len(moves) * (1000 + product + 4 * losses.length))
        collected: _Masses = {}
        for start, weight in masses.items():
            place = losses.integer_of(start)
            for move, value in moves:
                moved = losses.bytes_of(place + move)
                collected[moved] = collected.get(moved, 0) + weight * value
        if scale > 1:
            collected = {at: mass // scale for at, mass in collected.items() if mass >= scale}
        if len(collected) > self.sums:
            raise RejectedError("more distinct sums than stated")
        return collected


# --- losses -------------------------------------------------------------------------------------


class _Losses:
    """Sums of numbers by their coordinates over a coprime basis, packed into one integer each.

    There is room for each coordinate, so that sums of losses are sums of integers.
    """

    def __init__(self, numbers: Sequence[tuple[Number, int]]) -> None:
        """Of numbers, each taken so often at most, with either sign."""
        values = [number for number, _ in numbers]
        basis, vectors = coordinates(values)
        if len(basis) > 2 * len(distinct_arguments(values)) + 8:
            raise RejectedError("the logarithms share too many factors")
        pay(sum(4 * of_division(size(x)) for vector in vectors for x in vector))
        scales = [
            lcm(*(vector[i].denominator for vector in vectors)) for i in range(len(basis) + 1)
        ]
        keys = [[int(x * scale) for x, scale in zip(each, scales, strict=True)] for each in vectors]
        reach = [
            sum(abs(key[i]) * count for key, (_, count) in zip(keys, numbers, strict=True))
            for i in range(len(scales))
        ]
        self._widths = [most.bit_length() + 2 for most in reach]
        self.length = sum(self._widths) // 8 + 1
        self.units = [Number(Fraction(1, scales[0]))]
        for p, scale in zip(basis, scales[1:], strict=True):
            self.units.append(Number(Fraction(0), ((Fraction(1, scale), Fraction(p)),)))
        self.packed = [self._packed(key) for key in keys]

    def _packed(self, vector: Iterable[int]) -> int:
        packed = 0
        for x, width in zip(vector, self._widths, strict=True):
            packed = (packed << width) + x
        return packed

    def bytes_of(self, packed: int) -> bytes:
        """The key of a packed loss."""
        return packed.to_bytes(self.length, "big", signed=True)

    def integer_of(self, key: bytes) -> int:
        """The packed loss of a key."""
        return int.from_bytes(key, "big", signed=True)

    def coordinates(self, key: bytes) -> list[int]:
        """The multiples of the units that add up to the loss of a key."""
        packed = self.integer_of(key)
        vector = []
        for width in reversed(self._widths):
            x = packed & ((1 << width) - 1)
            x -= (x >> width - 1) << width
            vector.append(x)
            packed = packed - x >> width
        return vector[::-1]


# --- tables -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Table:
    """``count`` mechanisms with these finite losses, which have the masses P and Q over a whole."""

    losses: tuple[Number, ...]
    p: tuple[int, ...]
    q: tuple[int, ...]
    whole: int
    count: int

    def moves(self, keys: Sequence[int], masses: Sequence[int]) -> tuple[int, _Moves]:
        """Sums of losses, and how often they add: once, of all mechanisms, if there are two."""
        pay(1000 * len(keys))
        if len(keys) != _TWO:
            return self.count, list(zip(keys, masses, strict=True))
        pay((self.count + 1) * (1000 + 4 * of_product(self.count * self.whole.bit_length())))
        moves, ways = [], 1
        for j in range(self.count + 1):
            mass = ways * masses[0] ** (self.count - j) * masses[1] ** j
            moves.append(((self.count - j) * keys[0] + j * keys[1], mass))
            ways = ways * (self.count - j) // (j + 1)
        return 1, moves


def _response(epsilon: Number, count: int) -> _Table:
    """Randomized responses of this ε."""
    n, d = _odds(epsilon)
    return _Table((epsilon, epsilon.scaled(-1)), (n, d), (d, n), n + d, count)


def _table(each: ByNoise) -> _Table:
    """Mechanisms that are written out, perhaps on a sample."""
    law = each.laws[0][0] if isinstance(each, Noisy) else None
    if not isinstance(each, Noisy) or not isinstance(law, Written):
        raise RejectedError("is not about noise, but for tables")
    longest = 2 * max(map(size, (*law.p, *law.q))) + size(each.rate)
    pay(len(law.p) * (4000 + 6 * of_division(longest)))
    p = [(1 - each.rate) * b + each.rate * a for a, b in zip(law.p, law.q, strict=True)]
    whole = 1
    for below in (part.denominator for part in (*p, *law.q)):
        pay(1000 + of_division(below.bit_length()) + whole.bit_length() * below.bit_length() // 50)
        whole = whole // gcd(whole, below) * below
    pay(len(p) * (4000 + 6 * of_product(whole.bit_length())))
    both = ((a, b) for a, b in zip(p, law.q, strict=True) if a and b)
    rows = sorted((a / b, int(a * whole), int(b * whole)) for a, b in both)
    groups = [(ratio, list(same)) for ratio, same in groupby(rows, key=lambda row: row[0])]
    return _Table(
        tuple(normal_form([], [(Fraction(1), ratio)]) for ratio, _ in groups),
        tuple(sum(row[1] for row in same) for _, same in groups),
        tuple(sum(row[2] for row in same) for _, same in groups),
        whole,
        each.count,
    )


# --- odds ---------------------------------------------------------------------------------------


def _divergence(p: _Masses, q: _Masses, whole: int, odds: tuple[int, int]) -> int:
    """D(y) times the whole and the unit of y; what is missing from P is at an infinite loss."""
    y, unit = odds
    kept, taken = whole - sum(p.values()), 0
    for at, mass in p.items():
        longer = (unit.bit_length() + mass.bit_length()) - (y.bit_length() + q[at].bit_length())
        if longer >= _TWO or (longer > -_TWO and unit * mass > y * q[at]):
            kept, taken = kept + mass, taken + q[at]
    return unit * kept - y * taken


def _has_rational_odds(epsilon: Number) -> bool:
    """Whether e^epsilon is rational at sight: no rational part, and integer coefficients."""
    return not epsilon.rational and all(c.denominator == 1 for c, _ in epsilon.logs)


def _odds_size(epsilon: Number) -> int:
    """The bits of e^epsilon, written as a product of powers."""
    return sum(abs(c.numerator) * size(r) for c, r in epsilon.logs)


def _odds(epsilon: Number) -> tuple[int, int]:
    """Integers n and d with e^epsilon = n/d."""
    n = d = 1
    pay(4 * epsilon.terms * of_product(_odds_size(epsilon)))
    for c, r in epsilon.logs:
        ratio, power = (r if c > 0 else 1 / r), abs(c.numerator)
        n, d = n * ratio.numerator**power, d * ratio.denominator**power
    return n, d


def _exact_delta(ledger: Ledger, delta: Fraction) -> tuple[int, int]:
    """Δ as a fraction, not reduced, with a positive denominator."""
    failing = ledger.failures
    pay(sum(4 * of_product(count * size(each)) for count, each in failing))
    kept = _product((each.denominator - each.numerator) ** count for count, each in failing)
    whole = _product(each.denominator**count for count, each in failing)
    below = delta.denominator * kept
    return below - (delta.denominator - delta.numerator) * whole, below


def _product(factors: Iterable[int]) -> int:
    return in_pairs(_times, factors, 1)


def _times(one: int, other: int) -> int:
    pay(of_product(max(one.bit_length(), other.bit_length())))
    return one * other
