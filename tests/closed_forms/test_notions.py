"""Bounds of ledgers in ρ, μ and by noise: each holds, and is no better than what is certified."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.closed_forms.bounds import bounds
from exactdp.closed_forms.notions import concentrated_reading, pure_reading, readings
from exactdp.errors import UnsupportedError
from exactdp.ledger.model import ConcentratedMechanism, Entry, GaussianMechanism, Ledger, Mechanism
from exactdp.ledger.noise import (
    BoundedRangeMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    LaplaceMechanism,
    PairMechanism,
    RenyiMechanism,
    SampledMechanism,
    ShuffledGaussianMechanism,
)
from exactdp.verifier import verify_bytes

GAUSSIAN = GaussianMechanism("1/8", 4)


@pytest.mark.parametrize(
    ("entries", "names"),
    [
        ([ConcentratedMechanism("1/8", 4)], ["Bun–Steinke", "Canonne–Kamath–Steinke"]),
        (
            [GAUSSIAN, Mechanism("1/10", "1e-9", 3)],
            [
                "Bun–Steinke",
                "Canonne–Kamath–Steinke",
                "Rényi divergences",
                "mixture with Gaussian noise",
            ],
        ),
        (
            [ConcentratedMechanism("1/800"), Mechanism("1/10")],
            [
                "Bun–Steinke",
                "Canonne–Kamath–Steinke",
                "Rényi divergences",
                "ρ as one (ε, δ) mechanism",
            ],
        ),
    ],
)
def test_every_conversion_is_a_row_with_a_certificate(
    entries: list[Entry], names: list[str]
) -> None:
    answer = bounds(entries, delta="1e-6", tolerance="1e-6")
    assert [row.form.name for row in answer.rows] == names
    assert answer.optimum is not None
    for row in answer.rows:
        certificate = row.certificate()
        assert certificate is not None
        assert row.epsilon is not None
        assert row.epsilon.rational >= (answer.optimum.lower or 0)
        assert verify_bytes(certificate.to_bytes(), max_cost=10**12).status == "accepted"


@pytest.mark.parametrize("delta", ["0", "1"])
def test_where_nothing_can_be_converted_the_reason_is_the_answer(delta: str) -> None:
    answer = bounds([ConcentratedMechanism("1/8")], delta=delta)
    assert {row.epsilon for row in answer.rows} == {None}
    assert all("δ is not between" in row.reason for row in answer.rows)


@pytest.mark.parametrize(
    ("entries", "first"),
    [
        ([LaplaceMechanism(10, 1, 20)], "basic composition, as ε"),
        (
            [DiscreteGaussianMechanism(4, (1, 1)), BoundedRangeMechanism("1/10", 5)],
            "Bun–Steinke, as ρ and μ",
        ),
        ([SampledMechanism(GaussianMechanism(1), "1/10")], "Bun–Steinke, as ρ and μ, unsampled"),
    ],
)
def test_noise_is_never_better_by_its_parameters(entries: list[Entry], first: str) -> None:
    answer = bounds(entries, delta="1e-5", tolerance="1e-3")
    assert answer.rows[0].form.name == first
    assert answer.optimum is not None
    assert answer.optimum.lower is not None
    for row in answer.rows:
        assert row.certificate() is None
        assert row.epsilon is None or row.epsilon.rational >= answer.optimum.lower


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


def test_what_has_neither_an_epsilon_nor_a_rho_is_refused() -> None:
    table = PairMechanism(["1/100", "99/100"], ["0", "1"])
    with pytest.raises(UnsupportedError, match="neither ε nor ρ is known"):
        bounds(Ledger.of([table, LaplaceMechanism(1)]), delta="1/50")
    assert pure_reading(RenyiMechanism([["2", "1/50"]])) is None


@pytest.mark.parametrize(("neighbouring", "reach"), [("zero-out", 1), ("replace-one", 2)])
def test_shuffled_batches_are_read_as_a_release_an_epoch(neighbouring: str, reach: int) -> None:
    batches = Ledger((ShuffledGaussianMechanism(2, 9, 3),), neighbouring=neighbouring)
    (reading,) = readings(batches)
    assert reading.ledger.mechanisms == (GaussianMechanism(mpq(reach, 2), 3),)
