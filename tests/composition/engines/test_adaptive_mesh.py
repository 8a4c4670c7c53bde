"""Points for curves: steps that double where composed losses rarely are."""

from __future__ import annotations

import json
from itertools import pairwise
from math import log

import pytest
from flint import ctx
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import precision
from exactdp.composition.answers.compose import compose
from exactdp.composition.engines.mesh.adaptive_mesh import adaptive_mesh
from exactdp.composition.engines.mesh.cells import LossMesh, Points
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import GaussianMechanism, SampledMechanism
from exactdp.mechanisms.discrete_laplace import DiscreteLaplacePair
from exactdp.mechanisms.gaussian import GaussianPair
from exactdp.mechanisms.pairs import Direction, Pair, SampledCut
from exactdp.verifier import verify_bytes

MESH = LossMesh(mpq(1, 10_000), 30)
WINDOW = (-101, 28_000)
STEP = SampledCut(GaussianPair(mpq(1)), mpq(1, 100))
NEAR = mpq(1, 10**6)


def points(
    law: Pair,
    count: int,
    window: tuple[int, int] = WINDOW,
    direction: Direction = "remove",
    near: mpq = NEAR,
) -> Points:
    """What is chosen for so many steps at δ = 1e-5."""
    with precision(150):
        aim = near / MESH.unit**2, -5 * log(10)
        [found] = adaptive_mesh([(law, count)], [window], MESH, aim, direction)
    return found


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_points_cover_the_window_in_steps_that_their_sections_are_multiples_of(
    direction: Direction,
) -> None:
    window = (-WINDOW[1], -WINDOW[0]) if direction == "add" else WINDOW
    found = points(STEP, 1000, window, direction)
    assert found.first <= window[0]
    assert found.last >= window[1]
    listed = found.listed()
    assert [listed[0], listed[-1], len(listed)] == [found.first, found.last, found.count]
    steps = {step for step, _ in found.sections}
    assert {after - before for before, after in pairwise(listed)} == steps
    assert min(steps) == 1


def test_rare_losses_are_looked_at_in_wider_steps_than_common_ones() -> None:
    found = points(STEP, 1000)
    steps = [step for step, _ in found.sections]
    assert steps == sorted(steps)
    assert max(steps) >= 8
    assert found.count < found.length / 3


def test_a_wider_tolerance_needs_fewer_points() -> None:
    counts = [points(STEP, 1000, near=NEAR * times).count for times in (1, 4, 100)]
    assert counts[0] > counts[1] > counts[2]


def test_short_windows_and_tables_keep_all_points() -> None:
    assert points(STEP, 10, (-100, 100)) == Points.of((-100, 100))
    assert points(DiscreteLaplacePair(mpq(1), 1), 10) == Points.of(WINDOW)


def test_one_section_of_single_steps_is_written_by_its_ends() -> None:
    assert Points.of((-3, 5)).parameter() == ["-3", "5"]
    assert Points(-4, ((2, 0), (1, 5))).parameter() == ["-4", "2", "0", "1", "5"]


@pytest.mark.slow  # two certificates of a thousand points
def test_certificates_with_sections_are_accepted() -> None:
    before = ctx.prec
    step = SampledMechanism(GaussianMechanism("1"), "1/100", 20)
    answer = compose(
        Ledger.of([step], neighbouring="add-remove-one"), delta="1e-4", tolerance="1e-4"
    )
    assert ctx.prec == before
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        derivation = json.loads(certificate.to_bytes())["derivation"][0]["parameters"]
        plans = derivation.get("plans") or [derivation["plan"]]
        assert any(len(window) > 3 for plan in plans for window in plan["windows"])
        verdict = verify_bytes(certificate.to_bytes())
        assert verdict.status == "accepted", verdict.reason
