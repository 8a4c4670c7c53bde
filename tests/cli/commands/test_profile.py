"""``exactdp profile``: δ for each ε."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exactdp.timing.reading import reading
from tests.cli.running import exactdp
from tests.workloads.workloads import stepping


def test_the_profile_is_a_table_with_columns_that_line_up() -> None:
    answer = exactdp("profile", "-m", "ln(2)*3", "--epsilon", "0.0", "--epsilon", "ln(2)")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == (
        "ε ≤ 0 at δ = 0.48148148149 (certified; 1 more point below): 3 mechanisms run in turn, "
        "each free to depend on the answers before.\n"
        "\n"
        "3 mechanisms\n"
        "\n"
        "ε       δ at least      δ at most\n"
        "0       0.48148148148   0.48148148149\n"
        "ln(2)   0.22222222222   0.22222222223\n"
    )


def test_json_holds_the_same_for_programs() -> None:
    result = exactdp("profile", "-m", "ln(3)*2", "--epsilon", "ln(3)", "--json").result
    assert result == {
        "profile": [
            {
                "epsilon": "ln(3)",
                "delta": {"lower": "0.375", "upper": "0.375"},
                "evidence": "certificate",
            }
        ],
        "mechanisms": 2,
        "neighbouring": "unspecified",
    }


@pytest.mark.parametrize("tolerance", ["1e-40", "1e-9", "0.3", "1", "1e6"])
def test_each_interval_is_within_the_relative_tolerance(tolerance: str) -> None:
    points = exactdp(
        "profile", "-m", "0.1,1e-5*10", "-m", "ln(2)", "--json",
        "--tolerance", tolerance, "--epsilon", "0", "--epsilon", "1", "--epsilon", "9",
    ).result["profile"]  # fmt: skip
    for point in points:
        low, high = (Fraction(point["delta"][end]) for end in ("lower", "upper"))
        assert 0 < low <= high
        assert high - low <= Fraction(tolerance) * low


def test_beyond_the_sum_of_all_epsilons_only_the_failures_are_left() -> None:
    answer = exactdp("profile", "-m", "1,1/10*2", "--epsilon", "2", "--epsilon", "1e30")
    assert [line.split() for line in answer.details[3:]] == [
        ["2", "0.19", "0.19"],
        ["1e30", "0.19", "0.19"],
    ]


def test_the_order_of_the_epsilons_is_kept() -> None:
    points = exactdp(
        "profile", "-m", "1", "--epsilon", "0.5", "--epsilon", "0", "--epsilon", "0.5", "--json"
    ).result["profile"]
    assert [point["epsilon"] for point in points] == ["0.5", "0", "0.5"]


@pytest.mark.slow
def test_a_time_limit_gives_the_best_certain_intervals_so_far() -> None:
    mechanisms = [f"-m0.0{digits}" for digits in range(1234567, 1234567 + 40 * 7919, 7919)]
    limits = ("--epsilon", "1/9", "--epsilon", "1/8", "--tolerance", "1e-40", "--method", "bracket")
    with reading(stepping()):
        points = exactdp("profile", *mechanisms, *limits, "--time-limit", "4", "--json").result
    for point in points["profile"]:
        assert Fraction(point["delta"]["lower"]) < Fraction(point["delta"]["upper"])
    assert exactdp("profile", *mechanisms, *limits).code == 3


def test_a_time_limit_is_refused_beside_groups() -> None:
    question = ("-m", "0.1*3", "--epsilon", "1", "--group", "2", "--time-limit", "1")
    answer = exactdp("profile", *question)
    assert (answer.code, answer.out) == (2, "")
    assert "--time-limit: 1: expected not to be given with --group 2" in answer.err
