"""Where the optimum is out of reach: an honest upper end, at any count, and nothing else."""

from __future__ import annotations

import pytest

from exactdp import Ledger, Mechanism
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.moments import NOT_OPTIMAL
from exactdp.errors import CostLimitError
from exactdp.verifier import verify_bytes

DELTA = "1e-6"
FAR = [("1e-9", 0, 10**18)]
SMALL = [
    [("0.1", 0, 9)],
    [("0.1", 0, 100)],
    [("0.01", "1e-9", 300), ("1", 0, 2)],
    [("1/3 + ln(2)", 0, 12), ("0.123456789", 0, 20)],
    [("5", 0, 1)],
]


@pytest.mark.parametrize("power", [16, 17, 18])
def test_a_ledger_of_any_count_is_answered_and_proved_from_above(power: int) -> None:
    answer = compose([(f"1e-{power // 2}", "1e-30", 10**power)], delta=DELTA)
    assert answer.method == "moments"
    assert not answer.complete
    assert answer.open_because == NOT_OPTIMAL
    assert answer.lower_end == 0
    assert answer.lower_certificate() is None
    proof = answer.upper_certificate()
    assert proof is not None
    assert verify_bytes(proof.to_bytes()).status == "accepted"


@pytest.mark.parametrize("ledger", SMALL)
def test_what_is_answered_beside_an_optimum_lies_above_it(
    ledger: list[tuple[str, str, int]],
) -> None:
    best = compose(ledger, delta=DELTA, tolerance="1e-9")
    answer = compose(ledger, delta=DELTA, max_cost=1)
    assert answer.upper_end is not None
    assert best.lower_end is not None
    assert answer.upper_end >= best.lower_end
    proof = answer.upper_certificate()
    assert proof is not None
    assert verify_bytes(proof.to_bytes()).status == "accepted"


def test_whoever_asks_for_more_than_moments_give_is_refused() -> None:
    with pytest.raises(CostLimitError, match="no --tolerance is sure to fit"):
        compose(FAR, delta=DELTA, tolerance="1e-3")
    with pytest.raises(CostLimitError, match="predicted cost"):
        compose(FAR, delta=DELTA, method="bracket")


@pytest.mark.parametrize(
    ("own", "theorem"), [("0", "lyu-2022-renyi-dp"), ("1e-30", "vadhan-zhang-2023-f-dp")]
)
def test_interleaved_mechanisms_are_answered_by_the_theorem_about_them(
    own: str, theorem: str
) -> None:
    ledger = Ledger((Mechanism("1e-9", own, 10**18),), interaction="concurrent")
    proof = compose(ledger, delta=DELTA).upper_certificate()
    assert proof is not None
    assert verify_bytes(proof.to_bytes()).theorem == theorem


def test_a_claim_is_proved_by_moments_where_the_optimum_decides_nothing_and_never_refuted() -> None:
    proved = certify(FAR, epsilon="5.23", delta=DELTA)
    assert proved.holds
    assert verify_bytes(proved.certificate.to_bytes()).rules == ("moments",)
    with pytest.raises(CostLimitError, match="predicted cost"):
        certify(FAR, epsilon="1", delta=DELTA)
