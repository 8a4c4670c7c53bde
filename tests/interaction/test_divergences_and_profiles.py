"""What is known of interactive mechanisms by several (ε, δ) or by divergences, and interleaved.

An oracle that knows no theorem, the greatest divergence over all adversaries, judges the bounds.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp, log
from typing import Final

import pytest
from gmpy2 import mpq
from hypothesis import assume, given
from hypothesis import strategies as st

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.compose import compose
from exactdp.interaction.adversaries import laws
from exactdp.interaction.mechanism import InteractiveMechanism, randomized_response, total
from exactdp.interaction.privacy_loss import divergence, least_odds
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import ConstrainedMechanism, Entry, Mechanism, RenyiMechanism
from exactdp.verifier import verify_bytes
from tests.interaction.trees import mechanisms

LEVELS: Final = (mpq(0), mpq(1, 100), mpq(1, 10), mpq(1, 3))
ORDERS: Final = (2, 3, 5)
FAILING: Final = (mpq(2), mpq(1, 20))
"""e^ε and δ of what stands beside divergences."""
SECOND_QUESTION: Final = InteractiveMechanism.of(
    {
        "first": {
            "low": ("3/5", "2/5", {"fine": {"yes": ("3/4", "1/3"), "no": ("1/4", "2/3")}}),
            "high": ("2/5", "3/5", {"again": {"yes": ("1/5", "2/5"), "no": ("4/5", "3/5")}}),
        }
    }
)


def as_float(value: mpq) -> float:
    return int(value.numerator) / int(value.denominator)


def by_constraints(mechanism: InteractiveMechanism) -> Entry | None:
    """What is known of it: its least ε at each of some δ."""
    known = {least_odds([mechanism], level): level for level in reversed(LEVELS)}
    pairs = [(ExactNumber.ln(odds), str(level)) for odds, level in known.items() if odds]
    return ConstrainedMechanism(pairs) if pairs else None


def by_divergences(mechanism: InteractiveMechanism) -> Entry:
    """What is known of it: its Rényi divergences of some orders, a little rounded up."""
    listed = []
    for order in ORDERS:
        moments = [
            total(p**order / q ** (order - 1) for p, q in pairs)
            for law in laws(mechanism)
            for pairs in ([*law.values()], [(q, p) for p, q in law.values()])
        ]
        bound = log(as_float(max(moments))) / (order - 1)
        listed.append([order, f"{int(bound * 10**6) + 2}e-6"])
    return RenyiMechanism(listed)


def assert_bounded(parts: list[InteractiveMechanism], entries: list[Entry], delta: mpq) -> None:
    """What is certified of the entries, interleaved, holds of the parts against all adversaries."""
    answer = compose(Ledger(tuple(entries), interaction="concurrent"), delta=str(delta))
    if not answer.feasible:
        assert answer.upper_end is None
        return
    assert answer.upper_end is not None
    proof = answer.upper_certificate()
    assert proof is None or verify_bytes(proof.to_bytes()).status == "accepted"
    odds = mpq(Fraction(exp(as_float(answer.upper_end)) * (1 + 1e-9)))
    for each in (parts, [part.swapped() for part in parts]):
        assert divergence(each, odds) <= delta


def test_profiles_of_interleaved_mechanisms_compose() -> None:
    known = by_constraints(SECOND_QUESTION)
    assert known is not None
    for delta in (mpq(1, 100), mpq(1, 10)):
        assert_bounded([SECOND_QUESTION] * 2, [known, known], delta)


def test_divergences_compose_beside_a_mechanism_that_fails() -> None:
    other = Mechanism(ExactNumber.ln(FAILING[0]), FAILING[1])
    parts = [SECOND_QUESTION, randomized_response(*FAILING)]
    assert_bounded(parts, [by_divergences(SECOND_QUESTION), other], mpq(1, 10))


@pytest.mark.slow
@given(mechanisms(), mechanisms(), st.sampled_from(LEVELS[1:]))
def test_profiles_of_any_interleaved_mechanisms_compose(
    one: InteractiveMechanism, two: InteractiveMechanism, delta: mpq
) -> None:
    entries = [by_constraints(one), by_constraints(two)]
    known = [each for each in entries if each is not None]
    assume(len(known) == len(entries))
    assert_bounded([one, two], known, delta)


@pytest.mark.slow
@given(mechanisms(least=1), mechanisms(least=1))
def test_divergences_of_any_interleaved_mechanisms_compose_beside_one_that_fails(
    one: InteractiveMechanism, two: InteractiveMechanism
) -> None:
    odds = least_odds([two], FAILING[1])
    assert odds is not None
    other = Mechanism(ExactNumber.ln(odds), FAILING[1])
    assume(max(one.root.adversaries, two.root.adversaries) <= 64)
    for first in (by_divergences(one), by_constraints(one)):
        assert first is not None
        assert_bounded([one, two], [first, other], mpq(1, 10))
        assert_bounded([one, two], [first, by_divergences(two)], mpq(1, 10))
