r"""The rules about interactive mechanisms: a post-processing, and an adversary.

Rules of this file: rationals, no rounding; a rule walks through the histories of the interleaved
mechanisms once; their number, and the size of every rational, are bounded before.

Theory of operation: the whole is in a state, one history of each mechanism. Any query of any of
them may be asked next. P and Q of a history are the products of the probabilities of its answers;
the adversary's choices do not enter. A post-processing gives each end a row: its probabilities
under T for each answer of randomized response.

Sources: certs/SPEC.md, section 11; Vadhan & Wang, "Concurrent Composition of Differential
Privacy", TCC 2021, Definitions 3 to 6, Lemma 1 and Theorem 5.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import isqrt, prod
from typing import Final

from ..arithmetic.signs import sign_of_sum
from ..format.numbers import normal_form, size
from ..format.outcomes import RejectedError
from ..statement import Bound, Step, finite_epsilon
from .trees import END, Tree, root

MAX_STATES: Final = 10**5

State = tuple[int, ...]
"""A history of each mechanism."""

Law = tuple[Fraction, Fraction]
"""P and Q of a history."""

CERTAIN: Final = (Fraction(1), Fraction(1))

Row = tuple[Fraction, ...]
"""The probabilities of an end under T, for each answer of randomized response."""

Outcome = tuple[Fraction, Fraction, State]
"""An answer's probabilities, and the state after it."""


# --- the whole ----------------------------------------------------------------------------------


def _start(trees: Sequence[Tree]) -> State:
    return tuple(map(root, trees))


def _queries(trees: Sequence[Tree], state: State) -> Iterator[list[Outcome]]:
    """The answers to each query that may be asked next, by mechanism."""
    for number, index in enumerate(state):
        if index != END:
            for query in trees[number][index]:
                before, after = state[:number], state[number + 1 :]
                yield [(a.p, a.q, (*before, a.then, *after)) for a in query]


def cost_of_interactive(trees: Sequence[Tree], step: Step) -> int:
    """SPEC 11.1."""
    states = prod(len(tree) + 1 for tree in trees)
    if states > MAX_STATES:
        raise RejectedError(f"more than {MAX_STATES} states")
    histories = _histories(trees, _start(trees), {})
    return 1000 * states + histories * (50_000 + 20 * (step.bits * isqrt(step.bits) // 64))


def _histories(trees: Sequence[Tree], state: State, known: dict[State, int]) -> int:
    """The number of histories of the whole from a state on."""
    if state not in known:
        known[state] = 1 + sum(
            _histories(trees, after, known)
            for query in _queries(trees, state)
            for _, _, after in query
        )
    return known[state]


def _within(value: Fraction, step: Step) -> Fraction:
    """A rational, if it has no more bits than the cost allows for."""
    if size(value) > step.bits:
        raise RejectedError(f"a rational of more than {step.bits} bits")
    return value


def _sum(values: Iterable[Fraction], step: Step) -> Fraction:
    """The sum, in the order of the values, within the bits at every step."""
    total = Fraction(0)
    for value in values:
        total = _within(total + _within(value, step), step)
    return total


def _check_numbers(trees: Sequence[Tree], step: Step) -> None:
    """The probabilities of a query's answers sum to 1; odds and δ have no more bits than stated."""
    _sum((step.bound.delta, step.odds), step)
    for tree in trees:
        for history in tree:
            for query in history:
                for side in ([answer.p for answer in query], [answer.q for answer in query]):
                    if _sum(side, step) != 1:
                        raise RejectedError("the probabilities of a query do not sum to 1")


def _after(law: Law, p: Fraction, q: Fraction, step: Step) -> Law:
    """P and Q after an answer."""
    return _within(law[0] * p, step), _within(law[1] * q, step)


# --- a post-processing --------------------------------------------------------------------------


def check_post_processing(trees: Sequence[Tree], step: Step) -> None:
    """``upper``: the whole is T after randomized response with parameters (ln odds, δ)."""
    _check_numbers(trees, step)
    if _excess(step) < 0:
        raise RejectedError("odds is above e^epsilon")
    rows = iter(step.simulation)
    total = _total_row(trees, _start(trees), CERTAIN, rows, step)
    if any(column != 1 for column in total):
        raise RejectedError("the simulation does not have total 1")
    if next(rows, None) is not None:
        raise RejectedError("the simulation has more rows than there are ends")


def _excess(step: Step) -> int:
    """The sign of epsilon less ln(odds)."""
    logarithm = normal_form([], [(Fraction(1), step.odds)])
    return sign_of_sum([(1, finite_epsilon(step.bound)), (-1, logarithm)])


def _total_row(
    trees: Sequence[Tree],
    state: State,
    law: Law,
    rows: Iterator[Row],
    step: Step,
) -> Row:
    """The sum of the rows of the ends that can follow, the same for every query."""
    found: Row | None = None
    for query in _queries(trees, state):
        below = [
            _total_row(trees, then, _after(law, p, q, step), rows, step) for p, q, then in query
        ]
        total = tuple(_sum(column, step) for column in zip(*below, strict=True))
        if found is not None and total != found:
            raise RejectedError("the simulation depends on the query")
        found = total
    return _checked_row(next(rows, None), law, step) if found is None else found


def _checked_row(row: Row | None, law: Law, step: Step) -> Row:
    """The row of an end, whose mixture by randomized response must be the end's law."""
    if row is None:
        raise RejectedError("the simulation has fewer rows than there are ends")
    odds, delta = step.odds, step.bound.delta
    sure_0, lean, stray, sure_1 = (_within(entry, step) for entry in row)
    rest = (1 - delta) / (odds + 1)
    mixture = (
        delta * sure_0 + rest * (odds * lean + stray),
        delta * sure_1 + rest * (lean + odds * stray),
    )
    if mixture != law:
        raise RejectedError("the simulation does not have the law of the mechanisms")
    return row


# --- an adversary -------------------------------------------------------------------------------


def check_distinguishing_adversary(trees: Sequence[Tree], step: Step) -> None:
    """``lower``: the choices are an adversary whose best event exceeds δ."""
    _check_numbers(trees, step)
    odds = _odds_of_event(step.bound, step)
    choices = iter(step.choices)
    excess = Fraction(0)
    waiting = [(_start(trees), CERTAIN)]
    while waiting:
        state, law = waiting.pop()
        queries = list(_queries(trees, state))
        if queries:
            choice = next(choices, len(queries))
            if choice >= len(queries):
                raise RejectedError("a choice is missing, or is that of a query that is not there")
            waiting += [(then, _after(law, p, q, step)) for p, q, then in reversed(queries[choice])]
        else:
            excess = _within(excess + _part(law, odds, step.input), step)
    if next(choices, None) is not None:
        raise RejectedError("there are more choices than histories")
    if excess <= step.bound.delta:
        raise RejectedError("the event does not exceed delta")


def _odds_of_event(bound: Bound, step: Step) -> Fraction | None:
    """The odds that the event must exceed; None for every odds."""
    if bound.epsilon is None:
        if step.odds != 1:
            raise RejectedError("odds is not 1 though epsilon is every")
        return None
    if _excess(step) > 0:
        raise RejectedError("odds is below e^epsilon")
    return step.odds


def _part(law: Law, odds: Fraction | None, side: int) -> Fraction:
    """What an end adds to the event's excess on one input over the other."""
    a, b = law[side], law[1 - side]
    if odds is None:
        return a if b == 0 else Fraction(0)
    return max(Fraction(0), a - odds * b)
