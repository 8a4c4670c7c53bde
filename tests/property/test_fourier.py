"""Laws of the Fourier bracket: both its certificates are accepted, and it agrees with the grid."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from exactdp import compose, verify
from exactdp.errors import CostLimitError

Counts = dict[str, int]

_SIZES = st.integers(5, 150).map(lambda n: f"{n}/1000") | st.integers(20, 90).map(
    lambda n: f"ln({n + 1}/{n})"
)
_LEDGERS = st.dictionaries(_SIZES, st.integers(1, 20), min_size=15, max_size=50)


def _ledger(counts: Counts) -> list[tuple[str, str, int]]:
    return [(text, "1e-12", count) for text, count in counts.items()]


@pytest.mark.slow
@settings(max_examples=15)
@given(_LEDGERS, st.sampled_from(["1e-3", "1e-6", "1e-9"]), st.sampled_from(["1e-3", "1e-6"]))
def test_both_certificates_of_a_run_are_accepted(
    counts: Counts, delta: str, tolerance: str
) -> None:
    """Both ends are proved of OptComp itself (Murtagh & Vadhan 2018, Thm 1.5)."""
    try:
        answer = compose(_ledger(counts), delta=delta, tolerance=tolerance, method="fourier")
    except CostLimitError:
        reject()  # an ε near the sum: another engine's
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        if certificate is not None:
            assert verify(certificate.to_bytes()).status == "accepted"


@pytest.mark.slow
@settings(max_examples=15)
@given(
    st.dictionaries(
        st.integers(5, 150).map(lambda n: f"{n}/1000"), st.integers(1, 20), min_size=15, max_size=40
    ),
    st.sampled_from(["1e-3", "1e-7"]),
)
def test_the_interval_holds_that_of_the_grid(counts: Counts, delta: str) -> None:
    """Two engines enclose one number (Murtagh & Vadhan 2018, Thm 1.5)."""
    exact = compose(_ledger(counts), delta=delta, tolerance="1e-14", method="grid")
    try:
        answer = compose(_ledger(counts), delta=delta, tolerance="1e-6", method="fourier")
    except CostLimitError:
        reject()
    assert None not in (answer.lower, answer.upper, exact.lower, exact.upper)
    ends = [answer.lower, exact.lower, exact.upper, answer.upper]
    assert ends == sorted(ends, key=lambda end: mpq(end or 0))
