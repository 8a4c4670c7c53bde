r"""Why a file is not accepted.

Rules of this file: a file is accepted only by falling through every check; whatever fails raises
one of the three errors below, and anything unforeseen is a rejection too (exit code 70). Values
from outside are shortened and escaped before they are shown.

Sources: certs/SPEC.md, section 9.
"""

from __future__ import annotations

from typing import Final

REJECTED: Final = "rejected"
MALFORMED: Final = "malformed"
REFUSED: Final = "refused"

SHOWN_CHARACTERS: Final = 60


class VerificationError(Exception):
    """Base of all reasons for not accepting."""

    status = REJECTED
    exit_code = 1


class RejectedError(VerificationError):
    """A certificate that does not prove what it states, or not what was asked. Exit code 1."""


class MalformedError(VerificationError):
    """Bytes that are not of the format. Exit code 2."""

    status = MALFORMED
    exit_code = 2


class RefusedError(VerificationError):
    """Work beyond the limits, refused before it starts. Exit code 2."""

    status = REFUSED
    exit_code = 2


def shown(value: object) -> str:
    """A value from outside, safe to print: one line, escaped, short."""
    text = value if isinstance(value, str) else type(value).__name__
    return escaped(text, SHOWN_CHARACTERS)


def escaped(text: str, limit: int) -> str:
    """At most ``limit`` characters of ``text``, control characters and surrogates escaped."""
    short = text if len(text) <= limit else f"{text[:limit]}…"
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in short
    )
