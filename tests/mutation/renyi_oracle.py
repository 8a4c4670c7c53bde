"""Whether a statement about mechanisms with listed Rényi divergences follows, in doubles.

All that is known of such mechanisms is divergences of some orders. Those of one order are added up
and converted (Canonne, Kamath & Steinke, NeurIPS 2020, Prop. 12), at all orders of a dense grid and
at each that is listed; near the least of these bounds nothing is said.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, exp, fsum, inf, log, log1p
from typing import Any

from tests.verifier.oracles import value_of

GRID = [1 + 1.01**j / 1000 for j in range(2000)]
"""Orders from 1.001 to some 400 000."""
MARGIN = 0.001
"""Of the bound, and how far from it nothing is said."""


def is_true(statement: dict[str, Any]) -> bool | None:
    """Whether it follows from the divergences, as far as doubles tell."""
    entries = statement["subject"]["mechanisms"]
    if statement["interaction"] == "fully-adaptive" or statement["kind"] == "underivable":
        return False
    if statement["kind"] == "lower" or statement["epsilon"] == "every":
        return None
    if any("rate" in entry for entry in entries):
        return of_samples(statement)
    stated, least = float(value_of(statement["epsilon"]).mid), least_epsilon(statement)
    if abs(stated - least) <= MARGIN * (1 + least):
        return None
    return stated > least


def of_samples(statement: dict[str, Any]) -> bool | None:
    """Whether it follows at an integer order, where samples have known divergences."""
    known = ("mu", "laplace", "discrete_laplace", "discrete_gaussian")
    entries = [each for each in statement["subject"]["mechanisms"] if "rate" in each]
    if not all({*known} & {*each} and each.get("reach") != "2" for each in entries):
        return False
    stated = float(value_of(statement["epsilon"]).mid)
    least = least_epsilon(statement, [float(alpha) for alpha in range(2, 33)])
    return None if abs(stated - least) <= MARGIN * (1 + least) else stated > least


def least_epsilon(statement: dict[str, Any], grid: Sequence[float] = GRID) -> float:
    """The least bound of any order, or infinity."""
    entries = statement["subject"]["mechanisms"]
    survives = Fraction(1)
    for entry in entries:
        survives *= (1 - Fraction(entry.get("delta", "0"))) ** int(entry["count"])
    room = 1 - (1 - Fraction(statement["delta"])) / survives if survives else Fraction(0)
    if room <= 0:
        return inf
    listed = {float(Fraction(a)) for entry in entries for a, _ in entry.get("renyi", [])}
    failure = log(room.numerator) - log(room.denominator)
    alphas = (*grid, *sorted(listed)) if grid is GRID else grid
    totals = zip(alphas, divergences(entries, alphas), strict=True)
    return min(converted(total, alpha, failure) for alpha, total in totals)


def converted(divergence: float, alpha: float, failure: float) -> float:
    """The bound that a divergence of one order gives, for the logarithm of δ."""
    terms = alpha * log1p(-1 / alpha) - log(alpha - 1) - failure
    return max(0.0, divergence + terms / (alpha - 1))


def divergences(entries: list[dict[str, Any]], alphas: Sequence[float]) -> list[float]:
    """Bounds of the divergences of all entries together, of each order."""
    return _divergences(json.dumps(entries), tuple(alphas))


@lru_cache(maxsize=500)
def _divergences(text: str, alphas: tuple[float, ...]) -> list[float]:
    counts = [(int(entry.pop("count")), json.dumps(entry)) for entry in json.loads(text)]
    each = [[count * one for one in of_each_order(entry, alphas)] for count, entry in counts]
    return [fsum(together) for together in zip(*each, strict=True)]


@lru_cache(maxsize=500)
def of_each_order(text: str, alphas: tuple[float, ...]) -> list[float]:
    entry = json.loads(text)
    return [divergence_of(entry, alpha) for alpha in alphas]


def divergence_of(entry: dict[str, Any], alpha: float) -> float:
    """That of one mechanism, sampled if it is."""
    if "rate" not in entry:
        return divergence(entry, alpha)
    base = {key: value for key, value in entry.items() if key != "rate"}
    return of_sample(base, float(Fraction(entry["rate"])), round(alpha))


def divergence(entry: dict[str, Any], alpha: float) -> float:
    """A bound of one mechanism's Rényi divergence of an order, in both directions."""
    if "renyi" in entry:
        pairs = ((float(Fraction(order)), float(Fraction(r))) for order, r in entry["renyi"])
        return next((r for order, r in pairs if order >= alpha * (1 - 1e-12)), inf)
    if "epsilon" in entry:
        return of_randomized_response(float(value_of(entry["epsilon"]).mid), alpha)
    if "pair" in entry:
        p, q = ([float(Fraction(each)) for each in entry["pair"][key]] for key in ("p", "q"))
        return max(of_laws(p, q, alpha), of_laws(q, p, alpha))
    if "laplace" in entry:
        size = of_ratio(entry["laplace"], "sensitivity", "scale")
        return (
            (alpha - 1) * size
            + log(alpha + (alpha - 1) * exp(-(2 * alpha - 1) * size))
            - log(2 * alpha - 1)
        ) / (alpha - 1)
    if "discrete_laplace" in entry:
        scale = float(Fraction(entry["discrete_laplace"]["scale"]))
        shifts = map(int, entry["discrete_laplace"]["shifts"])
        return fsum(of_randomized_response(shift / scale, alpha) for shift in shifts)
    return alpha * rho(entry)


def at_loss_zero(entries: list[dict[str, Any]], alphas: Sequence[float]) -> list[float]:
    """The logarithm of what each order gives for δ at ε = 0."""
    totals = zip(alphas, divergences(entries, alphas), strict=True)
    return [(a - 1) * total + a * log1p(-1 / a) - log(a - 1) for a, total in totals]


def rho(entry: dict[str, Any]) -> float:
    """The divergences of all orders at most α times this."""
    if "shuffled" in entry:
        epochs = int(entry["shuffled"]["epochs"])
        return float(int(entry["reach"]) ** 2 * epochs / Fraction(entry["sigma"]) ** 2 / 2)
    if "discrete_gaussian" in entry:
        squares = sum(int(shift) ** 2 for shift in entry["discrete_gaussian"]["shifts"])
        return squares / (2 * float(Fraction(entry["discrete_gaussian"]["variance"])))
    if "bounded_range" in entry:
        return float(Fraction(entry["bounded_range"])) ** 2 / 8
    if "mu" in entry:
        return float(Fraction(entry["mu"])) ** 2 / 2
    return float(Fraction(entry["rho"]))


def of_ratio(entry: dict[str, str], above: str, below: str) -> float:
    return float(Fraction(entry[above]) / Fraction(entry[below]))


def of_randomized_response(epsilon: float, alpha: float) -> float:
    odds = log1p(exp(-epsilon))
    one, other = (alpha - 1) * epsilon - odds, -alpha * epsilon - odds
    return (one + log1p(exp(other - one))) / (alpha - 1)


def of_sample(base: dict[str, Any], rate: float, alpha: int) -> float:
    """Of a base that is its own reverse: its moments, by the binomial theorem."""
    logs = [
        log(comb(alpha, k))
        + (alpha - k) * log1p(-rate)
        + k * log(rate)
        + ((k - 1) * divergence(base, float(k)) if k > 1 else 0)
        for k in range(alpha + 1)
    ]
    most = max(logs)
    return (most + log(fsum(exp(each - most) for each in logs))) / (alpha - 1)


def of_laws(p: list[float], q: list[float], alpha: float) -> float:
    """Of two laws on finitely many outputs; infinite where an output tells them apart."""
    if any(bool(a) != bool(b) for a, b in zip(p, q, strict=True)):
        return inf
    terms = [alpha * log(a) + (1 - alpha) * log(b) for a, b in zip(p, q, strict=True) if a]
    most = max(terms)
    return (most + log(fsum(exp(term - most) for term in terms))) / (alpha - 1)
