r"""The budgets of a Tumult session, as Python prints them.

Rules of this file: a record is read whole or refused, with its line, and a line has one budget;
numbers are the decimal texts of the file.

Theory of operation: a session is asked queries, each with a budget, and nothing but the printed
budgets tells afterwards what they cost: a line for each query, such as
``2026-01-05T09:00 ages: PureDPBudget(epsilon=0.1)``, where time and label may be missing. A session
prints what *remains* in the same words. What remains never grows, so that budgets of one kind that
fall may be either, and the user is asked. Of what remains the first line is what there was to
begin with, and each later line states a spend: the difference to the line above it.

Sources: Tumult Analytics 0.21, ``PrivacyBudget``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import as_rational
from exactdp.errors import InputError, shorten
from exactdp.ledger.formats.recorded import Record, RecordedSpend, labelled
from exactdp.ledger.formats.strict_json import decode_utf8

_MARK: Final = b"\xef\xbb\xbf"
_TIME: Final = re.compile(r"(\d{4}-\d{2}-\d{2}\S*)\s+")
_KIND: Final = re.compile(r"(?:Pure|Approx|RhoZC)DPBudget")
_BUDGET: Final = re.compile(r"(PureDPBudget|ApproxDPBudget|RhoZCDPBudget)\(([^()]*)\)")
_SIGNS: Final = ("*", "×", "·", "+", "/")
_KEYS: Final = {
    "PureDPBudget": ["epsilon"],
    "ApproxDPBudget": ["delta", "epsilon"],
    "RhoZCDPBudget": ["rho"],
}
_FIRST_LINE: Final = re.compile(rb"(?![{\[#])[^\r\n]*\b(?:Pure|Approx|RhoZC)DPBudget\([^()\r\n]*\)")


def recognises(begin: bytes) -> bool:
    """Whether the first line prints a budget.

    >>> recognises(b"ages: PureDPBudget(epsilon=0.1)"), recognises(b"epsilon,count")
    (True, False)
    """
    return _FIRST_LINE.match(begin) is not None


def read_tumult(data: bytes, budgets: str | None = None) -> Record:
    r"""Read printed budgets, one for each query.

    Args:
        data: the bytes of the file.
        budgets: ``spent`` or ``remaining``: what they are; None where they cannot be what remains.

    Raises:
        InputError: a line is none; the path is "line N". Or the budgets fall, and nobody says what
            they are; or they grow, and are said to remain.

    >>> read_tumult(b"PureDPBudget(epsilon=0.1)").spends[0].parameters
    {'epsilon': '0.1'}
    >>> text = b"PureDPBudget(epsilon=2.5)\nPureDPBudget(epsilon=1.5)"
    >>> [each.parameters for each in read_tumult(text, "remaining").spends]
    [{'epsilon': '1'}]
    """
    lines = decode_utf8(data.removeprefix(_MARK)).splitlines()
    spends = [_spend(line.strip(), f"line {n}") for n, line in enumerate(lines, 1) if line.strip()]
    if budgets == "remaining":
        return Record([_difference(*each) for each in pairwise(spends)])
    if budgets is None and _may_remain(spends):
        raise InputError(
            field="spend",
            value=", ".join(", ".join(map(str, each.parameters.values())) for each in spends),
            path=spends[-1].place,
            expected="whether budgets that fall were spent, or remained",
            remedy="--spent if each is what a query cost, --remaining if each is what was left "
            "(in Python budgets='spent' or 'remaining')",
            code="ambiguous",
        )
    return Record(spends)


def _may_remain(spends: Sequence[RecordedSpend]) -> bool:
    """Whether budgets fall: they are of one kind, never grow, and are not all the same."""
    numbers = [[(key, _number(each, key)) for key in sorted(each.parameters)] for each in spends]
    pairs = [*pairwise(numbers)]
    never_grow = all(
        [key for key, _ in one] == [key for key, _ in other]
        and all(a >= b for (_, a), (_, b) in zip(one, other, strict=True))
        for one, other in pairs
    )
    return never_grow and any(one != other for one, other in pairs)


def _number(spend: RecordedSpend, key: str) -> mpq:
    try:
        return as_rational(spend.parameters[key], key)
    except InputError as error:
        raise error.located(spend.place) from None


def _difference(before: RecordedSpend, after: RecordedSpend) -> RecordedSpend:
    """What was spent between two lines of what remained."""
    spent: dict[str, object] = {}
    for key, text in after.parameters.items():
        is_alike = before.parameters.keys() == after.parameters.keys()
        left = _number(before, key) - _number(after, key) if is_alike else -1
        if left < 0:
            raise InputError(
                field=key,
                value=str(text),
                path=after.place,
                expected="no more than in the line above, in the same kind of budget, if it is "
                "what remained",
                remedy="--spent, if each is what a query cost",
            )
        spent[key] = str(left)
    return RecordedSpend(spent, after.label, after.place)


def _spend(line: str, place: str) -> RecordedSpend:
    """The one budget that ends a line; what stands before it is a time and a label."""
    budget = _BUDGET.search(line)
    before = line[: budget.start()].rstrip() if budget else ""
    kinds = len(_KIND.findall(line))
    if budget is None or budget.end() != len(line) or kinds != 1 or _is_factor(before):
        raise _no_budget(line, place, kinds)
    arguments = [part.partition("=") for part in budget[2].split(",")]
    parameters = {key.strip(): value.strip() for key, _, value in arguments}
    if sorted(key.strip() for key, *_ in arguments) != _KEYS[budget[1]]:
        raise _no_budget(line, place, kinds)
    time = _TIME.match(line[: budget.start()])
    label = before[time.end() :] if time else before
    label = label.strip().rstrip(":").rstrip()
    return RecordedSpend(parameters, labelled(time[1] if time else "", label, place), place)


def _is_factor(before: str) -> bool:
    """Whether what stands before a budget changes it: ``3 *``, ``3 x`` or ``a +``."""
    times = before.endswith(("x", "X")) and before[:-1].rstrip()[-1:].isdigit()
    return times or before.endswith(_SIGNS)


def _no_budget(line: str, place: str, kinds: int) -> InputError:
    several = "write each budget on a line of its own; a label names no kind of budget"
    return InputError(
        field="spend",
        value=shorten(line),
        path=place,
        expected="a budget as Tumult prints it, PureDPBudget(epsilon=0.1), "
        "ApproxDPBudget(epsilon=0.1, delta=1e-09) or RhoZCDPBudget(rho=0.1)",
        remedy=several if kinds > 1 else "a time and a label may stand before it",
    )
