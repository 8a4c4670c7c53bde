"""Whether a statement is true by the greatest privacy losses and what fails whatever ε is.

In fractions, and mpmath at 60 digits; nothing comes from exactdp. Where δ leaves something beside
what fails, and ε is below the sum of the greatest losses, nothing is said.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import prod
from typing import Any

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types

from tests.mutation import selection_oracle
from tests.mutation.noise_oracle import fits

Entry = dict[str, Any]
_KNOWN = {"bounded_range", "discrete_laplace", "laplace", "pair", "epsilon", "renyi"}
_TERM = re.compile(r"(-)?(?:([0-9/]+)\*?)?(?:ln\(([0-9/]+)\))?")
_NEAR = mpmath.mpf(10) ** -45
"""Two numbers that are so near are equal."""


def is_true(statement: dict[str, Any]) -> bool | None:
    """Whether it is; None if that takes more than extremes."""
    kind, relation = statement["kind"], statement["neighbouring"]
    if statement["epsilon"] == "every" or kind == "underivable":
        return None
    if statement["interaction"] == "fully-adaptive":
        return None
    entries = [selection_oracle.plain(entry, kind) for entry in statement["subject"]["mechanisms"]]
    if not fits(entries, relation) or any("clip" in each for each in entries):
        return None
    if kind == "lower":
        entries = [each for each in entries if "renyi" not in each]
    elif any("renyi" in each for each in entries):
        return None
    if not all(_KNOWN & {*each} for each in entries):
        return None
    with mpmath.workdps(60):
        found = {_holds(statement, entries, back) for back in (False, True)}
    holds = False if False in found else None if None in found else True
    return None if holds is None else holds == (kind == "upper")


def _holds(statement: dict[str, Any], entries: list[Entry], back: bool) -> bool | None:
    """Whether (ε, δ) is enough in one direction."""
    delta, one = Fraction(statement["delta"]), Fraction(1)
    kept = [(1 - _mass(each, back)) ** min(int(each["count"]), 10**4) for each in entries]
    failing = 1 - prod(kept, start=one)
    if delta < failing:
        return False
    losses = [int(each["count"]) * _greatest(each, back, statement) for each in entries]
    excess = _real(statement["epsilon"]) - mpmath.fsum(losses)
    if excess >= -_NEAR:
        return True
    return False if delta == failing else None


def _mass(entry: Entry, back: bool) -> Fraction:
    if "pair" not in entry:
        return Fraction(entry.get("delta", "0"))
    p, q = _laws(entry, back)
    return sum((a for a, b in zip(p, q, strict=True) if not b), Fraction(0))


def _laws(entry: Entry, back: bool) -> tuple[list[Fraction], list[Fraction]]:
    p, q = ([Fraction(each) for each in entry["pair"][key]] for key in ("p", "q"))
    rate = Fraction(entry.get("rate", "1"))
    mixed = [rate * a + (1 - rate) * b for a, b in zip(p, q, strict=True)]
    return (q, mixed) if back else (mixed, q)


def _greatest(entry: Entry, back: bool, statement: dict[str, Any]) -> Any:  # noqa: ANN401 (mpmath)
    if "pair" in entry:
        ratios = [a / b for a, b in zip(*_laws(entry, back), strict=True) if a and b]
        most = max(ratios, default=Fraction(1))
        return mpmath.log(mpmath.mpf(most.numerator) / most.denominator)
    if "epsilon" in entry:
        return _real(entry["epsilon"])
    whole = _real(str(_of_noise(entry)))
    rate = _real(entry.get("rate", "1"))
    if statement["neighbouring"] != "replace-one" and back:
        return -mpmath.log(1 - rate + rate * mpmath.exp(-whole))
    return mpmath.log(1 - rate + rate * mpmath.exp(whole))


def _of_noise(entry: Entry) -> Fraction:
    if "bounded_range" in entry:
        return Fraction(entry["bounded_range"])
    noise = entry.get("laplace") or entry["discrete_laplace"]
    moved = [noise["sensitivity"]] if "sensitivity" in noise else noise["shifts"]
    return sum(map(Fraction, moved), Fraction(0)) / Fraction(noise["scale"])


def _real(text: str) -> Any:  # noqa: ANN401 (mpmath)
    """A number of the grammar."""
    total = mpmath.mpf(0)
    for word in text.replace(" - ", " + -").split(" + "):
        negative, factor, argument = _TERM.fullmatch(word).groups()  # type: ignore[union-attr]
        value = _fraction(factor or "1")
        value = value * mpmath.log(_fraction(argument)) if argument else value
        total += -value if negative else value
    return total


def _fraction(text: str) -> Any:  # noqa: ANN401 (mpmath)
    value = Fraction(text)
    return mpmath.mpf(value.numerator) / value.denominator
