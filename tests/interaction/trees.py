"""Random interactive mechanisms, as Hypothesis strategies."""

from __future__ import annotations

from typing import Any

from gmpy2 import mpq
from hypothesis import strategies as st

from exactdp.interaction.mechanism import InteractiveMechanism

Tree = dict[str, Any]

DELTAS = st.sampled_from([mpq(0), mpq(1, 100), mpq(1, 10), mpq(1, 3), mpq(9, 10), mpq(1)])
ODDS = st.builds(lambda n, d: 1 + mpq(n, d), st.integers(0, 30), st.integers(1, 10))


def mechanisms(
    *, rounds: int = 2, queries: int = 2, answers: int = 2, least: int = 0
) -> st.SearchStrategy[InteractiveMechanism]:
    """Up to so many rounds, queries and answers; ``least`` = 1 makes every loss finite."""
    return _trees(rounds, queries, answers, least).map(InteractiveMechanism.of)


@st.composite
def _trees(draw: st.DrawFn, rounds: int, queries: int, answers: int, least: int) -> Tree:
    if not rounds:
        return {}
    tree: Tree = {}
    for query in range(draw(st.integers(1, queries))):
        count = draw(st.integers(1, answers))
        p, q = (_distribution(draw, count, least) for _ in "pq")
        tree[f"query {query}"] = {
            f"answer {i}": (
                p[i],
                q[i],
                draw(_trees(draw(st.integers(0, rounds - 1)), queries, answers, least)),
            )
            for i in range(count)
        }
    return tree


def _distribution(draw: st.DrawFn, count: int, least: int) -> list[mpq]:
    weights = draw(st.lists(st.integers(least, 8), min_size=count, max_size=count))
    if not any(weights):
        weights[0] = 1
    return [mpq(weight, sum(weights)) for weight in weights]
