r"""Mechanisms that are (ε, δ)-DP for several pairs of ε and δ at once.

Rules of this file: which constraints say something is decided exactly where all odds are rational,
else by balls at a fixed precision; what these leave open is refused.

Theory of operation: a profile h is convex and h(0) = 1; an (ε, δ) bounds it at y = e^ε by δ and, in
the other direction, at 1/y by 1 - (1 - δ)/y. The greatest such profile is the lower convex hull of
these points, (0, 1) and a level ray, which is that of a table: at each vertex y an output and its
mirror, and outputs that reveal everything, of the least δ. The table is its own reverse and meets
every constraint in both directions, so that some mechanism attains it. To reveal everything is a
failure; its pair is what it is otherwise. A constraint whose point is not below the hull of
the others is implied by them, and changes nothing.

Sources: certs/SPEC.md, sections 7.4 and 7.5; for one pair, Kairouz, Oh & Viswanath, IEEE Trans.
Inf. Theory 63(6), 2017.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cmp_to_key, lru_cache
from itertools import pairwise
from typing import ClassVar, Final, Self, TypeAlias, TypeVar

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare, floor_of, sign
from exactdp.arithmetic.enclosures import ball, ball_of_rational, precision
from exactdp.arithmetic.numbers import ExactNumber, Number, as_number, as_rational
from exactdp.errors import DomainError, InputError
from exactdp.mechanisms.family import Attained, EntryShape, Symmetric, set_field
from exactdp.mechanisms.keys import Key
from exactdp.mechanisms.order import Order
from exactdp.mechanisms.pairs import (
    Atom,
    CountedPair,
    Direction,
    GreatestLoss,
    OutputTable,
    Pair,
    SameSupport,
)
from exactdp.mechanisms.table import TablePair

MOST_CONSTRAINTS: Final = 12
MOST_EPSILON: Final = 1000
MOST_ODDS_BITS: Final = 2048
"""Of one e^ε of which masses are exact."""
_DECIDING_BITS: Final = 1024

Constraint: TypeAlias = tuple[ExactNumber, mpq]
"""An ε and its δ."""

Known = TypeVar("Known", mpq, arb)


@dataclass(frozen=True, slots=True, init=False)
class ConstrainedMechanism(Attained, Symmetric):
    r"""A mechanism that is (ε, δ)-DP for each of some pairs of ε and δ.

    >>> ConstrainedMechanism([["ln(3)", 0], ["ln(3/2)", "1/10"]], 20)
    <ConstrainedMechanism: constraints=[['ln(3/2)', '0.1'], ['ln(3)', '0']], count=20>
    """

    constraints: tuple[Constraint, ...]
    count: int
    label: str

    HAS_LEMMA: ClassVar[bool] = False
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            "constraints",
            implies='"epsilon" and "delta": one of the constraints',
            in_cells=False,
        ),
    )

    def __init__(
        self, constraints: Iterable[Sequence[Number]], count: int = 1, label: str = ""
    ) -> None:
        """Check and normalise the parameters; pairs (ε, δ) are sorted by ε."""
        set_field(self, "constraints", _checked(constraints))
        table_of(self.constraints)
        self._counted(count, label)

    def shape(self) -> EntryShape:
        return {"constraints": [[epsilon, delta] for epsilon, delta in self.constraints]}

    def failure(self) -> mpq:
        """The least δ."""
        return self.implied_epsilon_delta()[1]

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        """The table with the greatest profile of all, where it does not fail."""
        yield table_of(self.constraints), 1

    def implied_epsilon_delta(self) -> Constraint:
        """The constraint with the least δ."""
        return min(self.constraints, key=lambda each: each[1])

    def implied_rho(self) -> None:
        """Its constraints say more."""

    def rho_estimate(self) -> mpq:
        """About ε²/2 of the least ε."""
        return mpq(floor_of(self.constraints[0][0] * _FINE) ** 2, 2 * _FINE**2)

    def ordering(self) -> Order:
        """Only its equal is like it."""
        return Order(("constraints", self.constraints))

    @property
    def can_be_scaled(self) -> bool:
        return False

    def scaled(self, _factor: mpq) -> Self:
        raise self.not_turned()


_FINE: Final = 1 << 64
_FIELD: Final = "constraints"


def _checked(values: Iterable[Sequence[Number]]) -> tuple[Constraint, ...]:
    """Pairs of an ε and a δ, by rising ε."""
    listed = [_constraint(each) for each in values]
    if not 1 <= len(listed) <= MOST_CONSTRAINTS:
        raise DomainError(
            field=_FIELD,
            value=f"{len(listed)} pairs",
            expected=f"from 1 to {MOST_CONSTRAINTS} pairs of an ε and a δ",
        )
    listed.sort(key=cmp_to_key(_by_epsilon))
    for (one, _), (other, _) in pairwise(listed):
        if compare(one, other) == 0:
            raise InputError(
                field=_FIELD,
                value=f"{one} twice",
                expected="each ε once",
                remedy="write the lesser δ alone",
            )
    return tuple(listed)


def _by_epsilon(one: Constraint, other: Constraint) -> int:
    return compare(one[0], other[0])


def _constraint(value: Sequence[Number]) -> Constraint:
    if isinstance(value, str) or len(value) != 2:
        raise InputError(
            field=_FIELD,
            value=value,
            expected='pairs of an ε and a δ, ["1/10", "1e-6"]',
        )
    epsilon, delta = as_number(value[0], _FIELD), as_rational(value[1], _FIELD)
    if sign(epsilon) < 0 or compare(epsilon, ExactNumber.of(MOST_EPSILON)) > 0:
        raise DomainError(
            field=_FIELD, value=str(epsilon), expected=f"an ε from 0 to {MOST_EPSILON}"
        )
    if not 0 <= delta < 1:
        raise DomainError(field=_FIELD, value=str(delta), expected="a δ from 0 to below 1")
    return epsilon, delta


# --- the table ----------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def table_of(constraints: tuple[Constraint, ...]) -> Pair:
    """What the greatest profile that meets the constraints is of, where nothing fails.

    It is exact where all odds are.

    Raises:
        InputError: it is not decided which of them say something.
    """
    deltas = [delta for _, delta in constraints]
    odds = [odds for epsilon, _ in constraints if (odds := _small_odds(epsilon)) is not None]
    if len(odds) == len(constraints):
        kept = _vertices(odds, deltas)
        return _written([odds[j] for j in kept], [deltas[j] for j in kept])
    with precision(_DECIDING_BITS + 3 * MOST_EPSILON):
        balls = [ball(epsilon).exp() for epsilon, _ in constraints]
        kept = _vertices(balls, [*map(ball_of_rational, deltas)])
    return ConstrainedPair(tuple(constraints[j] for j in kept))


def _small_odds(epsilon: ExactNumber) -> mpq | None:
    """Exactly e^ε, if it is rational at sight and short."""
    size = sum(
        abs(c) * (r.numerator.bit_length() + r.denominator.bit_length()) for c, r in epsilon.logs
    )
    return epsilon.rational_odds() if size <= MOST_ODDS_BITS else None


def _vertices(odds: Sequence[Known], deltas: Sequence[Known]) -> list[int]:
    """Which points (y, δ), by rising y, are below the hull of all others and of their mirrors."""
    level = deltas[0] - deltas[0]
    kept: list[tuple[int, Known]] = []  # from the outermost on, with the steepness beyond it
    for j in reversed(range(len(odds))):
        beyond = level
        while kept:
            last, after = kept[-1]
            beyond = (deltas[j] - deltas[last]) / (odds[last] - odds[j])
            if _is_above(beyond, after):
                break
            kept.pop()
            beyond = level
        kept.append((j, beyond))
    while len(kept) > 1:
        first, after = kept[-1]
        if _is_above((1 - deltas[first]) / (1 + odds[first]), after):
            break
        kept.pop()
    return [j for j, _ in reversed(kept)]


def _is_above(one: Known, other: Known) -> bool:
    """Whether a number is above another.

    Raises:
        InputError: their balls do not tell.
    """
    if one > other or one <= other:
        return bool(one > other)
    raise InputError(
        field=_FIELD,
        value="one that the others imply, or almost",
        expected="constraints of which it is known which say something",
        remedy="leave out the one that the others imply",
    )


def _masses(odds: Sequence[Known], deltas: Sequence[Known]) -> list[tuple[Known, Known]]:
    """P and Q of the likelier output at each vertex: Q is by how much the hull turns there."""
    kept = 1 - deltas[-1]
    steepness = [(1 - deltas[0]) / (1 + odds[0])]
    for (one, other), (y, z) in zip(pairwise(deltas), pairwise(odds), strict=True):
        steepness.append((one - other) / (z - y))
    steepness.append(deltas[0] - deltas[0])
    turns = [(before - after) / kept for before, after in pairwise(steepness)]
    return [(y * turn, turn) for y, turn in zip(odds, turns, strict=True)]


def _written(odds: Sequence[mpq], deltas: Sequence[mpq]) -> TablePair:
    """The table in rationals."""
    rows = _masses(odds, deltas)
    own, other = tuple(p for p, _ in rows), tuple(q for _, q in rows)
    return TablePair((*own, *other), (*other, *own))


@dataclass(frozen=True, slots=True)
class ConstrainedPair(SameSupport, OutputTable):
    """The table of constraints of which each is a vertex; some e^ε is not known exactly."""

    vertices: tuple[Constraint, ...]

    def size(self, _digits: int) -> int:
        """Each vertex and its mirror."""
        return 2 * len(self.vertices)

    def atoms(self, _digits: int) -> Iterator[Atom]:
        """Each vertex with ε, its mirror with -ε; by as many bits as tell the vertices apart."""
        with precision(_DECIDING_BITS + 3 * MOST_EPSILON):
            deltas = [ball_of_rational(delta) for _, delta in self.vertices]
            rows = _masses([ball(epsilon).exp() for epsilon, _ in self.vertices], deltas)
        for (epsilon, _), (p, q) in zip(self.vertices, rows, strict=True):
            atom = Atom(p, q, epsilon.rational if epsilon.is_rational else ball(epsilon))
            yield from (atom, atom.reversed())

    STATES_GREATEST: ClassVar[bool] = True

    def greatest_loss(self, direction: Direction) -> GreatestLoss:
        """The greatest ε; it is its own reverse."""
        del direction
        return GreatestLoss(self.vertices[-1][0])

    @property
    def reaches_greatest(self) -> bool:
        return True
