"""Points of curves by ρ, μ and noise are the bounds of the ledgers that they stand for."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from exactdp.composition.answers.compose import compose
from exactdp.composition.closed_forms.curves import BEST, panels
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    ConcentratedMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    GaussianMechanism,
    PairMechanism,
)

DELTA = mpq(1, 1000)


@pytest.mark.parametrize(
    "entry",
    [
        ConcentratedMechanism("1/8", 4),
        GaussianMechanism("1/2", 4),
        DiscreteLaplaceMechanism(2, (1,), 4),
    ],
)
def test_the_last_point_of_both_axes_is_no_better_than_what_compose_gives(entry: Entry) -> None:
    ledger = Ledger((entry,))
    along_counts, along_scale = panels(ledger, DELTA, points=2)
    assert [point.x for point in along_counts.points] == [2, 4]
    assert [point.x for point in along_scale.points] == [1, 2]
    truth = compose(ledger, delta=DELTA)
    assert truth.lower is not None
    for point in (along_counts.points[-1], along_scale.points[0]):
        assert truth.lower <= point.upper[BEST] < truth.lower + mpq(1, 2)
        assert point.upper[BEST] <= min(point.upper.values()) + mpq(1, 100)


def test_a_table_has_no_scale_and_one_panel() -> None:
    table = Ledger((PairMechanism(["3/4", "1/4"], ["1/4", "3/4"], 2),))
    [panel] = panels(table, DELTA, points=2)
    assert panel.over == "k"
    assert panel.points[0].upper[BEST] < panel.points[1].upper[BEST]


def test_work_beyond_the_limit_leaves_gaps() -> None:
    ledger = Ledger((DiscreteLaplaceMechanism(2, (3,), 4),))
    [point] = panels(ledger, DELTA, points=1, max_cost=1)[0].points
    assert BEST not in point.upper
