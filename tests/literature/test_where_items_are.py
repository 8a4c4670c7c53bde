"""The table of papers.md: every numbered item of the five sources, and where it is.

``numbered_items.json`` lists the items as their sources number them: every definition, theorem,
lemma, fact, claim, proposition, corollary, example, algorithm, figure and table, every equation
with a number, and the experiments and applications without one. Of the journal version of
optimal composition they are the items that its text refers to.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from exactdp.cli.commands import COMMANDS
from tests.marking import each_case

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
ITEMS: dict[str, list[str]] = json.loads(
    (Path(__file__).parent / "numbered_items.json").read_text(encoding="utf-8")
)
TITLES = "| source | item | what it says | where it is, or why not |"
LINK = re.compile(r"\[([^]]+)\]\(([^)#]*)(?:#([^)]+))?\)")
CHECK = re.compile(r"`([\w/]+): ([^`]+)`")
"""A file of tests, and the beginning of the name of one."""
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


def test_the_table_has_every_item_of_every_source_once() -> None:
    assert len(PLACES) == len(set(PLACES))
    assert set(PLACES) == {(source, item) for source, items in ITEMS.items() for item in items}


@each_case("row", ROWS)
def test_a_row_says_where_its_item_is_or_why_not(row: Row) -> None:
    places = (LINK, CHECK, PROOF)
    has_place = any(each.search(row.where) for each in places) or "`exactdp " in row.where
    assert has_place or row.where.startswith(("as ", "not "))


@each_case("row", ROWS)
def test_what_a_row_names_is_there(row: Row) -> None:
    for file, beginning in CHECK.findall(row.where):
        (target,) = (ROOT / "tests").rglob(f"{file}.py")
        assert f"\ndef test_{beginning.replace(' ', '_')}" in target.read_text(encoding="utf-8")
    for _, path, anchor in LINK.findall(row.where):
        target = (DOCS / path).resolve() if path else DOCS / "papers.md"
        assert target.is_file()
        if anchor:
            assert anchor in anchors(target)
    for command in re.findall(r"`exactdp (\w+)", row.where):
        assert command in COMMANDS


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.casefold()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


@each_case("row", [row for row in ROWS if row.where.startswith("as ")])
def test_a_row_that_points_at_another_points_at_one_that_says_more(row: Row) -> None:
    named = re.match(
        r"as (?:in (?P<whole>\w+)|(?P<item>[\w. ]+?)(?: of (?P<source>\w+))?)(?:;|:|$)", row.where
    )
    assert named is not None
    source = named["whole"] or named["source"] or row.source
    item = row.item if named["whole"] else named["item"]
    (found,) = (each for each in ROWS if (each.source, each.item) == (source, item))
    assert not found.where.startswith("as ")


@pytest.mark.slow
def test_lemma_names_in_the_column_of_proofs_are_theorems_of_the_proofs() -> None:
    proofs = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "proofs").glob("*.v"))
    for row in ROWS:
        for name in PROOF.findall(row.where):
            assert re.search(rf"\b{name}\b", proofs), (row.item, name)
