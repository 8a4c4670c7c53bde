"""One large problem on all cores: what is printed and written is that of one core."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from exactdp.cli import progress
from exactdp.composition.engines import splitting
from exactdp.many.mapping import Calls
from tests.cli.running import exactdp, files_below

WILD: Final = tuple(
    part for number in range(10_007, 20_000, 1_001) for part in ("-m", f"0.{number},1e-9*2")
)
ASKED: Final = ("--delta", "1e-6", "--method", "bracket", "--tolerance", "1e-5", "--json")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Everything is large, and there are two cores; the pools of processes that were started."""
    found: list[int] = []

    class Counted(Calls):
        def __init__(self, jobs: int) -> None:
            found.append(jobs)
            super().__init__(jobs)

    monkeypatch.setattr("exactdp.many.mapping.Calls", Counted)
    monkeypatch.setattr(progress, "cores", lambda: 2)
    return found


@pytest.mark.slow
def test_a_bracket_on_two_cores_prints_and_writes_what_it_does_on_one(
    place: Path, started: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, files = [], []
    for least in (splitting.LEAST_COST, 0):
        monkeypatch.setattr(splitting, "LEAST_COST", least)
        monkeypatch.setattr(splitting, "LEAST_BITS", least)
        answers.append(exactdp("compose", *WILD, *ASKED, "--certificates", "made").out)
        files.append(files_below(place / "made"))
    assert answers[0] == answers[1]
    assert files[0] == files[1]
    assert len(files[0]) == 2
    assert started == [2]


@pytest.mark.slow
def test_a_worker_of_many_starts_no_others(place: Path, started: list[int]) -> None:
    mechanisms = [{"epsilon": f"0.{number}", "count": 2} for number in range(10_007, 20_000, 1_001)]
    document = {"target_delta": "1e-6", "mechanisms": mechanisms}
    (place / "wild.json").write_text(json.dumps(document))
    alone = exactdp("compose", "wild.json", "--method", "bracket", "--tolerance", "1e-5", "--json")
    for jobs in ("1", "2"):
        many = exactdp(
            "compose", "wild.json", "--method", "bracket", "--tolerance", "1e-5", "--jobs", jobs
        )
        assert json.loads(many.out)["result"] == alone.result
    assert started == []
