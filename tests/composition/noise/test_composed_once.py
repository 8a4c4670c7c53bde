"""Points that share a mesh compose it once, and say what each would say by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import log10
from typing import Any

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import double_of
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.engines.mesh import bracket
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    SampledMechanism,
)
from tests.marking import slow_among

POINTS = ("1/8", "1/4", "1/2")
LEDGERS = {
    "sampled": Ledger((SampledMechanism(GaussianMechanism(1), "1/10", 3),)),
    "beside": Ledger((LaplaceMechanism(4), SampledMechanism(GaussianMechanism(1), "1/4"))),
    "range": Ledger((BoundedRangeMechanism("1/2", 4),)),
}


@pytest.fixture
def composed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each side is composed."""
    found: Counter[str] = Counter()

    def counting(name: str) -> Callable[..., Any]:
        made = getattr(bracket, name)

        def side(*given: Any) -> Any:  # noqa: ANN401 (whatever a side is made of)
            found[name] += 1
            return made(*given)

        return side

    for name in ("upper_side", "lower_side"):
        monkeypatch.setattr(bracket, name, counting(name))
    return found


def asked(ledger: Ledger, points: Sequence[str]) -> list[tuple[str, str]]:
    """The ends at each point, asked together."""
    found = profile(ledger, epsilon=points, tolerance="1/100")
    return [(str(each.lower), str(each.upper)) for each in found]


@pytest.mark.parametrize("name", slow_among(LEDGERS.keys() - {"range"}, LEDGERS))
def test_points_asked_together_are_answered_as_each_by_itself(name: str) -> None:
    each = [asked(LEDGERS[name], [point])[0] for point in POINTS]
    assert asked(LEDGERS[name], POINTS) == each
    assert asked(LEDGERS[name], POINTS[::-1]) == each[::-1]


def test_points_of_about_one_size_are_answered_by_what_was_composed_for_the_first(
    composed: Counter[str],
) -> None:
    ledger = LEDGERS["sampled"]
    asked(ledger, POINTS[:1])
    once = Counter(composed)
    composed.clear()
    asked(ledger, POINTS)
    assert once == {"upper_side": 4, "lower_side": 1}  # two directions, rough and fine
    assert composed == once


def test_each_direction_is_composed_once_for_an_answer(composed: Counter[str]) -> None:
    compose(LEDGERS["sampled"], delta="1e-5", tolerance="1/2000")
    assert composed == {"upper_side": 2, "lower_side": 1}


def test_ledgers_of_the_same_mechanisms_share_what_is_composed(composed: Counter[str]) -> None:
    steps = (SampledMechanism(GaussianMechanism(1), "1/9", 3),)
    found = [
        compose(Ledger(steps, name=name), delta="1e-5", tolerance="1/500").upper
        for name in ("first", "second")
    ]
    assert found[0] == found[1]
    assert composed == {"upper_side": 2, "lower_side": 1}


@pytest.mark.slow
def test_many_different_steps_share_the_tolerance_on_one_mesh(composed: Counter[str]) -> None:
    steps = [GaussianMechanism.of_noise(sigma=f"{10 + i}/10", sensitivity=1) for i in range(8)]
    ledger = Ledger(tuple(SampledMechanism(step, "1/50", 4) for step in steps))
    found = compose(ledger, delta="1e-5", tolerance="1/1000")
    assert found.complete
    assert composed == {"upper_side": 2, "lower_side": 1}


@pytest.mark.slow
def test_points_of_many_sizes_are_composed_at_few_scales(composed: Counter[str]) -> None:
    points = [f"{i}/4" for i in range(1, 25)]
    found = asked(LEDGERS["sampled"], points)
    sizes = [log10(double_of(mpq(upper))) for _, upper in found]
    scales = -(-(sizes[0] - sizes[-1]) // 4) + 1
    assert composed["lower_side"] <= scales
