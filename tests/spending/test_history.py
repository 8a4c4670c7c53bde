"""What was spent by month and label: exact sums, and nothing of a log that is broken."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest

from exactdp.errors import InputError
from exactdp.spending.history import history, month_of
from tests.cli.running import exactdp

ROWS: Final = (
    ("2026-01-05T09:00:00Z", "ages", "1/100"),
    ("2026-01-20", "income", "1/50"),
    ("2026-02-05T09:00:00+01:00", "ages", "1/100"),
    ("2026-04-05T09:00:00.5Z", "$x$", "1/10"),
    ("2026-04-06T09:00:00Z", "", "1/1000"),
)


NEIGHBOURS: Final = "replace-one"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    lines = ["time,label,rho", *(",".join(row) for row in ROWS)]
    Path("spends.csv").write_text("\n".join(lines) + "\n")
    asked = ("--from", "csv", "--budget", "rho=1/2", "--delta", "1e-6")
    assert exactdp("filter", "import", "year.log", "spends.csv", *asked).code == 0
    return "year.log"


def test_sums_are_those_of_the_rows(log: str) -> None:
    expected: dict[tuple[str, str], list[Fraction]] = defaultdict(list)
    for time, label, rho in ROWS:
        expected[time[:7], label].append(Fraction(rho))
    found = history(log)
    sums = {
        (month.name, label): (each.lines, Fraction(str(each.charge.size)))
        for month in found.months
        for label, each in month.labels.items()
    }
    assert sums == {key: (len(each), sum(each)) for key, each in expected.items()}
    assert found.left()[-1].size == Fraction(1, 2) - sum(Fraction(row[2]) for row in ROWS)


def test_the_table_and_json_say_the_same(log: str) -> None:
    answer = exactdp("filter", "history", log)
    assert answer.lines[0] == (
        "Of the budget rho=0.5, ρ = 0.141 was spent in 5 lines, in 3 months: ρ = 0.359 is left."
    )
    rows = [" ".join(line.split()) for line in answer.lines]
    assert "2026-01 in all 2 ρ = 0.03 ρ = 0.47" in rows
    assert "2026-04 (no label) 1 ρ = 0.001" in rows
    result = exactdp("filter", "history", log, "--json").result
    assert [each["month"] for each in result["months"]] == ["2026-01", "2026-02", "2026-04"]
    assert result["months"][0]["left"] == {"size": "47/100", "delta": "0"}


def test_what_is_spent_now_belongs_to_the_month_of_its_line(log: str) -> None:
    assert exactdp("filter", "spend", log, "-m", "rho=1/10", "--label", "ages").code == 0
    *_, last = history(log).months
    written = json.loads(Path(log).read_text().splitlines()[-1])
    assert last.name == written["time"][:7]
    assert Fraction(str(last.whole.charge.size)) == Fraction(1, 10)


def test_a_label_that_only_looks_like_a_time_is_a_label() -> None:
    for label in ("2026", "2026-01 ages", "x2026-01-05 ages", "2026-01-05ages"):
        assert month_of(label, "2026-03-01T00:00:00.000Z") == ("2026-03", label)


def test_a_log_that_is_not_as_it_was_written_has_no_history(log: str) -> None:
    path = Path(log)
    path.write_bytes(path.read_bytes().replace(b"income", b"incomes"))
    answer = exactdp("filter", "history", log)
    assert (answer.code, answer.out) == (2, "")
    assert "exactdp filter audit" in answer.err
    with pytest.raises(InputError, match="as it was written"):
        history(log)


def test_an_empty_log_has_an_empty_history(tmp_path: Path) -> None:
    log = str(tmp_path / "w.log")
    assert exactdp("filter", "init", log, "--budget", "epsilon=1").code == 0
    answer = exactdp("filter", "history", log)
    assert answer.lines == [
        "Of the budget epsilon=1, ε = 0 was spent in 0 lines, in 0 months: ε = 1 is left."
    ]


def test_the_budgets_of_teams_on_the_same_data_add_up(tmp_path: Path, log: str) -> None:
    other = str(tmp_path / "team.log")
    assert exactdp("filter", "init", other, "--budget", "rho=1/4").code == 0
    assert exactdp("filter", "spend", other, "-m", "rho=1/8", "--label", "sales").code == 0
    answer = exactdp("filter", "history", log, other)
    assert answer.lines[0] == (
        "Of 2 budgets, together rho=0.75, ρ = 0.266 was spent in 6 lines: ρ = 0.484 is left."
    )
    assert sum(line.startswith(other) for line in answer.lines) == 2
    result = exactdp("filter", "history", log, other, "--json").result
    assert result["budget"] == {"rho": "3/4", "delta": "0"}
    assert [each["log"] for each in result["logs"]] == [log, other]
    both = exactdp("filter", "history", log, other, "--plot", "a.svg", "--json")
    assert (both.code, both.error["field"]) == (2, "--plot")
    twice = exactdp("filter", "history", log, log)
    assert (twice.code, "each log once" in twice.err) == (2, True)


@pytest.mark.parametrize(
    ("budget", "more"),
    [("epsilon=1", ()), ("rho=1", ("--unit", "person")), ("rho=1", ("--neighbouring", NEIGHBOURS))],
)
def test_budgets_that_do_not_add_up_are_refused(
    budget: str, more: tuple[str, ...], tmp_path: Path, log: str
) -> None:
    other = str(tmp_path / "team.log")
    assert exactdp("filter", "init", other, "--budget", budget, *more).code == 0
    answer = exactdp("filter", "history", log, other)
    assert (answer.code, answer.out) == (2, "")
    assert "LOG…" in answer.err


@pytest.mark.slow
def test_months_are_drawn_and_stand_on_the_page(log: str) -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    for name in ("a.svg", "b.svg"):
        assert exactdp("filter", "history", log, "--plot", name).code == 0
    assert Path("a.svg").read_bytes() == Path("b.svg").read_bytes()
    assert exactdp("filter", "status", log, "--report", "page.html").code == 0
    assert "What was spent in each month, and for what" in Path("page.html").read_text()
