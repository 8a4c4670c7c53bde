"""The laws of the closed forms, one for each test."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.closed_forms.bounds import bounds
from exactdp.verifier import verify_bytes
from tests.property.ledgers import Group, deltas, ledgers


@pytest.mark.slow
@settings(max_examples=1000)
@given(ledgers(), deltas())
def test_a_closed_form_is_never_below_the_optimum(ledger: list[Group], delta: Fraction) -> None:
    """OptComp is the least ε, so no bound is below it (Murtagh & Vadhan 2018, Thm 1.5)."""
    answer = bounds(ledger, delta=delta, tolerance="1e-6")
    assert answer.optimum is not None
    for row in answer.rows:
        if row.epsilon is None:
            assert row.reason
        else:
            assert answer.optimum.lower is not None
            assert compare(row.epsilon, ExactNumber(answer.optimum.lower)) >= 0


@given(ledgers(), deltas())
def test_every_closed_form_has_a_certificate_that_is_accepted(
    ledger: list[Group], delta: Fraction
) -> None:
    """Each bound is a claim (Kairouz, Oh, Viswanath 2015, Thm 3.5, and others) with a proof."""
    for row in bounds(ledger, delta=delta, tolerance="1e-6").rows:
        certificate = row.certificate()
        assert (certificate is None) == (row.epsilon is None)
        if certificate is not None:
            verdict = verify_bytes(certificate.to_bytes(), max_cost=10**12)
            assert verdict.status == "accepted", verdict.line


@given(ledgers(), deltas())
def test_a_finer_rounding_never_gives_a_larger_bound(ledger: list[Group], delta: Fraction) -> None:
    """The theorem's value is rounded up (Kairouz, Oh, Viswanath 2015, Thm 3.5): less if finer."""
    coarse = bounds(ledger, delta=delta, tolerance="1e-3", max_cost=1).rows
    fine = bounds(ledger, delta=delta, tolerance="1e-12", max_cost=1).rows
    for one, other in zip(coarse, fine, strict=True):
        if one.epsilon is not None and other.epsilon is not None:
            assert compare(other.epsilon, one.epsilon) <= 0
