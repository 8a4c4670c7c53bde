r"""Why a file is not accepted.

Rules of this file: a file is accepted only by falling through every check; whatever fails raises
one of the three errors below, and anything unforeseen is a rejection too (exit code 70).

Sources: certs/SPEC.md, section 13.
"""

from __future__ import annotations

from typing import Final

SHOWN_CHARACTERS: Final = 60


class VerificationError(Exception):
    """Base of all reasons for not accepting."""

    status = "rejected"
    exit_code = 1


class RejectedError(VerificationError):
    """A certificate that does not prove what it states, or not what was asked."""


class MalformedError(VerificationError):
    """Bytes that are not of the format."""

    status = "malformed"
    exit_code = 2


class RefusedError(VerificationError):
    """Work beyond the limit, refused before it is done."""

    status = "refused"
    exit_code = 2


def shown(text: str) -> str:
    """The beginning of a text from outside; whoever prints a reason escapes it."""
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"
