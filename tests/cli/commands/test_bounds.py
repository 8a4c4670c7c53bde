"""``exactdp bounds``: what it prints, writes, draws and refuses."""

from __future__ import annotations

import csv
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from gmpy2 import mpq

from exactdp.cli.plotting import picture
from exactdp.composition.closed_forms.curves import panels
from exactdp.ledger.model import Ledger
from exactdp.verifier import verify_bytes
from tests.cli.running import GOOGLE, exactdp

HALVES = ("bounds", "-m", "0.5*100", "--delta", "2^-60")


def _cells(line: str) -> tuple[str, list[str]]:
    """The first cell of a row of a table, and the others; cells are two blanks apart or more."""
    first, *others = (cell.strip() for cell in line.split("  ") if cell)
    return first, others


def test_the_table_puts_the_bounds_beside_the_optimum() -> None:
    lines = exactdp(*HALVES).details
    assert lines[2] == "at δ   2^-60"
    assert lines[4].split("  ")[0] == "bound"
    cells = dict(_cells(line) for line in lines[5 : lines.index("", 5)])
    assert {
        "optimal composition": ["47.8240737201", "certificate"],
        "basic composition": ["50", "2.176", "computed"],
        "advanced composition": ["78.0369576237", "30.22", "computed"],
        "Kairouz–Oh–Viswanath, homogeneous": ["50", "2.176", "computed"],
        "Kairouz–Oh–Viswanath, heterogeneous": ["50", "2.176", "computed"],
        "Murtagh–Vadhan, Theorem 1.4": ["48", "0.176", "computed"],
    }.items() <= cells.items()
    assert lines[-1].endswith("   parameters fixed in advance, the same for all")


def test_what_does_not_apply_says_why() -> None:
    lines = exactdp("bounds", GOOGLE).details
    row = next(line for line in lines if line.startswith("Kairouz–Oh–Viswanath, homogeneous"))
    assert _cells(row)[1] == ["none", "the parameters are not the same for all"]


def test_an_infeasible_delta_is_an_answer() -> None:
    answer = exactdp("bounds", "-m", "1,1/10*2", "--delta", "18/100")
    assert answer.code == 0
    assert "infeasible: no finite ε is enough" in answer.out


def test_an_optimum_that_costs_too_much_is_said_to_be_missing() -> None:
    answer = exactdp("bounds", "-m", "0.1*1000000", "--delta", "1e-9", "--max-cost", "1")
    assert answer.code == 0
    assert "not found" in answer.out
    assert "100000" in answer.out


def test_every_bound_that_applies_writes_its_certificate(place: Path) -> None:
    result = exactdp(*HALVES, "--certificates", "made", "--json").result
    names = [*(row["formula"] for row in result["bounds"]), "optimum.upper", "optimum.lower"]
    assert result["files"] == [f"made/ledger.{name}.json" for name in names]
    assert {row["evidence"] for row in result["bounds"]} == {"certificate"}
    ends = [{"certified": result["optimum"][end]} for end in ("upper", "lower")]
    for row, name in zip([*result["bounds"], *ends], result["files"], strict=True):
        verdict = verify_bytes((place / name).read_bytes())
        assert verdict.status == "accepted"
        assert verdict.epsilon == str(mpq(row["certified"]))


@pytest.mark.slow
def test_a_table_and_the_points_of_the_curves_go_to_csv(place: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    assert exactdp(*HALVES, "--csv", "t.csv", "--plot", "p.svg").code == 0
    rows = list(csv.DictReader((place / "t.csv").read_text().splitlines()))
    assert [row["bound"] for row in rows[:3]] == [
        "Optimal",
        "basic composition",
        "advanced composition",
    ]
    assert {row["over"] for row in rows} == {"ledger", "k", "scale"}
    last = [row for row in rows if row["over"] == "k" and row["x"] == "100"]
    assert {row["bound"]: row["epsilon"][:5] for row in last} == {
        "Summing": "50",
        "DRV": "78.03",
        "KOV bound": "50",
        "Optimal": "47.82",
    }


@pytest.mark.slow
@pytest.mark.parametrize(("name", "begin"), [("a.png", b"\x89PNG\r\n"), ("a.SVG", b"<?xml")])
def test_curves_are_drawn_in_the_format_of_the_suffix(place: Path, name: str, begin: bytes) -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    assert exactdp(*HALVES, "--plot", name).code == 0
    assert (place / name).read_bytes().startswith(begin)


@pytest.mark.slow
def test_the_same_curves_are_the_same_picture() -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    drawn = panels(Ledger.of([("0.1", 0, 30)]), mpq(1, 10**6), points=5)
    pictures = {picture(drawn, "thirty", ".svg") for _ in range(2)}
    assert len(pictures) == 1
    ET.fromstring(pictures.pop())  # noqa: S314 (our own)


@pytest.mark.slow
def test_curves_that_are_astronomical_or_missing_are_drawn() -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    for entries in ([("900", 0, 3)], [("0.1", "1/2", 3)], []):
        drawn = panels(replace(Ledger.of(entries), empty=True), mpq(1, 10**6), points=4)
        assert picture(drawn, "odd", ".png")


def test_a_picture_needs_a_known_suffix() -> None:
    error = exactdp(*HALVES, "--plot", "a.pdf", "--json").error
    assert (error["field"], error["expected"]) == ("--plot", "a name ending in .png or .svg")


def test_a_missing_matplotlib_is_answered_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    answer = exactdp(*HALVES, "--plot", "a.png", "--json")
    assert answer.code == 2
    assert answer.error["code"] == "missing-dependency"
    assert answer.error["remedy"] == "pip install 'exactdp[plot]'"
    assert list(place.iterdir()) == []


def test_nothing_is_written_where_something_cannot_be(place: Path) -> None:
    answer = exactdp(*HALVES, "--csv", "no/such/place.csv", "--certificates", "made")
    assert answer.code == 2
    assert list(place.iterdir()) == []


def test_a_ledger_is_not_written_over_by_its_own_bounds(place: Path) -> None:
    ledger = place / "ledger.json"
    ledger.write_bytes(b'{"mechanisms": [{"epsilon": 1}]}')
    answer = exactdp("bounds", "ledger.json", "--delta", "0", "--csv", "ledger.json")
    assert answer.code == 2
    assert "a file other than the ledger" in answer.err
    assert ledger.read_bytes().startswith(b"{")


def test_a_picture_and_a_table_are_two_files(place: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    answer = exactdp(*HALVES, "--csv", "a.svg", "--plot", "a.svg")
    assert (answer.code, "a file other than --csv" in answer.err) == (2, True)
    assert list(place.iterdir()) == []


@pytest.mark.slow
def test_notions_and_noise_stand_beside_what_is_certified(place: Path) -> None:
    arguments = ("bounds", "-m", "rho=1/8*4", "--delta", "1e-6", "--certificates", "made")
    lines = exactdp(*arguments).details
    assert lines[5].split() == ["best", "certified", "5.2215344446", "certificate"]
    made = sorted(path.name for path in (place / "made").iterdir())
    assert made == [
        "ledger.optimum.lower.json",
        "ledger.optimum.upper.json",
        "ledger.zcdp-bun-steinke.json",
        "ledger.zcdp-canonne-kamath-steinke.json",
    ]
    noise = exactdp("bounds", "-m", "laplace=10*100", "--delta", "1e-6", "--json").result
    assert 0 <= float(noise["optimum"]["upper"]) - 4.692666 < 1e-4
    assert noise["bounds"][0]["bound"] == "basic composition, as ε"


def test_the_closed_forms_of_noise_are_those_of_noise_for_the_group() -> None:
    arguments = ("-m", "laplace=10*10", "-m", "discrete_gaussian=100*3", "--delta", "1e-6")
    answer = exactdp("bounds", *arguments, "--group", "2", "--certificates", "made")
    assert answer.code == 0
    assert "for groups of 2" in answer.lines[0]
    composed = exactdp("compose", *arguments, "--group", "2").lines[0]
    assert answer.lines[0].split(" at ")[0] == composed.split(" at ")[0]
    files = sorted(str(each) for each in Path("made").iterdir())
    assert len(files) == 2
    assert exactdp("verify", *files).code == 0
    on_samples = exactdp("bounds", "-m", "sigma=1,rate=1/9", "--delta", "1e-6", "--group", "2")
    assert on_samples.code == 2
    assert "compose --group 2 answers" in on_samples.err
