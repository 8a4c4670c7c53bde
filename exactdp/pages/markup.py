r"""Text as HTML.

Rules of this file: what is not :class:`Markup` is text, and escaped; a character that is not
visible, and so could hide or turn around what stands beside it, is spelled out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Final

from exactdp.readable import printable

_SHORT: Final = 12
"""A table of so few rows is not torn apart in print."""
_POWER: Final = re.compile(r"(?<![\w.])(?:(\d+(?:\.\d+)?)e|(2)\^)([+-]?\d+)(?!\w|\.\d)")
_VOID: Final = frozenset({"circle", "input", "line", "path", "polygon", "rect"})


class Markup(str):
    """HTML, to be set as it stands."""

    __slots__ = ()


def markup_of(content: str) -> Markup:
    r"""A text as HTML; HTML as it is.

    >>> markup_of("<b>\x1b[31m & more")
    '&lt;b&gt;\\x1b[31m &amp; more'
    """
    return content if isinstance(content, Markup) else Markup(escape(printable(content)))


def numbers(content: str) -> Markup:
    """A text whose powers are set as such, and not broken; HTML as it is.

    >>> numbers("δ < 1e-6")
    'δ &lt; <span class="power">10<sup>−6</sup></span>'
    >>> numbers("2.5e-7, 2^-40").count("·10<sup>−7"), numbers("0.1, 1e-6x, x1e-6")
    (1, '0.1, 1e-6x, x1e-6')
    """
    if isinstance(content, Markup):
        return content
    return Markup(_POWER.sub(_power, markup_of(content)))


def _power(found: re.Match[str]) -> str:
    mantissa, two, exponent = found.groups()
    factor = "" if mantissa in (None, "1") else f"{mantissa}·"
    raised = exponent.replace("-", "−").lstrip("+")
    return f'<span class="power">{factor}{two or 10}<sup>{raised}</sup></span>'


def tag(name: str, *children: str, **attributes: str | float | None) -> Markup:
    """An element; ``class_`` stands for class, ``aria_label`` for aria-label, None for no such.

    >>> tag("td", "1 < 2", class_="number", title=None)
    '<td class="number">1 &lt; 2</td>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{markup_of(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Markup(f"<{name}{given}{'/' if name != 'input' else ''}>")
    return Markup(f"<{name}{given}>{joined(children)}</{name}>")


def joined(parts: Iterable[str]) -> Markup:
    """Several parts, one after the other."""
    return Markup("".join(map(markup_of, parts)))


def foreign(text: str) -> Markup:
    """Text of a ledger, whose direction of writing is its own."""
    return tag("bdi", text)


def table(
    caption: str,
    titles: Iterable[str],
    rows: Iterable[Iterable[str]],
    *,
    identifier: str | None = None,
) -> Markup:
    """A table whose rows begin with their heading; it scrolls by itself where it is too wide."""
    head = tag("tr", *(tag("th", each, scope="col") for each in titles))
    body = [_row(row) for row in rows]
    kind = "wide short" if len(body) <= _SHORT else "wide"
    inner = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", *body))
    return tag(
        "div", inner, class_=kind, role="region", tabindex=0, aria_label=caption, id=identifier
    )


def _row(cells: Iterable[str]) -> Markup:
    first, *others = cells
    return tag(
        "tr", tag("th", numbers(first), scope="row"), *(tag("td", numbers(each)) for each in others)
    )


def together(*parts: str) -> Markup:
    """Parts that stand on one page in print, such as a heading and what it is above."""
    return tag("div", *parts, class_="together")


def definitions(rows: Iterable[tuple[str, ...]]) -> Markup:
    """What, and how much."""
    return tag(
        "dl",
        *(
            tag("div", tag("dt", name), *(tag("dd", numbers(text)) for text in texts))
            for name, *texts in rows
        ),
    )
