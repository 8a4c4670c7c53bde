"""A question in two forms: the same mechanisms, and two answers that may differ."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from exactdp.accountants.hunting import hunt
from exactdp.accountants.partners import MetamorphicPartner, partner_of
from exactdp.accountants.protocol import AccountantAnswer
from exactdp.composition.answers.compose import compose
from exactdp.pages.maintainers import partner_text
from tests.accountants.asking import QUICK, fake, question


def test_copies_are_written_out() -> None:
    partner = partner_of(question([("1", "1e-9", 3), ("1/2", 0, 1)], delta="1e-6"))
    assert partner is not None
    assert [(str(m.epsilon), m.count) for m in partner.ledger.approximate()] == [
        *[("1", 1)] * 3,
        ("1/2", 1),
    ]
    assert partner.delta == mpq(1, 10**6)


@pytest.mark.parametrize("count", [101, 1000, 10**18])
def test_many_copies_are_a_hundred_groups_of_the_same_size_in_all(count: int) -> None:
    partner = partner_of(question([("1e-3", 0, count)], delta="1e-6"))
    assert partner is not None
    assert (len(partner.ledger.mechanisms), partner.ledger.size) == (100, count)


def test_the_two_forms_have_the_same_truth() -> None:
    asked = question([("0.1", "1e-9", 7), ("0.3", 0, 4)], delta="1e-6")
    partner = partner_of(asked)
    assert partner is not None
    ends = [compose(each.ledger, delta=each.delta) for each in (asked, partner)]
    assert (ends[0].lower, ends[0].upper) == (ends[1].lower, ends[1].upper)


def test_single_mechanisms_have_no_second_form() -> None:
    assert partner_of(question([("1", 0), ("1", 0)], delta="1e-6")) is None


def test_one_that_forgets_the_count_says_another_number() -> None:
    found = hunt(fake("forgetful"), seeds=[1], seconds=600, limits=QUICK, least_gap=mpq(1, 100))
    assert found.case is not None
    assert found.partner is not None
    assert found.partner.outcome == "different"
    assert found.partner.entries == found.case.question.ledger.size


def test_one_that_is_only_too_low_does_not() -> None:
    corners = hunt(fake("0.6"), seeds=[1], seconds=600, limits=QUICK, least_gap=mpq(1))
    assert corners.case is not None
    assert corners.partner is None or corners.partner.outcome == "same"


@pytest.mark.parametrize(
    ("second", "outcome"),
    [
        (AccountantAnswer("answered", epsilon=mpq(2)), "same"),
        (AccountantAnswer("answered", epsilon=2 + mpq(1, 10**10)), "same"),
        (AccountantAnswer("answered", epsilon=2 - mpq(1, 10**5)), "different"),
        (AccountantAnswer("answered", epsilon="inf"), "different"),
        (AccountantAnswer("error", "ValueError: too many"), "no-number"),
        (AccountantAnswer("silent", "no answer within 3 s"), "no-number"),
        (AccountantAnswer("unsupported", "many groups"), "no-number"),
    ],
)
def test_two_numbers_are_compared_and_a_refusal_is_none(
    second: AccountantAnswer, outcome: str
) -> None:
    first = AccountantAnswer("answered", epsilon=mpq(2))
    partner = MetamorphicPartner(7, second, first)
    assert partner.outcome == outcome
    said = partner_text(partner)
    assert "contradict" not in said
    assert ("another number" in said) == (outcome == "different")
    assert second.message in said
    assert ("gives no number" in said) == (outcome == "no-number")
