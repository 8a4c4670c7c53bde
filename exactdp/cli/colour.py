r"""Colour for the words that say how a question ended, on a terminal that wants it.

Rules of this file: colour says nothing that the word does not; there is none in a pipe, with
``NO_COLOR`` set (no-color.org), or on a terminal that is called dumb.
"""

from __future__ import annotations

import os
import re
from typing import Final

from exactdp.cli.output import is_terminal

_GREEN, _RED, _YELLOW = 32, 31, 33
_COLOURS: Final = {
    **dict.fromkeys(("ACCEPTED", "ATTESTED", "PASSED", "proved"), _GREEN),
    **dict.fromkeys(("NOT ATTESTED", "REJECTED", "MALFORMED", "UNSOUND", "FAILED"), _RED),
    **dict.fromkeys(("BAD INPUT", "refuted"), _RED),
    **dict.fromkeys(("REFUSED", "UNDECIDED", "NOTHING CHECKED", "undecided"), _YELLOW),
}
_BEGINNING: Final = r"(?:\b|(?<=\x1b\[2m)|(?<=\x1b\[0m))"  # an escape ends in a letter
_WORDS: Final = "|".join(sorted(_COLOURS, key=len, reverse=True))
_WORD: Final = re.compile(rf"{_BEGINNING}(?:{_WORDS})\b")


def coloured(text: str) -> str:
    """The text, its verdicts coloured where a person who wants that reads it."""
    return _WORD.sub(_painted, text) if _is_wanted() else text


def _painted(found: re.Match[str]) -> str:
    return f"\x1b[{_COLOURS[found[0]]}m{found[0]}\x1b[39m"


def _is_wanted() -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb":
        return False
    return is_terminal()
