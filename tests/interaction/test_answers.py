"""Both certificates of random mechanisms are accepted, and say what they should."""

from __future__ import annotations

import json

import pytest
from gmpy2 import mpq
from hypothesis import given

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.errors import DomainError, InputError
from exactdp.interaction.answers import examine
from exactdp.interaction.mechanism import InteractiveMechanism, randomized_response
from exactdp.verifier import Verdict, verify_bytes
from tests.interaction.trees import DELTAS, mechanisms
from tests.untyped import untyped


def accepted(certificate: Certificate) -> Verdict:
    verdict = verify_bytes(certificate.to_bytes())
    assert verdict.status == "accepted", verdict.line
    return verdict


@given(mechanisms(answers=3), DELTAS)
def test_both_certificates_are_accepted(mechanism: InteractiveMechanism, delta: mpq) -> None:
    found = examine([mechanism], delta=delta)
    upper, lower = found.upper_certificate(), found.lower_certificate()
    assert (upper is None) == (found.odds is None)
    assert (lower is None) == (found.odds == 1)
    if upper is not None:
        assert accepted(upper).epsilon == str(found.epsilon)
    if lower is not None and found.epsilon is not None:
        below = ExactNumber.parse(accepted(lower).epsilon)
        assert compare(below, found.epsilon) < 0
        assert compare(found.epsilon - below, ExactNumber(mpq(1, 10**12))) < 0
    elif lower is not None:
        assert accepted(lower).epsilon == "every"


@pytest.mark.slow
@given(mechanisms(rounds=1), mechanisms(), DELTAS)
def test_both_certificates_of_interleaved_mechanisms_are_accepted(
    one: InteractiveMechanism, two: InteractiveMechanism, delta: mpq
) -> None:
    found = examine([one, two], delta=delta)
    for certificate in (found.upper_certificate(), found.lower_certificate()):
        if certificate is not None:
            accepted(certificate)


def test_equal_input_gives_equal_bytes() -> None:
    made = [examine([randomized_response(mpq(3))] * 2, delta="1/10") for _ in range(2)]
    first, second = (found.upper_certificate() for found in made)
    assert first is not None
    assert second is not None
    assert first.to_bytes() == second.to_bytes()
    statement = json.loads(first.to_bytes())["statement"]
    assert statement["subject"]["mechanisms"] == [[[[["3/4", "1/4"], ["1/4", "3/4"]]]]] * 2


def test_what_cannot_be_examined_is_refused() -> None:
    coin = randomized_response(mpq(3))
    with pytest.raises(DomainError, match="from 0 to 1"):
        examine([coin], delta="2")
    with pytest.raises(InputError, match=r"exactdp\.written\(0\.1\)"):
        examine([coin], delta=untyped(0.1))
    with pytest.raises(InputError, match="1 to 8"):
        examine([], delta=0)
