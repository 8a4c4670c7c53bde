"""Good and bad certificates by ``cases`` in several cases, for the corpora of ``make_rejects``.

Written from certs/SPEC.md, section 11.18, alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tests.verifier import handmade
from tests.verifier.parallel_cases import (
    DISJOINT,
    ONE,
    SIZED,
    Certificate,
    Query,
    RuleCase,
    ShapeCase,
    query,
    reduced,
    tenths,
)

Node = dict[str, Any]

NAME: Final = "cases"
IN_PAIRS = [query("0 1 3"), query("0 0 1 2 3"), query("0 0 2")]
"""Three queries of which any two overlap, while no row meets all three (Proposition 4)."""
TWO = tenths("upper", 2, "1/5")


def leaf(*colours: str) -> Node:
    """A case; its colours are written with spaces."""
    return {"colours": [colour.split() for colour in colours]}


def split(below: str, attribute: str = "0") -> Node:
    return {"attribute": attribute, "below": below}


def by_cases(
    queries: list[Query], tree: Sequence[Node], about_ledger: Certificate, domain: object = SIZED
) -> Certificate:
    step = {"rule": "cases", "premises": [], "parameters": {"tree": list(tree)}}
    return reduced(queries, domain, step, about_ledger)


TREE = [split("1"), leaf("1", "2"), leaf("0", "1 2")]
CASES = by_cases(IN_PAIRS, TREE, TWO)
UNLIKE = [query("0 0 1", epsilon="1", delta="1/50"), query("0 2 3"), query("0 0 2")]


def accepts() -> dict[str, Certificate]:
    """The worked example of the SPEC, and what else a tree may hold."""
    unlike = handmade.simple("sum", "upper", [("1", "1/50", 1), ("1/10", "0", 1)], "11/10", "1/50")
    ranges = [query("0 0 1 2 3", "1 0 1"), query("0 1 3"), query("0 0 2", "1 1 2")]
    domain = [{"name": "age", "size": "3"}, {"name": "sex", "values": ["f", "m"]}]
    return {
        f"{NAME}-upper": CASES,
        f"{NAME}-query-that-no-row-meets": by_cases(
            IN_PAIRS, [TREE[0], leaf("0 1", "2"), TREE[2]], TWO
        ),
        f"{NAME}-one-leaf": by_cases(DISJOINT, [leaf("0 1")], ONE),
        f"{NAME}-empty-colour": by_cases(
            UNLIKE, [split("1"), leaf("0", "2"), leaf("", "1 2")], unlike
        ),
        f"{NAME}-two-attributes": by_cases(
            ranges,
            [split("1", "1"), split("1"), leaf("0"), leaf("0", "1"), leaf("1", "2")],
            TWO,
            domain,
        ),
        f"{NAME}-contradiction": by_cases(
            [query("0", epsilon="9", delta="0"), query()], [leaf("1")], ONE
        ),
        f"{NAME}-mu": by_cases(
            [query("0 0 2", mu="2"), query("0 2 3", mu="10")],
            [split("2"), leaf("0"), leaf("1")],
            handmade.trivial([]),
        ),
        f"{NAME}-no-queries": by_cases([], [split("1"), leaf(), leaf()], tenths("upper", 0, "0")),
    }


def shapes() -> Iterator[ShapeCase]:
    """Malformed trees, each one change away from a good certificate."""
    one_tree = "the nodes are not one tree in depth-first order"
    for name, tree, clause in (
        ("tree-not-an-array", {}, "tree is not an array"),
        ("tree-empty", [], one_tree),
        ("node-missing", TREE[:2], one_tree),
        ("node-too-many", [*TREE, leaf()], one_tree),
        ("node-not-an-object", ["0"], "node is not an object"),
        ("split-without-below", [{"attribute": "0"}, *TREE[1:]], "node: missing key below"),
        ("split-below-nothing", [split("-1"), *TREE[1:]], "below is not an integer"),
        ("split-attribute-text", [split("1", "x"), *TREE[1:]], "x"),
        ("split-attribute-outside", [split("1", "1"), *TREE[1:]], "an attribute that is not in"),
        ("leaf-with-more", [{**leaf(), "below": "1"}], "leaf: unknown key below"),
        ("colours-not-an-array", [{"colours": {}}], "colours is not an array"),
        ("colour-not-an-array", [{"colours": ["0"]}], "colour is not an array"),
        ("colour-not-increasing", [TREE[0], leaf("2 1"), TREE[2]], "queries of a colour are not"),
        ("colour-empty", [TREE[0], leaf("1", "2", ""), TREE[2]], "empty in every leaf"),
        (
            "split-of-a-row",
            [{**split("1"), "row": "leaving"}, *TREE[1:]],
            "names a row if and only",
        ),
        ("classes-of-two-rows", [*TREE[:2], {"leaving": [], "entering": []}], "no row is replaced"),
        ("query-outside", [TREE[0], TREE[1], leaf("0", "1 3")], "a query that is not in"),
    ):
        path = "derivation.0.parameters.tree"
        yield f"{NAME}/{name}", handmade.changed(CASES, path, tree), clause


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    for name, tree, clause in (
        ("query-missing", [TREE[0], TREE[1], leaf("0", "1")], "query 2 is in no colour of a leaf"),
        ("query-twice", [TREE[0], TREE[1], leaf("0 2", "1 2")], "a query is in two colours of a"),
        ("halves-exchanged", [TREE[0], TREE[2], TREE[1]], "queries 1 and 2 of one colour overlap"),
        ("split-elsewhere", [split("2"), TREE[1], TREE[2]], "query 0 is in no colour of a leaf"),
        ("all-rows-above", [split("0"), TREE[1], TREE[2]], "queries 1 and 2 of one colour overlap"),
        ("overlap", [TREE[0], TREE[1], leaf("0 1", "2")], "queries 0 and 1 of one colour overlap"),
        ("overlap-without-a-split", [leaf("0", "1 2")], "queries 1 and 2 of one colour overlap"),
    ):
        yield f"{NAME}/{name}", by_cases(IN_PAIRS, tree, TWO), CASES, clause
    bad = by_cases(IN_PAIRS, TREE, tenths("upper", 2, "199/1000"))
    yield f"{NAME}/epsilon-just-below", bad, CASES, "rule sum: epsilon is below the sum"
    bad = by_cases(IN_PAIRS, TREE, tenths("lower", 2, "0"))
    yield f"{NAME}/lower", bad, CASES, "carries upper bounds only"
    good = accepts()[f"{NAME}-empty-colour"]
    least = handmade.simple("sum", "upper", [("1", "0", 1)], "1", "1/50")
    tree = [split("1"), leaf("0", "2"), leaf("1 2")]
    bad = by_cases(UNLIKE, tree, least)
    yield f"{NAME}/epsilon-of-one-leaf", bad, good, "rule sum: epsilon is below the sum"
    mixed = [query("0 0 2", mu="1"), query("0 2 3")]
    bad = by_cases(mixed, [split("2"), leaf("0"), leaf("1")], ONE)
    yield f"{NAME}/two-notions", bad, CASES, "no query of a colour is known to dominate"
