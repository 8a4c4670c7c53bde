"""The points of the curves are the bounds of the ledgers that they stand for."""

from __future__ import annotations

from itertools import pairwise

from gmpy2 import mpq

from exactdp.composition.answers.compose import compose
from exactdp.composition.closed_forms.curves import OPTIMAL, beginning, panels
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Mechanism

LEDGER = Ledger.of([("0.1", "1e-9", 30), ("0.2", 0, 10), ("0.1", 0, 5)])
DELTA = mpq(1, 10**6)
NAMES = {"Summing", "DRV", "KOV bound", OPTIMAL}


def test_the_beginning_of_a_ledger_keeps_its_order() -> None:
    first = beginning(LEDGER, 33).mechanisms
    assert first == (Mechanism("0.1", "1e-9", 30), Mechanism("0.2", 0, 3))
    assert beginning(LEDGER, 45).mechanisms == LEDGER.mechanisms


def test_along_k_stand_the_first_mechanisms() -> None:
    along_k, _ = panels(LEDGER, DELTA, points=9)
    assert [point.x for point in along_k.points] == [5, 10, 15, 20, 25, 30, 35, 40, 45]
    for point in along_k.points:
        assert set(point.upper) == NAMES
        truth = compose(beginning(LEDGER, int(point.x)), delta=DELTA)
        assert truth.lower is not None
        assert 0 <= point.upper[OPTIMAL] - truth.lower < point.upper["Summing"] / 5000
        assert point.upper[OPTIMAL] <= min(point.upper.values())


def test_along_epsilon_stand_scaled_ledgers() -> None:
    _, along_scale = panels(LEDGER, DELTA, points=4)
    assert along_scale.label == "factor of every ε of 45 mechanisms"
    assert [point.x for point in along_scale.points] == [mpq(1, 2), 1, mpq(3, 2), 2]
    sums = [point.upper["Summing"] for point in along_scale.points]
    assert sums == [mpq("2.75"), mpq("5.5"), mpq("8.25"), 11]
    for one, other in pairwise(along_scale.points):
        assert all(one.upper[name] < other.upper[name] for name in NAMES)


def test_the_axis_is_epsilon_itself_where_all_share_it() -> None:
    _, along_scale = panels(Ledger.of([("0.1", 0, 4), ("0.1", "1e-9", 2)]), DELTA, points=2)
    assert [point.x for point in along_scale.points] == [mpq(1, 10), mpq(1, 5)]
    assert along_scale.label == "ε of each of 6 mechanisms"


def test_where_a_theorem_says_nothing_its_curve_has_a_gap() -> None:
    lossy = Ledger.of([("0.1", "1e-7", 12)])
    along_k, _ = panels(lossy, DELTA, points=12)
    names = [set(point.upper) for point in along_k.points]
    assert names[8] == NAMES
    assert names[9] == NAMES - {"DRV"}  # 10·1e-7 leaves nothing, but Δ > 0 still
    assert names[11] == set()  # infeasible


def test_work_beyond_the_limit_leaves_a_gap_in_the_optimum_alone() -> None:
    along_k, _ = panels(LEDGER, DELTA, points=2, max_cost=1)
    assert [set(point.upper) for point in along_k.points] == [NAMES - {OPTIMAL}] * 2


def test_a_ledger_without_mechanisms_has_an_axis_and_no_points() -> None:
    along_k, along_scale = panels(Ledger((), empty=True), DELTA, points=2)
    assert along_k.points == ()
    assert {point.upper[OPTIMAL] for point in along_scale.points} == {0}
