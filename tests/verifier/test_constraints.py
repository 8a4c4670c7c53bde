"""Constraints: failures are compared as well as tables; and near ones are told apart."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.verifier.arithmetic.dots import Mesh
from exactdp.verifier.format.meter import metered
from exactdp.verifier.format.outcomes import RejectedError
from exactdp.verifier.format.strict_json import Json
from exactdp.verifier.rules.by_noise import Noisy
from exactdp.verifier.rules.constraints import Constrained, vertices
from exactdp.verifier.rules.domination import greatest
from exactdp.verifier.rules.ledger import Entry, read_entry


def meeting(delta: str) -> Entry:
    """Randomized response, whatever the delta is, where it does not fail."""
    return read_entry({"constraints": [["ln(2)", delta]], "count": "1"})


def test_a_failure_is_compared_as_well_as_the_table() -> None:
    with metered(10**9):
        never, often = meeting("0"), meeting("1/10")
        assert greatest([never, never]) is never
        for pair in ([never, often], [often, never]):
            with pytest.raises(RejectedError, match="no query of a colour"):
                greatest(pair)


@given(st.integers(3, 1900), st.integers(64, 2000))
def test_the_masses_of_constraints_are_no_more_than_one_however_near_they_are(
    near: int, bits: int
) -> None:
    far = 2**near
    listed: list[Json] = [
        [f"1/{5 * far}", f"1/{4 * far}"],
        [f"1/{5 * far - 4}", f"1/{4 * far + 1}"],
        [f"1/{far}", "0"],
    ]
    with metered(10**11):
        entry = read_entry({"constraints": listed, "count": "1"})
        assert isinstance(entry, Noisy)
        [(law, _)] = entry.laws
        assert isinstance(law, Constrained)
        atoms = law.atoms(Mesh(Fraction(1, 10), 20, bits))
    for masses in ([atom.p for atom in atoms], [atom.q for atom in atoms]):
        assert (1 << bits) * (1 - Fraction(1, 2**40)) < sum(masses) <= 1 << bits


def test_points_that_are_not_told_apart_are_open() -> None:
    wide = (Fraction(2), Fraction(3))
    with metered(10**9), pytest.raises(RejectedError, match="which of the constraints comes first"):
        vertices([wide, wide], [Fraction(1, 10), Fraction(0)])
