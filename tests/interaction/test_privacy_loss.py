"""The privacy loss against its definition, and the laws of concurrent composition."""

from __future__ import annotations

from itertools import permutations

import pytest
from gmpy2 import mpq
from hypothesis import assume, given
from hypothesis import strategies as st

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.compose import compose
from exactdp.errors import CostLimitError
from exactdp.interaction.adversaries import laws, least_odds_by_enumeration
from exactdp.interaction.interleaving import interleaved, interleaved_size
from exactdp.interaction.mechanism import InteractiveMechanism, randomized_response
from exactdp.interaction.privacy_loss import divergence, least_odds
from tests.interaction.trees import DELTAS, ODDS, mechanisms


def optimal_odds(parameters: list[tuple[mpq, mpq]], delta: mpq) -> mpq | None:
    """e^OptComp for mechanisms with these e^ε and δ; None if no ε is enough."""
    entries = [(ExactNumber.ln(odds), str(own), 1) for odds, own in parameters]
    answer = compose(entries, delta=str(delta))
    if not answer.feasible:
        return None
    assert answer.exact is not None
    odds = answer.exact.rational_odds()
    assert odds is not None
    return odds


def theorem_4_1(parameters: list[tuple[mpq, mpq]]) -> tuple[mpq, mpq]:
    """e^Σε and the least Σ_i e^{Σ_{j<i} ε_σ(j)}·δ_σ(i) over all orders σ."""
    sums = []
    for order in permutations(parameters):
        whole, delta = mpq(1), mpq(0)
        for odds, own in order:
            delta += whole * own
            whole *= odds
        sums.append((delta, whole))
    delta, whole = min(sums)
    return whole, delta


@given(mechanisms(answers=3), DELTAS)
def test_the_loss_is_that_of_all_adversaries_and_events(
    mechanism: InteractiveMechanism, delta: mpq
) -> None:
    assume(mechanism.root.adversaries <= 64)
    assume(max(len(law) for law in laws(mechanism)) <= 9)
    assert least_odds([mechanism], delta) == least_odds_by_enumeration(mechanism, delta)


@given(mechanisms(rounds=1), mechanisms(rounds=1), DELTAS)
def test_interleaving_is_one_mechanism_that_can_be_written_out(
    one: InteractiveMechanism, two: InteractiveMechanism, delta: mpq
) -> None:
    whole = interleaved([one, two])
    assert whole.root.size == interleaved_size([one, two])
    assert least_odds([whole], delta) == least_odds([one, two], delta)


@given(mechanisms(), mechanisms(rounds=1), mechanisms(rounds=1), ODDS)
def test_taking_turns_with_null_queries_loses_nothing(
    one: InteractiveMechanism, two: InteractiveMechanism, three: InteractiveMechanism, y: mpq
) -> None:
    parts = [one, two, three]
    assert divergence(parts, y, ordered=True) == divergence(parts, y)


@given(mechanisms(), mechanisms(), DELTAS)
def test_the_order_of_the_mechanisms_does_not_matter(
    one: InteractiveMechanism, two: InteractiveMechanism, delta: mpq
) -> None:
    assert least_odds([one, two], delta) == least_odds([two, one], delta)


@pytest.mark.slow
@given(mechanisms(least=1), mechanisms(least=1), DELTAS)
def test_concurrent_composition_of_pure_mechanisms_never_exceeds_optimal_composition(
    one: InteractiveMechanism, two: InteractiveMechanism, delta: mpq
) -> None:
    parts = [one, two]
    own = [least_odds([each], mpq(0)) for each in parts]
    optimum = optimal_odds([(odds, mpq(0)) for odds in own if odds is not None], delta)
    together = least_odds(parts, delta)
    assert together is not None
    assert optimum is not None
    assert together <= optimum


@pytest.mark.slow
@given(mechanisms(), mechanisms(), DELTAS, DELTAS, DELTAS)
def test_concurrent_composition_never_exceeds_optimal_composition(
    one: InteractiveMechanism, two: InteractiveMechanism, first: mpq, second: mpq, delta: mpq
) -> None:
    assume(max(first, second) < 1)
    own = [(least_odds([one], first), first), (least_odds([two], second), second)]
    parameters = [(odds, d) for odds, d in own if odds is not None]
    assume(len(parameters) == 2)
    optimum = optimal_odds(parameters, delta)
    assume(optimum is not None)
    together = least_odds([one, two], delta)
    assert together is not None
    assert optimum is not None
    assert together <= optimum


@pytest.mark.slow
@given(mechanisms(), mechanisms(), DELTAS, DELTAS)
def test_concurrent_composition_never_exceeds_theorem_4_1(
    one: InteractiveMechanism, two: InteractiveMechanism, first: mpq, second: mpq
) -> None:
    own = [(least_odds([one], first), first), (least_odds([two], second), second)]
    parameters = [(odds, d) for odds, d in own if odds is not None]
    assume(len(parameters) == 2)
    odds, delta = theorem_4_1(parameters)
    assert divergence([one, two], odds) <= delta
    assert divergence([two.swapped(), one.swapped()], odds) <= delta


@given(st.lists(st.tuples(ODDS, DELTAS), min_size=1, max_size=3), DELTAS)
def test_randomized_responses_attain_optimal_composition(
    parameters: list[tuple[mpq, mpq]], delta: mpq
) -> None:
    assume(all(own < 1 for _, own in parameters))
    parts = [randomized_response(odds, own) for odds, own in parameters]
    assert least_odds(parts, delta) == optimal_odds(parameters, delta)


@given(mechanisms(), ODDS, ODDS)
def test_the_divergence_falls_with_y(mechanism: InteractiveMechanism, one: mpq, two: mpq) -> None:
    low, high = sorted((one, two))
    assert divergence([mechanism], low) >= divergence([mechanism], high)


def test_a_mechanism_that_tells_its_input_has_no_finite_loss() -> None:
    telling = randomized_response(mpq(2), mpq(1, 5))
    assert least_odds([telling], mpq(1, 6)) is None
    assert least_odds([telling], mpq(1, 5)) == 2


def test_too_many_states_are_refused_before_any_work() -> None:
    many = [randomized_response(mpq(2))] * 20
    with pytest.raises(CostLimitError, match="3486784401 states"):
        least_odds(many, mpq(0))
    with pytest.raises(CostLimitError, match="too many histories"):
        interleaved(many)
    with pytest.raises(CostLimitError, match=r"\d+ histories: expected at most 50000"):
        interleaved(many[:8])


def test_too_many_adversaries_are_refused_before_any_is_made() -> None:
    tree: dict[str, object] = {}
    for _ in range(5):
        tree = {name: {"x": ("1/2", "1/2", tree), "y": ("1/2", "1/2", tree)} for name in "ab"}
    with pytest.raises(CostLimitError, match="2147483648 adversaries"):
        laws(InteractiveMechanism.of(tree))
