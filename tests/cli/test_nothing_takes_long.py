"""Extreme noise under every command: answered within a limit of work, or refused with what fits.

Work is counted, not timed: values of profiles, and products by their lengths.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from exactdp.composition.engines.mesh import cells as meshes
from exactdp.composition.engines.mesh.cells import Cells, LossMesh
from tests.cli.running import exactdp

MOST_COST: Final = 2 * 10**7
SIDES: Final = 100
"""How many sides one answer may have, each within the limit: tilts are searched one by one, and a
budget asks at each of the few scales that it tries."""

FAMILIES: Final = (
    "mu=20,rate=1/2",
    "mu=30,rate=1/2",
    "mu=100,rate=1/2",
    "mu=20,rate=1e-9",
    "mu=1e-9,rate=1/2",
    "sigma=1e-3,rate=1/100",
    "laplace=1/100,rate=1/2",
    "laplace=1e-9",
    "laplace=1e9,rate=1/2",
    "discrete_laplace=1e-6",
    "discrete_laplace=1/50,shifts=20,rate=1/3",
    "discrete_laplace=100,shifts=1000",
    "discrete_gaussian=1e9",
    "discrete_gaussian=1,shifts=30",
    "bounded_range=30",
    "bounded_range=900",
    "bounded_range=30,rate=1/2",
)
COUNTS: Final = (1, 10, 1000, 10**18)
BOUNDARY_CASES: Final = (
    *list(product(FAMILIES, COUNTS))[::3],  # three and four have no common divisor: all are met
    ("discrete_gaussian=1,shifts=30", 10**6),  # an ε of 10^8 beside few enough losses
)
AT: Final = ("--delta", "1e-6")
LIMIT: Final = ("--max-cost", str(MOST_COST))
COMMANDS: Final[dict[str, tuple[str, ...]]] = {
    "compose": ("compose", *AT),
    "profile": ("profile", "--epsilon", "1", "--epsilon", "100"),
    "certify": ("certify", "--epsilon", "1", *AT, "--output", "made.json"),
    "bounds": ("bounds", *AT),
    "budget": ("budget", "--epsilon", "1", *AT, "--tolerance", "0.1"),
}


@dataclass
class Work:
    """What was done, in units of about a nanosecond."""

    spent: int = 0


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Work:
    """A count of values and products; more than all sides may take is an error at once."""
    monkeypatch.chdir(tmp_path)
    done, value, times = Work(), meshes.value, Cells.times

    def add(cost: int) -> None:
        done.spent += cost
        if done.spent > SIDES * MOST_COST:
            raise AssertionError(done.spent)

    def counted(*given: Any, **named: Any) -> Any:  # noqa: ANN401 (as it is)
        add(10_000)
        return value(*given, **named)

    def multiplied(self: Cells, other: Cells, mesh: LossMesh) -> Cells:
        add((self.length + other.length) * mesh.digits)
        return times(self, other, mesh)

    monkeypatch.setattr(meshes, "value", counted)
    monkeypatch.setattr(Cells, "times", multiplied)
    return done


def _answered(work: Work, *arguments: str) -> None:
    answer = exactdp(*arguments, *LIMIT, "--json")
    assert answer.code in (0, 1, 2, 3), answer.out
    assert work.spent <= SIDES * MOST_COST
    if answer.code > 1:
        assert answer.error["expected"]


@pytest.mark.slow
@pytest.mark.parametrize(("family", "count"), BOUNDARY_CASES)
@pytest.mark.parametrize("command", COMMANDS)
def test_extreme_noise_is_answered_within_the_limit_or_refused(
    work: Work, command: str, family: str, count: int
) -> None:
    first, *others = COMMANDS[command]
    _answered(work, first, "-m", f"{family}*{count}", *others)


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 10])
@pytest.mark.parametrize("mu", [20, 30, 100])
def test_extreme_noise_of_queries_is_too(work: Work, mu: int, count: int) -> None:
    queries = [
        {"label": f"q{i}", "where": {"a": ["x"]}, "mu": mu, "rate": "1/2"} for i in range(count)
    ]
    workload = {"domain": {"a": {"values": ["x", "y"]}}, "queries": queries}
    Path("workload.json").write_text(json.dumps(workload), encoding="utf-8")
    _answered(work, "parallel", "workload.json", *AT)
