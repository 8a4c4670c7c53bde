"""Good and bad certificates about batches to which each record is allocated by itself.

Written from certs/SPEC.md, sections 7, 11.5 and 11.6, alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tests.verifier.handmade import changed
from tests.verifier.noise_cases import (
    Certificate,
    Entry,
    Plan,
    RuleCase,
    dots,
    entry,
    laplace,
    plan,
    score,
)

ADDED: Final = {"relation": "add-remove-one"}
ZEROED: Final = {"relation": "zero-out"}


def allocated(sigma: str, batches: object, epochs: object, count: int = 1) -> Entry:
    into = {"batches": str(batches), "epochs": str(epochs)}
    return entry(count, sigma=sigma, allocated=into)


def told(first: Plan, *listed: tuple[str, Sequence[int], Sequence[int]]) -> Plan:
    """A plan with ratios: the unit, the points of W, and those of S."""
    ratios = [
        {"points": [str(j) for j in points], "sums": [str(j) for j in sums], "unit": unit}
        for unit, points, sums in listed
    ]
    return {**first, "ratios": ratios}


POINTS: Final = (0, 1, 32, 4, 256, 64, 4096)
SUMS: Final = (0, 1, 64, 4, 512, 64, 8192)
LOOKED_AT: Final = ("1/4", POINTS, SUMS)
EPOCH: Final = [allocated("1", 5, 1)]
BESIDE: Final = [allocated("1", 3, 2), allocated("2", 2, 1), laplace("4")]
ONE: Final = told(plan([(-60, 90)]), LOOKED_AT)
BACK: Final = told(plan([(-90, 60)]), LOOKED_AT)
WIDE: Final = told(plan([(-60, 60), (-90, 90), (-10, 10)], (-200, 200, 1)), LOOKED_AT, LOOKED_AT)
ABOVE: Final = dots(EPOCH, "29/10", "1/20", ONE, BACK, **ADDED)
BELOW: Final = score(EPOCH, "27/10", "1/20", ONE, 57, **ADDED)
BELOW_BACK: Final = score(EPOCH, "3/2", "1/20", ONE, 33, direction="add", **ADDED)
BESIDE_ABOVE: Final = dots(BESIDE, "6", "1/20", WIDE, WIDE, delta="1/100", **ZEROED)
BESIDE_BELOW: Final = score(BESIDE, "7/2", "1/20", WIDE, 78, **ZEROED)


def accepts() -> dict[str, Certificate]:
    """Epochs alone, beside others, forth and back."""
    return {
        "mesh-upper-allocated": ABOVE,
        "mesh-upper-allocated-beside": BESIDE_ABOVE,
        "mesh-lower-allocated": BELOW,
        "mesh-lower-allocated-back": BELOW_BACK,
        "mesh-lower-allocated-beside": BESIDE_BELOW,
    }


def cases() -> Iterator[RuleCase]:
    """Claims that do not hold, and plans that prove too little."""
    above, below = "is not proved to be at most Δ", "is not proved to be above Δ"
    narrow = told(plan([(-60, 90)]), ("1/4", (0, 32), SUMS))
    short = told(plan([(-60, 90)]), ("1/4", POINTS, (0, 64)))
    rough = told(plan([(-60, 90)]), ("64", (0, 16), (0, 32)))
    for name, epsilon, one in (
        ("epsilon", "27/10", ONE),
        ("few-ratios", "29/10", narrow),
        ("few-sums", "29/10", short),
        ("rough-ratios", "29/10", rough),
    ):
        bad = dots(EPOCH, epsilon, "1/20", one, BACK, **ADDED)
        yield f"mesh-upper/allocated-{name}", bad, ABOVE, above
    for name, entries in (
        ("sigma", [allocated("9/10", 5, 1)]),
        ("batches", [allocated("1", 4, 1)]),
    ):
        bad = dots(entries, "29/10", "1/20", ONE, BACK, **ADDED)
        yield f"mesh-upper/allocated-{name}", bad, ABOVE, above
    for name, entries, epsilon, threshold in (
        ("epsilon", EPOCH, "29/10", 57),
        ("threshold", EPOCH, "27/10", 90),
        ("batches", [allocated("1", 6, 1)], "27/10", 57),
    ):
        bad = score(entries, epsilon, "1/20", ONE, threshold, **ADDED)
        yield f"mesh-lower/allocated-{name}", bad, BELOW, below
    bad = score(EPOCH, "27/10", "1/20", ONE, 57, direction="add", **ADDED)
    yield "mesh-lower/allocated-direction", bad, BELOW, below
    without, twice = plan([(-60, 90)]), told(plan([(-60, 90)]), LOOKED_AT, LOOKED_AT)
    for name, one, clause in (
        ("without", without, "0 lists of ratios, for 1 pairs of laws"),
        ("twice", twice, "2 lists of ratios, for 1 pairs of laws"),
    ):
        bad = dots(EPOCH, "29/10", "1/20", one, BACK, **ADDED)
        yield f"mesh-upper/ratios-{name}", bad, ABOVE, clause
        bad = score(EPOCH, "27/10", "1/20", one, 57, **ADDED)
        yield f"mesh-lower/ratios-{name}", bad, BELOW, clause
    nothing = told(plan([(-60, 90)]), ("1/1000000000000", (0, 1), (0, 1)))
    bad = score(EPOCH, "27/10", "1/20", nothing, 57, **ADDED)
    yield "mesh-lower/allocated-nothing", bad, BELOW, "no weight of a sum of ratios is left"
    for relation in ("replace-one", "unspecified"):
        bad = changed(ABOVE, "statement.neighbouring", relation)
        yield f"mesh-upper/allocated-{relation}", bad, ABOVE, "has add-remove-one or zero-out"


def shapes() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    """Malformed entries and plans, each one change away from a good certificate."""
    first = "statement.subject.mechanisms.0"
    ratios = "derivation.0.parameters.plan.ratios"
    for name, path, value, clause in (
        ("batches", f"{first}.allocated.batches", "1", "batches is not an integer from 2"),
        ("epochs", f"{first}.allocated.epochs", ..., "allocated: missing key epochs"),
        ("order", f"{first}.allocated.order", "fresh", "allocated: unknown key order"),
        ("rate", f"{first}.rate", "1/2", "mechanism: unknown key rate"),
        ("sigma", f"{first}.sigma", "0", "a mechanism's sigma is 0"),
        ("ratios-none", ratios, [], "what a plan says of some pairs is an empty list"),
        ("ratios-points", f"{ratios}.0.points", ["1", "9"], "do not begin at 0"),
        ("ratios-sums", f"{ratios}.0.sums", ["-1", "9"], "do not begin at 0"),
        ("ratios-unit", f"{ratios}.0.unit", "0", "unit is not a short rational"),
        ("ratios-last", f"{ratios}.0.last", "9", "ratios: unknown key last"),
    ):
        yield f"allocated/{name}", changed(BELOW, path, value), BELOW, clause
