"""Gaussian noise by its variance, its ρ or its μ², where μ may be irrational."""

from __future__ import annotations

from fractions import Fraction

import mpmath  # type: ignore[import-untyped]
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.composition.answers.compose import compose
from exactdp.errors import DomainError, InputError
from exactdp.ledger.formats.inline import parse_inline
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger, write_ledger
from exactdp.mechanisms import Entry, GaussianMechanism
from exactdp.verifier import verify_bytes
from tests.marking import each_case
from tests.verifier.conversion_cases import NOISE
from tests.verifier.format_cases import written
from tests.verifier.handmade import changed
from tests.verifier.handmade_conversions import gaussian

squares = st.fractions(min_value=Fraction(1, 50), max_value=Fraction(20), max_denominator=50)


def divergence(square: Fraction, epsilon: Fraction) -> mpmath.mpf:
    """G_μ(ε) by its formula, in 50 digits."""
    with mpmath.workdps(50):
        mu, loss = mpmath.sqrt(mpmath.mpf(square.numerator) / square.denominator), +epsilon
        size = mpmath.mpf(loss.numerator) / loss.denominator
        near, far = mu / 2 - size / mu, -mu / 2 - size / mu
        return mpmath.ncdf(near) - mpmath.exp(size) * mpmath.ncdf(far)


@given(squares)
def test_one_answer_costs_what_the_formula_says(square: Fraction) -> None:
    answer = compose([GaussianMechanism(mu_squared=str(square))], delta="1e-5")
    assert answer.upper_end is not None
    assert answer.lower_end is not None
    low, high = (Fraction(str(end)) for end in (answer.lower_end, answer.upper_end))
    assert high - low < Fraction(1, 10**6)
    assert divergence(square, high) <= 1e-5 <= divergence(square, low) * (1 + 1e-12)


@each_case(
    ("given", "same"),
    [
        ("variance=4", "sigma=2"),
        ("variance=4,sensitivity=3,rate=1/10", "sigma=2,sensitivity=3,rate=1/10"),
        ("variance=9,clip=2,rate=1/10", "sigma=3,clip=2,rate=1/10"),
        ("mu_squared=1/4", "mu=1/2"),
        ("gaussian_rho=1/8", "mu=1/2"),
        ("gaussian_rho=0.81", "mu_squared=1.62"),
        ("variance=2,sensitivity=3", "mu_squared=9/2"),
    ],
)
def test_one_mechanism_has_one_writing(given: str, same: str) -> None:
    assert parse_inline(given) == parse_inline(same)
    assert parse_inline(given).shape() == parse_inline(same).shape()


def certified(entry: Entry, neighbouring: str) -> tuple[Fraction, Fraction]:
    """The ends of a ledger of one mechanism, whose certificates are about its file."""
    ledger = Ledger((entry,), neighbouring=neighbouring)
    text = write_ledger(ledger)
    assert read_ledger(text.encode()).mechanisms == ledger.mechanisms
    answer = compose(ledger, delta="1e-6")
    for certificate in (answer.lower_certificate(), answer.upper_certificate()):
        assert certificate is not None
        verdict = verify_bytes(certificate.to_bytes(), ledger=text.encode())
        assert verdict.status == "accepted", verdict.line
    assert answer.upper_end is not None
    assert answer.lower_end is not None
    return Fraction(str(answer.lower_end)), Fraction(str(answer.upper_end))


@pytest.mark.slow
@each_case(
    ("text", "less", "more", "neighbouring"),
    [
        ("variance=2", "sigma=1.4143", "sigma=1.4142", "unspecified"),
        (
            "variance=2,rate=1/100*100",
            "sigma=1.4143,rate=1/100*100",
            "sigma=1.4142,rate=1/100*100",
            "add-remove-one",
        ),
        (
            "variance=2,clip=1,rate=1/100*100",
            "sigma=1.4143,clip=1,rate=1/100*100",
            "sigma=1.4142,clip=1,rate=1/100*100",
            "replace-one",
        ),
    ],
)
def test_an_irrational_deviation_lies_between_two_that_are_rational(
    text: str, less: str, more: str, neighbouring: str
) -> None:
    low, high = certified(parse_inline(text), neighbouring)
    least, most = (certified(parse_inline(each), neighbouring) for each in (less, more))
    assert least[0] <= high
    assert low <= most[1]
    assert high - low < Fraction(1, 1000)


def test_an_irrational_mu_is_asked_for_by_its_square() -> None:
    entry = GaussianMechanism.of_variance(2, 1)
    assert entry.mu_squared == mpq(1, 2)
    with pytest.raises(DomainError, match="mu_squared"):
        _ = entry.mu
    for both in ({}, {"mu": 1, "mu_squared": 1}):
        with pytest.raises(InputError, match="expected μ, or μ²"):
            GaussianMechanism(**both)  # type: ignore[arg-type] # neither, and both


@each_case("square", ["4", "1/4", "0", "81/100"])
def test_a_statement_has_no_square_of_a_rational(square: str) -> None:
    good = gaussian("upper", NOISE, "10943/2500", "1/100000")
    assert verify_bytes(written(good)).status == "accepted"
    entry = {"count": "4", "mu_squared": square}
    bad = changed(good, "statement.subject.mechanisms.0", entry)
    assert "is the square of a rational" in verify_bytes(written(bad)).line
