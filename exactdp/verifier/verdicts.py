r"""The verdict on a file, in a line and for machines.

Rules of this file: what comes from outside is shortened and escaped before it is shown.

Sources: certs/SPEC.md, section 13.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Final

ACCEPTED: Final = "accepted"
REJECTED: Final = "rejected"
MALFORMED: Final = "malformed"
REFUSED: Final = "refused"
NOT_A_CERTIFICATE: Final = "not a certificate"
_OTHER_FILES: Final = {b'"mechanisms"': "a ledger", b'"queries"': "a workload"}
_PAGE: Final = b"<!doctype html"
_REASON_CHARACTERS: Final = 240


@dataclass(frozen=True)
class Verdict:
    """The outcome for one file; ``line`` says it in full, the rest is for machines.

    ``epsilon`` and ``delta`` are the statement's canonical texts (``epsilon`` may be ``every``), or
    in their place ``rho`` or ``mu``;
    ``mechanisms`` is their number with multiplicity; ``group`` is 1 for neighbours; ``reason`` is
    empty if accepted. The fields after it are empty unless accepted.
    """

    status: str
    line: str
    exit_code: int
    reason: str = ""
    kind: str = ""
    epsilon: str = ""
    delta: str = ""
    mechanisms: str = ""
    interaction: str = ""
    group: str = ""
    theorem: str = ""
    rules: tuple[str, ...] = ()
    settles: str = ""
    rho: str = ""
    mu: str = ""

    def __str__(self) -> str:
        return self.line

    def _repr_html_(self) -> str:
        """The line, as notebooks show it."""
        return f"<code>{escape(self.line)}</code>"


def failure(status: str, reason: str, exit_code: int) -> Verdict:
    """The verdict for a file that is not accepted."""
    safe = escaped(reason, _REASON_CHARACTERS)
    return Verdict(status, f"{status.upper()}  reason: {safe}", exit_code, safe)


def malformed(data: bytes, reason: str) -> Verdict:
    """The verdict for such a file: what it is, if not a certificate, says more than the reason."""
    if data[: len(_PAGE)].lower() == _PAGE:
        return failure(MALFORMED, f"a page, {NOT_A_CERTIFICATE}: save those that it holds", 2)
    found = [] if b'"derivation"' in data else [key for key in _OTHER_FILES if key in data]
    said = f"{_OTHER_FILES[found[0]]}, {NOT_A_CERTIFICATE}" if found else reason
    return failure(MALFORMED, said, 2)


def escaped(text: str, limit: int) -> str:
    """At most ``limit`` characters of ``text``, control characters and surrogates escaped."""
    short = text if len(text) <= limit else f"{text[:limit]}…"
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in short
    )
