"""By how much claims about groups hold, or fall short."""

from __future__ import annotations

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.margins import MOST_COST
from exactdp.group_privacy.margins import margin_for_groups
from exactdp.ledger import Ledger
from exactdp.ledger.formats.inline import parse_inline
from tests.marking import each_case


@each_case(("epsilon", "holds", "least"), [("2", True, "1/2"), ("1", False, "2/5")])
def test_a_claim_about_a_group_says_by_how_much_it_holds_or_falls_short(
    epsilon: str, holds: bool, least: str
) -> None:
    margin = margin_for_groups(
        Ledger.of([("0.1", 0, 5)]),
        3,
        ExactNumber(mpq(epsilon)),
        mpq("1/1000000"),
        holds=holds,
        max_cost=MOST_COST,
    )
    assert margin is not None
    assert mpq(least) <= margin.least <= mpq("3/5")


def test_no_margin_is_said_where_it_would_cost_too_much() -> None:
    ledger = Ledger.of([parse_inline("sigma=1,rate=0.1*1000")])
    assert (
        margin_for_groups(ledger, 2, ExactNumber(mpq(9)), mpq("1/10"), holds=True, max_cost=1)
        is None
    )
