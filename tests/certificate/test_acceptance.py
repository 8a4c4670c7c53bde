"""What the engines certify, the independent verifier accepts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given, reject
from hypothesis import strategies as st

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.ledger.model import Ledger
from exactdp.verifier import verify_bytes
from tests.property.ledgers import MIXED, Group, deltas, groups, ledgers

NO_LIMIT = 10**15


def assert_accepted(certificate: Certificate | None) -> None:
    if certificate is None:
        return
    data = certificate.to_bytes()
    verdict = verify_bytes(data, max_cost=NO_LIMIT)
    assert verdict.status == "accepted", f"{verdict} for {data[:2000]!r}"


@given(ledgers(), deltas())
def test_both_certificates_of_a_composition_are_accepted(
    ledger: list[Group], delta: Fraction
) -> None:
    answer = compose(ledger, delta=delta)
    assert_accepted(answer.upper_certificate())
    assert_accepted(answer.lower_certificate())
    if not answer.feasible:
        assert answer.lower_certificate() is not None
    elif answer.lower:
        assert answer.upper_certificate() is not None


@given(ledgers(), deltas(), st.sampled_from(["1e-3", "1e-9", "1e-40"]))
def test_the_certificates_bound_the_answer_within_the_tolerance(
    ledger: list[Group], delta: Fraction, tolerance: str
) -> None:
    answer = compose(ledger, delta=delta, tolerance=tolerance)
    upper, lower = answer.upper_certificate(), answer.lower_certificate()
    if answer.upper is None or upper is None or upper.epsilon is None:
        reject()
    if lower is not None and lower.epsilon is not None:
        width = ExactNumber.parse(tolerance).rational
        assert lower.epsilon.rational >= answer.upper - width
        assert_accepted(lower)
    assert_accepted(upper)


@given(groups(MIXED, largest=3), deltas(), st.sampled_from([*MIXED, "ln(7/3)", "5", "2^-100"]))
def test_the_certificate_of_any_decided_claim_is_accepted(
    ledger: list[Group], delta: Fraction, epsilon: str
) -> None:
    assert_accepted(certify(ledger, epsilon=epsilon, delta=delta).certificate)


@pytest.mark.parametrize(
    ("epsilons", "most"),
    [
        (12, 2),
        (9, 2000),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in [(70, 9), (30, 40)]),
    ],
)
def test_powers_of_many_blocks_are_accepted_where_they_are_true_alone(
    epsilons: int, most: int
) -> None:
    ledger = [(f"{1 + a}/1000", "0", 1 + 997 * a % most) for a in range(epsilons)]
    answer = compose(ledger, delta="1e-9", tolerance="1e-12")
    upper, lower = answer.upper_certificate(), answer.lower_certificate()
    assert upper is not None
    assert lower is not None
    for certificate, other in ((upper, lower), (lower, upper)):
        assert_accepted(certificate)
        exchanged = replace(certificate, epsilon=other.epsilon)
        assert verify_bytes(exchanged.to_bytes(), max_cost=NO_LIMIT).status == "rejected"


@pytest.mark.parametrize("method", ["grid", "atoms"])
@given(groups(["ln(2)", "ln(4)", "2*ln(2)", "ln(8)"], most=3, largest=6), deltas())
def test_certificates_of_every_engine_are_accepted(
    method: str, ledger: list[Group], delta: Fraction
) -> None:
    answer = compose(ledger, delta=delta, method=method)
    assert_accepted(answer.upper_certificate())
    assert_accepted(answer.lower_certificate())


@given(groups(MIXED, most=3, largest=4), deltas())
def test_certificates_of_rounded_atoms_are_accepted(ledger: list[Group], delta: Fraction) -> None:
    answer = compose([*ledger, ("1/7", "0", 1)], delta=delta, method="atoms")
    assert_accepted(answer.upper_certificate())
    assert_accepted(answer.lower_certificate())


@given(groups(MIXED, most=3, largest=4), deltas())
def test_certificates_of_brackets_are_accepted(ledger: list[Group], delta: Fraction) -> None:
    answer = compose(ledger, delta=delta, method="bracket", tolerance="1e-2")
    assert_accepted(answer.upper_certificate())
    assert_accepted(answer.lower_certificate())


FIXED: list[tuple[list[tuple[str, str, int]], str]] = [
    ([("ln(4) - 2*ln(2)", "0", 1), ("1", "0", 3)], "1e-2"),
    ([("2*ln(2) - ln(4)", "0", 1), ("ln(3)", "0", 3)], "1e-2"),
    ([("2*ln(2) - ln(4)", "0", 1), ("ln(3)", "0", 3), ("1", "0", 1)], "1e-2"),
    ([("0.1", "0", 100)], "2^-30"),
    ([("0.1", "0", 100)], "2^-1000"),
    ([("0.1", "1e-10", 100)], "1e-6"),
    ([(f"{1 + i % 20}/100", "1e-10", 1) for i in range(50)], "1e-6"),
    ([("0.01", "0", 10_000)], "1e-9"),
    ([("0.1", "1e-10", 10**9)], "1e-3"),
    ([("0", "1e-30", 10**18), ("1", "0", 1)], "1e-9"),
    ([("1000", "1e-10", 10)], "1e-6"),
    ([("1000", "0", 3), ("ln(2)", "0", 2)], "1e-6"),
    ([("1e-300", "0", 1)], "1e-305"),
    ([("1e-300", "0", 3), ("1", "0", 3)], "1e-5"),
    ([("1e-12", "0", 6), ("3", "1e-3", 2)], "1e-2"),
    ([("0.100000000001", "0", 5), ("0.1", "0", 4)], "1e-5"),
    ([("ln(2) + 2^-200", "0", 3), ("ln(2)", "0", 3)], "1e-5"),
    ([("ln(2)", "0", 300), ("ln(3)", "0", 30)], "1e-5"),
    ([("ln(3)", "0", 2000)], "1/10"),
    ([("ln(2^2000)", "0", 3), ("ln(3^2000)", "0", 3)], "1/10"),
    ([("1/2*ln(9)", "0", 2)], "1/10"),
    ([("7", "1/3", 3)], "1"),
    ([], "0"),
]


@pytest.mark.parametrize(("ledger", "delta"), FIXED, ids=[str(i) for i in range(len(FIXED))])
def test_awkward_ledgers_have_accepted_certificates(
    ledger: list[tuple[str, str, int]], delta: str
) -> None:
    answer = compose(replace(Ledger.of(ledger), empty=not ledger), delta=delta)
    assert_accepted(answer.upper_certificate())
    assert_accepted(answer.lower_certificate())


@pytest.mark.slow
@pytest.mark.parametrize("excess", ["1e-300", "1e-3000"])
def test_near_cancellations_of_delta_have_accepted_certificates(excess: str) -> None:
    ledger = [("0.1", "1e-10", 100)]
    least = 1 - (1 - Fraction(1, 10**10)) ** 100
    step = Fraction(excess)
    for delta in (least - step, least, least + step):
        answer = compose(ledger, delta=delta)
        assert_accepted(answer.upper_certificate())
        assert_accepted(answer.lower_certificate())


@pytest.mark.parametrize("exponent", ["50", "150"])
@pytest.mark.parametrize(
    "ledger", [[("0.1", "0", 20)], [("1", "0", 3), ("ln(2)", "0", 3)], [("ln(2)", "0", 5)]]
)
def test_claims_next_to_the_truth_have_accepted_certificates(
    ledger: list[tuple[str, str, int]], exponent: str
) -> None:
    answer = compose(ledger, delta="1e-3", tolerance=f"1e-{exponent}")
    assert answer.lower is not None
    assert answer.upper is not None
    step = mpq(1, 10 ** int(exponent))
    above = certify(ledger, epsilon=answer.upper + step, delta="1e-3")
    below = certify(ledger, epsilon=answer.lower - step, delta="1e-3")
    assert above.holds
    assert not below.holds
    assert_accepted(above.certificate)
    assert_accepted(below.certificate)


@pytest.mark.slow
def test_a_refutation_of_rational_odds_with_many_mechanisms_is_accepted() -> None:
    ledger = [("ln(2)", "0", 3000)]
    answer = compose(ledger, delta="1/10", method="atoms")
    assert_accepted(answer.upper_certificate())
    assert_accepted(answer.lower_certificate())
