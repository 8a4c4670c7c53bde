"""The pages: what they show is what the commands print, and what they link to is there."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.running import exactdp
from tests.marking import each_case, slow_among
from tools import refresh

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in (".", "docs", "ledgers", "proofs", "certs")
    for path in (ROOT / folder).glob("*.md")
)
FIRST_PAGE = "README.md"
"""What a reader meets first; the commands of the other pages take many seconds (slow)."""


def _text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def _sessions(page: str) -> list[str]:
    return re.findall(r"(?<=^```pycon\n).*?(?=^```$)", _text(page), re.DOTALL | re.MULTILINE)


def _links(page: str) -> list[str]:
    """The files that a page links to."""
    return re.findall(r"\]\((?!https?:)([^)#]+)", _text(page))


@pytest.mark.parametrize(
    "page",
    [
        page if page == FIRST_PAGE else pytest.param(page, marks=pytest.mark.slow)
        for page in refresh.PAGES
    ],
)
def test_every_command_prints_what_the_page_shows(page: str) -> None:
    text = _text(page)
    assert refresh.commands(text)
    assert refresh.refreshed_page(text).splitlines() == text.splitlines()


@pytest.mark.parametrize(
    "page", slow_among({"docs/budget.md"}, [page for page in PAGES if _sessions(page)])
)
def test_every_session_of_python_prints_what_the_page_shows(
    page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest("\n".join(_sessions(page)), {}, page, page, 0)
    done = doctest.DocTestRunner().run(test)
    assert done.attempted > 0
    assert done.failed == 0


@each_case("page", [page for page in PAGES if _links(page)])
def test_every_link_to_a_file_leads_somewhere(page: str) -> None:
    missing = [link for link in _links(page) if not (ROOT / page).parent.joinpath(link).exists()]
    assert missing == []


def test_commands_stand_only_where_they_are_run() -> None:
    assert {page for page in PAGES if refresh.FENCE in _text(page)} == {*refresh.PAGES}
    assert FIRST_PAGE in refresh.PAGES


def test_the_readme_is_short() -> None:
    assert len(_text("README.md").splitlines()) < 200


def test_what_readers_ask_first_is_answered_from_the_sheet_that_init_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, _, section = _text(FIRST_PAGE).partition("## Begin where you stand\n")
    rows = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    asked = [found for row in rows[1:] for found in re.findall(r"`exactdp (\w+ [^`]+)`", row)]
    assert len(asked) == 4
    assert exactdp("init").code == 0
    for command in asked:
        assert exactdp(*shlex.split(command)).code in (0, 1), command


def test_a_page_that_shows_something_else_is_found_out() -> None:
    page = "```console\n$ echo one; echo two >&2\none\n```\n"
    assert refresh.refreshed_page(page) == page.replace("one\n```", "one\ntwo\n```")


def test_commands_of_a_page_see_the_files_of_those_before_them() -> None:
    page = "```console\n$ echo one > made\n```\n\n```console\n$ cat \\\n    made\none\n```\n"
    assert refresh.refreshed_page(page) == page
    assert refresh.commands(page) == ["echo one > made", "cat \\\n    made"]
