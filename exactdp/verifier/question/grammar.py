r"""The number grammar, for ledgers, workloads and claims; a certificate has canonical text alone.

Rules of this file: sizes are checked before integers are built; nothing here is rounded.

Theory of operation: a cursor over the text, with one method for each line of the grammar.

Sources: certs/SPEC.md, section 2.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from ..format.numbers import (
    MAX_BITS,
    MAX_CHARACTERS,
    MAX_DIGITS,
    MAX_LOGARITHMS,
    MAX_TOTAL_BITS,
    Number,
    integer_from,
    normal_form,
)
from ..format.outcomes import MalformedError, shown

_MAX_EXPONENT_DIGITS: Final = 7


def parse(text: str) -> Number:
    """Read a number of the grammar."""
    if len(text) > MAX_CHARACTERS:
        raise MalformedError(f"a number of more than {MAX_CHARACTERS} characters")
    return _Reader(text).number()


_SIGN = re.compile(r"[ \t]*([+-])")
_TIMES = re.compile(r"[ \t]*\*")
_LN = re.compile(r"[ \t]*ln[ \t]*\(")
_CLOSE = re.compile(r"[ \t]*\)")
_END = re.compile(r"[ \t]*\Z")
_OVER = re.compile(r"[ \t]*/")
_POWER = re.compile(r"[ \t]*(0|[1-9][0-9]*)[ \t]*\^[ \t]*([+-]?)[ \t]*([0-9]+)")
_DECIMAL = re.compile(r"[ \t]*(0|[1-9][0-9]*)?(?:\.([0-9]+))?(?:[eE](?:\+|(-))?([0-9]+))?")


class _Reader:
    """A cursor over a text; one method for each line of the grammar."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._bits = 0

    def number(self) -> Number:
        rationals: list[Fraction] = []
        logs: list[tuple[Fraction, Fraction]] = []
        sign = self._take(_SIGN)
        while True:
            factor = Fraction(-1 if sign and sign[1] == "-" else 1)
            coefficient, argument = self._term()
            if argument is None:
                rationals.append(factor * coefficient)
            else:
                logs.append((factor * coefficient, argument))
            if len(logs) > MAX_LOGARITHMS:
                raise self._error(f"more than {MAX_LOGARITHMS} logarithms")
            sign = self._take(_SIGN)
            if sign is None:
                break
        self._need(_END)
        if len(rationals) > 1 and not logs:
            raise self._error("not a number (a sum without a logarithm)")
        number = normal_form(rationals, logs)
        for value in (number.rational, *(c for c, _ in number.logs)):
            self._kept(value.numerator, value.denominator)
        return number

    def _term(self) -> tuple[Fraction, Fraction | None]:
        if self._take(_LN):
            return Fraction(1), self._argument()
        coefficient = self._rational()
        if self._take(_TIMES):
            self._need(_LN)
            return coefficient, self._argument()
        return coefficient, None

    def _argument(self) -> Fraction:
        argument = self._rational()
        if not argument:
            raise self._error("ln(0)")
        self._need(_CLOSE)
        return argument

    def _rational(self) -> Fraction:
        written = self._take(_POWER)
        if written is not None:
            power = self._power(self._integer(written[1]), written[3])
            return self._ratio(1, power) if written[2] == "-" else self._ratio(power, 1)
        above, below = self._decimal()
        if self._take(_OVER):
            other, under = self._decimal()
            above, below = above * under, below * other
        return self._ratio(above, below)

    def _decimal(self) -> tuple[int, int]:
        """A decimal as it is written: whole numbers above and below its bar."""
        whole, fraction, minus, exponent = self._need(_DECIMAL).groups("")
        if not whole and not fraction:
            raise self._error("no number")
        mantissa = self._integer(whole + fraction)
        if not mantissa:
            return 0, 1
        significant = exponent.lstrip("0") or "0"
        if len(significant) > _MAX_EXPONENT_DIGITS:
            raise self._error("too large a number")
        places = int(f"{minus}{significant}") - len(fraction)
        scale = self._power(10, str(abs(places)))
        return self._kept(mantissa, scale) if places < 0 else self._kept(mantissa * scale, 1)

    def _integer(self, digits: str) -> int:
        significant = digits.lstrip("0")
        if len(significant) > MAX_DIGITS:
            raise self._error("too large a number")
        return integer_from(significant or "0")

    def _power(self, base: int, exponent: str) -> int:
        if base <= 1:
            return base if exponent.strip("0") else 1
        significant = exponent.lstrip("0") or "0"
        if (
            len(significant) > _MAX_EXPONENT_DIGITS
            or int(significant) * (base.bit_length() - 1) > MAX_BITS
        ):
            raise self._error("too large a number")
        power: int = base ** int(significant)
        return power

    def _ratio(self, above: int, below: int) -> Fraction:
        """The fraction, if its parts and all parts so far keep within the limits."""
        if not below:
            raise self._error("a division by 0")
        self._kept(above, below)
        self._bits += above.bit_length() + below.bit_length()
        if self._bits > MAX_TOTAL_BITS:
            raise self._error("too large a number")
        return Fraction(above, below)

    def _kept(self, above: int, below: int) -> tuple[int, int]:
        """The two parts of a fraction, if each keeps within the limit."""
        if max(above.bit_length(), below.bit_length()) > MAX_BITS:
            raise self._error("too large a number")
        return above, below

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._position)
        if match is not None:
            self._position = match.end()
        return match

    def _need(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = self._take(pattern)
        if match is None:
            raise self._error("not a number")
        return match

    def _error(self, what: str) -> MalformedError:
        return MalformedError(f"{what}: {shown(self._text)} (at character {self._position + 1})")
