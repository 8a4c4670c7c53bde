r"""Whether a statement is about the budget of a spend log.

Rules of this file: a log is compared with a statement, not audited; of its lines only what is
compared is read: the budget in the first, the chain of digests, and the sums in the line that the
statement names.

Sources: certs/SPEC.md, section 12.3.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Final

from ..format.numbers import rational_text
from ..format.outcomes import RejectedError
from ..format.shapes import members, one_of, string
from ..format.strict_json import read_canonical
from ..rules.budget import Budget, Line
from ..statement import NEIGHBOURING, Statement

_FORMAT: Final = "exactdp-spend-log/1"
_HEADER: Final = (
    *("budget", "delta", "digest", "entry", "format", "id", "neighbouring", "number"),
    *("place", "previous", "spent", "time", "unit"),
)


def check_log(subject: Budget, statement: Statement, data: bytes) -> None:
    """Reject a statement that is not about the budget of this log."""
    lines = data.removesuffix(b"\n").split(b"\n")
    header = members(read_canonical(lines[0]), _HEADER, "first line")
    one_of(header["format"], (_FORMAT,), "log format")
    neighbouring = one_of(header["neighbouring"], NEIGHBOURING, "neighbouring")
    if neighbouring != statement.neighbouring:
        raise RejectedError("the statement is not about this log: another neighbouring relation")
    budget = header["budget"]
    stated = Budget.read({**budget, "type": Budget.type} if isinstance(budget, dict) else budget)
    if stated != replace(subject, log=None):
        raise RejectedError("the statement is not about this log: another budget")
    if subject.log is not None:
        _check_line(subject.log, lines)


def _check_line(line: Line, lines: list[bytes]) -> None:
    """The line that is named is in the chain, with these sums."""
    previous = ""
    for text in lines:
        parts = read_canonical(text)
        if not isinstance(parts, dict) or parts.get("previous") != previous:
            raise RejectedError("the log's lines do not follow one another")
        previous = string(parts.get("digest", ""), "digest")
        unsealed = text.replace(f'"digest":"{previous}"'.encode(), b'"digest":""', 1)
        if hashlib.sha256(unsealed + b"\n").hexdigest() != previous:
            raise RejectedError("the digest of a line of the log is that of another")
        if previous == line.digest:
            spent = members(parts.get("spent", ""), ("delta", "size"), "spent")
            if spent != {"delta": rational_text(line.delta), "size": rational_text(line.size)}:
                raise RejectedError("the log says otherwise what was spent at that line")
            return
    raise RejectedError("the log has no line of that digest")
