"""Whether a statement about tables and randomized responses is true, by summing over all outcomes.

All is exact but the odds of ε: near a tie something is said only where these are rational.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from typing import Any, Final

from mpmath import iv  # type: ignore[import-untyped]  # mpmath ships no types

from tests.mutation import constraints_oracle
from tests.verifier.oracles import interval, value_of

MOST_OUTCOMES: Final = 20_000
_LOGARITHM: Final = re.compile(r"ln\(([0-9/]+)\)")
_Law = list[tuple[Fraction, Fraction]]


def decide(statement: dict[str, Any]) -> bool:
    """Whether each is a table without a rate, or has rational odds, and outcomes are few."""
    outcomes = 1
    for entry in statement["subject"]["mechanisms"]:
        law = _law_of(entry)
        if law is None or "rate" in entry or outcomes > MOST_OUTCOMES:
            return False
        outcomes *= (len(law) + 1) ** min(int(entry["count"]), 20)
    settled = statement["kind"] in ("upper", "lower")
    adaptive = statement["interaction"] != "fully-adaptive" and settled
    return adaptive and statement["epsilon"] != "every" and outcomes <= MOST_OUTCOMES


def is_true(statement: dict[str, Any]) -> bool | None:
    """Whether it is; None where an irrational odds is too close to a tie."""
    odds = _odds(statement["epsilon"])
    y = interval(odds) if odds is not None else iv.exp(value_of(statement["epsilon"]))
    verdicts = {_holds(statement, y, odds, back=back) for back in (False, True)}
    holds = False if False in verdicts else None if None in verdicts else True
    return None if holds is None else holds == (statement["kind"] == "upper")


def _holds(statement: dict[str, Any], y: Any, odds: Fraction | None, *, back: bool) -> bool | None:  # noqa: ANN401
    joint: Counter[tuple[Fraction, Fraction]] = Counter({(Fraction(1), Fraction(1)): 1})
    kept = Fraction(1)
    for entry in statement["subject"]["mechanisms"]:
        law = _law_of(entry)
        assert law is not None
        for _ in range(int(entry["count"])):
            kept *= 1 - Fraction(entry.get("delta", "0"))
            after: Counter[tuple[Fraction, Fraction]] = Counter()
            for (p, q), ways in joint.items():
                for own, other in law:
                    after[(p * other, q * own) if back else (p * own, q * other)] += ways
            joint = after
    allowed = 1 - (1 - Fraction(statement["delta"])) / kept if kept else Fraction(-1)
    if odds is not None:
        return (
            sum(ways * max(p - odds * q, Fraction()) for (p, q), ways in joint.items()) <= allowed
        )
    excess = -interval(allowed)
    for (p, q), ways in joint.items():
        gap = (interval(p) - y * interval(q)) * ways
        excess += iv.mpf([max(gap.a, 0), max(gap.b, 0)])
    return False if excess.a > 0 else True if excess.b < 0 else None


def _law_of(entry: dict[str, Any]) -> _Law | None:
    """The probabilities of each outcome, if they are rational."""
    if "pair" in entry:
        pair = entry["pair"]
        return [*zip(map(Fraction, pair["p"]), map(Fraction, pair["q"]), strict=True)]
    if "constraints" in entry:
        known = [(_odds(epsilon), Fraction(delta)) for epsilon, delta in entry["constraints"]]
        exact = [(y, delta) for y, delta in known if y is not None]
        return constraints_oracle.table(exact) if len(exact) == len(known) else None
    odds = _odds(entry["epsilon"]) if "epsilon" in entry else None
    if odds is None:
        return None
    more, less = odds / (1 + odds), 1 / (1 + odds)
    return [(more, less), (less, more)]


def _odds(epsilon: str) -> Fraction | None:
    """e^ε, if the text says that it is rational."""
    if epsilon == "0":
        return Fraction(1)
    found = _LOGARITHM.fullmatch(epsilon)
    return Fraction(found[1]) if found else None
