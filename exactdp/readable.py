r"""Answers that a person reads: as text, and as a table in a notebook.

Rules of this file: text is escaped in HTML; the numbers in it are rounded by whoever names them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Final

_LONGEST: Final = 120


class Readable:
    """An answer that is shown by its facts."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """Give each class the representation of one line, which dataclasses would replace."""
        super().__init_subclass__()
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = Readable.__repr__  # type: ignore[method-assign] # of each class itself

    @abstractmethod
    def facts(self) -> Sequence[tuple[str, str]]:
        """What is known, each with its name."""

    def __str__(self) -> str:
        return "\n".join(f"{name}: {text}" if name else text for name, text in self.facts())

    def __repr__(self) -> str:
        """One line: the class, and the beginning of what ``str`` says."""
        return f"<{type(self).__name__}: {line_of(str(self))}>"

    def _repr_html_(self) -> str:
        """The facts as a table."""
        return html_table(self.facts())

    def as_dict(self) -> Mapping[str, object]:
        """The facts by their names, for JSON."""
        return dict(self.facts())


def html_table(rows: Iterable[tuple[str, str]]) -> str:
    """A table of two columns, for notebooks.

    >>> html_table([("a<b", "1")])
    '<table><tr><th>a&lt;b</th><td>1</td></tr></table>'
    """
    cells = (f"<tr><th>{escape(head)}</th><td>{escape(text)}</td></tr>" for head, text in rows)
    return f"<table>{''.join(cells)}</table>"


def line_of(text: str) -> str:
    r"""A text as one line that is not long.

    >>> line_of("ledger: Google\nmechanisms: 18")
    'ledger: Google; mechanisms: 18'
    """
    line = printable("; ".join(text.splitlines()))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def printable(text: str) -> str:
    r"""``text`` as one line, every character escaped that is not visible.

    >>> printable("red: \x1b[31m")
    'red: \\x1b[31m'
    """
    return escaped(text, lambda letter: letter.encode("unicode_escape").decode("ascii"))


def escaped(text: str, escape: Callable[[str], str]) -> str:
    """The text with every character escaped that is not visible."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else escape(letter) for letter in text)
