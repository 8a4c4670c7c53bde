"""Sweeps look at no more blocks than was predicted of them, or give up."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from exactdp.arithmetic.enclosures import ball_of_rational, precision
from exactdp.composition.engines.fourier.factors import SQUEEZE_BITS, TURN_BITS, Factor
from exactdp.composition.engines.fourier.fourier import FourierEngine
from exactdp.composition.engines.fourier.sweep import Sweep
from exactdp.errors import CostLimitError
from exactdp.mechanisms.characteristic import LaplaceCharacteristic

SCALES = st.builds(
    lambda two, three, five: mpq(2) ** two * mpq(3) ** three * mpq(5) ** five,
    st.integers(-2, 2),
    st.integers(-1, 1),
    st.integers(-1, 1),
)


def engine_of(*noise: tuple[mpq, int]) -> FourierEngine:
    with precision(64):
        allowed = ball_of_rational(mpq(1, 10**6))
    characteristics = [LaplaceCharacteristic(count, loss) for loss, count in noise]
    return FourierEngine((), mpq(1, 100), allowed, characteristics=characteristics)


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(SCALES, st.integers(1000, 5000)), min_size=1, max_size=2))
def test_no_sweep_looks_at_more_blocks_than_its_aim_allows(noise: list[tuple[mpq, int]]) -> None:
    engine = engine_of(*noise)
    effort = engine.first_effort(64)
    aim = engine._aim(effort)
    if not aim.fits:
        reject()
    try:
        spectrum = engine._spectrum(effort)
    except CostLimitError:
        reject()
    assert spectrum.sweep.blocks <= aim.most_blocks


@pytest.mark.slow
@pytest.mark.parametrize("count", [5000, 10**4])
def test_the_blocks_of_aligned_noise_are_foreseen(count: int) -> None:
    engine = engine_of((mpq(1953125, 524288), count))
    effort = engine.first_effort(64)
    aim = engine._aim(effort)
    blocks = engine._spectrum(effort).sweep.blocks
    plain = aim.last / aim.stride / 1024
    assert blocks <= 4 * (plain + aim.aligned) + 1000


def test_a_million_aligned_mechanisms_are_predicted_to_take_long() -> None:
    engine = engine_of((mpq(1953125, 524288), 10**6))
    assert engine.cost(engine.first_effort(64)) > 2 * 10**10


@pytest.mark.slow
def test_a_sweep_gives_up_beyond_its_blocks() -> None:
    factor = Factor(2**TURN_BITS // 3000, 2**SQUEEZE_BITS - 1, 1000)
    free = Sweep([factor], 30)
    points = list(free.remaining(1, 10**6, lambda _: 30))
    enough = Sweep([factor], 30, free.blocks)
    assert list(enough.remaining(1, 10**6, lambda _: 30)) == points
    with pytest.raises(CostLimitError, match="blocks"):
        list(Sweep([factor], 30, free.blocks - 1).remaining(1, 10**6, lambda _: 30))
