r"""The privacy loss of interactive mechanisms, alone and interleaved, exactly.

Rules of this file: rationals only, no rounding; the work is bounded by the number of states, which
is announced before it begins.

Theory of operation: PrivLoss(M, δ) is the least ε >= 0 with P(T) <= e^ε·Q(T) + δ for every event T
of the view of every adversary, in both directions. For a fixed y = e^ε the greatest P(T) - y·Q(T)
is found from the ends of the histories backwards: at an end with joint probabilities p and q the
event takes the view or not, max(0, p - y·q); at any other history the adversary picks the query
with the greatest sum over its answers. The choice at one history does not bind another, so this
is the maximum over all deterministic adversaries, and so over all (Vadhan & Wang, Lemma 1).
Interleaved mechanisms are one game whose states are tuples of histories: the adversary picks a
mechanism, too.

As a function of y that maximum is convex and piecewise linear, one line U - y·V for each adversary
and event. From y = 1 on, the line that is highest at y meets δ at (U - δ)/V, which is the next y,
until the maximum is at most δ: every step is exact, y only grows, and no line serves twice. Where
a highest line has V = 0 and U > δ, no y is enough.

Sources: Vadhan & Wang, "Concurrent Composition of Differential Privacy", TCC 2021, Definitions 3
to 8, Lemmas 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from gmpy2 import mpq

from exactdp.errors import CostLimitError
from exactdp.interaction.mechanism import ZERO, InteractiveMechanism, Node, total

MOST_STATES: Final = 200_000

Line = tuple[mpq, mpq]
"""P(T) and Q(T) of an event."""


def least_odds(
    mechanisms: Sequence[InteractiveMechanism], delta: mpq, *, ordered: bool = False
) -> mpq | None:
    r"""e^PrivLoss of the concurrent composition of mechanisms; None if no finite ε is enough.

    Args:
        mechanisms: one or more; one alone is that mechanism.
        delta: 0 <= δ <= 1.
        ordered: let the mechanisms take turns, each turn a query or a null query (Definition 8),
            instead of leaving the order to the adversary; the loss is the same (Lemma 2).

    Raises:
        CostLimitError: more than 200 000 states.

    >>> from exactdp.interaction.mechanism import randomized_response
    >>> least_odds([randomized_response(mpq(3))] * 2, mpq(1, 10))
    mpq(37,5)
    """
    ways = [
        _least_odds_one_way(direction, delta, ordered=ordered)
        for direction in (mechanisms, [each.swapped() for each in mechanisms])
    ]
    return None if None in ways else max(each for each in ways if each is not None)


def divergence(mechanisms: Sequence[InteractiveMechanism], y: mpq, *, ordered: bool = False) -> mpq:
    """The greatest P(T) - y·Q(T) over adversaries and events of interleaved mechanisms."""
    p, q = highest_line(mechanisms, y, ordered=ordered)
    return p - y * q


def highest_line(
    mechanisms: Sequence[InteractiveMechanism], y: mpq, *, ordered: bool = False
) -> Line:
    """P(T) and Q(T) of an adversary and an event where P(T) - y·Q(T) is greatest."""
    states = prod(each.root.size for each in mechanisms) * (len(mechanisms) if ordered else 1)
    if states > MOST_STATES:
        raise CostLimitError(
            field="mechanisms",
            value=f"{states} states",
            expected=f"at most {MOST_STATES} states: the product of the numbers of histories",
            remedy="compose fewer mechanisms, or bound them by their (ε, δ) with exactdp compose",
        )
    game = _Game([_Histories.of(each) for each in mechanisms], y, ordered=ordered)
    return game.best((0,) * len(mechanisms), 0, 0)


def _least_odds_one_way(
    mechanisms: Sequence[InteractiveMechanism], delta: mpq, *, ordered: bool
) -> mpq | None:
    y = mpq(1)
    while True:
        p, q = highest_line(mechanisms, y, ordered=ordered)
        if p - y * q <= delta:
            return y
        if not q:
            return None
        y = (p - delta) / q


@dataclass(frozen=True, slots=True)
class _Histories:
    """The histories of a mechanism, numbered from the empty one on.

    Attributes:
        p: the joint probability of each history on the one input, when its queries are asked.
        q: the same on the other input.
        moves: for each history and query, the numbers of the histories that may follow.
    """

    p: list[mpq]
    q: list[mpq]
    moves: list[list[list[int]]]

    @staticmethod
    def of(mechanism: InteractiveMechanism) -> _Histories:
        found = _Histories([], [], [])
        found._add(mechanism.root, mpq(1), mpq(1))
        return found

    def _add(self, node: Node, p: mpq, q: mpq) -> int:
        number = len(self.p)
        self.p.append(p)
        self.q.append(q)
        self.moves.append([])
        self.moves[number] = [
            [self._add(a.then, p * a.p, q * a.q) for a in answers.values()]
            for answers in node.queries.values()
        ]
        return number


class _Game:
    """Interleaved mechanisms at one y."""

    def __init__(self, mechanisms: Sequence[_Histories], y: mpq, *, ordered: bool) -> None:
        self._mechanisms = mechanisms
        self._y = y
        self._ordered = ordered
        self._known: dict[tuple[tuple[int, ...], int, int], Line] = {}

    def best(self, state: tuple[int, ...], turn: int, passed: int) -> Line:
        """The best line from a tuple of histories on; ``turn`` and ``passed`` if ordered."""
        key = (state, turn, passed)
        if key not in self._known:
            lines = [*self._after_queries(state, turn), *self._after_a_null_query(*key)]
            self._known[key] = max(lines, key=self._value) if lines else self._event(state)
        return self._known[key]

    def _value(self, line: Line) -> mpq:
        return line[0] - self._y * line[1]

    def _event(self, state: tuple[int, ...]) -> Line:
        """At the end the view belongs to the event if that helps."""
        p = prod((m.p[h] for m, h in zip(self._mechanisms, state, strict=True)), start=mpq(1))
        q = prod((m.q[h] for m, h in zip(self._mechanisms, state, strict=True)), start=mpq(1))
        return (p, q) if p > self._y * q else (ZERO, ZERO)

    def _after_queries(self, state: tuple[int, ...], turn: int) -> Iterator[Line]:
        """One line for each query that may be asked next."""
        for index, (mechanism, history) in enumerate(zip(self._mechanisms, state, strict=True)):
            if self._ordered and index != turn:
                continue
            following = (index + 1) % len(state) if self._ordered else 0
            for answers in mechanism.moves[history]:
                lines = [
                    self.best((*state[:index], after, *state[index + 1 :]), following, 0)
                    for after in answers
                ]
                yield total(p for p, _ in lines), total(q for _, q in lines)

    def _after_a_null_query(self, state: tuple[int, ...], turn: int, passed: int) -> Iterator[Line]:
        """Let the turn go to the next mechanism, until every one has been passed over."""
        if self._ordered and passed < len(state) - 1:
            yield self.best(state, (turn + 1) % len(state), passed + 1)
