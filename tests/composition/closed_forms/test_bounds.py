"""The table of closed forms: what applies, what it gives, and how loose it is."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.profile import profile
from exactdp.composition.closed_forms.bounds import bounds
from exactdp.composition.closed_forms.formulas import EVALUATIONS
from exactdp.composition.closed_forms.rows import Bound, formulas
from exactdp.composition.closed_forms.table import CLOSED_FORMS
from exactdp.errors import InputError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Mechanism
from exactdp.verifier import verify_bytes
from tests.composition.oracle import fraction
from tests.marking import slow_after

BASIC = "sum"
ADVANCED = "advanced-composition"
ALIKE = "kairouz-oh-viswanath-homogeneous"
DIFFERENT = "kairouz-oh-viswanath-heterogeneous"
STEPWISE = "murtagh-vadhan-1.4"


def rows(ledger: object, delta: object) -> dict[str, Bound]:
    answer = bounds(ledger, delta=delta)  # type: ignore[arg-type]  # what Ledger.of takes
    return {row.formula: row for row in answer.rows}


def decimal(row: Bound) -> str:
    assert row.epsilon is not None
    return f"{float(fraction(row.epsilon.rational)):.10g}"


def test_a_ledger_of_equal_mechanisms_has_every_bound() -> None:
    found = rows([("0.5", 0, 100)], "2^-60")
    expected = {BASIC: "50", ADVANCED: "78.03695762", ALIKE: "50", DIFFERENT: "50", STEPWISE: "48"}
    assert {rule: decimal(found[rule]) for rule in expected} == expected
    assert all(row.epsilon is not None for row in found.values())


def test_mechanisms_that_differ_have_those_that_allow_it() -> None:
    found = rows([("0.1", "1e-9", 50), ("0.2", 0, 7)], "1e-6")
    assert {found[rule].reason for rule in (ALIKE, STEPWISE)} == {
        "the parameters are not the same for all"
    }
    assert not found[BASIC].reason + found[ADVANCED].reason + found[DIFFERENT].reason
    assert decimal(found[DIFFERENT]) == "5.019491063"


def test_an_infeasible_delta_is_a_reason_for_every_row() -> None:
    answer = bounds([("0.1", "1/10", 5)], delta="1/10")
    assert answer.optimum is not None
    assert not answer.optimum.feasible
    assert {row.reason for row in answer.rows} == {
        "no finite ε is enough: δ is below 1 - ∏(1 - δ_i)"
    }
    assert all(row.epsilon is None and row.excess is None for row in answer.rows)
    assert all(row.certificate() is None for row in answer.rows)


def test_advanced_composition_needs_more_than_k_times_delta() -> None:
    found = rows([("0.1", "1e-9", 1000)], "1e-6")  # 1 - (1 - 1e-9)^1000 < 1e-6, but not 1000·1e-9
    assert found[ADVANCED].reason == "δ' = δ - kδ_i is not above 0"
    assert found[ALIKE].epsilon is not None


def test_an_absurd_epsilon_is_no_trouble() -> None:
    found = rows([("1e9", 0, 3)], "1e-6")
    assert found[ADVANCED].reason == "e^ε - 1 is astronomical"
    assert found[STEPWISE].reason == "its numbers are beyond reach"
    assert {decimal(found[rule]) for rule in (BASIC, ALIKE, DIFFERENT)} == {"3000000000"}


def test_a_block_of_too_many_terms_is_a_reason() -> None:
    found = rows([("1e-9", 0, 10**18)], "1e-6")
    assert found[STEPWISE].reason == "the sum has too many terms"
    assert found[DIFFERENT].epsilon is not None


def test_an_optimum_beyond_the_limits_leaves_the_bounds() -> None:
    answer = bounds([("0.1", 0, 10**6)], delta="1e-6", max_cost=1)
    assert answer.optimum is None
    assert "predicted cost" in answer.reason
    assert all(row.epsilon is not None and row.excess is None for row in answer.rows)


def test_what_equals_the_optimum_lies_nothing_above_it() -> None:
    found = rows([("0.1", 0, 5)], 0)
    assert found[BASIC].excess == found[DIFFERENT].excess == (mpq(0), mpq(0))
    assert found[BASIC].epsilon == ExactNumber.parse("1/2")


def test_the_excess_is_around_the_difference() -> None:
    found = rows([("ln(3)", 0, 2)], "1/10")
    difference = 2 * math.log(3) - math.log(7.4)
    low, high = found[BASIC].excess or (mpq(0), mpq(0))
    assert fraction(low) <= Fraction(difference) <= fraction(high)
    assert high - low < mpq(1, 10**8)


def test_a_bound_is_not_rounded_beyond_the_sum_that_it_may_not_exceed() -> None:
    found = rows([("1e-30", 0, 3)], "1e-12")
    assert found[DIFFERENT].epsilon == ExactNumber.parse("3e-30")


def test_every_row_has_a_formula_and_its_certificate_is_accepted() -> None:
    assert set(EVALUATIONS) == set(CLOSED_FORMS)
    for row in bounds([("0.01", "1e-9", 1000)], delta="1e-5").rows:
        certificate = row.certificate()
        assert certificate is not None
        proved_by = {BASIC: "sum", STEPWISE: "grid"}
        assert certificate.rule == proved_by.get(row.formula, "moments")
        assert certificate.epsilon == row.epsilon
        assert verify_bytes(certificate.to_bytes()).status == "accepted"


def test_at_delta_one_everything_is_private_and_every_theorem_says_something() -> None:
    for row in bounds([("0.1", 0, 5)], delta=1).rows:
        certificate = row.certificate()
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"


def test_a_ledger_without_a_delta_needs_one() -> None:
    with pytest.raises(InputError, match="a global δ"):
        bounds([("0.1", 0, 5)])


def step_in_floats(epsilon: float, count: int, delta: float) -> float:
    """Theorem 1.4 as one would write it in doubles: 1 - (1 - s) <= δ loses what is below 1e-16."""
    for i in range(count // 2, -1, -1):
        terms = [
            math.comb(count, j)
            * (math.exp(epsilon * (count - j)) - math.exp(epsilon * (count - 2 * i + j)))
            for j in range(i)
        ]
        if 1 - (1 - sum(terms) / (1 + math.exp(epsilon)) ** count) <= delta:
            return epsilon * (count - 2 * i)
    raise AssertionError


def test_cancellation_in_doubles_answers_below_the_optimum_and_a_certificate_refutes_it() -> None:
    claimed, delta = step_in_floats(0.5, 100, 2.0**-60), mpq(1, 2**60)
    assert claimed == 47.0
    [point] = profile([("0.5", 0, 100)], epsilon=["47"])
    assert point.lower >= mpq("3.10e-18")
    assert mpq("3.57") < point.lower / delta <= point.upper / delta < mpq("3.58")
    refuted = certify([("0.5", 0, 100)], epsilon="47", delta="3.10e-18")
    assert not refuted.holds
    assert verify_bytes(refuted.certificate.to_bytes()).status == "accepted"
    assert decimal(rows([("0.5", 0, 100)], "2^-60")[STEPWISE]) == "48"


def test_closed_forms_have_names_and_curves_of_their_own() -> None:
    names = [form.name for form in CLOSED_FORMS.values()]
    curves = [form.curve for form in CLOSED_FORMS.values() if form.curve]
    assert len(set(names)) == len(names)
    assert len(set(curves)) == len(curves)


@pytest.mark.parametrize("power", slow_after(2, [6, 18, 12, 15]))
@pytest.mark.parametrize("loss", slow_after(1, ["1e-30", "0"]))
@pytest.mark.parametrize("scale", [mpq(1, 100), mpq(1), mpq(4)])
def test_what_a_formula_gives_is_proved_at_any_count(power: int, loss: str, scale: mpq) -> None:
    epsilon = str(scale / mpq(10) ** (power // 2))
    for row in bounds([(epsilon, loss, 10**power)], delta="1e-6").rows:
        if row.epsilon is None:
            assert row.reason == "the sum has too many terms"
            continue
        certificate = row.certificate()
        assert certificate is not None, row.formula
        assert certificate.epsilon == row.epsilon
        assert verify_bytes(certificate.to_bytes()).status == "accepted"


def test_a_row_that_no_rule_shows_within_the_limits_says_why_it_has_no_certificate() -> None:
    ledger = Ledger((Mechanism("1/1000", 0, 10**6),))
    (row,) = formulas(ledger, mpq(1, 10**6), 10, [STEPWISE], max_cost=1)
    assert row.certificate() is None
    assert row.proof().reason.startswith("no rule shows it within the limits: ")
