"""Good and bad certificates by ``cases`` of two rows, for the corpora of ``make_rejects``.

Written from certs/SPEC.md, section 11.18, alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tests.verifier import handmade
from tests.verifier.parallel_cases import (
    DISJOINT,
    Certificate,
    Query,
    RuleCase,
    ShapeCase,
    query,
    tenths,
)
from tests.verifier.replacing_cases import FOUR, reduced

Node = dict[str, Any]

NAME: Final = "cases-of-two"
BITS = [{"name": f"a{i}", "size": "2"} for i in range(5)]
RING = [query(*sorted((f"{i} 0 1", f"{(i + 1) % 5} 1 2"))) for i in range(5)]
"""Five queries in a circle, of which each is disjoint from the next."""
AT_MOST_FOUR = tenths("upper", 4, "2/5")


def leaf(leaving: Sequence[str], entering: Sequence[str]) -> Node:
    """A case; the classes of either row are written with spaces."""
    sides = {"leaving": leaving, "entering": entering}
    return {row: [colour.split() for colour in each] for row, each in sides.items()}


def split(row: str, below: str = "1", attribute: str = "0") -> Node:
    return {"attribute": attribute, "below": below, "row": row}


def by_cases(
    queries: list[Query], tree: Sequence[Node], about_ledger: Certificate, domain: object = FOUR
) -> Certificate:
    return reduced("cases", queries, {"tree": list(tree)}, about_ledger, domain)


LOW, HIGH = ("0 1", "2 3"), ("1 2", "3 4")
LEAVES = [leaf(one, ("", "", *other)) for one in (LOW, HIGH) for other in (LOW, HIGH)]
TREE = [split("leaving"), split("entering"), *LEAVES[:2], split("entering"), *LEAVES[2:]]
CASES = by_cases(RING, TREE, AT_MOST_FOUR, BITS)
HALVES = [query("0 0 2"), query("0 2 4")]
EVERYWHERE = [query(), *HALVES]
SHARED = leaf(("0", "1 2"), ("0", "", "1 2"))
UNLIKE = [query("0 0 2", epsilon="1", delta="1/50"), query("0 2 4")]
UNEQUAL = handmade.simple("sum", "upper", [("1", "1/50", 1), ("1/10", "0", 1)], "11/10", "1/50")
APART = [
    split("leaving", "2"),
    *(split("entering", "2"), leaf(("0",), ("0",)), leaf(("0",), ("", "1"))),
    *(split("entering", "2"), leaf(("", "1"), ("0",)), leaf(("", "1"), ("", "1"))),
]
"""For either row one of the two queries is open; what both may meet counts once."""


def accepts() -> dict[str, Certificate]:
    """The worked example of the SPEC, and what else a tree may hold."""
    two = tenths("upper", 2, "1/5")
    return {
        f"{NAME}-upper": CASES,
        f"{NAME}-one-leaf": by_cases(HALVES, [leaf(("0 1",), ("", "0 1"))], two),
        f"{NAME}-shared": by_cases(EVERYWHERE, [SHARED], tenths("upper", 3, "3/10")),
        f"{NAME}-unlike": by_cases(UNLIKE, APART, UNEQUAL),
        f"{NAME}-query-that-no-row-meets": by_cases(
            [query("0", epsilon="9", delta="0"), query()],
            [leaf(("1",), ("1",))],
            tenths("upper", 1, "1/10"),
        ),
        f"{NAME}-mu": by_cases(
            [query("0 0 2", mu="2"), query("0 2 3", mu="10")],
            [leaf(("0 1",), ("", "0 1"))],
            handmade.trivial([]),
        ),
        f"{NAME}-no-queries": by_cases(
            [],
            [split("entering"), leaf((), ()), leaf((), ())],
            tenths("upper", 0, "0"),
        ),
    }


def shapes() -> Iterator[ShapeCase]:
    """Malformed trees, each one change away from a good certificate."""
    one_tree = "the nodes are not one tree in depth-first order"
    rest = TREE[1:]
    for name, tree, clause in (
        ("tree-not-an-array", {}, "tree is not an array"),
        ("tree-empty", [], one_tree),
        ("node-missing", TREE[:-1], one_tree),
        ("node-too-many", [*TREE, leaf((), ())], one_tree),
        ("node-not-an-object", ["0"], "node is not an object"),
        (
            "split-without-row",
            [{"attribute": "0", "below": "1"}, *rest],
            "names a row if and only if",
        ),
        ("split-of-a-third-row", [split("staying"), *rest], "row is not one of"),
        ("split-below-nothing", [split("leaving", "-1"), *rest], "below is not an integer"),
        ("split-attribute-outside", [split("leaving", "1", "5"), *rest], "that is not in"),
        ("leaf-of-one-row", [{"leaving": []}], "leaf: missing key entering"),
        ("leaf-with-more", [{**leaf((), ()), "colours": []}], "leaf: unknown key"),
        ("colours-not-an-array", [{"leaving": {}, "entering": []}], "leaving is not an array"),
        ("colour-not-an-array", [{"leaving": [], "entering": ["0"]}], "colour is not an array"),
        ("colour-not-increasing", [leaf(("1 0",), ())], "queries of a colour are not increasing"),
        ("position-empty", [leaf(("0", ""), ())], "a position that is empty in every leaf"),
        ("colours-in-one-case", [*TREE[:-1], {"colours": [["0"]]}], "colours in one of several"),
        ("query-outside", [*TREE[:-1], leaf(HIGH, ("", "", "1 2", "3 5"))], "a query that is not"),
    ):
        path = "derivation.0.parameters.tree"
        yield f"{NAME}/{name}", handmade.changed(CASES, path, tree), clause


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    both = "a position of a leaf has different queries for both rows"
    for name, last, clause in (
        ("query-missing", leaf(HIGH, ("", "", "1 2", "3")), "query 4 is in no colour of a leaf"),
        ("query-missing-leaving", leaf(("1 2", "3"), ("", "", *HIGH)), "query 4 is in no colour"),
        ("query-twice", leaf(HIGH, ("", "", "1 2", "2 3 4")), "a query is in two colours"),
        ("overlap", leaf(HIGH, ("", "", "1 3", "2 4")), "queries 1 and 3 of one colour overlap"),
        ("overlap-leaving", leaf(("1 3", "2 4"), ("", "", *HIGH)), "queries 1 and 3 of one"),
        ("counted-once", leaf(HIGH, HIGH), both),
        ("other-queries-of-both", leaf(HIGH, ("", "3 4", "1 2")), both),
    ):
        bad = by_cases(RING, [*TREE[:-1], last], AT_MOST_FOUR, BITS)
        yield f"{NAME}/{name}", bad, CASES, clause
    for name, tree, clause in (
        ("rows-exchanged", [split("entering"), *TREE[1:]], "query 4 is in no colour of a leaf"),
        ("halves-exchanged", [*TREE[:2], LEAVES[1], LEAVES[0], *TREE[4:]], "query 0 is in no"),
        ("without-a-split", [LEAVES[0]], "query 4 is in no colour of a leaf"),
    ):
        bad = by_cases(RING, tree, AT_MOST_FOUR, BITS)
        yield f"{NAME}/{name}", bad, CASES, clause
    half = tenths("upper", 1, "1/10")
    good = accepts()[f"{NAME}-one-leaf"]
    bad = by_cases(HALVES, [leaf(("0 1",), ("0 1",))], half)
    yield f"{NAME}/class-for-both-rows", bad, good, both
    bad = by_cases(DISJOINT, [leaf(("0",), ("1",))], half)
    yield f"{NAME}/one-query-for-each-row", bad, good, both
    bad = by_cases(RING, TREE, tenths("upper", 4, "399/1000"), BITS)
    yield f"{NAME}/epsilon-just-below", bad, CASES, "rule sum: epsilon is below the sum"
    bad = by_cases(RING, TREE, tenths("lower", 4, "0"), BITS)
    yield f"{NAME}/lower", bad, CASES, "carries upper bounds only"
    least = handmade.simple("sum", "upper", [("1", "1/50", 1)], "1", "1/50")
    bad = by_cases(UNLIKE, APART, least)
    yield f"{NAME}/epsilon-of-one-leaf", bad, accepts()[f"{NAME}-unlike"], "below the sum"
    mixed = [query("0 0 2", mu="1"), query("0 2 4")]
    bad = by_cases(mixed, [leaf(("0 1",), ("", "0 1"))], tenths("upper", 2, "1/5"))
    yield f"{NAME}/two-notions", bad, good, "no query of a colour is known to dominate"
