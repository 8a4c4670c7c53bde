"""The papers' own algorithms: what they promise, and certified proof where they do not keep it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, floor, prod
from random import Random

import mpmath  # type: ignore[import-untyped]
import pytest
from gmpy2 import mpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.errors import CostLimitError, DomainError, InputError, UnsupportedError
from exactdp.literature.murtagh_vadhan import SOUND, UNDER_REPORTS, JournalAnswer, mv16, mv18
from exactdp.literature.poster import READINGS, Reading, poster, poster_decision
from exactdp.literature.references import least_grid_multiple
from exactdp.mechanisms import ConcentratedMechanism
from exactdp.verifier import verify_bytes
from tests.composition.oracle import budget_of, check_interval, fraction
from tests.marking import slow_after
from tests.property.ledgers import DELTAS, Group, deltas
from tests.untyped import untyped

NO_LIMIT = 10**15
EPSILONS = ["0", "0.0731", "0.25", "1/3", "0.5", "0.9999", "ln(2)", "ln(1.37)", "1/4 + ln(3/2)"]
RATIONALS = [text for text in EPSILONS if "ln" not in text]
TWENTY: list[Group] = [("0.1", "0", 20)]


def small(epsilons: list[str], largest: int = 3) -> st.SearchStrategy[list[Group]]:
    group = st.tuples(st.sampled_from(epsilons), st.sampled_from(DELTAS), st.integers(1, largest))
    return st.lists(group, min_size=1, max_size=4)


def etas() -> st.SearchStrategy[Fraction]:
    return st.sampled_from([Fraction(1, 50), Fraction(1, 10), Fraction(1, 3), Fraction(1)])


def study() -> list[tuple[Fraction, int]]:
    """The ledger of DESIGN 2.6: 100 random ε of 8 digits from 0.01 to 0.1."""
    source = Random(1)  # noqa: S311
    return [(Fraction(source.randrange(10**6, 10**7), 10**8), 0) for _ in range(100)]


def verdict_of(certificate: Certificate, epsilon: object, delta: object) -> str:
    """The verifier's word on whether the certificate settles the claim (ε, δ)."""
    claim = (str(epsilon), str(delta))
    verdict = verify_bytes(certificate.to_bytes(), claim=claim, max_cost=NO_LIMIT)
    return verdict.settles.partition(" ")[0] if verdict.status == "accepted" else verdict.line


# --- the journal ----------------------------------------------------------------------------------


def assert_both_ends(answer: JournalAnswer) -> None:
    upper, lower = answer.upper_certificate(), answer.lower_certificate()
    if answer.epsilon is None:
        assert upper is None
        assert lower is not None
        assert verdict_of(lower, "10", answer.delta) == "refutes"
        return
    assert upper is not None
    assert verdict_of(upper, answer.epsilon, answer.delta) == "proves"
    least = answer.epsilon - ExactNumber(answer.eta)
    if lower is None:
        assert compare(least, ExactNumber(mpq(0))) < 0
    else:
        assert verdict_of(lower, least, answer.smaller_delta) == "refutes"


@pytest.mark.slow
@given(small(EPSILONS), deltas(), etas())
@example([("ln(2)", "0", 3)], Fraction(0), Fraction(1, 10))
@example([("0.5", "1/100", 2)], Fraction(199, 10000), Fraction(1, 10))
@example([("0.5", "1/100", 2)], Fraction(2, 100), Fraction(1, 10))
def test_both_ends_of_theorem_1_7_are_certified(
    ledger: list[Group], delta: Fraction, eta: Fraction
) -> None:
    assert_both_ends(mv18(ledger, delta=delta, eta=eta))


@pytest.mark.slow
def test_both_ends_of_theorem_1_7_are_certified_for_a_hundred_mechanisms() -> None:
    answer = mv18(study(), delta="2^-30", eta="1/10")
    assert answer.label == SOUND
    assert_both_ends(answer)


@pytest.mark.slow
@given(small(EPSILONS), deltas(), etas())
def test_the_smaller_delta_is_next_to_what_the_theorem_says_and_not_below(
    ledger: list[Group], delta: Fraction, eta: Fraction
) -> None:
    answer = mv18(ledger, delta=delta, eta=eta)
    with mpmath.workdps(60):
        beta = mpmath.mpf(int(answer.beta.numerator)) / int(answer.beta.denominator)
        scaled = mpmath.mpf(eta.numerator) / eta.denominator
        ratio = fraction(answer.smaller_delta) / delta if delta else Fraction(1)
        found = mpmath.mpf(ratio.numerator) / ratio.denominator
        if delta:
            assert found >= mpmath.exp(-scaled / 2)
            assert found <= mpmath.exp(-(scaled - beta) / 2)
        else:
            assert not answer.smaller_delta


@given(small(RATIONALS), deltas(), etas())
def test_every_number_of_the_rounding_is_the_papers_exactly(
    ledger: list[Group], delta: Fraction, eta: Fraction
) -> None:
    answer = mv18(ledger, delta=delta, eta=eta)
    epsilons = [(fraction(ExactNumber.parse(e).rational), count) for e, _, count in ledger]
    size = sum(count for _, count in epsilons)
    total = sum((e * count for e, count in epsilons), Fraction(0))
    mean = total / size if size else Fraction(0)
    beta = eta / (size * (1 + mean) + 1)
    assert fraction(answer.beta) == beta
    assert answer.unit == ExactNumber.ln(1 + beta)
    assert fraction(answer.unit_odds) == 1 + beta
    assert [each.epsilon for each in answer.rounded.approximate()] == [
        answer.unit * ceil(e * (1 / beta + 1)) for e, _ in epsilons
    ]


@pytest.mark.slow
@settings(max_examples=60)
@given(small(RATIONALS, largest=1), deltas())
def test_the_answer_is_that_of_the_papers_own_binary_search(
    ledger: list[Group], delta: Fraction
) -> None:
    answer = mv18(ledger, delta=delta, eta=1)
    beta = fraction(answer.beta)
    multiples = [
        ceil(fraction(ExactNumber.parse(e).rational) * (1 / beta + 1)) for e, _, _ in ledger
    ]
    expected = least_grid_multiple(multiples, 1 + beta, budget_of(ledger, delta))
    assert answer.multiple == (0 if delta >= 1 else expected)


def test_a_tie_at_a_multiple_of_the_unit_is_not_rounded_up() -> None:
    answer = mv18(["1/2"], delta="7/37", eta=1)  # β = 2/5, a = 2, and D(7/5) = 7/37
    assert answer.unit_odds == mpq(7, 5)
    assert answer.multiple == 1


@given(small(EPSILONS), deltas(), etas())
def test_rounding_up_never_lowers_an_epsilon_and_adds_at_most_eta_less_beta(
    ledger: list[Group], delta: Fraction, eta: Fraction
) -> None:
    answer = mv18(ledger, delta=delta, eta=eta)
    gained = ExactNumber(mpq(0))
    for before, after in zip(
        answer.ledger.approximate(), answer.rounded.approximate(), strict=True
    ):
        assert compare(after.epsilon, before.epsilon) >= 0
        gained += (after.epsilon - before.epsilon) * before.count
    assert compare(gained, ExactNumber(answer.eta - answer.beta)) <= 0


def test_an_irrational_mean_is_replaced_by_a_rational_number_just_above() -> None:
    answer = mv18([("ln(2)", 0, 3)], delta="1/100", eta="1/10")
    total = answer.eta / answer.beta - 4
    excess = ExactNumber(total) - ExactNumber.parse("3*ln(2)")
    assert compare(excess, ExactNumber(mpq(0))) > 0
    assert compare(excess, ExactNumber.parse("2e-12")) < 0


# --- the proceedings ------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_proceedings_under_report_and_the_refutation_is_certified() -> None:
    answer = mv16(study(), delta="2^-30", eta="1/10")
    truth = compose(study(), delta="2^-30", tolerance="1e-4")
    assert answer.label == UNDER_REPORTS
    assert str(answer.epsilon) == "1817/500"  # 3.634
    assert truth.lower is not None
    assert truth.lower > mpq(36627, 10**4)
    judged = answer.judged()
    assert judged is not None
    assert not judged.holds
    assert verdict_of(judged.certificate, "3.634", "2^-30") == "refutes"


@given(small(EPSILONS), deltas(), etas())
def test_the_proceedings_round_down_and_compose_that_exactly(
    ledger: list[Group], delta: Fraction, eta: Fraction
) -> None:
    answer = mv16(ledger, delta=delta, eta=eta)
    size = max(1, sum(count for _, _, count in ledger))
    rounded: list[Group] = []
    for (text, own, count), after in zip(ledger, answer.rounded.approximate(), strict=True):
        epsilon = ExactNumber.parse(text)
        assert compare(after.epsilon, epsilon) <= 0
        assert compare(after.epsilon + ExactNumber(answer.eta / size), epsilon) > 0
        if epsilon.is_rational:
            step = eta / size
            whole = floor(fraction(epsilon.rational) / step)
            assert fraction(after.epsilon.rational) == whole * step
        rounded.append((str(after.epsilon), own, count))
    if len(rounded) <= 2 and delta < 1:
        check_interval(rounded, delta, *(answer.optimum or (None, None)))


@given(small(EPSILONS), deltas(), etas())
def test_what_is_said_of_an_answer_of_the_proceedings_is_certified(
    ledger: list[Group], delta: Fraction, eta: Fraction
) -> None:
    answer = mv16(ledger, delta=delta, eta=eta)
    judged = answer.judged()
    if judged is not None:
        word = "proves" if judged.holds else "refutes"
        assert verdict_of(judged.certificate, answer.epsilon, delta) == word


def test_on_its_own_grid_the_proceedings_answer_is_true() -> None:
    judged = mv16([("0.1", 0, 20)], delta="1/20", eta="0.2").judged()
    assert judged is not None
    assert judged.holds


# --- the poster -----------------------------------------------------------------------------------


def poster_by_subsets(
    ledger: list[Group], epsilon: str, delta: str, t: int, reading: Reading
) -> bool:
    """The poster's inequality as it is written, over all subsets, with 60 digits."""
    epsilons = [
        fraction(ExactNumber.parse(e).rational) for e, _, count in ledger for _ in range(count)
    ]
    half = (sum(epsilons) - Fraction(epsilon)) / 2
    if half <= 0:
        return True
    cells = [floor(t * e / half) for e in epsilons]
    rounded = [a * half / t for a in cells]
    prefactors = rounded if reading == "rounded" else epsilons
    with mpmath.workdps(60):

        def exp(value: Fraction) -> mpmath.mpf:
            return mpmath.exp(mpmath.mpf(value.numerator) / value.denominator)

        left = mpmath.mpf(0)
        for chosen in product((0, 1), repeat=len(epsilons)):
            if sum(a * c for a, c in zip(cells, chosen, strict=True)) <= t:
                weight = sum((f * c for f, c in zip(rounded, chosen, strict=True)), Fraction(0))
                left += exp(sum(prefactors) - weight) - exp(Fraction(epsilon) + weight)
        budget = budget_of(ledger, Fraction(delta))
        right = mpmath.mpf(budget.numerator) / budget.denominator
        return bool(left <= right * prod(1 + exp(e) for e in prefactors))


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("t", slow_after(1, [4, 1, 25]))
@pytest.mark.parametrize(
    "ledger", [[("0.5", "0", 3), ("0.3", "1/100", 2)], [("0.1", "0", 7)], [("2", "0", 1)]]
)
def test_the_decision_is_the_posters_inequality(
    ledger: list[Group], t: int, reading: Reading
) -> None:
    for epsilon, delta in product(("0", "0.05", "0.4", "1.2", "3"), ("0.03", "0.2")):
        decided = poster_decision(ledger, epsilon=epsilon, delta=delta, t=t, reading=reading)
        assert decided == poster_by_subsets(ledger, epsilon, delta, t, reading)


def first_wrong(reading: Reading, *, says: bool) -> tuple[str, int, Certificate]:
    """The first (ε*, t) of a small search at which a decision is not the truth, and the proof."""
    for t, tenths in product((5, 10, 20), range(1, 20)):
        epsilon = f"{tenths}/10"
        decided = poster_decision(TWENTY, epsilon=epsilon, delta="1/20", t=t, reading=reading)
        truth = certify(TWENTY, epsilon=epsilon, delta="1/20")
        if decided is says and truth.holds is not says:
            return epsilon, t, truth.certificate
    raise AssertionError(reading)


def test_with_rounded_prefactors_the_poster_says_true_below_the_optimum() -> None:
    epsilon, _, certificate = first_wrong("rounded", says=True)
    assert verdict_of(certificate, epsilon, "1/20") == "refutes"


def test_with_true_prefactors_the_poster_says_false_above_the_optimum() -> None:
    epsilon, _, certificate = first_wrong("true-prefactors", says=False)
    assert verdict_of(certificate, epsilon, "1/20") == "proves"


@given(small(EPSILONS), deltas(), st.integers(1, 40), st.fractions(0, 4, max_denominator=100))
def test_with_true_prefactors_true_is_true(
    ledger: list[Group], delta: Fraction, t: int, epsilon: Fraction
) -> None:
    if poster_decision(ledger, epsilon=epsilon, delta=delta, t=t, reading="true-prefactors"):
        assert certify(ledger, epsilon=epsilon, delta=delta).holds


@pytest.mark.parametrize("reading", READINGS)
def test_bisection_ends_between_false_and_true(reading: Reading) -> None:
    answer = poster(TWENTY, delta="1/20", t=10, reading=reading, tolerance="1e-3")
    assert answer.epsilon is not None
    assert answer.below is not None
    assert answer.epsilon - answer.below == mpq(1, 1000)
    for epsilon, decision in ((answer.epsilon, True), (answer.below, False)):
        assert decision is poster_decision(
            TWENTY, epsilon=epsilon, delta="1/20", t=10, reading=reading
        )


def test_the_poster_is_given_basic_composition_and_infeasible_deltas() -> None:
    for reading in READINGS:
        assert poster_decision(TWENTY, epsilon=2, delta=0, t=3, reading=reading)
        assert not poster_decision([(1, "1/10", 2)], epsilon=9, delta="0.1", t=3, reading=reading)
        assert poster([(1, "1/10", 2)], delta="0.1", t=3, reading=reading).epsilon is None
        assert poster(TWENTY, delta=1, t=3, reading=reading).epsilon == 0


# --- arguments ------------------------------------------------------------------------------------


def test_arguments_are_checked_at_the_door() -> None:
    with pytest.raises(DomainError, match="eta"):
        mv18(TWENTY, delta="1/20", eta=0)
    with pytest.raises(InputError, match="float"):
        mv16(TWENTY, delta="1/20", eta=untyped(0.1))
    with pytest.raises(InputError, match="delta"):
        mv18(TWENTY, eta=1)
    with pytest.raises(DomainError, match="delta"):
        mv16(TWENTY, eta=1, delta=2)
    with pytest.raises(DomainError, match="t:"):
        poster(TWENTY, delta="1/20", t="1/2", reading="rounded")
    with pytest.raises(InputError, match="reading"):
        poster(TWENTY, delta="1/20", t=1, reading="other")  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="epsilon"):
        poster_decision(TWENTY, epsilon=-1, delta="1/20", t=1, reading="rounded")
    with pytest.raises(UnsupportedError, match="rho"):
        mv18([ConcentratedMechanism(1)], delta="1/20", eta=1)


def test_work_beyond_the_limits_is_refused() -> None:
    with pytest.raises(CostLimitError, match=r"^ledger: .* a predicted cost of at most"):
        mv18([*TWENTY, "1/3"], delta="1/20", eta="1e-12", max_cost=10**9)
    with pytest.raises(CostLimitError, match=r"^t: .* a predicted cost of at most"):
        poster(TWENTY, delta="1/20", t=10**9, reading="rounded", max_cost=10**9)
