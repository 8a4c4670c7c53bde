"""Values that prototypes certified: ours meet them, are no wider, and both ends are accepted."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from exactdp import read_ledger
from exactdp.composition.answers.compose import compose
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    ZERO_OUT,
    BoundedRangeMechanism,
    GaussianMechanism,
    SampledMechanism,
    ShuffledGaussianMechanism,
)
from exactdp.verifier import verify_bytes
from tests.sources import ROOT
from tests.verifier.paying import verdict_and_paid


def steps(mu: str, rate: str, count: int) -> Ledger:
    """DP-SGD."""
    sampled = SampledMechanism(GaussianMechanism(mu), rate, count)
    return Ledger.of([sampled], neighbouring="add-remove-one")


def census(name: str) -> Ledger:
    return read_ledger(ROOT / "ledgers" / "by_noise" / f"census_2020_{name}.json")


def epoch(sigma: str, batches: int) -> Ledger:
    """An epoch of shuffled batches, one of whose records is zeroed out."""
    return Ledger.of([ShuffledGaussianMechanism(sigma, batches, 1, "fresh")], neighbouring=ZERO_OUT)


def exponential(epsilon: str, count: int) -> Ledger:
    """Mechanisms of bounded range."""
    return Ledger.of([BoundedRangeMechanism(epsilon, count)])


def ends(ledger: Ledger, delta: str, tolerance: str) -> tuple[mpq, mpq]:
    """The interval, once both ends are proved by their certificates."""
    answer = compose(ledger, delta=delta, tolerance=tolerance)
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        verdict = verify_bytes(certificate.to_bytes())
        assert verdict.status == "accepted", verdict.reason
    assert answer.lower is not None
    assert answer.upper is not None
    return answer.lower, answer.upper


@pytest.mark.slow  # up to half a minute each
@pytest.mark.parametrize(
    ("ledger", "delta", "tolerance", "low", "high"),
    [
        (steps("1", "1/100", 1000), "1e-5", "1e-4", "1.828150", "1.828412"),
        (steps("5/3", "1/1000", 10**4), "1e-6", "5e-4", "3.151827", "3.153010"),
        (census("pl94_us_persons"), "1e-10", "1e-5", "16.465134", "16.465198"),
        (steps("1", "1/100", 10**4), "1e-12", "5e-4", "10.34644", "10.34719"),
        (census("pl94_us_units"), "1e-10", "1e-5", "2.363195", "2.363220"),
        (census("dhc_us_persons"), "1e-10", "27e-6", "24.456486", "24.456513"),
        (epoch("1/2", 1000), "1e-5", "1e-4", "9.9966", "9.9973"),
        (exponential("1/10", 100), "1e-6", "1e-4", "2.2453", "2.4191"),
    ],
    ids=[
        *("q=1/100", "q=1/1000", "persons", "δ=1e-12", "units"),
        *("dhc-persons", "shuffled", "ranged"),
    ],
)
def test_an_interval_meets_what_is_known_and_is_no_wider(
    ledger: Ledger, delta: str, tolerance: str, low: str, high: str
) -> None:
    least, most = ends(ledger, delta, tolerance)
    assert least <= mpq(high)
    assert mpq(low) <= most
    assert most - least <= mpq(high) - mpq(low)


@pytest.mark.slow
def test_certificates_of_fourteen_thousand_steps_are_checked_in_seconds() -> None:
    answer = compose(steps("10/11", "256/60000", 14063), delta="1e-5", tolerance="5e-4")
    assert answer.upper is not None
    assert answer.lower is not None
    assert answer.upper - answer.lower <= mpq("5e-4")
    assert answer.lower <= mpq("2.382046")
    assert mpq("2.381512") <= answer.upper
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        verdict, spent = verdict_and_paid(certificate.to_bytes())
        assert verdict.status == "accepted"
        assert spent <= 4 * 10**9  # nanoseconds
