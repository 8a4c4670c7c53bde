r"""Windows: which losses of a mechanism are kept, so that what is beyond them hardly matters.

Rules of this file: a window never decides whether a bound holds, only how close it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import lower_end, upper_end
from exactdp.arithmetic.threshold import threshold
from exactdp.composition.engines.mesh.cells import LossMesh, Window, atoms_of, value
from exactdp.errors import CostLimitError
from exactdp.mechanisms.pairs import REVERSE, Curve, Direction, OutputTable, Pair

GREATEST_LOSS = 1000
_MARGIN = 4
_FIRST = 64
"""Where the end of a window is looked for at first."""


def window_of(law: Pair, mesh: LossMesh, tail: arb, direction: Direction, *, both: bool) -> Window:
    """Where a law, or its reverse, has its weight but for tails; with ``both``, also that of Q.

    Scores are any function of the outputs: those of a curve stand at the greatest loss where theirs
    is beyond it.

    Raises:
        CostLimitError: losses beyond the greatest have weight, and each must be within the window.
    """
    if isinstance(law, OutputTable):
        first, last = _of_table(law, mesh, tail, direction)
    else:
        first, last = _of_curve(law, mesh, tail, direction, both=both)
        if both:
            most = -(-mpq(GREATEST_LOSS) // mesh.unit) - 1
            first, last = max(first, -int(most)), min(last, int(most))
    if max(-first, last) * mesh.unit >= GREATEST_LOSS:
        raise CostLimitError(
            field="ledger",
            value="a mechanism with a privacy loss above 1000",
            expected="noise that leaves some privacy",
            remedy="compose the other mechanisms alone",
        )
    return first, max(last, first + 1)


def _of_curve(law: Curve, mesh: LossMesh, tail: arb, direction: Direction, *, both: bool) -> Window:
    def above(j: int) -> bool:
        return bool(value(law, mesh.loss(j), direction) < tail)

    def below(j: int) -> bool:
        at = value(law, mesh.loss(-j), direction)
        return bool(at - 1 + mesh.loss(-j).exp() < tail)

    def of_q(j: int) -> bool:
        return bool(value(law, mesh.loss(j), REVERSE[direction]) < tail)

    last, first = _least(above, mesh), _least(below, mesh)
    if both:
        first = max(first, _least(of_q, mesh))
    return -first, last


def _least(reached: Callable[[int], bool], mesh: LossMesh) -> int:
    """About the least j >= 1 from which on a tail is negligible."""
    low, high, most = 0, _FIRST, int(GREATEST_LOSS / mesh.unit) + 1
    while high < most and not reached(high):
        low, high = high, 2 * high
    return threshold(reached, low, min(high, most))[1]


def _of_table(law: OutputTable, mesh: LossMesh, tail: arb, direction: Direction) -> Window:
    listed = atoms_of(law, mesh, direction)
    share = tail / len(listed)
    losses = [atom.loss for atom in listed if atom.loss is not None and not atom.p + atom.q < share]
    ends = [(_low(loss) // mesh.unit, -(-_high(loss) // mesh.unit)) for loss in losses]
    first = int(min((low for low, _ in ends), default=0))
    last = int(max((high for _, high in ends), default=1))
    return first, last


def widened(laws: Sequence[Pair], windows: Sequence[Window], mesh: LossMesh) -> list[Window]:
    """Windows in which an infinite loss of one mechanism has a score above those of others."""
    furthest = max(max(-first, last) for first, last in windows)
    most = int(GREATEST_LOSS / mesh.unit) - 1 - furthest
    wide = min(_MARGIN * max(last - first for first, last in windows), max(0, most))
    return [
        (window[0] - wide, window[1] + wide) if _infinite(law, mesh) else window
        for law, window in zip(laws, windows, strict=True)
    ]


def _infinite(law: Pair, mesh: LossMesh) -> bool:
    return isinstance(law, OutputTable) and any(
        atom.loss is None for atom in law.atoms(mesh.digits)
    )


def _low(loss: mpq | arb) -> mpq:
    return lower_end(loss) if isinstance(loss, arb) else loss


def _high(loss: mpq | arb) -> mpq:
    return upper_end(loss) if isinstance(loss, arb) else loss
