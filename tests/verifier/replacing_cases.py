"""Good and bad certificates about workloads where rows are replaced, for ``make_rejects``.

Written from certs/SPEC.md, sections 8, 11.17 and 11.18, alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tests.verifier import handmade
from tests.verifier.parallel_cases import (
    CERTIFICATE,
    COLOURING,
    FILE,
    LISTED,
    LISTS,
    PARAMETERS,
    Certificate,
    Query,
    RuleCase,
    ShapeCase,
    query,
    tenths,
)

FOUR = [{"name": "age", "size": "4"}]
QUERIES = [query("0 0 2"), query("0 1 3"), query("0 2 4")]
HALVES = [query("0 0 2"), query("0 2 4")]


def reduced(
    rule: str,
    queries: list[Query],
    parameters: Mapping[str, object],
    about_ledger: Certificate,
    domain: object = FOUR,
) -> Certificate:
    """A certificate about a ledger, as one about a workload that is reduced to that ledger."""
    claim = {
        **about_ledger["statement"],
        "neighbouring": "replace-one",
        "subject": {"type": "workload", "domain": domain, "queries": queries},
    }
    reduction = {"rule": rule, "premises": [], "parameters": dict(parameters)}
    step = {**about_ledger["derivation"][0], "premises": ["0"]}
    return handmade.sealed(claim, [reduction, step])


def two_rows(queries: list[Query], rows: object, about_ledger: Certificate) -> Certificate:
    return reduced("rows", queries, {"rows": rows}, about_ledger)


def classes(
    queries: list[Query],
    colours: Sequence[Sequence[str]],
    about_ledger: Certificate,
    domain: object = FOUR,
) -> Certificate:
    return reduced("cases", queries, {"tree": [{"colours": colours}]}, about_ledger, domain)


ROWS = [[["0", "0"]], [["0", "2"]]]
TWO_ROWS = two_rows(QUERIES, ROWS, tenths("lower", 3, "299/1000"))
INTERLEAVED = handmade.changed(TWO_ROWS, "statement.interaction", "concurrent")
CLASSES = classes(QUERIES, [["0", "2"], ["1"]], tenths("upper", 3, "3/10"))
TWO = tenths("upper", 2, "1/5")
PAIRS: list[handmade.Entry] = [("2*ln(2)", "1/50", 1), ("ln(4)", "1/50", 1)]
GREATEST = classes(
    PARAMETERS, [["0", "1", "2"]], handmade.simple("sum", "upper", PAIRS, "14/5", "99/2500")
)
"""Of ε = 1, ln 4 and 2 ln 2, and δ = 1/50, 1/100 and 0, the two greatest ε and the greatest δ."""


def accepts() -> dict[str, Certificate]:
    """The worked examples of the SPEC, and what else a reduction may hold."""
    met = [query("0 0 1"), query("0 1 2"), query("0 3 4"), query("0")]
    halves = [query("0 0 2", epsilon="1", delta="0"), query("0 2 4", epsilon="1/10", delta="0")]
    unequal = handmade.simple("sum", "upper", [("1", "0", 1), ("1/10", "0", 1)], "11/10", "0")
    return {
        "two-rows-lower": TWO_ROWS,
        "two-rows-concurrent": INTERLEAVED,
        "two-rows-first-values": two_rows(met, [[], [["0", "1"]]], tenths("lower", 2, "199/1000")),
        "cases-of-two-one-leaf-upper": CLASSES,
        "cases-of-two-one-leaf-one-class": classes(HALVES, [["0", "1"]], TWO),
        "cases-of-two-one-leaf-many-in-a-class": classes(
            [query("0 0 1"), query("0 1 2"), query("0 2 3")], [["0", "1", "2"]], TWO
        ),
        "cases-of-two-one-leaf-of-one-query": classes(
            [query()], [["0"]], tenths("upper", 1, "1/10")
        ),
        "cases-of-two-one-leaf-unequal": classes(halves, [["0", "1"]], unequal),
        "cases-of-two-one-leaf-listed-values": classes(LISTS, [["0", "1"]], TWO, LISTED),
        "cases-of-two-one-leaf-contradiction": classes(
            [query("0", epsilon="9", delta="0"), query()], [["1"]], tenths("upper", 1, "1/10")
        ),
        "cases-of-two-one-leaf-greatest-parameters": GREATEST,
        **{
            f"cases-of-two-one-leaf-{notion}": classes(
                [query("0 0 2", **{notion: "2"}), query("0 2 3", **{notion: "10"})],
                [["0", "1"]],
                handmade.trivial([]),
            )
            for notion in ("mu", "rho")
        },
    }


def shapes() -> Iterator[ShapeCase]:
    """Malformed reductions, each one change away from a good certificate."""
    rows, colours = "derivation.0.parameters.rows", "derivation.0.parameters.tree.0.colours"
    for name, value, clause in (
        ("rows-missing", ..., "missing key rows"),
        ("rows-not-an-array", {}, "rows is not an array"),
        ("one-row", [[]], "where a neighbour changes 2"),
        ("three-rows", [*ROWS, []], "where a neighbour changes 2"),
        ("first-row-outside", [[["0", "4"]], []], "that its attribute does not have"),
        ("second-row-outside", [[["0", "1"]], [["1", "0"]]], "not in the domain"),
        ("row-not-of-pairs", [[["0"]], []], "not a pair"),
    ):
        yield f"two-rows/{name}", handmade.changed(TWO_ROWS, rows, value), clause
    bad = handmade.changed(CLASSES, colours, [["0", "3"]])
    yield "cases-of-two-one-leaf/query-outside", bad, "a query that is not in the workload"
    bad = handmade.changed(CLASSES, "statement.interaction", "parallel")
    yield "workload-replace-one/interaction", bad, "interaction is not one of"


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    yield from _relation_cases()
    rule = "two-rows"
    bad = two_rows([query("0 0 1"), *QUERIES[1:]], [[["0", "1"]], [["0", "2"]]], HIGH)
    yield f"{rule}/one-query-too-many", bad, TWO_ROWS, "rule sum: epsilon is not below the sum"
    bad = handmade.changed(bad, "statement.interaction", "concurrent")
    yield f"{rule}/concurrent", bad, INTERLEAVED, "rule sum: epsilon is not below the sum"
    bad = two_rows(QUERIES, [[["0", "0"]], [["0", "1"]]], HIGH)
    yield f"{rule}/other-rows", bad, TWO_ROWS, "rule sum: epsilon is not below the sum"
    for name, same in (
        ("same-rows", [[["0", "1"]]] * 2),
        ("same-rows-unnamed", [[], [["0", "0"]]]),
    ):
        bad = two_rows([query()] * 3, same, tenths("lower", 3, "299/1000"))
        yield f"{rule}/{name}", bad, TWO_ROWS, "the two rows are the same"
    bad = two_rows(QUERIES, ROWS, tenths("upper", 3, "3/10"))
    yield f"{rule}/upper", bad, TWO_ROWS, "carries lower bounds only"
    rule = "cases-of-two-one-leaf"
    half = tenths("upper", 1, "1/10")
    bad = classes(HALVES, [["0", "1"]], half)
    good = accepts()["cases-of-two-one-leaf-one-class"]
    yield f"{rule}/a-class-counts-twice", bad, good, "rule sum: epsilon is below the sum"
    bad = classes(HALVES, [["0", "1"]], tenths("upper", 2, "199/1000"))
    yield f"{rule}/epsilon-just-below", bad, good, "rule sum: epsilon is below the sum"
    bad = classes([query("0 0 2"), query("0 1 3")], [["0", "1"]], TWO)
    yield f"{rule}/overlap", bad, good, "queries 0 and 1 of one colour overlap"
    bad = classes(HALVES, [["0"]], half)
    yield f"{rule}/query-missing", bad, good, "query 1 is in no colour"
    bad = classes(HALVES, [["0", "1"], ["1"]], tenths("upper", 3, "3/10"))
    yield f"{rule}/query-twice", bad, good, "a query is in two colours"
    bad = classes([HALVES[0], query("0 2 4", mu="1/10")], [["0", "1"]], TWO)
    yield f"{rule}/two-notions", bad, good, "no query of a colour is known to dominate"
    bad = classes(HALVES, [["0", "1"]], tenths("lower", 2, "0"))
    yield f"{rule}/lower", bad, good, "carries upper bounds only"
    yield from _greatest_cases()


def _greatest_cases() -> Iterator[RuleCase]:
    """The second mechanism of a class has the second greatest ε, and the greatest δ."""
    rule = "cases-of-two-one-leaf"
    least = handmade.simple("sum", "upper", PAIRS, "12/5", "99/2500")
    bad = classes(PARAMETERS, [["0", "1", "2"]], least)
    yield f"{rule}/epsilon-of-the-least", bad, GREATEST, "rule sum: epsilon is below the sum"
    least = handmade.simple("sum", "upper", PAIRS, "14/5", "149/5000")
    bad = classes(PARAMETERS, [["0", "1", "2"]], least)
    yield f"{rule}/delta-of-the-second", bad, GREATEST, "rule sum: delta is too small"


def _relation_cases() -> Iterator[RuleCase]:
    """What holds where rows are added or removed says nothing of rows that are replaced."""
    for relation, clause in (
        ("unspecified", "has add-remove-one or replace-one neighbours"),
        ("zero-out", "has add-remove-one or replace-one neighbours"),
    ):
        bad = handmade.changed(CLASSES, "statement.neighbouring", relation)
        yield f"workload-replace-one/{relation}", bad, CLASSES, clause
    other = COLOURING["statement"] | {"neighbouring": "replace-one"}
    bad = handmade.sealed(other, COLOURING["derivation"])
    good = classes(COLOURING["statement"]["subject"]["queries"], [["0", "1"]], TWO, SIZED_THREE)
    yield (
        "workload-replace-one/certificate-of-rows-added",
        bad,
        good,
        "rule sum: epsilon is below the sum",
    )
    bad = handmade.changed(CLASSES, "statement.interaction", "concurrent")
    yield "workload-replace-one/concurrent", bad, CLASSES, "is not about concurrent composition"


HIGH = tenths("lower", 3, "299/1000")
TENTHS: Final = TWO["statement"]["subject"]["mechanisms"]
GREATEST_LEDGER: Final = handmade.simple("sum", "upper", PAIRS, "14/5", "99/2500")["statement"][
    "subject"
]["mechanisms"]
SIZED_THREE: Final = [{"name": "age", "size": "3"}]

# --- files that a certificate is compared with --------------------------------------------------

REPLACING_FILE: Final[dict[str, Any]] = {**FILE, "neighbouring": "replace-one"}
REPLACING: Final = handmade.canonical_bytes(classes(LISTS, [["0", "1"]], TWO, LISTED))
ANOTHER_RELATION: Final[list[tuple[bytes, dict[str, Any]]]] = [
    (REPLACING, FILE),
    (REPLACING, {**FILE, "neighbouring": "add-remove-one"}),
    (REPLACING, {**FILE, "neighbouring": "unspecified"}),
    (CERTIFICATE, REPLACING_FILE),
    (CERTIFICATE, {**FILE, "neighbouring": "unspecified"}),
]
"""Certificates, and files that are about other neighbours; by default rows are added or removed."""
