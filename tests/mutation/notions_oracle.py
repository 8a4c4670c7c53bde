"""Whether a statement in ρ or μ is true, in fractions: nothing comes from exactdp.

Known are two ends of the truth. What lies between them is not judged: of an ε or a range, and of
batches, ρ is a bound that no law attains.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.mutation.noise_oracle import REACHES, fits
from tests.verifier.oracles import value_of

Entry = dict[str, Any]
_ZERO = Fraction(0)


def is_true(statement: dict[str, Any]) -> bool | None:
    entries, relation = statement["subject"].get("mechanisms"), statement["neighbouring"]
    if statement["subject"]["type"] != "mechanisms" or statement["kind"] == "underivable":
        return False
    by_noise = [each for each in entries if {*each} - {"epsilon", "delta", "mu", "rho", "count"}]
    if statement["interaction"] == "fully-adaptive" or (by_noise and not fits(entries, relation)):
        return False
    notion = "rho" if "rho" in statement else "mu"
    known = [_ends(each, notion, relation) for each in entries]
    times = [int(each["count"]) * int(statement["group"]) ** 2 for each in entries]
    least = sum((low * each for (low, _), each in zip(known, times, strict=True)), _ZERO)
    listed = [(high, each) for (_, high), each in zip(known, times, strict=True)]
    most = None
    if all(high is not None for high, _ in listed):
        most = sum((high * each for high, each in listed if high is not None), _ZERO)
    amount = value_of(statement[notion])
    amount = amount**2 if notion == "mu" else amount
    upper = statement["kind"] == "upper"
    if (amount - _exact(least)).b < 0 or ("ln" not in statement[notion] and _is(statement) < least):
        return not upper
    if most is None:
        return None
    reached = (amount - _exact(most)).a >= 0 or (
        "ln" not in statement[notion] and _is(statement) >= most
    )
    return upper if reached else None


def _is(statement: dict[str, Any]) -> Fraction:
    return Fraction(statement["rho"]) if "rho" in statement else Fraction(statement["mu"]) ** 2


def _exact(value: Fraction) -> Any:  # noqa: ANN401 (mpmath has no types)
    return value_of(str(value))


def _ends(entry: Entry, notion: str, relation: str) -> tuple[Fraction, Fraction | None]:
    """A ρ or a μ² that some such mechanism has, and one that each has; None if none is known."""
    rho = notion == "rho"
    if {"mu", "mu_squared"} & {*entry} and "records_per_person" not in entry:
        square = Fraction(entry["mu"]) ** 2 if "mu" in entry else Fraction(entry["mu_squared"])
        amount = square / (2 if rho else 1)
        return (_ZERO if "rate" in entry else amount), amount
    if "rho" in entry:
        amount = Fraction(entry["rho"])
        return (amount, amount) if rho else (2 * amount, None if amount else _ZERO)
    if "shuffled" in entry and "records" not in entry["shuffled"]:
        square = REACHES[relation] ** 2 / Fraction(entry["sigma"]) ** 2
        square *= int(entry["shuffled"]["epochs"])
        return _ZERO, square / (2 if rho else 1)
    if not rho or "clip" in entry:
        nothing = entry.get("epsilon") == entry.get("delta") == "0"
        return _ZERO, _ZERO if nothing else None
    return _of_rho(entry)


def _of_rho(entry: Entry) -> tuple[Fraction, Fraction | None]:
    if "discrete_gaussian" in entry:
        noise = entry["discrete_gaussian"]
        squares = sum(int(each) ** 2 for each in noise["shifts"])
        amount = squares / (2 * Fraction(noise["variance"]))
        return (_ZERO if "rate" in entry else amount), amount
    if "bounded_range" in entry and "rate" not in entry:
        return _ZERO, Fraction(entry["bounded_range"]) ** 2 / 8
    losses = []
    if "laplace" in entry:
        losses = [Fraction(entry["laplace"]["sensitivity"]) / Fraction(entry["laplace"]["scale"])]
    if "discrete_laplace" in entry:
        noise = entry["discrete_laplace"]
        losses = [int(each) / Fraction(noise["scale"]) for each in noise["shifts"]]
    if entry.get("delta") == "0" and "ln" not in entry["epsilon"]:
        losses = [Fraction(entry["epsilon"])]
    if "selection" in entry:
        of, runs = entry["selection"]["of"], entry["selection"]["repetitions"]
        if "epsilon" in of and "ln" not in of["epsilon"] and "negative_binomial" in runs:
            times = (2 + Fraction(runs["negative_binomial"]["eta"])) * int(of["count"])
            losses = [times * Fraction(of["epsilon"])]
    return _ZERO, sum((loss**2 / 2 for loss in losses), _ZERO) if losses else None
