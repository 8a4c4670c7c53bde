"""Laplace noise in the Fourier bracket: against exact sums, against the mesh, and the choice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.certificates import certificate
from exactdp.composition.decisions import Optimum
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.solver import Solver
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    DiscreteLaplaceMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    SampledMechanism,
)
from exactdp.verifier import verify_bytes

Real = Any  # of mpmath
WIDTH = mpq(1, 10**9)
SCALE = "9"
_MOST_COST = 10**11

MANY: Sequence[Entry] = (
    *(LaplaceMechanism(f"{20 + i}/3", count=3) for i in range(12)),
    *(Mechanism(f"{100 + i}/997", "1e-9", 2) for i in range(20)),
    *(DiscreteLaplaceMechanism("21", (1, 2), 5), DiscreteLaplaceMechanism("17/2", (1,), 9)),
)


def _solver(entries: Sequence[Entry], width: mpq = WIDTH) -> Solver:
    problem = DominatingPairs(Subject.of(Ledger.of(entries))).characterized()
    assert problem is not None
    return Solver(problem, max_cost=_MOST_COST, tolerance=width)


def _ends(found: Optimum) -> tuple[mpq, mpq]:
    assert found.lower is not None
    assert found.upper is not None
    return found.lower, found.upper


def _accepts_both(
    entries: Sequence[Entry], solver: Solver, low: mpq, high: mpq, delta: mpq
) -> bool:
    """Whether the verifier accepts the certificates of both ends, at the price that is stated."""
    subject = Subject.of(Ledger.of(entries))
    made = [(high, True), *([(low, False)] if low else [])]
    for end, upper in made:
        decision = solver.decide(ExactNumber(end), delta)
        assert decision.holds == upper
        shown = certificate(subject, ExactNumber(end), delta, decision)
        verdict = verify_bytes(shown.to_bytes())
        if verdict.status != "accepted":
            return False
    return True


# --- against exact sums -------------------------------------------------------------------------


def _real(value: mpq | str) -> Real:
    exact = mpq(value)
    return mpmath.mpf(int(exact.numerator)) / int(exact.denominator)


def _laplace_profile(most: Real, loss: Real) -> Real:
    if loss < -most:
        return 1 - mpmath.exp(loss)
    return 1 - mpmath.exp((loss - most) / 2) if loss < most else mpmath.mpf(0)


def _weights(shift: int) -> dict[int, Real]:
    """The law of discrete Laplace noise, by how many times 1/scale a loss is."""
    x = mpmath.exp(-1 / _real(SCALE))
    weights = [1, *((1 - x) * x**j for j in range(1, shift)), x**shift]
    return {shift - 2 * j: weight / (1 + x) for j, weight in enumerate(weights)}


def _composed(shifts: Sequence[int]) -> dict[int, Real]:
    """The law of the sum of all losses, loss by loss."""
    total: dict[int, Real] = {0: mpmath.mpf(1)}
    for shift in shifts:
        found: dict[int, Real] = defaultdict(mpmath.mpf)
        for (loss, weight), (more, part) in product(total.items(), _weights(shift).items()):
            found[loss + more] += weight * part
        total = found
    return total


def _divergence(law: dict[int, Real], most: Real, epsilon: mpq) -> Real:
    """The mean of the profile of Laplace noise over all answers of the others."""
    unit = 1 / _real(SCALE)
    return mpmath.fsum(
        weight * _laplace_profile(most, _real(epsilon) - loss * unit)
        for loss, weight in law.items()
    )


@pytest.mark.slow
@pytest.mark.parametrize(("shifts", "scale"), [([1] * 6 + [2] * 6 + [3] * 3, "3"), ([3] * 8, "20")])
def test_both_ends_are_those_of_the_sum_over_all_answers(shifts: list[int], scale: str) -> None:
    delta, width = mpq(1, 10), mpq(1, 50)
    entries: list[Entry] = [DiscreteLaplaceMechanism(SCALE, shifts), LaplaceMechanism(scale)]
    solver = _solver(entries, width)
    low, high = _ends(solver.optimum(delta, width))
    assert _accepts_both(entries, solver, low, high, delta)
    with mpmath.workdps(30):
        law, most, allowed = _composed(shifts), 1 / _real(scale), _real(delta)
        assert _divergence(law, most, high) <= allowed
        assert _divergence(law, most, low) > allowed


@pytest.mark.slow
def test_discrete_laplace_noise_of_shift_1_is_randomized_response() -> None:
    scales, width = [f"{100 + i}/13" for i in range(40)], mpq(1, 10**5)
    solver = _solver([DiscreteLaplaceMechanism(scale) for scale in scales], width)
    low, high = _ends(solver.optimum(mpq(1, 10**6), width))
    responses = [Mechanism(str(1 / Fraction(scale)), 0) for scale in scales]
    expected = compose(responses, delta="1e-6", tolerance="1e-5")
    assert expected.lower is not None
    assert expected.upper is not None
    assert low <= expected.upper
    assert expected.lower <= high
    assert high - low <= width


@pytest.mark.slow
def test_two_shifts_are_two_mechanisms() -> None:
    delta, width = mpq(1, 10**6), mpq(1, 100)
    together = _solver([DiscreteLaplaceMechanism("9", (2, 3), 20)], width)
    apart = _solver([DiscreteLaplaceMechanism("9", (each,), 20) for each in (2, 3)], width)
    assert together.optimum(delta, width) == apart.optimum(delta, width)


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), (GaussianMechanism("1/10", 7),)], ids=["alone", "with μ"])
def test_both_certificates_are_accepted_where_many_families_meet(more: Sequence[Entry]) -> None:
    solver = _solver([*MANY, *more])
    low, high = _ends(solver.optimum(mpq(1, 10**6), WIDTH))
    assert high - low <= WIDTH
    assert _accepts_both([*MANY, *more], solver, low, high, mpq(1, 10**6))


@pytest.mark.slow
def test_the_interval_meets_that_of_the_mesh() -> None:
    ledger: list[Entry] = [LaplaceMechanism("10", count=50), Mechanism("1/7", "0", 20)]
    coarse = compose(ledger, delta="1e-6", tolerance="1e-3")
    assert coarse.method == "mesh-upper"
    assert coarse.lower is not None
    assert coarse.upper is not None
    width = mpq(1, 10**5)
    low, high = _ends(_solver(ledger, width).optimum(mpq(1, 10**6), width))
    assert coarse.lower <= low <= high <= coarse.upper


# --- the choice ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_fine_tolerance_is_met_by_the_characteristic_function() -> None:
    answer = compose(MANY, delta="1e-6", tolerance="1e-9")
    assert answer.method == "fourier-upper"
    certificates = answer.upper_certificate(), answer.lower_certificate()
    assert all(each and verify_bytes(each.to_bytes()).status == "accepted" for each in certificates)


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "holds"), [("4", False), ("6", True), ("100", True)])
def test_a_claim_is_decided_by_it(epsilon: str, holds: bool) -> None:
    found = certify(MANY, epsilon=epsilon, delta="1e-6")
    assert found.holds == holds
    assert verify_bytes(found.certificate.to_bytes()).status == "accepted"


@pytest.mark.parametrize(
    "entry",
    [
        SampledMechanism(LaplaceMechanism("10"), "1/2"),
        DiscreteLaplaceMechanism(str(2**41), (2,)),
    ],
    ids=["sampled", "a scale beyond the rule's"],
)
def test_noise_without_a_closed_form_has_no_factors(entry: Entry) -> None:
    assert DominatingPairs(Subject.of(Ledger.of([entry, *MANY]))).characterized() is None
