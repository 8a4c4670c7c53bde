"""Laws of ``grid-counts`` and ``grid-fourier``: an answer proves what it states, no more."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import compose, verify

_COUNTS = st.dictionaries(st.integers(1, 150), st.integers(1, 80), min_size=8, max_size=40)
_NO_LIMIT = 10**13


@pytest.mark.slow
@settings(max_examples=12)
@given(
    _COUNTS,
    st.sampled_from(["1/1000", "1/2000*ln(2)"]),
    st.sampled_from(["1/5", "1e-3", "2^-40", "2^-400"]),
    st.sampled_from(["1e-6", "1e-12", "1e-30"]),
)
def test_certificates_are_accepted_and_with_ends_exchanged_rejected(
    counts: dict[int, int], unit: str, delta: str, tolerance: str
) -> None:
    """Both ends are proved of OptComp itself (Murtagh & Vadhan 2018, Thm 1.5)."""
    factor, _, log = unit.partition("*")
    ledger = [
        (f"{a * Fraction(factor)}" + (f"*{log}" if log else ""), "1e-12", count)
        for a, count in counts.items()
    ]
    answer = compose(ledger, delta=delta, tolerance=tolerance, method="grid")
    upper, lower = answer.upper_certificate(), answer.lower_certificate()
    for certificate, other in ((upper, lower), (lower, upper)):
        if certificate is None:
            continue
        assert verify(certificate.to_bytes(), max_cost=_NO_LIMIT).status == "accepted"
        if other is not None and certificate.rule.startswith("grid") and other.epsilon is not None:
            exchanged = replace(certificate, epsilon=other.epsilon)
            assert verify(exchanged.to_bytes(), max_cost=_NO_LIMIT).status == "rejected"
