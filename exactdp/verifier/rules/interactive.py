r"""The rules about interactive mechanisms: a post-processing, and an adversary.

Rules of this file: rationals, no rounding; a rule walks through the histories of the interleaved
mechanisms once; their number, and the size of every rational, are bounded before.

Theory of operation: the whole is in a state, one history of each mechanism. Any query of any of
them may be asked next. P and Q of a history are the products of the probabilities of its answers;
the adversary's choices do not enter. A post-processing gives each end a row: its probabilities
under T for each answer of randomized response.

Sources: certs/SPEC.md, sections 10, 11.20 and 11.21; Vadhan & Wang, "Concurrent Composition
of Differential Privacy", TCC 2021, Definitions 3 to 6, Lemma 1 and Theorem 5.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod
from typing import ClassVar, Final

from ..arithmetic.signs import sign_of_sum
from ..format.meter import of_division, of_product, pay
from ..format.numbers import Number, normal_form, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, integer, one_of, rational
from ..format.strict_json import Json
from ..kernel import Form
from ..statement import DEFINITION, Interleaving
from .rule import Axiom, parameter
from .trees import END, Tree, Trees, root

MAX_STATES: Final = 10**5
_MAX_BITS: Final = 10**8
_MAX_CHOICE: Final = 10**6
_ROW_LENGTH: Final = 4

State = tuple[int, ...]
"""A history of each mechanism."""

Law = tuple[Fraction, Fraction]
"""P and Q of a history."""

CERTAIN: Final = (Fraction(1), Fraction(1))

Row = tuple[Fraction, ...]
"""The probabilities of an end under T, for each answer of randomized response."""

Outcome = tuple[Fraction, Fraction, State]
"""An answer's probabilities, and the state after it."""


# --- parameters ---------------------------------------------------------------------------------


def _read_bits(value: Json) -> int:
    return integer(value, 1, _MAX_BITS, "bits")


def _read_odds(value: Json) -> Fraction:
    odds = rational(value, "odds")
    if odds < 1:
        raise MalformedError("odds is below 1")
    return odds


def _read_input(value: Json) -> int:
    return int(one_of(value, ("0", "1"), "input"))


def _read_choices(value: Json) -> tuple[int, ...]:
    return tuple(integer(choice, 0, _MAX_CHOICE, "choice") for choice in array(value, "choices"))


def _read_simulation(value: Json) -> tuple[Row, ...]:
    rows = tuple(
        tuple(rational(entry, "simulation") for entry in array(row, "row of simulation"))
        for row in array(value, "simulation")
    )
    if any(len(row) != _ROW_LENGTH for row in rows):
        raise MalformedError(f"a row of simulation does not have {_ROW_LENGTH} numbers")
    return rows


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


def _histories(trees: Sequence[Tree]) -> int:
    """The number of histories of the whole: those of each mechanism, in every interleaving."""
    whole = [1]
    for tree in trees:
        lengths = _histories_by_length(tree)
        longer = [0] * (len(whole) + len(lengths) - 1)
        for i, one in enumerate(whole):
            for j, other in enumerate(lengths):
                longer[i + j] += comb(i + j, i) * one * other
        whole = longer
    return sum(whole)


def _histories_by_length(tree: Tree) -> list[int]:
    """How many histories of a mechanism there are with 0, 1, 2, … answers, ends included."""
    numbers = [1]
    level = [root(tree)]
    while level := [index for index in level if index != END]:
        level = [answer.then for index in level for query in tree[index] for answer in query]
        numbers.append(len(level))
    return numbers


def _logarithm(odds: Fraction) -> Number:
    return normal_form([], [(Fraction(1), odds)])


@dataclass(frozen=True)
class TreesRule(Axiom[Trees]):
    """A rule about interactive mechanisms; no rational may have more than ``bits`` bits."""

    form: ClassVar[Form] = Form(Trees)
    interleaved: ClassVar[tuple[Interleaving, ...]] = (
        Interleaving(DEFINITION, Trees.type, lambda _: True),
    )

    bits: int = parameter(_read_bits)
    odds: Fraction = parameter(_read_odds)

    def pay(self, subject: Trees) -> None:
        """For the states and the histories of the whole."""
        states = prod(len(tree) + 1 for tree in subject.trees)
        if states > MAX_STATES:
            raise RejectedError(f"more than {MAX_STATES} states")
        of_history = 50_000 + 20 * of_product(self.bits) + of_division(self.bits)
        pay(1000 * states + _histories(subject.trees) * of_history)

    def within(self, value: Fraction) -> Fraction:
        """A rational, if it has no more bits than were paid for."""
        if size(value) > self.bits:
            raise RejectedError(f"a rational of more than {self.bits} bits")
        return value

    def sum(self, values: Iterable[Fraction]) -> Fraction:
        """The sum, in the order of the values, within the bits at every step."""
        total = Fraction(0)
        for value in values:
            total = self.within(total + self.within(value))
        return total

    def after(self, law: Law, p: Fraction, q: Fraction) -> Law:
        """P and Q after an answer."""
        return self.within(law[0] * p), self.within(law[1] * q)

    def check_numbers(self, trees: Sequence[Tree]) -> None:
        """A query's probabilities sum to 1; odds and δ have no more bits than stated."""
        self.sum((self.bound.delta, self.odds))
        for tree in trees:
            for history in tree:
                for query in history:
                    for side in ([answer.p for answer in query], [answer.q for answer in query]):
                        if self.sum(side) != 1:
                            raise RejectedError("the probabilities of a query do not sum to 1")

    def excess(self) -> int:
        """The sign of epsilon less ln(odds)."""
        return sign_of_sum([(1, self.bound.finite()), (-1, _logarithm(self.odds))])


# --- a post-processing --------------------------------------------------------------------------


@dataclass(frozen=True)
class PostProcessing(TreesRule):
    """``upper``: the whole is T after randomized response with parameters (ln odds, δ)."""

    name: ClassVar[str] = "post-processing"
    kinds: ClassVar[tuple[str, ...]] = ("upper",)

    simulation: tuple[Row, ...] = parameter(_read_simulation)

    def check(self, subject: Trees) -> None:
        """The rows are the law of T, and its mixture that of the mechanisms."""
        self.pay(subject)
        trees = subject.trees
        self.check_numbers(trees)
        if self.excess() < 0:
            raise RejectedError("odds is above e^epsilon")
        rows = iter(self.simulation)
        total = self._total_row(trees, _start(trees), CERTAIN, rows)
        if any(column != 1 for column in total):
            raise RejectedError("the simulation does not have total 1")
        if next(rows, None) is not None:
            raise RejectedError("the simulation has more rows than there are ends")

    def _total_row(self, trees: Sequence[Tree], state: State, law: Law, rows: Iterator[Row]) -> Row:
        """The sum of the rows of the ends that can follow, the same for every query."""
        found: Row | None = None
        for query in _queries(trees, state):
            below = [
                self._total_row(trees, then, self.after(law, p, q), rows) for p, q, then in query
            ]
            total = tuple(self.sum(column) for column in zip(*below, strict=True))
            if found is not None and total != found:
                raise RejectedError("the simulation depends on the query")
            found = total
        return self._checked_row(next(rows, None), law) if found is None else found

    def _checked_row(self, row: Row | None, law: Law) -> Row:
        """The row of an end, whose mixture by randomized response must be the end's law."""
        if row is None:
            raise RejectedError("the simulation has fewer rows than there are ends")
        odds, delta = self.odds, self.bound.delta
        sure_0, lean, stray, sure_1 = (self.within(entry) for entry in row)
        rest = (1 - delta) / (odds + 1)
        mixture = (
            delta * sure_0 + rest * (odds * lean + stray),
            delta * sure_1 + rest * (lean + odds * stray),
        )
        if mixture != law:
            raise RejectedError("the simulation does not have the law of the mechanisms")
        return row


# --- an adversary -------------------------------------------------------------------------------


@dataclass(frozen=True)
class DistinguishingAdversary(TreesRule):
    """``lower``: the choices are an adversary whose best event exceeds δ."""

    name: ClassVar[str] = "distinguishing-adversary"
    kinds: ClassVar[tuple[str, ...]] = ("lower",)

    input: int = parameter(_read_input)
    choices: tuple[int, ...] = parameter(_read_choices)

    def check(self, subject: Trees) -> None:
        """What the ends that can be reached add to the event."""
        self.pay(subject)
        trees = subject.trees
        self.check_numbers(trees)
        odds = self._odds_of_event()
        choices = iter(self.choices)
        excess = Fraction(0)
        waiting = [(_start(trees), CERTAIN)]
        while waiting:
            state, law = waiting.pop()
            queries = list(_queries(trees, state))
            if queries:
                choice = next(choices, len(queries))
                if choice >= len(queries):
                    raise RejectedError(
                        "a choice is missing, or is that of a query that is not there"
                    )
                answers = reversed(queries[choice])
                waiting += [(then, self.after(law, p, q)) for p, q, then in answers]
            else:
                excess = self.within(excess + self._part(law, odds))
        if next(choices, None) is not None:
            raise RejectedError("there are more choices than histories")
        if excess <= self.bound.delta:
            raise RejectedError("the event does not exceed delta")

    def _odds_of_event(self) -> Fraction | None:
        """The odds that the event must exceed; None for every odds."""
        if self.bound.epsilon is None:
            if self.odds != 1:
                raise RejectedError("odds is not 1 though epsilon is every")
            return None
        if self.excess() > 0:
            raise RejectedError("odds is below e^epsilon")
        return self.odds

    def _part(self, law: Law, odds: Fraction | None) -> Fraction:
        """What an end adds to the event's excess on one input over the other."""
        a, b = law[self.input], law[1 - self.input]
        if odds is None:
            return a if b == 0 else Fraction(0)
        return max(Fraction(0), a - odds * b)
