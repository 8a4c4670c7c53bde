"""Short cuts that a checker must not take: each accepts a false claim, kept under certs/reject.

Each test takes the short cut by itself, in mpmath, and finds the claim of the file proved; the sum
over subsets finds it false. That the verifier rejects the file is tested with the whole corpus.

Sources: the masses of a dominating pair are those of Doroshenko, Ghazi, Kamath, Kumar and
Manurangsi, PoPETs 2022.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from math import ceil, prod
from pathlib import Path
from typing import Any

from mpmath import mp, mpf  # type: ignore[import-untyped]  # mpmath ships no types

from tests.verifier.handmade import Entry
from tests.verifier.oracles import divergence, interval

REJECT = Path(__file__).resolve().parents[2] / "certs" / "reject"
Masses = list[tuple[Any, Any]]
"""The probabilities of each outcome under the two hypotheses."""


def claim_of(name: str) -> tuple[list[Entry], str, str]:
    statement = json.loads((REJECT / name).read_bytes())["statement"]
    entries = [
        (m["epsilon"], m["delta"], int(m["count"])) for m in statement["subject"]["mechanisms"]
    ]
    return entries, statement["epsilon"], statement["delta"]


def is_false(entries: list[Entry], epsilon: str, delta: str) -> bool:
    return bool(divergence(entries, epsilon).a > interval(Fraction(delta)).b)


def composed(masses: Masses, count: int, epsilon: str) -> Any:  # noqa: ANN401 (mpmath has no types)
    """The hockey-stick divergence of ``count`` such pairs at e^epsilon."""
    y = mp.exp(mpf(Fraction(epsilon).numerator) / Fraction(epsilon).denominator)
    outcomes = product(masses, repeat=count)
    return sum(max(0, prod(p for p, _ in o) - y * prod(q for _, q in o)) for o in outcomes)


def answers(odds: Any) -> Masses:  # noqa: ANN401 (mpmath has no types)
    """Randomized response: the truthful answer, and the other."""
    return [(odds / (1 + odds), 1 / (1 + odds)), (1 / (1 + odds), odds / (1 + odds))]


def test_rounding_a_basis_element_up_lowers_an_odds_ratio_with_a_negative_coefficient() -> None:
    entries, epsilon, delta = claim_of("atoms/basis-element-rounded-up.json")
    assert entries == [("-1/4 + ln(3)", "0", 4)]
    rounded_up = mpf(ceil(mp.exp(mpf(1) / 4) * 10**6)) / 10**6
    assert composed(answers(3 / rounded_up), 4, epsilon) <= mpf(1) / 10
    assert is_false(entries, epsilon, delta)


def test_rounding_both_masses_of_a_pair_up_on_their_own_lowers_its_curve() -> None:
    entries, epsilon, delta = claim_of("mesh-upper/responses-masses-rounded-independently.json")
    assert entries == [("3", "0", 2)]
    up = [tuple(mpf(ceil(100 * mass)) / 100 for mass in pair) for pair in answers(mp.exp(3))]
    assert composed([(p, q) for p, q in up], 2, epsilon) <= mpf(1) / 10
    assert is_false(entries, epsilon, delta)


def test_curves_that_agree_from_one_up_say_nothing_about_products() -> None:
    entries, epsilon, delta = claim_of("mesh-upper/responses-curves-compared-from-one-up.json")
    assert entries == [("11/10", "0", 5)]
    whole, truthful = (answers(mp.exp(mpf(11) / 10))[:n] for n in (2, 1))
    for at in ("0", "1/2", "1", "2"):
        assert composed(truthful, 1, at) == composed(whole, 1, at)
    assert composed(truthful, 5, epsilon) <= mpf(1) / 4
    assert is_false(entries, epsilon, delta)
