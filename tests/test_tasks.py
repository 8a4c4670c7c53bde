"""Five tasks side by side: the scripts print what is kept, wherever their program is installed."""

from __future__ import annotations

import os
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from bench.protocol import ROOT
from bench.tasks import OURS, PEERS, TASKS, Row, answer, judged, kept

PLACES = [ROOT / ".bench", *map(Path, os.environ.get("EXACTDP_PEERS", "").split(os.pathsep))]
KEPT = {(row.task, row.program): row for row in kept()}
ROUNDING = Decimal("1e-9")


def test_every_script_has_an_answer_that_is_kept() -> None:
    asked = [(place, program) for place, task in enumerate(TASKS) for program in task.scripts]
    assert list(KEPT) == asked
    assert {program for _, program in asked} == {OURS, *PEERS}


def test_an_answer_is_judged_by_the_certified_ends() -> None:
    ends = [Decimal(2), Decimal(3)]
    for printed, verdict in (
        ("1.5", "too small by about 0.5"),
        ("3.5", "too large"),
        ("2.5", "within 1e-9"),
    ):
        assert verdict in judged(Row(0, "opendp", printed, 0), ends)


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(TASKS)))
def test_exactdp_prints_what_is_kept(place: int) -> None:
    printed, _ = answer(TASKS[place].scripts[OURS], OURS, Path(sys.executable))
    assert printed == KEPT[place, OURS].printed


@pytest.mark.peer
@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "program"), [(place, program) for place, program in KEPT if program != OURS]
)
def test_another_program_prints_what_is_kept(place: int, program: str) -> None:
    found = [python for each in PLACES if (python := each / program / "bin" / "python").exists()]
    if not found:
        pytest.skip(f"{program} is not installed in .bench or below EXACTDP_PEERS")
    printed, _ = answer(TASKS[place].scripts[program], program, found[0])
    assert abs(Decimal(printed) - Decimal(KEPT[place, program].printed)) <= ROUNDING
