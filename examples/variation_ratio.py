"""An accountant of shuffled reports that is wrong, to see how it is found out.

It speaks exactdp-accountant/1, as docs/accountants.md describes it, and knows one mechanism: k-ary
randomized response on reports that are shuffled, once. Its ε is that of a formula which has been
published as an upper bound: beside n - 1 reports, each on either of two values with probability
p = 1/(E + k - 1), stands one draw of the reporter, which is on the first value with probability Ep,
on the second with p, and on neither with what is left; against the same with Ep and p exchanged.

    exactdp crosscheck -m '…' --delta 0.045 --program 'ratio=python examples/variation_ratio.py'

Python and its standard library are enough.
"""

from __future__ import annotations

import json
import math
import sys
from typing import Any


def binomial(trials: int, chance: float) -> list[float]:
    """The probabilities of 0 to ``trials``."""
    logs = (
        math.lgamma(trials + 1)
        - math.lgamma(i + 1)
        - math.lgamma(trials - i + 1)
        + i * math.log(chance)
        + (trials - i) * math.log1p(-chance)
        for i in range(trials + 1)
    )
    return [math.exp(each) for each in logs]


def divergence(reports: int, odds: float, values: int, y: float) -> float:
    """What the pair of the formula reveals at y = e^ε."""
    p = 1 / (odds + values - 1)
    left = 1 - (odds + 1) * p
    total = 0.0
    for both, weight in enumerate(binomial(reports - 1, 2 * p)):
        halves = binomial(both, 0.5)
        likely = [(a, both - a, weight * half) for a, half in enumerate(halves)]
        for a, b, share in likely:
            # shares of (a - 1, b), (a, b - 1) and (a, b), by ratios of one another
            first = a / ((reports - both) * p) * (1 - 2 * p) if both < reports else 0.0
            second = b / ((reports - both) * p) * (1 - 2 * p) if both < reports else 0.0
            own = odds * p * first + p * second + left
            other = p * first + odds * p * second + left
            total += share * max(0.0, own - y * other)
    # all reports on the two values
    every = (2 * p) ** (reports - 1)
    for a, half in enumerate(binomial(reports, 0.5)):
        first, second = 2 * a / reports, 2 * (reports - a) / reports
        own, other = odds * first + second, first + odds * second
        total += every * p * half * max(0.0, own - y * other)
    return total


def least_epsilon(reports: int, odds: float, values: int, delta: float) -> float:
    """The least ε at which it is at most δ, by halving."""
    low, high = 0.0, math.log(odds)
    for _ in range(60):
        middle = (low + high) / 2
        if divergence(reports, odds, values, math.exp(middle)) <= delta:
            high = middle
        else:
            low = middle
    return high


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """What the formula says of a question."""
    listed = question["mechanisms"]
    reports = listed[0].get("shuffled_reports", {}) if len(listed) == 1 else {}
    if set(reports) != {"reports", "odds", "values"} or listed[0]["count"] != 1:
        return {"unsupported": "other than one round of k-ary randomized response"}
    if "delta" not in question:
        return {"unsupported": "a question for delta"}
    numbers = reports["reports"], reports["odds"], reports["values"]
    return {"epsilon": least_epsilon(*numbers, question["delta"]) + 1e-12}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
