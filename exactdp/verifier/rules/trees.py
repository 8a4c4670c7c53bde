r"""Interactive mechanisms as a statement holds them.

Rules of this file: the shape is checked here, once: probabilities are not negative, histories
form a tree, and no more than 64 queries follow one another. That probabilities sum to 1 is for the
rules.

Theory of operation: a mechanism is a list of histories in depth-first order; an answer names the
index of the history that follows, and :data:`END` stands for none. A mechanism's first history
has the index 0; one of which nothing can be asked has none, and begins at its end.

Sources: certs/SPEC.md, section 10.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final, Self

from ..format.outcomes import MalformedError
from ..format.shapes import array, integer, members, rational
from ..format.strict_json import Json
from ..statement import Subject

END: Final = -1
MAX_TREES: Final = 8
MAX_ROUNDS: Final = 64


@dataclass(frozen=True)
class Answer:
    """An answer: its probabilities on the two inputs, and the index of what follows."""

    p: Fraction
    q: Fraction
    then: int


Query = tuple[Answer, ...]
Tree = tuple[tuple[Query, ...], ...]
"""The histories, each with its queries."""


def root(tree: Tree) -> int:
    """The index of the empty history."""
    return 0 if tree else END


@dataclass(frozen=True)
class Trees(Subject):
    """Interactive mechanisms, written out."""

    type: ClassVar[str] = "interactive"
    nouns: ClassVar[tuple[str, str]] = ("interactive mechanism", "interactive mechanisms")
    interactions: ClassVar[tuple[str, ...]] = ("concurrent",)

    trees: tuple[Tree, ...]

    @classmethod
    def read(cls, value: Json) -> Self:
        """The mechanisms of a statement."""
        parts = members(value, ("mechanisms", "type"), "subject")
        values = array(parts["mechanisms"], "mechanisms")
        if not 1 <= len(values) <= MAX_TREES:
            raise MalformedError(f"there are not 1 to {MAX_TREES} interactive mechanisms")
        trees = tuple(_read_tree(array(each, "interactive mechanism")) for each in values)
        if sum(map(_rounds, trees)) > MAX_ROUNDS:
            raise MalformedError(f"more than {MAX_ROUNDS} queries one after the other")
        return cls(trees)

    @property
    def count(self) -> int:
        """The number of mechanisms."""
        return len(self.trees)


def _read_tree(values: list[Json]) -> Tree:
    tree = tuple(
        tuple(
            _read_query(array(query, "query"), len(values))
            for query in _not_empty(array(history, "history"), "history")
        )
        for history in values
    )
    if not _is_depth_first(tree):
        raise MalformedError("histories are not a tree in depth-first order")
    return tree


def _read_query(values: list[Json], histories: int) -> Query:
    return tuple(
        _read_answer(array(value, "answer"), histories) for value in _not_empty(values, "query")
    )


def _read_answer(values: list[Json], histories: int) -> Answer:
    if len(values) not in (2, 3):
        raise MalformedError("an answer does not have two probabilities and what follows")
    p, q = (rational(value, "probability") for value in values[:2])
    if len(values) == 2:
        return Answer(p, q, END)
    what = "index of a history"
    return Answer(p, q, integer(values[2], 1, histories - 1, what))


def _not_empty(values: list[Json], what: str) -> list[Json]:
    if not values:
        raise MalformedError(f"a {what} is empty")
    return values


def _is_depth_first(tree: Tree) -> bool:
    """Whether histories are met in the order of their indices, each once."""
    waiting = [0] if tree else []
    for index, history in enumerate(tree):
        if not waiting or waiting.pop() != index:
            return False
        waiting += reversed(list(_following(history)))
    return not waiting


def _following(history: Sequence[Query]) -> Iterator[int]:
    return (answer.then for query in history for answer in query if answer.then != END)


def _rounds(tree: Tree) -> int:
    """The most queries that can be asked one after the other."""
    below = [0] * len(tree)
    for index in reversed(range(len(tree))):  # what follows has a greater index
        below[index] = 1 + max((below[then] for then in _following(tree[index])), default=0)
    return below[0] if tree else 0
