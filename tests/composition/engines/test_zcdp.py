"""zCDP: the Census Bureau's numbers, an oracle at 50 digits, and laws."""

from __future__ import annotations

from fractions import Fraction

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.composition.answers.conversions import certify_conversion
from exactdp.composition.engines.moments import zcdp
from exactdp.errors import DomainError, InputError
from exactdp.mechanisms import ConcentratedMechanism, GaussianMechanism, Mechanism
from exactdp.verifier import verify_bytes
from tests.composition.engines import oracle

PERSONS = ("293764/114921", "17849145/1041158", "17.143550743596")
UNITS = ("11417641/152349649", "1455307/588081", "2.474671065035")
DELTA = "1e-10"

rhos = st.fractions(min_value=Fraction(1, 10**6), max_value=50, max_denominator=10**6)
deltas = st.integers(1, 60).map(lambda n: Fraction(1, 10**n))


@pytest.mark.parametrize(("rho", "stated", "right"), [PERSONS, UNITS])
def test_the_stated_epsilon_of_the_census_is_not_what_the_conversion_gives(
    rho: str, stated: str, right: str
) -> None:
    found = zcdp.least_epsilon(rho, DELTA)
    assert found.lower <= mpq(right) <= found.upper
    with mpmath.workdps(50):
        assert (
            oracle.real(found.lower) <= oracle.cks_epsilon(rho, DELTA) <= oracle.real(found.upper)
        )
    ledger = [ConcentratedMechanism(rho)]
    claim = certify_conversion(ledger, epsilon=stated, delta=DELTA)
    assert not claim.derivable
    verdict = verify_bytes(claim.certificate.to_bytes())
    assert (verdict.status, verdict.kind) == ("accepted", "underivable")
    upper = certify_conversion(ledger, epsilon=str(found.upper), delta=DELTA)
    assert upper.derivable
    verdict = verify_bytes(upper.certificate.to_bytes(), claim=(str(found.upper), DELTA))
    assert (verdict.status, verdict.kind) == ("accepted", "upper")


@pytest.mark.parametrize(
    ("rho", "stated", "gap"), [(*PERSONS[:2], "4.899e-9"), (*UNITS[:2], "5.883e-8")]
)
def test_the_gap_at_the_census_is_as_reported(rho: str, stated: str, gap: str) -> None:
    excess = zcdp.least_epsilon(rho, DELTA).lower - mpq(stated)
    assert 0 < excess < mpq(Fraction(gap) * Fraction(1001, 1000))
    assert excess > mpq(Fraction(gap) * Fraction(999, 1000))


@pytest.mark.slow
@given(rhos, deltas)
def test_the_least_epsilon_is_that_of_the_oracle(rho: Fraction, delta: Fraction) -> None:
    found = zcdp.least_epsilon(rho, delta)
    with mpmath.workdps(50):
        truth = oracle.cks_epsilon(rho, delta)
        assert oracle.real(found.lower) <= truth <= oracle.real(found.upper)
    assert found.upper - found.lower <= mpq(1, 10**12)


@given(rhos, deltas, st.integers(2, 40))
def test_a_finer_tolerance_stays_within_a_coarser_one(
    rho: Fraction, delta: Fraction, places: int
) -> None:
    coarse = zcdp.least_epsilon(rho, delta, f"1e-{places}")
    fine = zcdp.least_epsilon(rho, delta, f"1e-{2 * places}")
    assert fine.lower <= coarse.upper
    assert coarse.lower <= fine.upper


@given(rhos, rhos, deltas)
def test_more_rho_means_more_epsilon(rho: Fraction, more: Fraction, delta: Fraction) -> None:
    assert zcdp.least_epsilon(rho, delta).lower <= zcdp.least_epsilon(rho + more, delta).upper


@given(rhos, deltas)
def test_the_later_conversion_is_never_worse(rho: Fraction, delta: Fraction) -> None:
    assert zcdp.least_epsilon(rho, delta).lower <= zcdp.bun_steinke_epsilon(rho, delta).upper


@given(rhos, deltas)
def test_bun_and_steinkes_formula_is_enclosed(rho: Fraction, delta: Fraction) -> None:
    found = zcdp.bun_steinke_epsilon(rho, delta)
    with mpmath.workdps(50):
        whole = oracle.real(rho)
        truth = whole + 2 * mpmath.sqrt(whole * -mpmath.log(oracle.real(delta)))
        assert oracle.real(found.lower) <= truth <= oracle.real(found.upper)


def test_no_rho_at_all_needs_no_epsilon() -> None:
    assert zcdp.least_epsilon(0, "1e-100").upper == 0
    assert zcdp.least_epsilon(5, 1).upper == 0


@pytest.mark.parametrize(("rho", "delta"), [("-1", "1e-6"), ("1", "0"), ("1", "2")])
def test_what_has_no_conversion_is_refused(rho: str, delta: str) -> None:
    with pytest.raises(DomainError, match=r"^(rho: -1|delta: [02]): "):
        zcdp.least_epsilon(rho, delta)


@pytest.mark.parametrize("rule", ["zcdp-canonne-kamath-steinke", "zcdp-bun-steinke"])
def test_mixed_ledgers_are_converted_with_their_failures_carried(rule: str) -> None:
    """ρ = 1/8 + 1/2 + 2·(1/4)²/2, and 1 - (1 - δ_i)² of the δ is spent already."""
    ledger = [Mechanism("1/4", "1e-7", 2), GaussianMechanism(1), ConcentratedMechanism("1/8")]
    rho = Fraction(1, 8) + Fraction(1, 2) + Fraction(1, 16)
    left = 1 - (1 - Fraction(1, 10**6)) / (1 - Fraction(1, 10**7)) ** 2
    convert = zcdp.least_epsilon if "canonne" in rule else zcdp.bun_steinke_epsilon
    expected = convert(rho, left)
    for epsilon, derivable in ((expected.upper, True), (expected.lower - mpq(1, 10**9), False)):
        claim = certify_conversion(ledger, epsilon=str(epsilon), delta="1e-6", rule=rule)
        assert claim.derivable == derivable
        assert verify_bytes(claim.certificate.to_bytes()).status == "accepted"


def test_a_conversion_without_anything_left_of_delta_is_refused() -> None:
    with pytest.raises(InputError, match="leaves something to convert"):
        certify_conversion(
            [Mechanism(1, "1e-6"), ConcentratedMechanism(1)], epsilon=9, delta="1e-6"
        )
    with pytest.raises(InputError, match="rule"):
        certify_conversion([ConcentratedMechanism(1)], epsilon=9, delta="1e-6", rule="renyi")
