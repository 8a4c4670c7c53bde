r"""The budgets of a Tumult session, as Python prints them.

Rules of this file: a record is read whole or refused, with its line; numbers are the decimal texts
of the file.

Theory of operation: a session is asked queries, each with a budget, and nothing but the printed
budgets tells afterwards what they cost: a line for each query, such as
``2026-01-05T09:00 ages: PureDPBudget(epsilon=0.1)``, where time and label may be missing.

Sources: Tumult Analytics 0.21, ``PrivacyBudget``.
"""

from __future__ import annotations

import re
from typing import Final

from exactdp.errors import InputError, shorten
from exactdp.ledger.formats.recorded import Record, RecordedSpend, labelled
from exactdp.ledger.formats.strict_json import decode_utf8

_MARK: Final = b"\xef\xbb\xbf"
_SPEND: Final = re.compile(
    r"(?:(?P<time>\d{4}-\d{2}-\d{2}\S*)\s+)?(?P<label>.*?)\s*"
    r"(?P<kind>PureDPBudget|ApproxDPBudget|RhoZCDPBudget)\((?P<arguments>[^()]*)\)"
)
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


def read_tumult(data: bytes) -> Record:
    """Read printed budgets, one for each query.

    Raises:
        InputError: a line is none; the path is "line N".

    >>> read_tumult(b"PureDPBudget(epsilon=0.1)").spends[0].parameters
    {'epsilon': '0.1'}
    """
    lines = decode_utf8(data.removeprefix(_MARK)).splitlines()
    return Record(
        [_spend(line.strip(), f"line {n}") for n, line in enumerate(lines, 1) if line.strip()]
    )


def _spend(line: str, place: str) -> RecordedSpend:
    found = _SPEND.fullmatch(line)
    arguments = [part.partition("=") for part in found["arguments"].split(",")] if found else []
    parameters = {key.strip(): value.strip() for key, _, value in arguments}
    if found is None or sorted(key.strip() for key, *_ in arguments) != _KEYS[found["kind"]]:
        raise InputError(
            field="spend",
            value=shorten(line),
            path=place,
            expected="a budget as Tumult prints it, PureDPBudget(epsilon=0.1), "
            "ApproxDPBudget(epsilon=0.1, delta=1e-09) or RhoZCDPBudget(rho=0.1)",
            remedy="a time and a label may stand before it",
        )
    label = found["label"].rstrip(":").rstrip()
    return RecordedSpend(parameters, labelled(found["time"] or "", label, place), place)
