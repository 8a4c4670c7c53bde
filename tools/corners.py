"""Certificates of every rule at the corners of what the format allows, and between them.

Theory of operation: a corner is few or many digits, short or long numbers, few or many entries;
:func:`random_adversaries` draws what lies between. The same seed gives the same certificates.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from exactdp.certificate.rule_table import CLOSED_FORMS
from exactdp.verifier.format.numbers import Number, canonical, rational_text
from exactdp.verifier.rules.divergent import MAX_ORDERS
from tools.adversaries import (
    HALF,
    LONG,
    TENTH,
    Adversary,
    Claim,
    Entry,
    distinct,
    known_attacks,
    logarithm,
    long,
    of_budget,
    of_group,
    of_ledger,
    of_noise,
    of_stand_in,
    of_trees,
    of_workload,
    pair,
    scaled,
)


@dataclass(frozen=True)
class Corner:
    """How long the numbers of a certificate are, and how many there are."""

    digits: int
    bits: int
    entries: int
    count: int
    logs: int
    failing: bool

    def __str__(self) -> str:
        failing = ", δ_i > 0" if self.failing else ""
        return (
            f"D = {self.digits}, {self.bits} bits, {self.entries}·{self.count} mechanisms, "
            f"{self.logs} logarithms{failing}"
        )

    def value(self, about: Fraction, step: int = 0) -> Fraction:
        """A rational of this many bits."""
        return long(about, self.bits, step)

    def epsilon(self, step: int) -> Number:
        """An ε with these many logarithms."""
        rational = self.value(TENTH, step)
        if not self.logs:
            return Number(rational)
        arguments = (self.value(Fraction(3), step * self.logs + i) for i in range(self.logs))
        return Number(rational, tuple((Fraction(1), r) for r in sorted(arguments)))

    def pairs(self) -> list[Entry]:
        """Entries given by (ε, δ)."""
        return [pair(self.epsilon(i), self.count, self.delta(i)) for i in range(self.entries)]

    def delta(self, step: int) -> Fraction:
        """A δ_i; 0 where mechanisms do not fail."""
        return self.value(Fraction(1, 10**9), step) if self.failing else Fraction(0)

    def noise(self, key: str) -> list[Entry]:
        """Entries given by μ or ρ."""
        return [scaled(key, self.value(TENTH, i), self.count) for i in range(self.entries)]

    def claim(self) -> Claim:
        """ε and δ of this many bits; ε so large that a rule goes on to its end."""
        epsilon, delta = self.value(Fraction(self.entries)), self.value(Fraction(1, 10**6))
        return rational_text(epsilon), rational_text(delta)


CORNERS: Final = tuple(
    Corner(*values)
    for values in (
        (1, 8, 1, 1, 0, False),
        (1, 8, 200, 1, 0, True),
        (1, 8, 2, 1000, 0, True),
        (1, 64, 2, 1, 100, False),
        (1, 2000, 2, 1, 2, True),
        (1, LONG, 1, 1, 0, True),
        (1, LONG // 2, 1, 1, 1, False),
        (30, 64, 1, 1, 0, False),
        (30, 64, 40, 100, 1, True),
        (300, 1000, 3, 20, 1, True),
        (2000, 64, 1, 1, 1, False),
        (2000, 6000, 1, 1, 1, True),
        (20_000, 64, 1, 1, 0, False),
        (20_000, 64, 1, 1, 0, True),
    )
)


def of_corner(rule: str, corner: Corner) -> Adversary:
    """A certificate of a rule at a corner."""
    return _BUILDERS[rule](rule, corner)


def _of_pairs(rule: str, corner: Corner, **further: str) -> Adversary:
    return of_ledger(rule, str(corner), corner.pairs(), corner.claim(), **further)


def _of_formula(rule: str, corner: Corner) -> Adversary:
    return _of_pairs(rule, corner, digits=str(corner.digits))


def _of_one_entry(rule: str, corner: Corner) -> Adversary:
    claim = (rational_text(corner.value(TENTH)), corner.claim()[1])
    entries = corner.pairs()[:1]
    return of_ledger(rule, str(corner), entries, claim, digits=str(corner.digits))


def _of_odds(rule: str, corner: Corner) -> Adversary:
    bits = max(2, corner.bits // corner.entries)
    entries = [
        pair(logarithm(1 + long(HALF, bits, i)), 1 + corner.count // 100)
        for i in range(min(corner.entries, 12))
    ]
    claim = (canonical(logarithm(corner.value(Fraction(3)))), corner.claim()[1])
    options = {"digits": str(corner.digits), "sums": "2000"}
    return of_ledger(rule, str(corner), entries, claim, **options)


def _of_sums(rule: str, corner: Corner) -> Adversary:
    entries = corner.pairs()[:10]
    options = {"digits": str(corner.digits), "sums": "1000"}
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
    if rule in ("zcdp-canonne-kamath-steinke", "renyi"):
        options["alpha"] = rational_text(2 + corner.value(HALF))
    return of_ledger(rule, str(corner), entries, corner.claim(), **options)


def _of_infeasible(rule: str, corner: Corner) -> Adversary:
    entries = corner.pairs() + corner.noise("mu")
    return of_ledger(rule, str(corner), entries, ("every", corner.claim()[1]))


def _of_groups(rule: str, corner: Corner) -> Adversary:
    further: dict[str, object] = {"digits": str(corner.digits)}
    if rule == "group-mechanisms":
        further["deltas"] = [rational_text(corner.value(HALF))] * corner.entries
        claim = corner.claim()
    else:
        claim = (rational_text(corner.value(Fraction(10**7))), corner.claim()[1])
    base = of_ledger("sum", str(corner), corner.pairs(), corner.claim())
    return of_group(rule, base, 10**6, claim, **further)


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


def _of_queries(rule: str, corner: Corner) -> Adversary:
    number = 10 * corner.entries
    ranges = [str(end) for i in range(corner.count) for end in (4 * i, 4 * i + 1)]
    queries = [
        {"epsilon": canonical(corner.epsilon(i)), "delta": "0", "where": [["0", *ranges]]}
        for i in range(number)
    ]
    sizes = [4 * corner.count + 4]
    if rule == "overlap-witness":
        return of_workload(rule, str(corner), sizes, queries, row=[])
    if rule == "parallel-case-tree":
        leaf = {"colours": [[str(i)] for i in range(number)]}
        splits = [{"attribute": "0", "below": str(4 * i)} for i in range(1, min(corner.count, 20))]
        tree = [*reversed(splits), leaf, *([leaf] * len(splits))]
        return of_workload(rule, str(corner), sizes, queries, tree=tree)
    if rule == "replace-case-tree":
        each = [[str(i)] for i in range(number)]
        both = {"leaving": each, "entering": each}
        below = [str(4 * i) for i in range(1, min(corner.count, 20))]
        sorts = [{"attribute": "0", "below": value, "row": "leaving"} for value in below]
        tree = [*reversed(sorts), both, *([both] * len(sorts))]
        return of_workload(rule, str(corner), sizes, queries, tree=tree)
    if rule == "two-rows":
        return of_workload(rule, str(corner), sizes, queries, rows=[[], [["0", "1"]]])
    colours = [[str(i) for i in range(number)]]
    return of_workload(rule, str(corner), sizes, queries, colours=colours)


def _of_nothing(rule: str, corner: Corner) -> Adversary:
    claim = (rational_text(corner.value(Fraction(1))), "1")
    return of_ledger(rule, str(corner), corner.pairs() + corner.noise("mu"), claim)


_SHORT: Final = 500
"""Bits of what a rule allows no more than 512 bits for."""


def _of_waves(rule: str, corner: Corner) -> Adversary:
    short = replace(corner, bits=min(corner.bits, _SHORT // 2))
    entries = corner.pairs()
    of_gaussian = rule.startswith("gaussian-")
    if of_gaussian:
        entries += corner.noise("mu")
    finer = 1 + (corner.digits + corner.bits // 3) // 30
    options: dict[str, Any] = {
        "tilt": rational_text(short.value(Fraction(2))),
        "step": rational_text(short.value(Fraction(1, 8))),
        "noise": rational_text(short.value(Fraction(1, 20))),
        "last": "20000",
        "near": str(max(1, 40 // finer)),
        "far": str(2000 // finer),
        "blocks": "1000",
        "cut": "20",
        "factors": [str(i) for i in range(min(len(corner.pairs()), 20))],
        "digits": str(corner.digits),
    }
    if rule.endswith("fourier-lower"):
        four = rational_text(short.value(Fraction(4)))
        options |= {"left": four, "right": four}
    return of_ledger(rule, str(corner), entries, corner.claim(), **options)


def _of_period(rule: str, corner: Corner) -> Adversary:
    """So high a cut that no point is passed over, and as many points as values."""
    short = replace(corner, bits=min(corner.bits, _SHORT // 2))
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


_BUDGET_BITS: Final = 900
"""Bits of a denominator, so that a rational of a budget has no more than 2048 in all."""


def _of_budget(rule: str, corner: Corner) -> Adversary:
    short = replace(corner, bits=min(corner.bits, _BUDGET_BITS), logs=0)
    measures = {
        "filter-sum": "epsilon",
        "filter-renyi": "renyi",
        "filter-concentrated": "rho",
        "filter-gaussian": "mu",
        "fixed-spends": "rho",
    }
    measure = measures[rule]
    budget = {measure: rational_text(short.value(Fraction(1))), "delta": "0"}
    if corner.failing:
        budget["delta"] = rational_text(short.value(Fraction(1, 10**9)))
    claim, digits = corner.claim(), {"digits": str(corner.digits)}
    alpha = {"alpha": rational_text(2 + short.value(HALF))}
    if rule == "filter-sum":
        return of_budget(rule, str(corner), measure, budget, claim)
    if rule == "filter-renyi":
        return of_budget(rule, str(corner), measure, budget | alpha, claim, **digits)
    if rule == "fixed-spends":
        spends = replace(short, entries=min(corner.entries, 16)).noise("rho")
        base = of_ledger("gaussian", str(corner), spends, claim, "lower", **digits)
        mechanisms = base.statement["subject"]["mechanisms"]
        return of_stand_in(rule, base, measure, budget, {"mechanisms": mechanisms})
    if rule == "filter-gaussian":
        base = of_ledger("gaussian", str(corner), [], claim, **digits)
    else:
        ending = "zcdp-canonne-kamath-steinke"
        base = of_ledger(ending, str(corner), [], claim, **digits, **alpha)
    return of_stand_in(rule, base, measure, budget, {})


def _of_noise_ledger(rule: str, corner: Corner) -> Adversary:
    """Laplace noise of several scales, whose losses lie within 2."""
    short = replace(corner, bits=min(corner.bits, _BUDGET_BITS), entries=min(corner.entries, 16))
    entries = [
        {
            "count": str(corner.count),
            "laplace": {
                "scale": rational_text(short.value(Fraction(1), step)),
                "sensitivity": "1",
            },
        }
        for step in range(short.entries)
    ]
    if rule == "noise-renyi":
        order: dict[str, object] = {
            "digits": str(corner.digits),
            "alpha": rational_text(2 + short.value(HALF)),
        }
        return of_noise(rule, str(corner), entries, corner.claim(), **order)
    levels = [["-60", "60", "1"]] * (corner.count.bit_length() - 1)
    windows = [["-40", "40"]] * len(entries)
    plan = {"levels": levels, "windows": windows}
    further: dict[str, object] = {"digits": str(corner.digits), "unit": "1/20"}
    if rule == "profile-renyi":
        entries.append({"count": "1", "rho": rational_text(short.value(HALF))})
        windows.append(["-400", "400"])
        further["orders"] = [str(order) for order in range(2, 2 + MAX_ORDERS)]
    if rule != "profile-test":
        return of_noise(rule, str(corner), entries, corner.claim(), plans=[plan], **further)
    event = {"direction": "remove", "threshold": "20", "tilt": "0"}
    return of_noise(rule, str(corner), entries, corner.claim(), plan=plan, **event, **further)


_BUILDERS: Final[Mapping[str, Callable[[str, Corner], Adversary]]] = {
    **dict.fromkeys(CLOSED_FORMS, _of_formula),
    "vacuous": _of_nothing,
    "sum": _of_pairs,
    "infeasible": _of_infeasible,
    "rational-odds": _of_odds,
    "grid": _on_mesh,
    "grid-counts": _of_counts,
    "grid-fourier": _of_period,
    "lattice": _of_sums,
    "connect-the-dots": _on_mesh,
    "gridded-test": _on_mesh,
    "fourier-upper": _of_waves,
    "fourier-lower": _of_waves,
    "gaussian-fourier-upper": _of_waves,
    "gaussian-fourier-lower": _of_waves,
    "kairouz-oh-viswanath-homogeneous": _of_one_entry,
    "murtagh-vadhan-1.4": _of_one_entry,
    "zcdp-bun-steinke": _of_noise,
    "zcdp-canonne-kamath-steinke": _of_noise,
    "renyi": _of_noise,
    "gaussian": _of_noise,
    "gaussian-mixture": _of_noise,
    "gaussian-mesh": _on_mesh,
    "zcdp-pair": _on_mesh,
    "concurrent-basic": _of_formula,
    "group-privacy": _of_groups,
    "group-mechanisms": _of_groups,
    "post-processing": _of_post_processing,
    "distinguishing-adversary": _of_post_processing,
    "overlap-witness": _of_queries,
    "parallel-colouring": _of_queries,
    "parallel-case-tree": _of_queries,
    "two-rows": _of_queries,
    "replace-colouring": _of_queries,
    "replace-case-tree": _of_queries,
    "filter-sum": _of_budget,
    "filter-renyi": _of_budget,
    "filter-concentrated": _of_budget,
    "filter-gaussian": _of_budget,
    "fixed-spends": _of_budget,
    "noise-renyi": _of_noise_ledger,
    "profile-dots": _of_noise_ledger,
    "profile-renyi": _of_noise_ledger,
    "profile-test": _of_noise_ledger,
}
RULES: Final = tuple(_BUILDERS)


def attacks() -> Iterator[Adversary]:
    """Those that were found, the longest sums, and the corners of every rule."""
    yield from known_attacks()
    for key, letter in (("mu", "μ"), ("rho", "ρ")):
        name = f"100 000 distinct {letter}"
        yield of_ledger("infeasible", name, distinct(key, 100_000), ("every", "0"))
    for rule, corner in itertools.product(RULES, CORNERS):
        yield of_corner(rule, corner)


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
