"""Malformed certificates about mechanisms by their noise, for the corpora of ``make_rejects``.

Written from certs/SPEC.md, sections 7, 11.5 and 11.6, alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.verifier.handmade import changed
from tests.verifier.noise_batch_cases import EPOCH, EPOCH_BELOW
from tests.verifier.noise_cases import (
    DIVERGENT_ABOVE,
    LAPLACE_BELOW,
    LISTED,
    ONE_ABOVE,
    Certificate,
    Entry,
    ShapeCase,
    dots,
    entry,
    laplace,
    plan,
    shuffled,
)


def shapes() -> Iterator[ShapeCase]:
    """Each one change away from a good certificate."""
    for name, entries, clause in _entries():
        bad = dots(entries, "1", "1/10", plan([(-10, 10)]))
        yield f"noise/{name}", bad, ONE_ABOVE, clause
    listed = "statement.subject.mechanisms"
    for name, written, clause in (
        ("not-an-object", ["x"], "mechanism is not an object"),
        ("not-sorted", [laplace("2"), laplace("1")], "mechanisms are not sorted and merged"),
        ("twice", [laplace("1"), laplace("1", 2)], "mechanisms are not sorted and merged"),
    ):
        yield f"noise/{name}", changed(ONE_ABOVE, listed, written), ONE_ABOVE, clause
    for name, base, path, value, clause in _parameters():
        where = f"derivation.0.parameters.{path}"
        yield f"noise/{name}", changed(base, where, value), base, clause


def _entries() -> Iterator[tuple[str, list[Entry], str]]:
    long = f"1/{2**2048}"
    law = ["1/2", "1/2"]
    for name, value, clause in (
        ("rate-above-one", laplace("1", rate="2"), "rate is not between 0 and 1"),
        ("rate-one", laplace("1", rate="1"), "rate is not between 0 and 1"),
        ("rate-zero", laplace("1", rate="0"), "rate is not between 0 and 1"),
        ("rate-alone", entry(rate="1/2"), "missing key mu"),
        ("long", laplace(long), "a mechanism's scale has more than 2048 bits"),
        ("scale-zero", laplace("0"), "a mechanism's scale is 0"),
        ("mu-zero", entry(mu="0", rate="1/2"), "a mechanism's mu is 0"),
        ("two-families", laplace("1", mu="1"), "unknown key"),
        ("pair-lengths", entry(pair={"p": ["1"], "q": law}), "are not of one length"),
        ("pair-empty", entry(pair={"p": [], "q": []}), "1 to 4096 outputs"),
        ("pair-many", entry(pair={"p": ["0"] * 4097, "q": law}), "1 to 4096 outputs"),
        ("pair-sum", entry(pair={"p": law, "q": ["1/2", "1/3"]}), "of q do not sum to 1"),
    ):
        yield name, [value], clause
    for name, shifts, clause in (
        ("shifts-empty", [], "shifts are not 1 to 1000 in order"),
        ("shifts-order", ["2", "1"], "shifts are not 1 to 1000 in order"),
        ("shifts-many", ["1"] * 1001, "shifts are not 1 to 1000 in order"),
        ("shift-zero", ["0"], "shift is not an integer from 1 to 1000000"),
        ("shift-large", ["1000001"], "shift is not an integer from 1 to 1000000"),
    ):
        yield name, [entry(discrete_laplace={"scale": "1", "shifts": shifts})], clause
    for name, pairs, clause in (
        ("list-empty", [], "renyi is not 1 to 4096 pairs"),
        ("list-of-threes", [["2", "1", "1"]], "renyi is not 1 to 4096 pairs"),
        ("list-order-one", [["1", "1"]], "orders of renyi do not rise from above 1"),
        ("list-order", [["3", "1"], ["2", "1"]], "orders of renyi do not rise from above 1"),
    ):
        yield name, [entry(renyi=pairs)], clause
    yield "list-rate", [entry(renyi=LISTED, rate="1/2")], "unknown key rate"
    two = entry(discrete_laplace={"scale": "1", "shifts": ["1", "2"]}, rate="1/2")
    yield "rate-beside-shifts", [two], "a rate beside several shifts"
    for name, value, clause in (
        ("sigma-zero", shuffled("0", 9, 1, "fresh"), "a mechanism's sigma is 0"),
        ("batches-zero", shuffled("1", 0, 1, "fresh"), "batches is not an integer from 1"),
        ("batches-many", shuffled("1", 10**9 + 1, 1, "fresh"), "batches is not an integer"),
        ("epochs-zero", shuffled("1", 9, 0, "fresh"), "epochs is not an integer from 1"),
        ("epochs-many", shuffled("1", 9, 10**9 + 1, "fresh"), "epochs is not an integer"),
        ("order", shuffled("1", 9, 1, "stale"), "order is not one of fresh, persistent"),
        ("shuffled-rate", {**EPOCH[0], "rate": "1/2"}, "unknown key rate"),
        ("shuffled-sensitivity", {**EPOCH[0], "sensitivity": "1"}, "unknown key sensitivity"),
    ):
        yield name, [value], clause
    for name, variance in (("small", "1/1000001"), ("large", "1000000000001")):
        noise = {"shifts": ["1"], "variance": variance}
        yield f"variance-{name}", [entry(discrete_gaussian=noise)], "variance is not from 1e-6"


def _parameters() -> Iterator[tuple[str, Certificate, str, object, str]]:
    above, below = ONE_ABOVE, LAPLACE_BELOW
    window, level = "plans.0.windows.0", "plan.levels.0"
    yield "sums-below", above, "sums", "-1", "sums is not an integer from 0"
    yield "unit-small", above, "unit", "1/1000000000001", "unit is not a short rational"
    yield "unit-large", above, "unit", "1001", "unit is not a short rational"
    long = f"{2**255}/{2**256 - 1}"
    yield "unit-long", above, "unit", long, "unit is not a short rational"
    sections = "a window does not have 2, or 3, 5, …, 129 numbers"
    yield "window-short", above, window, ["1"], sections
    yield "window-even", above, window, ["1", "1", "2", "1"], sections
    yield "window-one-section", above, window, ["-10", "1", "10"], sections
    long_window = [*[str(j) for end in range(-65, 0) for j in (end, 1)], "0"]
    yield "window-long", above, window, long_window, sections
    yield "window-step", above, window, ["-10", "0", "10"], "step is not an integer from 1"
    yield "window-sections-turned", above, window, ["-10", "2", "-10", "2", "10"], "is not below"
    yield "window-multiple", above, window, ["-10", "3", "10"], "is not a multiple of its step"
    yield "window-turned", above, window, ["1", "1"], "first loss is not below its last"
    yield "window-far", above, window, ["1", "1000000001"], "loss is not an integer"
    yield "level-short", below, level, ["1", "2"], "does not have 3 numbers"
    yield "level-times", below, level, ["-20", "20", "17"], "times is not an integer"
    yield "plan-key", below, "plan.x", "y", "plan: unknown key x"
    yield "direction", below, "direction", "sideways", "direction is not one of add, remove"
    yield "threshold", below, "threshold", "1" * 31, "threshold is not an integer"
    yield "tilt", below, "tilt", "2", "tilt is not a rational from 0 to 1"
    yield "tilt-long", below, "tilt", long, "tilt is not short"
    for name, cuts, clause in (
        ("none", [], "what a plan says of some pairs is an empty list"),
        ("fall", [["1", "0"]], "cuts are not lists of integers that do not fall"),
    ):
        yield f"cuts-{name}", EPOCH_BELOW, "plan.cuts", cuts, clause
    rising, long_order = "orders do not rise", "an order has more than 2048 bits"
    for name, orders, clause in (
        ("many", [str(j) for j in range(2, 259)], "there are more than 256 orders"),
        ("one", ["1", "2"], "alpha is not a rational above 1"),
        ("twice", ["2", "2"], rising),
        ("fall", ["3", "2"], rising),
        ("long", [f"{2**2048}/{2**2048 - 1}"], long_order),
    ):
        yield f"orders-{name}", DIVERGENT_ABOVE, "orders", orders, clause
    yield "cut-far", EPOCH_BELOW, "plan.cuts", [[str(10**12 + 1)]], "cut is not an integer from"
    yield "cut-rational", EPOCH_BELOW, "plan.cuts.0", ["1/2"], "cut is not an integer"
