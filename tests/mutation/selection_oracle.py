"""Private selection as an entry of its own runs' kind, by the theorems in doubles."""

from __future__ import annotations

from fractions import Fraction
from math import exp, fsum, inf, lgamma, log, log1p
from typing import Any

from tests.verifier.oracles import value_of

Entry = dict[str, Any]
TINY = Fraction(1, 10**9)


def plain(entry: Entry, kind: str) -> Entry:
    """The entry, if it is no selection; else one that says as much."""
    if "selection" not in entry:
        return entry
    of, runs = entry["selection"]["of"], entry["selection"]["repetitions"]
    count, times = int(entry["count"]), int(of["count"])
    if "epsilon" in of and "negative_binomial" in runs:
        epsilon = Fraction(float(value_of(of["epsilon"]).mid)).limit_denominator(10**15)
        if kind == "lower":
            return {"epsilon": str(epsilon), "delta": "0", "count": str(count * times)}
        most = (2 + Fraction(runs["negative_binomial"]["eta"])) * times * epsilon
        return {"epsilon": str(most), "delta": "0", "count": str(count)}
    curve = [(float(alpha), times * divergence(of, float(alpha))) for alpha in orders(of)]
    known = kept(curve, runs)
    listed = [[str(Fraction(alpha)), str(Fraction(bound) + TINY)] for alpha, bound in known]
    return {"renyi": listed, "count": str(count)}


def orders(of: Entry) -> list[Fraction]:
    if "renyi" in of:
        return [Fraction(alpha) for alpha, _ in of["renyi"]]
    whole = {*range(2, 16)} | {j * 2**k for j in range(8, 16) for k in range(1, 10)}
    if "rate" in of:
        return [Fraction(each) for each in sorted(whole) if each <= 256]
    below = [Fraction(each) for each in ("9/8", "5/4", "3/2", "7/4", "5/2")]
    return sorted([*below, *(Fraction(each) for each in whole if each <= 4096)])


def divergence(of: Entry, alpha: float) -> float:
    """Of one run that is one mechanism."""
    if "renyi" in of:
        return next(float(Fraction(r)) for a, r in of["renyi"] if float(Fraction(a)) >= alpha)
    if "epsilon" in of:
        epsilon = float(value_of(of["epsilon"]).mid)
        return min(epsilon, alpha * epsilon**2 / 2)
    rho = float(Fraction(of["rho"])) if "rho" in of else float(Fraction(of["mu"])) ** 2 / 2
    if "rate" not in of:
        return alpha * rho
    rate, n = float(Fraction(of["rate"])), round(alpha)
    terms = [
        lgamma(n + 1)
        - lgamma(k + 1)
        - lgamma(n - k + 1)
        + (n - k) * log1p(-rate)
        + k * log(rate)
        + k * (k - 1) * rho
        for k in range(n + 1)
    ]
    return log_of_sum(terms) / (n - 1)


def kept(curve: list[tuple[float, float]], runs: Entry) -> list[tuple[float, float]]:
    if "poisson" in runs:
        mean = float(Fraction(runs["poisson"]["mean"]))
        found = []
        for alpha, bound in curve:
            near = log(alpha / (alpha - 1))
            failing = min((a - 1) * (c - near) + a * log1p(-1 / a) - log(a - 1) for a, c in curve)
            inner = (alpha - 1) * (bound + mean * exp(min(0.0, failing))) + log(mean)
            found.append((alpha, log_of_sum([-mean, inner]) / (alpha - 1)))
        return found
    law = runs["negative_binomial"]
    eta, gamma = float(Fraction(law["eta"])), float(Fraction(law["gamma"]))
    long = -log(gamma)
    mean = (1 - gamma) / gamma / long
    if eta:
        mean = eta * (1 - gamma) / (gamma * (1 - gamma**eta))
    further = min([long, *((1 - 1 / a) * c + long / a for a, c in curve)])
    return [(a, c + (1 + eta) * further + log(mean) / (a - 1)) for a, c in curve]


def log_of_sum(terms: list[float]) -> float:
    most = max(terms, default=-inf)
    return most + log(fsum(exp(each - most) for each in terms))
