"""Good and bad certificates about workloads, for the corpora of ``make_rejects``.

Written from certs/SPEC.md, sections 8, 11.17 and 11.18, alone.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tests.verifier import conversion_cases, handmade

Certificate = dict[str, Any]
RuleCase = tuple[str, Certificate, Certificate, str]
ShapeCase = tuple[str, Certificate, str]
Query = dict[str, Any]

SIZED = [{"name": "age", "size": "3"}]
LISTED = [{"name": "sex", "values": ["f", "m"]}, {"name": "age", "size": "3"}]


def query(*clauses: str, **parameters: str) -> Query:
    """A query; a clause is written with spaces: its attribute, then the ends of its ranges."""
    where = [clause.split() for clause in clauses]
    return {**(parameters or {"epsilon": "1/10", "delta": "0"}), "where": where}


OVERLAPPING = [query("0 0 2"), query("0 1 3"), query("0 0 1 2 3")]
DISJOINT = [query("0 0 2"), query("0 2 3")]


def tenths(kind: str, count: int, epsilon: str) -> Certificate:
    entries: list[handmade.Entry] = [("1/10", "0", count)] if count else []
    return handmade.simple("sum", kind, entries, epsilon, "0")


def witness(
    queries: list[Query], row: object, about_ledger: Certificate, domain: object = SIZED
) -> Certificate:
    step = {"rule": "rows", "premises": [], "parameters": {"rows": [row]}}
    return reduced(queries, domain, step, about_ledger)


def colouring(
    queries: list[Query],
    colours: Sequence[Sequence[str]],
    about_ledger: Certificate,
    domain: object = SIZED,
) -> Certificate:
    parameters = {"tree": [{"colours": colours}]}
    step = {"rule": "cases", "premises": [], "parameters": parameters}
    return reduced(queries, domain, step, about_ledger)


def reduced(
    queries: list[Query],
    domain: object,
    reduction: Mapping[str, object],
    about_ledger: Certificate,
) -> Certificate:
    """A certificate about a ledger, as one about a workload that is reduced to that ledger."""
    claim = {
        **about_ledger["statement"],
        "neighbouring": "add-remove-one",
        "subject": {"type": "workload", "domain": domain, "queries": queries},
    }
    step = {**about_ledger["derivation"][0], "premises": ["0"]}
    return handmade.sealed(claim, [dict(reduction), step])


ONE, THREE = tenths("upper", 1, "1/10"), tenths("upper", 3, "3/10")
WITNESS = witness(OVERLAPPING, [["0", "0"]], tenths("lower", 2, "199/1000"))
INTERLEAVED = handmade.changed(WITNESS, "statement.interaction", "concurrent")
COLOURING = colouring(DISJOINT, [["0", "1"]], ONE)
LISTS = [query("0 0 1", "1 0 2"), query("0 1 2", "1 0 3")]
LEFT_BY_COLOURS = [
    *(query("0 0 1", epsilon="1/2", delta="0") for _ in range(10)),
    query(mu="1"),
    query("0 0 2", rho="1/1000000"),
    query("0 2 3", rho="1/2000000"),
]
OF_ALL_NOTIONS = [*([str(number)] for number in range(11)), ["11", "12"]]
PARAMETERS = [
    query("0 0 1", epsilon="1", delta="1/50"),
    query("0 1 2", epsilon="ln(4)", delta="1/100"),
    query("0 2 3", epsilon="2*ln(2)", delta="0"),
]


def _rho_as_a_pair(epsilon: str) -> Certificate:
    return colouring(LEFT_BY_COLOURS, OF_ALL_NOTIONS, conversion_cases.as_a_pair(epsilon))


def accepts() -> dict[str, Certificate]:
    """The worked examples of the SPEC, and what else a reduction may hold."""
    greatest = handmade.simple("sum", "upper", [("ln(4)", "1/50", 1)], "7/5", "1/49")
    return {
        "rows-lower": WITNESS,
        "rows-concurrent": INTERLEAVED,
        "rows-first-values": witness(OVERLAPPING, [], tenths("lower", 2, "199/1000")),
        "cases-one-leaf-upper": COLOURING,
        "cases-one-leaf-three-classes": colouring(OVERLAPPING, [["0"], ["1"], ["2"]], THREE),
        "cases-one-leaf-listed-values": colouring(LISTS, [["0", "1"]], ONE, LISTED),
        "cases-one-leaf-contradiction": colouring(
            [query("0", epsilon="9", delta="0"), query()], [["1"]], ONE
        ),
        "cases-one-leaf-greatest-parameters": colouring(PARAMETERS, [["0", "1", "2"]], greatest),
        **{
            f"cases-one-leaf-{notion}": colouring(
                [query("0 0 2", **{notion: "2"}), query("0 2 3", **{notion: "10"})],
                [["0", "1"]],
                handmade.trivial([]),
            )
            for notion in ("mu", "rho")
        },
        "cases-one-leaf-contradiction-in-a-class": colouring(
            [query("0"), query()], [["0", "1"]], ONE
        ),
        "cases-one-leaf-interleaved": colouring(
            [query("0 0 1 2 3"), query("0 1 2")], [["0", "1"]], ONE
        ),
        "cases-one-leaf-zcdp-pair": _rho_as_a_pair("44/5"),
        "empty-workload": colouring([], [], tenths("upper", 0, "0")),
    }


def shapes() -> Iterator[ShapeCase]:
    """Malformed subjects and reductions, each one change away from a good certificate."""
    subject = "statement.subject"
    first = f"{subject}.queries.0"
    for name, path, value, clause in (
        ("domain-missing", f"{subject}.domain", ..., "missing key domain"),
        ("domain-not-an-array", f"{subject}.domain", {}, "domain is not an array"),
        ("attribute-unknown-key", f"{subject}.domain.0.unit", "x", "unknown key unit"),
        ("attribute-without-size", f"{subject}.domain.0.size", ..., "missing key size"),
        ("size-zero", f"{subject}.domain.0.size", "0", "size is not an integer"),
        ("size-too-large", f"{subject}.domain.0.size", f"1{'0' * 17}1", "size is not an integer"),
        ("attribute-twice", f"{subject}.domain", [*SIZED, *SIZED], "stands twice in the domain"),
        ("values-empty", f"{subject}.domain", [{"name": "x", "values": []}], "without values"),
        ("value-twice", f"{subject}.domain", [{"name": "x", "values": ["a", "a"]}], "twice"),
        ("queries-not-an-array", f"{subject}.queries", {}, "queries is not an array"),
        ("query-not-an-object", first, "x", "query: not an object"),
        ("query-without-where", f"{first}.where", ..., "query: not an object with where"),
        ("query-with-count", f"{first}.count", "1", "query: not an object with where"),
        ("query-with-label", f"{first}.label", "x", "mechanism: unknown key label"),
        ("query-epsilon-negative", f"{first}.epsilon", "-1", "epsilon is negative"),
        ("clause-empty", f"{first}.where.0", [], "a clause without an attribute"),
        ("attribute-outside", f"{first}.where.0", ["1", "0", "1"], "attribute is not an integer"),
        ("attributes-not-increasing", f"{first}.where", [["0"], ["0"]], "not increasing"),
        ("range-outside", f"{first}.where.0", ["0", "0", "4"], "end of a range is not an integer"),
        ("range-open", f"{first}.where.0", ["0", "0"], "not pairs that increase"),
        ("ranges-touch", f"{first}.where.0", ["0", "0", "1", "1", "2"], "not pairs that increase"),
        ("range-backwards", f"{first}.where.0", ["0", "2", "1"], "not pairs that increase"),
    ):
        yield f"workload/{name}", handmade.changed(COLOURING, path, value), clause
    row, colours = "derivation.0.parameters.rows", "derivation.0.parameters.tree.0.colours"
    of_rows: list[tuple[str, Certificate, str, object, str]] = [
        ("rows-missing", WITNESS, row, ..., "missing key rows"),
        ("rows-not-an-array", WITNESS, row, {}, "rows is not an array"),
        ("row-not-an-array", WITNESS, row, [{}], "row is not an array"),
        ("row-not-of-pairs", WITNESS, row, [[["0"]]], "not a pair"),
        ("row-attribute-outside", WITNESS, row, [[["1", "0"]]], "not in the domain"),
        ("row-value-outside", WITNESS, row, [[["0", "3"]]], "that its attribute does not have"),
        ("row-attribute-twice", WITNESS, row, [[["0", "0"], ["0", "1"]]], "not increasing"),
    ]
    for name, base, path, changed, clause in of_rows:
        yield f"rows/{name}", handmade.changed(base, path, changed), clause
    for name, value, clause in (
        ("colours-not-an-array", {}, "colours is not an array"),
        ("colour-empty", [["0", "1"], []], "empty in every leaf"),
        ("colour-not-increasing", [["1", "0"]], "are not increasing"),
        ("query-outside", [["0", "2"]], "a query that is not in the workload"),
    ):
        yield f"cases-one-leaf/{name}", handmade.changed(COLOURING, colours, value), clause


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    yield from _structure_cases()
    rule = "rows"
    lower = tenths("lower", 2, "199/1000")
    bad = witness(OVERLAPPING, [["0", "0"]], tenths("lower", 3, "299/1000"))
    yield f"{rule}/one-query-too-many", bad, WITNESS, "rule sum: epsilon is not below the sum"
    bad = handmade.changed(bad, "statement.interaction", "concurrent")
    yield f"{rule}/concurrent", bad, INTERLEAVED, "rule sum: epsilon is not below the sum"
    bad = witness([query("0 1 2"), *OVERLAPPING[1:]], [], lower)
    yield f"{rule}/another-row", bad, WITNESS, "rule sum: epsilon is not below the sum"
    bad = witness([query("0"), *OVERLAPPING[1:]], [], lower)
    yield f"{rule}/contradiction", bad, WITNESS, "rule sum: epsilon is not below the sum"
    rule = "cases-one-leaf"
    bad = colouring([query("0 0 2"), query("0 1 3")], [["0", "1"]], ONE)
    yield f"{rule}/overlap", bad, COLOURING, "queries 0 and 1 of one colour overlap"
    bad = colouring([query("0 0 1 2 3"), query("0 1 3")], [["0", "1"]], ONE)
    yield f"{rule}/overlap-in-a-later-range", bad, COLOURING, "queries 0 and 1 of one colour"
    bad = colouring([query("0 0 2"), query()], [["0", "1"]], ONE)
    yield f"{rule}/free-attribute", bad, COLOURING, "queries 0 and 1 of one colour overlap"
    apart = [query("0 0 1", "1 0 2"), query("0 0 2", "1 1 3")]
    good = colouring(LISTS, [["0", "1"]], ONE, LISTED)
    bad = colouring(apart, [["0", "1"]], ONE, LISTED)
    yield f"{rule}/overlap-in-two-attributes", bad, good, "queries 0 and 1 of one colour overlap"
    bad = colouring(DISJOINT, [["0", "1"], ["1"]], tenths("upper", 2, "1/5"))
    yield f"{rule}/query-twice", bad, COLOURING, "a query is in two colours"
    bad = colouring(DISJOINT, [["0"]], ONE)
    yield f"{rule}/query-missing", bad, COLOURING, "query 1 is in no colour"
    bad = colouring([query("0 0 2"), query("0 2 3", mu="1/10")], [["0", "1"]], ONE)
    yield f"{rule}/two-notions", bad, COLOURING, "no query of a colour is known to dominate"
    bad = colouring(DISJOINT, [["0", "1"]], tenths("upper", 1, "99/1000"))
    yield f"{rule}/epsilon-just-below", bad, COLOURING, "rule sum: epsilon is below the sum"
    least = handmade.simple("sum", "upper", [("1", "1/50", 1)], "1", "1/50")
    good = accepts()["cases-one-leaf-greatest-parameters"]
    bad = colouring(PARAMETERS, [["0", "1", "2"]], least)
    yield f"{rule}/epsilon-of-the-first", bad, good, "rule sum: epsilon is below the sum"
    least = handmade.simple("sum", "upper", [("ln(4)", "1/100", 1)], "ln(4)", "1/100")
    bad = colouring(PARAMETERS, [["0", "1", "2"]], least)
    yield f"{rule}/delta-of-the-second", bad, good, "rule sum: delta is too small"
    bad, good = _rho_as_a_pair("8791/1000"), _rho_as_a_pair("44/5")
    yield f"{rule}/zcdp-pair", bad, good, "not proved to be at most Δ"
    gaussian = [query("0 0 2", mu="1"), query("0 2 3", mu="2")]
    bad = colouring(gaussian, [["0", "1"]], ONE)
    yield f"{rule}/other-notion", bad, COLOURING, "is not about mechanisms given by mu"


def _structure_cases() -> Iterator[RuleCase]:
    bad = handmade.changed(COLOURING, "statement.neighbouring", "replace-one")
    yield "workload/replace-one", bad, COLOURING, "rule sum: epsilon is below the sum"
    bad = handmade.changed(COLOURING, "statement.neighbouring", "unspecified")
    yield "workload/unspecified", bad, COLOURING, "has add-remove-one or replace-one neighbours"
    bad = handmade.changed(COLOURING, "statement.interaction", "concurrent")
    yield "workload/concurrent", bad, COLOURING, "is not about concurrent composition of these"
    grouped = COLOURING["derivation"][1]["parameters"] | {"digits": "30", "group": "2"}
    bad = handmade.changed(COLOURING, "derivation.1.parameters", grouped)
    bad["derivation"][1]["rule"] = "group"
    yield "workload/groups", bad, COLOURING, "does not fit"
    bad = handmade.changed(COLOURING, "derivation.1.premises", [])
    yield "workload/no-premise", bad, COLOURING, "does not fit"
    bad = handmade.changed(COLOURING, "derivation.0.premises", ["0"])
    yield "workload/own-premise", bad, COLOURING, "not an earlier step"
    twice = copy.deepcopy(COLOURING)
    reduction, step = twice["derivation"]
    twice["derivation"] = [reduction, {**reduction, "premises": ["0"]}, {**step, "premises": ["1"]}]
    yield "workload/premise-of-a-reduction", twice, COLOURING, "does not fit"
    twice = {**COLOURING, "derivation": [reduction, reduction, {**step, "premises": ["1"]}]}
    yield "workload/reduction-not-used", twice, COLOURING, "step 0 is not used"
    twice = {**COLOURING, "derivation": [reduction, reduction, {**step, "premises": ["0", "1"]}]}
    yield "workload/two-reductions", twice, COLOURING, "does not fit"
    twice = {**COLOURING, "derivation": [reduction, step, {**step, "premises": ["1"]}]}
    yield "workload/reduced-by-a-bound", twice, COLOURING, "does not fit"
    alone = {**COLOURING, "derivation": [reduction]}
    yield "workload/reduction-alone", alone, COLOURING, "does not fit"
    ledger = handmade.sealed(ONE["statement"], [reduction, step])
    yield "workload/about-a-ledger", ledger, ONE, "does not fit"
    bad = colouring(DISJOINT, [["0", "1"]], tenths("lower", 1, "0"))
    yield "cases-one-leaf/lower", bad, COLOURING, "carries upper bounds only"
    bad = witness(OVERLAPPING, [["0", "0"]], tenths("upper", 2, "1/5"))
    yield "rows/upper", bad, WITNESS, "carries lower bounds only"


# --- files that a certificate is compared with --------------------------------------------------

FILE: Final[dict[str, Any]] = {
    "domain": {"sex": {"values": ["f", "m"]}, "age": {"size": 3}},
    "queries": [
        {"label": "x", "epsilon": 0.1, "where": {"sex": ["f"], "age": {"range": [0, "2"]}}},
        {"epsilon": "1/10", "delta": "0", "where": {"age": [2, 0, 1, 1], "sex": {"not": ["f"]}}},
    ],
}
CERTIFICATE: Final = handmade.canonical_bytes(colouring(LISTS, [["0", "1"]], ONE, LISTED))
OTHER_FILES: Final[list[tuple[dict[str, Any], str]]] = [
    ({"domain": {"age": {"size": 3}, "sex": {"values": ["f", "m"]}}}, "another domain"),
    ({"domain": {"sex": {"values": ["f", "m"]}, "age": {"size": 4}}}, "another domain"),
    ({"queries": FILE["queries"][:1]}, "other queries"),
    ({"queries": FILE["queries"][::-1]}, "other queries"),
    ({"queries": [FILE["queries"][0], {"epsilon": "1/10"}]}, "other queries"),
    ({"queries": [FILE["queries"][0], {**FILE["queries"][1], "epsilon": 1}]}, "other queries"),
    ({"queries": [FILE["queries"][0], {"sigma": 1, "sensitivity": 1}]}, "other queries"),
    ({"queries": [FILE["queries"][0], {"laplace": {"scale": 2, "sensitivity": 1}}]}, "other"),
]
"""Changes that make it another workload."""
BAD_FILES: Final[list[tuple[dict[str, Any], str]]] = [
    ({"neighbouring": "zero-out"}, "neighbouring is not one of"),
    ({"format": "exactdp-ledger/1"}, "workload format is not one of"),
    ({"name": []}, "name is not a string"),
    ({"note": "x"}, "unknown key note"),
    ({"domain": []}, "domain is not an object"),
    ({"domain": {"age": {"size": 3, "unit": "x"}}}, "unknown key unit"),
    ({"domain": {"age": {"values": ["1", 1]}}}, "stands twice"),
    ({"domain": {"sex": {"size": 2}, "age": {"size": 3}}}, "not a number: f"),
    ({"queries": ["x"]}, "query is not an object"),
    ({"queries": [{}]}, "missing key epsilon"),
    ({"queries": [{"epsilon": 1, "count": 100}]}, "query: unknown key count"),
    ({"queries": [{"sensitivity": 1}]}, "unknown key sensitivity"),
    ({"queries": [{"sigma": 1, "shuffled": {"batches": 2}}]}, "query: unknown key shuffled"),
    ({"queries": [{"epsilon": 1, "where": []}]}, "where is not an object"),
    ({"queries": [{"epsilon": 1, "where": {"x": [1]}}]}, "where: unknown key x"),
    ({"queries": [{"epsilon": 1, "where": {"age": ["x"]}}]}, "not a number: x"),
    ({"queries": [{"epsilon": 1, "where": {"age": [10**19]}}]}, "value is not an integer"),
    ({"queries": [{"epsilon": 1, "where": {"age": {}}}]}, "missing key range"),
    ({"queries": [{"epsilon": 1, "where": {"age": "x"}}]}, "predicate is not an object"),
    ({"queries": [{"epsilon": 1, "where": {"age": {"range": [1]}}}]}, "not two ends"),
    ({"queries": [{"epsilon": 1, "where": {"age": {"range": [1, 4]}}}]}, "range is not an"),
]
"""Changes that make it none."""
