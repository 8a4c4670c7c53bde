"""The inverse: scales and counts against certificates, brute force and linear search."""

from __future__ import annotations

from fractions import Fraction
from itertools import count as naturals

import pytest
from flint import arb
from gmpy2 import mpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.budgets.answers import CountAnswer, ScaleAnswer
from exactdp.budgets.budget import largest_count, largest_scale, simplest_between
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.errors import CostLimitError, DomainError, InputError
from exactdp.ledger.model import Claim, Ledger
from exactdp.ledger.scaling import scale_ledger
from exactdp.verifier import verify_bytes
from tests.composition.oracle import Group, SubsetSums, budget_of, fraction
from tests.property.ledgers import GRID, MIXED, groups

TOLERANCE = mpq(1, 10**6)
BUDGETS = st.sampled_from(["0", "1/100", "0.3", "1", "ln(3)", "2", "5"])
DELTAS = st.sampled_from(["0", "2^-60", "1e-9", "1e-6", "1/100", "1/3"])


def ends(answer: ScaleAnswer) -> tuple[mpq, mpq]:
    assert answer.outcome == "found"
    assert answer.lower is not None
    assert answer.upper is not None
    return answer.lower, answer.upper


def accepted(certificate: Certificate | None, bound: str, subject: Ledger | None) -> bool:
    """Whether it states this bound for this ledger, and the standalone verifier accepts it."""
    if certificate is None or subject is None or certificate.bound != bound:
        return False
    verdict = verify_bytes(certificate.to_bytes(), max_cost=10**12)
    return certificate.subject == Subject.of(subject) and verdict.status == "accepted"


def labelled(entries: list[Group]) -> Ledger:
    return Ledger.of([(*entry, "odd" if i % 2 else "even") for i, entry in enumerate(entries)])


def excess(ledger: Ledger, epsilon: str, delta: str) -> arb:
    """A ball of D(e^ε) - Δ, term by term over all subsets; 1 if Δ < 0."""
    entries = [(str(each.epsilon), str(each.delta), each.count) for each in ledger.approximate()]
    epsilons = [each.epsilon for each in ledger.approximate() for _ in range(each.count)]
    allowed = budget_of(entries, fraction(ExactNumber.parse(delta).rational))
    if allowed < 0:
        return arb(1)
    return SubsetSums(tuple(epsilons), 300).excess(ExactNumber.parse(epsilon), allowed)


@pytest.mark.slow
@settings(max_examples=100)
@given(groups(MIXED, most=4, largest=3).map(labelled), BUDGETS, DELTAS, st.booleans())
def test_both_ends_of_a_scale_are_certified_and_near(
    ledger: Ledger, epsilon: str, delta: str, hold: bool
) -> None:
    labels = {each.label for each in ledger}
    held = ("odd",) if hold and "odd" in labels else ()
    answer = largest_scale(ledger, epsilon=epsilon, delta=delta, hold=held)
    if answer.outcome == "found":
        lower, upper = ends(answer)
        assert 0 <= lower < upper <= lower + TOLERANCE * min(mpq(1), max(upper, TOLERANCE))
        assert answer.fitting == scale_ledger(ledger, lower, held)
        assert answer.exceeding == scale_ledger(ledger, upper, held)
    if answer.outcome in ("found", "unbounded"):
        assert accepted(answer.upper_certificate(), "upper", answer.fitting)
    if answer.outcome in ("found", "none"):
        assert accepted(answer.lower_certificate(), "lower", answer.exceeding)
    assert bool(answer.reason) == (answer.outcome != "found")


@pytest.mark.slow
@settings(max_examples=100)
@given(groups(GRID, most=3, largest=2).map(labelled), BUDGETS, DELTAS)
def test_a_scale_agrees_with_the_sum_over_all_subsets(
    ledger: Ledger, epsilon: str, delta: str
) -> None:
    answer = largest_scale(ledger, epsilon=epsilon, delta=delta)
    if answer.outcome == "none":
        assert excess(scale_ledger(ledger, mpq(0)), epsilon, delta) > 0
    else:
        assume(answer.outcome == "found")
        lower, upper = ends(answer)
        at_lower = excess(scale_ledger(ledger, lower), epsilon, delta)
        assert not at_lower > 0  # a ball of a tie holds 0
        assert excess(scale_ledger(ledger, upper), epsilon, delta) > 0


@settings(max_examples=50)
@given(groups(GRID, most=3, largest=3), BUDGETS, DELTAS, st.sampled_from(["0.1", "ln(2)", "0.7"]))
def test_a_count_agrees_with_linear_search(
    entries: list[Group], epsilon: str, delta: str, added: str
) -> None:
    rest = [(*entry, "rest") for entry in entries]
    ledger = Ledger.of([*rest, (added, "1e-4", 1, "added")])
    answer = largest_count(ledger, label="added", epsilon=epsilon, delta=delta)
    fitting = 0
    for total in naturals(1):
        grown = Ledger.of([*rest, (added, "1e-4", total, "added")])
        if not certify(grown, epsilon=epsilon, delta=delta).holds:
            break
        fitting = total
    assert answer.fits == (fitting - 1 if fitting else None)
    assert answer.outcome == ("found" if fitting else "none")
    assert accepted(answer.lower_certificate(), "lower", answer.exceeding)
    assert not fitting or accepted(answer.upper_certificate(), "upper", answer.fitting)


def test_composing_the_ledgers_of_both_ends_gives_the_budget_back() -> None:
    ledger = Ledger.of([("0.1", "1e-10", 50), ("0.3", 0, 7)])
    answer = largest_scale(ledger, epsilon="1.5", delta="1e-6", tolerance="1e-9")
    fitting, exceeding = answer.fitting, answer.exceeding
    assert fitting is not None
    assert exceeding is not None
    upper = compose(fitting, delta="1e-6").upper
    lower = compose(exceeding, delta="1e-6").lower
    assert upper is not None
    assert lower is not None
    assert upper <= mpq(3, 2) <= lower + mpq(1, 10**9)
    assert lower - upper < mpq(1, 10**8)


def test_a_held_mechanism_keeps_its_epsilon_and_leaves_less_for_the_others() -> None:
    ledger = Ledger.of([("0.1", 0, 20, "kept"), ("0.2", 0, 10, "free"), ("0.05", 0, 4)])
    answer = largest_scale(ledger, epsilon=2, delta="1e-6", hold=["kept"])
    free = ends(largest_scale(ledger, epsilon=2, delta="1e-6"))
    assert answer.held == ("kept",)
    assert answer.fitting is not None
    kept, *others = answer.fitting.approximate()
    assert kept == ledger.mechanisms[0]
    assert others[0].epsilon == ExactNumber(ends(answer)[0] / 5)
    assert ends(answer)[1] < free[0]


def test_holding_mechanisms_at_the_scale_found_changes_nothing() -> None:
    ledger = Ledger.of([("0.3", 0, 5, "a"), ("0.2", 0, 5, "b")])
    lower, upper = ends(largest_scale(ledger, epsilon=1, delta="1e-4"))
    fixed = scale_ledger(ledger, lower, hold=["b"])
    again = ends(largest_scale(fixed, epsilon=1, delta="1e-4", hold=["a"]))
    assert again[0] < upper + TOLERANCE
    assert again[1] > lower


def test_an_epsilon_that_does_not_matter_to_the_divergence_is_scaled_beyond_the_level_part() -> (
    None
):
    ledger = Ledger.of([("5", 0, 1, "large"), ("0.1", 0, 1, "small")])
    lower, upper = ends(largest_scale(ledger, epsilon=2, delta="0.96", hold=["large"]))
    assert lower > 20
    assert excess(scale_ledger(ledger, lower, ["large"]), "2", "0.96") <= 0
    assert excess(scale_ledger(ledger, upper, ["large"]), "2", "0.96") > 0


def test_without_delta_the_scale_is_exact() -> None:
    answer = largest_scale([("0.1", 0, 12)], epsilon=1, delta=0)
    lower, upper = ends(answer)
    assert answer.exact == lower == mpq(5, 6) < upper <= lower + TOLERANCE
    assert accepted(answer.upper_certificate(), "upper", answer.fitting)
    assert accepted(answer.lower_certificate(), "lower", answer.exceeding)
    held = Ledger.of([("ln(2)", 0, 3, "kept"), ("ln(4)", 0, 2)])
    assert largest_scale(held, epsilon="4*ln(2)", delta=0, hold=["kept"]).exact == mpq(1, 4)


def test_without_delta_an_irrational_scale_is_enclosed() -> None:
    answer = largest_scale([("ln(3)", 0, 1)], epsilon=1, delta=0, tolerance="1e-40")
    lower, upper = ends(answer)
    assert answer.exact is None
    assert lower < mpq("0.910239226626837393614240165736107000612636") < upper
    assert upper - lower <= mpq(1, 10**40)


def test_an_epsilon_that_is_the_optimum_gives_a_scale_of_exactly_one() -> None:
    answer = largest_scale([("ln(3)", 0, 2)], epsilon="ln(37/5)", delta="1/10")
    assert answer.exact == 1 == ends(answer)[0]
    assert accepted(answer.upper_certificate(), "upper", answer.fitting)
    assert accepted(answer.lower_certificate(), "lower", answer.exceeding)


def test_a_tie_beside_held_mechanisms_is_refused_with_what_is_certain() -> None:
    ledger = Ledger.of([("ln(3)", 0, 2, "held"), ("0.1", 0, 1, "free")])
    with pytest.raises(CostLimitError, match="certain so far: 0 keeps the budget"):
        largest_scale(ledger, epsilon="ln(37/5)", delta="1/10", hold=["held"], max_cost=10**9)


@pytest.mark.parametrize("delta", ["1e-6", "1/2"])
def test_an_epsilon_of_zero_leaves_what_delta_allows(delta: str) -> None:
    answer = largest_scale([("0.1", 0, 10)], epsilon=0, delta=delta)
    lower, upper = ends(answer)
    ledger = Ledger.of([("0.1", 0, 10)])
    below, above = scale_ledger(ledger, lower), scale_ledger(ledger, upper)
    assert excess(below, "0", delta) <= 0 < excess(above, "0", delta)


def test_a_scale_far_below_one_has_as_many_digits() -> None:
    lower, upper = ends(largest_scale([("1", 0, 10**6)], epsilon=1, delta="1e-6"))
    assert 0 < lower < upper < mpq(1, 1000)
    assert upper - lower <= upper / 10**6


def test_a_scale_far_above_one_and_many_digits_are_found() -> None:
    lower, upper = ends(
        largest_scale([("1e-9", 0, 10)], epsilon=1, delta="1e-6", tolerance="1e-30")
    )
    assert lower > 10**8
    assert upper - lower <= mpq(1, 10**30)


def test_deltas_that_exceed_the_budget_leave_no_scale() -> None:
    answer = largest_scale([("0.1", "1e-8", 101)], epsilon=5, delta="1e-6")
    certificate = answer.lower_certificate()
    assert (answer.outcome, answer.lower, answer.upper) == ("none", None, None)
    assert "δ_i alone" in answer.reason
    assert answer.upper_certificate() is None
    assert certificate is not None
    assert certificate.epsilon is None
    assert accepted(certificate, "lower", answer.exceeding)


def test_held_mechanisms_that_exceed_the_budget_leave_no_scale() -> None:
    ledger = Ledger.of([("1", 0, 5, "held"), ("0.1", 0, 1, "free")])
    answer = largest_scale(ledger, epsilon=1, delta="1e-6", hold=["held"])
    assert answer.outcome == "none"
    assert "held" in answer.reason
    assert accepted(answer.lower_certificate(), "lower", answer.exceeding)


@pytest.mark.parametrize(
    ("entries", "hold", "delta"),
    [
        ([], (), "1e-6"),
        ([("0", "1e-9", 3, "a")], (), "1e-6"),
        ([("ln(4) - 2*ln(2)", 0, 3, "a")], (), "0"),
        ([("0.1", 0, 3, "a")], ("a",), "1e-6"),
        ([("9", "1/2", 3, "a")], (), "1"),
    ],
)
def test_where_every_scale_fits_the_answer_says_why(
    entries: list[object], hold: tuple[str, ...], delta: str
) -> None:
    answer = largest_scale(entries or Ledger((), empty=True), epsilon=1, delta=delta, hold=hold)
    assert answer.outcome == "unbounded"
    assert answer.reason
    assert accepted(answer.upper_certificate(), "upper", answer.fitting)
    assert answer.lower_certificate() is None


def test_claims_are_not_carried_over_to_a_scaled_ledger() -> None:
    claim = Claim(ExactNumber.of(1), None, "composition", "a paper")
    ledger = Ledger(Ledger.of(["0.5"]).mechanisms, claims=(claim,), name="kept")
    answer = largest_scale(ledger, epsilon=1, delta="1e-6")
    assert answer.fitting is not None
    assert (answer.fitting.claims, answer.fitting.name) == ((), "kept")


def test_the_delta_of_the_ledger_is_the_default() -> None:
    ledger = Ledger.of([("0.1", 0, 10, "a")], target_delta="1e-6")
    assert largest_scale(ledger, epsilon=1).delta == mpq(1, 10**6)
    assert largest_count(ledger, label="a", epsilon=2).delta == mpq(1, 10**6)
    with pytest.raises(InputError, match="delta"):
        largest_scale(["0.1"], epsilon=1)


def test_a_forced_method_gives_the_same_scale() -> None:
    ledger = [("0.1", 0, 10), ("0.3", 0, 2)]
    both = [
        ends(largest_scale(ledger, epsilon=1, delta="1e-3", tolerance="1e-4", method=method))
        for method in ("grid", "bracket")
    ]
    assert both[0][0] < both[1][1]
    assert both[1][0] < both[0][1]


@pytest.mark.parametrize(
    ("label", "cure"), [("surveys", "did you mean survey?"), ("zzz", "it has census, survey")]
)
def test_an_unknown_label_is_refused_with_those_that_exist(label: str, cure: str) -> None:
    ledger = Ledger.of([("0.1", 0, 1, "survey"), ("0.2", 0, 1, "census")])
    for ask in (
        lambda: largest_scale(ledger, epsilon=1, delta=0, hold=[label]),
        lambda: largest_count(ledger, epsilon=1, delta=0, label=label),
    ):
        with pytest.raises(InputError, match="the label of a mechanism of the ledger") as caught:
            ask()
        assert caught.value.value == label
        assert caught.value.remedy == cure


def test_what_is_no_question_is_refused() -> None:
    ledger = Ledger.of([("0.1", 0, 1, "a"), ("0.2", 0, 1, "a")])
    with pytest.raises(InputError, match="same parameters"):
        largest_count(ledger, label="a", epsilon=1, delta=0)
    with pytest.raises(InputError, match="list of labels"):
        largest_scale(ledger, hold="a", epsilon=1, delta=0)
    with pytest.raises(DomainError, match="epsilon"):
        largest_scale(ledger, epsilon=-1, delta=0)
    for tolerance in ("0", "1e-1001"):
        with pytest.raises(DomainError, match="tolerance"):
            largest_scale(ledger, epsilon=1, delta=0, tolerance=tolerance)
    with pytest.raises(InputError, match="method"):
        largest_scale(ledger, epsilon=1, delta=0, method="magic")
    with pytest.raises(InputError, match="the column label names them"):
        largest_scale(["0.1"], epsilon=1, delta=0, hold=["a"])
    concurrent = Ledger.of(["0.1"], interaction="concurrent")
    assert (
        largest_scale(concurrent, epsilon=1, delta=0).exact
        == largest_scale(["0.1"], epsilon=1, delta=0).exact
    )


def counted(entries: list[object], epsilon: str, delta: str) -> CountAnswer:
    return largest_count(Ledger.of(entries), label="x", epsilon=epsilon, delta=delta)


def test_counts_by_basic_composition_are_exact() -> None:
    assert counted([("0.1", 0, 1, "x")], "1", "0").fits == 9
    assert counted([("0.1", 0, 1, "x"), ("ln(2)", 0, 1)], "1", "0").fits == 2
    assert counted([("0", "1/10", 1, "x")], "0", "0.271").fits == 2
    assert counted([("1e-3", "1/10", 1, "x")], "1", "0.2709").fits == 1


def test_a_count_of_mechanisms_that_only_have_a_delta_depends_on_what_it_leaves() -> None:
    entries: list[object] = [("0", "1e-9", 1, "x"), ("0.1", 0, 100, "y")]
    fits = counted(entries, "5", "1e-6").fits
    assert fits is not None
    for n, holds in ((fits, True), (fits + 1, False)):
        grown = [("0", "1e-9", n + 1), ("0.1", 0, 100)]
        assert certify(grown, epsilon=5, delta="1e-6").holds is holds


def test_a_ledger_that_exceeds_the_budget_has_room_for_none() -> None:
    answer = counted([("1", 0, 3, "x")], "1", "1e-6")
    assert (answer.outcome, answer.fits) == ("none", None)
    assert answer.reason
    assert accepted(answer.lower_certificate(), "lower", answer.exceeding)


def test_a_ledger_without_room_for_one_more_has_room_for_zero() -> None:
    answer = counted([("1", 0, 1, "x")], "1", "0")
    assert (answer.outcome, answer.fits) == ("found", 0)


@pytest.mark.parametrize(("epsilon", "delta"), [("0", "1e-6"), ("3", "1")])
def test_what_costs_nothing_fits_any_number_of_times(epsilon: str, delta: str) -> None:
    answer = counted([(epsilon, 0, 3, "x")], "1", delta)
    assert (answer.outcome, answer.fits) == ("unbounded", None)
    assert accepted(answer.upper_certificate(), "upper", answer.fitting)


def test_counts_end_where_ledgers_do() -> None:
    answer = counted([("1e-20", 0, 10, "x"), ("0.1", 0, 5)], "2", "0")
    assert (answer.outcome, answer.fits) == ("capped", 10**18 - 15)
    assert answer.fitting is not None
    assert answer.fitting.size == 10**18
    assert accepted(answer.upper_certificate(), "upper", answer.fitting)
    assert answer.lower_certificate() is None


@pytest.mark.slow
def test_a_count_of_millions_takes_few_decisions() -> None:
    answer = counted([("1e-4", "1e-15", 1, "x"), ("0.1", 0, 3)], "1", "1e-6")
    assert answer.fits is not None
    assert answer.fits > 10**6
    assert accepted(answer.upper_certificate(), "upper", answer.fitting)
    assert accepted(answer.lower_certificate(), "lower", answer.exceeding)


def test_equal_mechanisms_of_one_label_in_two_entries_are_one() -> None:
    answer = counted([("0.1", 0, 2, "x"), ("0.1", 0, 3, "x")], "1", "0")
    assert answer.fits == 5
    assert answer.fitting is not None
    assert [each.count for each in answer.fitting] == [7, 3]


@given(st.fractions(0, 10), st.fractions(0, 10))
def test_no_fraction_between_is_simpler_than_the_simplest(one: Fraction, other: Fraction) -> None:
    low, high = sorted((one, other))
    simplest = fraction(simplest_between(mpq(low), mpq(high)))
    assert low <= simplest <= high
    assume(simplest.denominator < 200)
    assert all(-(-low * d // 1) > high * d for d in range(1, simplest.denominator))
