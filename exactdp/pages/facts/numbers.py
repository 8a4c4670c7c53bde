r"""Facts that are numbers."""

from __future__ import annotations

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import decimal_text, short_text
from exactdp.pages.facts import Fact, fact
from exactdp.pages.number_text import rational_text


def delta_fact(delta: mpq) -> Fact:
    """The δ that was asked about."""
    return fact("delta", short_text(delta), "at δ", rational_text(delta))


def ends(lower: mpq | None, upper: mpq | None) -> dict[str, str]:
    """Both ends of an interval, exactly, for JSON; None is infinity."""
    named = {"lower": lower, "upper": upper}
    return {name: "inf" if end is None else decimal_text(end) for name, end in named.items()}
