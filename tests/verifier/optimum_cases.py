"""Good and bad certificates of the rules that rest on the optimal composition theorem.

For the corpora of ``make_rejects``, which writes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.verifier import handmade

Certificate = dict[str, Any]
RuleCase = tuple[str, Certificate, Certificate, str]

TWELVE: list[handmade.Entry] = [("1/10", "0", 12)]
PAIR: list[handmade.Entry] = [("ln(3)", "0", 2)]
HUNDRED: list[handmade.Entry] = [("1/10", "0", 100)]
MIXED: list[handmade.Entry] = [("3/10", "0", 1), ("7/1000", "0", 1), ("ln(2)", "0", 1)]
TENS: list[handmade.Entry] = [("123/1000", "0", 10)]
TENS_BELOW, TENS_ABOVE = "947/1000", "237/250"
LOSSY: list[handmade.Entry] = [("1", "1/10", 2)]
TINY = "1/1073741824"


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    yield from _closed_cases()
    yield from _grid_cases()
    yield from _bracket_cases()
    yield from _counterexamples()


def _closed_cases() -> Iterator[RuleCase]:
    def simple(rule: str, kind: str, epsilon: str, delta: str) -> Certificate:
        return handmade.simple(rule, kind, LOSSY, epsilon, delta)

    good = handmade.trivial(TWELVE)
    bad = handmade.trivial(TWELVE, delta="1/2")
    yield "trivial/delta-below-one", bad, good, "delta is not 1"
    good = simple("trivial", "lower", "every", "9/50")
    bad = simple("trivial", "lower", "every", "19/100")
    yield "trivial/feasible-exactly", bad, good, "delta is feasible"
    yield "trivial/delta-one", simple("trivial", "lower", "every", "1"), good, "feasible"
    yield "trivial/one-epsilon", simple("trivial", "lower", "1", "9/50"), good, "not every"

    good = simple("sum", "upper", "2", "19/100")
    yield "sum/epsilon-too-small", simple("sum", "upper", "1", "19/100"), good, "below the sum"
    bad = simple("sum", "upper", "1999999999/1000000000", "19/100")
    yield "sum/epsilon-just-below", bad, good, "epsilon is below the sum"
    bad = simple("sum", "upper", "2", "189999999/1000000000")
    yield "sum/delta-just-below", bad, good, "delta is too small"
    good = simple("sum", "lower", "1999999999/1000000000", "19/100")
    yield "sum/equality-in-lower", simple("sum", "lower", "2", "19/100"), good, "not below the sum"
    bad = simple("sum", "lower", "1999999999/1000000000", "190000001/1000000000")
    yield "sum/delta-just-above", bad, good, "delta is too large"
    bad = simple("sum", "lower", "0", "1")
    yield "sum/lower-at-delta-one", bad, good, "delta is too large"
    yield "sum/every", simple("sum", "lower", "every", "19/100"), good, "epsilon is every"


def _grid_cases() -> Iterator[RuleCase]:
    def grid(
        kind: str, epsilon: str, delta: str = TINY, unit: str = "1/10", digits: int = 30
    ) -> Certificate:
        return handmade.grid(kind, HUNDRED, epsilon, delta, unit=unit, digits=digits)

    upper = grid("upper", "596706683/100000000")
    lower = grid("lower", "298353341/50000000")
    above, below = "not proved to be at most Δ", "not proved to be above Δ"
    yield "grid/upper-just-below", grid("upper", "298353341/50000000"), upper, above
    yield "grid/lower-just-above", grid("lower", "596706683/100000000"), lower, below
    bad = grid("upper", "596706683/100000000", digits=8)
    yield "grid/upper-too-few-digits", bad, upper, above
    bad = grid("lower", "298353341/50000000", digits=8)
    yield "grid/lower-too-few-digits", bad, lower, below
    bad = grid("upper", "596706683/100000000", unit="3/100")
    yield "grid/upper-unit-that-does-not-divide", bad, upper, above
    bad = grid("lower", "298353341/50000000", unit="3/100")
    yield "grid/lower-unit-that-does-not-divide", bad, lower, below
    bad = grid("lower", "298353341/50000000", unit="1")
    yield "grid/lower-unit-above-every-epsilon", bad, lower, below
    huge = [("1" + "0" * 60, "0", 1)]
    bad = handmade.certificate("grid", "upper", huge, "6", TINY, digits="30", unit="ln(2)")
    yield "grid/too-many-units", bad, upper, "too many units"
    tiny = f"1/1{'0' * 400}*ln(2)"
    bad = handmade.certificate("grid", "upper", HUNDRED, "6", TINY, digits="30", unit=tiny)
    yield "grid/unit-beyond-all-digits", bad, upper, "the unit is too small"
    shrinking = [("1/10", f"{10**60 - 1}/{10**60}", 1)]
    bad, good = (
        handmade.grid("upper", shrinking, "1", "1", unit="1/10", digits=digits)
        for digits in (1, 100)
    )
    yield "grid/too-few-digits-for-the-deltas", bad, good, "too few digits"
    every = handmade.grid("lower", HUNDRED, "every", TINY, unit="1/10")
    yield "grid/every", every, lower, "epsilon is every"


def _bracket_cases() -> Iterator[RuleCase]:
    def upper(
        epsilon: str, unit: str = "1/100", digits: int = 30, kind: str = "upper"
    ) -> Certificate:
        return handmade.mesh_upper(TENS, epsilon, "1/1000", unit=unit, digits=digits, kind=kind)

    def lower(
        epsilon: str, unit: str = "1/100", digits: int = 30, kind: str = "lower"
    ) -> Certificate:
        return handmade.mesh_lower(TENS, epsilon, "1/1000", unit=unit, digits=digits, kind=kind)

    rule, above, below = (
        "mesh-upper/responses",
        "not proved to be at most Δ",
        "not proved to be above Δ",
    )
    good = upper(TENS_ABOVE)
    yield f"{rule}-below-the-truth", upper(TENS_BELOW), good, above
    yield f"{rule}-too-coarse-a-mesh", upper(TENS_ABOVE, unit="1/2"), good, above
    yield f"{rule}-too-few-digits", upper(TENS_ABOVE, digits=3), good, above
    many: list[handmade.Entry] = [("1/10", "0", 10**5)]
    bad = handmade.mesh_upper(many, "1", "1/1000", unit="1/10", digits=1)
    yield f"{rule}-no-weight-at-these-digits", bad, good, "no weight is left at these digits"
    yield f"{rule}-lower", upper(TENS_BELOW, kind="lower"), good, "proves upper bounds only"
    rule = "mesh-lower/responses"
    good = lower(TENS_BELOW)
    yield f"{rule}-above-the-truth", lower(TENS_ABOVE), good, below
    yield f"{rule}-too-coarse-a-mesh", lower(TENS_BELOW, unit="10"), good, below
    yield f"{rule}-too-few-digits", lower(TENS_BELOW, digits=3), good, below
    bad = handmade.mesh_lower(many, "1", "1/1000", unit="1/10", digits=1)
    yield f"{rule}-no-weight-at-these-digits", bad, good, "no weight is left at these digits"
    yield f"{rule}-upper", lower(TENS_ABOVE, kind="upper"), good, "proves lower bounds only"
    yield f"{rule}-every", lower("every"), good, "epsilon is every"


def _counterexamples() -> Iterator[RuleCase]:
    """False claims that would pass if the rule took a known short cut (test_counterexamples)."""
    above = "not proved to be at most Δ"
    for name, entries, delta, bad, good in (
        ("masses-rounded-independently", [("3", "0", 2)], "1/10", "146/25", "589/100"),
        ("curves-compared-from-one-up", [("11/10", "0", 5)], "1/4", "1", "641/200"),
    ):
        unit = entries[0][0]
        yield (
            f"mesh-upper/responses-{name}",
            handmade.mesh_upper(entries, bad, delta, unit=unit),
            handmade.mesh_upper(entries, good, delta, unit=unit),
            above,
        )
