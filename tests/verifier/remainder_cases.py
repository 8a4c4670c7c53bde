"""Good and bad certificates about shuffled batches of which each epoch leaves records out.

Written from certs/SPEC.md, sections 7, 11.5 and 11.6, alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import Any, Final

from tests.verifier.handmade import changed, sealed
from tests.verifier.noise_cases import (
    Certificate,
    Entry,
    Plan,
    RuleCase,
    dots,
    entry,
    plan,
    score,
    statement,
)

ZEROED: Final = {"relation": "zero-out", "delta": "1/100"}
GIVEN_WAY: Final = {"relation": "replace-one", "delta": "1/100"}
UNIT: Final = "1/2"
ABOUT: Final = ("-256", "16", "-64", "2", "-16", "1", "16", "2", "64")


def left_out(sigma: str, *numbers: object, count: int = 1) -> Entry:
    keys = ("batches", "batch", "records", "epochs")
    written = {key: str(value) for key, value in zip(keys, numbers, strict=True)}
    return entry(count, sigma=sigma, shuffled={**written, "order": "fresh"})


def height(loss: float) -> dict[str, Any]:
    """In quarters, or more where y is great, around about what a batch lacks in the mean."""
    offset = round(exp(loss) - 1)
    return {"first": "-256", "offset": str(offset), "points": [*ABOUT], "unit": scale(loss)}


def scale(loss: float) -> str:
    """A quarter of y, from a quarter on."""
    quarters = max(1, round(exp(loss)))
    below = 4 if quarters % 4 and quarters % 2 else 2 if quarters % 4 else 1
    above = quarters * below // 4
    return f"{above}/{below}" if below > 1 else str(above)


def heights(window: Sequence[int], *levels: tuple[int, int, int], back: bool = False) -> Plan:
    """A window of all points, each with its height."""
    losses = [(-j if back else j) / 2 for j in range(window[0], window[1] + 1)]
    return {**plan([tuple(window)], *levels), "heights": [[height(each) for each in losses]]}


CUTS: Final = tuple(range(-1000, 6001, 250))


def scored(window: Sequence[int], *levels: tuple[int, int, int], other: bool = True) -> Plan:
    """Cells of a quarter of the variance, with quarters of the densities' difference."""
    middles = [(cut - 125) / 1000 for cut in (*CUTS, CUTS[-1] + 250)]
    values = [
        min(800, round(4 * (exp(2 * at - 2) - (exp(at - 0.5) if other else 1)))) for at in middles
    ]
    told = {
        "cuts": [str(each) for each in CUTS],
        "scores": [str(each) for each in values],
        "sums": ["-40", "1", "64", "4", "256", "32", "1024"],
    }
    return {**plan([tuple(window)], *levels), "scores": [told]}


EPOCH: Final = [left_out("1", 2, 1, 3, 1)]
EPOCHS: Final = [left_out("1", 2, 1, 3, 2)]
ABOVE: Final = dots(EPOCH, "9/4", UNIT, heights((-6, 14)), heights((-14, 6), back=True), **ZEROED)
BELOW: Final = score(EPOCH, "7/4", "1/20", scored((-60, 120)), 37, **ZEROED)
BELOW_BACK: Final = score(EPOCH, "1/4", "1/20", scored((-120, 60)), 6, direction="add", **ZEROED)
TWICE_ABOVE: Final = dots(EPOCHS, "12", UNIT, heights((-20, 22), (-40, 44, 1)), **GIVEN_WAY)
TWICE_BELOW: Final = score(
    EPOCHS, "5", "1/20", scored((-60, 160), (-120, 320, 1), other=False), 105, **GIVEN_WAY
)


SINGLE: Final = score([left_out("1", 1, 1, 2, 1)], "3/2", "1/20", scored((-60, 120)), 32, **ZEROED)
NEVER: Final = sealed(
    statement("lower", EPOCH, "every", "0", "zero-out"),
    [
        {
            "parameters": {"bound": "lower", "delta": "0", "epsilon": "every"},
            "premises": [],
            "rule": "trivial",
        }
    ],
)


def accepts() -> dict[str, Certificate]:
    """An epoch of which a record is zeroed out, and two of which one is replaced."""
    return {
        "mesh-lower-remainder-of-one-batch": SINGLE,
        "trivial-remainder": NEVER,
        "mesh-upper-remainder": ABOVE,
        "mesh-upper-remainder-replaced": TWICE_ABOVE,
        "mesh-lower-remainder": BELOW,
        "mesh-lower-remainder-back": BELOW_BACK,
        "mesh-lower-remainder-replaced": TWICE_BELOW,
    }


def cases() -> Iterator[RuleCase]:
    """Claims that do not hold, and plans of others."""
    above, below = "is not proved to be at most Δ", "is not proved to be above Δ"
    plans = heights((-6, 14)), heights((-14, 6), back=True)
    for name, entries, epsilon in (
        ("epsilon", EPOCH, "7/4"),
        ("sigma", [left_out("3/4", 2, 1, 3, 1)], "9/4"),
        ("batch", [left_out("1", 2, 9, 19, 1)], "9/4"),
        ("epochs", EPOCHS, "9/4"),
    ):
        counted = plans
        if entries is EPOCHS:
            counted = (
                heights((-6, 14), (-12, 28, 1)),
                heights((-14, 6), (-28, 12, 1), back=True),
            )
        bad = dots(entries, epsilon, UNIT, *counted, **ZEROED)
        yield f"mesh-upper/remainder-{name}", bad, ABOVE, above
    for name, entries, epsilon, threshold in (
        ("epsilon", EPOCH, "5/2", 37),
        ("records", [left_out("1", 2, 1, 30, 1)], "7/4", 37),
        ("threshold", EPOCH, "7/4", 5),
    ):
        bad = score(entries, epsilon, "1/20", scored((-60, 120)), threshold, **ZEROED)
        yield f"mesh-lower/remainder-{name}", bad, BELOW, below
    bad = dots(EPOCH, "5/2", UNIT, heights((-6, 14)), **GIVEN_WAY)
    yield "mesh-upper/remainder-replaced", bad, TWICE_ABOVE, above
    many = "20 heights, for 21 points"
    bad = changed(ABOVE, "derivation.0.parameters.plans.0.heights.0.20", ...)
    yield "mesh-upper/remainder-heights-fewer", bad, ABOVE, many
    none = "0 lists of heights, for 1 pairs of laws"
    bad = changed(ABOVE, "derivation.0.parameters.plans.0.heights", ...)
    yield "mesh-upper/remainder-heights-none", bad, ABOVE, none
    none = "0 lists of scores, for 1 pairs of laws"
    yield (
        "mesh-lower/remainder-scores-none",
        changed(BELOW, "derivation.0.parameters.plan.scores", ...),
        BELOW,
        none,
    )
    for relation in ("add-remove-one", "unspecified"):
        bad = changed(ABOVE, "statement.neighbouring", relation)
        yield f"mesh-upper/remainder-{relation}", bad, ABOVE, "has zero-out or replace-one"


def shapes() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    """Malformed entries and plans, each one change away from a good certificate."""
    shuffled = "statement.subject.mechanisms.0.shuffled"
    for name, path, value, clause in (
        ("none-left", f"{shuffled}.records", "2", "no record is left out of the batches"),
        ("batch-zero", f"{shuffled}.batch", "0", "batch is not an integer from 1"),
        ("batch-none", f"{shuffled}.batch", ..., "shuffled: missing key batch"),
        ("persistent", f"{shuffled}.order", "persistent", "order"),
        ("records-none", f"{shuffled}.records", ..., "shuffled: unknown key batch"),
    ):
        yield f"remainder/{name}", changed(BELOW, path, value), BELOW, clause
    one = "derivation.0.parameters.plans.0.heights.0.0"
    bad: tuple[tuple[str, str, object, str], ...] = (
        ("heights-empty", "derivation.0.parameters.plans.0.heights", [], "is an empty list"),
        ("height-unit", f"{one}.unit", "0", "a height has a unit of 0"),
        ("height-first", f"{one}.first", "1", "first is not an integer"),
        ("height-offset", f"{one}.offset", "ln(2)", "offset is not a short rational"),
        ("height-points", f"{one}.points", ["-9", "-1"], "no point from 0 on"),
    )
    for name, path, changed_to, clause in bad:
        yield f"remainder/{name}", changed(ABOVE, path, changed_to), ABOVE, clause
    told = "derivation.0.parameters.plan.scores"
    bad = (
        ("scores-empty", told, [], "is an empty list"),
        ("scores-fewer", f"{told}.0.cuts.0", ..., "scores are not one more than cuts"),
        ("cuts-fall", f"{told}.0.cuts.0", "9000", "scores are not one more than cuts"),
    )
    for name, path, changed_to, clause in bad:
        yield f"remainder/{name}", changed(BELOW, path, changed_to), BELOW, clause
