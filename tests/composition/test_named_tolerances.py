"""A refusal by cost names a tolerance that is then answered, or says that there is none."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Final

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.decisions import Optimum
from exactdp.composition.engines.engine import METHODS, Method
from exactdp.composition.engines.refusals import DOES_NOT_FIT
from exactdp.composition.problem import Problem
from exactdp.composition.solver import Solver
from exactdp.errors import CostLimitError, InputError

_DELTA: Final = mpq(1, 10**6)
_NAMED: Final = re.compile(r"--tolerance 1e-(\d+) fits; for a smaller one, ")

Ledger = Sequence[tuple[str, int]]

_LEDGERS: Final[dict[str, Ledger]] = {
    "a grid": [("0.1", 300), ("0.03", 200)],
    "a long grid": [("0.1234567891", 1000), ("0.2345678911", 1000)],
    "few and large": [("1.2345678", 1), ("2.3456789", 1), ("0.3333333", 2)],
    "large": [("12.2345678", 10), ("2.3456789", 10), ("0.3333333", 20)],
    "wild": [(f"0.{1 + 61_803_399 * i % 99_999_989:08}", 1) for i in range(1, 61)],
    "equal": [("0.00001", 10**6)],
    "logarithms": [(f"ln({n + 1}/{n})", 1) for n in range(1, 40)],
    "one": [("0.7654321", 1)],
    "two": [("1.2345678", 2)],
}


def _problem(ledger: Ledger) -> Problem:
    groups = [(ExactNumber.parse(epsilon), count) for epsilon, count in ledger]
    return Problem(tuple(groups), (), sum(count for _, count in groups))


def _asked(ledger: Ledger, method: Method | None, places: int, max_cost: int) -> Optimum:
    tolerance = mpq(1, 10**places)
    solver = Solver(_problem(ledger), method=method, max_cost=max_cost, tolerance=tolerance)
    return solver.optimum(_DELTA, tolerance)


def _refused(ledger: Ledger, method: Method | None, places: int, max_cost: int) -> str:
    """What the refusal advises; empty if there is an answer, or the method is for others."""
    try:
        _asked(ledger, method, places, max_cost)
    except CostLimitError as error:
        # the Fourier bracket may find out late that it must look at too many points
        return "" if error.code == DOES_NOT_FIT else error.remedy
    except InputError:
        return ""
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("max_cost", [10**6, 10**7, 2 * 10**8])
@pytest.mark.parametrize("method", [None, *METHODS])
@pytest.mark.parametrize("name", _LEDGERS)
def test_a_refusal_names_a_tolerance_that_is_answered_or_says_that_none_is_sure_to_be(
    name: str, method: Method | None, max_cost: int
) -> None:
    for places in (4, 14):
        remedy = _refused(_LEDGERS[name], method, places, max_cost)
        named = _NAMED.match(remedy)
        if named is None:
            assert not remedy or remedy.startswith("no --tolerance is sure to fit: ")
            continue
        assert int(named[1]) < places
        found = _asked(_LEDGERS[name], method, int(named[1]), max_cost)
        assert found.upper is not None
        assert found.lower is not None
        assert found.upper - found.lower <= mpq(1, 10 ** int(named[1]))


@pytest.mark.slow
def test_some_refusals_name_a_tolerance() -> None:
    assert _NAMED.match(_refused(_LEDGERS["wild"], None, 14, 3 * 10**9))
    assert _NAMED.match(_refused(_LEDGERS["wild"], "bracket", 14, 3 * 10**9))
    assert _NAMED.match(_refused(_LEDGERS["equal"], "grid", 400, 10**8))
    assert _NAMED.match(_refused(_LEDGERS["few and large"], "atoms", 3000, 10**6))
    assert _NAMED.match(_refused(_LEDGERS["logarithms"], "fourier", 40, 3 * 10**9))


@pytest.mark.slow
def test_a_refusal_of_a_bracket_around_a_few_atoms_names_no_tolerance() -> None:
    choose, refused = random.Random(3), 0  # noqa: S311 (no secret)
    for _ in range(40):
        sizes = [f"{choose.choice('0125')}.{choose.randrange(1, 10**7):07}" for _ in range(3)]
        few = [(size, choose.randint(1, 3)) for size in sizes[: choose.randint(1, 3)]]
        for max_cost in (10**6, 5 * 10**7):
            remedy = _refused(few, "bracket", 14, max_cost)
            refused += bool(remedy)
            assert not remedy or remedy.startswith("no --tolerance is sure to fit: ")
    assert refused
