r"""The cost of steps that are not about ledgers, by ``certs/SPEC.md``, sections 10 to 12 and 14.

Rules of this file: as in :mod:`exactdp.certificate.cost`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, prod

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate import prices
from exactdp.certificate.prices import size_of, size_of_number, terms_of
from exactdp.certificate.step import Step, parameter
from exactdp.errors import InternalError

# --- interactive mechanisms ---------------------------------------------------------------------


def interactive_cost(step: Step) -> int:
    """The cost of the rules about interactive mechanisms."""
    trees = step.subject.document()["mechanisms"]
    if not isinstance(trees, Sequence):
        raise InternalError(field="mechanisms", value=type(trees).__name__, expected="a list")
    bits = int(parameter(step, "bits"))
    of_history = 50_000 + 20 * prices.product(bits) + bits**2 // 64
    states = prod(len(tree) + 1 for tree in trees)
    cost = 1000 * states + interleavings([_by_depth(tree) for tree in trees]) * of_history
    if step.epsilon is None:
        return cost
    odds = ExactNumber.ln(mpq(parameter(step, "odds")))
    return cost + prices.sign_of([step.epsilon, odds])


def _by_depth(tree: Sequence[Sequence[Sequence[Sequence[str]]]]) -> list[int]:
    """How many histories there are of each number of answers, ends included."""
    numbers = [1]
    level = [0] if tree else []
    while level:
        answers = [answer for index in level for query in tree[index] for answer in query]
        numbers.append(len(answers))
        level = [int(answer[2]) for answer in answers if len(answer) > 2]
    return numbers


def interleavings(depths: Sequence[Sequence[int]]) -> int:
    """The histories of the whole, for the numbers of histories of each mechanism by depth."""
    whole = [1]
    for numbers in depths:
        longer = [0] * (len(whole) + len(numbers) - 1)
        for (i, one), (j, other) in ((a, b) for a in enumerate(whole) for b in enumerate(numbers)):
            longer[i + j] += comb(i + j, i) * one * other
        whole = longer
    return sum(whole)


# --- reductions of workloads --------------------------------------------------------------------


def witness_cost(sizes: Sequence[int]) -> int:
    """The cost of ``overlap-witness``; for each query 1 and its clauses and ranges."""
    return 1000 * (1 + sum(sizes))


def two_rows_cost(sizes: Sequence[int]) -> int:
    """The cost of ``two-rows``."""
    return 2 * witness_cost(sizes)


def colouring_cost(sizes: Sequence[int], colours: Sequence[Sequence[int]]) -> int:
    """The cost of ``parallel-colouring`` or ``replace-colouring`` with these classes of queries."""
    return witness_cost(sizes) + _pairs_cost(sizes, colours)


def case_tree_cost(
    sizes: Sequence[int], nodes: int, depth: int, colours: Sequence[Sequence[int]]
) -> int:
    """The cost of ``parallel-case-tree`` with these classes of queries, over all its leaves."""
    return _tree_cost(sizes, nodes + sum(sizes), depth, colours)


def pair_tree_cost(
    sizes: Sequence[int], nodes: int, depth: int, colours: Sequence[Sequence[int]]
) -> int:
    """The cost of ``replace-case-tree`` with these classes of queries, over all its leaves."""
    return _tree_cost(sizes, nodes + 2 * sum(sizes), depth, colours)


def _tree_cost(
    sizes: Sequence[int], begun: int, depth: int, colours: Sequence[Sequence[int]]
) -> int:
    visited = begun + sum(sizes[i] for colour in colours for i in colour)
    return 1000 * (1 + depth) * visited + _pairs_cost(sizes, colours)


def _pairs_cost(sizes: Sequence[int], colours: Sequence[Sequence[int]]) -> int:
    pairs = sum((len(colour) - 1) * sum(sizes[i] for i in colour) for colour in colours if colour)
    return 500 * pairs


# --- budgets ------------------------------------------------------------------------------------


def budget_cost() -> int:
    """The cost of the rules about budgets that compare a few rationals."""
    return 1_000_000


def filter_sum_cost(_step: Step) -> int:
    """The cost of ``filter-sum``."""
    return budget_cost()


def filter_renyi_cost(step: Step) -> int:
    """The cost of ``filter-renyi``."""
    if step.epsilon is None:
        raise InternalError(field="epsilon", value="every", expected="a number")
    longest = max(2048, size_of_number(step.epsilon), size_of(step.delta))
    digits = int(parameter(step, "digits")) + longest // 3
    return budget_cost() + (terms_of(step.epsilon) + 10) * prices.transcendental(digits)
