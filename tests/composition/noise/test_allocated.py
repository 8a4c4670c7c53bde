"""Allocated batches: known values, and integrals over all that may happen."""

from __future__ import annotations

from itertools import pairwise
from math import erfc, exp, log, pi, sqrt

import pytest
from gmpy2 import mpq

from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import (
    AllocatedGaussianMechanism,
    GaussianMechanism,
    SampledMechanism,
)
from exactdp.mechanisms.allocated import AllocatedTable
from exactdp.verifier import verify_bytes
from tests.marking import each_case

DELTA = "1e-5"
ADDED = "add-remove-one"


def about(value: mpq | None) -> float:
    assert value is not None
    return int(value.numerator) / int(value.denominator)


def ends(
    entry: AllocatedGaussianMechanism, relation: str = ADDED, tolerance: str = "1e-2"
) -> tuple[float, float]:
    answer = compose(Ledger((entry,), neighbouring=relation), delta=DELTA, tolerance=tolerance)
    return about(answer.lower), about(answer.upper)


def bell(z: float) -> float:
    return exp(-z * z / 2) / sqrt(2 * pi)


def below(z: float) -> float:
    return erfc(-z / sqrt(2)) / 2


def of_two_batches(mu: float, y: float) -> tuple[float, float]:
    """Both profiles at y of an epoch of two batches: the second answer in closed form.

    With the first answer z and W = e^{μz - μ²/2} of it, P > y·Q where the second has a W above
    2y - W; the record is in either batch.
    """
    removed = added = 0.0
    step = 1 / 400
    for k in range(-4000, 4800):
        z = k * step
        ratio = exp(mu * z - mu * mu / 2)
        least = 2 * y - ratio
        cut = log(least) / mu + mu / 2 if least > 0 else -40.0
        with_record = (ratio * (1 - below(cut)) + (1 - below(cut - mu))) / 2
        removed += bell(z) * step * (with_record - y * (1 - below(cut)))
        most = 2 / y - ratio
        if most > 0:
            cut = log(most) / mu + mu / 2
            with_record = (ratio * below(cut) + below(cut - mu)) / 2
            added += bell(z) * step * (below(cut) - y * with_record)
    return removed, added


@pytest.mark.parametrize(
    ("sigma", "y"), [("1", 3.0), pytest.param("2", 1.3, marks=pytest.mark.slow)]
)
def test_two_batches_lie_about_the_integral_over_both_answers(sigma: str, y: float) -> None:
    square = 1 / mpq(sigma) ** 2
    removed, added = of_two_batches(1 / float(sigma), y)
    unit, lost = mpq(1, 40), mpq(1, 10**9)
    atoms = list(AllocatedTable(square, 2, is_above=True).on_mesh(unit, lost).atoms(15))
    p, q = (
        sum(float(each) for each in law) for law in zip(*((a.p, a.q) for a in atoms), strict=True)
    )
    above = sum(max(0.0, float(a.p) - y * float(a.q)) for a in atoms) + 1 - p
    above_added = sum(max(0.0, float(a.q) - y * float(a.p)) for a in atoms) + 1 - q
    assert removed - 1e-7 <= above <= removed + 3e-4
    assert added - 1e-7 <= above_added <= added + 3e-4
    cells = list(AllocatedTable(square, 2, is_above=False).on_mesh(unit, lost).atoms(15))
    under = sum(max(0.0, float(a.p) - y * float(a.q)) for a in cells)
    under_added = sum(max(0.0, float(a.q) - y * float(a.p)) for a in cells)
    assert removed - 3e-4 <= under <= removed + 1e-7
    assert added - 3e-4 <= under_added <= added + 1e-7


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plan", "tolerance", "low", "high"),
    [
        (("1", 10, 1), "5e-4", "2.1885", "2.1892"),
        (("1", 1000, 1), "5e-4", "0.13860", "0.13920"),
        (("11/10", 235, 1), "1e-4", "0.27091", "0.27104"),
        (("11/10", 235, 60), "1e-2", "2.331", "2.342"),
    ],
)
def test_the_reference_values_are_certified_at_both_ends(
    plan: tuple[str, int, int], tolerance: str, low: str, high: str
) -> None:
    """Certified before by a table of integers: 2.18884808, 0.13886, 2.33517 within 5e-4."""
    ledger = Ledger((AllocatedGaussianMechanism(*plan),), neighbouring=ADDED)
    answer = compose(ledger, delta=DELTA, tolerance=tolerance)
    assert mpq(low) <= mpq(answer.lower or 0) <= mpq(answer.upper or 99) <= mpq(high)
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes(), max_cost=10**12).status == "accepted"


@pytest.mark.slow
@each_case(
    "plan, tolerance, low, high",
    [
        (("1", 1000, 1), "6e-5", "0.13882356", "0.13889264"),
        (("11/10", 235, 1), "1e-4", "0.27091598", "0.27103656"),
        (("11/10", 235, 60), "9e-4", "2.334696", "2.335639"),
    ],
)
def test_ends_are_as_near_as_those_of_a_table_of_integers(
    plan: tuple[str, int, int], tolerance: str, low: str, high: str
) -> None:
    """Between these the truth lies, by one mesh in integers of its own."""
    ledger = Ledger((AllocatedGaussianMechanism(*plan),), neighbouring=ADDED)
    answer = compose(ledger, delta=DELTA, tolerance=tolerance)
    least, most = mpq(answer.lower or 0), mpq(answer.upper or 99)
    assert max(least, mpq(low)) <= min(most, mpq(high))
    assert most - least <= mpq(high) - mpq(low)


@pytest.mark.slow
@pytest.mark.parametrize("relation", [ADDED, "zero-out"])
def test_two_batches_are_between_noise_on_one_and_on_a_sample(relation: str) -> None:
    whole = about(compose([GaussianMechanism(1)], delta=DELTA, tolerance="1e-6").lower)
    low, high = ends(AllocatedGaussianMechanism("1", 2), relation, "5e-2")
    assert 3 < low <= high < min(low + 5e-2, whole)


@pytest.mark.slow
def test_more_batches_and_more_noise_reveal_less_and_more_epochs_more() -> None:
    less = [AllocatedGaussianMechanism(*each) for each in (("1", 50), ("0.8", 50), ("0.8", 5))]
    epochs = [AllocatedGaussianMechanism("1", 10, times) for times in (1, 2, 4)]
    for order in (less, epochs):
        assert all(ends(one)[1] < ends(other)[0] for one, other in pairwise(order))


@pytest.mark.slow
def test_a_poisson_sample_of_the_same_rate_reveals_about_as_much() -> None:
    sampled = SampledMechanism(GaussianMechanism("1"), "1/100", 100)
    other = about(compose(Ledger((sampled,), neighbouring=ADDED), delta=DELTA).upper)
    low, high = ends(AllocatedGaussianMechanism("1", 100))
    assert 0.5 * other < low <= high < other


@pytest.mark.slow
def test_a_claim_outside_the_ends_is_decided_with_certificates() -> None:
    ledger = Ledger((AllocatedGaussianMechanism("1", 5),), neighbouring=ADDED)
    assert certify(ledger, epsilon="3", delta=DELTA).holds
    assert not certify(ledger, epsilon="5/2", delta=DELTA).holds


@pytest.mark.slow
def test_a_profile_of_allocated_batches_has_both_ends() -> None:
    ledger = Ledger((AllocatedGaussianMechanism(1, 10),), neighbouring=ADDED)
    (point,) = profile(ledger, epsilon=["1"], tolerance="1e-1")
    assert 0 < point.lower < point.upper < 1


@pytest.mark.parametrize(
    ("entry", "relation", "error", "match"),
    [
        ('{"sigma": 1, "allocated": {"batches": 3}}', "replace-one", UnsupportedError, "zero-out"),
        ('{"sigma": 1, "allocated": {"batches": 1}}', ADDED, InputError, "write mu, 1/sigma"),
        ('{"sigma": 1, "allocated": {"batches": 2}, "rate": 0.1}', ADDED, UnsupportedError, "rate"),
        (
            '{"sigma": 1, "allocated": {"batches": 2}, "sensitivity": 2}',
            ADDED,
            InputError,
            "divide sigma",
        ),
        (
            '{"sigma": 1, "allocated": {"batches": 2}, "shuffled": {"batches": 2}}',
            "zero-out",
            InputError,
            "one way",
        ),
    ],
)
def test_what_is_not_known_of_allocated_batches_is_refused(
    entry: str, relation: str, error: type[Exception], match: str
) -> None:
    text = f'{{"neighbouring": "{relation}", "mechanisms": [{entry}]}}'
    with pytest.raises(error, match=match):
        read_ledger(text.encode())
