r"""Fourier transforms of real sequences in doubles, with a proved bound on their rounding.

Rules of this file: numbers are IEEE doubles, added and multiplied one by one, so that each result
has a relative error of at most u = 2^-53, or two where numpy fuses a product with a sum; no library
transform is called, for none has a proved bound. Bounds say nothing of underflow: whoever uses them
adds :data:`UNDERFLOW`.

Theory of operation: Stockham's transform of base 2, in rows of about the root of the length so that
numpy's loops are long. At each of its levels a number is the sum or difference of two, perhaps
times a root of unity. With \|x\| the sum of the moduli of what a number is made of, each level adds
at most ρ\|x\| to the error, where 1 + ρ covers the sum (u), the product (√8·u; Brent, Percival &
Zimmermann 2007) and the root, itself a product of two tabled ones ((1 + 2u)²(1 + √8·u)). So ρ = 11u
is enough, and after L levels

.. math:: |\hat X_k - X_k| \le ((1 + \rho)^L - 1) \sum_j |x_j|.

Sources: Higham, Accuracy and Stability of Numerical Algorithms, 2002, chapter 24; Brisebarre,
Joldeş, Muller, Naneş & Picot, ACM TOMS 46, 2020; the proof is in docs/guarantees.md, Doubles.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from flint import arb
from numpy.typing import NDArray

from exactdp.arithmetic.enclosures import precision

Reals: TypeAlias = NDArray[np.float64]
Complexes: TypeAlias = NDArray[np.complex128]

ROUNDING: Final = 2.0**-53
UNDERFLOW: Final = 2.0**-900
"""More than all that underflow can add to a number that is otherwise below 2."""

_OF_A_LEVEL: Final = 11 * ROUNDING
_OTHER_LEVELS: Final = 3
_BITS: Final = 100
_KEPT: Final = 8


def relative_error(length: int) -> float:
    r"""What either transform of a length adds at most to a value, over the sum of moduli.

    That of :func:`transformed` is the sum of all |x_j|; that of :func:`restored`, the mean of |X_k|
    over all ``length`` frequencies. Each is two transforms of half the length, put together.
    """
    levels = length.bit_length() + _OTHER_LEVELS
    return 2.1 * levels * _OF_A_LEVEL


def transformed(values: Reals) -> Complexes:
    """The frequencies from 0 to the half, of a length that is a power of 2 and at least 2."""
    length = len(values)
    packed = _transform(np.ascontiguousarray(values).view(np.complex128))
    mirrored = np.conj(np.roll(packed[::-1], 1))
    even, odd = packed + mirrored, packed - mirrored
    odd *= -1j * _roots(length)[: length // 2]
    found = np.empty(length // 2 + 1, np.complex128)
    found[:-1] = (even + odd) / 2
    found[-1] = (even[0] - odd[0]) / 2
    return found


def restored(spectrum: Complexes) -> Reals:
    """The values of these frequencies from 0 to the half."""
    length = 2 * (len(spectrum) - 1)
    mirrored = np.conj(spectrum[:0:-1])
    even, odd = spectrum[:-1] + mirrored, spectrum[:-1] - mirrored
    odd *= 1j * np.conj(_roots(length)[: length // 2])
    found = np.conj(_transform(np.conj(even + odd))) / length
    return found.view(np.float64)


def _transform(values: Complexes) -> Complexes:
    """The transform of a power of 2, by rows and columns."""
    length = len(values)
    rows = 1 << (length.bit_length() - 1) // 2
    table = values.reshape(rows, length // rows)
    table = _of_columns(table) * _turns(rows, length // rows)
    return _of_columns(np.ascontiguousarray(table.T)).reshape(length)


def _of_columns(table: Complexes) -> Complexes:
    """The transform of each column."""
    length, width = table.shape
    left = length
    while left > 1:
        left //= 2
        upper, lower = table.reshape(2, left, -1)
        table = np.empty((left, 2, upper.shape[1]), np.complex128)
        np.add(upper, lower, out=table[:, 0])
        np.subtract(upper, lower, out=table[:, 1])
        if left > 1:
            table[:, 1] *= _roots(2 * left)[:left, None]
    return table.reshape(length, width)


@lru_cache(maxsize=_KEPT)
def _turns(rows: int, columns: int) -> Complexes:
    """What stands between the two transforms of a table."""
    places = np.multiply.outer(np.arange(rows), np.arange(columns))
    return _roots(rows * columns)[places]


@lru_cache(maxsize=4 * _KEPT)
def _roots(length: int) -> Complexes:
    """The roots of unity e^{-2πi·k/length}: products of a few that are rounded from balls."""
    fine = 1 << (length.bit_length() - 1) // 2
    coarse = length // fine
    return np.multiply.outer(_listed(coarse, coarse), _listed(length, fine)).reshape(length)


def _listed(length: int, count: int) -> Complexes:
    """The first roots, each part within 2u of its own size."""
    with precision(_BITS):
        angles = [arb(-2 * k) / length for k in range(count)]
        return np.array([complex(float(a.cos_pi()), float(a.sin_pi())) for a in angles])


def powers(exponent: arb, count: int) -> Reals:
    """The values of e^{k·exponent} for k from 0 on, each within 2·log2(count)·1.01u relatively.

    Args:
        exponent: a ball far narrower than a double.
        count: how many, at least 1.
    """
    found, done = np.ones(count), 1
    while done < count:
        more = min(done, count - done)
        factor = float((exponent * done).exp())
        np.multiply(found[:more], factor, out=found[done : done + more])
        done *= 2
    return found
