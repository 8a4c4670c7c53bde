"""Post-processings of randomized response: where there is one it is made, else refuted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gmpy2 import mpq
from hypothesis import assume, given
from hypothesis import strategies as st

from exactdp.errors import DomainError, InternalError
from exactdp.interaction.adversaries import laws
from exactdp.interaction.interleaving import interleaved
from exactdp.interaction.mechanism import InteractiveMechanism, Node, randomized_response
from exactdp.interaction.privacy_loss import least_odds
from exactdp.interaction.simulation import (
    Refutation,
    Simulation,
    law_of,
    refute_every,
    simulate,
    verify_simulation,
)
from tests.interaction.trees import DELTAS, ODDS, mechanisms


def made(mechanism: InteractiveMechanism, odds: mpq, delta: mpq) -> Simulation:
    found = simulate(mechanism, odds, delta)
    assert isinstance(found, Simulation)
    return found


def refuted(mechanism: InteractiveMechanism, odds: mpq, delta: mpq) -> Refutation:
    found = simulate(mechanism, odds, delta)
    assert isinstance(found, Refutation)
    return found


def ends(node: Node, p: mpq, q: mpq) -> list[tuple[mpq, mpq]]:
    if not node.queries:
        return [(p, q)]
    return [
        pair
        for answers in node.queries.values()
        for each in answers.values()
        for pair in ends(each.then, p * each.p, q * each.q)
    ]


@given(mechanisms(answers=3), DELTAS)
def test_a_mechanism_is_randomized_response_of_its_privacy_loss_post_processed(
    mechanism: InteractiveMechanism, delta: mpq
) -> None:
    odds = least_odds([mechanism], delta)
    assume(odds is not None)
    assert odds is not None
    simulation = made(mechanism, odds, delta)
    laws_of_ends = [law_of(row, odds, delta) for row in simulation.ends]
    assert laws_of_ends == ends(mechanism.root, mpq(1), mpq(1))


@given(mechanisms(answers=3), ODDS, DELTAS)
def test_there_is_a_post_processing_or_an_adversary_and_never_both(
    mechanism: InteractiveMechanism, odds: mpq, delta: mpq
) -> None:
    least = least_odds([mechanism], delta)
    found = simulate(mechanism, odds, delta)
    assert isinstance(found, Simulation) == (least is not None and least <= odds)


@given(mechanisms(answers=3, least=1), st.sampled_from([mpq(0), mpq(1, 100)]))
def test_just_below_the_privacy_loss_an_adversary_is_found(
    mechanism: InteractiveMechanism, delta: mpq
) -> None:
    least = least_odds([mechanism], delta)
    assume(least is not None and least > 1)
    assert least is not None
    odds = least - (least - 1) / mpq(10) ** 12
    refutation = refuted(mechanism, odds, delta)
    assert refutation.p - odds * refutation.q > delta


@pytest.mark.slow
@given(mechanisms(), ODDS, DELTAS)
def test_the_event_of_a_refutation_is_an_event_of_an_adversary(
    mechanism: InteractiveMechanism, odds: mpq, delta: mpq
) -> None:
    found = simulate(mechanism, odds, delta)
    assume(isinstance(found, Refutation))
    assert isinstance(found, Refutation)
    assume(mechanism.root.adversaries <= 256)
    judged = mechanism.swapped() if found.swapped else mechanism
    events = [
        (
            sum((p for p, q in law.values() if p > odds * q), mpq(0)),
            sum((q for p, q in law.values() if p > odds * q), mpq(0)),
        )
        for law in laws(judged)
    ]
    assert (found.p, found.q) in events


@given(mechanisms(answers=3), DELTAS)
def test_an_infinite_loss_has_an_event_that_one_input_excludes(
    mechanism: InteractiveMechanism, delta: mpq
) -> None:
    infinite = least_odds([mechanism], delta) is None
    found = refute_every(mechanism, delta)
    assert (found is not None) == infinite
    assert found is None or (found.q == 0 and found.p > delta)


@pytest.mark.slow
@given(mechanisms(rounds=1, least=1), mechanisms(rounds=1, least=1))
def test_pure_mechanisms_are_simulated_as_in_theorem_5_2(
    one: InteractiveMechanism, two: InteractiveMechanism
) -> None:
    whole = interleaved([one, two])
    odds = least_odds([whole], mpq(0))
    assert odds is not None
    simulation = made(whole, odds, mpq(0))
    for (_, lean, stray, _), (p, q) in zip(
        simulation.ends, ends(whole.root, mpq(1), mpq(1)), strict=True
    ):
        expected = (
            (p, p) if odds == 1 else ((odds * p - q) / (odds - 1), (odds * q - p) / (odds - 1))
        )
        assert (lean, stray) == expected


def test_randomized_response_is_its_own_post_processing() -> None:
    response = randomized_response(mpq(3), mpq(1, 5))
    found = made(response, mpq(3), mpq(1, 5))
    unit = [[mpq(row == column) for column in range(4)] for row in range(4)]
    assert list(map(list, found.ends)) == unit


@pytest.mark.parametrize(("odds", "delta"), [("1/2", 0), (2, -1), (2, 2)])
def test_parameters_outside_their_range_are_refused(odds: str, delta: int) -> None:
    with pytest.raises(DomainError, match=r"e\^ε at least 1|a rational from 0 to 1"):
        simulate(randomized_response(mpq(2)), mpq(odds), mpq(delta))


TWICE = InteractiveMechanism.of(
    {
        "a": {"x": ("1/2", "1/2"), "y": ("1/2", "1/2")},
        "b": {"x": ("2/3", "1/3"), "y": ("1/3", "2/3")},
    }
)


@pytest.mark.parametrize(
    ("row", "change", "words"),
    [
        (0, ("1/2", "1/2", "1/4", "1/2"), "whose mixture"),
        (0, ("-1/2", "3/2", "1/2", "1/2"), "whose mixture"),
        (3, (1, 0, 1, 0), "the same sum over the answers"),
    ],
)
def test_what_is_no_post_processing_is_found_out(
    row: int, change: tuple[str, ...], words: str
) -> None:
    simulation = made(TWICE, mpq(2), mpq(0))
    rows = list(simulation.ends)
    first, second, third, fourth = (mpq(each) for each in change)
    rows[row] = first, second, third, fourth
    with pytest.raises(InternalError, match=words):
        verify_simulation(TWICE, replace(simulation, ends=tuple(rows)))


def test_a_row_too_many_is_found_out() -> None:
    simulation = made(TWICE, mpq(2), mpq(0))
    longer = replace(simulation, ends=(*simulation.ends, simulation.ends[0]))
    with pytest.raises(InternalError, match="one row for each end"):
        verify_simulation(TWICE, longer)
