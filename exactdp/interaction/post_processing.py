r"""Is a mechanism a post-processing of RR_(ε,δ)? Asked as a system of linear equations.

Purpose: an answer that owes nothing to the construction of :mod:`simulation`, nor to the theorem
that one exists: Vadhan and Wang's experiment (section 6), with certainty instead of floats.

Rules of this file: the system is the definition, written out; answers are verified as answers of
the system, and a post-processing besides as one of the mechanism.

Theory of operation: unknown are four measures on histories: x = δ·T_A and y = δ·T_B, and at the
ends s = (1 - δ)·T_0 and t = (1 - δ)·T_1, all at least 0. Equations say that x and y are consistent,
one for each history and query, with mass δ at the empty history, and what their mixture is at each
end: (E + 1)x + E·s + t = (E + 1)P and (E + 1)y + s + E·t = (E + 1)Q. Where E > 1, s and t follow
from x and y and are consistent with them. Where E = 1 only s + t matters: T_0 and T_1 are then
taken to be equal.

Sources: Vadhan & Wang, "Concurrent Composition of Differential Privacy", TCC 2021, section 6.
"""

from __future__ import annotations

from gmpy2 import mpq

from exactdp.interaction.linear_program import Impossibility, Row, Solution, System, decide
from exactdp.interaction.mechanism import InteractiveMechanism, Node
from exactdp.interaction.simulation import ONE, Simulation, verify_simulation, weights_of_end


def post_processing(
    mechanism: InteractiveMechanism, odds: mpq, delta: mpq, *, floats: bool | None = None
) -> Simulation | Impossibility:
    """T such that T(RR_(ε,δ)) is the mechanism, or a Farkas certificate that there is none.

    >>> from exactdp.interaction.mechanism import randomized_response
    >>> response = randomized_response(mpq(3))
    >>> type(post_processing(response, mpq(3), mpq(0))).__name__
    'Simulation'
    >>> type(post_processing(response, mpq(2), mpq(0))).__name__
    'Impossibility'
    """
    question = _Question(mechanism, odds, delta)
    answer = decide(question.system, floats=floats)
    if isinstance(answer, Impossibility):
        return answer
    simulation = question.simulation(answer)
    verify_simulation(mechanism, simulation)
    return simulation


class _Question:
    """The system for a mechanism, odds and delta."""

    def __init__(self, mechanism: InteractiveMechanism, odds: mpq, delta: mpq) -> None:
        self._odds = odds
        self._delta = delta
        self._rows: list[Row] = []
        self._right: list[mpq] = []
        self._columns = 0
        self._ends: list[tuple[int, mpq, mpq]] = []
        if not mechanism.root.queries:
            self._end(None, ONE, ONE)
        self._add(mechanism.root, None, ONE, ONE)
        self.system = System(tuple(self._rows), tuple(self._right), self._columns)

    def simulation(self, answer: Solution) -> Simulation:
        """T from the values of x and y at the ends."""
        rows = []
        for column, p, q in self._ends:
            x, y = answer.values[column], answer.values[column + 1]
            rows.append(weights_of_end((p, q), (p - x, q - y), self._odds, self._delta))
        return Simulation(self._odds, self._delta, tuple(rows))

    def _add(self, node: Node, column: int | None, p: mpq, q: mpq) -> None:
        """The equations of a history: x stands in ``column`` and y in the next; None at the root.

        At the empty history both are δ.
        """
        for answers in node.queries.values():
            below = []
            for answer in answers.values():
                below.append(self._new(2))
                if answer.then.queries:
                    self._add(answer.then, below[-1], p * answer.p, q * answer.q)
                else:
                    self._end(below[-1], p * answer.p, q * answer.q)
            for measure in (0, 1):
                row = {each + measure: ONE for each in below}
                if column is not None:
                    row[column + measure] = -ONE
                self._equation(row, self._delta if column is None else mpq(0))

    def _end(self, column: int | None, p: mpq, q: mpq) -> None:
        """The mixture of x, y, s and t at an end is its law."""
        if column is None:  # nothing can be asked
            column = self._new(2)
            self._equation({column: ONE}, self._delta)
            self._equation({column + 1: ONE}, self._delta)
        lean, odds = self._new(2), self._odds
        whole = odds + 1
        self._equation({column: whole, lean: odds, lean + 1: ONE}, whole * p)
        self._equation({column + 1: whole, lean: ONE, lean + 1: odds}, whole * q)
        self._ends.append((column, p, q))

    def _new(self, count: int) -> int:
        self._columns += count
        return self._columns - count

    def _equation(self, row: dict[int, mpq], right: mpq) -> None:
        self._rows.append(row)
        self._right.append(right)
