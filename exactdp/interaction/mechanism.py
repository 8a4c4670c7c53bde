r"""Finite interactive mechanisms: trees of queries and answers with rational probabilities.

Purpose: an interactive mechanism on two neighbouring inputs, which is all that differential
privacy asks about: after the same history, the probabilities of each answer on the one input (p)
and on the other (q).

Rules of this file: values are frozen and valid once they exist; probabilities are rationals that
sum to 1 exactly.

Theory of operation: a node is a history. It offers queries; a query has answers, each with its
two probabilities and the node that follows. A node without queries is the end. An adversary
chooses a query at each node, or stops. The joint probability of a history, when its queries are
asked, is the product of the probabilities of its answers: the adversary's part does not enter.

Sources: Vadhan & Wang, "Concurrent Composition of Differential Privacy", TCC 2021, section 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import as_rational
from exactdp.errors import DomainError, InputError

MOST_ROUNDS: Final = 64

View = tuple[tuple[str, str], ...]
"""The queries asked and the answers given, in order."""


@dataclass(frozen=True)
class Answer:
    """An answer: its probability on each of the two inputs, and what follows.

    Attributes:
        p: the probability on the one input, given the history and the query.
        q: the probability on the other input.
        then: the node that follows.
    """

    p: mpq
    q: mpq
    then: Node


@dataclass(frozen=True)
class Node:
    """A history: the queries that may be asked, and the answers to each.

    The constructor takes any mapping of queries to mappings of answers.

    Raises:
        InputError: probabilities that do not sum to 1; a query without answers has none.
        DomainError: a probability below 0, or more rounds than 64.
    """

    queries: Mapping[str, Mapping[str, Answer]]

    def __post_init__(self) -> None:
        """Freeze and check."""
        for query, answers in self.queries.items():
            _check("p", [answer.p for answer in answers.values()], query)
            _check("q", [answer.q for answer in answers.values()], query)
        frozen = {query: MappingProxyType(dict(answers)) for query, answers in self.queries.items()}
        object.__setattr__(self, "queries", MappingProxyType(frozen))
        if self.rounds > MOST_ROUNDS:
            raise DomainError(
                field="mechanism",
                value=f"{self.rounds} rounds",
                expected=f"at most {MOST_ROUNDS} rounds",
            )

    def __reduce__(self) -> tuple[object, ...]:
        """A copy has the same queries and answers."""
        return Node, ({query: dict(answers) for query, answers in self.queries.items()},)

    @cached_property
    def rounds(self) -> int:
        """How many queries can be asked at most, one after the other."""
        return max(
            (1 + a.then.rounds for answers in self.queries.values() for a in answers.values()),
            default=0,
        )

    @cached_property
    def size(self) -> int:
        """The number of histories, this one included."""
        return 1 + sum(a.then.size for answers in self.queries.values() for a in answers.values())

    @cached_property
    def adversaries(self) -> int:
        """The number of deterministic adversaries that never stop early; 1 at the end."""
        total = 0
        for answers in self.queries.values():
            ways = 1
            for answer in answers.values():
                ways *= answer.then.adversaries
            total += ways
        return total or 1

    def ends(self) -> Iterator[View]:
        """The views that lead to an end, depth first: a query and its answer, in turn."""
        if not self.queries:
            yield ()
        for query, answers in self.queries.items():
            for name, answer in answers.items():
                for view in answer.then.ends():
                    yield ((query, name), *view)


END: Final = Node({})
ZERO: Final = mpq(0)


def total(terms: Iterable[mpq]) -> mpq:
    """The sum of rationals, a rational also if there are none."""
    return sum(terms, ZERO)


@dataclass(frozen=True, slots=True)
class InteractiveMechanism:
    """A finite interactive mechanism on two neighbouring inputs.

    Attributes:
        root: the empty history.
        name: a name for people.
    """

    root: Node
    name: str = ""

    @staticmethod
    def of(tree: Mapping[str, object], name: str = "") -> InteractiveMechanism:
        """A mechanism from nested mappings ``{query: {answer: (p, q[, then])}}``.

        Raises:
            InputError: as for :class:`Node`; a float; a shape that is not this.

        >>> tree = {"toss": {"heads": ("3/4", "1/4"), "tails": ("1/4", "3/4")}}
        >>> coin = InteractiveMechanism.of(tree)
        >>> coin.root.rounds, coin.root.size, coin.root.adversaries
        (1, 3, 1)
        """
        return InteractiveMechanism(_node(tree, "$"), name)

    def swapped(self) -> InteractiveMechanism:
        """The mechanism with the two inputs exchanged."""
        return InteractiveMechanism(_swapped(self.root), self.name)


def randomized_response(odds: mpq, delta: mpq = ZERO, query: str = "ask") -> InteractiveMechanism:
    r"""RR_(ε,δ) with e^ε = ``odds``: it tells its input with probability δ, else leans to it.

    Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Definition 3.1.
    """
    lean, stray = (1 - delta) * odds / (1 + odds), (1 - delta) / (1 + odds)
    answers = {
        "it is 0": (delta, 0),
        "0": (lean, stray),
        "1": (stray, lean),
        "it is 1": (0, delta),
    }
    kept = {name: pair for name, pair in answers.items() if any(pair)}
    return InteractiveMechanism.of({query: kept}, "randomized response")


def _check(name: str, probabilities: list[mpq], query: str) -> None:
    if any(probability < 0 for probability in probabilities):
        raise DomainError(
            field=name,
            value=str(min(probabilities)),
            path=query,
            expected="probabilities at least 0",
        )
    if sum(probabilities) != 1:
        raise InputError(
            field=name,
            value=f"probabilities that sum to {sum(probabilities)}",
            path=query,
            expected="probabilities that sum to exactly 1, for each query",
        )


def _node(tree: object, path: str) -> Node:
    if not isinstance(tree, Mapping):
        raise InputError(
            field="mechanism", value=tree, path=path, expected="queries with their answers"
        )
    queries = {}
    for query, answers in tree.items():
        if not isinstance(answers, Mapping):
            raise InputError(
                field="mechanism",
                value=answers,
                path=f"{path}.{query}",
                expected="answers with their probabilities",
            )
        queries[str(query)] = {
            str(name): _answer(value, f"{path}.{query}.{name}") for name, value in answers.items()
        }
    try:
        return Node(queries)
    except InputError as error:
        raise error.located(f"{path}.{error.path}") from None


def _answer(value: object, path: str) -> Answer:
    if not isinstance(value, tuple | list) or len(value) not in (2, 3):
        raise InputError(
            field="mechanism", value=value, path=path, expected="(p, q) or (p, q, what follows)"
        )
    then = _node(value[2], path) if len(value) == 3 else END
    try:
        return Answer(as_rational(value[0], "p"), as_rational(value[1], "q"), then)
    except InputError as error:
        raise error.located(path) from None


def _swapped(node: Node) -> Node:
    return Node(
        {
            query: {
                name: Answer(answer.q, answer.p, _swapped(answer.then))
                for name, answer in answers.items()
            }
            for query, answers in node.queries.items()
        }
    )
