"""Points that share a mesh compose it once, and say what each would say by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.engines.mesh.sides import LowerPld, UpperPld
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

    def counting(side: type[UpperPld | LowerPld]) -> Callable[..., Any]:
        made = side.of

        def of(*given: Any, **named: Any) -> Any:  # noqa: ANN401 (whatever a side is made of)
            found[side.__name__] += 1
            return made(*given, **named)

        return of

    for side in (UpperPld, LowerPld):
        monkeypatch.setattr(side, "of", staticmethod(counting(side)))
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
    assert once == {"UpperPld": 4, "LowerPld": 1}  # two directions, rough and fine
    assert composed == once


def test_a_rough_mesh_is_composed_once_for_an_answer(composed: Counter[str]) -> None:
    compose(LEDGERS["sampled"], delta="1e-5", tolerance="1/2000")
    assert composed == {"UpperPld": 4, "LowerPld": 1}
