r"""Remarks: whether a text beside the parameters of a table states a number.

Purpose: a number in a column that nobody knows, or in a title, may be a parameter, such as a count.
Dates, ordinals, names with a number at their end and years among words are none.

Rules of this file: where words leave it open, a text states a number; the user can say that it does
not. Every pattern takes time linear in the text, near enough.

Sources: Unicode Standard Annex 15 (NFKC).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final


@lru_cache(maxsize=4096)
def states_number(text: str) -> bool:
    """Whether a cell of remarks states a number: it is one, begins with one, or says how many.

    >>> said = ("52 times a year", "n=52", "about 52", "2 runs/day", "fifty-two", "runs: 7")
    >>> all(map(states_number, said))
    True
    >>> none = ("Q1", "2026-01-05", "3rd party survey", "Team 4", "v1.2", "USA 2020 census")
    >>> any(map(states_number, none))
    False
    """
    plain = _NO_COUNT.sub(" ", _plain(text))
    rest = _without_dates(plain)
    if is_number(rest) or _BEGINS.match(rest) or _WORDS_ALONE.fullmatch(rest):
        return True
    return any(pattern.search(_DAY.sub(" ", plain)) for pattern in _HOW_MANY)


def has_number(text: str) -> bool:
    """Whether a title has a number anywhere, other than a date, a year or an ordinal.

    >>> [has_number(text) for text in ("Runs: 52", "Version 2", "Budget 2026", "Q1", "2nd draft")]
    [True, True, False, False, False]
    """
    return states_number(text) or bool(_ALONE.search(_without_dates(_plain(text))))


def is_number(text: str) -> bool:
    """Whether a cell holds a number, however it is written; dates and times are none.

    >>> [is_number(text) for text in ("52", "0,5", "10 %", "52 weeks", "ln(3)", "1/10")]
    [True, True, True, True, True, True]
    >>> [is_number(text) for text in ("", "Q1", "2026-01-05", "01.02.2026", "9:30", "3rd")]
    [False, False, False, False, False, False]
    """
    plain = _plain(text)
    if plain in _ENDLESS:
        return True
    if len(plain) > _LONGEST:
        return plain[0].isdigit()
    return not _DATE.fullmatch(plain) and bool(_NUMBER.fullmatch(plain))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()


def _without_dates(plain: str) -> str:
    """The text without dates, and without years if anything else is said."""
    rest = _DATE_WITHIN.sub(" ", plain)
    return (_YEAR.sub(" ", rest) if _LETTER.search(rest) else rest).strip()


_LONGEST: Final = 200
_ENDLESS: Final = ("inf", "+inf", "-inf", "infinity", "∞")
_DATES: Final = (
    r"\d{1,4}([-./])\d{1,2}\1\d{1,4}(?:[ t]+\d{1,2}:\d{2}\S*)?"
    r"|(?:19|20)\d\d-(?:0[1-9]|1[0-2])|\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?"
)
_DATE: Final = re.compile(_DATES)
_DATE_WITHIN: Final = re.compile(rf"(?<![\w.,:/-])(?:{_DATES})(?![\w/-])")
_DAY: Final = re.compile(
    r"(?<![\w.,/-])(?:\d{1,2}([-./])\d{1,2}\1\d{4}|\d{4}([-./])\d{1,2}\2\d{1,2})(?![\w/-])"
)
_YEAR: Final = re.compile(
    r"(?<![\w.,:=/-])(?:19|20)\d\d(?:[-/–](?:19|20)?\d\d)?(?![\w.,/]\w)(?!\w)"
)
_LETTER: Final = re.compile(r"[^\W\d_]")
_NUMBER: Final = re.compile(
    r"[^\w]*(?:(?:ln|log|exp|sqrt|e\^|x)\s*[^\w]*)?"  # a sign, a currency, a function
    r"\d(?:[\d\W_]|e(?=[\d+−-])|ln|x(?=\s*\d))*"
    r"(?!(?:st|nd|rd|th)$)[^\W\d_]*[^\w]*"  # a unit, but no ordinal
)
_BEGINS: Final = re.compile(r"\W*\d[\d.,/']*(?!(?:st|nd|rd|th)\b)[^\W\d_]*(?!\w)")
_ALONE: Final = re.compile(r"(?<!\w)\d+(?!\w)")
_NO_COUNT: Final = re.compile(r"[a-z]+://\S+|\bone[- ]time\b")
_WORD: Final = (
    r"(?:once|twice|thrice|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
    r"|hundreds?|thousands?|millions?)"
)
_WORDS_ALONE: Final = re.compile(rf"\W*(?:a\s+)?{_WORD}(?:[-\s]+(?:and\s+)?{_WORD})*\W*")
_COUNTED: Final = (
    r"(?:times?|per|runs?|releases?|quer(?:y|ies)|iterations?|steps?|repetitions?|repeats?|rounds?"
    r"|epochs?|counts?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|users?|people|persons?"
    r"|records?|rows?|samples?|mechanisms?|a (?:day|week|month|year))"
)
_BEFORE: Final = (
    r"(?:n|counts?|runs|times|steps|iterations|repetitions|repeats|repeated|queries|weeks|days"
    r"|about|approx|approximately|around|roughly|ca|circa|up to|at most|at least|max|maximum)"
)
_HOW_MANY: Final = (
    re.compile(r"(?<![\w.,])\d[\d.,]*(?:\s*[x×*]\b|\s*[-–]?\s*" + _COUNTED + r"\b)"),
    re.compile(rf"\b{_WORD}[-\s]+{_COUNTED}\b"),
    re.compile(r"\b(?:twice|thrice)\b"),
    re.compile(rf"\b{_BEFORE}\W{{1,3}}\d"),
    re.compile(rf"[^\W\d]\s?[=≈≤≥<>:×~]\s?[+−-]?(?:[.,]?\d(?!\d?:\d)|{_WORD}\b)"),
)
