r"""Texts in cells of CSV that no spreadsheet takes for a formula, and no terminal for a command.

Rules of this file: a text that is written is read back equal; a text that somebody else has written
is read as it stands, unless it is what is written here.

Theory of operation: a text that begins as a formula does (``=``, ``+``, ``-``, ``@``), or holds
characters that are not visible, is written with an apostrophe in front, as spreadsheets mark a
text, and with those characters as ``\x1b``. So is a text that would be taken for that.

>>> safe_cell("=1+1"), text_of_cell("'=1+1"), safe_cell("it's fine")
("'=1+1", '=1+1', "it's fine")
"""

from __future__ import annotations

import re
from typing import Final

_MARK: Final = "'"
_FORMULA: Final = re.compile(r"[\s']*[=+\-@\uff1d\uff0b\uff0d\uff20]")
_ESCAPE: Final = re.compile(r"\\(?:[\\nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")


def safe_cell(text: str) -> str:
    """The text of a cell."""
    is_plain = text.isprintable() and _FORMULA.match(text) is None
    return text if is_plain and text_of_cell(text) == text else _escaped(text)


def text_of_cell(cell: str) -> str:
    """The text that a cell stands for."""
    if not cell.startswith(_MARK):
        return cell
    try:
        text = _ESCAPE.sub(_unescaped, cell.removeprefix(_MARK))
    except ValueError:  # no character has that number
        return cell
    is_ours = not text.isprintable() or _FORMULA.match(text) is not None or text.startswith(_MARK)
    return text if is_ours and _escaped(text) == cell else cell


def _escaped(text: str) -> str:
    letters = (
        letter
        if letter.isprintable() and letter != "\\"
        else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )
    return _MARK + "".join(letters)


def _unescaped(found: re.Match[str]) -> str:
    return found[0].encode("ascii").decode("unicode_escape")
