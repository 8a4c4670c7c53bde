"""Every kind of workload under a clock that is over once it was asked so often.

No second passes here but by asking: whenever the time is up, the answer is an enclosure of what is
answered without a limit, and nothing long is begun any more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from gmpy2 import mpq

from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.results import Composition
from exactdp.composition.answers.rounded import different_epsilons
from exactdp.ledger.model import Ledger
from exactdp.timing.clock import Clock, TimeIsUpError
from exactdp.workloads import anytime
from exactdp.workloads.bitsets import members
from exactdp.workloads.composing import compose_parallel
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.json_workload import read
from exactdp.workloads.sensitivity import l1_sensitivity
from exactdp.workloads.workload import Workload
from tests.cli.running import Answer, exactdp
from tests.marking import slow_after
from tests.workloads.workloads import PatientClock

SIZE: Final = 30
QUERIES: Final = 16
ASKED: Final = (1, 30, 1000)
SELDOM: Final = (1, 100)
LIMIT: Final = 60
FEW_LEVELS: Final = (4, 8)
REFUSED: Final = 3
MOST_ASKED_LATE: Final = 1000
"""How often a clock may still be asked once it is over: by loops that end with what they have."""


class AskedTime:
    """Time that passes by being asked, until the limit is reached after so many times."""

    def __init__(self) -> None:
        self.asked = 0
        self.step = 0.0
        self.late = 0
        self.begun_late: list[str] = []

    def over_after(self, times: int) -> None:
        """Start anew."""
        self.asked, self.step, self.late = 0, LIMIT / times, 0

    @property
    def now(self) -> float:
        """Seconds since the start."""
        return self.asked * self.step

    def monotonic(self) -> float:
        """What a clock reads."""
        self.asked += 1
        self.late += self.now > LIMIT
        if self.late > MOST_ASKED_LATE:
            raise AssertionError(self.late)
        return self.now

    def monotonic_ns(self) -> int:
        """What a deadline reads: asked while there is time, it lets none pass."""
        return int(self.now * 10**9)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AskedTime:
    """Clocks read asked time, and a composition of many different ε is one of more than four."""
    monkeypatch.chdir(tmp_path)
    passing = AskedTime()
    monkeypatch.setattr("exactdp.timing.clock.read", passing.monotonic)
    monkeypatch.setattr("exactdp.timing.deadlines.now", passing.monotonic_ns)
    monkeypatch.setattr("exactdp.composition.refining.read", lambda: passing.now)
    monkeypatch.setattr(anytime, "_LEVELS", FEW_LEVELS)
    monkeypatch.setattr(anytime, "_FEWER", 1)

    def noted(ledger: Ledger, **options: Any) -> Composition:  # noqa: ANN401 (what compose takes)
        kinds = different_epsilons(ledger) if mpq(options["delta"]) else 0
        if kinds > FEW_LEVELS[0] and passing.now > LIMIT + 2 * passing.step:
            passing.begun_late.append(f"a composition of {kinds} different ε")
        return compose(ledger, **options)

    monkeypatch.setattr(anytime, "compose", noted)
    return passing


@pytest.fixture(params=["searched", "swept"])
def swept(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Small workloads, and the same as if they were large."""
    name: str = request.param
    if name == "swept":
        for module in ("composing", "cheapest", "overlap"):
            monkeypatch.setattr(f"exactdp.workloads.{module}.MOST_UNSWEPT", 0)
    return name


def _point(random: Random) -> object:
    return [str(random.randrange(SIZE))]


def _range(random: Random) -> object:
    return {"range": sorted(random.sample(range(SIZE + 1), 2))}


def _list(random: Random) -> object:
    return [str(value) for value in random.sample(range(SIZE), 7)]


def _complement(random: Random) -> object:
    return {"not": [str(value) for value in random.sample(range(SIZE), 3)]}


SHAPES: Final = {"points": _point, "ranges": _range, "lists": _list, "complements": _complement}

PARAMETERS: Final[Mapping[str, Sequence[Mapping[str, object]]]] = {
    "one ε": [{"epsilon": "1/10"}],
    "few ε": [{"epsilon": text} for text in ("1/10", "1/5", "ln(2)")],
    "all ε different": [{"epsilon": f"{i + 1}/{3 * QUERIES}"} for i in range(QUERIES)],
    "all logarithms": [{"epsilon": f"ln({i + 2}/{i + 1})"} for i in range(9)],
    "all δ too": [
        {"epsilon": f"{i + 1}/{3 * QUERIES}", "delta": f"{i + 1}/10000000000"}
        for i in range(QUERIES)
    ],
    "ρ": [{"rho": f"{i + 1}/1000"} for i in range(QUERIES)],
    "μ": [{"mu": f"{i + 1}/100"} for i in range(QUERIES)],
    "ε, ρ and μ": [{"epsilon": "1/10"}, {"rho": "1/100"}, {"mu": "1/10"}],
    "different ε beside a ρ": [
        {"epsilon": f"{i + 1}/{3 * QUERIES}"} if i else {"rho": "1/100"} for i in range(QUERIES)
    ],
    "different ε, ρ and μ": [
        [{"epsilon": f"{i + 1}/50"}, {"rho": f"{i + 1}/1000"}, {"mu": f"{i + 1}/100"}][i % 3]
        for i in range(QUERIES)
    ],
}

NOISE: Final[Mapping[str, Mapping[str, object]]] = {
    "laplace": {"laplace": {"scale": 10, "sensitivity": 1}},
    "discrete laplace": {"discrete_laplace": {"scale": 10, "shifts": [1]}},
    "discrete gaussian": {"discrete_gaussian": {"variance": 50, "shifts": [1]}},
    "gaussian, sampled": {"sigma": 2, "sensitivity": 1, "rate": "1/50"},
    "laplace, sampled": {"laplace": {"scale": 2, "sensitivity": 1}, "rate": "1/10"},
    "bounded range": {"bounded_range": "1/10"},
}

SHAPE_OF: Final = dict(zip(PARAMETERS, cycle(SHAPES), strict=False))
"""One shape of predicates for each kind of parameters, so that every shape meets several."""

PURE: Final = ("one ε", "few ε", "all ε different", "all logarithms")
DIFFERENT_NOISE: Final[Mapping[str, Sequence[Mapping[str, object]]]] = {
    "laplace": [{"laplace": {"scale": 10 + i, "sensitivity": 1}} for i in range(6)],
    "discrete laplace": [{"discrete_laplace": {"scale": 10 + i, "shifts": [1]}} for i in range(6)],
    "discrete gaussian": [
        {"discrete_gaussian": {"variance": 50 + i, "shifts": [1]}} for i in range(6)
    ],
    "gaussian, sampled": [
        {"sigma": 2 + i, "sensitivity": 1, "rate": f"1/{50 - i}"} for i in range(6)
    ],
    "laplace, sampled": [
        {"laplace": {"scale": 2 + i, "sensitivity": 1}, "rate": "1/10"} for i in range(6)
    ],
}


def written(
    shape: str,
    given: Sequence[Mapping[str, object]],
    *,
    neighbouring: str = "add-remove-one",
    queries: int = QUERIES,
) -> bytes:
    """A workload over two attributes, with these parameters in turn."""
    random = Random(7)  # noqa: S311 (a fixed sample)
    listed = [
        {
            "where": {name: SHAPES[shape](random) for name in random.choice((("a",), ("a", "b")))},
            **given[i % len(given)],
        }
        for i in range(queries)
    ]
    values = [str(value) for value in range(SIZE)]
    domain = {name: {"values": values} for name in ("a", "b")}
    document = {"neighbouring": neighbouring, "domain": domain, "queries": listed}
    return json.dumps(document).encode()


@cache
def unlimited(data: bytes, delta: str) -> tuple[mpq, mpq]:
    """The enclosure without any limit."""
    lower, upper = compose_parallel(read(data), delta=delta, time_limit=None).optimum
    assert lower is not None
    assert upper is not None
    return lower, upper


def answered(data: bytes, *options: str) -> Answer:
    """What the command says of a workload."""
    Path("workload.json").write_bytes(data)
    return exactdp("parallel", "workload.json", "--time-limit", str(LIMIT), "--json", *options)


def assert_encloses(answer: Answer, truth: tuple[mpq, mpq]) -> None:
    """Both intervals, the certified and the searched one, share a value with the known one."""
    assert answer.code == 0, answer.out + answer.err
    for name in ("epsilon", "optimum"):
        ends: dict[str, Any] = answer.result[name]
        assert mpq(ends["lower"]) <= truth[1]
        assert ends["upper"] == "inf" or mpq(ends["upper"]) >= truth[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parameters", "delta"),
    [*((each, "1e-6") for each in PARAMETERS), *((each, "0") for each in PURE)],
)
def test_whenever_the_time_is_up_a_workload_is_enclosed(
    asked: AskedTime, swept: str, parameters: str, delta: str
) -> None:
    data = written(SHAPE_OF[parameters], PARAMETERS[parameters])
    truth = unlimited(data, delta)
    for times in ASKED:
        asked.over_after(times)
        assert_encloses(answered(data, "--delta", delta), truth)
        assert asked.begun_late == [], (swept, times)


@pytest.mark.slow
@pytest.mark.parametrize("parameters", ["one ε", "few ε", "all ε different", "ρ"])
def test_where_one_row_replaces_another_it_is_enclosed_too(
    asked: AskedTime, swept: str, parameters: str
) -> None:
    data = written(
        SHAPE_OF[parameters], PARAMETERS[parameters], neighbouring="replace-one", queries=12
    )
    truth = unlimited(data, "1e-6")
    for times in ASKED:
        asked.over_after(times)
        assert_encloses(answered(data, "--delta", "1e-6"), truth)
        assert asked.begun_late == [], (swept, times)


@pytest.mark.parametrize("family", slow_after(1, NOISE))
def test_queries_by_their_noise_are_enclosed_too(asked: AskedTime, family: str) -> None:
    data = written("ranges", [NOISE[family], {"epsilon": "1/10"}], queries=6)
    truth = unlimited(data, "1e-6")
    for times in SELDOM:
        asked.over_after(times)
        assert_encloses(answered(data, "--delta", "1e-6"), truth)


@pytest.mark.slow
@pytest.mark.parametrize("family", DIFFERENT_NOISE)
def test_different_noise_is_rounded_or_refused_whenever_the_time_is_up(
    asked: AskedTime, monkeypatch: pytest.MonkeyPatch, family: str
) -> None:
    data = written("ranges", DIFFERENT_NOISE[family], queries=4)
    truth = unlimited(data, "1e-6")
    monkeypatch.setattr(anytime, "_LEVELS_OF_NOISE", (2,))
    for times in (1, 100):
        asked.over_after(times)
        answer = answered(data, "--delta", "1e-6", "--tolerance", "1e-2")
        if answer.code == REFUSED:
            assert answer.error["field"] == "time_limit"
        else:
            assert_encloses(answer, truth)


@pytest.mark.parametrize("given", slow_after(1, ["laplace", "gaussian, sampled"]))
def test_what_there_was_no_time_for_is_named(asked: AskedTime, given: str) -> None:
    data = written("ranges", [NOISE[given]], queries=6)
    asked.over_after(1)
    answer = answered(data, "--delta", "1e-6")
    assert "noise" in answer.result["out_of_time"]
    assert "noise" not in answer.result["gains"]
    asked.over_after(1)
    said = exactdp("parallel", "workload.json", "--time-limit", str(LIMIT), "--delta", "1e-6")
    assert "--time-limit left no time for it" in said.out
    asked.over_after(10**6)
    whole = answered(data, "--delta", "1e-6")
    assert "out_of_time" not in whole.result
    assert "noise" in whole.result["gains"]


def test_with_all_the_time_nothing_is_rounded(asked: AskedTime) -> None:
    data = written("ranges", PARAMETERS["all ε different"])
    asked.over_after(10**6)
    answer = answered(data, "--delta", "1e-6")
    sequence = answer.result["sequential_epsilon"]
    assert mpq(sequence["upper"]) - mpq(sequence["lower"]) <= mpq(1, 10**9)


# --- in Python ----------------------------------------------------------------------------------


def _lists() -> Workload:
    return read(written("lists", PARAMETERS["one ε"]))


@pytest.mark.parametrize("times", ASKED)
def test_a_facet_is_found_or_the_clock_is_asked(times: int) -> None:
    graph = QueryGraph.of(_lists())
    try:
        facet = graph.facet(0, PatientClock(times))
    except TimeIsUpError:
        assert graph.facet(0) is not None
    else:
        assert facet == graph.facet(0)


@pytest.mark.parametrize("times", ASKED)
def test_the_sensitivity_is_enclosed_whenever_the_time_is_up(times: int) -> None:
    asked = _lists()
    found, exact = l1_sensitivity(asked, clock=PatientClock(times)), l1_sensitivity(asked)
    assert exact.exact
    assert found.lower <= exact.lower <= found.upper
    assert len(list(members(found.queries))) == found.lower
    assert l1_sensitivity(asked, clock=Clock()).exact
