"""Readings of mechanisms by their noise: each is what the noise implies."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.closed_forms.readings import concentrated_reading, pure_reading, readings
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


@pytest.mark.parametrize(
    ("entry", "epsilon"),
    [
        (LaplaceMechanism(4, 2, 3, "x"), "1/2"),
        (DiscreteLaplaceMechanism(4, (1, 2)), "3/4"),
        (BoundedRangeMechanism("1/3"), "1/3"),
        (PairMechanism(["1/4", "3/4"], ["1/2", "1/2"]), "ln(2)"),
        (Mechanism("1/5", "1e-9"), "1/5"),
    ],
)
def test_bounded_losses_are_read_as_an_epsilon(entry: Entry, epsilon: str) -> None:
    read = pure_reading(entry)
    assert isinstance(read, Mechanism)
    assert read.epsilon == ExactNumber.parse(epsilon)
    assert (read.count, read.label) == (entry.count, entry.label)


def test_sampling_amplifies_what_is_pure() -> None:
    read = pure_reading(SampledMechanism(LaplaceMechanism(1), "1/10"))
    assert isinstance(read, Mechanism)
    assert mpq("0.158565") < read.epsilon.rational < mpq("0.158566")  # ln(1 + 0.1·(e - 1))


def test_unbounded_losses_are_read_as_rho_or_mu() -> None:
    sampled = SampledMechanism(GaussianMechanism(1), "1/10", 7, "x")
    assert concentrated_reading(DiscreteGaussianMechanism(4, (1, 1))) == ConcentratedMechanism(
        "1/4"
    )
    assert concentrated_reading(BoundedRangeMechanism("1/2")) == ConcentratedMechanism("1/32")
    assert concentrated_reading(sampled) == GaussianMechanism(1, 7, "x")
    assert concentrated_reading(LaplaceMechanism(2)) == Mechanism("1/2")


@pytest.mark.parametrize("rate", [mpq(1), mpq(1, 3)])
def test_a_table_is_read_as_an_epsilon_and_a_delta_that_hold_of_all_answers(rate: mpq) -> None:
    table = PairMechanism(["1/10", "2/5", "1/2", "0"], ["0", "3/5", "3/10", "1/10"])
    read = pure_reading(table if rate == 1 else SampledMechanism(table, rate))
    assert isinstance(read, Mechanism)
    assert read.delta == rate / 10
    with precision(200):
        odds = upper_end(ball(read.epsilon).exp())
    sampled = [(1 - rate) * q + rate * p for p, q in zip(table.p, table.q, strict=True)]
    for one, other in ((sampled, table.q), (table.q, sampled)):
        excess = [a - odds * b for a, b in zip(one, other, strict=True)]
        assert sum((each for each in excess if each > 0), mpq(0)) <= read.delta


def test_answers_that_no_two_inputs_share_are_read_as_nothing() -> None:
    assert pure_reading(PairMechanism(["1", "0"], ["0", "1"])) is None


@pytest.mark.parametrize(("neighbouring", "reach"), [("zero-out", 1), ("replace-one", 2)])
def test_shuffled_batches_are_read_as_a_release_an_epoch(neighbouring: str, reach: int) -> None:
    batches = Ledger((ShuffledGaussianMechanism(2, 9, 3),), neighbouring=neighbouring)
    (reading,) = readings(batches)
    assert reading.ledger.mechanisms == (GaussianMechanism(mpq(reach, 2), 3),)
