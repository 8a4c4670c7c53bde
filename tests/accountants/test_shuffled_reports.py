"""A published formula for shuffled reports, asked through the line protocol, and found out."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest

from exactdp.accountants.accountants import Accountant
from exactdp.accountants.checking import crosscheck
from exactdp.accountants.protocol import AccountantQuestion, question_line
from exactdp.accountants.verdicts import Truth
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import ShuffledReportsMechanism
from exactdp.verifier import verify_bytes
from tests.accountants.asking import QUICK
from tests.marking import slow_after

ROOT: Final = Path(__file__).resolve().parents[2]
RATIO: Final = Accountant(
    "ratio", (sys.executable, "-I", str(ROOT / "examples/variation_ratio.py")), pure=False
)
KEPT: Final = ROOT / "certs/crosscheck/shuffled-reports"
ROWS: Final = [
    ("V1", "1.049415"),
    ("V2", "0.683806"),
    ("V3", "1.081845"),
    ("V4", "1.559981"),
    ("V5", "0.853783"),
]
"""Ledgers beside the certificates, and the published ε of each."""


def asked(name: str) -> AccountantQuestion:
    ledger = read_ledger(KEPT / f"{name}.ledger.json")
    return AccountantQuestion(ledger, delta=ledger.target_delta)


def test_a_question_about_reports_is_at_least_as_hard() -> None:
    mechanism = ShuffledReportsMechanism(9, "10/3", 4)
    ledger = Ledger((mechanism,), neighbouring="replace-one")
    question = AccountantQuestion(ledger, delta=asked("V1").delta)
    line = json.loads(question_line(question, "ratio", pure=False))
    assert line["neighbouring"] == "replace-one"
    [entry] = line["mechanisms"]
    assert entry["count"] == 1
    assert entry["shuffled_reports"]["reports"] == 9
    assert entry["shuffled_reports"]["values"] == 4
    assert Fraction(entry["shuffled_reports"]["odds"]) >= Fraction(10, 3)


@pytest.mark.parametrize("row", slow_after(3, ROWS[:4]))
def test_the_formula_answers_what_was_published_and_is_refuted(row: tuple[str, str]) -> None:
    name, epsilon = row
    [checked] = crosscheck(Truth(asked(name)), [RATIO], QUICK)
    verdict = checked.verdict
    assert verdict.outcome == "unsound"
    assert float(Fraction(str(checked.answer.epsilon))) == pytest.approx(float(epsilon), abs=1e-6)
    assert verdict.certificate is not None
    assert verify_bytes(verdict.certificate.to_bytes()).status == "accepted"


@pytest.mark.parametrize("row", slow_after(4, ROWS))
def test_the_kept_certificates_refute_what_was_published(row: tuple[str, str]) -> None:
    name, epsilon = row
    ledger = KEPT / f"{name}.ledger.json"
    data = (KEPT / f"{name}.variation-ratio.lower.json").read_bytes()
    delta = str(asked(name).delta)
    rounded_down = f"{float(epsilon) - 1e-6:.6f}"
    verdict = verify_bytes(data, ledger=ledger.read_bytes(), claim=(rounded_down, delta))
    assert verdict.status == "accepted"
    assert "refutes the claim" in verdict.line
