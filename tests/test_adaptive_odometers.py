"""What is asked of other tools' odometers after every step, and how their readings are judged."""

from __future__ import annotations

import sys
from fractions import Fraction

from tools.adaptive_odometers import SCRIPTS, Judged, Spend, analyst, answers, exceeded, judged

THREE: list[Spend] = [("0.1", "0")] * 3
STAND_IN = (
    "import json, sys\n"
    "for line in sys.stdin: print(json.dumps([[float(e), 0.0] for e, d in json.loads(line)]))"
)


def test_sums_are_never_refuted_and_never_fall() -> None:
    assert judged(THREE, [(0.1, 0.0), (0.2, 0.0), (0.3, 0.0)]) == Judged(None, None)


def test_a_reading_below_what_the_steps_lose_is_refuted_there() -> None:
    assert judged(THREE, [(0.1, 0.0), (0.15, 0.0), (0.3, 0.0)]) == Judged(None, 2)


def test_a_reading_that_falls_is_told_even_where_it_is_true() -> None:
    assert judged(THREE, [(0.1, 0.5), (0.2, 0.4), (0.3, 0.3)]) == Judged(2, None)


def test_a_filter_is_judged_in_exact_rationals() -> None:
    ten: list[Spend] = [("0.1", "0")] * 10
    nothing = Fraction(0)
    assert exceeded(ten, [True] * 10) == (nothing, nothing)
    assert exceeded([*ten, ("0.02", "0")], [True] * 11) == (Fraction(1, 50), nothing)
    assert exceeded(ten, [True] * 9 + [False]) == (nothing, Fraction(1, 10))


def test_an_analyst_is_the_same_each_time_and_adaptive_unless_told() -> None:
    assert analyst(1, equal=False, delta="0") == analyst(1, equal=False, delta="0")
    assert len(set(analyst(1, equal=False, delta="0"))) > 1
    assert len(set(analyst(1, equal=True, delta="0"))) == 1


def test_a_tool_is_asked_in_an_interpreter_of_its_own() -> None:
    [readings] = answers(sys.executable, STAND_IN, [THREE])
    assert [reading and tuple(reading) for reading in readings] == [(0.1, 0.0)] * 3
    for script in SCRIPTS.values():
        compile(script, "script", "exec")
