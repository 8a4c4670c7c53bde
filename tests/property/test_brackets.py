"""Brackets against exact answers: ledgers on a fine grid, solved on a coarse mesh."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.composition.answers.compose import compose
from exactdp.verifier import verify_bytes

epsilons = st.integers(1, 3000).map(lambda n: str(Fraction(n, 1000)))
ledgers = st.lists(st.tuples(epsilons, st.just("0"), st.integers(1, 6)), min_size=1, max_size=6)
deltas = st.sampled_from(["1e-3", "1e-6", "1/10", "2^-60"])
tolerances = st.sampled_from(["1e-1", "1e-2", "1e-3"])


@given(ledgers, deltas, tolerances)
def test_a_bracket_contains_the_exact_answer(
    ledger: list[tuple[str, str, int]], delta: str, tolerance: str
) -> None:
    """A dominating pair is above (Doroshenko et al. 2022; SPEC Sect. 11.5), an event below."""
    coarse = compose(ledger, delta=delta, tolerance=tolerance, method="bracket")
    exact = compose(ledger, delta=delta, tolerance="1e-12")
    assert coarse.lower is not None
    assert coarse.upper is not None
    assert exact.lower is not None
    assert exact.upper is not None
    assert coarse.lower <= exact.upper
    assert exact.lower <= coarse.upper


@pytest.mark.slow
@given(ledgers, deltas)
def test_both_certificates_of_a_bracket_are_accepted(
    ledger: list[tuple[str, str, int]], delta: str
) -> None:
    """Both ends are claims that the verifier recomputes (Murtagh & Vadhan 2018, Thm 1.5)."""
    answer = compose(ledger, delta=delta, tolerance="1e-3", method="bracket")
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        if certificate is not None:
            verdict = verify_bytes(certificate.to_bytes(), max_cost=10**12)
            assert verdict.status == "accepted", verdict.line
