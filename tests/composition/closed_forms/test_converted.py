"""Bounds of ledgers in ρ, μ and by noise: each holds, and is no better than what is certified."""

from __future__ import annotations

from fractions import Fraction
from math import log

import pytest
from gmpy2 import mpq

from exactdp.composition.closed_forms.bounds import bounds
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
    RenyiMechanism,
    Sampleable,
    SampledMechanism,
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


@pytest.mark.slow
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
        assert (row.certificate() is None) == (row.formula != "moments" or row.epsilon is None)
        assert row.epsilon is None or row.epsilon.rational >= answer.optimum.lower


def test_divergences_are_converted_by_both_theorems_and_proved_by_the_nearer() -> None:
    ledger = [RenyiMechanism([["2", "1/50"], ["8", "1/10"]], 10)]
    rows = {row.formula: row for row in bounds(ledger, delta="1e-6", tolerance="1e-6").rows}
    near = {2: 0.2 - log(1e-6) - 2 * log(2), 8: 1 + (8 * log(7 / 8) - log(7) - log(1e-6)) / 7}
    by_mironov = {2: 0.2 - log(1e-6), 8: 1 - log(1e-6) / 7}
    for rule, expected in (("moments", near), ("renyi", by_mironov)):
        found = rows[rule].epsilon
        assert found is not None
        assert 0 <= found.rational - mpq(Fraction(min(expected.values()))) <= mpq("1e-6")
    certificate = rows["moments"].certificate()
    assert certificate is not None
    assert verify_bytes(certificate.to_bytes()).status == "accepted"


@pytest.mark.slow
@pytest.mark.parametrize(
    "base",
    [GaussianMechanism(1), LaplaceMechanism(1), DiscreteLaplaceMechanism(2, (2,))],
)
def test_samples_convert_at_an_integer_order(base: Sampleable) -> None:
    step = SampledMechanism(base, "1/100", 100)
    answer = bounds([step], delta="1e-5", tolerance="1e-3")
    row = next(row for row in answer.rows if row.formula == "moments")
    assert answer.optimum is not None
    assert row.epsilon is not None
    assert answer.optimum.lower is not None
    assert answer.optimum.lower <= row.epsilon.rational < 2 * answer.optimum.lower
    certificate = row.certificate()
    assert certificate is not None
    assert verify_bytes(certificate.to_bytes()).status == "accepted"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entry", "delta", "reason"),
    [
        (SampledMechanism(BoundedRangeMechanism(1), "1/10"), "1/50", "no divergence is known"),
        (PairMechanism(["1/100", "99/100"], ["0", "1"]), "1/50", "or it is infinite"),
        (Mechanism("1/10", "1/40"), "1/50", "δ is not above"),
    ],
)
def test_a_row_says_why_divergences_give_nothing(entry: Entry, delta: str, reason: str) -> None:
    laplace = LaplaceMechanism(1)
    rows = bounds([entry, laplace], delta=delta, tolerance="1e-2").rows
    assert [reason in row.reason for row in rows if row.form.name.startswith("Rényi div")][-2:] == [
        True,
        True,
    ]


@pytest.mark.slow
def test_a_row_says_of_which_mechanism_neither_an_epsilon_nor_a_rho_is_known() -> None:
    rows = bounds([LaplaceMechanism(1), RenyiMechanism([["2", "1/50"]])], delta="1e-5").rows
    assert [row.reason for row in rows if row.formula == "sum"] == [
        "no ε is known of mechanisms[1]",
        "no ρ or μ is known of mechanisms[1]",
    ]
