"""The site of the documentation: built strictly, searchable, complete, and with nothing fetched."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import markdown
import pytest

import exactdp
from exactdp.pages.page import checking_page
from tools import build_site

needs_mathematics = pytest.mark.skipif(
    find_spec("latex2mathml") is None, reason="latex2mathml is not installed"
)
ROOT: Final = Path(__file__).resolve().parents[1]
FETCHED: Final = re.compile(r'<(?:script|img|link)[^>]+(?:src|href)="(https?:[^"]+)"')


def test_every_page_of_the_documentation_has_its_place() -> None:
    named = re.findall(r"docs/[\w./-]+\.md", build_site.configuration())
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")}
    assert len(named) == len(set(named))
    assert {*named} - {build_site.REFERENCE, "docs/upstream/README.md"} == pages


def test_a_page_that_nobody_placed_stands_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_site, "ROOT", tmp_path)
    (tmp_path / "docs").mkdir()
    for name in ("old.md", "new.md"):
        (tmp_path / "docs" / name).touch()
    monkeypatch.setattr(build_site, "SITE", tmp_path)
    (tmp_path / "mkdocs.yml").write_text("nav:\n  - Old: docs/old.md\n")
    added = "  - Further pages:\n      - docs/new.md\n"
    assert build_site.configuration() == f"nav:\n  - Old: docs/old.md\n{added}"


def test_links_are_followed_and_code_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_site, "ROOT", tmp_path.resolve())
    links = "[b](b.md#part) `[c](c.md)` [d](https://example.org) [e](no.md)"
    (tmp_path / "a.md").write_text(links)
    for name in ("b.md", "c.md"):
        (tmp_path / name).touch()
    found = [path.name for path in build_site.linked_files(tmp_path / "a.md")]
    assert found == ["b.md"]


def test_the_reference_has_every_public_name() -> None:
    names = re.findall(r"^## exactdp\.(\w+)$", build_site.reference(), re.MULTILINE)
    assert [*names, "__version__"] == sorted(dir(exactdp), key=lambda n: n == "__version__")


def test_anchors_are_those_of_the_repository_whatever_the_letters() -> None:
    named = re.findall(r"\]\(([\w./-]*)#([^)]+)\)", (ROOT / "docs" / "mechanisms.md").read_text())
    assert ("bounds.md", "ledgers-in-ρ-in-μ-and-by-noise") in named


FORMULA: Final = re.compile(rf"{build_site.DISPLAYED}|{build_site.WITHIN_TEXT}", re.DOTALL)
CODE: Final = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
PAGES: Final = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").glob("*.md"))]


def formulas(page: Path) -> list[str]:
    """What a page has between dollars, code excepted."""
    return [found[0] for found in FORMULA.finditer(CODE.sub("", page.read_text(encoding="utf-8")))]


@needs_mathematics
@pytest.mark.parametrize("name", PAGES)
def test_formulas_are_set_as_mathml_and_leave_no_dollar(name: str) -> None:
    text = CODE.sub("", (ROOT / name).read_text(encoding="utf-8"))
    page = markdown.markdown(text, extensions=["tables", "tools.build_site"])
    assert page.count("<math ") == len(formulas(ROOT / name))
    assert "$" not in re.sub("<pre>.*?</pre>", "", page, flags=re.DOTALL)
    assert "merror" not in page


def test_the_pages_that_define_what_is_computed_have_formulas() -> None:
    for name in ("guarantees", "bounds", "papers", "composition"):
        assert len(formulas(ROOT / "docs" / f"{name}.md")) >= 5, name


@needs_mathematics
def test_a_dollar_of_a_shell_or_of_money_is_none_of_a_formula() -> None:
    for text in ("$ exactdp and $ more", "5$ and 6$", "`$x$`", r"\$x\$", "$HOME/a$b"):
        assert "<math" not in markdown.markdown(text, extensions=["tools.build_site"])


@needs_mathematics
def test_emphasis_and_indices_within_a_formula_are_left_alone() -> None:
    page = markdown.markdown("*a* $a_i * b_i$ _c_", extensions=["tools.build_site"])
    assert page.count("<msub>") == 2
    assert page.count("<em>") == 2


def test_the_first_page_shows_what_the_readme_shows() -> None:
    text = (build_site.SITE / "index.md").read_text(encoding="utf-8")
    [line] = re.findall(r"^ε ≤ .*$", text, re.MULTILINE)
    assert line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()


@pytest.mark.slow
@pytest.mark.skipif(find_spec("material") is None, reason="mkdocs-material is not installed")
def test_mkdocs_alone_says_what_to_run_instead() -> None:
    command = [sys.executable, "-m", "mkdocs", "build"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    [said] = done.stderr.splitlines()  # and no banner of a theme above it
    assert said == "The site is built with: python tools/build_site.py [-o DIRECTORY]"


@pytest.mark.slow
@pytest.mark.skipif(find_spec("material") is None, reason="mkdocs-material is not installed")
def test_the_site_is_built_strictly(tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert build_site.main(["-o", str(site)]) == 0
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert any("randomized response" in each["text"] for each in index["docs"])
    assert (site / "certs" / "SPEC" / "index.html").exists()
    assert (site / "check.html").read_bytes() == checking_page()
    first = (site / "index.html").read_text(encoding="utf-8")
    assert 'href="check.html"' in first
    assert 'href="start/"' in first
    assert first.count('name="query"') == 1
    reference = (site / "docs" / "reference" / "index.html").read_text(encoding="utf-8")
    assert exactdp.verify.__doc__ is not None
    assert exactdp.verify.__doc__.splitlines()[0] in reference
    assert "<blockquote>" not in reference  # what Markdown makes of a session
    assert 'class="gp"' in reference  # the prompt of a session
    assert re.search(r":(?:class|func|meth|data):", reference) is None
    assert "__post_init__" not in reference
    guarantees = (site / "docs" / "guarantees" / "index.html").read_text(encoding="utf-8")
    assert (
        guarantees.count('<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">') >= 2
    )
    budget = (site / "docs" / "budget" / "index.html").read_text(encoding="utf-8")
    assert '<span class="option">--delta</span>' in budget
    for page in site.rglob("*.html"):
        assert FETCHED.findall(page.read_text(encoding="utf-8")) == [], page


@pytest.mark.slow
@pytest.mark.skipif(find_spec("material") is None, reason="mkdocs-material is not installed")
def test_a_page_that_links_to_nothing_fails_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_site, "reference", lambda: "# Reference\n\n[gone](missing.md)\n")
    with pytest.raises(subprocess.CalledProcessError, match="mkdocs"):
        build_site.main(["-o", str(tmp_path / "site")])
