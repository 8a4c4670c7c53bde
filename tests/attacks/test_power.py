"""The power of an attack against all subsets of outcomes, and against closed forms."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

import mpmath  # type: ignore[import-untyped]
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

import exactdp
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.attacks.power import (
    RatioPoint,
    both_roles,
    least_power,
    least_power_of_one_pair,
    most_power,
)
from exactdp.attacks.proofs import delta_implying, delta_refuting
from exactdp.attacks.results import Risk
from exactdp.attacks.risk import risk
from exactdp.claims.attacks import decide_about_attacks
from exactdp.composition.answers.results import ProfilePoint
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import DomainError, InputError
from exactdp.ledger import Ledger
from exactdp.ledger.model import Claim
from exactdp.mechanisms import GaussianMechanism
from exactdp.verifier import verify_bytes, verify_together
from tests.cli.running import exactdp as exactdp_command
from tests.marking import each_case

Law = Sequence[Fraction]
rates = st.sampled_from(["1/1000", "1/50", "1/3", "4/5"])
odds = st.sampled_from(["ln(2)", "ln(3)", "ln(3/2)", "ln(9/8)"])
losses = st.sampled_from(["0", "1/10", "1/100"])
few = st.one_of(
    st.lists(st.tuples(odds, losses), min_size=1, max_size=1),
    st.lists(st.tuples(odds, st.just("0")), min_size=1, max_size=3),
)
"""Mechanisms with at most eight outcomes."""


TABLE = (
    '{"neighbouring": "add-remove-one", "mechanisms": '
    '[{"pair": {"p": ["3/4", "1/4"], "q": ["1/2", "1/2"]}}]}'
)

SAMPLED = (
    '{"neighbouring": "add-remove-one", "mechanisms": '
    '[{"sigma": 1, "sensitivity": 1, "rate": "1/4", "count": 3}]}'
)


def divergence(p: Law, q: Law, ratio: Fraction) -> Fraction:
    """The hockey-stick divergence, as a sum over the outcomes of the best event."""
    return sum((max(a - ratio * b, Fraction(0)) for a, b in zip(p, q, strict=True)), Fraction(0))


def best_subset(p: Law, q: Law, alpha: Fraction) -> Fraction:
    """The greatest power of level alpha: over all subsets, with one more outcome at random.

    By the lemma of Neyman and Pearson, Philosophical Transactions A 231, 1933, Sect. III, no other
    test has more.
    """
    best = Fraction(0)
    for chosen in product((False, True), repeat=len(p)):
        level = sum((b for b, taken in zip(q, chosen, strict=True) if taken), Fraction(0))
        power = sum((a for a, taken in zip(p, chosen, strict=True) if taken), Fraction(0))
        if level > alpha:
            continue
        room = alpha - level
        others = [(a, b) for a, b, taken in zip(p, q, chosen, strict=True) if not taken]
        more = (a if b <= room else a * room / b for a, b in others)
        best = max(best, power + max(more, default=Fraction(0)))
    return best


def responses(mechanisms: Sequence[tuple[Fraction, Fraction]]) -> tuple[Law, Law]:
    """Both laws of randomized responses with (e^ε, δ), composed (Murtagh & Vadhan, Def 2.4)."""
    singles = []
    for ratio, delta in mechanisms:
        high, low = ratio / (1 + ratio) * (1 - delta), 1 / (1 + ratio) * (1 - delta)
        singles.append(((delta, high, low, Fraction(0)), (Fraction(0), low, high, delta)))
    laws = ([prod(each) for each in product(*(law[i] for law in singles))] for i in (0, 1))
    p, q = zip(*((a, b) for a, b in zip(*laws, strict=True) if a or b), strict=True)
    return p, q


def powers(found: Risk) -> tuple[Fraction, Fraction]:
    ends = found.rates[0].lower.exact, found.rates[0].upper.exact
    low, high = (Fraction(int(end.numerator), int(end.denominator)) for end in ends)
    return low, high


@settings(max_examples=25, deadline=None)
@given(few, rates)
def test_ends_are_about_the_best_of_all_subsets(
    mechanisms: list[tuple[str, str]], alpha: str
) -> None:
    """Dong, Roth & Su, JRSS B 84, 2022, Prop 6: the dual of the profile is the best test."""
    laws = responses([(Fraction(each[3:-1]), Fraction(delta)) for each, delta in mechanisms])
    truth = best_subset(*laws, Fraction(alpha))
    low, high = powers(risk(mechanisms, fpr=[alpha]))
    assert low <= truth <= high
    assert high - low <= truth / 10**6


pair = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=5).filter(
    lambda both: all(sum(law) for law in zip(*both, strict=True))
)
places = st.lists(st.fractions(1, 6, max_denominator=20), min_size=1, max_size=6, unique=True)

levels = st.fractions("1/100", "99/100", max_denominator=100)


def laws_of(both: Sequence[tuple[int, int]]) -> tuple[Law, Law]:
    p, q = (
        tuple(Fraction(each, sum(law)) for each in law)
        for law in (list(part) for part in zip(*both, strict=True))
    )
    return p, q


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.lists(pair, min_size=1, max_size=2), places, st.fractions("1/100", "99/100"), st.booleans()
)
def test_no_end_is_false_whichever_pair_attains_a_point(
    many: list[list[tuple[int, int]]], ratios: list[Fraction], alpha: Fraction, wide: bool
) -> None:
    """Dong, Roth & Su, JRSS B 84, 2022, Prop 6, for the worst of several pairs in both roles."""
    pairs = [laws_of(each) for each in many]
    pairs += [(q, p) for p, q in pairs]
    slack = Fraction(1, 50) if wide else Fraction(0)
    points: list[RatioPoint] = []
    for ratio in ratios:
        most = max(divergence(p, q, ratio) for p, q in pairs)
        low, high = (
            mpq(each) for each in (max(most - slack, Fraction(0)), min(most + slack, Fraction(1)))
        )
        point = ProfilePoint(ExactNumber.ln(ratio), low, high, "atoms")
        points += both_roles(mpq(ratio), point)
    truth = mpq(max(best_subset(p, q, alpha) for p, q in pairs))
    assert least_power(points, mpq(alpha)).value <= truth <= most_power(points, mpq(alpha)).value


@settings(max_examples=100, deadline=None)
@given(pair, st.fractions("1/6", 6, max_denominator=20), levels, levels)
def test_that_one_claim_fails_shows_more_true_positives_than_are_named(
    both: list[tuple[int, int]], ratio: Fraction, alpha: Fraction, share: Fraction
) -> None:
    """Dong, Roth & Su, JRSS B 84, 2022, Prop 6: mixed with saying one thing always."""
    pairs = [laws_of(both), laws_of(both)[::-1]]
    least = alpha + share * (1 - alpha)
    epsilon, delta = delta_refuting(mpq(ratio), mpq(alpha), mpq(least))
    assert epsilon == ExactNumber.ln(mpq(max(ratio, 1 / ratio)))
    fails = max(divergence(p, q, max(ratio, 1 / ratio)) for p, q in pairs) > Fraction(str(delta))
    assert not fails or max(best_subset(p, q, alpha) for p, q in pairs) > least


@each_case(("ratio", "alpha", "least"), [(3, "1/10", "1/5"), ("1/4", "9/10", "24/25")])
def test_no_lesser_delta_than_the_one_that_refutes_would_do(
    ratio: str | int, alpha: str, least: str
) -> None:
    """The test that is worst for it has as many true positives as are named, and no more."""
    z, rate, found = mpq(ratio), mpq(alpha), mpq(least)
    epsilon, delta = delta_refuting(z, rate, found)
    points = both_roles(max(z, 1 / z), ProfilePoint(epsilon, delta, delta, "atoms"))
    assert max(least_power([point], rate).value for point in points) == found


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 6), min_size=2, max_size=5), places, levels)
def test_one_pair_that_is_the_same_in_both_roles_attains_its_lower_end(
    masses: list[int], ratios: list[Fraction], alpha: Fraction
) -> None:
    """Dong, Roth & Su, JRSS B 84, 2022, Prop 6, for a law and the same law backwards."""
    p = tuple(Fraction(each, sum(masses)) for each in masses)
    q = tuple(reversed(p))
    points: list[RatioPoint] = []
    for ratio in ratios:
        most = mpq(divergence(p, q, ratio))
        points += both_roles(mpq(ratio), ProfilePoint(ExactNumber.ln(ratio), most, most, "atoms"))
    found = least_power_of_one_pair(points, mpq(alpha))
    assert found <= mpq(best_subset(p, q, alpha))
    assert found >= least_power(points, mpq(alpha)).value or found >= mpq(alpha)


@each_case("alpha", ["1/1000", "1/100", "1/2", "99/100"])
def test_one_randomized_response_has_the_power_that_is_known_exactly(alpha: str) -> None:
    rate = Fraction(alpha)
    truth = min(3 * rate, 1 - (1 - rate) / 3)
    low, high = powers(risk(["ln(3)"], fpr=[alpha]))
    assert low <= truth <= high
    assert high - low < Fraction(1, 10**9)


@each_case("alpha", ["1/1000", "1/20", "9/10"])
def test_gaussian_noise_has_the_power_that_is_known_exactly(alpha: str) -> None:
    """Dong, Roth & Su's G_μ: Φ(μ + Φ⁻¹(α)), by mpmath."""
    ledger = Ledger.of([exactdp.GaussianMechanism(1)])
    low, high = powers(risk(ledger, fpr=[alpha]))
    with mpmath.workdps(30):
        rate = mpmath.mpf(Fraction(alpha).numerator) / Fraction(alpha).denominator
        place = mpmath.sqrt(2) * mpmath.erfinv(2 * rate - 1)
        truth = Fraction(str(mpmath.ncdf(1 + place)))
    assert low <= truth <= high
    assert high - low < truth / 10**5


def test_the_values_of_gaussian_noise_are_enclosed() -> None:
    found = risk([exactdp.GaussianMechanism(1)])
    assert found.rates[0].lower < Fraction("0.0182984684056566") < found.rates[0].upper
    assert found.guesses[0].lower < Fraction("0.6914624613") + Fraction(1, 10**10)
    assert found.guesses[0].upper > Fraction("0.6914624612")
    low, high = found.advantage
    assert low < Fraction("0.3829249226")
    assert high > Fraction("0.3829249225")


@settings(max_examples=20, deadline=None)
@given(odds, losses, st.sampled_from(["1/100", "1/3", "1/2", "3/4", "98/100"]))
def test_right_guesses_are_those_of_bayes(epsilon: str, delta: str, prior: str) -> None:
    """Bayes' rule (Duda, Hart & Stork, 2001, Sect 2.2): each answer is given to the likelier."""
    p, q = responses([(Fraction(epsilon[3:-1]), Fraction(delta))])
    weight = Fraction(prior)
    truth = sum(max(weight * a, (1 - weight) * b) for a, b in zip(p, q, strict=True))
    found = risk([(epsilon, delta)], prior=[prior]).guesses[0]
    assert found.lower <= truth <= found.upper
    assert found.upper - found.lower < Fraction(1, 10**9)


def test_nothing_is_found_where_nothing_is_revealed() -> None:
    found = risk(["0"], fpr=["1/10"], prior=["1/5"])
    assert found.rates[0].upper - Fraction(1, 10) < Fraction(1, 10**9)
    assert found.rates[0].lower == Fraction(1, 10)
    assert found.guesses[0].lower == found.guesses[0].upper == Fraction(4, 5)
    assert [end.exact for end in found.advantage] == [0, 0]


@pytest.mark.slow
@each_case(
    "ledger",
    [
        '{"mechanisms": [{"rho": "1/2"}]}',
        '{"mechanisms": [{"rho": "1/8"}, {"epsilon": "1/10", "delta": "1e-6"}, {"mu": "1/2"}]}',
        '{"mechanisms": [{"laplace": {"scale": 2, "sensitivity": 1}}]}',
        TABLE,
        '{"mechanisms": [{"epsilon": "1", "delta": 0}], "interaction": "concurrent"}',
    ],
)
def test_every_family_has_ends_in_order(ledger: str) -> None:
    found = risk(exactdp.read_ledger(ledger.encode()), fpr=["1/100", "2/3"], prior=["1/4"])
    ends = [(each.lower_end, each.upper_end) for each in found.rates]
    ends += [(each.lower_end, each.upper_end) for each in found.guesses]
    assert [0 < low <= high <= 1 for low, high in ends] == [True] * len(ends)
    assert [rate.lower >= rate.fpr for rate in found.rates] == [True, True]


@each_case(
    ("arguments", "words"),
    [
        ({"fpr": ["0"]}, "fpr: 0: expected a rational above 0"),
        ({"fpr": ["1"]}, "fpr: 1: expected a rational above 0"),
        ({"prior": ["-1/2"]}, "prior: -1/2: expected"),
        ({"prior": ["1e-200"]}, "within 1e-100"),
        ({"fpr": "0.1"}, "expected a list of numbers"),
        ({"tolerance": "0"}, "tolerance: 0"),
    ],
)
def test_what_is_no_rate_is_refused(arguments: dict[str, object], words: str) -> None:
    with pytest.raises((DomainError, InputError), match=words):
        risk(["1"], **arguments)  # type: ignore[arg-type]  # what a caller may pass


def test_a_float_is_refused() -> None:
    with pytest.raises(InputError, match="exact number"):
        risk(["1"], fpr=[0.1])  # type: ignore[list-item]  # a float, as a caller may pass it


@each_case(
    "mechanisms",
    [[("ln(3)", 0, 2)], [("0.1", "1e-6", 20)], [exactdp.GaussianMechanism(1)]],
)
def test_the_claim_that_an_upper_end_follows_from_is_proved(
    mechanisms: list[exactdp.Mechanism],
) -> None:
    """Kairouz, Oh & Viswanath, ICML 2015, Thm 2.1: what (ε, δ) allows."""
    found = risk(mechanisms, fpr=["1/100", "3/4"])
    for rate in found.rates:
        point, alpha = rate.above, rate.fpr
        assert point is not None
        assert exactdp.certify(mechanisms, epsilon=point.epsilon, delta=point.upper_end).holds
        odds, delta = point.epsilon.rational_odds(), point.upper_end
        assert odds is not None
        assert rate.upper_end == min(delta + odds * alpha, 1 - (1 - delta - alpha) / odds)
        assert rate.ratio is not None
        assert delta_implying(rate.ratio, alpha, rate.upper_end) == (point.epsilon, delta)


@pytest.mark.slow
def test_a_lower_end_of_true_positives_follows_from_no_one_claim_and_is_computed() -> None:
    ledger = exactdp.read_ledger(SAMPLED.encode())
    [rate] = risk(ledger, fpr=["1/20"], tolerance="1/1000").rates
    assert rate.evidence == ("computed", "certificate")
    assert rate.lower_end > rate.upper_end * mpq(4, 5)


def test_where_a_record_is_replaced_nobody_speaks_of_membership(tmp_path: Path) -> None:
    ledger = {"neighbouring": "replace-one", "mechanisms": [{"epsilon": "1"}]}
    (tmp_path / "l.json").write_text(json.dumps(ledger))
    first = exactdp_command("risk", str(tmp_path / "l.json"), "--prior", "1/2").lines[0]
    assert first.startswith("Right with a probability ≤ 0.73")
    assert "from a prior of 0.5: no attack on which of two records is there does better" in first
    assert "membership" not in first


@pytest.mark.slow
def test_training_by_samples_has_the_advantage_that_riskcal_computes() -> None:
    """riskcal 1.5.1 on dp-accounting's distributions: 0.1610184."""
    noise = {"sigma": "1", "rate": "1/100", "count": 1000}
    ledger = {"neighbouring": "add-remove-one", "mechanisms": [noise]}
    training = exactdp.read_ledger(json.dumps(ledger).encode())
    low, high = risk(training, prior=["1/2"], tolerance="1e-4").advantage
    assert Fraction("0.161014") < low <= Fraction("0.1610185")
    assert Fraction("0.1610184") <= high < Fraction("0.161023")
    point = exactdp.certify(training, epsilon="1.5", delta="0.000109261")
    assert point.holds
    assert delta_implying(mpq("4.4816890704"), mpq(1, 1000), mpq("0.0045910"))[1] >= mpq(
        "0.000109261"
    )


def test_a_claim_near_the_truth_is_refuted_by_three_certificates_together() -> None:
    """Of μ = 1 the truth is 0.018298 at 1/1000; one certificate alone refutes up to 0.0105."""
    for tpr, count in (("0.0104", 1), ("0.018", 3), ("0.018298", 0)):
        claim = Claim(None, None, "composition", "", fpr=mpq("1/1000"), tpr=mpq(tpr))
        found = decide_about_attacks(Ledger((GaussianMechanism(1),)), claim, DEFAULT_MAX_COST)
        shown = [each for each in (found.certificate, *found.beside) if each is not None]
        assert (found.outcome, len(shown)) == ("refuted", count)
        stated = {"fpr": "1/1000", "tpr": tpr}
        if count == 1:
            assert verify_bytes(shown[0].to_bytes(), claim=stated).settles.startswith("refutes")
        elif count:
            data = [each.to_bytes() for each in shown]
            assert verify_together(data, claim=stated).settles.startswith("refutes")
            assert verify_together(data[:1], claim=stated).status == "rejected"
