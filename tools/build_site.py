r"""Build the site of the documentation, strictly: a page that links to nothing fails the build.

Rules of this file: the site has the pages of the repository under their own paths, so that every
link of a page is a link of the site; nothing is written beside the target but a folder of its own,
which is gone afterwards.

Theory of operation: from the README and the pages of ``docs`` all links are followed within the
repository. Pages become pages, other files are kept as they are. The reference of the API has a
section for each public name, made from its docstring. The first page and the page that checks
certificates are the site's alone. MkDocs then builds the copy, and loads this
module as an extension of two of its parts:

- *Docstrings* are written for readers of the source. Sessions stand in them as they are, which
  Markdown takes for quotations of quotations, and names have the roles of another markup. Sessions
  become blocks of code, and roles the code that they mark; nothing else changes.
- *Mathematics*: ``$…$`` and ``$$…$$``, as GitHub sets them too, become MathML, so that a page loads
  neither a script nor a font; a formula that is not understood fails the build. An inline rule of
  Markdown, before all others but code, takes the formula and puts the MathML aside, so that nothing
  else of Markdown touches it. A dollar that stands for money or a shell has a blank or a digit on
  the wrong side, and is left alone.
- *Options* within code are one word each, as browsers else break a line behind ``--``.

    python tools/build_site.py [-o DIRECTORY]
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import griffe
from latex2mathml.converter import convert
from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.postprocessors import Postprocessor

import exactdp
from exactdp.pages.page import checking_page

ROOT: Final = Path(__file__).resolve().parent.parent
SITE: Final = ROOT / "tools" / "site_pages"
"""What is of the site alone: its configuration, its first page, and its style."""
REFERENCE: Final = "docs/reference.md"
_LAST_IN_SEARCH: Final = "---\nsearch:\n  boost: 0.001\n---\n"
"""Pages that answer a question stand above the reference, which has every word."""
_LINK: Final = re.compile(r"\]\((?![a-z]+:)([^)#\s]+)")
_CODE: Final = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_SESSION: Final = re.compile(r"^([ \t]*)>>> .*\n?(?:\1(?!Args:|Raises:)\S.*\n?)*", re.MULTILINE)
_ROLE: Final = re.compile(r":(?:class|data|func|meth|mod):`~?([^`]+)`")
DISPLAYED: Final = r"\$\$(.+?)\$\$"
WITHIN_TEXT: Final = r"(?<![\\$\w])\$(?![\s$])([^$\n]+?)(?<![\s\\])\$(?![\w$])"
_WITH_CODE: Final = re.compile(r"<code\b.*?</code>", re.DOTALL)
_OPTION: Final = re.compile(r"(?<![\w&;-])--?[a-z][\w-]*(?![^<>]*>)")
_AFTER_HTML: Final = 25
"""Below the priority of what puts code back into a page (30)."""
_AFTER_CODE: Final = 185
"""Below the priority of code (190), above that of escapes (180)."""


def pages() -> list[Path]:
    """The pages to begin with."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def linked_files(page: Path) -> Iterator[Path]:
    """The files of the repository that a page links to."""
    for link in _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8"))):
        target = (page.parent / link).resolve()
        if target.is_file() and target.is_relative_to(ROOT):
            yield target


def all_files() -> set[Path]:
    """The pages, and whatever they lead to."""
    waiting, found = pages(), set(pages())
    while waiting:
        page = waiting.pop()
        for target in linked_files(page) if page.suffix == ".md" else ():
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def reference() -> str:
    """The reference of the API: a section for each public name."""
    names = [name for name in dir(exactdp) if name != "__version__"]
    sections = [f"## exactdp.{name}\n\n::: {'.'.join(exactdp.home_of(name))}\n" for name in names]
    return "\n".join([_LAST_IN_SEARCH, "# Reference of the API\n", *sections])


def configuration() -> str:
    """What MkDocs is told: the site's ``mkdocs.yml``, and the pages that it does not name."""
    text = (SITE / "mkdocs.yml").read_text(encoding="utf-8")
    names = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").glob("*.md"))]
    others = [name for name in names if f"- {name}\n" not in text and f": {name}\n" not in text]
    return text + "".join(
        ["  - Further pages:\n"] * bool(others) + [f"      - {n}\n" for n in others]
    )


def stage(place: Path) -> None:
    """Copy what the site is made of."""
    for source in all_files():
        target = place / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    (place / "README.md").rename(place / "start.md")
    for name in ("index.md", "site.css"):
        shutil.copy(SITE / name, place)
    (place / "check.html").write_bytes(checking_page())
    (place / REFERENCE).write_text(reference(), encoding="utf-8")


def build(output: Path) -> None:
    """Write the site.

    Raises:
        CalledProcessError: a page is wrong; the reason has been printed.
    """
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        stage(place / "pages")
        (place / "mkdocs.yml").write_text(configuration(), encoding="utf-8")
        command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
        command += ["--config-file", str(place / "mkdocs.yml"), "--site-dir", str(output.resolve())]
        environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
        subprocess.run(command, check=True, cwd=ROOT, env=environment)  # noqa: S603 (our own command)


# --- docstrings -----------------------------------------------------------------------------------


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


# --- mathematics ----------------------------------------------------------------------------------


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
        md.postprocessors.register(_Options(md), "options", _AFTER_HTML)


class _Options(Postprocessor):  # type: ignore[misc]  # as above
    """Options within code, none of which a browser breaks."""

    def run(self, text: str) -> str:
        """The page with each option marked."""
        return unbroken(text)


def unbroken(html: str) -> str:
    """HTML in whose code no line breaks within an option.

    >>> unbroken('--a <code class="x">run <b>--to-be</b> 1-2</code>')
    '--a <code class="x">run <b><span class="option">--to-be</span></b> 1-2</code>'
    """

    def marked(code: re.Match[str]) -> str:
        return _OPTION.sub(r'<span class="option">\g<0></span>', code[0])

    return _WITH_CODE.sub(marked, html)


def makeExtension(**settings: Any) -> Mathematics:  # noqa: ANN401, N802 (Markdown's name and values)
    """The extension, as Markdown asks a module for it."""
    return Mathematics(**settings)


# --- the command ----------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the site; return the exit code."""
    parser = argparse.ArgumentParser(description="Build the site of the documentation.")
    parser.add_argument("-o", "--output", type=Path, default=Path("site"))
    build(parser.parse_args(arguments).output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
