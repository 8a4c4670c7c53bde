"""The benchmark suite, without measuring: its problems, its protocol, its judgement, its page."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from bench import legends, noise
from bench.__main__ import main
from bench.machine import description
from bench.measuring import Cost, measured
from bench.noise_cells import TASKS as NOISE_TASKS
from bench.own import TASKS as STEPS
from bench.own import last_factors, ledger_text, request_for
from bench.peers import NOISE_PEERS, PEERS, QUESTION
from bench.peers import TASKS as PEER_TASKS
from bench.problems import (
    Problem,
    by_noise,
    cells,
    growth_in_cells,
    growth_in_digits,
    growth_in_mechanisms,
    growth_without_a_grid,
    hard,
    large,
    problems,
    small_deltas,
)
from bench.protocol import Outcome, Request, ask
from bench.report import decimal, judge, markdown
from bench.starting import page
from bench.suite import Plan, peer_request
from exactdp import read_ledger

ROWS = {problem.name: problem for problem in problems()}


def _total(problem: Problem) -> Fraction:
    return sum((Fraction(g.epsilon) * g.count for g in problem.groups), Fraction(0))


@pytest.mark.parametrize(
    ("name", "mechanisms", "distinct", "total", "delta"),
    [
        ("P1", 100, 1, "10", "2^-30"),
        ("P2", 1000, 1, "10", "2^-30"),
        ("P3", 50, 20, "4.75", "1e-6"),
        ("P4", 1000, 101, "51.010", "2^-40"),
        ("P5", 50, 20, "4.75", "2^-60"),
        ("P6", 10_000, 1, "100", "1e-9"),
        ("P8", 5, 5, "38.5", "1e-5"),
    ],
)
def test_the_rows_are_those_of_the_design(
    name: str, mechanisms: int, distinct: int, total: str, delta: str
) -> None:
    problem = ROWS[name]
    assert (problem.mechanisms, len(problem.groups)) == (mechanisms, distinct)
    assert _total(problem) == Fraction(total)
    assert problem.delta == delta


def test_p7_has_thirty_each_of_three_logarithms() -> None:
    groups = [(group.epsilon, group.count) for group in ROWS["P7"].groups]
    assert groups == [("ln(2)", 30), ("ln(3)", 30), ("ln(3/2)", 30)]
    assert cells(ROWS["P7"]) is None


def test_p9_has_two_thousand_distinct_ten_digit_epsilons() -> None:
    problem = ROWS["P9"]
    assert problem.mechanisms == len(problem.groups) == 2000
    assert problem.groups[1].epsilon == "0.0318398960"  # 0.001 + 0.0499 * 0.6180339887, rounded
    assert {group.delta for group in problem.groups} == {"1e-12"}
    assert min(Fraction(g.epsilon) for g in problem.groups) >= Fraction("0.001")


def test_small_deltas_reach_far_below_doubles_near_one() -> None:
    names = [problem.name for problem in small_deltas()]
    assert names == [
        *(f"P4@{delta}" for delta in ("2^-60", "1e-30", "2^-128")),
        *(f"P5@{delta}" for delta in ("2^-40", "1e-30", "2^-128")),
    ]


def test_growth_series_have_the_sizes_that_they_claim() -> None:
    assert [p.mechanisms for p in growth_in_mechanisms()] == [10**2, 10**3, 10**4, 10**5]
    for problem in growth_in_cells():
        assert problem.mechanisms == 100
        assert 9 < _total(problem) < 11
        assert _span(problem) == pytest.approx(problem.size, rel=0.1)
    assert [p.tolerance for p in growth_in_digits()] == [
        f"1e-{digits}" for digits in (6, 12, 24, 36, 48, 60)
    ]
    assert [p.mechanisms for p in large()] == [100, 10**9]
    assert [p.mechanisms for p in growth_without_a_grid()] == [*range(4, 21, 2)]


def test_hard_rows_are_those_that_have_no_small_grid() -> None:
    asked = {problem.name: problem for problem in hard()}
    assert asked["days@1e-12"].mechanisms == 365 * 20
    assert len(asked["many@1e-6"].groups) == asked["many@1e-6"].mechanisms == 10**4
    assert asked["million@1e-6"].mechanisms == 10**6
    assert len(asked["million@1e-6"].groups) == 1000
    assert asked["P9@1e-10"].groups == ROWS["P9"].groups
    assert [p.tolerance for p in hard()][-3:] == ["1e-8", "1e-10", "1e-9"]


def _span(problem: Problem) -> int:
    return sum(a * count for a, count in cells(problem) or [])


def test_a_request_and_an_outcome_survive_the_pipe() -> None:
    request = request_for("compose", ROWS["P3"], directory="somewhere")
    assert Request.from_json(request.to_json()) == request
    outcome = Outcome({"epsilon": "0.5"}, Cost(0.2, 0.1, 1024))
    assert Outcome.from_json(outcome.to_json()) == outcome
    assert Outcome.from_json(Outcome(error="no").to_json()) == Outcome(error="no")


FAKE_PEER = """
from bench.protocol import answer
def fake(request):
    print("noise on standard output does no harm")
    return lambda: {"epsilon": repr(sum(float(e) * n for e, _, n in request.groups))}
def broken(request):
    raise ValueError("not today")
answer({"fake": fake, "broken": broken})
"""


def test_a_fake_peer_answers_through_the_protocol() -> None:
    command = [sys.executable, "-c", FAKE_PEER]
    outcome = ask(command, Request("fake", (("0.5", "0", 3),), "1e-6"), timeout=60)
    assert outcome.error == ""
    assert outcome.values == {"epsilon": "1.5"}
    assert outcome.cost is not None
    assert outcome.cost.cpu >= 0
    assert ask(command, Request("broken"), timeout=60).error == "ValueError: not today"


def test_a_cell_that_dies_or_hangs_is_an_outcome() -> None:
    died = ask([sys.executable, "-c", "raise SystemExit(3)"], Request("x"), timeout=60)
    assert died.error == "exit 3: no output"
    slept = ask([sys.executable, "-c", "import time; time.sleep(60)"], Request("x"), timeout=0.2)
    assert slept.error == "more than 0.2 s"


def test_each_peer_gets_the_nearest_doubles() -> None:
    for peer in PEERS:
        assert peer.task in PEER_TASKS
        request = peer_request(peer, ROWS["P3"])
        first = json.loads(request.options[QUESTION])["mechanisms"][0]
        own = 0 if peer.environment == "autodp" else 1e-10  # pure: its δ moved into the global one
        assert first == {"epsilon": 0.01, "delta": own, "count": 3}


def test_rows_by_noise_are_dp_sgd_and_what_the_ledger_of_the_census_says() -> None:
    rows = {problem.name: problem for problem in by_noise()}
    ledger = (
        Path(__file__).parent.parent / "ledgers" / "by_noise" / "census_2020_pl94_us_units.json"
    )
    entries = json.loads(ledger.read_text(encoding="utf-8"))["mechanisms"]
    variances = [entry["discrete_gaussian"]["variance"] for entry in entries]
    assert rows["G2"].noise == tuple(f"discrete_gaussian={v},shifts=1+1" for v in variances)
    assert rows["S2"].noise == ("sigma=1.1,rate=256/60000*14063",)


def test_each_peer_is_asked_about_noise_in_the_nearest_doubles() -> None:
    rows = {problem.name: problem for problem in by_noise()}
    for peer in NOISE_PEERS:
        request = peer_request(peer, rows["S1"])
        assert request.task in PEER_TASKS
        assert json.loads(request.options[QUESTION])["mechanisms"] == [
            {"sigma": 1.0, "sensitivity": 1.0, "rate": 0.01, "count": 1000}
        ]


def test_our_own_steps_take_mechanisms_by_their_noise(tmp_path: Path) -> None:
    problem = Problem("G", "", (), "1e-3", "1e-2", noise=("discrete_laplace=2*3",))
    values = [STEPS[s](request_for(s, problem, directory=str(tmp_path)))() for s in _STEPS]
    assert Fraction(values[0]["upper"]) > Fraction(values[0]["lower"]) > 1
    assert values[2] == {"upper": "accepted", "lower": "accepted"}


_STEPS = ("compose", "certify", "verify")


def test_our_own_steps_run_one_after_the_other(tmp_path: Path) -> None:
    values = {}
    for step in ("compose", "certify", "verify", "yardstick"):
        call = STEPS[step](request_for(step, ROWS["P8"], directory=str(tmp_path)))
        values[step], cost = measured(call)
        assert cost.memory >= 0
    assert values["compose"]["lower"].startswith("3849998302")  # a fraction over a power of ten
    assert values["verify"] == {"upper": "accepted", "lower": "accepted"}
    assert values["yardstick"]["cells"] == "78"


def test_the_two_last_factors_multiply_to_the_counts() -> None:
    left, right = last_factors([(1, 2), (2, 1), (3, 1)])
    assert [int(n) for n in (left * right).coeffs()] == [1, 2, 2, 3, 3, 2, 2, 1]
    left, right = last_factors([(2, 3)])
    assert [int(n) for n in (left * right).coeffs()] == [1, 0, 3, 0, 3, 0, 1]


@pytest.mark.parametrize("form", ["csv", "json"])
def test_ledgers_to_read_are_ledgers(form: str) -> None:
    assert read_ledger(ledger_text(form, 20).encode()).size == 20


def test_an_answer_below_the_certified_interval_is_unsound() -> None:
    lower, upper = Fraction("1"), Fraction("1.000001")

    def judged(epsilon: str, error: str = "") -> tuple[str, bool]:
        found = judge({"values": {"epsilon": epsilon}, "error": error}, lower, upper)
        return found.verdict, found.comparable

    assert judged("0.9999999") == ("UNSOUND", True)
    assert judged("1.0000005") == ("sound", True)
    assert judged("1.5") == ("sound", False)
    assert judged("inf") == ("inf", False)
    assert judged("0", "ValueError") == ("error", False)
    assert decimal(Fraction(2, 3), 4) == "0.6666"


def test_a_plan_chooses_problems() -> None:
    names = [*ROWS, *(problem.name for problem in small_deltas())]

    def chosen(plan: Plan) -> list[str]:
        every = (*problems(), *small_deltas())
        return [problem.name for problem in every if plan.wants(problem)]

    assert chosen(Plan()) == names
    assert chosen(Plan(quick=True)) == ["P1", "P3", "P6", "P7", "P8"]
    assert chosen(Plan(only=("P4",))) == ["P4", "P4@2^-60", "P4@1e-30", "P4@2^-128"]


def test_a_page_is_made_from_results() -> None:
    cost = {"seconds": 0.002, "cpu": 0.001, "memory": 2**20}
    place = {
        "table": "rows",
        "problem": "P1",
        "title": "k=100, ε=0.1",
        "size": 0,
        "step": "compose",
    }
    own = {"values": {"lower": "5.9", "upper": "6", "method": "grid"}, "cost": cost, "error": ""}
    peer = {"values": {"epsilon": "5.5"}, "cost": {**cost, "cpu": 0.01}, "error": ""}
    noisy = {"table": "noise", "problem": "S1", "title": "DP-SGD"}
    shown = markdown(
        {
            "machine": dict(description()),
            "environments": {"peer": "installed"},
            "timeout": 60.0,
            "records": [
                {**place, "program": "exactdp", "outcome": own},
                {**place, "program": "peer", "outcome": peer},
                {**place, **noisy, "program": "exactdp", "outcome": own},
            ],
        }
    )
    assert "| **S1** DP-SGD | [5.900000, 6.000000] | 1 ms |  |  | 1.0 MiB |" in shown
    assert "| **P1** k=100, ε=0.1 | [5.900000, 6.000000] | 1 ms |  |  | 1.0 MiB |" in shown
    assert "| 1.0 MiB | **-4.0e-01**, 10 ms |" in shown


def _cell(program: str, step: str, values: dict[str, str], cpu: float) -> dict[str, object]:
    cost = {"seconds": cpu, "cpu": cpu, "memory": 2**20}
    outcome = {"values": values, "cost": cost, "error": "", "process": cpu + 1}
    table = "hard" if program == "exactdp" else "matched"
    place = {"table": table, "problem": "P", "title": "p", "size": 0, "program": program}
    return {**place, "step": step, "outcome": outcome}


def test_of_two_ways_to_compose_the_faster_is_shown() -> None:
    own = {"lower": "5.9", "upper": "6", "method": "fourier"}
    near = {"epsilon": "6.0005", "mesh": "1e-2"}
    shown = markdown(
        {
            "machine": dict(description()),
            "environments": {},
            "timeout": 60.0,
            "records": [
                _cell("exactdp", "compose", own, 0.5),
                _cell("dp-accounting, one by one", "within 1e-3", near, 4),
                _cell("dp-accounting, balanced tree", "within 1e-3", near, 2),
            ],
        }
    )
    assert "| 500 ms |  |  | within 1e-3: balanced tree, mesh 1e-2, 2 s, 4 × |" in shown


def test_each_way_to_compose_says_why_it_has_no_mesh() -> None:
    own = _cell("exactdp", "compose", {"lower": "5.9", "upper": "6", "method": "fourier"}, 0.5)
    failed = [
        {**_cell(f"dp-accounting, {way}", "within 1e-3", {}, 1), "outcome": {"error": reason}}
        for way, reason in (("one by one", "none in 60 s"), ("balanced tree", "no mesh"))
    ]
    again = {**own, "problem": "P@1e-9"}
    results = {"machine": dict(description()), "environments": {}, "timeout": 60.0}
    shown = markdown({**results, "records": [own, again, *failed]})
    assert "| 500 ms |  |  | one by one: none in 60 s; balanced tree: no mesh |" in shown
    assert "| **P@1e-9** | 1e-01, fourier | 500 ms |  |  |  |" in shown  # asked about once


def test_closed_forms_that_take_less_time_are_said_to() -> None:
    own = _cell("exactdp", "compose", {"lower": "5.9999", "upper": "6", "method": "grid"}, 0.5)
    quick = _cell("diffprivlib", "compose", {"epsilon": "6", "mesh": "1"}, 0.1)
    results = {"machine": dict(description()), "environments": {}, "timeout": 60.0}
    said = "The closed forms of diffprivlib take less time on P: exactdp does not beat them."
    assert said in markdown({**results, "records": [own, quick]})
    slow = _cell("diffprivlib", "compose", {"epsilon": "6", "mesh": "1"}, 0.9)
    assert "closed forms of diffprivlib" not in markdown({**results, "records": [own, slow]})


def test_legends_name_the_rows_that_are_wider_and_what_was_asked() -> None:
    told = legends.of_rows({"P1": Fraction("1e-13"), "P9": Fraction("7e-7")})
    assert "(1e-12 above it; P9: 1e-6)" in told
    assert "S1 and S2 to 5e-4, G1 and G2 to 1e-4 in ε" in legends.of_noise()


def test_the_page_says_where_another_program_is_faster_or_a_check_takes_long() -> None:
    own = {"lower": "5.9999", "upper": "6", "method": "fourier"}
    records = [
        _cell("exactdp", "compose", own, 0.5),
        _cell("exactdp", "verify", {}, 2.5),
        _cell("far off", "within", {"epsilon": "6.1", "mesh": "1"}, 0.1),
        _cell("below", "within", {"epsilon": "5.9995", "mesh": "1"}, 0.25),
        _cell("slower", "within", {"epsilon": "6", "mesh": "1"}, 0.6),
    ]
    results = {"machine": dict(description()), "environments": {}, "timeout": 60.0}
    shown = markdown({**results, "records": records})
    assert "sooner on 1 of 1 rows: P (below, UNSOUND: 250 ms against 500 ms)." in shown
    assert "as long as composing on 1 of 1: P (5). Given up or refused: nothing." in shown


def test_starts_stand_beside_what_they_are_held_against() -> None:
    times = {"three lines of Python": 0.1, "exactdp compose": 0.125}
    records = [
        {"table": "starting", "program": name, "outcome": {"cost": {"cpu": spent}}}
        for name, spent in times.items()
    ]
    assert "| `exactdp compose` | 125 ms | three lines of Python | 1.25 |" in page(records)
    assert page([]) == ""


def test_the_command_says_how_it_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["--help"])
    assert "--quick" in capsys.readouterr().out


def test_every_peer_of_a_row_of_noise_has_a_cell_and_its_entries_are_read() -> None:
    asked = {row.problem.name: row for row in noise.rows()}
    assert {peer.name for row in asked.values() for peer in row.peers} == NOISE_TASKS.keys()
    assert noise.entries(asked["D2"]) == [{"sigma": "1.1", "rate": "256/60000", "count": 14063}]
    assert noise.entries(asked["mixed"])[2] == {"epsilon": "0.05", "delta": "1e-9", "count": 20}


def test_what_is_lost_to_a_peer_at_equal_error_is_said_first() -> None:
    own = {"call": 0.2, "process": 1.0, "lower": "1", "upper": "1001/1000"}
    beside = {"p 1e-3": {"call": 0.1, "process": 2.0, "epsilon": "1.0004"}}
    slower = {"q rdp": {"call": 0.01, "process": 0.5, "epsilon": "1.2"}}
    row = {"name": "D1", "description": "steps", "cells": {"exactdp": own, **beside, **slower}}
    assert noise.lost([row]) == "D1 (p 1e-3: 2 times)"
    assert noise.lost([{**row, "cells": {"exactdp": own, **slower}}]) == "nothing"
    shown = noise.table([row]).splitlines()
    assert shown[2] == "| **D1** steps | exactdp | [1, 1.001] | 200 ms | | 1.0 s | |"
    assert shown[3] == "| | p 1e-3 | 1.0004 | 100 ms | 2 | 2.0 s | 0.5 |"
