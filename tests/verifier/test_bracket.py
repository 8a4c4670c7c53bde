from __future__ import annotations

from fractions import Fraction

import mpmath  # type: ignore[import-untyped]  # it has no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.verifier import verify_bytes
from exactdp.verifier.arithmetic.dots import Mesh, Points, one_minus_exp
from exactdp.verifier.format.numbers import parse_canonical
from exactdp.verifier.rules.responses import Leaf, leaves
from tests.verifier import handmade


@given(st.integers(0, 200).flatmap(lambda size: st.integers(0, 2**size)))
def test_one_minus_an_exponential_is_from_above_and_close(x: int) -> None:
    bits = 196
    with mpmath.workprec(500):
        exact = mpmath.ldexp(1 - mpmath.exp(-mpmath.ldexp(x, -bits)), bits)
        assert exact <= one_minus_exp(x, bits) < exact + 70


LOSSES = [("ln(3)", 2), ("1/2", 3), ("ln(2)", 1)]
FINE = Mesh(Fraction(1, 7), 30, 200)
EVERYWHERE = Points(-1000, ((1, 1000),))


def answers() -> list[tuple[mpmath.mpf, mpmath.mpf]]:
    """Each choice of truthful answers: its probability on either input."""
    found = [(mpmath.mpf(1), mpmath.mpf(1))]
    for text, count in LOSSES:
        odds = mpmath.exp(mpmath.log(int(text[3:-1])) if "ln" in text else mpmath.mpf(1) / 2)
        for _ in range(count):
            true, untrue = odds / (1 + odds), 1 / (1 + odds)
            found = [
                both for p, q in found for both in ((p * true, q * untrue), (p * untrue, q * true))
            ]
    return found


@pytest.mark.parametrize("most", [1, 8, 64])
def test_gathered_responses_are_dominated_by_their_dots_and_have_their_scores(most: int) -> None:
    with mpmath.workprec(300):
        groups = [(parse_canonical(text), count) for text, count in LOSSES]
        whole, p, q = {0: mpmath.mpf(1)}, {0: mpmath.mpf(1)}, {0: mpmath.mpf(1)}
        for leaf in (Leaf(tuple(each)) for each in leaves(groups, most)):
            whole = times(whole, leaf.dots(EVERYWHERE, FINE, back=False))
            of_p, of_q = leaf.scores(EVERYWHERE, FINE, back=False)
            p, q = times(p, of_p), times(q, of_q)
        for epsilon in (0, 0.3, 1, 2.5, 4):
            y = mpmath.exp(epsilon)
            exact = sum(max(0, one - y * other) for one, other in answers())
            above = sum(
                w * max(0, 1 - y * mpmath.exp(-j / mpmath.mpf(7))) for j, w in whole.items()
            )
            below = sum(max(0, weight - y * q.get(j, 0)) for j, weight in p.items())
            below -= y * (1 - sum(q.values()))
            assert below <= exact <= above + 1 - sum(whole.values()) <= below + 0.1


def times(left: dict[int, mpmath.mpf], right: dict[int, int]) -> dict[int, mpmath.mpf]:
    found: dict[int, mpmath.mpf] = {}
    for j, weight in left.items():
        for i, other in right.items():
            found[i + j] = found.get(i + j, 0) + weight * other / mpmath.mpf(10) ** 30
    return found


@pytest.mark.parametrize(
    ("unit", "reason"),
    [("ln(2)", "the unit is not rational"), ("1/100000001", "the grid is too long")],
)
def test_a_mesh_beside_noise_is_rational_and_not_too_long(unit: str, reason: str) -> None:
    claim = handmade.certificate(
        "gaussian-mesh", "upper", [("1", "0", 1)], "1", "0", digits="1", sums="16", unit=unit
    )
    claim["statement"]["theorem"] = "dong-roth-su-2022-theorem-3.2"
    claim = handmade.resealed(claim)
    assert reason in verify_bytes(handmade.canonical_bytes(claim)).reason
