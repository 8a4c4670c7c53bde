r"""Concurrent composition as one interactive mechanism, history by history.

Rules of this file: the number of histories is known, and refused, before the first is made.

Theory of operation: the adversary asks any query of any mechanism next, and that mechanism answers
by its own history alone. So a history of the whole is an interleaving of histories of the parts,
and its probability is the product of theirs. A query of the whole is a mechanism's number and its
query.

Sources: Vadhan & Wang, "Concurrent Composition of Differential Privacy", TCC 2021, Definition 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import Final

from exactdp.errors import CostLimitError
from exactdp.interaction.mechanism import Answer, InteractiveMechanism, Node

MOST_HISTORIES: Final = 50_000
_MOST_STATES: Final = 200_000


def interleaved(mechanisms: Sequence[InteractiveMechanism]) -> InteractiveMechanism:
    """The concurrent composition of mechanisms, written out; one alone stays as it is.

    Raises:
        CostLimitError: more than 50 000 histories.

    >>> from gmpy2 import mpq
    >>> from exactdp.interaction.mechanism import randomized_response
    >>> both = interleaved([randomized_response(mpq(3))] * 2)
    >>> list(both.root.queries), both.root.size
    (['1: ask', '2: ask'], 13)
    """
    if len(mechanisms) == 1:
        return mechanisms[0]
    histories = interleaved_size(mechanisms)
    if histories is None or histories > MOST_HISTORIES:
        raise CostLimitError(
            field="mechanisms",
            value="too many histories" if histories is None else f"{histories} histories",
            expected=f"at most {MOST_HISTORIES} histories of the concurrent composition",
            remedy="compose fewer mechanisms, or those with fewer rounds",
        )
    name = ", ".join(each.name for each in mechanisms if each.name)
    return InteractiveMechanism(_interleaved(tuple(each.root for each in mechanisms)), name)


def interleaved_size(mechanisms: Sequence[InteractiveMechanism]) -> int | None:
    """The number of histories of the concurrent composition; None if even counting is too much."""
    if prod(each.root.size for each in mechanisms) > _MOST_STATES:
        return None
    nodes = {id(node): node for each in mechanisms for node in _all(each.root)}

    @cache
    def size(state: tuple[int, ...]) -> int:
        return 1 + sum(
            size((*state[:index], id(answer.then), *state[index + 1 :]))
            for index, key in enumerate(state)
            for answers in nodes[key].queries.values()
            for answer in answers.values()
        )

    return size(tuple(id(each.root) for each in mechanisms))


def _all(node: Node) -> list[Node]:
    below = [answer.then for answers in node.queries.values() for answer in answers.values()]
    return [node, *(each for then in below for each in _all(then))]


def _interleaved(state: tuple[Node, ...]) -> Node:
    return Node(
        {
            f"{index + 1}: {query}": {
                name: Answer(
                    answer.p,
                    answer.q,
                    _interleaved((*state[:index], answer.then, *state[index + 1 :])),
                )
                for name, answer in answers.items()
            }
            for index, node in enumerate(state)
            for query, answers in node.queries.items()
        }
    )
