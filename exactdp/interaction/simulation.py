r"""Every private interactive mechanism is randomized response, seen through a post-processing.

Purpose: given M and (ε, δ), either an interactive mechanism T such that T, run on the answer of
RR_(ε,δ), is M exactly; or an adversary and an event that show that M is not (ε, δ)-DP, so that
there is no such T.

Rules of this file: rationals only; what is built is verified against the definition, by code that
knows nothing of how it was built, before it is returned.

Theory of operation: write E = e^ε, and P, Q for the joint probabilities of the histories of M. A
*measure* gives each history a weight w >= 0, consistently: w(h) is the sum of the weights after
each answer, for every query. T is one measure of mass 1 for each answer of randomized response:

    P = δ·T_A + (1 - δ)(E·T_0 + T_1)/(E + 1),    Q = δ·T_B + (1 - δ)(T_0 + E·T_1)/(E + 1).

So it is enough to find measures u <= P and v <= Q of mass 1 - δ with u <= E·v and v <= E·u; the
rest, P - u and Q - v, goes to T_A and T_B. Let a(h) be the greatest P(S) - E·Q(S) of an event S
from h on, and b(h) the same with P and Q exchanged (backward induction, as for the privacy loss).
Put A = P - a and B = Q - b. Claim: the pairs (u(h), v(h)) that can be continued from h to the ends
are

    G(h) = {(u, v): u <= A(h), v <= B(h), u <= E·v, v <= E·u}.

At an end A = min(P, E·Q) and B = min(Q, E·P), and this is the condition itself. Note A <= E·B and
B <= E·A there; sums over answers keep that, and so does the least over queries: if A(h) is the
least, B(h) that of query j, then A(h) <= A_j <= E·B_j = E·B(h). So G(h) is the polygon with the
corners 0, (A, A/E), (A, B), (B/E, B). For one query, the pairs that can be split over the answers
are the sum of the answers' polygons, and polygons of one shape are added corner by corner: the sum
has the corners of ΣA, ΣB. For all queries at once they are the intersection, which belongs to the
least of ΣA and the least of ΣB: that is G(h). At the root A = 1 - a and B = 1 - b, so the pair
(1 - δ, 1 - δ) is in G if and only if a <= δ and b <= δ: if and only if M is (ε, δ)-DP. A pair is
split by writing it with the corners, and taking the same weights of the corners of each answer.

For δ = 0 this is u = P, v = Q and T_0 = (E·P - Q)/(E - 1), T_1 = (E·Q - P)/(E - 1).

Sources: Vadhan & Wang, "Concurrent Composition of Differential Privacy", TCC 2021, Theorem 5.2
(δ = 0); that T exists for every δ: Lyu, "Composition Theorems for Interactive Differential
Privacy", NeurIPS 2022; Vadhan & Zhang, "Concurrent Composition Theorems for Differential Privacy",
STOC 2023.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.certificate.prediction import size_of
from exactdp.errors import DomainError, InternalError
from exactdp.interaction.mechanism import ZERO, InteractiveMechanism, Node, total

ONE: Final = mpq(1)
ANSWERS: Final = ("it is 0", "0", "1", "it is 1")
"""The answers of randomized response."""

InputPair = tuple[mpq, mpq]
"""Numbers for the two inputs."""

JointWeights = tuple[mpq, mpq, mpq, mpq]
"""The joint probabilities of a history of T, one for each answer of randomized response."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """A post-processing T of RR_(ε,δ) that is a mechanism.

    Attributes:
        odds: e^ε.
        delta: δ.
        ends: the joint probabilities of T at the ends of the mechanism's histories, depth first.
    """

    odds: mpq
    delta: mpq
    ends: tuple[JointWeights, ...]


@dataclass(frozen=True, slots=True)
class Refutation:
    """An adversary who tells the two inputs apart better than (ε, δ) allows.

    The event is that of the ends with p > e^ε·q (with p and q exchanged if ``swapped``).

    Attributes:
        swapped: whether p is the probability on the second input.
        choices: the number of the query asked at each history that is not an end and that can
            occur when the choices are followed, depth first.
        p: the probability of the event on the one input.
        q: the probability on the other.
    """

    swapped: bool
    choices: tuple[int, ...]
    p: mpq
    q: mpq


def simulate(mechanism: InteractiveMechanism, odds: mpq, delta: mpq) -> Simulation | Refutation:
    r"""T such that T(RR_(ε,δ)) is the mechanism on both inputs, or why there is none.

    Args:
        mechanism: M.
        odds: e^ε >= 1.
        delta: 0 <= δ <= 1.

    Raises:
        DomainError: odds below 1, or δ outside [0, 1].
        InternalError: T is not what it should be (a bug of ours).

    >>> from exactdp.interaction.mechanism import randomized_response
    >>> found = simulate(randomized_response(mpq(3)), mpq(3), mpq(0))
    >>> [row[1:3] for row in found.ends]
    [(mpq(1,1), mpq(0,1)), (mpq(0,1), mpq(1,1))]
    """
    _check_range(odds, delta)
    valued = _Valued.of(mechanism.root, odds, ONE, ONE)
    if max(valued.a, valued.b) > delta:
        return _refutation(mechanism, odds, swapped=valued.a <= delta)
    kept = _split(valued, odds, 1 - delta, 1 - delta)
    rows = (weights_of_end((end.p, end.q), (u, v), odds, delta) for end, u, v in kept)
    simulation = Simulation(odds, delta, tuple(rows))
    verify_simulation(mechanism, simulation)
    return simulation


def refute_every(mechanism: InteractiveMechanism, delta: mpq) -> Refutation | None:
    """An adversary and an event with Q(T) = 0 and P(T) > δ, which no finite ε allows, if any.

    The event is that of the ends with q = 0.
    """
    for swapped in (False, True):
        found = _refutation(mechanism, None, swapped=swapped)
        if found.p > delta:
            return found
    return None


def _check_range(odds: mpq, delta: mpq) -> None:
    if odds < 1:
        raise DomainError(field="odds", value=odds, expected="e^ε at least 1")
    if not 0 <= delta <= 1:
        raise DomainError(field="delta", value=delta, expected="a rational from 0 to 1")


# --- the construction ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Valued:
    """A history with its probabilities p and q, and a and b of the theory above."""

    p: mpq
    q: mpq
    a: mpq
    b: mpq
    queries: tuple[tuple[_Valued, ...], ...]

    @staticmethod
    def of(node: Node, odds: mpq, p: mpq, q: mpq) -> _Valued:
        queries = tuple(
            tuple(
                _Valued.of(answer.then, odds, p * answer.p, q * answer.q)
                for answer in answers.values()
            )
            for answers in node.queries.values()
        )
        if not queries:
            return _Valued(p, q, max(ZERO, p - odds * q), max(ZERO, q - odds * p), ())
        a = max(total(each.a for each in answers) for answers in queries)
        b = max(total(each.b for each in answers) for answers in queries)
        return _Valued(p, q, a, b, queries)


def _split(node: _Valued, odds: mpq, u: mpq, v: mpq) -> Iterator[tuple[_Valued, mpq, mpq]]:
    """The pair (u, v) at each end, given that at a history."""
    if not node.queries:
        yield node, u, v
    for answers in node.queries:
        corners = [(each.p - each.a, each.q - each.b) for each in answers]
        whole = total(a for a, _ in corners), total(b for _, b in corners)
        on_a, on_both, on_b = _corner_weights(*whole, odds, u, v)
        for each, (a, b) in zip(answers, corners, strict=True):
            below = (on_a + on_both) * a + on_b * b / odds
            beside = on_a * a / odds + (on_both + on_b) * b
            yield from _split(each, odds, below, beside)


def _corner_weights(a: mpq, b: mpq, odds: mpq, u: mpq, v: mpq) -> tuple[mpq, mpq, mpq]:
    """(u, v) as a sum of multiples of (a, a/E), (a, b) and (b/E, b); 0 takes the rest."""
    if not a:  # then b = 0 too, and with it u and v
        return ZERO, ZERO, ZERO
    if u * b >= v * a:  # on the side of the first corner
        surplus = b - a / odds
        on_a = (u * b / a - v) / surplus if surplus else ZERO
        return on_a, u / a - on_a, ZERO
    surplus = a - b / odds
    on_b = (v * a / b - u) / surplus
    return ZERO, v / b - on_b, on_b


def weights_of_end(law: InputPair, kept: InputPair, odds: mpq, delta: mpq) -> JointWeights:
    """T at an end of law (p, q) where (u, v) is kept for the answers that lean.

    Where an answer of randomized response never occurs, any measure will do.
    """
    (p, q), (u, v) = law, kept
    if delta == 1:
        return p, p, q, q
    if odds == 1:
        lean = stray = u / (1 - delta)
    else:
        scale = (1 - delta) * (odds - 1)
        lean, stray = (odds * u - v) / scale, (odds * v - u) / scale
    if not delta:
        return lean, lean, stray, stray
    return (p - u) / delta, lean, stray, (q - v) / delta


# --- the refutation -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Line:
    """An event from a history on: p - E·q, p, q, and the choices that lead to it."""

    value: mpq
    p: mpq
    q: mpq
    choices: tuple[int, ...] = ()


def _refutation(mechanism: InteractiveMechanism, odds: mpq | None, *, swapped: bool) -> Refutation:
    """The best adversary and event; without odds, among events that cannot happen under q."""
    root = mechanism.swapped().root if swapped else mechanism.root
    line = _best(root, odds, ONE, ONE)
    return Refutation(swapped, line.choices, line.p, line.q)


def _best(node: Node, odds: mpq | None, p: mpq, q: mpq) -> _Line:
    """The event with the greatest p - E·q from a history on."""
    if not node.queries:
        inside = not q if odds is None else p > odds * q
        return _Line(p - q * (odds or ZERO), p, q) if inside else _Line(ZERO, ZERO, ZERO)
    lines = []
    for number, answers in enumerate(node.queries.values()):
        parts = [_best(each.then, odds, p * each.p, q * each.q) for each in answers.values()]
        choices = (number, *(choice for part in parts for choice in part.choices))
        lines.append(
            _Line(
                total(part.value for part in parts),
                total(part.p for part in parts),
                total(part.q for part in parts),
                choices,
            )
        )
    return max(lines, key=lambda line: line.value)


# --- the definition -----------------------------------------------------------------------------


def verify_simulation(mechanism: InteractiveMechanism, simulation: Simulation) -> None:
    """Check that T is a mechanism for each answer, and T(RR_(ε,δ)) has the law of M at every end.

    Raises:
        InternalError: it is not.
    """
    rows = iter(simulation.ends)
    root = _verified(mechanism.root, rows, simulation, ONE, ONE)
    if root != (ONE,) * 4 or next(rows, None) is not None:
        raise _broken("mass 1 for each answer, and one row for each end")


def _verified(
    node: Node, rows: Iterator[JointWeights], simulation: Simulation, p: mpq, q: mpq
) -> tuple[mpq, ...]:
    """T at a history, from its ends: not negative, consistent, and of the right law."""
    if not node.queries:
        row = next(rows)
        if min(row) < 0 or law_of(row, simulation.odds, simulation.delta) != (p, q):
            raise _broken("probabilities at least 0 whose mixture is the mechanism's")
        return row
    sums = []
    for answers in node.queries.values():
        below = [
            _verified(each.then, rows, simulation, p * each.p, q * each.q)
            for each in answers.values()
        ]
        sums.append(tuple(total(column) for column in zip(*below, strict=True)))
    if any(each != sums[0] for each in sums):
        raise _broken("the same sum over the answers for every query")
    return sums[0]


def largest_sum(mechanism: InteractiveMechanism, simulation: Simulation) -> int:
    """A bound of the bits of every sum of rows, over the answers to a query, term by term.

    Adding a rational of at most s bits, above and below the fraction bar, to one of t bits in
    [0, 1] gives one of at most t + 2s + 1.
    """
    largest = 0

    def added(node: Node, rows: Iterator[JointWeights]) -> tuple[mpq, ...]:
        nonlocal largest
        if not node.queries:
            return next(rows)
        sums: tuple[mpq, ...] = ()
        for answers in node.queries.values():
            below = [added(each.then, rows) for each in answers.values()]
            for column in zip(*below, strict=True):
                largest = max(largest, sum(2 * size_of(each) + 1 for each in column) + 2)
            sums = tuple(total(column) for column in zip(*below, strict=True))
        return sums

    added(mechanism.root, iter(simulation.ends))
    return max([largest, *(size_of(entry) for row in simulation.ends for entry in row)])


def law_of(row: JointWeights, odds: mpq, delta: mpq) -> tuple[mpq, mpq]:
    """The probabilities of an end of T(RR_(ε,δ)) on the two inputs."""
    sure_0, lean, stray, sure_1 = row
    rest = (1 - delta) / (odds + 1)
    p = delta * sure_0 + rest * (odds * lean + stray)
    return p, delta * sure_1 + rest * (lean + odds * stray)


def _broken(expected: str) -> InternalError:
    return InternalError(field="simulation", value="a post-processing", expected=expected)
