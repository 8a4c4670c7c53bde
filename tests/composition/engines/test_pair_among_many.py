"""ρ as one mechanism among many different ε: leaves are those that the verifier forms.

A leaf has one mesh error for all of its mechanisms, so that a certificate with other leaves than
the engine reckoned with may be rejected by a hair. The pair stands last, wherever its text would.
"""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.certificate.subject import Subject
from exactdp.composition.answers.compose import compose
from exactdp.composition.engines.bracket import leaves
from exactdp.composition.engines.gaussian.mixtures import MixtureBound
from exactdp.composition.problem import Problem
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import ConcentratedMechanism, Mechanism
from exactdp.verifier import verify_bytes
from exactdp.verifier.format.numbers import parse_canonical
from exactdp.verifier.rules import ledger as verifier_ledger
from exactdp.verifier.rules.mixtures import ZcdpPair
from exactdp.verifier.rules.responses import leaves as verifier_leaves


def _ledger(epsilons: list[str], rho: str = "1/1000") -> Ledger:
    return Ledger((ConcentratedMechanism(rho), *(Mechanism(each) for each in epsilons)))


@pytest.mark.slow
@pytest.mark.parametrize("size", [80, 120])
def test_a_pair_among_many_different_epsilons_has_an_accepted_certificate(size: int) -> None:
    answer = compose(_ledger([f"{2 * i + 1}/1009" for i in range(1, size + 1)]), delta="1e-6")
    assert answer.method == "zcdp-pair"
    for made in (answer.upper_certificate(), answer.lower_certificate()):
        assert made is not None
        verdict = verify_bytes(made.to_bytes())
        assert verdict.status == "accepted", verdict.line


@given(
    st.sets(st.integers(1, 400), min_size=1, max_size=60),
    st.integers(1, 40),
    st.sampled_from([2, 4, 32, 128, 4096]),
)
def test_leaves_are_those_of_the_verifier(places: set[int], pair: int, most: int) -> None:
    ledger = _ledger([f"{each}/100" for each in sorted(places)])
    bound = MixtureBound.with_pair(Problem.of_parameters(ledger), mpq(pair, 100), mpq(1, 10**9))
    listed = leaves(bound.problem.epsilons, most)
    ours = [[(Fraction(str(e)), count) for e, count in leaf] for leaf in listed]
    read = verifier_ledger.Ledger.read(Subject.of(ledger).document())  # type: ignore[arg-type]
    rule = SimpleNamespace(pair=parse_canonical(str(mpq(pair, 100))))
    together = ZcdpPair._with_pair(rule, read, Fraction(1, 10**9))  # type: ignore[arg-type]
    gathered = verifier_leaves(together.groups, most)
    theirs = [[(e.rational, count) for e, count in leaf] for leaf in gathered]
    assert ours == theirs
