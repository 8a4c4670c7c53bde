"""Logs for each team of one sheet: what each spent, and all of them made or none."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest

from exactdp.spending.history import history
from tests.cli.running import exactdp

SHEET: Final = """Team;Datum;Release;Epsilon;Delta;Anzahl
Sales;05.01.2026;Umsatz;0,1;0;3
R & D;07.01.2026;Nutzung;0,25;0;1
Sales;03.02.2026;Umsatz;0,1;0;2
;;Gesamt;0,75;;6
"""
SPLIT: Final = ("filter", "import", "year.log", "sheet.csv", "--from", "csv", "--split", "team")
BUDGET: Final = ("--budget", "epsilon=1,delta=1e-9")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sheet.csv").write_text(SHEET, encoding="utf-8")
    return tmp_path


def logs(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.log"))


def test_each_team_of_a_sheet_has_a_log_of_its_own_spends(folder: Path) -> None:
    answer = exactdp(*SPLIT, *BUDGET, "--share", "Sales=epsilon=2,delta=1e-9")
    assert answer.code == 0
    assert answer.lines[0].startswith("Of 2 budgets, together epsilon=3,")
    assert logs(folder) == ["year.R-D.log", "year.Sales.log"]
    spent = {name: history(name).spent for name in logs(folder)}
    assert {name: Fraction(str(each.size)) for name, each in spent.items()} == {
        "year.R-D.log": Fraction(1, 4),
        "year.Sales.log": Fraction(1, 2),
    }
    assert str(history("year.Sales.log").budget) == "epsilon=2,delta=1e-9"
    assert exactdp("filter", "history", "year.Sales.log", "year.R-D.log").out == answer.out


def test_json_has_the_teams_as_history_has_them() -> None:
    result = exactdp(*SPLIT, *BUDGET, "--json").result
    assert [each["log"] for each in result["logs"]] == ["year.Sales.log", "year.R-D.log"]
    assert result["budget"] == {"epsilon": "2", "delta": "1/500000000"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--budget", "epsilon=0.3"), "which is left of epsilon=0.3"),
        ((*BUDGET, "--share", "sales=epsilon=1"), "expected one of Sales, R & D"),
        ((*BUDGET, "--share", "Sales=rho=1"), "budgets that add up"),
        (("--budget", "mu=1"), "a budget of mu counts Gaussian mechanisms alone"),
        ((), "--budget KIND=B"),
    ],
)
def test_what_does_not_fit_or_add_up_makes_no_log(
    more: tuple[str, ...], said: str, folder: Path
) -> None:
    answer = exactdp(*SPLIT, *more)
    assert (answer.code in (1, 2), answer.out) == (True, "")
    assert said in answer.err
    assert logs(folder) == []


def test_a_log_that_is_there_stays_and_no_other_is_made(folder: Path) -> None:
    assert exactdp("filter", "init", "year.R-D.log", *BUDGET).code == 0
    before = (folder / "year.R-D.log").read_bytes()
    assert exactdp(*SPLIT, *BUDGET).code == 2
    assert logs(folder) == ["year.R-D.log"]
    assert (folder / "year.R-D.log").read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("R & D;07", ";07", "whose spend it is, in every row"),
        ("R & D;07", "sales;07", "names differ"),
        ("R & D;07", "&;07", "names differ"),
        ("Team;", "Abteilung;", "expected one of Abteilung, time, Release"),
    ],
)
def test_a_sheet_that_does_not_say_whose_each_spend_is_is_refused(
    old: str, new: str, said: str, folder: Path
) -> None:
    (folder / "sheet.csv").write_text(SHEET.replace(old, new), encoding="utf-8")
    answer = exactdp(*SPLIT, *BUDGET)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert logs(folder) == []


def test_numbers_may_name_teams(folder: Path) -> None:
    sheet = SHEET.replace("Sales", "17").replace("R & D", "4")
    (folder / "sheet.csv").write_text(sheet, encoding="utf-8")
    assert exactdp(*SPLIT, *BUDGET).code == 0
    assert logs(folder) == ["year.17.log", "year.4.log"]


def test_only_a_table_is_split_and_shares_need_a_split(folder: Path) -> None:
    (folder / "steps.json").write_text("[[0.1, 0]]")
    asked = ("filter", "import", "x.log", "steps.json", "--from", "smartnoise-sql", *BUDGET)
    assert "a column of --from csv" in exactdp(*asked, "--split", "team").err
    assert "--split COLUMN beside it" in exactdp(*asked, "--share", "a=epsilon=1").err
    assert logs(folder) == []
