"""Certificates of every rule at the corners of what the format allows, and between them.

Theory of operation: a corner is few or many digits, short or long numbers, few or many entries;
:func:`random_adversaries` draws what lies between. The same seed gives the same certificates.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from exactdp.verifier.format.numbers import canonical, rational_text
from tools.adversaries import (
    HALF,
    TENTH,
    Adversary,
    distinct,
    known_attacks,
    logarithm,
    long,
    of_experiment,
    of_group,
    of_ledger,
    of_noise,
    of_noisy_workload,
    of_stand_in,
    of_trees,
    of_workload,
    pair,
)
from tools.corner import BOUNDARY_CASES, BUDGET_BITS, SHORT, Corner, spectrum
from tools.noisy_corners import RECORDS, of_noise_ledger, of_records

_CLAIMED: Final = ("epsilon", "delta")


def of_corner(rule: str, corner: Corner) -> Adversary:
    """A certificate of a rule at a corner."""
    return _BUILDERS[rule](rule, corner)


def _of_pairs(rule: str, corner: Corner, **further: str) -> Adversary:
    return of_ledger(rule, str(corner), corner.pairs(), corner.claim(), **further)


def _of_atoms(rule: str, corner: Corner) -> Adversary:
    return _of_sums(rule, corner) if corner.failing else _of_odds(rule, corner)


def _of_odds(rule: str, corner: Corner) -> Adversary:
    bits = max(2, corner.bits // corner.entries)
    entries = [
        pair(logarithm(1 + long(HALF, bits, i)), 1 + corner.count // 100)
        for i in range(min(corner.entries, 12))
    ]
    claim = (canonical(logarithm(corner.value(Fraction(3)))), corner.claim()[1])
    options = {"digits": str(corner.digits), "masses": "exact", "sums": "2000"}
    return of_ledger(rule, str(corner), entries, claim, **options)


def _of_sums(rule: str, corner: Corner) -> Adversary:
    entries = corner.pairs()[:10]
    options = {"digits": str(corner.digits), "masses": "rounded", "sums": "1000"}
    return of_ledger(rule, str(corner), entries, corner.claim(), **options)


def _on_mesh(rule: str, corner: Corner, kind: str | None = None) -> Adversary:
    entries = corner.pairs()
    if rule in ("gaussian-mesh", "zcdp-pair"):
        entries = entries[:2] + corner.noise("mu")[:20]
    options = {"digits": str(corner.digits), "unit": rational_text(corner.value(Fraction(1, 3)))}
    if rule != "grid":
        options["sums"] = "64"
    if rule == "zcdp-pair":
        entries += corner.noise("rho")[:20]
        options["alpha"] = rational_text(2 + corner.value(HALF))
        options["pair"] = canonical(corner.epsilon(0))
    return of_ledger(rule, str(corner), entries, corner.claim(), kind, **options)


def _of_counts(rule: str, corner: Corner) -> Adversary:
    """An ε that leaves many sets to be counted, on a grid of thousands of cells."""
    entries = [{**entry, "count": str(min(corner.count, 100))} for entry in corner.pairs()[:100]]
    about = Fraction(1, 3) if corner.digits > 300 or corner.bits > 2000 else Fraction(1, 2000)
    claim = (rational_text(corner.value(Fraction(1, 100))), corner.claim()[1])
    options = {"digits": str(corner.digits), "unit": rational_text(corner.value(about))}
    return of_ledger(rule, str(corner), entries, claim, **options)


def _of_noise(rule: str, corner: Corner) -> Adversary:
    entries = corner.noise("mu")
    if rule == "gaussian-mixture":
        entries += corner.pairs()[:1]
    elif rule != "gaussian":
        entries += corner.noise("rho") + corner.pairs()
    options = {"digits": str(corner.digits)}
    kind = None
    if rule == "formula":
        kind, options["alpha"] = "underivable", rational_text(2 + corner.value(HALF))
    return of_ledger(rule, str(corner), entries, corner.claim(), kind, **options)


def _of_notion(rule: str, corner: Corner) -> Adversary:
    entries, notion = corner.noise("mu"), rule.replace("zcdp", "rho").replace("gdp", "mu")[:-4]
    if notion == "rho":
        entries += corner.noise("rho")
    base = of_ledger(rule, str(corner), entries, corner.claim())
    claimed = {notion: rational_text(corner.value(Fraction(10**9))), "group": str(corner.count)}
    about = {key: base.statement[key] for key in base.statement if key not in _CLAIMED} | claimed
    parameters = {"bound": base.statement["kind"], **claimed}
    return replace(base, statement=about, steps=[{**base.steps[0], "parameters": parameters}])


def _of_losses(rule: str, corner: Corner) -> Adversary:
    """Laws that are written out, beside mechanisms by their ε."""
    short = replace(corner, bits=min(corner.bits, BUDGET_BITS))
    weights = [short.value(Fraction(1, 300), i) for i in range(100)]
    law = [rational_text(each) for each in (*weights, 1 - sum(weights, Fraction(0)))]
    written = {"pair": {"p": law, "q": law[::-1]}, "count": str(corner.count)}
    return of_noise(rule, str(corner), [written, *corner.pairs()], corner.claim())


def _of_infeasible(rule: str, corner: Corner) -> Adversary:
    entries = corner.pairs() + corner.noise("mu")
    return of_ledger(rule, str(corner), entries, ("every", corner.claim()[1]))


def _of_groups(form: str, corner: Corner) -> Adversary:
    further: dict[str, object] = {"digits": str(corner.digits)}
    if form == "group-path":
        further["steps"] = [str(10**6)]
    if form == "group-noise":
        further["scales"] = [rational_text(corner.value(HALF))] * corner.entries
    if form not in ("group", "group-path"):
        further["deltas"] = [rational_text(corner.value(HALF))] * corner.entries
        claim = corner.claim()
    else:
        claim = (rational_text(corner.value(Fraction(10**7))), corner.claim()[1])
    base = of_ledger("sum", str(corner), corner.pairs(), corner.claim())
    return of_group(form.partition(",")[0], base, 10**6, claim, **further)


def _of_post_processing(rule: str, corner: Corner) -> Adversary:
    answers = min(corner.entries + 1, 60)
    p = [corner.value(Fraction(1, answers), i) for i in range(answers - 1)]
    p.append(1 - sum(p, Fraction(0)))
    query = [[rational_text(each), rational_text(each)] for each in p]
    trees = [[[query]], [[query]]]
    further: dict[str, object] = {"odds": rational_text(1 + corner.value(TENTH))}
    further["bits"] = str(min(10**8, 4 * corner.bits * answers + 100))
    if rule == "post-processing":
        further["simulation"] = [["1", "1", "1", "1"]] * (answers**2)
    else:
        further |= {"input": "0", "choices": ["0"] * (answers + 1)}
    return of_trees(str(corner), trees, rule, **further)


def _of_queries(form: str, corner: Corner) -> Adversary:
    number = 10 * corner.entries
    ranges = [str(end) for i in range(corner.count) for end in (4 * i, 4 * i + 1)]
    queries = [
        {"epsilon": canonical(corner.epsilon(i)), "delta": "0", "where": [["0", *ranges]]}
        for i in range(number)
    ]
    sizes = [4 * corner.count + 4]
    if form == "rows":
        rows: list[object] = [[], [["0", "1"]]]
        return of_workload(form, str(corner), sizes, queries, rows=rows[: 1 + corner.count % 2])
    if form == "cases, several":
        leaf = {"colours": [[str(i)] for i in range(number)]}
        splits = [{"attribute": "0", "below": str(4 * i)} for i in range(1, min(corner.count, 20))]
        tree = [*reversed(splits), leaf, *([leaf] * len(splits))]
        return of_workload("cases", str(corner), sizes, queries, tree=tree)
    if form == "cases, several of two":
        each = [[str(i)] for i in range(number)]
        both = {"leaving": each, "entering": each}
        below = [str(4 * i) for i in range(1, min(corner.count, 20))]
        sorts = [{"attribute": "0", "below": value, "row": "leaving"} for value in below]
        tree = [*reversed(sorts), both, *([both] * len(sorts))]
        return of_workload("cases", str(corner), sizes, queries, replaced=True, tree=tree)
    if form == "shares":
        shares = [["1"] for _ in range(number)]
        return of_workload(form, str(corner), sizes, queries, shares=shares, unit="1")
    tree = [{"colours": [[str(i) for i in range(number)]]}]
    replaced = form == "cases, of two"
    return of_workload("cases", str(corner), sizes, queries, replaced=replaced, tree=tree)


def _of_noisy_queries(rule: str, corner: Corner) -> Adversary:
    """Laplace noise of several scales, and one query that everybody meets, so that little is left.

    The row meets no other; the others are one class, and overlap.
    """
    short = replace(corner, bits=min(corner.bits, BUDGET_BITS))
    number = 10 * corner.entries
    ranges = [str(end) for i in range(corner.count) for end in (4 * i, 4 * i + 1)]
    scales = (rational_text(short.value(Fraction(1), i)) for i in range(number))
    noise = ({"laplace": {"scale": scale, "sensitivity": "1"}} for scale in scales)
    queries: list[object] = [{**each, "where": [["0", *ranges]]} for each in noise]
    queries.append({"epsilon": "1/10", "delta": "0", "where": []})
    size = 4 * corner.count + 4
    if rule == "rows":
        return of_noisy_workload(rule, str(corner), size, queries, rows=[[["0", "1"]]])
    colours = [[str(i) for i in range(number)], [str(number)]]
    return of_noisy_workload(rule, str(corner), size, queries, tree=[{"colours": colours}])


def _of_any_queries(rule: str, corner: Corner) -> Adversary:
    return (_of_noisy_queries if corner.count % 3 == 0 else _of_queries)(rule, corner)


def _of_waves(rule: str, corner: Corner) -> Adversary:
    """Noise where no ε has logarithms; else (ε, δ), and μ beside it where mechanisms fail."""
    if not corner.logs:
        return of_noise_ledger(rule, corner)
    entries = corner.pairs() + (corner.noise("mu") if corner.failing else [])
    options = spectrum(rule, corner, len(corner.pairs()))
    return of_ledger(rule, str(corner), entries, corner.claim(), **options)


def _of_period(rule: str, corner: Corner) -> Adversary:
    """So high a cut that no point is passed over, and as many points as values."""
    short = replace(corner, bits=min(corner.bits, SHORT // 2))
    values = 2000 // (1 + (corner.digits + corner.bits // 3) // 30)
    options = {
        "digits": str(corner.digits),
        "unit": rational_text(corner.value(Fraction(1, 2000))),
        "tilt": rational_text(short.value(Fraction(2))),
        "points": str(2 * values + 1 if values else 3),
        "cut": "1000000",
        "values": str(max(values, 1)),
    }
    claim = (rational_text(corner.value(Fraction(1, 100))), corner.claim()[1])
    return of_ledger(rule, str(corner), corner.pairs(), claim, **options)


def _of_budget(form: str, corner: Corner) -> Adversary:
    measure = form.partition(", ")[2]
    short = replace(corner, bits=min(corner.bits, BUDGET_BITS), logs=0)
    budget = {measure or "rho": rational_text(short.value(Fraction(1))), "delta": "0"}
    if corner.failing:
        budget["delta"] = rational_text(short.value(Fraction(1, 10**9)))
    claim, digits = corner.claim(), {"digits": str(corner.digits)}
    order = rational_text(2 + short.value(HALF))
    name = str(corner)
    if not measure:
        spends = replace(short, entries=min(corner.entries, 16)).noise("rho")
        base = of_ledger("gaussian", name, spends, claim, "lower", **digits)
        mechanisms = base.statement["subject"]["mechanisms"]
        return of_stand_in("filter", base, "rho", budget, {"mechanisms": mechanisms})
    if measure == "epsilon":
        base = of_ledger("sum", name, [], claim)
    elif measure == "mu":
        base = of_ledger("gaussian", name, [], claim, **digits)
    elif measure == "renyi":
        budget["alpha"] = order
        base = of_noise("moments", name, [], claim, alpha=order, **digits)
    else:
        base = of_ledger("moments", name, [], claim, alpha=order, **digits)
    return of_stand_in("filter", base, measure, budget, {})


def _of_experiment(rule: str, corner: Corner) -> Adversary:
    """As many runs or guesses as there may be, and long rates."""
    short = replace(corner, bits=min(corner.bits, 1000))
    runs = str(10**7) if corner.failing else str(min(10**7, corner.count))
    half, claim = rational_text(short.value(HALF)), corner.claim()
    level = rational_text(short.value(TENTH))
    if rule == "one-run":
        counts = {"canaries": str(10**12), "guesses": runs, "right": runs, "guess_counts": "1"}
        odds = rational_text(1 + short.value(TENTH))
        claim = ("0", "0")
        return of_experiment(rule, str(corner), {**counts, "level": level}, claim, odds=odds)
    sides = {"members": {"runs": runs, "found": runs}, "others": {"runs": runs, "found": "0"}}
    counted = {**sides, "thresholds": "1", "level": level}
    return of_experiment(rule, str(corner), counted, claim, tpr=half, fpr=half)


_BUILDERS: Final[Mapping[str, Callable[[str, Corner], Adversary]]] = {
    "trivial": _of_infeasible,
    "sum": _of_pairs,
    "atoms": _of_atoms,
    "grid": _on_mesh,
    "grid-counts": _of_counts,
    "grid-fourier": _of_period,
    "fourier-upper": _of_waves,
    "fourier-lower": _of_waves,
    "formula": _of_noise,
    "gaussian": _of_noise,
    "gaussian-mixture": _of_noise,
    "gaussian-mesh": _on_mesh,
    "zcdp-pair": _on_mesh,
    "group": _of_groups,
    "group, deltas": _of_groups,
    "group-noise": _of_groups,
    "group-path": _of_groups,
    "post-processing": _of_post_processing,
    "distinguishing-adversary": _of_post_processing,
    "rows": _of_any_queries,
    "cases": _of_any_queries,
    "shares": _of_queries,
    "cases, of two": _of_queries,
    "cases, several": _of_queries,
    "cases, several of two": _of_queries,
    "filter": _of_budget,
    "filter, epsilon": _of_budget,
    "filter, mu": _of_budget,
    "filter, renyi": _of_budget,
    "filter, rho": _of_budget,
    "clopper-pearson": _of_experiment,
    "one-run": _of_experiment,
    "moments": of_noise_ledger,
    "mesh-upper": of_noise_ledger,
    "mesh-lower": of_noise_ledger,
    "sum, noise": _of_losses,
    "zcdp-sum": _of_notion,
    "gdp-sum": _of_notion,
}
RULES: Final = tuple(_BUILDERS)
"""The rules; where one has several forms, each with its name after a comma."""


def attacks() -> Iterator[Adversary]:
    """Those that were found, the longest sums, and the corners of every rule."""
    yield from known_attacks()
    for key, letter in (("mu", "μ"), ("rho", "ρ")):
        name = f"100 000 distinct {letter}"
        yield of_ledger("trivial", name, distinct(key, 100_000), ("every", "0"))
    for rule, corner in itertools.product(RULES, BOUNDARY_CASES):
        yield of_corner(rule, corner)
    for records, corner in itertools.product(RECORDS, BOUNDARY_CASES):
        for rule in records.rules:
            yield of_records(rule, corner, records)


def random_adversaries(generator: random.Random, number: int) -> Iterator[Adversary]:
    """So many of each rule."""
    for rule in RULES:
        for _ in range(number):
            corner = Corner(
                digits=int(10 ** generator.uniform(0, 3.7)),
                bits=int(10 ** generator.uniform(0.7, 4.4)),
                entries=int(10 ** generator.uniform(0, 2.3)),
                count=int(10 ** generator.uniform(0, 4)),
                logs=generator.choice((0, 0, 1, 3, 30)),
                failing=generator.random() < 0.5,
            )
            yield of_corner(rule, corner)
            known = [each for each in RECORDS if rule in each.rules]
            yield from (of_records(rule, corner, records) for records in known)
