r"""Names of parameters in the comments of a log, beside numbers.

Rules of this file: what a column may be called is what a comment may call a parameter, by the one
table of names in :mod:`exactdp.ledger.columns`; a comment that names one and has a number may state
it. Prose that names no parameter, or has no number, states none. Time is linear in the text.

Theory of operation: a text is compared in compatibility form (NFKC) without format characters,
word by word. COUNT is an aggregate too, so that ``count``, ``n`` and ``noise`` need the number
right beside them, or behind a colon; Q1 is a quarter of a year. Dates are no numbers.

Sources: Unicode Standard Annex 15 (NFKC).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from exactdp.ledger.columns import key_of, strip_format
from exactdp.mechanisms.entries import BESIDE, FLAT, SHUFFLED

_ALWAYS: Final = {*BESIDE, *FLAT, "scale"} - {"rate", *SHUFFLED.further}
"""Parameters that a colon or an equality sign is enough to state, even without a number."""
_GREEK: Final = frozenset("ΕΔΡΜΣ")
"""Capitals, which may be a parameter in prose, and are none as the name of a column."""
_BESIDE: Final = frozenset(
    {
        *("count", "n", "noise", "budget", "variance", "gaussian", "geometric", "exponential"),
        *("std", "stddev", "deviation", "multiplier"),
    }
)
"""Words that prose about counting queries has as well: the number stands right beside them."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_DATE: Final = re.compile(r"(?<!\d)(?:\d{4}-\d\d(?:-\d\d)?|\d\d?[./]\d\d?[./]\d{2,4})(?!\d)")
_QUARTER: Final = re.compile(r"(?<![^\W_])[A-Za-z]\d+(?![^\W_])(?!\.\d)")
_NUMBER: Final = re.compile(r"(?<![^\W\d_])\d")
_BEHIND: Final = re.compile(r"[\s_:=(\[]*(?:(?:of|is|are|was|were|by|at|to)\s+)?[-+.]?\d")
_BEFORE: Final = re.compile(r"\d\s*(?:x\s*)?\Z")
_NEAR: Final = 20
_LONGEST: Final = 3


def may_state(text: str) -> bool:
    """Whether a comment may state a parameter, or how often something ran.

    >>> [may_state(each) for each in ("epsilon = 5", "52 runs", "eps:", "Q1: women", "rate")]
    [True, True, True, False, False]
    """
    plain = _QUARTER.sub(" ", _DATE.sub(" ", strip_format(text)))
    last = max((found.start() for found in _NUMBER.finditer(plain)), default=-1)
    if _is_assigned(plain):
        return True
    colon = max(plain.rfind(each, 0, last) for each in ":=") if last >= 0 else -1
    return last >= 0 and any(
        _is_beside_number(plain, start, end) or name not in _BESIDE or end <= colon
        for start, end, name in _named(plain)
    )


def may_state_in_label(text: str) -> bool:
    """Whether a label goes on to state a parameter, rather than to be about one.

    >>> may_state_in_label("the rate in 5 wards"), may_state_in_label("x epsilon: 5")
    (False, True)
    """
    plain = _QUARTER.sub(" ", _DATE.sub(" ", strip_format(text)))
    return _is_assigned(plain) or any(
        _is_beside_number(plain, start, end) for start, end, _ in _named(plain)
    )


def _is_assigned(text: str) -> bool:
    """Whether a parameter stands before a colon or an equality sign on its line."""
    for line in text.split("\n"):
        last = max(line.rfind(":"), line.rfind("="))
        if any(name in _ALWAYS for *_, name in _named(line[: last + 1])):
            return True
    return False


def _is_beside_number(text: str, start: int, end: int) -> bool:
    """Whether a number stands right before or right behind a name, or behind a colon."""
    return bool(_BEHIND.match(text, end) or _BEFORE.search(text[max(0, start - _NEAR) : start]))


def _named(text: str) -> Iterator[tuple[int, int, str]]:
    """The parameters that a text names, each with the place of its name."""
    spoken = list(_WORD.finditer(text))
    known: dict[str, str] = {}
    for place, first in enumerate(spoken):
        several = spoken[place : place + _LONGEST]
        for number, last in enumerate(several, 1):
            name = " ".join(word[0] for word in several[:number])
            if name not in known:
                known[name] = _parameter(name)
            if known[name]:
                yield first.start(), last.end(), known[name]


@lru_cache(maxsize=1 << 12)
def _parameter(name: str) -> str:
    """The parameter that words name, in the singular or the plural; empty if they name none."""
    if name in _GREEK:
        return "epsilon"
    lower = name.casefold()
    for each in (lower, lower.removesuffix("s")):
        if each in _ALWAYS or each in _BESIDE:
            return each
        found = key_of(each)
        if found is not None and found != "label":
            return "repetition" if found == "count" else found
    return ""
