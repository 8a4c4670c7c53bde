r"""D on a grid by counts: how many sets of untruthful answers have each sum.

Rules of this file: counts are exact; what is rounded is rounded to the side of the bound, in each
line, and nothing is lost.

Theory of operation: with losses in units of u, x = e^{-u}, and N(s) the coefficients of
∏(1 + X^{a_i}), the weight of the sum s is N(s)·x^s/P with P = ∏(1 + x^{a_i}). The polynomial is the
product of two halves, whose coefficients stand in one integer each, in slots of 64-bit words: to
multiply by 1 + X^a is to shift and to add. The product of the halves is not written out.

Sources: certs/SPEC.md, section 11.10; Murtagh & Vadhan, Theory of Computing 14(8), 2018, section 5.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, repeat
from operator import mul
from typing import Final

from ..format.meter import of_division, of_product, pay
from .enclosures import Enclosure, ceil_div, ceil_shift, fixed_power

_WORD: Final = 64


def counts(multiples: Sequence[int], top: int) -> list[int]:
    """The coefficients of X^0, …, X^top of the product of 1 + X^a over the multiples a >= 1.

    None exceeds 2^(number of multiples), so that no slot overflows.
    """
    words = len(multiples) // _WORD + 1
    slot = words * _WORD
    pay(len(multiples) * (200 + slot * (top + 1) // 16) + 100 * words * (top + 1))
    packed, span, kept = 1, 0, (1 << slot * (top + 1)) - 1
    for a in multiples:
        packed += packed << a * slot
        span += a
        if span > top:
            packed, span = packed & kept, top
    length = (top + 1) * words
    return _joined(struct.unpack(f"<{length}Q", packed.to_bytes(8 * length, "little")), words)


def _joined(parts: Sequence[int], words: int) -> list[int]:
    """The integers of so many words each, of which the last is the most significant."""
    values = list(parts[words - 1 :: words])
    for word in reversed(range(words - 1)):
        values = [
            value << _WORD | part for value, part in zip(values, parts[word::words], strict=True)
        ]
    return values


def divergence(
    mechanisms: Mapping[int, int], top: int, x: Enclosure, z: Enclosure, bits: int, *, upper: bool
) -> int:
    """D times 2^bits, from above or from below.

    Args:
        mechanisms: how many mechanisms have ε = a·u, by a >= 1.
        top: the greatest sum whose loss is at least that of the bound.
        x: e^{-u}, below 1.
        z: e^{-r} for what the loss of ``top`` is beyond the bound.
        bits: of precision.
        upper: whether from above.
    """
    multiples = sorted(a for a, count in mechanisms.items() for _ in range(count))
    one, other = counts(multiples[::2], top), counts(multiples[1::2], top)
    pay((top + 1) * (1000 + 6 * of_product(bits + len(multiples))))
    side, opposite = (1, 0) if upper else (0, 1)
    powers = list(_powers(x[side], top, bits, side))
    sums = list(accumulate(map(mul, other, powers)))
    truthful = sum(map(mul, map(mul, one, powers), reversed(sums)))
    del powers, sums
    discounted = list(_discounted(other, x[opposite], bits, opposite))
    untruthful = sum(map(mul, one, reversed(discounted)))
    pay(4 * of_division(2 * bits))
    last = fixed_power(x, top, bits)[opposite] * z[opposite]
    last = last >> bits if upper else ceil_shift(last, bits)
    kept = truthful - last * untruthful
    low, high = _total(mechanisms, x, bits)
    return ceil_div(kept, low) if upper else max(0, kept) // high


def _powers(x: int, top: int, bits: int, carry: int) -> Iterator[int]:
    """1, x, …, x^top: from below, or from above if ``carry`` is 1."""
    return accumulate(repeat(x, top), lambda p, _: (p * x >> bits) + carry, initial=1 << bits)


def _discounted(weights: Iterable[int], x: int, bits: int, carry: int) -> Iterator[int]:
    """Σ_{j<=t} n(j)·x^{t-j} for t = 0, 1, …, from below, or from above if ``carry`` is 1."""
    scaled = (weight << bits for weight in weights)
    return accumulate(scaled, lambda q, weight: (q * x >> bits) + carry + weight)


def _total(mechanisms: Mapping[int, int], x: Enclosure, bits: int) -> Enclosure:
    """The product of all 1 + x^a."""
    low = high = one = 1 << bits
    for a, count in mechanisms.items():
        x_low, x_high = fixed_power(x, a, bits)
        factor_low, factor_high = fixed_power((one + x_low, one + x_high), count, bits)
        low, high = low * factor_low >> bits, ceil_shift(high * factor_high, bits)
    return low, high
