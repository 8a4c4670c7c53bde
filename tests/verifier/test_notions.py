"""What the rules of ρ and μ add up is what brute force finds of each law."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from mpmath import exp, log, mpf, quad  # type: ignore[import-untyped]

from exactdp.verifier import verify_bytes
from tests.verifier.format_cases import written
from tests.verifier.noise_cases import Entry, entry, laplace
from tests.verifier.notion_cases import summed

ORDERS = (1.01, 1.5, 2, 3, 7)


def divergence(p: Callable[[float], mpf], q: Callable[[float], mpf], alpha: float) -> mpf:
    return log(quad(lambda x: p(x) ** alpha * q(x) ** (1 - alpha), [-60, 0, 1, 60])) / (alpha - 1)


def listed(p: list[float], q: list[float], alpha: float) -> float:
    total = math.fsum(a**alpha * b ** (1 - alpha) for a, b in zip(p, q, strict=True))
    return math.log(total) / (alpha - 1)


def of_integers(shift: int, variance: float, alpha: float) -> float:
    """Of discrete Gaussian noise, on all integers where an answer may be."""
    outputs = range(-80, 80)
    total = math.fsum(math.exp(-x * x / (2 * variance)) for x in outputs)
    exponents = (alpha * x * x + (1 - alpha) * (x - shift) ** 2 for x in outputs)
    moment = math.fsum(math.exp(-each / (2 * variance)) for each in exponents)
    return math.log(moment / total) / (alpha - 1)


def accepted(kind: str, entries: list[Entry], rho: str) -> bool:
    relation = "add-remove-one" if "rate" in entries[0] else "unspecified"
    certificate = summed("rho", kind, entries, rho, neighbouring=relation)
    return verify_bytes(written(certificate)).status == "accepted"


@pytest.mark.parametrize("shift", [1, 2])
def test_discrete_gaussian_noise_has_its_rho_at_order_2_and_no_more_elsewhere(shift: int) -> None:
    rho = shift**2 / 10
    assert abs(of_integers(shift, 5, 2) - 2 * rho) < 1e-12
    assert all(of_integers(shift, 5, alpha) <= alpha * rho * (1 + 1e-12) for alpha in ORDERS)
    noise = [entry(discrete_gaussian={"shifts": [str(shift)], "variance": "5"})]
    for kind, holds in (("upper", True), ("lower", False)):
        assert accepted(kind, noise, str(Fraction(shift**2, 10))) == holds
    assert accepted("lower", noise, str(Fraction(shift**2 * 999, 10000)))


def test_a_sample_has_no_more_than_the_whole_in_either_direction() -> None:
    def there(x: float) -> mpf:
        return exp(-((x - 1) ** 2) / mpf(2)) / math.sqrt(2 * math.pi)

    def without(x: float) -> mpf:
        return exp(-(x**2) / mpf(2)) / math.sqrt(2 * math.pi)

    def sampled(x: float) -> mpf:
        return (there(x) + without(x)) / 2

    for alpha in ORDERS:
        assert divergence(sampled, without, alpha) <= alpha / 2
        assert divergence(without, sampled, alpha) <= alpha / 2
    half = [entry(mu="1", rate="1/2")]
    assert accepted("upper", half, "1/2")
    assert not accepted("lower", half, "1/1000000")


def test_laplace_noise_and_ranges_have_no_more_than_their_rho() -> None:
    def there(x: float) -> mpf:
        return exp(-abs(x - 1)) / 2

    def without(x: float) -> mpf:
        return exp(-abs(mpf(x))) / 2

    for alpha in ORDERS:
        assert divergence(there, without, alpha) <= alpha / 2
        for tilt in (0.1, 0.5, 0.9):
            p = (1 - math.exp(tilt - 1)) / (1 - math.exp(-1))
            q = p * math.exp(-tilt)
            assert listed([p, 1 - p], [q, 1 - q], alpha) <= alpha / 8
    assert accepted("upper", [laplace("1")], "1/2")
    assert not accepted("upper", [laplace("1")], "499/1000")
    assert accepted("upper", [entry(bounded_range="1")], "1/8")
    assert not accepted("upper", [entry(bounded_range="1")], "31/250")


def test_a_single_unit_in_the_last_place_is_refused() -> None:
    quarters = [entry(3, rho=f"1/{10**40}"), entry(mu_squared="2")]
    total, less = (str(1 + Fraction(each, 10**40)) for each in (3, 2))
    assert accepted("upper", quarters, total)
    assert not accepted("upper", quarters, less)
    assert accepted("lower", quarters, less)
    assert not accepted("lower", quarters, total)


def test_a_statement_in_rho_settles_no_claim_of_epsilon() -> None:
    data = written(summed("rho", "upper", [entry(rho="1")], "1"))
    verdict = verify_bytes(data, claim=("9", "1/10"))
    assert verdict.status == "rejected"
    assert "settles no such claim" in verdict.reason
    assert (verify_bytes(data).rho, verify_bytes(data).epsilon) == ("1", "")
