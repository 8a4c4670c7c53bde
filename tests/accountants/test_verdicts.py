"""Verdicts: what is said of an answer, and that nothing is said without proof."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest
from gmpy2 import mpq

from exactdp import compose, verify
from exactdp.accountants.protocol import AccountantAnswer, AccountantQuestion
from exactdp.accountants.verdicts import AnswerVerdict, Truth, judge
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import LaplaceMechanism
from tests.accountants.asking import question
from tests.composition.oracle import Group, SubsetSums, budget_of, expand, fraction

TWICE = question(["ln(3)", "ln(3)"], delta="1/10")  # least ε: ln(37/5)
INFEASIBLE = question([("1", "1/10", 2)], delta="18/100")


def _judged(asked: AccountantQuestion, **numbers: object) -> AnswerVerdict:
    read = {
        key: mpq(str(value)) if key in ("epsilon", "delta") and value not in SPECIAL else value
        for key, value in numbers.items()
    }
    return judge(AccountantAnswer("answered", **read), Truth(asked))  # type: ignore[arg-type]


SPECIAL = ("nan", "inf", "-inf")


def test_an_answer_below_the_truth_is_unsound_and_refuted_at_its_own_number() -> None:
    verdict = _judged(TWICE, epsilon="2")
    assert verdict.outcome == "unsound"
    assert verdict.accuses
    assert verdict.certificate is not None
    data = verdict.certificate.to_bytes()
    assert verify(data, claim=("2", "1/10")).status == "accepted"
    assert json.loads(data)["statement"]["epsilon"] == "2"
    assert verdict.gap is not None
    assert mpq("0.00148") < verdict.gap < mpq("0.001480001")  # ln(37/5) - 2 = 0.00148…


def test_an_answer_above_the_truth_is_sound_and_how_loose_is_said() -> None:
    verdict = _judged(TWICE, epsilon="3")
    assert (verdict.outcome, verdict.certificate, verdict.accuses) == ("sound", None, False)
    assert verdict.looseness is not None
    assert mpq("0.99851") < verdict.looseness < mpq("0.99853")


def test_a_tie_goes_to_the_accountant() -> None:
    asked = question([("0.1", 0, 12)], delta="0")
    assert _judged(asked, epsilon="1.2").outcome == "sound"
    assert _judged(asked, epsilon="1.2").looseness == 0
    assert _judged(asked, epsilon="1.1999999999999999").outcome == "low"
    assert _judged(asked, epsilon="1.199998").outcome == "unsound"


@pytest.mark.parametrize("basis", ["finer-structure", "amplification"])
def test_one_who_knows_more_may_be_lower_but_is_sound_where_it_is_not(basis: str) -> None:
    verdict = _judged(TWICE, epsilon="1", basis=basis)
    assert (verdict.outcome, verdict.certificate) == ("not-comparable", None)
    assert "more than (ε, δ)" in verdict.message
    assert _judged(TWICE, epsilon="3", basis=basis).outcome == "sound"


@pytest.mark.parametrize("value", SPECIAL)
def test_what_is_not_finite_is_unusable(value: str) -> None:
    verdict = _judged(TWICE, epsilon=value)
    assert (verdict.outcome, verdict.message, verdict.certificate) == ("unusable", value, None)


def test_a_negative_number_is_unusable_and_what_it_implies_is_refuted() -> None:
    verdict = _judged(TWICE, epsilon="-1")
    assert (verdict.outcome, verdict.accuses) == ("unusable", False)
    assert verdict.certificate is not None
    assert verify(verdict.certificate.to_bytes(), claim=("0", "1/10")).status == "accepted"


def test_a_negative_number_that_implies_what_is_true_is_not_refuted() -> None:
    verdict = _judged(question(["0"], delta="0"), epsilon="-1")
    assert (verdict.outcome, verdict.certificate) == ("unusable", None)


def test_a_negative_delta_is_refuted_at_the_epsilon_that_was_asked_about() -> None:
    verdict = _judged(question(["ln(3)", "ln(3)"], epsilon="ln(3)"), delta="-0.1")
    assert verdict.certificate is not None
    assert verify(verdict.certificate.to_bytes(), claim=("ln(3)", "0")).status == "accepted"


def test_an_error_is_unusable_in_the_accountants_own_words() -> None:
    verdict = judge(AccountantAnswer("error", "ValueError: no"), Truth(TWICE))
    assert (verdict.outcome, verdict.message) == ("unusable", "ValueError: no")


def test_an_answer_without_the_number_that_was_asked_for_is_unusable() -> None:
    assert _judged(TWICE, delta="0.1").outcome == "unusable"
    assert _judged(question(["1"], epsilon="1"), epsilon="1").outcome == "unusable"


def test_no_number_at_all_is_no_verdict() -> None:
    assert judge(AccountantAnswer("missing", "x"), Truth(TWICE)).outcome == "not-installed"
    assert judge(AccountantAnswer("unsupported", "x"), Truth(TWICE)).outcome == "not-asked"


def test_an_accountant_is_judged_at_the_delta_that_it_names() -> None:
    assert _judged(TWICE, epsilon="2", delta="0.2").outcome == "sound"
    assert _judged(TWICE, epsilon="2", delta="0.05").outcome == "unsound"
    assert _judged(TWICE, epsilon="0", delta="7").outcome == "sound"  # δ = 1 promises nothing


def test_infinity_or_a_refusal_is_the_right_answer_where_no_epsilon_is_enough() -> None:
    assert _judged(INFEASIBLE, epsilon="inf").outcome == "infeasible-handled"
    refused = judge(AccountantAnswer("error", "δ is too small"), Truth(INFEASIBLE))
    assert (refused.outcome, refused.message) == ("infeasible-handled", "δ is too small")


def test_silence_handles_nothing() -> None:
    verdict = judge(AccountantAnswer("silent", "no answer within 1 s"), Truth(INFEASIBLE))
    assert (verdict.outcome, verdict.message) == ("unusable", "no answer within 1 s")


def test_a_refuted_claim_stays_refuted_where_its_distance_costs_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    truth = Truth(TWICE)
    truth.at_delta(mpq(1, 10))

    def costly(*_: object, **__: object) -> None:
        raise CostLimitError(field="ledger", value="", expected="less")

    monkeypatch.setattr(truth, "_narrowest", costly)
    low = judge(AccountantAnswer("answered", epsilon=mpq(2), delta=mpq(1, 20)), truth)
    assert (low.outcome, low.gap, low.accuses) == ("unsound", None, True)
    high = judge(AccountantAnswer("answered", epsilon=mpq(3), delta=mpq(1, 20)), truth)
    assert (high.outcome, high.looseness) == ("sound", None)


def test_a_finite_epsilon_where_none_is_enough_is_not_handled() -> None:
    verdict = _judged(INFEASIBLE, epsilon="100")
    assert (verdict.outcome, verdict.gap, verdict.accuses) == ("infeasible-not-handled", None, True)
    assert verdict.certificate is not None
    assert verdict.certificate.rule == "trivial"
    assert _judged(INFEASIBLE, epsilon="100", basis="amplification").outcome == "not-comparable"


@pytest.mark.parametrize("value", ["nan", "-1"])
def test_nonsense_where_no_epsilon_is_enough_is_not_handled_and_no_accusation(value: str) -> None:
    verdict = _judged(INFEASIBLE, epsilon=value)
    assert (verdict.outcome, verdict.accuses) == ("infeasible-not-handled", False)


def test_a_delta_of_its_own_that_nobody_can_reach_is_unsound_in_delta() -> None:
    verdict = _judged(question([("3", "1e-5", 500)], delta="0.006"), epsilon="1500", delta=".0049")
    assert (verdict.outcome, verdict.in_delta) == ("unsound", True)
    least = 1 - (1 - mpq(1, 10**5)) ** 500
    assert verdict.gap is not None
    assert 0 <= least - mpq("0.0049") - verdict.gap < mpq(1, 10**20)


def test_delta_at_an_epsilon_is_judged_likewise() -> None:
    asked = question(["ln(3)", "ln(3)"], epsilon="ln(3)")  # δ = 3/8
    low, high = _judged(asked, delta="0.37"), _judged(asked, delta="0.38")
    assert (low.outcome, low.in_delta) == ("unsound", True)
    assert low.gap == mpq(3, 8) - mpq("0.37")
    assert (high.outcome, high.looseness) == ("sound", mpq("0.38") - mpq(3, 8))
    assert _judged(asked, delta="0.375").outcome == "sound"
    assert _judged(asked, delta="-0.1").outcome == "unusable"
    assert _judged(asked, delta="2").outcome == "sound"


def test_what_costs_too_much_is_undecided_and_accuses_nobody() -> None:
    asked = question([("0.12345678", 0, 90), ("0.23456713", 0, 80)], delta="1/1000000")
    verdict = judge(AccountantAnswer("answered", epsilon=mpq(1)), Truth(asked, max_cost=1))
    assert (verdict.outcome, verdict.accuses) == ("undecided", False)


def _random_groups(random: Random) -> list[Group]:
    return [
        (
            str(random.choice([f"{random.randint(1, 3000)}/1000", "ln(2)", "ln(3)", "0.5"])),
            random.choice(["0", "0", "1e-9", "1e-3"]),
            random.randint(1, 3),
        )
        for _ in range(random.randint(1, 3))
    ]


@pytest.mark.slow
def test_nobody_is_accused_falsely_on_five_hundred_random_ledgers() -> None:
    """Answers a little below and a little above the truth; the sum over subsets is the judge."""
    random, accused = Random(20_261_121), 0  # noqa: S311 (repeatable on purpose)
    for _ in range(500):
        groups = _random_groups(random)
        delta = Fraction(1, 10 ** random.randint(1, 12))
        asked = AccountantQuestion(Ledger.of(groups), mpq(delta))
        composed = compose(asked.ledger, delta=delta, tolerance="1e-15")
        if composed.lower is None or composed.upper is None:
            continue
        size = mpq(random.choice([0, 1, -1])) / 10 ** random.randint(3, 14)
        epsilon = max(mpq(0), (composed.lower + composed.upper) / 2 + size)
        verdict = judge(AccountantAnswer("answered", epsilon=epsilon), Truth(asked))
        oracle = SubsetSums(tuple(expand(groups)), 2000)
        excess = oracle.excess(ExactNumber(epsilon), budget_of(groups, fraction(delta)))
        assert (verdict.outcome in ("unsound", "low")) == bool(excess > 0), (groups, delta, epsilon)
        assert verdict.outcome != "low" or size > -mpq(1, 10**5)
        assert (verdict.outcome == "sound") == bool(excess <= 0)
        if verdict.certificate is not None:
            accused += 1
            assert verify(verdict.certificate.to_bytes()).status == "accepted"
    assert accused > 100


def test_of_noise_what_is_outside_of_known_ends_is_decided_and_what_is_between_is_open() -> None:
    ledger = Ledger.of([LaplaceMechanism(3, 1, 5)], neighbouring="add-remove-one")
    delta = mpq(1, 1000)
    truth = Truth(AccountantQuestion(ledger, delta=delta))
    known = truth.at_delta(delta)
    assert known.lower_end is not None
    assert known.upper_end is not None
    low, high, apart = known.lower_end, known.upper_end, mpq(1, 1000)
    assert not truth.decide(ExactNumber(low - apart), delta).holds
    assert truth.decide(ExactNumber(high + apart), delta).holds
    with pytest.raises(CostLimitError, match="within the certified interval"):
        truth.decide(ExactNumber((low + high) / 2), delta)


def test_a_mesh_that_costs_more_than_little_is_coarse_unless_a_tolerance_is_named() -> None:
    ledger = Ledger.of([LaplaceMechanism(10, count=40)])
    question = AccountantQuestion(ledger, delta=mpq(1, 10**5))
    widths = []
    for tolerance in (None, "1e-9"):
        found = Truth(question, tolerance=tolerance).at_delta(mpq(1, 10**5))
        assert found.upper_end is not None
        assert found.lower_end is not None
        widths.append(found.upper_end - found.lower_end)
    assert mpq(1, 10**6) < widths[0] <= mpq(1, 10**4)
    assert widths[1] <= mpq(1, 10**6)
