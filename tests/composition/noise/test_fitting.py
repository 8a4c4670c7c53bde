"""Tolerances that a refusal of mechanisms by their noise names are answered, when asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

import pytest

from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.noise import fitting
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    ConcentratedMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    PairMechanism,
    SampledMechanism,
    ShuffledGaussianMechanism,
)

Answer = TypeVar("Answer")

NAMED: Final = re.compile(r"--tolerance (1e-\d+) fits; for a smaller one, ")
NONE: Final = "no --tolerance is sure to fit: "
COST: Final = 10**9
TABLE: Final = PairMechanism(["1/2", "1/3", "1/6"], ["1/7", "3/7", "3/7"], 30)
LEDGERS: Final[dict[str, list[Entry]]] = {
    "laplace": [LaplaceMechanism(10, 1, 50), LaplaceMechanism("1/7", 1, 20)],
    "dp-sgd": [SampledMechanism(GaussianMechanism(1), "1/100", 1000)],
    "much signal": [SampledMechanism(GaussianMechanism(5), "1/2", 10)],
    "much more": [SampledMechanism(GaussianMechanism(20), "1/2", 10)],
    "sampled laplace": [SampledMechanism(LaplaceMechanism("1/2"), "1/10", 100)],
    "tables": [TABLE],
    "geometric": [DiscreteLaplaceMechanism("7/3", (3,), 4), LaplaceMechanism(3)],
    "census": [
        DiscreteGaussianMechanism("25/4", (1, 1), 10),
        DiscreteGaussianMechanism("7/3", (2,), 5),
    ],
    "ranges": [BoundedRangeMechanism("1/10", 30)],
    "with rho": [ConcentratedMechanism("1/8"), SampledMechanism(GaussianMechanism(1), "1/10", 10)],
    "(ε, δ)": [Mechanism("0.123", "1e-9", 10), SampledMechanism(LaplaceMechanism(1), "1/3", 10)],
    "shuffled": [ShuffledGaussianMechanism(2, 100, 4)],
}


def _ledger(name: str) -> Ledger:
    return Ledger.of(LEDGERS[name])


def _refusal(error: CostLimitError) -> str | None:
    """The tolerance that is named; None where it says that none is sure to fit."""
    named = NAMED.match(error.remedy)
    assert named or error.remedy.startswith(NONE), error.remedy
    return named and named[1]


def _at_a_tolerance_that_fits(ask: Callable[[str], Answer]) -> Answer | None:
    """The answer at 1e-9, or at what the refusal names; None where none is sure to fit."""
    try:
        return ask("1e-9")
    except CostLimitError as error:
        named = _refusal(error)
        return None if named is None else ask(named)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEDGERS)
def test_the_tolerance_that_a_refused_composition_names_is_answered(name: str) -> None:
    answer = _at_a_tolerance_that_fits(
        lambda tolerance: compose(_ledger(name), delta="1e-6", tolerance=tolerance, max_cost=COST)
    )
    assert answer is None or answer.upper is not None
    assert answer is None or answer.complete or answer.open_because


@pytest.mark.slow
@pytest.mark.parametrize("name", LEDGERS)
def test_the_tolerance_that_a_refused_profile_names_is_answered(name: str) -> None:
    points = _at_a_tolerance_that_fits(
        lambda tolerance: profile(_ledger(name), epsilon=["2"], tolerance=tolerance, max_cost=COST)
    )
    assert all(0 <= point.lower <= point.upper <= 1 for point in points or ())


@pytest.mark.slow
def test_most_of_these_have_a_tolerance_that_fits() -> None:
    for name in ("laplace", "dp-sgd", "much signal"):  # tables are answered exactly
        with pytest.raises(CostLimitError, match=NAMED) as caught:
            compose(_ledger(name), delta="1e-6", tolerance="1e-9", max_cost=COST)
        assert caught.value.field in ("--max-cost", "tolerance", "ledger")


@pytest.mark.slow
def test_of_a_claim_no_tolerance_is_asked_for() -> None:
    with pytest.raises(CostLimitError, match="a larger limit, or ") as caught:
        certify(_ledger("much more"), epsilon=1, delta="1e-6", max_cost=COST)
    assert "tolerance" not in caught.value.remedy


def test_of_very_many_mechanisms_none_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "_MOST_LAWS", 1)
    with pytest.raises(CostLimitError, match=NONE):
        compose(_ledger("laplace"), delta="1e-6", tolerance="1e-9", max_cost=COST)
