"""Which rule a certificate of an answer on a grid names, by what its check is predicted to take."""

from __future__ import annotations

from dataclasses import replace

import pytest

from exactdp import compose, verify
from exactdp.certificate.statement import Certificate

Mechanisms = list[tuple[str, str, int]]

FEW: Mechanisms = [("1/10", "0", 20), ("1/4", "1e-12", 3)]
VARIED: Mechanisms = [(f"{i}/100", "0", 3) for i in range(1, 21)]
SPREAD: Mechanisms = [(f"{101 + 2 * i}/1000", "0", 1) for i in range(60)]
MANY: Mechanisms = [(f"{101 + 2 * i}/1000", "0", 30) for i in range(12)]


def _certificates(ledger: Mechanisms, delta: str = "1e-9") -> list[Certificate]:
    answer = compose(ledger, delta=delta, tolerance="1e-12", method="grid")
    made = (answer.upper_certificate(), answer.lower_certificate())
    return [each for each in made if each is not None]


@pytest.mark.parametrize(
    ("mechanisms", "rule"),
    [(FEW, "grid"), (VARIED, "grid-counts"), (SPREAD, "grid-counts"), (MANY, "grid-fourier")],
    ids=["cheap", "varied", "few", "many"],
)
def test_a_certificate_names_the_quickest_rule_where_checking_takes_long(
    mechanisms: Mechanisms, rule: str
) -> None:
    """By what is predicted, not by what is timed."""
    certificates = _certificates(mechanisms)
    assert [each.rule for each in certificates] == [rule, rule]
    for each in certificates:
        assert verify(each.to_bytes()).status == "accepted"


@pytest.mark.slow
@pytest.mark.parametrize("delta", ["1/5", "2^-40", "2^-60"])
def test_what_is_taken_for_an_end_by_the_other_is_rejected(delta: str) -> None:
    upper, lower = _certificates(MANY, delta)
    assert (upper.rule, lower.rule) == ("grid-fourier", "grid-fourier")
    for certificate, other in ((upper, lower), (lower, upper)):
        assert verify(certificate.to_bytes()).status == "accepted"
        exchanged = replace(certificate, epsilon=other.epsilon)
        assert verify(exchanged.to_bytes()).status == "rejected"


def test_failures_leave_less_than_delta_to_a_sum_over_a_period() -> None:
    """Δ is far below δ, and is told to as many digits as the slack needs."""
    ledger = [(epsilon, "1e-9", count) for epsilon, _, count in MANY]
    for each in _certificates(ledger, f"{360 * 10**9 + 1}e-18"):
        assert each.rule == "grid-fourier"
        assert verify(each.to_bytes()).status == "accepted"
