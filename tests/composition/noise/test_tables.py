"""Finite tables with rational odds: exact answers, against the sum over all outcomes."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.claims.verdicts import audit
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.ledger.model import Claim, Ledger
from exactdp.mechanisms import Entry
from exactdp.mechanisms.approximate import Mechanism
from exactdp.mechanisms.table import PairMechanism
from exactdp.verifier import verify_bytes

TWICE = Ledger.of([PairMechanism(["3/4", "1/4"], ["1/4", "3/4"], 2)], neighbouring="add-remove-one")
TINY = Fraction(1, 10**30)


def drawn(seed: int) -> tuple[Ledger, list[list[tuple[Fraction, Fraction]]]]:
    """A ledger, and the outputs of each of its mechanisms."""
    chance = random.Random(seed)  # noqa: S311 (examples, not secrets)
    entries: list[Entry] = []
    factors: list[list[tuple[Fraction, Fraction]]] = []
    for _ in range(chance.randint(1, 2)):
        outputs, count = chance.randint(2, 4), chance.randint(1, 2)
        laws: list[list[Fraction]] = []
        for _ in range(2):
            parts = [chance.randint(seed % 2, 4) for _ in range(outputs)]
            parts[0] += not any(parts)
            laws.append([Fraction(part, sum(parts)) for part in parts])
        entries.append(PairMechanism(laws[0], laws[1], count))
        factors += [list(zip(*laws, strict=True))] * count
    if seed % 3 == 0:
        entries.append(Mechanism("ln(2)", "1/50"))
        kept = Fraction(49, 50)
        two = [(kept * 2 / 3, kept / 3), (kept / 3, kept * 2 / 3)]
        factors.append([*two, (1 - kept, Fraction(0)), (Fraction(0), 1 - kept)])
    return Ledger.of(entries, neighbouring="add-remove-one"), factors


def divergence(factors: list[list[tuple[Fraction, Fraction]]], y: Fraction) -> Fraction:
    """The greater profile of both directions at y."""
    outcomes = [
        (prod(p for p, _ in outcome), prod(q for _, q in outcome)) for outcome in product(*factors)
    ]
    there = sum((max(Fraction(0), p - y * q) for p, q in outcomes), Fraction(0))
    back = sum((max(Fraction(0), q - y * p) for p, q in outcomes), Fraction(0))
    return max(there, back)


@pytest.mark.parametrize("seed", range(24))
def test_the_least_epsilon_of_tables_is_the_logarithm_of_a_fraction(seed: int) -> None:
    ledger, factors = drawn(seed)
    delta = (divergence(factors, Fraction(1)) + 3 * divergence(factors, Fraction(10**9))) / 4
    if delta == divergence(factors, Fraction(10**9)):
        delta = (1 + delta) / 2
    answer = compose(ledger, delta=delta)
    assert answer.method == "atoms"
    assert answer.exact is not None
    odds = answer.exact.rational_odds()
    assert odds is not None
    y = Fraction(int(odds.numerator), int(odds.denominator))
    assert divergence(factors, y) <= delta
    assert y == 1 or divergence(factors, y - TINY) > delta
    for end in (answer.upper_certificate(), answer.lower_certificate()):
        assert end is None or verify_bytes(end.to_bytes()).status == "accepted"


@pytest.mark.parametrize("seed", range(24))
def test_the_profile_of_tables_is_enclosed_as_finely_as_is_asked(seed: int) -> None:
    ledger, factors = drawn(seed)
    [point] = profile(ledger, epsilon=[ExactNumber.ln(Fraction(3, 2))], tolerance="1e-25")
    exact = divergence(factors, Fraction(3, 2))
    assert point.lower <= exact <= point.upper
    assert (point.upper - point.lower) * 10**25 <= point.lower


def test_a_tie_of_tables_is_decided() -> None:
    assert str(compose(TWICE, delta="1/10").exact) == "ln(37/5)"
    least = certify(TWICE, epsilon="ln(37/5)", delta="1/10")
    below = certify(TWICE, epsilon="ln(36999999/5000000)", delta="1/10")
    assert (least.holds, least.equality, below.holds) == (True, True, False)
    for decided in (least, below):
        assert decided.certificate is not None
        assert decided.certificate.rule == "atoms"
        assert verify_bytes(decided.certificate.to_bytes()).status == "accepted"


def test_an_audit_finds_that_a_claim_about_tables_holds_with_equality() -> None:
    claim = Claim(ExactNumber.parse("ln(37/5)"), mpq(1, 10), "composition", "a paper")
    [audited] = audit(replace(TWICE, claims=(claim,)))
    assert audited.outcome == "holds-with-equality"


def test_tables_of_many_outputs_are_left_to_a_mesh() -> None:
    law = [Fraction(k + 1, 210) for k in range(20)]
    many = PairMechanism(law, law[::-1], 50)
    answer = compose(Ledger.of([many], neighbouring="add-remove-one"), delta="1/10", tolerance="1")
    assert answer.method == "mesh-upper"


@pytest.mark.parametrize("seed", [0, 4, 8, 10])
def test_at_the_mass_at_infinity_the_least_epsilon_is_exact_and_certified(seed: int) -> None:
    ledger, factors = drawn(seed)
    outcomes = [(prod(p for p, _ in each), prod(q for _, q in each)) for each in product(*factors)]
    masses = (
        sum((p for p, q in outcomes if not q), Fraction(0)),
        sum((q for p, q in outcomes if not p), Fraction(0)),
    )
    delta = mpq(max(masses))
    answer = compose(ledger, delta=delta, tolerance="1e-12")
    assert answer.evidence == "certificate"
    assert answer.exact is not None
    upper, lower = answer.upper_certificate(), answer.lower_certificate()
    assert upper is not None
    assert verify_bytes(upper.to_bytes()).status == "accepted"
    odds = max(
        (max(Fraction(p, q), Fraction(q, p)) for p, q in outcomes if p and q), default=Fraction(1)
    )
    assert divergence(factors, odds) == max(masses)
    assert certify(ledger, epsilon=answer.exact, delta=delta).holds
    if answer.lower:
        assert lower is not None
        assert verify_bytes(lower.to_bytes()).status == "accepted"
