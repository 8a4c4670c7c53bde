r"""Deterministic adversaries, one by one, and what they see: the reference for everything else.

Rules of this file: definitions, taken literally; the number of adversaries and of events is
announced, and refused, before any is made.

Theory of operation: a deterministic adversary is a choice of a query at each history that can
occur. Its view is the end that is reached; the law of the view gives each end its probability
when its queries are asked. A randomized adversary is a mixture of deterministic ones, and tells
the inputs apart no better than the best of them (Lemma 1).

Sources: Vadhan & Wang, "Concurrent Composition of Differential Privacy", TCC 2021, Definitions 1
to 3 and Lemma 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final

from gmpy2 import mpq

from exactdp.errors import CostLimitError
from exactdp.interaction.mechanism import InteractiveMechanism, Node, View, total

MOST_ADVERSARIES: Final = 1_000_000

Law = Mapping[View, tuple[mpq, mpq]]
"""The probabilities of each view on the two inputs."""


def laws(mechanism: InteractiveMechanism) -> Iterator[Law]:
    """The law of the view for each deterministic adversary that never stops early.

    To stop early is to forget what comes later, which cannot help.

    Raises:
        CostLimitError: more than 1 000 000 adversaries.

    >>> from exactdp.interaction.mechanism import randomized_response
    >>> next(laws(randomized_response(mpq(3))))
    {(('ask', '0'),): (mpq(3,4), mpq(1,4)), (('ask', '1'),): (mpq(1,4), mpq(3,4))}
    """
    count = mechanism.root.adversaries
    if count > MOST_ADVERSARIES:
        raise CostLimitError(
            field="mechanism",
            value=f"{count} adversaries",
            expected=f"at most {MOST_ADVERSARIES} deterministic adversaries to enumerate",
        )
    return _laws(mechanism.root, (), mpq(1), mpq(1))


def _laws(node: Node, view: View, p: mpq, q: mpq) -> Iterator[dict[View, tuple[mpq, mpq]]]:
    if not node.queries:
        yield {view: (p, q)}
    for query, answers in node.queries.items():
        continued = [
            list(_laws(answer.then, (*view, (query, name)), p * answer.p, q * answer.q))
            for name, answer in answers.items()
        ]
        for chosen in product(*continued):
            yield {end: pair for law in chosen for end, pair in law.items()}


def least_odds_by_enumeration(mechanism: InteractiveMechanism, delta: mpq) -> mpq | None:
    r"""e^PrivLoss by the definition: all adversaries, all events, both directions.

    Returns: max(1, max (P(T) - δ)/Q(T)), or None where some Q(T) = 0 < P(T) - δ.
    """
    greatest = mpq(1)
    for law in laws(mechanism):
        for p, q in _events(list(law.values())):
            for one, other in ((p, q), (q, p)):
                if one > delta and not other:
                    return None
                if one > delta:
                    greatest = max(greatest, (one - delta) / other)
    return greatest


def _events(pairs: list[tuple[mpq, mpq]]) -> Iterator[tuple[mpq, mpq]]:
    for members in product((False, True), repeat=len(pairs)):
        chosen = [pair for pair, member in zip(pairs, members, strict=True) if member]
        yield total(p for p, _ in chosen), total(q for _, q in chosen)
