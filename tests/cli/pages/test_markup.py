"""What comes from outside is text in a page, whatever it holds."""

from __future__ import annotations

from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from exactdp.pages.markup import Markup, markup_of, tag
from exactdp.readable import printable


@given(st.text())
def test_text_stays_text(text: str) -> None:
    shown = markup_of(text)
    assert not set(shown) & set("<>\"'")
    assert unescape(shown) == printable(text)


def test_markup_is_not_escaped_twice() -> None:
    inner = tag("b", "1 < 2")
    assert tag("p", inner) == "<p><b>1 &lt; 2</b></p>"
    assert isinstance(inner, Markup)


def test_an_attribute_cannot_be_left() -> None:
    assert tag("a", href='"onclick="x') == '<a href="&quot;onclick=&quot;x"></a>'


def test_what_turns_the_line_around_is_spelled_out() -> None:
    assert markup_of("\u202e\u2028\x07") == "\\u202e\\u2028\\x07"
