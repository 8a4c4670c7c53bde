"""Ledgers of several privacy definitions: brute force, laws, and accepted certificates."""

from __future__ import annotations

from fractions import Fraction

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.composition.answers.arguments import DEFAULT_TOLERANCE
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.answers.results import Composition
from exactdp.composition.engines.gaussian import curve
from exactdp.composition.engines.moments import zcdp
from exactdp.composition.problem import Problem
from exactdp.composition.solver import Solver
from exactdp.errors import CostLimitError, InputError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import ConcentratedMechanism, Entry, GaussianMechanism, Mechanism
from exactdp.verifier import verify_bytes
from tests.composition.engines import oracle

WIDTH = mpq(1, 10**9)
DELTAS = ["1/10", "1e-3", "1e-6", "1e-9"]

pairs = st.builds(
    Mechanism,
    st.sampled_from(["0.1", "0.25", "1/3", "1", "3/2", "ln(3)"]),
    st.sampled_from(["0", "0", "1e-12"]),
    st.integers(1, 4),
)
noises = st.builds(GaussianMechanism, st.sampled_from(["1/10", "1/2", "1", "2"]), st.integers(1, 3))
concentrated = st.builds(ConcentratedMechanism, st.sampled_from(["1e-6", "1/100", "1/2"]))


def converted(ledger: list[Entry], delta: str) -> Composition:
    answer = compose(ledger, delta=delta)
    assert answer.ledger.given_by == "rho-mu"
    return answer


def ends(answer: Composition) -> tuple[mpq, mpq]:
    assert answer.lower is not None
    assert answer.upper is not None
    return answer.lower, answer.upper


def accepted(answer: Composition) -> set[str]:
    """The kinds of the answer's certificates, all of which the verifier accepts."""
    kinds = set()
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        if certificate is not None:
            verdict = verify_bytes(certificate.to_bytes())
            assert verdict.status == "accepted", verdict.line
            kinds.add(verdict.kind)
    return kinds


@pytest.mark.slow
@settings(max_examples=25)
@given(
    st.lists(pairs, min_size=1, max_size=3),
    st.lists(noises, min_size=1, max_size=2),
    st.sampled_from(DELTAS),
)
def test_noise_among_pure_mechanisms_meets_the_brute_force_between_the_ends(
    pure: list[Mechanism], noise: list[GaussianMechanism], delta: str
) -> None:
    rational = [each for each in pure if each.epsilon.is_rational]
    answer = converted([*rational, *noise], delta)
    lower, upper = ends(answer)
    assert upper - lower <= WIDTH
    groups = [(Fraction(str(each.epsilon)), each.count) for each in rational]
    square = sum((Fraction(str(each.mu)) ** 2 * each.count for each in noise), Fraction(0))
    kept = Fraction(1)
    for each in rational:
        kept *= (1 - Fraction(str(each.delta))) ** each.count
    with mpmath.workdps(50):
        left = 1 - (1 - oracle.real(delta)) / oracle.real(kept)
        assert oracle.mixture_delta(groups, square, upper) <= left
        if lower:
            assert oracle.mixture_delta(groups, square, lower) >= left


@pytest.mark.slow
@settings(max_examples=25)
@given(st.lists(pairs | noises | concentrated, min_size=1, max_size=4), st.sampled_from(DELTAS))
def test_both_certificates_of_an_answer_are_accepted(ledger: list[Entry], delta: str) -> None:
    answer = compose(ledger, delta=delta)
    if answer.derivations:
        assert answer.feasible
        assert accepted(answer) <= {"upper", "lower"}
        assert answer.derivations[0].epsilon == answer.upper


@settings(max_examples=15)
@given(st.lists(pairs, min_size=1, max_size=4), st.sampled_from(DELTAS))
def test_a_ledger_of_pairs_needs_no_conversion(ledger: list[Mechanism], delta: str) -> None:
    answer = compose(ledger, delta=delta)
    right = Solver(Problem.of(Ledger.of(ledger))).optimum(mpq(delta), mpq(DEFAULT_TOLERANCE))
    assert (answer.lower, answer.upper, answer.exact) == (right.lower, right.upper, right.exact)
    assert answer.derivations == ()
    assert answer.attained_by == "randomized responses"


@settings(max_examples=15)
@given(
    st.lists(noises | concentrated, min_size=1, max_size=2),
    st.sampled_from(["1", "2/5", "1/10", "1e-3", "1e-9"]),
)
def test_an_answer_is_complete_exactly_if_its_interval_is_within_the_tolerance(
    ledger: list[Entry], tolerance: str
) -> None:
    answer = compose(ledger, delta="1e-6", tolerance=tolerance)
    lower, upper = ends(answer)
    assert answer.complete == (upper - lower <= mpq(Fraction(tolerance)))


@pytest.mark.parametrize(
    ("entry", "tolerance", "width", "complete"),
    [
        (ConcentratedMechanism("1/2"), "2/5", "2/5", True),
        (ConcentratedMechanism("1/2"), "1/10", "7/20", False),
        (GaussianMechanism(1), "1/10", "1/50", True),
    ],
)
def test_what_rho_leaves_open_makes_an_answer_incomplete(
    entry: Entry, tolerance: str, width: str, complete: bool
) -> None:
    answer = compose([entry], delta="1e-6", tolerance=tolerance)
    lower, upper = ends(answer)
    assert (upper - lower, answer.complete) == (mpq(width), complete)


@settings(max_examples=15)
@given(st.lists(noises, min_size=1, max_size=3), st.sampled_from(DELTAS))
def test_a_ledger_of_noise_is_answered_by_the_gaussian_curve(
    ledger: list[GaussianMechanism], delta: str
) -> None:
    answer = converted([*ledger], delta)
    square = sum((each.mu**2 * each.count for each in ledger), mpq(0))
    same = converted([GaussianMechanism("1/10", int(100 * square))], delta)
    assert (same.lower, same.upper) == (answer.lower, answer.upper)
    if len(ledger) == 1 and ledger[0].count == 1:
        low, high = curve.least_epsilon(str(ledger[0].mu), delta)
        lower, upper = ends(answer)
        assert lower <= high
        assert low <= upper


@settings(max_examples=15)
@given(st.lists(concentrated, min_size=1, max_size=3), st.sampled_from(DELTAS))
def test_a_ledger_of_rho_is_answered_by_the_conversion_of_the_sum(
    ledger: list[ConcentratedMechanism], delta: str
) -> None:
    answer = converted([*ledger], delta)
    right = zcdp.least_epsilon(str(sum((each.rho for each in ledger), mpq(0))), delta)
    lower, upper = ends(answer)
    assert right.lower <= upper <= right.upper + WIDTH
    assert lower <= right.upper


@pytest.mark.slow
@settings(max_examples=15)
@given(
    st.lists(pairs | noises | concentrated, min_size=1, max_size=3),
    pairs | noises | concentrated,
    st.sampled_from(DELTAS),
)
def test_one_more_mechanism_never_lowers_an_end_below_the_other(
    ledger: list[Entry], more: Entry, delta: str
) -> None:
    """The lower end of the smaller ledger is never above the upper end of the larger."""
    before, after = compose(ledger, delta=delta), compose([*ledger, more], delta=delta)
    assert ends(before)[0] <= ends(after)[1]


@pytest.mark.slow
@settings(max_examples=15)
@given(st.lists(pairs, min_size=1, max_size=2), noises, st.sampled_from(DELTAS))
def test_noise_known_to_be_gaussian_is_never_worse_than_its_rho(
    pure: list[Mechanism], noise: GaussianMechanism, delta: str
) -> None:
    """What a finer rule gives is never above what is given up by saying only ρ = μ²/2."""
    finer = converted([*pure, noise], delta)
    coarser = converted([*pure, ConcentratedMechanism(noise.mu**2 / 2, noise.count)], delta)
    assert ends(finer)[1] <= ends(coarser)[1] + WIDTH
    assert ends(coarser)[0] <= ends(finer)[1]


@pytest.mark.slow
@settings(max_examples=15)
@given(
    st.lists(
        pairs.filter(lambda each: not each.delta) | noises | concentrated, min_size=1, max_size=2
    ),
    noises | concentrated,
    st.fractions(min_value=0, max_value=8, max_denominator=100),
)
def test_the_profile_and_the_least_epsilon_agree(
    others: list[Entry], noise: Entry, epsilon: Fraction
) -> None:
    """Where the profile falls: with noise, and without failures below which it never goes."""
    ledger = [*others, noise]
    [point] = profile(ledger, epsilon=[str(epsilon)])
    assert point.lower <= point.upper
    if mpq(1, 10**30) < point.lower and point.upper < 1:
        at_most = compose(ledger, delta=str(point.lower))
        assert at_most.upper is None or at_most.upper >= mpq(epsilon) - WIDTH
        above = compose(ledger, delta=str(min(mpq(1), point.upper * (1 + mpq(1, 1000)))))
        assert ends(above)[0] <= mpq(epsilon) + WIDTH


@pytest.mark.parametrize(
    ("ledger", "delta", "rule"),
    [
        ([ConcentratedMechanism("293764/114921")], "1e-10", "moments"),
        (
            [ConcentratedMechanism("1/2"), GaussianMechanism(1)],
            "1e-6",
            "moments",
        ),
        ([ConcentratedMechanism("1/20"), Mechanism("1/2", 0, 10)], "1e-6", "moments"),
        (
            [ConcentratedMechanism("1e-6"), Mechanism("1/2", 0, 10), GaussianMechanism(1)],
            "1e-6",
            "zcdp-pair",
        ),
        ([GaussianMechanism(1), Mechanism(0, "1e-7")], "1e-6", "gaussian"),
        ([GaussianMechanism(1), Mechanism("ln(3)", 0, 2)], "1e-6", "gaussian-mixture"),
        (
            [GaussianMechanism(1), *(Mechanism(f"{i}/10", 0, 8) for i in range(1, 6))],
            "1e-6",
            "gaussian-mesh",
        ),
        (
            [GaussianMechanism(1), *(Mechanism(f"0.12345{i}", 0, 10) for i in range(1, 6))],
            "1e-6",
            "fourier-upper",
        ),
    ],
)
def test_the_best_rule_is_chosen_and_certified(ledger: list[Entry], delta: str, rule: str) -> None:
    answer = converted(ledger, delta)
    assert answer.method == rule
    assert accepted(answer) == {"upper", "lower"}
    epsilons = [each.epsilon for each in answer.derivations]
    assert epsilons == sorted(epsilons)
    assert all(each.explanation and each.theorem for each in answer.derivations)


def test_the_renyi_divergence_of_randomized_response_beats_epsilon_squared() -> None:
    """One (3, 0)-DP mechanism beside ρ = 1/10: as (9/2)-zCDP it would cost ε = 19.5."""
    answer = converted([ConcentratedMechanism("1/10"), Mechanism(3)], "1e-6")
    assert answer.upper is not None
    assert answer.upper < mpq("5.138") < zcdp.least_epsilon("46/10", "1e-6").lower


@pytest.mark.parametrize("entry", [GaussianMechanism(1), ConcentratedMechanism(1)])
def test_without_delta_no_epsilon_is_enough(entry: Entry) -> None:
    answer = converted([entry, Mechanism(1, "1e-3")], "1e-3")
    assert (answer.feasible, answer.lower, answer.upper) == (False, None, None)
    assert accepted(answer) == {"lower"}
    assert answer.least_feasible_delta == "0.001"


def test_at_delta_one_nothing_is_needed() -> None:
    answer = converted([GaussianMechanism(1)], "1")
    assert (answer.lower, answer.upper, answer.method) == (mpq(0), mpq(0), "closed-form")
    assert accepted(answer) == {"upper"}


def test_zero_noise_by_any_name_is_no_mechanism() -> None:
    ledger = [Mechanism("1/10", 0, 5), GaussianMechanism(0, 3), ConcentratedMechanism(0)]
    answer = compose(ledger, delta="1e-3")
    assert answer.derivations == ()
    assert answer.upper == compose([("1/10", 0, 5)], delta="1e-3").upper
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"


@pytest.mark.parametrize(
    ("ledger", "epsilon", "delta", "holds"),
    [
        ([GaussianMechanism(1)], "4.4", "1e-5", True),
        ([GaussianMechanism(1)], "4.3", "1e-5", False),
        ([ConcentratedMechanism("1/2")], "5", "1e-5", True),
        ([ConcentratedMechanism("1/2")], "4", "1e-5", False),
        ([GaussianMechanism(1), Mechanism("ln(3)")], "ln(300)", "1e-5", True),
        ([GaussianMechanism(1)], "5", "0", False),
        ([GaussianMechanism(1)], "0", "1", True),
    ],
)
def test_a_claim_is_proved_or_refuted_with_a_certificate(
    ledger: list[Entry], epsilon: str, delta: str, holds: bool
) -> None:
    decided = certify(ledger, epsilon=epsilon, delta=delta)
    assert decided.holds == holds
    verdict = verify_bytes(decided.certificate.to_bytes(), claim=(epsilon, delta))
    assert verdict.status == "accepted"
    assert verdict.settles.startswith("proves" if holds else "refutes")


def test_what_rho_leaves_open_is_neither_proved_nor_refuted() -> None:
    with pytest.raises(CostLimitError, match="neither derivable nor refuted") as caught:
        certify([ConcentratedMechanism("1/2")], epsilon="4.5", delta="1e-5")
    assert caught.value.code == "not-derivable"
    assert caught.value.exit_code == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ledger", "delta"),
    [
        ([ConcentratedMechanism("1e-30"), Mechanism("1/2", 0, 10), GaussianMechanism(1)], "1e-6"),
        ([ConcentratedMechanism(1000), Mechanism("1/2", 0, 2)], "1e-6"),
        ([ConcentratedMechanism("1/3"), Mechanism(20, 0, 2)], "2^-300"),
        ([GaussianMechanism("1/3"), Mechanism(20, 0, 2)], "2^-900"),
        ([GaussianMechanism("1e-9", 10**18), Mechanism("1e-12", 0, 1000)], "1e-6"),
    ],
)
def test_far_parameters_are_answered_and_certified(ledger: list[Entry], delta: str) -> None:
    assert accepted(converted(ledger, delta)) == {"upper", "lower"}


def test_an_engine_of_optimal_composition_cannot_be_forced() -> None:
    with pytest.raises(InputError, match="the best rule is chosen"):
        compose([GaussianMechanism(1)], delta="1e-5", method="grid")
