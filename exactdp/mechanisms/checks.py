r"""Checks of single parameters, for mechanisms of every family.

Rules of this file: a value that passes is exact, in its range, and of its type; every other is
refused with what would have been right. What no engine could compute is refused here, with the
number that would fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.numbers import ExactNumber, Number, as_number, as_rational, integer_of
from exactdp.errors import DomainError, InputError, UnsupportedError

MAX_COUNT: Final = 10**18
MOST_SHIFT: Final = 10**6
MOST_SHIFTS: Final = 1000
MOST_ROWS: Final = 4096
MOST_ORDERS: Final = 1000
LEAST_VARIANCE: Final = mpq(1, 10**6)
MOST_VARIANCE: Final = mpq(10**12)


def checked_count(value: object) -> int:
    """A count, from 1 to 10^18."""
    count = value if type(value) is int else integer_of(value)
    if count is None:
        raise InputError(
            field="count", value=value, expected="a whole number from 1 to 10^18, as an int"
        )
    if not 1 <= count <= MAX_COUNT:
        shown = str(count) if count.bit_length() < 1000 else "a larger integer"
        raise DomainError(field="count", value=shown, expected="a whole number from 1 to 10^18")
    return count


def checked_text(value: object, field: str) -> str:
    """Text that every format can hold."""
    if not isinstance(value, str):
        raise InputError(field=field, value=value, expected="text")
    if not value.isprintable() and any(
        letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in value
    ):
        raise InputError(
            field=field, value=value, expected="text without NUL and without lone surrogates"
        )
    return value


def not_negative(value: mpq, field: str) -> mpq:
    """A rational at least 0."""
    if value < 0:
        raise DomainError(field=field, value=str(value), expected="a rational number at least 0")
    return value


def checked_epsilon(value: Number) -> ExactNumber:
    """An ε at least 0."""
    number = as_number(value, "epsilon")
    negative = sign(number) < 0 if number.logs else number.rational < 0
    if negative:
        raise DomainError(field="epsilon", value=str(number), expected="a number at least 0")
    return number


def delta_of_mechanism(delta: mpq) -> mpq:
    """A δ that leaves something: below 1."""
    if not 0 <= delta < 1:
        raise DomainError(
            field="delta",
            value=str(delta),
            expected="a rational number at least 0 and below 1",
        )
    return delta


def checked_rate(value: Number) -> mpq:
    """A rate of sampling, above 0 and at most 1."""
    rate = as_rational(value, "rate")
    if not 0 < rate <= 1:
        raise DomainError(
            field="rate",
            value=str(rate),
            expected="a rational above 0 and at most 1",
            remedy="leave out a mechanism that nobody takes part in" if not rate else "",
        )
    return rate


def positive(value: Number, field: str) -> mpq:
    """A rational above 0."""
    number = as_rational(value, field)
    if number <= 0:
        raise DomainError(field=field, value=str(number), expected="a rational number above 0")
    return number


def checked_variance(value: mpq) -> mpq:
    """A variance that the engines can handle."""
    if not LEAST_VARIANCE <= value <= MOST_VARIANCE:
        raise DomainError(
            field="variance",
            value=str(value),
            expected="a rational number from 1e-6 to 1e12",
        )
    return value


def whole(value: object, field: str, most: int) -> int:
    """A whole number from 1 to ``most``."""
    number = integer_of(value)
    if number is None:
        raise InputError(field=field, value=value, expected=f"a whole number from 1 to {most}")
    if not 1 <= number <= most:
        raise DomainError(field=field, value=value, expected=f"a whole number from 1 to {most}")
    return number


def checked_shifts(values: Iterable[int]) -> tuple[int, ...]:
    """The shifts of the coordinates that move, sorted."""
    listed = tuple(values)
    if not 1 <= len(listed) <= MOST_SHIFTS:
        raise DomainError(
            field="shifts",
            value=f"{len(listed)} shifts",
            expected=f"from 1 to {MOST_SHIFTS} shifts, one for each coordinate that moves",
        )
    for each in listed:
        if type(each) is int and each <= 0:
            raise DomainError(
                field="shifts",
                value=each,
                expected=f"whole numbers from 1 to {MOST_SHIFT}",
                remedy=f"the noise is symmetric: write {-each}"
                if each
                else "leave out a coordinate that does not move",
            )
    return tuple(sorted(whole(each, "shifts", MOST_SHIFT) for each in listed))


def moved_shifts(shifts: Iterable[int], times: mpq) -> tuple[int, ...]:
    """Shifts that are so many times as far."""
    moved = [times * each for each in shifts]
    for each in moved:
        if each.denominator != 1:
            raise UnsupportedError(
                field="shifts",
                value=str(each),
                expected="an answer in whole numbers, as discrete noise is added to those alone",
                remedy="give the sum bounds that are whole numbers",
            )
    return tuple(map(int, moved))


def checked_law(values: Iterable[Number], field: str) -> tuple[mpq, ...]:
    """Probabilities whose sum is 1."""
    law = tuple(not_negative(as_rational(value, field), field) for value in values)
    if not 1 <= len(law) <= MOST_ROWS:
        raise DomainError(
            field=field,
            value=f"{len(law)} probabilities",
            expected=f"from 1 to {MOST_ROWS} probabilities, one for each answer",
        )
    total = sum(law, mpq(0))
    if total != 1:
        raise DomainError(
            field=field,
            value=f"a sum of {total}",
            expected="probabilities whose sum is 1",
            remedy="thirds are written 1/3, not 0.3333",
        )
    return law


def checked_orders(values: Iterable[Sequence[Number]]) -> tuple[tuple[mpq, mpq], ...]:
    """Pairs of an order and a divergence, sorted."""
    listed = [_order(each) for each in values]
    if not 1 <= len(listed) <= MOST_ORDERS:
        raise DomainError(
            field="renyi",
            value=f"{len(listed)} orders",
            expected=f"from 1 to {MOST_ORDERS} pairs of an order and a divergence",
        )
    if len({alpha for alpha, _ in listed}) != len(listed):
        raise InputError(field="renyi", value="an order twice", expected="each order once")
    return tuple(sorted(listed))


def _order(value: Sequence[Number]) -> tuple[mpq, mpq]:
    if len(value) != 2:
        raise InputError(
            field="renyi", value=value, expected="pairs of an order and a divergence, [2, 0.02]"
        )
    alpha = as_rational(value[0], "renyi")
    if alpha <= 1:
        raise DomainError(field="renyi", value=str(alpha), expected="an order above 1")
    return alpha, not_negative(as_rational(value[1], "renyi"), "renyi")
