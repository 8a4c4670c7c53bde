r"""The number grammar of ``certs/SPEC.md``, section 2: from a text to rationals and logarithms.

Rules of this file: no float enters; no integer is built before its size is known to be within
limits; what is refused is refused with the number that was probably meant.

Theory of operation: a cursor over the tokens, with one method for each line of the grammar. A
rational is kept as it is written, above and below its bar, until its size has been checked.
"""

from __future__ import annotations

import re
from typing import Final

from gmpy2 import mpq, mpz

from exactdp.arithmetic.number_cures import cure_of
from exactdp.errors import InputError

MAX_BITS: Final = 2**16
MAX_TOTAL_BITS: Final = 2**17
MAX_LOGARITHMS: Final = 1000
MAX_CHARACTERS: Final = 50_000
_MAX_DIGITS: Final = 19_729  # as many as 2^MAX_BITS has
_MAX_EXPONENT_DIGITS: Final = 7

type_of_numbers = "a number such as 0.1, 1/10, 1e-9, 2^-40, ln(3/2) or 1/4 + ln(2)"

ReadTerms = tuple[mpq, list[tuple[mpq, mpq]]]
"""A rational, and pairs (c, r) that stand for c·ln(r)."""

_TOKEN: Final = re.compile(
    r"""[ \t]*(?:
      (?P<decimal>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    | (?P<ln>ln)
    | (?P<symbol>[-+*/^()])
    )""",
    re.VERBOSE,
)
_DIGITS: Final = re.compile(r"[0-9]+")
_LEADING_ZERO: Final = re.compile(r"0[0-9]")


def terms_of(text: str, field: str) -> ReadTerms:
    """The terms of the number that a text denotes.

    Raises:
        InputError: not of the grammar, or too large; the message points at the place.

    >>> terms_of("1/0.11", "epsilon")
    (mpq(100,11), [])
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            field=field,
            value=text,
            expected=f"at most {MAX_CHARACTERS} characters",
            code="too-large",
        )
    try:
        return _Parser(text, field).number()
    except InputError as error:
        if error.code != "bad-number" or error.remedy:
            raise
        raise _cured(error, text) from None


def _cured(error: InputError, text: str) -> InputError:
    """The error, with what was probably meant."""
    return InputError(
        field=error.field,
        value=error.value,
        expected=error.expected,
        remedy=number_cure(text),
        code=error.code,
    )


def number_cure(text: str) -> str:
    """What was probably meant by a text that is no number; empty where nobody can know.

    >>> number_cure("1×10^-6")
    'a power of ten is written 1e-6'
    """
    return cure_of(text, _is_number)


def _is_number(text: str) -> bool:
    try:
        _Parser(text, "number").number()
    except InputError:
        return False
    return True


def checked_size(value: mpq, field: str) -> mpq:
    """The rational, if it is not too large.

    Raises:
        InputError: it is.
    """
    if value.numerator.bit_length() > MAX_BITS or value.denominator.bit_length() > MAX_BITS:
        raise _too_large(field, f"a rational of more than {MAX_BITS} bits")
    return value


def _too_large(field: str, value: str) -> InputError:
    return InputError(
        field=field,
        value=value,
        expected=f"at most {MAX_BITS} bits (about 19 700 digits) above and below the fraction bar",
        code="too-large",
    )


class _Parser:
    """A recursive-descent parser; one method for each line of the grammar."""

    def __init__(self, text: str, field: str) -> None:
        self._text = text
        self._field = field
        self._bits = 0
        self._position = 0
        self._start = 0
        self._kind: str | None = None
        self._symbol = ""
        self._advance()

    def number(self) -> ReadTerms:
        rationals: list[mpq] = []
        terms: list[tuple[mpq, mpq]] = []
        sign = self._sign() or 1
        while True:
            coefficient, ratio = self._term()
            if ratio is None:
                rationals.append(sign * coefficient)
            else:
                terms.append((sign * coefficient, ratio))
            self._check_size(terms)
            next_sign = self._sign()
            if next_sign is None:
                break
            sign = next_sign
        if self._kind is not None:
            self._reject_trailing(after_log=ratio is not None)
        if len(rationals) > 1 and not terms:
            self._start = 0
            raise self._error("one number: sums and differences stand beside ln(…) alone")
        return checked_size(sum(rationals, mpq(0)), self._field), terms

    def _term(self) -> tuple[mpq, mpq | None]:
        if self._kind == "ln":
            return mpq(1), self._log()
        coefficient = self._rational()
        if self._symbol == "*":
            self._advance()
            return coefficient, self._log()
        return coefficient, None

    def _log(self) -> mpq:
        if self._kind != "ln":
            raise self._error("ln(…) after *")
        self._advance()
        self._expect("(")
        start = self._start
        ratio = self._rational()
        if ratio <= 0:
            self._start = start
            raise self._error("a logarithm of a number above 0")
        self._expect(")")
        return ratio

    def _rational(self) -> mpq:
        start, text = self._start, self._taken(type_of_numbers)
        if self._symbol == "^":
            return self._power(text, start)
        above, below = self._decimal(text)
        if self._symbol == "/":
            self._advance()
            other, under = self._decimal(self._taken("a number after /"))
            if not other:
                self._start = start
                raise self._error("a denominator other than 0")
            above, below = above * under, below * other
        return self._ratio(above, below)

    def _taken(self, expected: str) -> str:
        """The decimal that stands here; the cursor is behind it."""
        if self._kind != "decimal":
            raise self._error(expected)
        text = self._symbol
        if _LEADING_ZERO.match(text):
            raise self._error("a number without leading zeros")
        self._advance()
        return text

    def _power(self, base_text: str, start: int) -> mpq:
        if not _DIGITS.fullmatch(base_text):
            raise self._error("whole numbers around ^")
        self._advance()
        negative = self._sign() == -1
        if self._kind != "decimal" or not _DIGITS.fullmatch(self._symbol):
            raise self._error("a whole number after ^")
        exponent = self._symbol.lstrip("0") or "0"
        self._advance()
        base = self._integer(base_text)
        power = mpz(1) if exponent == "0" else self._power_of(base, exponent)
        if negative and not power:
            self._start = start
            raise self._error("a base other than 0")
        return self._ratio(mpz(1), power) if negative else self._ratio(power, mpz(1))

    def _power_of(self, base: mpz, exponent: str) -> mpz:
        if base <= 1:
            return base
        if (
            len(exponent) > _MAX_EXPONENT_DIGITS
            or int(exponent) * (base.bit_length() - 1) > MAX_BITS
        ):
            raise _too_large(self._field, self._text)
        return base ** int(exponent)

    def _decimal(self, text: str) -> tuple[mpz, mpz]:
        """What stands above and below the bar of a decimal, not reduced."""
        mantissa, _, exponent_text = text.lower().partition("e")
        whole, _, fraction = mantissa.partition(".")
        digits = self._integer(whole + fraction)
        if not digits:
            return mpz(0), mpz(1)
        significant = exponent_text.lstrip("+-0") or "0"
        if len(significant) > _MAX_EXPONENT_DIGITS:
            raise _too_large(self._field, self._text)
        sign = -1 if exponent_text.startswith("-") else 1
        places = sign * int(significant) - len(fraction)
        scale = self._power_of(mpz(10), str(abs(places)))
        return self._kept(digits, scale) if places < 0 else self._kept(digits * scale, mpz(1))

    def _integer(self, text: str) -> mpz:
        significant = text.lstrip("0")
        if len(significant) > _MAX_DIGITS:
            raise _too_large(self._field, self._text)
        return mpz(significant or "0")

    def _ratio(self, above: mpz, below: mpz) -> mpq:
        """The fraction, if it is not too large, nor all of the number so far."""
        self._kept(above, below)
        self._bits += above.bit_length() + below.bit_length()
        return mpq(above, below)

    def _kept(self, above: mpz, below: mpz) -> tuple[mpz, mpz]:
        if max(above.bit_length(), below.bit_length()) > MAX_BITS:
            raise _too_large(self._field, self._text)
        return above, below

    def _check_size(self, terms: list[tuple[mpq, mpq]]) -> None:
        if self._bits > MAX_TOTAL_BITS or len(terms) > MAX_LOGARITHMS:
            raise InputError(
                field=self._field,
                value=self._text,
                expected=f"at most {MAX_TOTAL_BITS} bits in all, and at most {MAX_LOGARITHMS} "
                "logarithms",
                code="too-large",
            )

    def _sign(self) -> int | None:
        if self._symbol in ("+", "-") and self._kind == "symbol":
            sign = 1 if self._symbol == "+" else -1
            self._advance()
            return sign
        return None

    def _expect(self, symbol: str) -> None:
        if self._symbol != symbol:
            raise self._error(f"'{symbol}'")
        self._advance()

    def _advance(self) -> None:
        match = _TOKEN.match(self._text, self._position)
        if match is None:
            rest = self._text[self._position :]
            self._start = self._position + len(rest) - len(rest.lstrip(" \t"))
            self._kind, self._symbol = (None, "") if self._start == len(self._text) else ("?", "?")
            return
        self._kind = match.lastgroup
        self._symbol = match.group(match.lastgroup or 0)
        self._start = match.end() - len(self._symbol)
        self._position = match.end()

    def _reject_trailing(self, *, after_log: bool) -> None:
        if after_log and self._symbol in ("*", "/"):
            raise self._error(
                "the multiplier before ln",
                "write 2*ln(3), or 1/2*ln(3), with the multiplier first; "
                "-m 'ln(3)*2' means two mechanisms of ln(3)",
            )
        raise self._error(type_of_numbers)

    def _error(self, expected: str, remedy: str = "") -> InputError:
        place = f"character {self._start + 1}"
        if self._start >= len(self._text):
            place = "the end"
        value = self._text if self._text.strip() else f"{self._text!r} (empty)"
        return InputError(
            field=self._field,
            value=value,
            expected=f"{expected} (at {place})",
            remedy=remedy,
            code="bad-number",
        )
