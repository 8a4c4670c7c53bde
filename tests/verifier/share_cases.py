"""Good and bad certificates by ``shares``, for the corpora of ``make_rejects``.

Written from certs/SPEC.md, section 11.25, alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tests.verifier import handmade
from tests.verifier.case_tree_cases import IN_PAIRS, TWO
from tests.verifier.parallel_cases import (
    SIZED,
    Certificate,
    Query,
    RuleCase,
    ShapeCase,
    query,
    reduced,
    tenths,
)

NAME: Final = "shares"
TWO_ATTRIBUTES: Final = [
    {"name": "age", "size": "3"},
    {"name": "sex", "values": ["f", "m"]},
]
QUERIES: Final = [*IN_PAIRS, query("1 0 1")]


def by_shares(
    queries: list[Query],
    shares: Sequence[Sequence[str]],
    about_ledger: Certificate,
    domain: object = SIZED,
    unit: str = "2",
) -> Certificate:
    parameters = {"shares": [list(each) for each in shares], "unit": unit}
    step = {"rule": NAME, "premises": [], "parameters": parameters}
    return reduced(queries, domain, step, about_ledger)


GOOD = by_shares(QUERIES, [["2"]] * 4, tenths("upper", 3, "3/10"), TWO_ATTRIBUTES)
BOTH = [query("0 0 2", "1 0 1"), query("0 1 3", "1 1 2"), query("0 0 3")]


def accepts() -> dict[str, Certificate]:
    """The worked example of the SPEC, and what else shares may be of."""
    return {
        f"{NAME}-upper": GOOD,
        f"{NAME}-two-attributes": by_shares(
            BOTH, [["0", "2"], ["0", "2"], ["2"]], TWO, TWO_ATTRIBUTES
        ),
        f"{NAME}-query-without-clauses": by_shares(
            [query(), query("0 0 1"), query("0 1 3")], [[], ["2"], ["3"]], TWO
        ),
        f"{NAME}-query-that-no-row-meets": by_shares(
            [query("0", epsilon="9", delta="0"), query("0 0 1")],
            [["0"], ["2"]],
            tenths("upper", 1, "1/10"),
        ),
        f"{NAME}-as-many-as-there-are": by_shares(
            [query(), query("0 0 1")], [[], ["1" + "0" * 18]], TWO, unit="1"
        ),
        f"{NAME}-no-queries": by_shares([], [], tenths("upper", 0, "0")),
    }


def shapes() -> Iterator[ShapeCase]:
    """Malformed parameters, each one change away from a good certificate."""
    path = "derivation.0.parameters"
    for name, key, value, clause in (
        ("unit-nothing", "unit", "0", "unit is not an integer"),
        ("unit-number", "unit", 2, "a JSON number"),
        ("shares-not-an-array", "shares", {}, "shares is not an array"),
        ("shares-of-a-query-text", "shares", [["2"]] * 3 + ["2"], "shares of a query is not an"),
        ("share-below-nothing", "shares", [["2"]] * 3 + [["-1"]], "share is not an integer"),
        ("share-missing", "shares", [["2"]] * 3 + [[]], "not one for each clause"),
        ("share-too-many", "shares", [["2"]] * 3 + [["1", "1"]], "not one for each clause"),
        ("query-too-many", "shares", [["2"]] * 5, "not one for each clause"),
        ("query-missing", "shares", [["2"]] * 3, "not one for each clause"),
    ):
        yield f"{NAME}/{name}", handmade.changed(GOOD, f"{path}.{key}", value), clause


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    path = "derivation.0.parameters.shares"
    less = handmade.changed(GOOD, path, [["2"], ["2"], ["1"], ["2"]])
    yield f"{NAME}/less-than-the-unit", less, GOOD, "the shares of query 2 are less than the unit"
    more = handmade.changed(GOOD, path, [["3"], ["3"], ["2"], ["2"]])
    yield f"{NAME}/more-than-the-claim", more, GOOD, "rule sum: epsilon is below the sum"
    bad = by_shares(QUERIES, [["2"]] * 4, tenths("lower", 3, "0"), TWO_ATTRIBUTES)
    yield f"{NAME}/lower", bad, GOOD, "carries upper bounds only"
    mixed = [query("0 0 2", mu="1"), query("0 2 3")]
    noisy = [query("0 0 2", bounded_range="1")]
    bad = by_shares(noisy, [["2"]], tenths("upper", 1, "1/10"))
    bad = handmade.changed(bad, "statement.theorem", "zhu-dong-wang-2022-theorem-10")
    yield f"{NAME}/noise", bad, GOOD, "is not about mechanisms given by noise"
    bad = by_shares(mixed, [["2"], ["2"]], tenths("upper", 1, "1/10"))
    yield f"{NAME}/two-notions", bad, GOOD, "no query of a colour is known to dominate"
