from __future__ import annotations

import mpmath  # type: ignore[import-untyped]  # it has no types
from hypothesis import given
from hypothesis import strategies as st

from exactdp.verifier.arithmetic.enclosures import one_minus_exp


@given(st.integers(0, 200).flatmap(lambda size: st.integers(0, 2**size)))
def test_one_minus_an_exponential_is_from_above_and_close(x: int) -> None:
    bits = 196
    with mpmath.workprec(500):
        exact = mpmath.ldexp(1 - mpmath.exp(-mpmath.ldexp(x, -bits)), bits)
        assert exact <= one_minus_exp(x, bits) < exact + 70
