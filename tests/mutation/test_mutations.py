"""No stronger false claim is accepted: mutants of honest certificates against an oracle.

Exhaustive for single and coordinated changes of certificates that are quick to check, drawn for
pairs of changes and for those that take longer. Whatever is still accepted must be true.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from tests.mutation.mutate import (
    Document,
    Mutant,
    checked,
    drawn_pair_mutants,
    seal,
    twin_mutants,
)
from tests.mutation.noise_oracle import SPAN
from tests.mutation.oracle import is_shown
from tests.mutation.singles import checked_singles
from tests.verifier.oracles import value_of
from tests.verifier.paying import paid

ACCEPTED = sorted((Path(__file__).parents[2] / "certs" / "accept").glob("*.json"))
SEED = 20181125
MOST_MUTANTS = 100
MOST_COST = 2 * 10**9
"""What all pairs of changes of one certificate cost together."""


def documents() -> list[pytest.param]:  # type: ignore[valid-type]  # a function, not a class
    return [pytest.param(json.loads(path.read_bytes()), id=path.stem) for path in ACCEPTED]


def most_mutants(document: Document) -> int:
    """How many pairs of changes are tried: fewer of a certificate that is expensive to check."""
    return min(MOST_MUTANTS, 1 + MOST_COST // paid(seal(document)))


def judged(mutants: Iterable[Mutant]) -> tuple[int, int]:
    """How many mutants were accepted, and how many of those the oracle confirmed."""
    accepted = confirmed = 0
    for mutant in mutants:
        assert mutant.exit_code in (0, 1, 2), mutant
        if mutant.status == "accepted":
            truth = is_shown(json.loads(mutant.text))
            assert truth is not False, f"a false claim was accepted: {mutant.text}"
            accepted += 1
            confirmed += truth is True
    return accepted, confirmed


@pytest.mark.slow
@pytest.mark.parametrize("source", ACCEPTED, ids=lambda source: source.stem)
def test_every_single_and_coordinated_change_that_is_accepted_is_true(
    source: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    accepted, confirmed = judged(checked_singles(source, tmp_path_factory))
    document = json.loads(source.read_bytes())
    rule, epsilon = document["derivation"][-1]["rule"], document["statement"].get("epsilon", "0")
    by_orders = rule == "moments"  # a bound that no law attains
    cut = rule in ("mesh-upper", "mesh-lower") and epsilon != "every"
    beyond = cut and float(value_of(epsilon).mid) > SPAN  # of which the oracle says nothing
    assert by_orders or beyond or confirmed >= accepted // 2


@pytest.mark.slow
@pytest.mark.parametrize("document", documents())
def test_pairs_of_changes_that_are_accepted_are_true(document: Document) -> None:
    chance = random.Random(SEED)  # noqa: S311 (no secret)
    judged(map(checked, drawn_pair_mutants(document, chance, most_mutants(document))))


@pytest.mark.slow
def test_changed_claims_of_large_certificates_are_accepted_only_in_the_true_direction() -> None:
    ledger = [(f"{1 + i % 20}/100", "1e-10") for i in range(50)]
    answer = compose(ledger, delta="1e-6", tolerance="1e-12")
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        document = json.loads(certificate.to_bytes())
        for mutant in twin_mutants(document):
            statement = mutant["statement"]
            if checked(mutant).status == "accepted" and statement["epsilon"] != "every":
                claim = {key: statement[key] for key in ("epsilon", "delta")}
                assert certify(ledger, **claim).holds == (statement["kind"] == "upper")
