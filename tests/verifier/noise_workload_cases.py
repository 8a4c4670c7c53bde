"""Good and bad certificates about workloads by their noise, for the corpora of ``make_rejects``.

Written from certs/SPEC.md, sections 8, 11.17 and 11.18, alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tests.verifier import handmade
from tests.verifier.handmade import changed
from tests.verifier.noise_cases import (
    PAIR,
    Certificate,
    RuleCase,
    dots,
    entry,
    laplace,
    made,
    plan,
    score,
)
from tests.verifier.parallel_cases import FILE, SIZED

Query = dict[str, Any]
Entries = Sequence[Mapping[str, Any]]

WITNESS: Final = "noise-rows"
COLOURING: Final = "noise-colouring"
RELATION: Final = {"relation": "add-remove-one"}


def query(*clauses: str, **parameters: object) -> Query:
    """A query; a clause is written with spaces: its attribute, then the ends of its ranges."""
    where = [clause.split() for clause in clauses]
    return {**(parameters or of_scale("1")), "where": where}


def of_scale(scale: str, sensitivity: str = "1") -> dict[str, object]:
    return {"laplace": {"scale": scale, "sensitivity": sensitivity}}


def geometric(scale: str, *shifts: int) -> dict[str, object]:
    return {"discrete_laplace": {"scale": scale, "shifts": [str(each) for each in shifts]}}


def discrete(variance: str, *shifts: int) -> dict[str, object]:
    return {"discrete_gaussian": {"variance": variance, "shifts": [str(each) for each in shifts]}}


def reduced(
    rule: str,
    queries: Sequence[Query],
    parameters: Mapping[str, object],
    about_ledger: Certificate,
) -> Certificate:
    """A certificate about a ledger, as one about a workload that is reduced to that ledger."""
    subject = {"type": "workload", "domain": SIZED, "queries": list(queries)}
    claim = {**about_ledger["statement"], "neighbouring": "add-remove-one", "subject": subject}
    reduction = {"rule": rule, "premises": [], "parameters": dict(parameters)}
    step = {**about_ledger["derivation"][0], "premises": ["0"]}
    return handmade.sealed(claim, [reduction, step])


def witness(
    queries: Sequence[Query],
    row: object,
    about_ledger: Certificate,
) -> Certificate:
    return reduced("rows", queries, {"rows": [row]}, about_ledger)


def colouring(
    queries: Sequence[Query],
    colours: Sequence[str],
    about_ledger: Certificate,
) -> Certificate:
    """Classes are written with spaces."""
    listed = [colour.split() for colour in colours]
    return reduced("cases", queries, {"tree": [{"colours": listed}]}, about_ledger)


# --- good ones ----------------------------------------------------------------------------------

OVERLAPPING: Final = [query("0 0 2"), query("0 1 3"), query("0 0 1 2 3")]
TWO: Final = [laplace("1", 2)]
OF_TWO: Final = plan([(-20, 20)], (-40, 40, 1))
TWO_BELOW: Final = score(TWO, "1.99", "1/20", OF_TWO, 40)
MET: Final = witness(OVERLAPPING, [["0", "0"]], TWO_BELOW)
ONE: Final = [laplace("1")]
OF_ONE: Final = plan([(-20, 20)])
ONE_ABOVE: Final = dots(ONE, "1.01", "1/20", OF_ONE)
APART: Final = [query("0 0 2"), query("0 2 3", **of_scale("2"))]
CLASSES: Final = colouring(APART, ["0 1"], ONE_ABOVE)
HALVES: Final = ("0 0 1", "0 1 2", "0 2 3")


def anything(most: Mapping[str, Any]) -> Certificate:
    """A bound far above what one mechanism reveals, whatever it is."""
    shifts = [each for part in most.values() if "shifts" in part for each in part["shifts"]]
    counts = Counter(shifts) or {"": 1}
    levels = [(-200, 200, 1)] * (max(counts.values()).bit_length() - 1)
    far = plan([(-100, 100)] * len(counts), *levels)
    directions = 1 + ("rate" in most or "pair" in most)
    more = {"digits": "10", "unit": "1/2", "plans": [far] * directions, **RELATION}
    more |= {"orders": [], "sums": "0"}
    return made("mesh-upper", "upper", [dict(most)], ("48", "1/2"), **more)


def by_order(name: str, greatest: int, *parameters: dict[str, object]) -> Certificate:
    """A class of disjoint queries, of which one dominates the others."""
    queries = [query(half, **each) for half, each in zip(HALVES, parameters, strict=False)]
    noise = name.partition("-")[0]
    if noise in ("mu", "rho"):
        queries.append(query("0", **of_scale("1")))
    most = {"count": "1", **parameters[greatest]}
    colours = [" ".join(map(str, range(len(parameters))))]
    if noise in ("rho", "renyi"):
        return colouring(queries, colours, by_divergences(most))
    return colouring(queries, colours, anything(most))


def by_divergences(most: Mapping[str, Any]) -> Certificate:
    more = {"alpha": "2", "digits": "20", **RELATION}
    return made("moments", "upper", [dict(most)], ("40", "1/2"), **more)


ORDERS: Final[dict[str, tuple[int, tuple[dict[str, object], ...]]]] = {
    "laplace": (1, (of_scale("2", "3"), of_scale("1", "5"), of_scale("1"))),
    "laplace-equal": (0, (of_scale("2", "4"), of_scale("1", "2"))),
    "mu": (1, ({"mu": "1/2"}, {"mu": "2"}, {"mu": "1"})),
    "mu-sampled": (0, ({"mu": "2"}, {"mu": "1", "rate": "1/2"})),
    "rho": (1, ({"rho": "1/2"}, {"rho": "2"})),
    "renyi": (0, ({"renyi": [["2", "1/50"]]}, {"renyi": [["2", "1/50"]]})),
    "discrete-laplace-scales": (1, (geometric("2", 1), geometric("1", 1), geometric("3", 1))),
    "discrete-laplace-shifts": (0, (geometric("2", 1, 1, 3), geometric("2", 1, 2))),
    "discrete-gaussian-shifts": (1, (discrete("4", 1), discrete("4", 1, 2))),
    "bounded-range": (0, ({"bounded_range": "1"}, {"bounded_range": "1/2"})),
    "pair-rates": (0, ({"pair": PAIR, "rate": "1/2"}, {"pair": PAIR, "rate": "1/4"})),
    "rates": (0, ({**of_scale("1"), "rate": "1/2"}, {**of_scale("2"), "rate": "1/4"})),
}
"""For each name which mechanism of a class dominates the others."""
PAIRS: Final = [
    query("0 0 1", epsilon="1", delta="1/50"),
    query("0 1 2", epsilon="2", delta="1/100"),
    query("0 2 3"),
]
OF_PAIRS: Final = [entry(epsilon="2", delta="1/50"), *ONE]
OF_BOTH: Final = plan([(-100, 100), (-20, 20)])
BESIDE_PAIRS: Final = colouring(
    PAIRS, ["0 1", "2"], dots(OF_PAIRS, "3", "1/20", OF_BOTH, delta="1/40")
)
LISTED: Final = [
    *PAIRS[:2],
    query("0 2 3", **geometric("1", 1)),
    query("0 0 2", **geometric("2", 1)),
    query("0 0 1", pair=PAIR),
    query("0 1 3", pair=PAIR),
]
OF_LISTED: Final = [
    entry(epsilon="2", delta="1/50"),
    {"count": "1", **geometric("1", 1)},
    entry(pair=PAIR),
]
OF_LISTS: Final = [plan([(-100, 100), (-40, 40), (-40, 40)])] * 2


def of_lists(greatest: Entries, epsilon: str, delta: str) -> Certificate:
    """Classes by ε and δ, discrete Laplace noise and a table, of which these are concluded."""
    bound = dots(
        [dict(each) for each in greatest], epsilon, "1/20", *OF_LISTS, delta=delta, **RELATION
    )
    return colouring(LISTED, ["0 1", "2 3", "4 5"], bound)


BY_LISTS: Final = of_lists(OF_LISTED, "37/10", "21/1000")
NOTHING: Final = [query("0"), query(epsilon="0", delta="0")]


BACK: Final = {"p": PAIR["q"], "q": PAIR["p"]}
"""A pair that reveals more where a record is added, at small ε."""
ADDED: Final = witness(
    [query(pair=BACK), query("0 1 2")],
    [],
    score([entry(pair=BACK)], "1/10", "1/20", OF_ONE, 8, delta="21/100", direction="add"),
)


def accepts() -> dict[str, Certificate]:
    """The worked examples of the SPEC, both directions, and classes of (ε, δ) beside noise."""
    return {
        f"{WITNESS}-lower": MET,
        f"{WITNESS}-added": ADDED,
        f"{COLOURING}-upper": CLASSES,
        f"{COLOURING}-pairs": BESIDE_PAIRS,
        f"{COLOURING}-listed": BY_LISTS,
    }


def others() -> dict[str, Certificate]:
    """What else a reduction may hold."""
    one = score([entry(epsilon="1", delta="0")], "9/10", "1/20", OF_ONE, 20, **RELATION)
    return {
        "first values": witness(OVERLAPPING, [], TWO_BELOW),
        "a row that meets no noise": witness(
            [query("0 0 1"), query("0 0 2", epsilon="1", delta="0"), query("0 2 3")],
            [["0", "1"]],
            one,
        ),
        "a contradiction": colouring([query("0"), query()], ["1"], ONE_ABOVE),
        "a contradiction in a class": colouring([query("0"), query()], ["0 1"], ONE_ABOVE),
        "nothing to reveal": colouring(
            NOTHING, ["1"], by_divergences(entry(epsilon="0", delta="0"))
        ),
        **{
            name: by_order(name, greatest, *parameters)
            for name, (greatest, parameters) in ORDERS.items()
        },
    }


# --- bad ones -----------------------------------------------------------------------------------


def shapes() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    """Malformed subjects and reductions, each one change away from a good certificate."""
    subject = "statement.subject"
    first = f"{subject}.queries.0"
    batches = {"shuffled": {"batches": "2", "epochs": "1", "order": "fresh"}, "sigma": "1"}
    allocated = {"allocated": {"batches": "2", "epochs": "1"}, "sigma": "1"}
    reports = {"shuffled_reports": {"odds": "3", "reports": "9"}}
    drawn = {"fixed_size": {"batch": "1", "records": "2"}, "sigma": "1"}
    changes: list[tuple[str, str, object, str]] = [
        ("shuffled", first, query("0 0 2", **batches), "a query on shuffled batches"),
        ("allocated", first, query("0 0 2", **allocated), "a query on allocated batches"),
        ("fixed-size", first, query("0 0 2", **drawn), "a query on batches of a fixed size"),
        ("reports", first, query("0 0 2", **reports), "a query on reports of all records"),
        ("scale-zero", f"{first}.laplace.scale", "0", "scale is 0"),
        ("two-families", f"{first}.bounded_range", "1", "mechanism: unknown key"),
        ("query-with-count", f"{first}.count", "1", "query: not an object with where"),
        ("query-with-label", f"{first}.label", "x", "mechanism: unknown key label"),
        ("range-outside", f"{first}.where.0", ["0", "0", "4"], "end of a range is not an integer"),
        ("domain-missing", f"{subject}.domain", ..., "missing key domain"),
        ("concurrent", "statement.interaction", "concurrent", "interaction is not one of"),
    ]
    for name, path, value, clause in changes:
        yield f"noise-workload/{name}", changed(CLASSES, path, value), CLASSES, clause
    path = "derivation.0.parameters.rows"
    rows: list[tuple[str, object, str]] = [
        ("rows-missing", ..., "missing key rows"),
        ("row-not-of-pairs", [[["0"]]], "not a pair"),
        ("row-attribute-outside", [[["1", "0"]]], "not in the domain"),
        ("row-value-outside", [[["0", "3"]]], "that its attribute does not have"),
    ]
    yield from ((f"{WITNESS}/{n}", changed(MET, path, row), MET, said) for n, row, said in rows)
    colours: list[tuple[str, object, str]] = [
        ("colours-missing", ..., "missing key attribute"),
        ("colour-empty", [["0", "1"], []], "empty in every leaf"),
        ("colour-not-increasing", [["1", "0"]], "are not increasing"),
        ("query-outside", [["0", "2"]], "a query that is not in the workload"),
    ]
    for name, value, clause in colours:
        bad = changed(CLASSES, "derivation.0.parameters.tree.0.colours", value)
        yield f"{COLOURING}/{name}", bad, CLASSES, clause


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    yield from _structure_cases()
    leaf = {"colours": [["0", "1"]]}
    tree = [{"attribute": "0", "below": "1"}, leaf, leaf]
    bad = changed(CLASSES, "derivation.0.parameters.tree", tree)
    yield f"{COLOURING}/several-cases", bad, CLASSES, "given by noise in several cases"
    unproved = "rule mesh-lower: the divergence is not proved to be above"
    for name, queries in (
        ("another-row", [query("0 1 2"), *OVERLAPPING[1:]]),
        ("contradiction", [query("0"), *OVERLAPPING[1:]]),
    ):
        below = score(ONE, "1.99", "1/20", OF_ONE, 20)
        yield f"{WITNESS}/{name}", witness(queries, [], below), MET, unproved
    below = score(TWO, "2.01", "1/20", OF_TWO, 40)
    yield f"{WITNESS}/epsilon-above", witness(OVERLAPPING, [], below), MET, unproved
    three = score([laplace("1", 3)], "2.99", "1/20", OF_TWO, 60)
    yield f"{WITNESS}/one-query-too-many", witness(OVERLAPPING, [], three), MET, unproved
    for key, value in (("threshold", "-20"), ("direction", "remove")):
        bad = changed(ADDED, f"derivation.1.parameters.{key}", value)
        yield f"{WITNESS}/{key}", bad, ADDED, unproved
    for name, queries, colours, clause in (
        ("overlap", [query("0 0 2"), query("0 1 3")], ["0 1"], "queries 0 and 1 of one colour"),
        ("free-attribute", [query("0 0 2"), query()], ["0 1"], "queries 0 and 1 of one colour"),
        ("query-missing", APART, ["0"], "query 1 is in no colour"),
        ("query-twice", APART, ["0 1", "1"], "a query is in two colours"),
    ):
        yield f"{COLOURING}/{name}", colouring(queries, colours, ONE_ABOVE), CLASSES, clause
    yield from _bound_cases()
    yield from _order_cases()


def _structure_cases() -> Iterator[RuleCase]:
    for relation in ("replace-one", "unspecified", "zero-out"):
        bad = changed(CLASSES, "statement.neighbouring", relation)
        yield f"noise-workload/{relation}", bad, CLASSES, "has add-remove-one neighbours"
    clipped = {"clip": "1", "laplace": {"scale": "1"}, "rate": "1/2", "where": [["0", "0", "2"]]}
    bad = changed(CLASSES, "statement.subject.queries.0", clipped)
    yield "noise-workload/clip", bad, CLASSES, "has no neighbours"
    bad = changed(CLASSES, "derivation.1.premises", [])
    yield "noise-workload/no-premise", bad, CLASSES, "does not fit"
    alone = {**CLASSES, "derivation": CLASSES["derivation"][:1]}
    yield "noise-workload/reduction-alone", alone, CLASSES, "does not fit"
    bad = changed(CLASSES, "statement.theorem", "definition")
    yield "noise-workload/theorem", bad, CLASSES, "rests on another theorem"
    bad = witness(OVERLAPPING, [], dots(TWO, "2.01", "1/20", OF_TWO))
    yield f"{WITNESS}/upper", bad, MET, "carries lower bounds only"
    bad = colouring(APART, ["0 1"], score(ONE, "99/100", "1/20", OF_ONE, 20))
    yield f"{COLOURING}/lower", bad, CLASSES, "carries upper bounds only"


def _bound_cases() -> Iterator[RuleCase]:
    """What is concluded of a class is the greatest, not the least, nor one for fewer classes."""
    unproved = "rule mesh-upper: the divergence is not proved to be at most"
    below = dots(ONE, "99/100", "1/20", OF_ONE)
    yield f"{COLOURING}/epsilon-below", colouring(APART, ["0 1"], below), CLASSES, unproved
    least = dots([laplace("2")], "51/100", "1/20", OF_ONE)
    yield f"{COLOURING}/least", colouring(APART, ["0 1"], least), CLASSES, unproved
    once = dots(TWO, "1.01", "1/20", OF_TWO)
    bad = colouring([query("0 0 2"), query("0 2 3")], ["0", "1"], once)
    yield f"{COLOURING}/classes-count", bad, CLASSES, unproved
    for name, pairs in (
        ("delta-of-the-greatest", entry(epsilon="2", delta="1/100")),
        ("epsilon-of-the-first", entry(epsilon="1", delta="1/50")),
    ):
        delta = "1/50" if name.startswith("delta") else "1/40"
        epsilon = "3" if name.startswith("delta") else "2"
        least = dots([pairs, *ONE], epsilon, "1/20", OF_BOTH, delta=delta)
        bad = colouring(PAIRS, ["0 1", "2"], least)
        yield f"{COLOURING}/{name}", bad, BESIDE_PAIRS, unproved
    yield from _listed_cases(unproved)


def _listed_cases(unproved: str) -> Iterator[RuleCase]:
    """Of mechanisms whose pairs are listed: where less is concluded than a class reveals."""
    lighter = entry(epsilon="2", delta="1/100")
    softer = {"count": "1", **geometric("2", 1)}
    for name, greatest, epsilon, delta in (
        ("listed-epsilon-below", OF_LISTED, "7/2", "21/1000"),
        ("listed-delta-below", OF_LISTED, "37/10", "1/50"),
        ("listed-delta-of-the-greatest", [lighter, *OF_LISTED[1:]], "37/10", "11/1000"),
        ("listed-shift-of-the-least", [OF_LISTED[0], softer, OF_LISTED[2]], "16/5", "21/1000"),
    ):
        yield f"{COLOURING}/{name}", of_lists(greatest, epsilon, delta), BY_LISTS, unproved
    bad = changed(BY_LISTS, "statement.subject.queries.5.where", [["0", "0", "3"]])
    clause = "queries 4 and 5 of one colour"
    yield f"{COLOURING}/listed-overlap", bad, BY_LISTS, clause


def _order_cases() -> Iterator[RuleCase]:
    """Classes of which no query is known to dominate the others."""
    for name, one, other in (
        ("variances", discrete("4", 1), discrete("5", 1)),
        ("variance-and-shift", discrete("4", 2), discrete("5", 1)),
        ("shifts", discrete("4", 1, 3), discrete("4", 2, 2)),
        ("shifts-of-more", discrete("4", 1, 1), discrete("4", 2)),
        ("scale-and-shift", geometric("1", 1), geometric("2", 2)),
        ("rate-and-scale", {**of_scale("1"), "rate": "1/4"}, {**of_scale("2"), "rate": "1/2"}),
        ("rate-and-none", {"mu": "2", "rate": "1/4"}, {"mu": "1"}),
        ("pairs", {"pair": PAIR}, {"pair": BACK}),
        ("lists", {"renyi": [["2", "1/50"]]}, {"renyi": [["2", "1/40"]]}),
        ("families", of_scale("1"), {"bounded_range": "1"}),
        ("noise-and-rho", of_scale("1"), {"rho": "9"}),
        ("noise-and-pairs", of_scale("1"), {"epsilon": "9", "delta": "0"}),
        ("rho-and-pairs", {"rho": "1"}, {"epsilon": "9", "delta": "0"}),
        ("mu-and-rho", {"mu": "1"}, {"rho": "9"}),
    ):
        noisy = query("0", **of_scale("1"))
        bad = colouring([query("0 0 2", **one), query("0 2 3", **other), noisy], ["0 1"], ONE_ABOVE)
        yield f"{COLOURING}/{name}", bad, CLASSES, "no query of a colour is known to dominate"


# --- files that a certificate is compared with --------------------------------------------------

NOISE_FILE: Final[dict[str, Any]] = {
    "domain": {"age": {"size": 3}},
    "queries": [
        {"label": "x", "laplace": {"scale": "2/2", "sensitivity": 1}, "where": {"age": [0, 1]}},
        {"laplace": {"scale": 2, "sensitivity": "1"}, "where": {"age": {"range": [2, 3]}}},
    ],
}
OTHER_NOISE_FILES: Final[list[dict[str, Any]]] = [
    {"queries": NOISE_FILE["queries"][:1]},
    {"queries": [NOISE_FILE["queries"][0], {"sigma": 1, "sensitivity": 1}]},
    {"queries": [NOISE_FILE["queries"][0], {**NOISE_FILE["queries"][1], "rate": "1/2"}]},
    {"queries": FILE["queries"][:0]},
    {"domain": {"age": {"size": 4}}},
]
"""Changes that make it another workload."""
