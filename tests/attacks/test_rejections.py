"""Certificates of what an outcome rejects: by its counts, and as often as the level says."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

from gmpy2 import mpq

from exactdp.attacks.attack import attack
from exactdp.attacks.experiment import ManyRuns, OneRun
from exactdp.attacks.rejections import rejection_certificate, rejection_certificates
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import GaussianMechanism, Mechanism
from exactdp.verifier import verify_bytes

OUTCOMES = Path(__file__).resolve().parents[2] / "examples" / "outcomes"


def status(outcome: ManyRuns | OneRun, epsilon: str, delta: str, level: str) -> str:
    """What the verifier says of the certificate, if there is one."""
    found = attack(outcome, epsilon=mpq(epsilon), delta=mpq(delta), level=mpq(level))
    made = rejection_certificate(found)
    assert (made is not None) == bool(found.rejected)
    return "none" if made is None else verify_bytes(made.to_bytes()).status


def chance(runs: int, hits: int, p: Fraction) -> Fraction:
    return comb(runs, hits) * p**hits * (1 - p) ** (runs - hits)


def test_what_is_true_is_rejected_no_more_often_than_the_level_says() -> None:
    runs, level, delta = 5, Fraction(1, 2), Fraction(1, 10)
    rejected = [
        (a, b)
        for a, b in product(range(runs + 1), repeat=2)
        if status(ManyRuns((runs, a), (runs, b)), "0", "1/10", "1/2") == "accepted"
    ]
    assert rejected
    for tenths in range(10):
        fpr = Fraction(tenths, 10)
        tpr = fpr + delta
        often = sum((chance(runs, a, tpr) * chance(runs, b, fpr) for a, b in rejected), Fraction(0))
        assert often <= level


def test_right_guesses_of_randomized_response_are_rejected_no_more_often_than_the_level() -> None:
    right = [v for v in range(9) if status(OneRun(8, 8, v), "1", "0", "1/5") == "accepted"]
    truthful = Fraction(731, 1000)
    assert right
    assert sum((chance(8, v, truthful) for v in right), Fraction(0)) <= Fraction(1, 5)


def test_what_publishes_each_canary_with_probability_delta_is_not_rejected() -> None:
    assert status(OneRun(10**6, 10, 10), "0", "1/100000", "1/20") == "none"


def test_the_greatest_epsilon_that_is_rejected_has_a_certificate_about_its_file() -> None:
    file = OUTCOMES / "many_runs.json"
    made = rejection_certificate(attack(file, delta=mpq("1/100000")))
    assert made is not None
    verdict = verify_bytes(made.to_bytes(), ledger=file.read_bytes())
    assert (verdict.status, verdict.epsilon) == ("accepted", "15755984861/5000000000")
    other = verify_bytes(made.to_bytes(), ledger=(OUTCOMES / "one_run.json").read_bytes())
    assert other.reason == "the statement is not about this outcome"
    with_claim = verify_bytes(made.to_bytes(), claim=("1", "0"))
    assert "settles no claim" in with_claim.reason


def test_many_runs_and_one_are_certified_at_their_turning_points() -> None:
    for outcome in (
        ManyRuns((500, 500), (500, 0)),
        ManyRuns((250_000, 2500), (250_000, 25), choices=3),
        OneRun(1000, 1000, 700),
        OneRun(10**5, 1500, 1429, choices=2),
    ):
        made = rejection_certificate(attack(outcome, delta=mpq(0)))
        assert made is not None
        assert verify_bytes(made.to_bytes()).status == "accepted"


def test_what_is_far_from_likely_is_certified_too() -> None:
    """As unlikely as 2^-1000, about a claim that is far below what is rejected."""
    outcome = OneRun(1000, 1000, 1000)
    assert status(outcome, "0", "1/100000", "1/20") == "accepted"
    assert status(outcome, "5", "1/100000", "1/20") == "accepted"


def test_a_ledger_is_rejected_by_a_claim_that_it_keeps_and_that_is_rejected() -> None:
    """Kept by a curve of its own, (ε, δ) at any δ that it is claimed for might not be rejected."""
    outcome = ManyRuns((1000, 300), (1000, 5))
    for mechanisms in ([GaussianMechanism(1)], [Mechanism("ln(4)", "1/1000"), Mechanism("1/2")]):
        found = attack(outcome, ledger=Ledger(tuple(mechanisms)))
        assert found.rejected
        made = rejection_certificates(found)
        assert [*made] == ["rejected", "upper"]
        assert found.by is not None
        claim = str(found.by[0]), str(found.by[1])
        kept = verify_bytes(made["upper"].to_bytes(), claim=claim)
        assert kept.settles.startswith("proves")
        rejected = verify_bytes(made["rejected"].to_bytes())
        assert (rejected.status, rejected.kind) == ("accepted", "rejected")
        assert Fraction(rejected.delta) == Fraction(claim[1])
        assert rejected.epsilon == claim[0]


def test_of_a_ledger_that_is_not_rejected_there_is_no_certificate() -> None:
    found = attack(ManyRuns((1000, 300), (1000, 5)), ledger=Ledger((GaussianMechanism(3),)))
    assert not found.rejected
    assert rejection_certificates(found) == {}
