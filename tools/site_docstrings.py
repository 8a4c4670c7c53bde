r"""Docstrings as the pages of the site need them.

Rules of this file: nothing is left out or said otherwise; only the marks change.

Theory of operation: docstrings are written for readers of the source. Sessions stand in them as
they are, which Markdown takes for quotations of quotations, and names have the roles of another
markup. So sessions become blocks of code, and roles the code that they mark.
"""

from __future__ import annotations

import re
from typing import Any, Final

import griffe

_SESSION: Final = re.compile(r"^([ \t]*)>>> .*\n?(?:\1(?!Args:|Raises:)\S.*\n?)*", re.MULTILINE)
_ROLE: Final = re.compile(r":(?:class|data|func|meth|mod):`~?([^`]+)`")


class ReadableDocstrings(griffe.Extension):
    """Make every docstring readable as Markdown before it is parsed."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:  # noqa: ANN401 (griffe's own)
        """Change the docstring of an object, if it has one."""
        if obj.docstring is not None:
            obj.docstring.value = readable(obj.docstring.value)


def readable(text: str) -> str:
    r"""A docstring whose sessions are blocks of code, and whose roles are code.

    >>> readable("See :class:`Ledger`.\n\n>>> 1 + 1\n2\n\nAnd on.\n")
    'See `Ledger`.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nAnd on.\n'
    """
    return _SESSION.sub(_fenced, _ROLE.sub(r"`\1`", text))


def _fenced(session: re.Match[str]) -> str:
    indent, lines = session[1], session[0].rstrip("\n")
    end = "\n" if session[0].endswith("\n") else ""
    return f"{indent}```pycon\n{lines}\n{indent}```{end}"
