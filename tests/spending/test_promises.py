"""What budgets promise: reference values, targets to the digit, and certificates of both ends."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.conversions import certify_conversion
from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.spending.budget import NOTHING, Budget, BudgetKind, parse_budget
from exactdp.spending.certificates import BudgetSubject, lower_certificate, upper_certificate
from exactdp.spending.odometer import odometer
from exactdp.spending.promises import largest_budget, promise, step_of, whole_ledger
from exactdp.verifier import verify_bytes


@pytest.mark.parametrize(
    ("budget", "delta", "upper"),
    [
        ("rho=293764/114921", "1e-10", "17.1435507436"),
        ("mu=1", "1e-10", "6.5479240669"),
        ("rho=1/2", "1e-6", "5.2215344446"),
        ("epsilon=3/2,delta=1e-6", "1e-6", "1.5"),
        ("renyi=1/2,alpha=8", "1e-6", "2.0430498955"),
    ],
)
def test_reference_values(budget: str, delta: str, upper: str) -> None:
    assert promise(parse_budget(budget), delta).upper == mpq(upper)


def test_adaptivity_has_its_price() -> None:
    fixed = compose([("0.1", 0, 100)], delta="1e-6").upper
    free = promise(parse_budget("rho=1/2"), "1e-6").upper
    assert fixed is not None
    assert free is not None
    assert fixed < mpq("4.7747") < mpq("5.2215") < free


def test_a_budget_of_mu_is_exact_at_both_ends() -> None:
    found = promise(parse_budget("mu=1"), "1e-10")
    assert found.lower is not None
    assert found.upper is not None
    assert 0 < found.upper - found.lower <= mpq(1, 10**9)


@pytest.mark.parametrize(
    "text", ["rho=1/2", "rho=1/2,delta=1e-7", "mu=1", "mu=1,delta=1e-8", "epsilon=1,delta=1e-6"]
)
def test_both_ends_are_certified(text: str) -> None:
    budget = parse_budget(text)
    found, subject = promise(budget, "1e-6"), BudgetSubject(budget, "unspecified")
    for certificate in (upper_certificate(found, subject), lower_certificate(found, subject)):
        assert certificate is not None
        verdict = verify_bytes(certificate.to_bytes())
        assert verdict.status == "accepted", verdict.line
        assert verdict.interaction == "fully-adaptive"


def test_a_budget_of_divergences_is_certified_from_above() -> None:
    budget = parse_budget("renyi=1/2,alpha=8")
    found, subject = promise(budget, "1e-6"), BudgetSubject(budget, "unspecified")
    certificate = upper_certificate(found, subject)
    assert certificate is not None
    assert verify_bytes(certificate.to_bytes()).status == "accepted"
    assert lower_certificate(found, subject) is None


def test_less_delta_than_may_fail_promises_nothing() -> None:
    for text in ("rho=1,delta=1e-5", "epsilon=1,delta=1e-5", "renyi=1,alpha=2,delta=1e-5"):
        assert promise(parse_budget(text), "1e-6").upper is None


@pytest.mark.parametrize("by", ["rho", "mu"])
def test_the_largest_budget_keeps_its_target_and_one_digit_more_does_not(by: BudgetKind) -> None:
    budget = largest_budget(epsilon="3", delta="1e-6", by=by)
    above = Budget(by, budget.size + step_of(budget))
    if by == "mu":
        assert certify(whole_ledger(budget), epsilon="3", delta="1e-6").holds
        assert not certify(whole_ledger(above), epsilon="3", delta="1e-6").holds
    else:
        assert certify_conversion(whole_ledger(budget), epsilon="3", delta="1e-6").derivable
        assert not certify_conversion(whole_ledger(above), epsilon="3", delta="1e-6").derivable


def test_the_largest_budget_of_divergences_and_of_sums() -> None:
    found = largest_budget(epsilon="3", delta="1e-6", by="renyi", alpha="8")
    upper = promise(found, "1e-6", "1e-15").upper
    above = promise(Budget("renyi", found.size + step_of(found), alpha=mpq(8)), "1e-6", "1e-15")
    assert upper is not None
    assert above.upper is not None
    assert upper <= 3 < above.upper
    assert largest_budget(epsilon="3", delta="1e-6", by="epsilon").size == 3


def test_a_target_that_no_budget_keeps_is_refused() -> None:
    with pytest.raises(InputError, match="a target that some budget keeps"):
        largest_budget(epsilon="1", delta="1e-9", by="rho", failures="1e-6")


def test_the_odometer_grows_and_ends_above_the_filter() -> None:
    budget = parse_budget("rho=1/2")
    sums = [mpq(n, 100) for n in range(51)]
    readings = [odometer(budget, type(NOTHING)(s, mpq(0)), "1e-6").epsilon for s in sums]
    assert readings == sorted(readings)
    assert readings[0] == 0
    filtered = promise(budget, "1e-6").upper
    assert filtered is not None
    assert filtered < readings[-1] < mpq(6)
    with pytest.raises(UnsupportedError, match="a budget of rho"):
        odometer(parse_budget("mu=1"), NOTHING, "1e-6")


def test_the_whole_of_a_budget_is_a_ledger() -> None:
    assert isinstance(whole_ledger(parse_budget("mu=1")), Ledger)


def test_a_budget_of_epsilon_promises_what_it_is_where_no_delta_is_named() -> None:
    promised = promise(parse_budget("epsilon=8,delta=1e-6"), None)
    assert (promised.delta, promised.upper) == (mpq(1, 10**6), mpq(8))
    with pytest.raises(InputError, match="for example --delta 1e-6"):
        promise(parse_budget("rho=1"), None)
