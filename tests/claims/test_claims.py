"""Claims are judged at their own δ and on their own basis."""

from __future__ import annotations

import pytest

import exactdp
from exactdp.arithmetic.numbers import ExactNumber, as_rational
from exactdp.claims.claims import judge
from exactdp.claims.outcomes import ClaimOutcome
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.ledger import Claim, Ledger
from exactdp.mechanisms import ConcentratedMechanism

NOTHING_EXACT = "mechanisms given by ε and δ add nothing exact to ρ or μ"
LEDGER = Ledger.of([("0.1", 0, 10)], target_delta="1e-6")


def _claim(
    epsilon: str | None = None,
    delta: str | None = None,
    basis: str = "composition",
    rho: str | None = None,
    mu: str | None = None,
) -> Claim:
    return Claim(
        epsilon=None if epsilon is None else ExactNumber.parse(epsilon),
        delta=None if delta is None else as_rational(delta, "delta"),
        basis=basis,
        source="s",
        rho=rho,
        mu=mu,
    )


@pytest.mark.parametrize(
    ("claim", "outcome", "sentence"),
    [
        (_claim("1", "0"), "holds-with-equality", "claimed 1 at δ = 0: holds, with equality"),
        (_claim("1"), "holds-with-equality", "claimed 1 at δ = 0: holds, with equality"),
        (_claim("1.1", "0"), "holds", "claimed 1.1 at δ = 0: holds"),
        (_claim("0.9", "1/10"), "holds", "claimed 0.9 at δ = 0.1: holds"),
        (_claim("0", "1"), "holds", "claimed 0 at δ = 1: holds"),
        (
            _claim("0.9", "0"),
            "refuted",
            "claimed 0.9 at δ = 0: refuted: not implied by these parameters",
        ),
        (
            _claim("0.1", "1e-9", basis="amplification"),
            "not-assessable",
            "claimed 0.1 at δ = 1e-9: not assessable from this ledger (it rests on amplification)",
        ),
        (
            _claim("0.1", "0", basis="finer-structure"),
            "not-assessable",
            "claimed 0.1 at δ = 0: not assessable from this ledger (it rests on finer structure)",
        ),
        (
            _claim(rho="1/200"),
            "not-assessable",
            f"claimed ρ = 0.005: not assessable from this ledger ({NOTHING_EXACT})",
        ),
        (
            _claim(mu="0.5"),
            "not-assessable",
            f"claimed μ = 0.5: not assessable from this ledger ({NOTHING_EXACT})",
        ),
    ],
    ids=str,
)
def test_a_claim_is_judged(claim: Claim, outcome: ClaimOutcome, sentence: str) -> None:
    judgement = judge(LEDGER, claim, max_cost=DEFAULT_MAX_COST)
    assert judgement.outcome == outcome
    assert str(judgement) == sentence


def test_the_target_delta_of_the_ledger_plays_no_part() -> None:
    claim = _claim("0.9")
    assert judge(LEDGER, claim, max_cost=DEFAULT_MAX_COST).outcome == "refuted"


def test_equality_holds_of_closed_forms_too() -> None:
    ledger = Ledger.of([("ln(3)", 0, 2)])
    for epsilon, outcome in (("ln(37/5)", "holds-with-equality"), ("ln(73/10)", "refuted")):
        judgement = judge(ledger, _claim(epsilon, "1/10"), max_cost=DEFAULT_MAX_COST)
        assert judgement.outcome == outcome


def test_an_infeasible_claim_is_refuted() -> None:
    ledger = Ledger.of([("0.1", "1e-3", 10)])
    judgement = judge(ledger, _claim("100", "1e-6"), max_cost=DEFAULT_MAX_COST)
    assert judgement.outcome == "refuted"


def test_beyond_the_limit_a_claim_is_undecided_not_false() -> None:
    judgement = judge(LEDGER, _claim("0.9", "1e-6"), max_cost=1)
    assert judgement.outcome == "undecided"
    assert str(judgement).endswith("undecided (within the limits; raise --max-cost)")


def test_an_open_claim_is_not_said_to_have_met_a_limit() -> None:
    ledger = Ledger.of([ConcentratedMechanism("0.1")])
    answer = exactdp.compose(ledger, delta="1/100")
    assert answer.lower is not None
    assert answer.upper is not None
    middle = str((answer.lower + answer.upper) / 2)
    judgement = judge(ledger, _claim(middle, "1/100"), max_cost=DEFAULT_MAX_COST)
    assert judgement.outcome_text == "undecided (neither derivable nor refuted)"
