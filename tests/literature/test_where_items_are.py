"""Every numbered item of the five sources, and where it is: the table of papers.md, and tests.

``numbered_items.json`` lists the items as their sources number them, each with its tests, or with
the item that it restates ("as Theorem 1.2 of MV16", "as in MV16"): every definition, theorem,
lemma, fact, claim, proposition, corollary, example, algorithm, figure and table, every equation
with a number, and the experiments, applications and open questions without one. Of the journal
version of optimal composition they are the items that its text refers to.
"""

from __future__ import annotations

import json
import re
import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from exactdp.cli.commands import COMMANDS
from tests.cli.running import exactdp
from tests.marking import each_case

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
ITEMS: dict[str, dict[str, list[str] | str]] = json.loads(
    (Path(__file__).parent / "numbered_items.json").read_text(encoding="utf-8")
)
TITLES = "| source | item | what it says | where it is, or why not |"
LINK = re.compile(r"\[([^]]+)\]\(([^)#]*)(?:#([^)]+))?\)")
MODULE = re.compile(r"`(exactdp\.[\w.]+)`")
COMMAND = re.compile(r"`exactdp (\w+)([^`]*)`")
PROOF = re.compile(r"proofs: `(\w+)`")


class Row(NamedTuple):
    source: str
    item: str
    says: str
    where: str


def rows() -> list[Row]:
    lines = (DOCS / "papers.md").read_text(encoding="utf-8").splitlines()
    begin = lines.index(TITLES) + 2
    source, table = "", []
    for line in lines[begin:]:
        if not line.startswith("|"):
            break
        named, items, says, where = (cell.strip() for cell in line[1:-1].split("|"))
        source = named or source
        table += [Row(source, item, says, where) for item in items.split("; ")]
    return table


ROWS = rows()
PLACES = [(row.source, row.item) for row in ROWS]


def test_every_item_of_every_source_is_in_the_table_or_has_a_test_or_restates_another() -> None:
    assert len(PLACES) == len(set(PLACES))
    every = {
        (source, item): said for source, items in ITEMS.items() for item, said in items.items()
    }
    assert set(PLACES) <= set(every)
    assert [place for place, said in every.items() if not said and place not in PLACES] == []


@each_case("row", ROWS)
def test_a_row_says_where_its_item_is_or_why_not(row: Row) -> None:
    has_place = any(each.search(row.where) for each in (LINK, MODULE, COMMAND, PROOF))
    assert has_place or row.where.startswith("not ")


TESTS = [
    each.split(": ")
    for items in ITEMS.values()
    for said in items.values()
    if not isinstance(said, str)
    for each in said
]
"""A file of tests, and the beginning of the name of one."""


@each_case(("file", "beginning"), TESTS)
def test_the_test_of_an_item_is_there(file: str, beginning: str) -> None:
    (target,) = (ROOT / "tests").rglob(f"{file}.py")
    assert f"\ndef test_{beginning.replace(' ', '_')}" in target.read_text(encoding="utf-8")


@each_case("row", ROWS)
def test_what_a_row_names_is_there(row: Row) -> None:
    for _, path, anchor in LINK.findall(row.where):
        target = (DOCS / path).resolve() if path else DOCS / "papers.md"
        assert target.is_file()
        if anchor:
            assert anchor in anchors(target)
    for command, _ in COMMAND.findall(row.where):
        assert command in COMMANDS
    for module in MODULE.findall(row.where):
        assert find_spec(module) is not None


def test_a_command_that_a_row_writes_out_answers_with_what_it_names() -> None:
    written = [(row, *each) for row in ROWS for each in COMMAND.findall(row.where) if each[1]]
    assert [row.item for row, *_ in written] == ["Theorem 4.1"]
    for _, command, arguments in written:
        answer = exactdp(command, *shlex.split(arguments))
        assert answer.code == 0
        assert "by Vadhan and Wang, TCC 2021, Theorem 4.1 alone   ε = 2" in answer.out


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.casefold()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


RESTATED = [
    (source, item, said)
    for source, items in ITEMS.items()
    for item, said in items.items()
    if isinstance(said, str)
]


@each_case(("source", "item", "said"), RESTATED)
def test_an_item_that_restates_another_names_one_that_says_more(
    source: str, item: str, said: str
) -> None:
    named = re.fullmatch(r"as (?:in (?P<whole>\w+)|(?P<item>[\w. ]+?)(?: of (?P<of>\w+))?)", said)
    assert named is not None
    place = (named["whole"] or named["of"] or source, named["item"] or item)
    assert not isinstance(ITEMS[place[0]][place[1]], str)


@pytest.mark.slow
def test_lemma_names_in_the_column_of_proofs_are_theorems_of_the_proofs() -> None:
    proofs = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "proofs").glob("*.v"))
    for row in ROWS:
        for name in PROOF.findall(row.where):
            assert re.search(rf"\b{name}\b", proofs), (row.item, name)
