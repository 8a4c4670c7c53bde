"""Certificates of a point of the profile, and what is said where one is missing."""

from __future__ import annotations

from functools import partial

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.point_proofs import prove_point
from exactdp.composition.answers.results import Certified
from exactdp.errors import CostLimitError

WIDTH = mpq(1, 10**9)
TWICE = partial(certify, [("ln(3)", 0, 2)])
LN_3 = ExactNumber.ln(mpq(3))


def _open(*, epsilon: ExactNumber, delta: mpq) -> Certified:
    raise CostLimitError(field="claim", value=f"{epsilon}, {delta}", expected="a nearer mesh")


def _delta(certificate: Certificate) -> mpq:
    return certificate.delta


def test_both_ends_of_an_attained_point_are_proved_the_lower_one_a_little_below_it() -> None:
    """Randomized response twice with e^ε = 3 has δ = 3/8 at ln 3."""
    proofs = prove_point(TWICE, LN_3, (mpq(3, 8), mpq(3, 8)), WIDTH)
    assert (proofs.evidence, [*proofs.made]) == ("certificate", ["upper", "lower"])
    assert _delta(proofs.made["upper"]) == mpq(3, 8)
    assert mpq(3, 8) * (1 - 2 * WIDTH) < _delta(proofs.made["lower"]) < mpq(3, 8)


def test_ends_that_say_nothing_need_no_certificate() -> None:
    proofs = prove_point(_open, LN_3, (mpq(0), mpq(1)), WIDTH)
    assert (proofs.evidence, dict(proofs.made), proofs.missing) == ("certificate", {}, ())


def test_an_end_that_is_not_decided_or_decided_otherwise_is_computed() -> None:
    open_ends = prove_point(_open, LN_3, (mpq(1, 4), mpq(1, 2)), WIDTH)
    assert (open_ends.evidence, open_ends.missing) == ("computed", ("upper", "lower"))
    wrong = prove_point(TWICE, LN_3, (mpq(1, 2), mpq(1, 4)), WIDTH)
    assert (wrong.evidence, dict(wrong.made)) == ("computed", {})
