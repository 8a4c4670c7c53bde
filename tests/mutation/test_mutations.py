"""No stronger false claim is accepted: mutants of honest certificates against an oracle.

Exhaustive for single and coordinated changes of small certificates, sampled for pairs of changes
and for large certificates. Whatever is still accepted must be true.
"""

from __future__ import annotations

import json
import random
from itertools import islice
from pathlib import Path

import pytest

from exactdp.answers.certify import certify
from exactdp.answers.compose import compose
from tests.mutation.mutate import (
    Document,
    pair_mutants,
    seal,
    single_mutants,
    twin_mutants,
    verify_sealed,
)
from tests.mutation.oracle import is_shown

ACCEPTED = sorted((Path(__file__).parents[2] / "certs" / "accept").glob("*.json"))
SEED = 20181125


def documents() -> list[pytest.param]:  # type: ignore[valid-type]  # a function, not a class
    return [pytest.param(json.loads(path.read_bytes()), id=path.stem) for path in ACCEPTED]


def judged(mutants: list[Document]) -> tuple[int, int]:
    """How many mutants were accepted, and how many of those the oracle confirmed."""
    accepted = confirmed = 0
    for mutant in mutants:
        verdict = verify_sealed(mutant)
        assert verdict.exit_code in (0, 1, 2), verdict.line
        if verdict.status == "accepted":
            truth = is_shown(mutant)
            assert truth is not False, f"a false claim was accepted: {seal(mutant).decode()}"
            accepted += 1
            confirmed += truth is True
    return accepted, confirmed


@pytest.mark.slow
@pytest.mark.parametrize("document", documents())
def test_every_single_and_coordinated_change_that_is_accepted_is_true(document: Document) -> None:
    accepted, confirmed = judged(list(single_mutants(document)))
    assert confirmed >= accepted // 2


@pytest.mark.parametrize("document", documents())
def test_sampled_changes_that_are_accepted_are_true(document: Document) -> None:
    sample = random.Random(SEED).sample  # noqa: S311 (no secret)
    for mutants in (list(single_mutants(document)), list(pair_mutants(document))):
        judged(sample(mutants, min(20, len(mutants))))


@pytest.mark.slow
@pytest.mark.parametrize("document", documents())
def test_every_pair_of_changes_that_is_accepted_is_true(document: Document) -> None:
    judged(list(islice(pair_mutants(document), 5000)))


@pytest.mark.slow
def test_changed_claims_of_large_certificates_are_accepted_only_in_the_true_direction() -> None:
    ledger = [(f"{1 + i % 20}/100", "1e-10") for i in range(50)]
    answer = compose(ledger, delta="1e-6", tolerance="1e-12")
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        document = json.loads(certificate.to_bytes())
        for mutant in twin_mutants(document):
            statement = mutant["statement"]
            if verify_sealed(mutant).status == "accepted" and statement["epsilon"] != "every":
                claim = {key: statement[key] for key in ("epsilon", "delta")}
                assert certify(ledger, **claim).holds == (statement["kind"] == "upper")
