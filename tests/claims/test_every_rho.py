"""Claims in ρ of every family under every relation: one question has one answer, and its proof."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from gmpy2 import mpq

from exactdp.claims.claims import judge
from exactdp.claims.noise import rho_of_noise
from exactdp.claims.sums import verdict_on_sum
from exactdp.claims.verdicts import audit
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.composition.problem import Problem
from exactdp.errors import InputError
from exactdp.ledger.model import Claim, Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.verification import verify
from tests.cli.test_every_notion import NOTIONS
from tests.cli.test_every_relation import FAMILIES

RELATIONS: Final = ("unspecified", "add-remove-one", "replace-one", "zero-out")
AMOUNTS: Final = ("0", "1/1000000", "1/16", "1/8", "1/7", "2", "1000")


def ledgers() -> Iterator[tuple[str, Ledger]]:
    for relation in RELATIONS:
        for name, entry in {**NOTIONS, **FAMILIES}.items():
            stated = {"mechanisms": [{**entry, "count": 3}], "neighbouring": relation}
            try:
                yield f"{name} under {relation}", read_ledger(json.dumps(stated).encode())
            except InputError:
                continue


def known_rho(ledger: Ledger) -> mpq | None:
    """The sum of what the mechanisms are known to have at most; None where some have none."""
    if ledger.given_by == "noise":
        return rho_of_noise(ledger)
    problem = Problem.of_parameters(ledger)
    return None if problem.mechanisms else problem.rho + problem.square / 2


def test_audit_and_judge_say_the_same_of_each_claim_in_rho_and_the_verifier_too() -> None:
    decided = set[str]()
    for name, ledger in ledgers():
        known = known_rho(ledger)
        amounts = [*AMOUNTS, *([] if known is None else [str(known), str(known * mpq(999, 1000))])]
        for amount in amounts:
            claim = Claim(None, None, "composition", "drawn", rho=amount)
            stated = Ledger(ledger.mechanisms, neighbouring=ledger.neighbouring, claims=(claim,))
            [audited] = audit(stated)
            judged = judge(stated, claim, max_cost=DEFAULT_MAX_COST)
            settling = next(each for each in audited.verdicts if not each.assumption)
            assert (judged.outcome, judged.reason, judged.certificate) == (
                audited.outcome,
                settling.reason,
                settling.certificate,
            ), name
            assert (judged.outcome == "not-assessable") == (known is None), name
            if judged.certificate is None:
                assert judged.outcome in ("not-assessable", "not-derivable"), name
                continue
            decided.add(name.partition(" under ")[0])
            verb = "refutes" if judged.outcome == "refuted" else "proves"
            verdict = verify(judged.certificate, ledger=stated, claim={"rho": amount})
            assert verdict.settles == f"{verb} the claim (rho = {amount})", (name, verdict.line)
            assert known is not None
            assert (judged.outcome == "refuted") == (known > mpq(amount)), name
    assert {"rho", "mu", "discrete_gaussian", "bounded_range", "sigma"} <= decided


def test_only_what_noise_attains_refutes_a_claim_in_rho() -> None:
    for name, ledger in ledgers():
        known = known_rho(ledger)
        if known is not None and known > 0:
            below = Claim(None, None, "composition", "drawn", rho=str(known / 10**6))
            outcome = verdict_on_sum(ledger, below).outcome
            assert outcome in ("refuted", "not-derivable"), name
