r"""Mathematics on the site: ``$…$`` and ``$$…$$`` become MathML while the site is built.

Rules of this file: nothing is loaded where a page is read, neither a script nor a font; what is not
understood fails the build. The marks are those that GitHub sets as well.

Theory of operation: an inline rule of Markdown, before all others but code, takes the formula as it
stands and puts the MathML aside, so that nothing else of Markdown touches it. A dollar that stands
for money or a shell has a blank or a digit on the wrong side, and is left alone.
"""

from __future__ import annotations

import re
from typing import Any, Final

from latex2mathml.converter import convert
from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor

DISPLAYED: Final = r"\$\$(.+?)\$\$"
WITHIN_TEXT: Final = r"(?<![\\$\w])\$(?![\s$])([^$\n]+?)(?<![\s\\])\$(?![\w$])"
_AFTER_CODE: Final = 185
"""Below the priority of code (190), above that of escapes (180)."""


def mathml(formula: str, *, displayed: bool) -> str:
    """A formula in the notation of TeX as MathML.

    >>> mathml("x", displayed=False).partition("<mrow>")[2]
    '<mi>x</mi></mrow></math>'
    """
    return str(convert(" ".join(formula.split()), display="block" if displayed else "inline"))


class _Formula(InlineProcessor):  # type: ignore[misc]  # Markdown has no types
    """A formula between dollars."""

    def __init__(self, pattern: str, md: Markdown, *, displayed: bool) -> None:
        super().__init__(pattern, md)
        self.compiled_re = re.compile(pattern, re.DOTALL)
        self._displayed = displayed

    def handleMatch(  # noqa: N802 (Markdown's name)
        self, m: re.Match[str], data: str
    ) -> tuple[str, int, int]:
        """The place of the formula, and what is put there in the end."""
        del data
        stored = self.md.htmlStash.store(mathml(m[1], displayed=self._displayed))
        return stored, m.start(0), m.end(0)


class Mathematics(Extension):  # type: ignore[misc]  # as above
    """Formulas between dollars."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        """Take formulas before anything else of a paragraph, code excepted."""
        displayed = _Formula(DISPLAYED, md, displayed=True)
        within = _Formula(WITHIN_TEXT, md, displayed=False)
        md.inlinePatterns.register(displayed, "displayed formula", _AFTER_CODE + 1)
        md.inlinePatterns.register(within, "formula", _AFTER_CODE)


def makeExtension(**settings: Any) -> Mathematics:  # noqa: ANN401, N802 (Markdown's name and values)
    """The extension, as Markdown asks a module for it."""
    return Mathematics(**settings)
