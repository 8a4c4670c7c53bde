"""Edge cases: nothing, too much, ties, knots, near cancellations, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import mpmath  # type: ignore[import-untyped]
import pytest
from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.decimal_text import decimal_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.answers.results import Composition
from exactdp.errors import CostLimitError, DomainError, InputError
from exactdp.ledger.model import Ledger
from tests.composition.oracle import check_interval, excess_of_equals, parsed
from tests.marking import each_case

MANY = [("0.1", "1e-10", 100)]
NOTHING = (mpq(0), mpq(0))
LEAST = 1 - (1 - Fraction(1, 10**10)) ** 100


def ends(answer: Composition) -> tuple[mpq, mpq]:
    assert answer.lower is not None
    assert answer.upper is not None
    return answer.lower, answer.upper


@pytest.mark.parametrize("delta", ["0", "1e-9", "1"])
def test_nothing_composed_costs_nothing(delta: str) -> None:
    answer = compose(Ledger((), empty=True), delta=delta)
    assert ends(answer) == NOTHING
    assert answer.exact == ExactNumber(mpq(0))
    assert answer.lower_certificate() is None
    assert answer.upper_certificate() is not None


def test_mechanisms_of_epsilon_zero_cost_nothing_but_their_delta() -> None:
    assert ends(compose([("0", "1/10", 2)], delta="19/100")) == NOTHING
    assert not compose([("0", "1/10", 2)], delta="189/1000").feasible
    assert ends(compose([("ln(4) - 2*ln(2)", "0", 5)], delta="0")) == NOTHING


def test_a_zero_delta_leaves_basic_composition() -> None:
    answer = compose([("0.1", "0", 12), ("ln(3)", "0", 2)], delta="0")
    assert str(answer.exact) == "6/5 + 2*ln(3)"
    assert not compose([("0.1", "1e-300", 1)], delta="0").feasible


def test_the_least_feasible_delta_leaves_basic_composition_and_less_leaves_nothing() -> None:
    for delta, feasible in (
        (LEAST, True),
        (LEAST - Fraction(1, 10**3000), False),
        (LEAST + Fraction(1, 10**3000), True),
    ):
        answer = compose(MANY, delta=delta)
        assert answer.feasible is feasible
        if feasible:
            low, high = ends(answer)
            assert low <= 10 <= high + mpq(1, 10**9)
    assert compose(MANY, delta=LEAST).exact == ExactNumber(mpq(10))
    assert compose(MANY, delta=LEAST + Fraction(1, 10**3000)).exact is None
    assert certify(MANY, epsilon="10", delta=LEAST).holds
    assert not certify(MANY, epsilon="9.999999999", delta=LEAST).holds
    assert not certify(MANY, epsilon="1000", delta=LEAST - Fraction(1, 10**3000)).holds


def test_one_mechanism_at_its_own_delta_costs_its_own_epsilon() -> None:
    assert compose([("0.7", "1e-5", 1)], delta="1e-5").exact == ExactNumber(mpq(7, 10))


@each_case("epsilon", ["0.1", "1", "5", "1000", "1e-300", "1e-9"])
@each_case("delta", ["1e-5", "0.3", "1e-305", "2^-1000", "0.999999"])
def test_one_mechanism_has_a_closed_form(epsilon: str, delta: str) -> None:
    with mpmath.workdps(1200):
        odds = mpmath.exp(mpmath.mpf(epsilon))
        base, _, power = delta.partition("^")
        spent = mpmath.mpf(base) ** int(power) if power else mpmath.mpf(delta)
        truth = mpmath.log(max(mpmath.mpf(1), odds - spent * (1 + odds)))
        low, high = ends(compose([(epsilon, "0", 1)], delta=delta, tolerance="1e-320"))
        assert mpmath.mpf(int(low.numerator)) / int(low.denominator) <= truth
        assert mpmath.mpf(int(high.numerator)) / int(high.denominator) >= truth
        assert high - low <= mpq(1, 10**320)


def test_a_bracket_of_a_huge_epsilon_is_refused_before_memory_runs_out() -> None:
    with pytest.raises(CostLimitError, match="a test of at most 100000 bits"):
        compose([("1e6", "0", 1), ("ln(3)", "0", 3)], delta="1e-6", tolerance="1", method="bracket")


def test_a_profile_never_exceeds_one() -> None:
    [point] = profile([("6", "0", 27)], epsilon=["0"])
    assert point.lower < point.upper <= 1


def test_a_global_delta_of_one_or_next_to_it_makes_epsilon_zero() -> None:
    assert ends(compose(MANY, delta="1")) == NOTHING
    assert ends(compose(MANY, delta=1 - Fraction(1, 10**300))) == NOTHING
    low, high = ends(compose([("1000", "0", 1)], delta=1 - Fraction(1, 10**400)))
    assert mpq(78) < low <= high < mpq(79)


def test_large_epsilons_are_composed() -> None:
    low, high = ends(compose([("1000", "1e-10", 10)], delta="1e-6"))
    assert 9999 < low <= high < 10_000
    low, high = ends(compose([("1000", "1e-10", 10), ("ln(2)", "0", 2)], delta="1e-6"))
    assert 10_001 < low <= high < 10_002


@pytest.mark.parametrize("epsilon", ["1e9", "1e12"])
def test_an_absurd_epsilon_alone_is_answered(epsilon: str) -> None:
    low, high = ends(compose([(epsilon, "0", 1)], delta="1e-6"))
    assert low <= ExactNumber.parse(epsilon).rational <= high + 1


@pytest.mark.parametrize(
    "ledger",
    [[("1e300", "0", 1)], *([(each, "0", 1), ("ln(2)", "0", 1)] for each in ("1e9", "1e300"))],
)
def test_an_epsilon_beyond_every_exponent_is_refused(ledger: list[tuple[str, str, int]]) -> None:
    with pytest.raises(CostLimitError, match="an intermediate number near"):
        compose(ledger, delta="1e-6")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("unit", "count", "tolerance"),
    [
        ("0.001", 10**6, "1e-20"),
        pytest.param("0.0001", 10**9, "1e-12", marks=pytest.mark.slow),
    ],
)
def test_many_equal_mechanisms_agree_with_a_binomial_sum(
    unit: str, count: int, tolerance: str
) -> None:
    low, high = ends(compose([(unit, "0", count)], delta="1e-9", tolerance=tolerance))
    assert high - low <= ExactNumber.parse(tolerance).rational
    allowed = parsed("1e-9")
    assert excess_of_equals(unit, count, decimal_text(low), allowed) > 0
    assert excess_of_equals(unit, count, decimal_text(high), allowed) < 0


def test_a_billion_small_deltas_are_kept_in_closed_form() -> None:
    answer = compose([("0.1", "1e-10", 10**9)], delta="1e-3")
    assert not answer.feasible
    assert answer.least_feasible_delta == "1 - (9999999999/10000000000)^1000000000"
    certificate = answer.lower_certificate()
    assert certificate is not None
    assert certificate.rule == "trivial"
    assert answer.upper_certificate() is None


def test_the_least_feasible_delta_is_exact_where_it_is_short() -> None:
    answer = compose([("1", "1/10", 2)], delta="18/100")
    assert not answer.feasible
    assert ExactNumber.parse(answer.least_feasible_delta).rational == mpq(19, 100)


def test_a_trillion_trillionth_of_deltas_matters() -> None:
    ledger = [("0", "1e-30", 10**18), ("1", "0", 1)]
    assert compose(ledger, delta="1e-9").feasible
    assert compose(ledger, delta="1e-12").feasible
    assert not compose(ledger, delta="9.9e-13").feasible


@pytest.mark.parametrize("tolerance", ["1e-60", "1e-300"])
def test_fine_tolerances_are_met_on_a_grid(tolerance: str) -> None:
    coarse = ends(compose(MANY, delta="1e-6"))
    fine = ends(compose(MANY, delta="1e-6", tolerance=tolerance))
    assert coarse[0] <= fine[0] <= fine[1] <= coarse[1]
    assert fine[1] - fine[0] <= ExactNumber.parse(tolerance).rational


@each_case(
    "groups",
    [
        [("ln(2)", "0", 5), ("ln(4)", "0", 2), ("ln(8)", "1e-9", 1)],
        [("ln(4)", "0", 3), ("2*ln(2)", "0", 3)],
        [("ln(4)", "0", 2), ("2*ln(2)", "0", 2), ("1/2*ln(16)", "0", 2)],
        [("1/4 + ln(2)", "0", 4), ("0.25", "0", 3), ("ln(2)", "0", 2)],
        [("1/4 + ln(2)", "0", 3), ("ln(4)", "0", 2), ("2*ln(2)", "0", 2), ("1/4", "0", 2)],
        [("0.3", "0", 3), ("0.007", "0", 3), ("ln(2)", "0", 3)],
        [("ln(3) - 1/4", "0", 4), ("1/4", "0", 4)],
        [("0.100000000001", "0", 5), ("0.1", "0", 4)],
        [("0.100000000001", "0", 3), ("0.1", "0", 3), ("ln(2)", "0", 3)],
        [("ln(2) + 2^-200", "0", 3), ("ln(2)", "0", 3)],
        [("1e-300", "0", 3), ("1", "0", 5)],
        [("1e-12", "0", 6), ("3", "1e-3", 2)],
        [("50", "0", 3), ("1e-6", "0", 5)],
        [("ln(4) - 2*ln(2)", "0", 2), ("1", "0", 6)],
        [("2*ln(2) - ln(4)", "1e-3", 2), ("ln(3)", "0", 4), ("1", "0", 1)],
    ],
)
@each_case("delta", ["1e-2", "0.3", "1e-10", "2^-300"])
def test_awkward_ledgers_agree_with_the_sum_over_subsets(
    groups: list[tuple[str, str, int]], delta: str
) -> None:
    answer = compose(groups, delta=delta, tolerance="1e-15")
    check_interval(groups, parsed(delta), answer.lower, answer.upper)
    if answer.feasible:
        low, high = ends(answer)
        assert high - low <= mpq(1, 10**15)


def test_semantic_ties_compose_alike() -> None:
    one = compose([("ln(4)", "0", 6)], delta="1e-3")
    two = compose([("ln(4)", "0", 3), ("2*ln(2)", "0", 3)], delta="1e-3")
    assert one.exact is not None
    assert two.exact is not None
    assert compare(one.exact, two.exact) == 0


def test_an_answer_on_a_knot_is_exact() -> None:
    odds, delta = [("ln(3)", "0", 2)], "3/8"
    answer = compose(odds, delta=delta)
    assert answer.exact is not None
    assert compare(answer.exact, ExactNumber.parse("ln(3)")) == 0
    assert certify(odds, epsilon="ln(3)", delta="3/8").holds
    assert not certify(odds, epsilon="ln(3)", delta=Fraction(3, 8) - Fraction(1, 10**50)).holds
    assert not certify(odds, epsilon="ln(3) - 1e-50", delta="3/8").holds


@pytest.mark.parametrize("claim", ["ln(37/5)", "2*ln(37) - ln(185)", "ln(37) - ln(5)"])
def test_a_tie_between_rational_odds_is_decided(claim: str) -> None:
    ledger = [("ln(3)", "0", 2)]
    tied = certify(ledger, epsilon=claim, delta="1/10")
    assert tied.holds
    assert tied.certificate.rule == "atoms"
    assert not certify(ledger, epsilon=f"{claim} - 1e-100", delta="1/10").holds
    assert certify(ledger, epsilon=f"{claim} + 1e-100", delta="1/10").holds


def test_a_claim_at_delta_one_is_vacuous_and_at_basic_composition_a_sum() -> None:
    assert certify([("5", "0.5", 9)], epsilon="0", delta="1").certificate.rule == "trivial"
    assert certify([("0.1", "0", 12)], epsilon="1.2", delta="0").certificate.rule == "sum"
    refuted = certify([("0.1", "0", 12)], epsilon="1.1999999999999", delta="0")
    assert not refuted.holds
    assert refuted.certificate.rule == "sum"


def test_the_profile_falls_to_the_least_feasible_delta() -> None:
    first, last, beyond = profile([("1", "1/10", 2)], epsilon=["0", "2", "100"])
    assert first.lower > last.lower
    assert last.lower == last.upper == beyond.lower == beyond.upper == mpq(19, 100)


def test_the_profile_next_to_its_end_keeps_relative_precision() -> None:
    [point] = profile([("0.1", "0", 1000)], epsilon=["99.9999999"])
    assert 0 < point.lower <= point.upper
    assert point.upper - point.lower <= point.lower / 10**9


FLOATS: list[dict[str, object]] = [
    {"ledger": [(0.1, 0)], "delta": "1e-6"},
    {"ledger": [("0.1", 1e-9)], "delta": "1e-6"},
    {"ledger": [("0.1", 0)], "delta": 1e-6},
    {"ledger": [("0.1", 0)], "delta": "1e-6", "tolerance": 1e-9},
]


@pytest.mark.parametrize("arguments", FLOATS)
def test_floats_are_refused_everywhere(arguments: dict[str, object]) -> None:
    with pytest.raises(InputError, match="expected an exact number") as caught:
        compose(**arguments)  # type: ignore[arg-type]
    assert caught.value.code == "float-refused"


@pytest.mark.parametrize("delta", ["-1e-9", "1.000001", "2"])
def test_a_delta_outside_of_zero_to_one_is_refused(delta: str) -> None:
    with pytest.raises(DomainError, match="delta"):
        compose(MANY, delta=delta)
    with pytest.raises(DomainError, match="delta"):
        certify(MANY, epsilon="1", delta=delta)


@pytest.mark.parametrize("tolerance", ["0", "-1", "1e-10001", "ln(2)"])
def test_a_tolerance_out_of_range_is_refused(tolerance: str) -> None:
    with pytest.raises(DomainError, match="tolerance"):
        compose(MANY, delta="1e-6", tolerance=tolerance)


@pytest.mark.parametrize("epsilon", ["-1", "ln(1/2)", "ln(4) - 2*ln(2) - 2^-500"])
def test_a_negative_epsilon_is_refused(epsilon: str) -> None:
    with pytest.raises(DomainError, match="epsilon"):
        certify(MANY, epsilon=epsilon, delta="1e-6")
    with pytest.raises(DomainError, match="epsilon"):
        compose([(epsilon, 0)], delta="1e-6")


def test_delta_may_come_from_the_ledger_but_must_come_from_somewhere() -> None:
    answer = compose(Ledger.of(MANY, target_delta="1e-6"))
    assert ends(answer) == ends(compose(MANY, delta="1e-6"))
    with pytest.raises(InputError, match="delta"):
        compose(MANY)


@pytest.mark.parametrize("ledger", ["ledger.json", b"{}"])
def test_a_file_name_is_no_ledger(ledger: object) -> None:
    with pytest.raises(InputError, match="read_ledger"):
        compose(ledger, delta="1e-6")  # type: ignore[arg-type]


def test_concurrent_composition_has_the_optimum_of_adaptive_composition() -> None:
    interleaved = compose(Ledger.of(MANY, interaction="concurrent"), delta="1e-6")
    answer = compose(MANY, delta="1e-6")
    assert (interleaved.lower, interleaved.upper) == (answer.lower, answer.upper)


def test_an_unknown_method_is_refused_and_one_that_does_not_fit_as_well() -> None:
    with pytest.raises(InputError, match="method"):
        compose(MANY, delta="1e-6", method="magic")
    with pytest.raises(InputError, match="method: atoms: expected a method that fits") as caught:
        compose([(f"1/{n} + ln({n})", 0, 100) for n in (3, 5, 7)], delta="1e-6", method="atoms")
    assert caught.value.code == "method-does-not-fit"
    with pytest.raises(InputError, match="method: grid: expected a method that fits") as caught:
        compose([("1", 0), ("ln(2)", 0)], delta="1e-6", method="grid")
    assert caught.value.code == "method-does-not-fit"


def test_a_cost_above_the_limit_is_refused_with_the_figure() -> None:
    with pytest.raises(CostLimitError, match="here it is") as caught:
        compose(MANY, delta="1e-6", tolerance="1e-9", max_cost=10)
    assert caught.value.exit_code == 3


DENSE = [(f"0.{(i * 7919) % 1000003:07d}", "0", 1) for i in range(1, 600)]
LOGARITHMS = [(f"ln({i})", "0", 1) for i in range(2, 100)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ledger", "tolerance"),
    [(DENSE, "1e-60"), (LOGARITHMS, "1e-60"), ([("1e-9", "0", 10**18)], "1e-60")],
    ids=["dense grid", "many logarithms", "10^18 mechanisms"],
)
def test_work_of_centuries_is_refused(ledger: list[tuple[str, str, int]], tolerance: str) -> None:
    with pytest.raises(CostLimitError, match="a predicted cost of at most"):
        compose(ledger, delta="1e-6", tolerance=tolerance)
