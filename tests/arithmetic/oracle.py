"""An independent oracle: mpmath at a stated precision."""

from __future__ import annotations

from typing import Any

import mpmath  # type: ignore[import-untyped]

from exactdp.arithmetic.numbers import ExactNumber


def value_of(number: ExactNumber, digits: int) -> Any:  # noqa: ANN401
    """The value as an mpf; call within ``mpmath.workdps(digits)`` to keep the digits."""
    with mpmath.workdps(digits):
        total = mpmath.mpf(int(number.rational.numerator)) / int(number.rational.denominator)
        for c, r in number.logs:
            ratio = mpmath.mpf(int(r.numerator)) / int(r.denominator)
            total += mpmath.mpf(int(c.numerator)) / int(c.denominator) * mpmath.log(ratio)
        return total
