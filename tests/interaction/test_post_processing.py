"""Section 6's question as a linear system: the same answers as the construction, always."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import assume, given

from exactdp.interaction.linear_program import Impossibility
from exactdp.interaction.mechanism import InteractiveMechanism, randomized_response
from exactdp.interaction.post_processing import post_processing
from exactdp.interaction.privacy_loss import least_odds
from exactdp.interaction.reading import mechanism_of_json
from exactdp.interaction.simulation import Simulation, simulate
from tests.interaction.trees import DELTAS, ODDS, mechanisms
from tests.marking import slow_after

FOUND = Path(__file__).parents[2] / "bench" / "interactive.json"


def document() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(FOUND.read_text(encoding="utf-8"))
    return loaded


@pytest.mark.slow
@given(mechanisms(answers=3), DELTAS)
def test_at_the_privacy_loss_there_is_a_post_processing(
    mechanism: InteractiveMechanism, delta: mpq
) -> None:
    odds = least_odds([mechanism], delta)
    assume(odds is not None)
    assert odds is not None
    assert isinstance(post_processing(mechanism, odds, delta), Simulation)


@given(mechanisms(), ODDS, DELTAS)
def test_the_system_and_the_construction_agree(
    mechanism: InteractiveMechanism, odds: mpq, delta: mpq
) -> None:
    constructed = isinstance(simulate(mechanism, odds, delta), Simulation)
    for floats in (None, False):
        answer = post_processing(mechanism, odds, delta, floats=floats)
        assert isinstance(answer, Simulation) == constructed


def test_a_mechanism_that_says_nothing_is_a_post_processing_of_anything() -> None:
    nothing = InteractiveMechanism.of({})
    for odds in (mpq(1), mpq(2)):
        assert isinstance(post_processing(nothing, odds, mpq(1, 10)), Simulation)


def test_just_below_the_privacy_loss_it_is_impossible() -> None:
    response = randomized_response(mpq(3), mpq(1, 10))
    below = mpq(3) - mpq(1, 10**40)  # beyond what floats can see
    assert isinstance(post_processing(response, below, mpq(1, 10)), Impossibility)


@pytest.mark.parametrize("number", slow_after(3, range(12)))
def test_the_tightest_mechanisms_that_a_search_found_are_no_counterexamples(number: int) -> None:
    entry = document()["corpus"][number]
    mechanism = mechanism_of_json(json.dumps(entry["mechanism"]).encode())
    delta = mpq(entry["delta"])
    odds = least_odds([mechanism], delta)
    assert odds is not None
    assert odds > 1
    assert isinstance(post_processing(mechanism, odds, delta, floats=False), Simulation)
    below = odds - (odds - 1) / mpq(10) ** 30
    assert isinstance(post_processing(mechanism, below, delta, floats=False), Impossibility)


def test_the_recorded_experiment_found_no_answer_of_the_wrong_kind() -> None:
    results = document()["results"]
    families = [result["family"] for result in results[:2]]
    assert families == ["the paper's own: ten probabilities", "two rounds, one bit"]
    assert min(result["solved"] for result in results[:2]) >= 10_000
    for result in results:
        assert result["made"] == result["mechanisms"] - result.get("infinite", 0)
        assert result["impossible"] <= result["refuted"] <= result["made"]
