"""Claims that statements settle: by all laws on a few outputs, and by what each form says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactdp.verifier import verify_bytes
from exactdp.verifier.format.numbers import Number, normal_form
from exactdp.verifier.format.outcomes import RejectedError
from exactdp.verifier.format.strict_json import Json
from exactdp.verifier.question.claim import check_claim, read_claim, texts_of_claim
from exactdp.verifier.question.together import check_together
from exactdp.verifier.statement import Bound, Statement, Subject
from tests.marking import each_case
from tests.verifier.format_cases import written
from tests.verifier.noise_cases import entry
from tests.verifier.notion_cases import summed

Law = tuple[Fraction, ...]
weights = st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any)
inside = st.fractions("1/40", "39/40", max_denominator=40)


def law(numbers: list[int]) -> Law:
    return tuple(Fraction(each, sum(numbers)) for each in numbers)


def profile(p: Law, q: Law, y: Fraction) -> Fraction:
    return sum((max(Fraction(0), a - y * b) for a, b in zip(p, q, strict=True)), Fraction(0))


def found(p: Law, q: Law, fpr: Fraction) -> Fraction:
    """The most true positives: outputs by their ratio, the last one by a coin."""
    total, spent = Fraction(0), Fraction(0)
    for a, b in sorted(
        zip(p, q, strict=True), key=lambda each: -each[0] / max(each[1], Fraction(1, 10**9))
    ):
        if spent + b <= fpr:
            total, spent = total + a, spent + b
        else:
            return total + a * (fpr - spent) / b
    return total


def logarithm(y: Fraction) -> Number:
    return normal_form([Fraction(0)], [(Fraction(1), y)])


def verb(bound: Bound, **claim: object) -> str:
    try:
        return check_claim(bound, read_claim({name: str(text) for name, text in claim.items()}))
    except RejectedError:
        return "nothing"


def attacks(p: Law, q: Law, fpr: Fraction) -> Fraction:
    """Either of both may be the one with the member."""
    return max(found(p, q, fpr), found(q, p, fpr))


@settings(max_examples=300, deadline=None)
@given(weights, weights, st.fractions(1, 6, max_denominator=8), inside, inside)
def test_true_positives_that_a_bound_proves_or_refutes_are_so(
    one: list[int], other: list[int], y: Fraction, fpr: Fraction, tpr: Fraction
) -> None:
    """Dong, Roth & Su 2022, Prop 6."""
    p, q = law(one), law(other)
    delta = max(profile(p, q, y), profile(q, p, y))
    truth = attacks(p, q, fpr)
    upper = Bound("upper", logarithm(y), delta, 1)
    if verb(upper, fpr=fpr, tpr=tpr) == "proves":
        assert truth <= tpr
    assert verb(upper, fpr=fpr, tpr=min(Fraction(1), delta + y * fpr)) == "proves"
    exchanged = 1 - (1 - delta - fpr) / y
    assert exchanged > 1 or verb(upper, fpr=fpr, tpr=max(fpr, exchanged)) == "proves"
    assume(delta > 0)
    lower = Bound("lower", logarithm(y), delta * Fraction(999, 1000), 1)
    if verb(lower, fpr=fpr, tpr=tpr) == "refutes":
        assert truth > tpr


@settings(max_examples=200, deadline=None)
@given(weights, weights, inside, inside)
def test_right_guesses_are_settled_by_the_delta_at_the_odds_of_the_prior(
    one: list[int], other: list[int], prior: Fraction, success: Fraction
) -> None:
    """Dong, Roth & Su 2022, Prop 6: Bayes' guess, right with max(π·p, (1 - π)·q) of each output."""
    p, q = law(one), law(other)
    right = max(
        sum((max(prior * a, (1 - prior) * b) for a, b in zip(*laws, strict=True)), Fraction(0))
        for laws in ((p, q), (q, p))
    )
    y = max(prior, 1 - prior) / min(prior, 1 - prior)
    delta = max(profile(p, q, y), profile(q, p, y))
    upper = Bound("upper", logarithm(y), delta, 1)
    assert (verb(upper, prior=prior, success=success) == "proves") == (right <= success)
    lower = Bound("lower", logarithm(y), delta, 1)
    assert (verb(lower, prior=prior, success=success) == "refutes") == (success <= right)


def scope(bound: Bound) -> Statement:
    """A statement about one thing, whatever it is."""
    return Statement(bound, OneRunOfNothing(), "unspecified", "adaptive", "")


class OneRunOfNothing(Subject):
    """A subject of no mechanisms."""

    type = "none"
    interactions = ("adaptive",)
    count = 0

    @classmethod
    def read(cls, value: Json) -> OneRunOfNothing:
        """None is read."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OneRunOfNothing)

    def __hash__(self) -> int:
        return 0


def refuted_together(bounds: list[Bound], fpr: Fraction, tpr: Fraction) -> bool:
    claim = read_claim({"fpr": str(fpr), "tpr": str(tpr)})
    try:
        check_together([scope(each) for each in bounds], claim)
    except RejectedError:
        return False
    return True


ratios = st.fractions(1, 8, max_denominator=9)


@settings(max_examples=400, deadline=None)
@given(weights, weights, ratios, st.lists(ratios, max_size=3), inside, inside, inside)
def test_what_bounds_refute_together_some_test_exceeds(
    one: list[int],
    other: list[int],
    y: Fraction,
    beside: list[Fraction],
    slack: Fraction,
    fpr: Fraction,
    tpr: Fraction,
) -> None:
    """Dong, Roth & Su 2022, Prop 6: the most true positives are the least of H(z) + zα."""
    p, q = law(one), law(other)
    truth = attacks(p, q, fpr)

    def most(at: Fraction) -> Fraction:
        return max(profile(p, q, at), profile(q, p, at))

    bounds = [Bound("lower", logarithm(y), most(y), 1)]
    bounds += [
        Bound("upper", logarithm(z), min(Fraction(1), most(z) * (1 + slack / 9)), 1) for z in beside
    ]
    if refuted_together(bounds, fpr, tpr):
        assert truth > tpr
    assert not refuted_together(bounds, fpr, truth)
    assert not bounds[1:] or not refuted_together(bounds[1:], fpr, Fraction(0))


def test_three_points_refute_what_one_does_not() -> None:
    """The profile of (3/5, 3/10, 1/10) against its reverse, at and about its angle of 1."""
    p, q = law([6, 3, 1]), law([1, 3, 6])
    points = {Fraction(y): profile(p, q, Fraction(y)) for y in ("1", "3", "5")}
    lower = Bound("lower", logarithm(Fraction(3)), points[Fraction(3)], 1)
    uppers = [Bound("upper", logarithm(y), delta, 1) for y, delta in points.items() if y != 3]
    fpr, truth = Fraction(1, 10), found(p, q, Fraction(1, 10))
    assert verb(lower, fpr=fpr, tpr=truth * Fraction(9, 10)) == "nothing"
    assert refuted_together([lower, *uppers], fpr, truth * Fraction(9, 10))
    another = replace(scope(uppers[0]), interaction="concurrent")
    with pytest.raises(RejectedError, match="not about one thing"):
        check_together([scope(lower), another], read_claim({"fpr": "1/10", "tpr": "1/2"}))
    with pytest.raises(RejectedError, match="only a claim of true positives"):
        check_together([scope(lower)], read_claim(("1", "0")))


@each_case(
    ("bounds", "reason"),
    [
        ([], "there are no statements"),
        ([Bound("lower", logarithm(Fraction(3)), Fraction(0), g) for g in (1, 2)], "of different"),
        ([Bound("lower", normal_form([Fraction(1)], []), Fraction(0), 1)], "not the logarithm"),
    ],
)
def test_statements_that_cannot_be_put_together_are_rejected(
    bounds: list[Bound], reason: str
) -> None:
    with pytest.raises(RejectedError, match=reason):
        check_together([scope(each) for each in bounds], read_claim({"fpr": "1/9", "tpr": "1/9"}))


def test_a_lower_bound_on_every_epsilon_refutes_by_its_delta_alone() -> None:
    every = Bound("lower", None, Fraction(1, 10), 1)
    assert verb(every, fpr="1/100", tpr="0.109") == "refutes"
    assert verb(every, fpr="1/100", tpr="0.11") == "nothing"


@each_case(("notion", "other"), [("rho", "mu"), ("mu", "rho")])
def test_an_amount_is_settled_by_statements_in_its_own_notion(notion: str, other: str) -> None:
    amount = {"rho": "1", "mu": "2"}
    entries = [entry(rho="1")] if notion == "rho" else [entry(mu="2")]
    upper = written(summed(notion, "upper", entries, amount[notion]))
    verdict = verify_bytes(upper, claim={notion: amount[notion]})
    assert verdict.settles == f"proves the claim ({notion} = {amount[notion]})"
    for claim in ({notion: "0.9"}, {other: "9"}, {"epsilon": "9", "delta": "0"}):
        assert verify_bytes(upper, claim=claim).status == "rejected"
    lower = written(summed(notion, "lower", entries, "9/10"))
    assert verify_bytes(lower, claim={notion: "9/10"}).settles.startswith("refutes")
    assert verify_bytes(lower, claim={notion: "0.91"}).status == "rejected"


@each_case(
    ("text", "claim"),
    [
        ("2.64,0", ("2.64", "0")),
        (" ln(2) , 1e-6", ("ln(2)", "1e-6")),
        ("rho=1/2", {"rho": "1/2"}),
        ("Prior = 0.5, success = 0.7", {"prior": "0.5", "success": "0.7"}),
        ("delta=1e-6,epsilon=1", {"delta": "1e-6", "epsilon": "1"}),
        ("1", None),
        ("rho=1,mu=1", None),
        ("fpr=1", None),
        ("rho=1,rho=2", None),
        ("tpr=0.1,1", None),
    ],
)
def test_claims_are_read_as_they_are_typed(text: str, claim: object) -> None:
    assert texts_of_claim(text) == claim


@pytest.mark.parametrize(
    "claim",
    [
        {"fpr": "0", "tpr": "0"},
        {"fpr": "1", "tpr": "1"},
        {"fpr": "ln(2)", "tpr": "1"},
        {"prior": "0", "success": "1/2"},
        {"prior": "1/2", "success": "2"},
        {"rho": "-1"},
        {"rho": "x"},
        {"epsilon": "1"},
    ],
)
def test_a_claim_that_is_none_is_malformed(claim: dict[str, str]) -> None:
    data = written(summed("rho", "upper", [entry(rho="1")], "1"))
    assert verify_bytes(data, claim=claim).status == "malformed"
