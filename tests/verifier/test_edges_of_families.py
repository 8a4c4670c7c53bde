"""What families do where precision ends, and the shapes that no corpus has."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exactdp.verifier import verify_bytes
from exactdp.verifier.arithmetic.dots import Mesh
from exactdp.verifier.format.meter import metered
from exactdp.verifier.format.outcomes import RejectedError
from exactdp.verifier.rules.report_tables import Histogram
from exactdp.verifier.rules.three_laws import lacking
from tests.verifier.format_cases import written
from tests.verifier.group_path_cases import PATH
from tests.verifier.handmade import changed


def test_a_path_without_steps_is_malformed() -> None:
    verdict = verify_bytes(written(changed(PATH, "derivation.2.parameters.steps", [])))
    assert (verdict.status, "steps are not 1 to 64" in verdict.reason) == ("malformed", True)


def test_an_output_that_precision_does_not_tell_from_the_best_is_rejected() -> None:
    with metered(10**9), pytest.raises(RejectedError, match="not on the side of those"):
        lacking(Fraction(-30), Fraction(-1, 10**9), Fraction(1), 40, far=False)


def test_counts_that_are_too_unlikely_for_the_mesh_are_no_atoms() -> None:
    reports = Histogram(9, Fraction(1000), 9, 0)
    with metered(10**9):
        fine, rough = (reports.atoms(Mesh(Fraction(1, 20), 20, bits)) for bits in (200, 20))
    assert 0 < len(rough) < len(fine)
