"""Good and bad certificates of the rules for closed forms, for the corpora of ``make_rejects``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.verifier import handmade

Certificate = dict[str, Any]
RuleCase = tuple[str, Certificate, Certificate, str]

HUNDRED: list[handmade.Entry] = [("1/10", "0", 100)]
THOUSAND: list[handmade.Entry] = [("1/100", "0", 1000)]
TWO_KINDS: list[handmade.Entry] = [("1/10", "0", 100), ("1/5", "0", 1)]
HALVES: list[handmade.Entry] = [("1/2", "0", 100)]
LOSSY: list[handmade.Entry] = [("1/10", "1/1000", 100)]
TINY = f"1/{2**30}"
TINIER = f"1/{2**60}"
BELOW = "epsilon is not proved to be at least the bound"
MISMATCHED = "do not all have the same parameters"


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    yield from _advanced_cases()
    yield from _kairouz_oh_viswanath_cases("kairouz-oh-viswanath-heterogeneous")
    yield from _kairouz_oh_viswanath_cases("kairouz-oh-viswanath-homogeneous")
    yield from _alike_cases()
    yield from _step_cases()


def _advanced_cases() -> Iterator[RuleCase]:
    def advanced(
        epsilon: str,
        entries: list[handmade.Entry] = HUNDRED,
        delta: str = TINY,
        **more: Any,  # noqa: ANN401 (as handmade takes them)
    ) -> Certificate:
        return handmade.formula("advanced-composition", entries, epsilon, delta, **more)

    rule = "advanced-composition"
    above, below = "15001299/2000000", "37503247/5000000"  # the bound is 7.50064946…
    good = advanced(above)
    yield f"{rule}/epsilon-just-below", advanced(below), good, BELOW
    close = "37503247342001931983039/5000000000000000000000"  # 22 decimals of it, rounded up
    yield f"{rule}/too-few-digits", advanced(close, digits=1), advanced(close), BELOW
    yield f"{rule}/lower", advanced(below, kind="lower"), good, "proves upper bounds only"
    yield f"{rule}/no-mechanisms", advanced("1", []), good, "there are no mechanisms"
    one_worse: list[handmade.Entry] = [("1/10", "0", 99), ("1", "0", 1)]
    yield f"{rule}/one-that-is-worse", advanced(above, one_worse), good, BELOW
    good = advanced("9", LOSSY, "1/5")
    bad = advanced("9", LOSSY, "1/10")
    yield f"{rule}/nothing-left-of-delta", bad, good, "not above k times the greatest delta"
    one_worse = [("1/10", "1/1000", 99), ("1/20", "1/500", 1)]
    bad = advanced("9", one_worse, "1/5")
    yield f"{rule}/one-delta-that-is-worse", bad, good, "not above k times the greatest delta"
    huge: list[handmade.Entry] = [("10000000", "0", 1)]
    yield f"{rule}/exponential-beyond-reach", advanced("9", huge), good, "exponential that is too"


def _kairouz_oh_viswanath_cases(rule: str) -> Iterator[RuleCase]:
    def bound(
        epsilon: str,
        entries: list[handmade.Entry] = HUNDRED,
        delta: str = TINY,
        **more: Any,  # noqa: ANN401 (as handmade takes them)
    ) -> Certificate:
        return handmade.formula(rule, entries, epsilon, delta, **more)

    above, below = "69485241/10000000", "1737131/250000"  # the bound is 6.94852403…, by ln(1/δ̃)
    good = bound(above)
    yield f"{rule}/epsilon-just-below", bound(below), good, BELOW
    good = bound("6", THOUSAND, f"1/{2**200}", digits=50)
    bad = bound("6", THOUSAND, f"1/{2**200}", digits=10)
    yield f"{rule}/too-few-digits", bad, good, "Δ is not proved to be above 0"
    good = bound(above)
    yield f"{rule}/lower", bound("1", kind="lower"), good, "proves upper bounds only"
    yield f"{rule}/no-delta-at-all", bound(above, delta="0"), good, "Δ is not proved to be above 0"
    good = bound("5080189/2500000", THOUSAND)  # 2.03207540…, by ln(e + √V/δ̃)
    bad = bound("10160377/5000000", THOUSAND)
    yield f"{rule}/logarithmic-epsilon-just-below", bad, good, BELOW
    good = bound("10", LOSSY, "1/10")  # the sum of the epsilons
    bad = bound("10", LOSSY, "19/200")
    yield f"{rule}/delta-infeasible", bad, good, "delta is too small"
    good = bound("10", HUNDRED, "0")
    bad = bound("99999/10000", HUNDRED, "0")
    yield f"{rule}/sum-just-below", bad, good, "epsilon is below the sum"


def _alike_cases() -> Iterator[RuleCase]:
    rule = "kairouz-oh-viswanath-homogeneous"
    good = handmade.formula(rule, HUNDRED, "7", TINY)
    bad = handmade.formula(rule, TWO_KINDS, "8", TINY)
    yield f"{rule}/two-kinds", bad, good, MISMATCHED
    yield f"{rule}/none", handmade.formula(rule, [], "8", TINY), good, MISMATCHED


def _step_cases() -> Iterator[RuleCase]:
    def steps(
        epsilon: str,
        entries: list[handmade.Entry] = HALVES,
        delta: str = TINIER,
        **more: Any,  # noqa: ANN401 (as handmade takes them)
    ) -> Certificate:
        return handmade.steps(entries, epsilon, delta, **more)

    rule = "murtagh-vadhan-1.4"
    above = "not proved to be at most Δ"
    good = steps("48")
    yield f"{rule}/epsilon-just-below", steps("47999999/1000000"), good, above
    yield f"{rule}/one-step-below", steps("47"), good, above
    yield f"{rule}/above-the-optimum-below-the-step", steps("479/10"), good, above
    yield f"{rule}/too-few-digits", steps("48", digits=8), good, above
    yield f"{rule}/lower", steps("47", kind="lower"), good, "proves upper bounds only"
    yield f"{rule}/two-kinds", steps("12", TWO_KINDS), good, MISMATCHED
    yield f"{rule}/none", steps("1", []), good, MISMATCHED
    good = steps("10", LOSSY, "1/10")
    yield f"{rule}/delta-infeasible", steps("10", LOSSY, "19/200"), good, "delta is too small"
    odd: list[handmade.Entry] = [("1/2", "0", 3)]
    good, bad = steps("1/2", odd, "9/10"), steps("49/100", odd, "9/10")
    yield f"{rule}/below-every-step", bad, good, "epsilon is below every"


def accepts() -> dict[str, Certificate]:
    """The worked examples of the SPEC, and one for each branch of the checks."""
    heterogeneous = "kairouz-oh-viswanath-heterogeneous"
    return {
        "advanced-composition": handmade.formula("advanced-composition", HUNDRED, "751/100", TINY),
        "kairouz-oh-viswanath-homogeneous": handmade.formula(
            "kairouz-oh-viswanath-homogeneous", HUNDRED, "7", TINY
        ),
        "kairouz-oh-viswanath-heterogeneous": handmade.formula(
            heterogeneous, TWO_KINDS, "36/5", TINY
        ),
        "kairouz-oh-viswanath-heterogeneous-sum": handmade.formula(
            heterogeneous, LOSSY, "10", "1/10"
        ),
        "murtagh-vadhan-1.4": handmade.steps(HALVES, "48", TINIER),
        "murtagh-vadhan-1.4-without-epsilon": handmade.steps([("0", "1/10", 2)], "0", "1/5"),
    }
