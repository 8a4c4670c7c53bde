r"""What was probably meant by a text that is no number of the grammar.

Rules of this file: nothing here is read as a number; a cure is the user's own value as the grammar
writes it, and is offered only if the grammar reads it. Where a text may mean two numbers, both are
offered.

Theory of operation: characters that look like those of the grammar become these (minus signs,
spaces, superscripts); then each habit of writing numbers is one function, and the first that fits
is offered.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Final

Reads = Callable[[str], bool]
"""Whether a text is a number of the grammar."""

_LONGEST: Final = 60
_MOST_PLACES: Final = 100
_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_RAISED: Final = re.compile(r"[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_ALIKE: Final = str.maketrans(
    dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\u2014\ufe63\uff0d", "-")
    | dict.fromkeys("\u00d7\u00b7\u22c5\u2715\u2217", "*")
    | dict.fromkeys("\u00f7\u2215\u2044", "/")
    | dict.fromkeys("\u2019\u02bc", "'")
    | dict.fromkeys("\u066b", ",")
)
_SIMPLE: Final = r"[+-]?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,2})?"

_DATE: Final = re.compile(
    r"[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}.*|[0-9]{1,2}([-/.])[0-9]{1,2}\2[0-9]{4}"
)
_POWER_OF_TEN: Final = re.compile(rf"(?:({_SIMPLE})\s*[*xX]\s*)?10\s*\^\s*\(?([+-]?[0-9]+)\)?")
_GROUPED: Final = re.compile(r"([+-]?[0-9]{1,3})(?:([ ,'_.])[0-9]{3})(?:\2[0-9]{3})*([.,][0-9]+)?")
_PERCENT: Final = re.compile(r"(.+?)\s*([%\u2030]|percent|per cent)")
_RANGE: Final = re.compile(rf"({_SIMPLE})\s*(?:-|\.\.+|\u2026|to|\+)\s*({_SIMPLE})")
_LOG: Final = re.compile(
    r"(?:(.+?)\s*\*?\s*)?(?:ln|log)\s*(\()?\s*([^()]+?)\s*(?(2)\))", re.IGNORECASE
)
_ROOT: Final = re.compile(r"(?:sqrt|\u221a)\s*(\()?\s*([0-9]{1,9})\s*(?(1)\))", re.IGNORECASE)
_PLACES_OF_ROOTS: Final = 4
_PRODUCT: Final = re.compile(rf"({_SIMPLE})\s*[*xX]\s*({_SIMPLE})")
_UNIT: Final = re.compile(
    rf"([^\d.,+*/^()%-]*)({_SIMPLE}|[0-9]+\s*/\s*[0-9]+)(\s*[^\W\d][^\d/*^()+,=<>-]*|[\s$\u00a3\u20ac]*)"
)
_CHANGING: Final = frozenset(
    ("e", "k", "m", "g", "n", "b", "bn", "bit", "bits", "million", "thousand", "hundred", "\u03bc")
)
"""What changes the number that it stands behind: nobody knows what was meant."""
_FUNCTIONS: Final = frozenset(("e", "ln", "log", "exp", "sqrt"))


def cure_of(text: str, reads: Reads) -> str:
    """What to write instead; empty where nobody can know.

    >>> cure_of("10%", lambda text: text in ("10", "0.1"))
    'a percentage is written as a decimal: 0.1'
    """
    if len(text) > _LONGEST:
        return ""
    plain = plain_text(text)
    return next(filter(None, (shape(plain, reads) for shape in _SHAPES)), "")


def plain_text(text: str) -> str:
    """The text in characters of the grammar, where others look like them."""
    text = _RAISED.sub(lambda raised: "^" + raised[0].translate(_SUPERSCRIPTS), text)
    text = unicodedata.normalize("NFKC", text).translate(_ALIKE)
    digits = (str(unicodedata.digit(c)) if c.isdecimal() else c for c in text)
    return "".join(" " if c.isspace() else c for c in digits).strip()


def _simple(text: str, reads: Reads) -> str:
    """A number that is written with a comma, in groups, or with zeros before it; else empty."""
    text = text.strip()
    candidates = [text, _point(text), _joined(text), _of_ten(text), _without_zeros(_point(text))]
    return next((each for each in candidates if each and reads(each)), "")


def _point(text: str) -> str:
    return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text


def _joined(text: str) -> str:
    found = _GROUPED.fullmatch(text)
    if found is None or (found[3] or "")[:1] == found[2]:
        return ""
    if found[2] == "." and text.count(".") == 1 and not found[3]:
        return ""  # a decimal
    digits = text[: found.start(3)] if found[3] else text
    return digits.replace(found[2], "") + (found[3] or "").replace(",", ".")


def _of_ten(text: str) -> str:
    found = _POWER_OF_TEN.fullmatch(text)
    return f"{_point(found[1] or '1')}e{int(found[2])}" if found else ""


def _without_zeros(text: str) -> str:
    return re.sub(r"(?<![0-9.eE^+-])0+(?=[0-9])|(?<=^[+-])0+(?=[0-9])", "", text).removesuffix(".")


def _text(value: Fraction) -> str:
    """The shortest exact text of a rational."""
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
        if places > _MOST_PLACES:
            return str(value)
    digits = str(abs(int(value * 10**places))).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    whole, fraction = (digits[:-places], digits[-places:]) if places else (digits, "")
    return f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}"


# --- habits -------------------------------------------------------------------------------------


def _date(text: str, _reads: Reads) -> str:
    return "this looks like a date: write the number" if _DATE.fullmatch(text) else ""


def _like(text: str, reads: Reads) -> str:
    """Characters that only look like those of the grammar."""
    return f"write {text}" if "^" not in text and reads(text) else ""


def _ten(text: str, reads: Reads) -> str:
    written = _of_ten(text)
    return f"a power of ten is written {written}" if written and reads(written) else ""


def _root(text: str, reads: Reads) -> str:
    """A root, which is no number of the grammar, from both sides."""
    found = _ROOT.fullmatch(text)
    if found is None:
        return ""
    scale = 10**_PLACES_OF_ROOTS
    below = isqrt(int(found[2]) * scale**2)
    above = below + (below**2 != int(found[2]) * scale**2)
    low, high = _text(Fraction(below, scale)), _text(Fraction(above, scale))
    if not (reads(low) and reads(high)):
        return ""
    if low == high:
        return f"write {low}"
    return f"a root is written as a decimal: {high} rounded up, for a sensitivity; {low} for noise"


def _power(text: str, reads: Reads) -> str:
    return f"write {text}" if reads(text) else ""


def _percent(text: str, reads: Reads) -> str:
    found = _PERCENT.fullmatch(text)
    number = _simple(found[1], reads) if found else ""
    if not found or not re.fullmatch(_SIMPLE, number):
        return ""
    written = _text(Fraction(number) / (1000 if found[2] == "\u2030" else 100))
    return f"a percentage is written as a decimal: {written}" if reads(written) else ""


def _groups(text: str, reads: Reads) -> str:
    joined, point = _joined(text), _point(text)
    if not joined or not reads(_without_zeros(joined)):
        return ""
    joined = _without_zeros(joined)
    if text.startswith(("0", "-0", "+0")) or point == text or not reads(point):
        return "" if text.startswith("0,") else f"digits are not grouped: write {joined}"
    return f"write {joined} if the comma groups thousands, or {point} if decimals follow it"


def _comma(text: str, reads: Reads) -> str:
    point = _point(text)
    return f"decimals take a point: {point}" if point != text and reads(point) else ""


def _zeros(text: str, reads: Reads) -> str:
    written = _without_zeros(text)
    return f"write {written}" if written != text and reads(written) else ""


def _two(text: str, reads: Reads) -> str:
    """A range, or a sum."""
    found = _RANGE.fullmatch(text)
    if found is None:
        return ""
    first, second = (_simple(each, reads) for each in found.groups())
    if not first or not second:
        return ""
    if "+" in text[len(found[1]) : found.start(2)]:
        return f"write the sum as one number: {_text(Fraction(first) + Fraction(second))}"
    return f"write one number: {first} or {second}"


def _product(text: str, reads: Reads) -> str:
    found = None if text.lower().startswith("0x") else _PRODUCT.fullmatch(text)
    first, second = (_simple(each, reads) for each in found.groups()) if found else ("", "")
    if not first or not second:
        return ""
    return f"write the product as one number: {_text(Fraction(first) * Fraction(second))}"


def _log(text: str, reads: Reads) -> str:
    found = _LOG.fullmatch(text)
    if found is None:
        return ""
    factor = f"{_simple(found[1], reads) or found[1]}*" if found[1] else ""
    written = f"{factor}ln({_simple(found[3], reads) or found[3]})"
    return f"a natural logarithm is written {written}" if reads(written) else ""


def _unit(text: str, reads: Reads) -> str:
    found = _UNIT.fullmatch(text)
    before, behind = (_lowered(each) for each in found.group(1, 3)) if found else ([], [])
    if not found or _CHANGING.intersection(behind) or _FUNCTIONS.intersection(before):
        return ""
    number = _simple(found[2], reads)
    return f"write the number alone: {number}" if number else ""


def _lowered(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.casefold())


_SHAPES: Final[tuple[Callable[[str, Reads], str], ...]] = (
    *(_date, _like, _ten, _power, _percent, _groups, _comma, _zeros, _log),
    *(_two, _product, _root, _unit),
)
