"""Which rule a certificate of an answer on a grid names, by what its check is priced at."""

from __future__ import annotations

import pytest

from exactdp import compose, verify
from exactdp.certificate.statement import Certificate

Mechanisms = list[tuple[str, str, int]]

SPREAD: Mechanisms = [(f"{101 + 2 * i}/1000", "0", 1) for i in range(60)]
FEW: Mechanisms = [("1/10", "0", 20), ("1/4", "1e-12", 3)]


def _certificates(ledger: Mechanisms) -> list[Certificate]:
    answer = compose(ledger, delta="1e-9", tolerance="1e-12", method="grid")
    made = (answer.upper_certificate(), answer.lower_certificate())
    return [each for each in made if each is not None]


def test_a_cheap_check_keeps_the_rule_that_has_a_lemma() -> None:
    assert [each.rule for each in _certificates(FEW)] == ["grid", "grid"]


def test_few_mechanisms_on_a_long_grid_are_counted() -> None:
    certificates = _certificates(SPREAD)
    assert [each.rule for each in certificates] == ["grid-counts", "grid-counts"]
    for each in certificates:
        assert verify(each.to_bytes()).status == "accepted"


@pytest.mark.parametrize("mechanisms", [FEW, SPREAD], ids=["few", "spread"])
def test_the_rule_taken_is_never_dearer_than_the_limit_and_another(mechanisms: Mechanisms) -> None:
    """The predictor is the stated cost: work that was counted, not timed."""
    for each in _certificates(mechanisms):
        assert each.rule == "grid-counts" or each.derivation_cost <= 10**8
