r"""Texts that some database takes for equal: letters of both cases, accents, spaces, punctuation.

Purpose: two queries about ``'x'`` and ``'X'`` are disjoint only where the database tells these
texts apart, which its collation decides.

Rules of this file: two texts have different spellings here only if every collation known to us
tells them apart; the other way round need not hold.

Theory of operation: a collation compares texts by weights, and may pass over all but the first
level of them: then cases, accents and widths are one, as are kana of both kinds. It may pass over
punctuation and spaces, at the end or everywhere, and compare runs of digits as numbers. A few
languages hold letters to be one that English tells apart (Lithuanian y and i, Swedish v and w,
Latin i and j, u and v), or expand letters (German ß and ü as ss and ue, Danish å as aa). So a
spelling is what is left of a text once all this is gone. Texts that differ in digits alone, in one
form, are always told apart.

Sources: Unicode Technical Standard 10 (collation) and 35, part 5 (its tailorings).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final
from unicodedata import normalize

from exactdp.workloads.plain_numbers import plain_number

BINARY: Final = "binary"
"""The collation that tells all texts apart."""

_LEADING_ZEROS: Final = re.compile("(?<![0-9])0+(?=[0-9])")
_ONE_LETTER: Final = str.maketrans(
    "jyuwıøłđðþæœħŧŋĸəɨʉ" + "ぁぃぅぇぉっゃゅょゎ" + "ァィゥェォッャュョヮ",
    "iivvioldttaohtnkaiv" + "あいうえおつやゆよわ" + "アイウエオツヤユヨワ",
)
_TO_KATAKANA: Final = {letter: letter + 0x60 for letter in range(0x3041, 0x3097)}
_EXPANSIONS: Final = re.compile(r"(?<=[aov])e|([^\W\d])(?=\1)|(?<=t)h|[\U00010000-\U0010ffff]")
"""What a letter beyond ASCII may be expanded to; and letters that old databases do not know."""


class Spellings:
    """The values of an attribute by what no collation passes over.

    >>> spellings = Spellings(["f", "m", "F "])
    >>> spellings.alike("f"), spellings.alike("m"), spellings.nearest("M")
    ('F ', None, 'm')
    """

    def __init__(self, values: Sequence[str]) -> None:
        self._values = values
        self._ascii = all(value.isascii() for value in values)
        self._known: dict[bool, Mapping[str, list[str]]] = {}

    def alike(self, value: str) -> str | None:
        """Another value that some database may take for this one."""
        group = self._group(value)
        return next((other for other in group if _form(other) != _form(value)), None)

    def nearest(self, text: str) -> str | None:
        """A value that some database may take for this text: the same number, or the same word."""
        number = plain_number(text)
        if number is not None and (self._numeric or number in self._numbers):
            return self._numbers.get(number)
        return next(iter(self._group(text)), None)

    @cached_property
    def _numeric(self) -> bool:
        return all(plain_number(value) is not None for value in self._values)

    @cached_property
    def _numbers(self) -> Mapping[Fraction, str]:
        found = ((plain_number(value), value) for value in self._values)
        return {number: value for number, value in found if number is not None}

    def _group(self, text: str) -> Sequence[str]:
        expands = not (self._ascii and text.isascii())
        if expands not in self._known:
            groups: dict[str, list[str]] = defaultdict(list)
            for value in self._values:
                for spelling in _spellings(value, expands=expands):
                    groups[spelling].append(value)
            self._known[expands] = groups
        known, own = self._known[expands], _spellings(text, expands=expands)
        return [value for spelling in own for value in known.get(spelling, ())]


def _form(text: str) -> str:
    """A text with its digits alike."""
    return re.sub("[0-9]", "0", text)


def _spellings(text: str, *, expands: bool) -> set[str]:
    """What no collation passes over, or less.

    Two, as numbers may be those between punctuation, or what is left without it.
    """
    whole = normalize("NFKD", text)
    cut = {_LEADING_ZEROS.sub("", whole), _LEADING_ZEROS.sub("", _letters(whole))}
    return {_spelling(each, expands=expands) for each in cut}


def _spelling(text: str, *, expands: bool) -> str:
    bare = _letters(normalize("NFKD", text.casefold()))
    one = bare.translate(_ONE_LETTER).translate(_TO_KATAKANA)
    return _EXPANSIONS.sub("", one) if expands else one


def _letters(text: str) -> str:
    """The letters and digits of a text."""
    return "".join(letter for letter in text if letter.isalnum())
