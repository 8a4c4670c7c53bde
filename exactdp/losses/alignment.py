r"""Meshes that meet the greatest losses: where few mechanisms are composed, these decide.

Rules of this file: a mesh never decides whether a bound holds, only how close it is, so
that floats will do.

Theory of operation: a loss that is likely by itself and lies between two points of the mesh is
raised in part to the upper one. Among many mechanisms that costs the square of the mesh; but where
all of them have their greatest loss together with a probability above δ, the whole ends at the sum
of these losses, and each raised one is seen in full. So the unit is taken so that each lies at a
point, or just below one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.arithmetic.enclosures import precision, upper_end
from exactdp.mechanisms.pairs import (
    CountedPair,
    Curve,
    OutputTable,
)

_BITS: Final = 160
_LONG: Final = 96
_MOST_ATOMS: Final = 5000
_DIGITS: Final = 20
_CANDIDATES: Final = 4000
_FINER: Final = 8
_OF_TOLERANCE: Final = 0.1
_ROUND: Final = 16
"""Points between the meshes that a whole goes over to."""


def aligned(
    laws: Sequence[CountedPair], unit: mpq, tolerance: mpq, *, directions: Sequence[bool]
) -> mpq:
    """A mesh at least as fine as ``unit`` that the greatest losses of the laws nearly meet."""
    with precision(_BITS):
        tops = [_that_count(_tops(laws, back=back), laws, unit) for back in directions]
    listed = [each for direction in tops for each in direction]
    if not listed:
        return unit
    main = max(listed, key=lambda each: each[0] * each[1])[0]
    least = int(-(-main // unit))
    rough = [[(_float(loss), count) for loss, count in direction] for direction in tops]
    size, spare = _float(main), _OF_TOLERANCE * _float(tolerance)
    best, best_cost = least, float("inf")
    for parts in _candidates(least):
        cost = max(_raised(direction, size / parts) for direction in rough)
        if cost < best_cost:
            best, best_cost = parts, cost
        if cost <= spare:
            break
    return main / best


def _that_count(
    tops: list[tuple[mpq, int]], laws: Sequence[CountedPair], unit: mpq
) -> list[tuple[mpq, int]]:
    """Without those within a step, where other laws have no greatest loss: the whole ends nowhere.

    A mesh as fine as a loss that hardly matters would cut the others into too many cells.
    """
    return tops if len(tops) == len(laws) else [top for top in tops if top[0] >= unit]


def _candidates(least: int) -> Iterator[int]:
    """Numbers of points up to the greatest loss."""
    step = _ROUND if least > _ROUND**2 else 1
    first = -(-least // step) * step
    yield from range(first, min(_FINER * first, first + step * _CANDIDATES) + 1, step)


def _raised(tops: Sequence[tuple[float, int]], unit: float) -> float:
    """By how much the greatest losses are raised in all."""
    return sum(count * (ceil(loss / unit * (1 - 1e-13)) * unit - loss) for loss, count in tops)


def _tops(laws: Sequence[CountedPair], *, back: bool) -> list[tuple[mpq, int]]:
    """The greatest loss of each law that has one, or of its reverse, with the counts."""
    found = []
    for law, count in laws:
        loss = _of_curve(law, back=back) if isinstance(law, Curve) else _of_table(law, back=back)
        if loss is not None and loss > 0:
            found.append((_short(loss), count))
    return found


def _of_curve(law: Curve, *, back: bool) -> mpq | arb | None:
    loss = law.greatest_loss("add" if back else "remove") if law.reaches_greatest else None
    if loss is None or loss.sampled or loss.exact.logs:
        return None if loss is None else loss.ball()
    return loss.exact.rational


def _of_table(law: OutputTable, *, back: bool) -> mpq | arb | None:
    base, _ = law.sample() or (law, 1)
    if base.greatest_loss("remove") is None or law.size(_DIGITS) > _MOST_ATOMS:
        return None
    losses = [atom.loss for atom in law.atoms(_DIGITS) if atom.loss is not None]
    return max((_exact(-loss if back else loss) for loss in losses), default=None)


def _short(loss: mpq | arb) -> mpq:
    """The loss, or a short rational just above it."""
    exact = _exact(loss)
    if isinstance(loss, mpq) and exact.denominator.bit_length() <= _LONG:
        return exact
    return mpq(-(-exact * 2**_LONG // 1), mpz(2) ** _LONG)


def _exact(loss: mpq | arb) -> mpq:
    return upper_end(loss) if isinstance(loss, arb) else loss


def _float(value: mpq) -> float:
    return int(value.numerator) / int(value.denominator)
