"""Good and bad certificates of the rules that rest on the optimal composition theorem.

For the corpora of ``make_rejects``, which writes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
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
    yield from _rational_odds_cases()
    yield from _grid_cases()
    yield from _lattice_cases()
    yield from _bracket_cases()
    yield from _counterexamples()


def _closed_cases() -> Iterator[RuleCase]:
    def simple(rule: str, kind: str, epsilon: str, delta: str) -> Certificate:
        return handmade.simple(rule, kind, LOSSY, epsilon, delta)

    def vacuous(kind: str, delta: str) -> Certificate:
        return handmade.certificate("vacuous", kind, TWELVE, "0", delta)

    good = vacuous("upper", "1")
    yield "vacuous/delta-below-one", vacuous("upper", "1/2"), good, "delta is not 1"
    yield "vacuous/lower", vacuous("lower", "1"), good, "proves upper bounds only"

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

    good = simple("infeasible", "lower", "every", "9/50")
    bad = simple("infeasible", "lower", "every", "19/100")
    yield "infeasible/feasible-exactly", bad, good, "delta is feasible"
    yield "infeasible/delta-one", simple("infeasible", "lower", "every", "1"), good, "feasible"
    yield "infeasible/one-epsilon", simple("infeasible", "lower", "1", "9/50"), good, "not every"
    bad = simple("infeasible", "upper", "1", "9/50")
    yield "infeasible/upper", bad, good, "proves lower bounds only"


def _rational_odds_cases() -> Iterator[RuleCase]:
    def odds(kind: str, epsilon: str, sums: int = 3) -> Certificate:
        return handmade.rational_odds(kind, PAIR, epsilon, "1/10", sums=sums)

    rule = "rational-odds"
    good = odds("upper", "ln(37/5)")
    bad = odds("upper", "ln(36999999/5000000)")
    yield f"{rule}/upper-just-below", bad, good, "the divergence is above Δ"
    bad = odds("upper", "50037/25000")
    yield (
        f"{rule}/upper-rational-epsilon-just-below",
        bad,
        odds("upper", "1251/625"),
        "the divergence is above Δ",
    )
    bad, good = (handmade.rational_odds("upper", PAIR, "1/2", d) for d in ("2297/5000", "919/2000"))
    yield f"{rule}/upper-small-epsilon-just-below", bad, good, "the divergence is above Δ"
    for kind, delta, said in (  # beside D(e^(1/2)) = 0.45945492058124199082…
        ("upper", f"229727460290621/{5 * 10**14}", "the divergence is above Δ"),
        ("lower", f"4594549205812419/{10**16}", "the divergence is not above Δ"),
    ):
        bad, good = (
            handmade.rational_odds(kind, PAIR, "1/2", delta, digits=digits) for digits in (1, 30)
        )
        yield f"{rule}/{kind}-too-few-digits", bad, good, said
    good = odds("lower", "ln(36999999/5000000)")
    bad = odds("lower", "ln(37/5)")
    yield f"{rule}/lower-equality", bad, good, "the divergence is not above Δ"
    yield f"{rule}/lower-above", odds("lower", "3"), good, "the divergence is not above Δ"
    yield f"{rule}/every", odds("lower", "every"), good, "epsilon is every"
    good = odds("upper", "ln(37/5)")
    bad = odds("upper", "ln(37/5)", sums=2)
    yield f"{rule}/too-few-sums-for-a-group", bad, good, "more distinct sums than stated"
    bad, good = odds("upper", "100000000"), odds("upper", "100")
    yield f"{rule}/epsilon-beyond-exponentials", bad, good, "an exponential that is too large"
    failing: list[handmade.Entry] = [("ln(3)", "1/10", 1)]
    bad, good = (
        handmade.rational_odds("upper", failing, "100", delta) for delta in ("9/100", "1/10")
    )
    yield f"{rule}/infeasible-beyond-every-sum", bad, good, "the divergence is above Δ"
    two = [*PAIR, ("ln(2)", "0", 2)]
    good = handmade.rational_odds("upper", two, "5", "1/10", sums=9)
    bad = handmade.rational_odds("upper", two, "5", "1/10", sums=8)
    yield f"{rule}/too-few-sums", bad, good, "more distinct sums than stated"
    good = odds("lower", "1")
    bad = handmade.certificate(rule, "lower", [("1", "0", 2)], "1", "1/10", digits="30", sums="4")
    yield f"{rule}/irrational-odds", bad, good, "the odds of an epsilon are not rational"
    bad = handmade.certificate(
        rule, "lower", [("1/2*ln(3)", "0", 2)], "0", "1/10", digits="30", sums="4"
    )
    yield f"{rule}/half-a-logarithm", bad, good, "the odds of an epsilon are not rational"
    huge = [("ln(2)", f"1/{2**4000}", 1100)]
    bad = handmade.rational_odds("lower", huge, "1", "1/10", sums=1101)
    good = handmade.rational_odds("lower", [("ln(2)", "1/2", 2)], "0", "1/10")
    yield f"{rule}/deltas-too-large", bad, good, "too large"


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


def _lattice_cases() -> Iterator[RuleCase]:
    def lattice(kind: str, epsilon: str, sums: int = 8, digits: int = 30) -> Certificate:
        return handmade.lattice(kind, MIXED, epsilon, "1/100", sums=sums, digits=digits)

    upper = lattice("upper", "966687929/1000000000")
    lower = lattice("lower", "120835991/125000000")
    above, below = "not proved to be at most Δ", "not proved to be above Δ"
    yield "lattice/upper-below", lattice("upper", "120835991/125000000"), upper, above
    yield "lattice/lower-above", lattice("lower", "966687929/1000000000"), lower, below
    yield (
        "lattice/too-few-sums",
        lattice("upper", "966687929/1000000000", sums=7),
        upper,
        "more distinct",
    )
    yield (
        "lattice/upper-too-few-digits",
        lattice("upper", "966687929/1000000000", digits=2),
        upper,
        above,
    )
    yield (
        "lattice/lower-too-few-digits",
        lattice("lower", "120835991/125000000", digits=2),
        lower,
        below,
    )
    yield "lattice/every", lattice("lower", "every"), lower, "epsilon is every"
    shared = handmade.lattice("upper", _sharing_primes(5), "1", "1/100")
    yield "lattice/shared-factors", shared, upper, "share too many factors"


def _sharing_primes(number: int) -> list[handmade.Entry]:
    """Logarithms of integers that share primes in all patterns: a basis of 2^number - 1."""
    primes = [n for n in range(2, 128) if all(n % d for d in range(2, n))]
    patterns = range(1, 2**number)
    return [
        (f"ln({prod(primes[p - 1] for p in patterns if p >> i & 1)})", "0", 1)
        for i in range(number)
    ]


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
    yield f"{rule}-no-weight-at-these-digits", bad, good, above
    yield f"{rule}-lower", upper(TENS_BELOW, kind="lower"), good, "proves upper bounds only"
    rule = "mesh-lower/responses"
    good = lower(TENS_BELOW)
    yield f"{rule}-above-the-truth", lower(TENS_ABOVE), good, below
    yield f"{rule}-too-coarse-a-mesh", lower(TENS_BELOW, unit="10"), good, below
    yield f"{rule}-too-few-digits", lower(TENS_BELOW, digits=3), good, below
    bad = handmade.mesh_lower(many, "1", "1/1000", unit="1/10", digits=1)
    yield f"{rule}-no-weight-at-these-digits", bad, good, below
    yield f"{rule}-upper", lower(TENS_ABOVE, kind="upper"), good, "proves lower bounds only"
    yield f"{rule}-every", lower("every"), good, "epsilon is every"


def _counterexamples() -> Iterator[RuleCase]:
    """False claims that would pass if the rule took a known short cut (test_counterexamples)."""
    above = "not proved to be at most Δ"
    entries: list[handmade.Entry] = [("-1/4 + ln(3)", "0", 4)]
    yield (
        "lattice/basis-element-rounded-up",
        handmade.lattice("upper", entries, "2856873/1000000", "1/10"),
        handmade.lattice("upper", entries, "2857/1000", "1/10"),
        above,
    )
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
