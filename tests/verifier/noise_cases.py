"""Good and bad certificates about mechanisms by their noise, for the corpora of ``make_rejects``.

Written from certs/SPEC.md, sections 7, 11.5 and 11.6, alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from tests.verifier import handmade
from tests.verifier.handmade import changed

Certificate = dict[str, Any]
RuleCase = tuple[str, Certificate, Certificate, str]
ShapeCase = tuple[str, Certificate, Certificate, str]
Entry = dict[str, Any]
Plan = dict[str, Any]

DOMINATION: Final = "zhu-dong-wang-2022-theorem-10"
THEOREMS: Final = {
    "atoms": {"theorem": DOMINATION},
    "moments": {"theorem": "canonne-kamath-steinke-2020-proposition-12"},
}
DELTA: Final = "1/100000"
NEIGHBOURS: Final = "statement.neighbouring"


def entry(count: int = 1, **parts: object) -> Entry:
    return {"count": str(count), **parts}


def laplace(scale: str, count: int = 1, **parts: object) -> Entry:
    return entry(count, laplace={"scale": scale, "sensitivity": "1"}, **parts)


def plan(windows: Sequence[tuple[int, ...]], *levels: tuple[int, int, int]) -> Plan:
    return {
        "windows": [[str(j) for j in window] for window in windows],
        "levels": [[str(j) for j in level] for level in levels],
    }


def statement(
    kind: str, entries: Sequence[Entry], epsilon: str, delta: str, neighbouring: str
) -> dict[str, Any]:
    without = [{k: v for k, v in each.items() if k != "count"} for each in entries]
    order = sorted(range(len(entries)), key=lambda i: handmade.canonical_bytes(without[i]))
    return {
        **handmade.statement(kind, [], epsilon, delta),
        "theorem": DOMINATION if kind == "upper" else "definition",
        "neighbouring": neighbouring,
        "subject": {"type": "mechanisms", "mechanisms": [entries[i] for i in order]},
    }


def shuffled(sigma: str, *plan: object, count: int = 1) -> Entry:
    keys = ("batches", "epochs", "order")
    written = {key: str(value) for key, value in zip(keys, plan, strict=True)}
    return entry(count, sigma=sigma, shuffled=written)


def relation_of(entries: Sequence[Entry]) -> str:
    if any("shuffled" in each for each in entries):
        return "zero-out"
    directed = any("rate" in each or "pair" in each for each in entries)
    return "add-remove-one" if directed else "unspecified"


def made(
    rule: str, kind: str, entries: Sequence[Entry], claim: tuple[str, str], **parameters: object
) -> Certificate:
    relation = str(parameters.pop("relation", relation_of(entries)))
    epsilon, delta = (str(Fraction(text)) for text in claim)
    given = {"bound": kind, "epsilon": epsilon, "delta": delta, **parameters}
    step = {"rule": rule, "premises": [], "parameters": given}
    made_of = statement(kind, entries, epsilon, delta, relation)
    return handmade.sealed(made_of | THEOREMS.get(rule, {}), [step])


def dots(
    entries: Sequence[Entry],
    epsilon: str,
    unit: str,
    *plans: Plan,
    delta: str = DELTA,
    **relation: str,
) -> Certificate:
    more = {"digits": "20", "sums": "0", "unit": unit, "plans": list(plans)}
    more |= {"orders": [], **relation}
    return made("mesh-upper", "upper", entries, (epsilon, delta), **more)


def score(
    entries: Sequence[Entry],
    epsilon: str,
    unit: str,
    one: Plan,
    threshold: int,
    *,
    delta: str = DELTA,
    direction: str = "remove",
    **relation: str,
) -> Certificate:
    more = {"digits": "24", "sums": "0", "unit": unit, "plan": one, "direction": direction}
    more |= {"tilt": "1/2"}
    more |= relation
    claim = (epsilon, delta)
    return made("mesh-lower", "lower", entries, claim, threshold=str(threshold), **more)


# --- good ones ----------------------------------------------------------------------------------

TEN: Final = [laplace("1", 10)]
OF_TEN: Final = plan([(-20, 20)], (-20, 20, 1), (-40, 40, 1), (-100, 100, 1))
SAMPLED: Final = [entry(4, mu="1", rate="1/10")]
CLIPPED: Final = [entry(4, clip="1", rate="1/10", sigma="1")]
A_RANGE: Final = [entry(bounded_range="1", rate="1/10")]
LEVELS_FORTH: Final = ((-10, 120, 1), (-20, 200, 2))
LEVELS_BACK: Final = ((-120, 10, 1), (-200, 20, 2))
FORTH: Final = plan([(-6, 60)], *LEVELS_FORTH)
GRADED_FORTH: Final = plan([(-6, 1, 20, 2, 30, 5, 60)], *LEVELS_FORTH)
GRADED_BACK: Final = plan([(-60, 5, -30, 2, -20, 1, 6)], *LEVELS_BACK)
BACK: Final = plan([(-60, 6)], *LEVELS_BACK)
PAIR: Final = {"p": ["1/2", "1/2", "0", "0"], "q": ["1/4", "749/1000", "1/1000", "0"]}
LEAKY: Final = {"p": ["1/1000", "1/2", "499/1000"], "q": ["0", "1/4", "3/4"]}
MIXED: Final = [
    entry(2, epsilon="1/2", delta="1/1000000"),
    entry(epsilon="ln(2)", delta="0"),
    entry(epsilon="0", delta="1/1000000"),
    entry(2, mu="1/2"),
    laplace("2"),
    laplace("2", rate="1/2"),
    entry(discrete_laplace={"scale": "2", "shifts": ["1", "3", "3"]}),
    entry(discrete_laplace={"scale": "1", "shifts": ["1"]}, rate="1/4"),
    entry(discrete_gaussian={"shifts": ["1"], "variance": "4"}),
    entry(bounded_range="1/2"),
    entry(bounded_range="1", rate="1/2"),
    entry(pair=PAIR),
    entry(pair=LEAKY, rate="1/100"),
]


def wide(parts: int) -> Plan:
    return plan([(-40, 40)] * parts, (-80, 80, 1))


LAPLACE_ABOVE: Final = dots(TEN, "9.991", "1/20", OF_TEN)
LAPLACE_BELOW: Final = score(TEN, "9.989", "1/20", OF_TEN, 200)
SAMPLED_ABOVE: Final = dots(SAMPLED, "2.4", "1/20", FORTH, BACK)
SAMPLED_BELOW: Final = score(SAMPLED, "2", "1/20", FORTH, 20)
GRADED_ABOVE: Final = dots(SAMPLED, "2.41", "1/20", GRADED_FORTH, GRADED_BACK)
GRADED_BELOW: Final = score(SAMPLED, "2", "1/20", GRADED_FORTH, 20)
MIXED_ABOVE: Final = dots(MIXED, "30", "1/4", wide(13), wide(13), delta="1/100")
MIXED_BELOW: Final = score(MIXED, "1", "1/4", wide(13), 12, delta="1/100", direction="add")
CELLS: Final = [
    *(each for each in MIXED if "discrete_gaussian" not in each),
    entry(rho="1/50"),
    entry(mu="1", rate="1/6"),
    laplace("2", rate="1/3"),
]


def cut(epsilon: str, threshold: int, direction: str) -> Certificate:
    windows = plan([(-20, 20)] * 14, (-60, 60, 1))
    return score(CELLS, epsilon, "1/5", windows, threshold, delta="1/10", direction=direction)


CELLS_BELOW: Final = cut("4.2", 21, "remove")
CELLS_BACK: Final = cut("4", 20, "add")

WRITTEN: Final = [
    entry(3, epsilon="1/2", delta="1/1000000"),
    entry(epsilon="ln(2)", delta="0"),
    entry(epsilon="0", delta="1/1000000"),
    entry(2, discrete_laplace={"scale": "2", "shifts": ["1", "3", "3"]}),
    entry(pair=PAIR),
    entry(renyi=[["2", "1/2"], ["3", "1"]]),
]
OF_WRITTEN: Final = plan([(-40, 40)] * 5, (-80, 80, 1), (-160, 160, 1))
WRITTEN_BELOW: Final = score(WRITTEN, "3", "1/10", OF_WRITTEN, 12, delta="1/100")
WRITTEN_BACK: Final = score(WRITTEN, "5/2", "1/10", OF_WRITTEN, 12, delta="1/100", direction="add")
CURVES: Final = [entry(bounded_range="1/2"), entry(2, mu="1"), entry(rho="0")]
RANGE_ABOVE: Final = dots(CURVES, "9", "1/10", plan([(-90, 90), (-5, 5)]))
RHO: Final = [entry(rho="1/2"), laplace("1")]
RHO_BELOW: Final = score(RHO, "2", "1/10", plan([(-80, 80), (-10, 10)]), 20, delta="1/100")
ONE: Final = [laplace("1")]
ONE_ABOVE: Final = dots(ONE, "1.01", "1/10", plan([(-10, 10)]))


RANGES: Final = [entry(100, bounded_range="1/10")]
LISTED: Final = [["2", "1/50"], ["8", "1/10"], ["32", "1/2"]]
SYMMETRIC: Final = {"p": ["3/4", "1/4", "0"], "q": ["1/4", "3/4", "0"]}
BY_ORDERS: Final = [
    entry(2, epsilon="1/10", delta="1/1000000000"),
    entry(mu="1/2"),
    entry(2, rho="1/20"),
    laplace("2", 3),
    entry(discrete_laplace={"scale": "3", "shifts": ["1", "2"]}),
    entry(discrete_gaussian={"shifts": ["1", "1"], "variance": "4"}),
    entry(bounded_range="1/2"),
    entry(pair=SYMMETRIC),
    entry(renyi=LISTED),
]


def orders(
    entries: Sequence[Entry], epsilon: str, alpha: str, *, delta: str = "1/1000000"
) -> Certificate:
    return made("moments", "upper", entries, (epsilon, delta), digits="30", alpha=alpha)


ORDERS: Final = ("3", "5", "7", "10", "15")
DIVERGENT: Final = [entry(rho="1/8"), laplace("1")]
DIVERGENT_PLAN: Final = plan([(-10, 10), (-80, 80)])


def divergent(
    entries: Sequence[Entry],
    epsilon: str,
    unit: str,
    *plans: Plan,
    orders: Sequence[str] = ORDERS,
    delta: str = "1/1000000",
    **relation: str,
) -> Certificate:
    more = {"digits": "20", "sums": "0", "unit": unit, "plans": list(plans)}
    more |= {"orders": list(orders), **relation}
    return made("mesh-upper", "upper", entries, (epsilon, delta), **more)


ALL_KINDS: Final = [*MIXED, entry(2, rho="1/20"), entry(3, renyi=LISTED)]
DIVERGENT_ABOVE: Final = divergent(DIVERGENT, "3.4", "1/10", DIVERGENT_PLAN)
LISTED_ABOVE: Final = divergent(
    [entry(3, renyi=LISTED)], "19/10", "1/20", plan([(-60, 60)]), orders=("2", "8", "32")
)
BESIDE_ALL_ABOVE: Final = divergent(ALL_KINDS, "35", "1/4", wide(14), wide(14), delta="1/100")

ON_SAMPLES: Final = [
    entry(5, mu="1", rate="1/100"),
    laplace("1", 2, rate="1/50"),
    entry(discrete_laplace={"scale": "2", "shifts": ["3"]}, rate="1/10"),
    entry(discrete_gaussian={"shifts": ["1"], "variance": "4"}, rate="1/3"),
    entry(mu="1/4"),
    entry(renyi=LISTED),
]
SAMPLES_ABOVE: Final = orders(ON_SAMPLES, "9/2", "4")
RATES: Final = [
    entry(5, mu="1", rate="1/10"),
    laplace("1", 2, rate="1/50"),
    entry(2, discrete_laplace={"scale": "2", "shifts": ["3"]}, rate="1/10"),
    entry(bounded_range="1/4"),
    entry(epsilon="1/10", delta="1/1000000000"),
]
RATES_ABOVE: Final = orders(RATES, "370/100", "5")
RANGES_ABOVE: Final = orders(RANGES, "2.42", "21/2")
LIST_ABOVE: Final = orders([entry(3, renyi=LISTED)], "19/10", "32")
BY_ORDERS_ABOVE: Final = orders(BY_ORDERS, "9", "8")


def accepts() -> dict[str, Certificate]:
    """The worked examples of the SPEC, and every family, forth and back."""
    return {
        "mesh-upper": LAPLACE_ABOVE,
        "mesh-upper-sampled": SAMPLED_ABOVE,
        "mesh-upper-mixed": MIXED_ABOVE,
        "mesh-upper-one": ONE_ABOVE,
        "mesh-upper-range": RANGE_ABOVE,
        "mesh-upper-graded": GRADED_ABOVE,
        "moments-ranges": RANGES_ABOVE,
        "moments-list": LIST_ABOVE,
        "moments-sampled": SAMPLES_ABOVE,
        "moments-rates": RATES_ABOVE,
        "moments-mixed": BY_ORDERS_ABOVE,
        "moments-far": orders([laplace("1/2")], "5/2", "50"),
        "mesh-lower": LAPLACE_BELOW,
        "mesh-lower-sampled": SAMPLED_BELOW,
        "mesh-lower-mixed": MIXED_BELOW,
        "mesh-lower-rho": RHO_BELOW,
        "mesh-lower-graded": GRADED_BELOW,
        "mesh-lower-cells": CELLS_BELOW,
        "mesh-lower-cells-back": CELLS_BACK,
        "mesh-lower-written": WRITTEN_BELOW,
        "mesh-lower-written-back": WRITTEN_BACK,
        "mesh-upper-orders": DIVERGENT_ABOVE,
        "mesh-upper-orders-list": LISTED_ABOVE,
        "mesh-upper-orders-mixed": BESIDE_ALL_ABOVE,
    }


# --- rejected ones ------------------------------------------------------------------------------


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    yield from _dots_cases()
    yield from _test_cases()
    yield from _orders_cases()
    yield from _divergent_cases()


def _dots_cases() -> Iterator[RuleCase]:
    rule, above = "mesh-upper", LAPLACE_ABOVE
    unproved = "is not proved to be at most Δ"
    yield f"{rule}/epsilon", dots(TEN, "9.98", "1/20", OF_TEN), above, unproved
    bad = dots(TEN, "9.991", "1/20", OF_TEN, delta="1/1000000")
    yield f"{rule}/delta", bad, above, unproved
    narrow = plan([(-20, 10)], (-20, 20, 1), (-40, 40, 1), (-100, 100, 1))
    yield f"{rule}/narrow", dots(TEN, "9.991", "1/20", narrow), above, unproved
    cut = plan([(-20, 20)], (-20, 20, 1), (-40, 30, 1), (-100, 100, 1))
    yield f"{rule}/cut", dots(TEN, "9.991", "1/20", cut), above, unproved
    coarse = plan([(-20, 20)], (-20, 20, 16), (-40, 40, 1), (-100, 100, 1))
    yield f"{rule}/coarse", dots(TEN, "9.991", "1/20", coarse), above, unproved
    for name, found in (
        ("windows", plan([(-20, 20)] * 2, (-20, 20, 1), (-40, 40, 1), (-100, 100, 1))),
        ("levels", plan([(-20, 20)], (-20, 20, 1))),
    ):
        clause = "2 windows, for 1" if name == "windows" else "1 levels, for counts of 4 bits"
        yield f"{rule}/{name}", dots(TEN, "9.991", "1/20", found), above, clause
    bad = dots(SAMPLED, "2.4", "1/20", FORTH)
    yield f"{rule}/one-direction", bad, SAMPLED_ABOVE, "1 plans, for 2 directions"
    bad = dots(TEN, "9.991", "1/20", OF_TEN, OF_TEN)
    yield f"{rule}/two-directions", bad, above, "2 plans, for 1 directions"
    for name, forth, back in (
        ("forth", plan([(-6, 20)], *LEVELS_FORTH), BACK),
        ("back", FORTH, plan([(-60, 1)], *LEVELS_BACK)),
    ):
        yield f"{rule}/{name}", dots(SAMPLED, "2.4", "1/20", forth, back), SAMPLED_ABOVE, unproved
    bad = dots(RHO, "20", "1/10", plan([(-10, 10)]))
    yield f"{rule}/rho", bad, above, "no orders, for mechanisms given by rho"
    far = dots(ONE, "1", "100", plan([(-1, 10)]))
    yield f"{rule}/far", far, ONE_ABOVE, "a privacy loss above 1000"
    noise = [entry(discrete_laplace={"scale": "1/2000", "shifts": ["1"]}, rate="1/2")]
    bad = dots(noise, "1", "1", plan([(-2, 2)]), plan([(-2, 2)]))
    yield f"{rule}/sharp", bad, ONE_ABOVE, "a privacy loss above 1000"
    certain = [entry(pair={"p": ["1", "0"], "q": ["0", "1"]})]
    bad = dots(certain, "1", "1", plan([(-2, 2)]), plan([(-2, 2)]))
    yield f"{rule}/nothing", bad, ONE_ABOVE, "no weight is left"


def _orders_cases() -> Iterator[RuleCase]:
    rule, above = "moments", RANGES_ABOVE
    unproved = "this alpha is not proved to give delta"
    for name, bad in (
        ("epsilon", orders(RANGES, "2.41", "21/2")),
        ("delta", orders(RANGES, "2.42", "21/2", delta="1/2000000")),
        ("alpha", orders(RANGES, "2.42", "9")),
        ("count", orders([entry(101, bounded_range="1/10")], "2.42", "21/2")),
        ("between-orders", orders([entry(3, renyi=LISTED)], "19/10", "9")),
    ):
        yield f"{rule}/{name}", bad, above, unproved
    bad = orders([entry(renyi=LISTED)], "100", "33")
    yield f"{rule}/beyond", bad, LIST_ABOVE, "a list of Rényi divergences ends below alpha"
    yield f"{rule}/sampled", orders(ON_SAMPLES, "2", "4"), SAMPLES_ABOVE, unproved
    yield f"{rule}/rates", orders(RATES, "369/100", "5"), RATES_ABOVE, unproved
    for name, bad in (
        ("sampled-range", orders([entry(bounded_range="1", rate="1/10")], "100", "2")),
        ("sampled-pair", orders([entry(pair=SYMMETRIC, rate="1/10")], "100", "2")),
        ("sampled-replaced", changed(orders(CLIPPED, "100", "2"), NEIGHBOURS, "replace-one")),
        ("range-replaced", changed(orders(A_RANGE, "100", "2"), NEIGHBOURS, "replace-one")),
    ):
        yield f"{rule}/{name}", bad, SAMPLES_ABOVE, "divergences of such a sample are not known"
    for name, alpha in (("fraction", "17/2"), ("far-order", "4097")):
        bad = orders(ON_SAMPLES[:1], "100", alpha)
        yield f"{rule}/{name}", bad, SAMPLES_ABOVE, "alpha is no integer up to 4096"
    bad = orders([entry(pair=PAIR)], "100", "2")
    yield f"{rule}/one-sided", bad, above, "an answer is possible on one input alone"
    failing = [entry(bounded_range="1/10"), entry(epsilon="0", delta="1/1000000")]
    bad = orders(failing, "100", "2")
    yield f"{rule}/no-room", bad, above, "too few digits: Δ may be 0"
    bad = dots([entry(renyi=LISTED)], "100", "1", plan([]))
    yield "mesh-upper/list", bad, ONE_ABOVE, "no orders, for mechanisms given by rho or Rényi"
    bad = score([entry(renyi=LISTED)], "1/10", "1", plan([]), 1)
    yield "mesh-lower/list-alone", bad, LAPLACE_BELOW, "no mechanism has laws to compose"


def _divergent_cases() -> Iterator[RuleCase]:
    rule, above = "mesh-upper/orders", DIVERGENT_ABOVE
    unproved = "is not proved to be at most Δ"
    one = plan([(-10, 10), (-80, 10)])
    for name, bad in (
        ("epsilon", divergent(DIVERGENT, "3.3", "1/10", DIVERGENT_PLAN)),
        ("delta", divergent(DIVERGENT, "3.4", "1/10", DIVERGENT_PLAN, delta="1/2000000")),
        ("orders", divergent(DIVERGENT, "3.4", "1/10", DIVERGENT_PLAN, orders=("2", "15"))),
        ("narrow", divergent(DIVERGENT, "3.4", "1/10", one)),
        ("rho", divergent([entry(rho="1/7"), laplace("1")], "3.4", "1/10", DIVERGENT_PLAN)),
        ("count", divergent([entry(2, rho="1/8"), laplace("1")], "3.4", "1/10", DIVERGENT_PLAN)),
    ):
        yield f"{rule}-{name}", bad, above, unproved
    bad = divergent([entry(4, renyi=LISTED)], "19/10", "1/20", plan([(-60, 60)]), orders=("32",))
    yield f"{rule}-list-count", bad, LISTED_ABOVE, unproved
    bad = divergent([entry(renyi=LISTED)], "50", "1/20", plan([(-60, 60)]), orders=("2", "33"))
    yield f"{rule}-beyond", bad, LISTED_ABOVE, "a list of Rényi divergences ends below alpha"
    bad = divergent(ONE, "3.4", "1/10", DIVERGENT_PLAN)
    yield f"{rule}-nothing", bad, above, "orders, though no mechanism is given by Rényi"
    bad = divergent([entry(rho="0"), *ONE], "3.4", "1/10", DIVERGENT_PLAN)
    yield f"{rule}-zero", bad, above, "orders, though no mechanism is given by Rényi"
    bad = divergent(DIVERGENT, "3.4", "1/10", plan([(-10, 10)]))
    yield f"{rule}-windows", bad, above, "1 windows, for 2 pairs of laws"
    bad = divergent(DIVERGENT, "3.4", "1/10", DIVERGENT_PLAN, DIVERGENT_PLAN)
    yield f"{rule}-directions", bad, above, "2 plans, for 1 directions"


def _test_cases() -> Iterator[RuleCase]:
    rule, below = "mesh-lower", LAPLACE_BELOW
    unproved = "is not proved to be above Δ"
    for name, bad in (
        ("epsilon", score(TEN, "9.99", "1/20", OF_TEN, 200)),
        ("delta", score(TEN, "9.989", "1/20", OF_TEN, 200, delta="1/50000")),
        ("threshold", score(TEN, "9.989", "1/20", OF_TEN, 201)),
        ("every-score", score(TEN, "9.989", "1/20", OF_TEN, -(10**30))),
    ):
        yield f"{rule}/{name}", bad, below, unproved
    bad = score(WRITTEN, "3", "1/10", OF_WRITTEN, 6, delta="1/100")
    yield f"{rule}/written", bad, WRITTEN_BELOW, unproved
    yield f"{rule}/cells", cut("4.8", 24, "remove"), CELLS_BELOW, unproved
    yield f"{rule}/cells-back", cut("4.8", 24, "add"), CELLS_BACK, unproved
    bad = score(SAMPLED, "2.1", "1/20", BACK, 20, direction="add")
    yield f"{rule}/direction", bad, SAMPLED_BELOW, unproved
    bad = changed(SAMPLED_BELOW, "statement.theorem", DOMINATION)
    yield f"{rule}/theorem", bad, SAMPLED_BELOW, "rests on another theorem"
