"""Pictures of answers: drawn where they are asked for, of what was certified, and of one ledger."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from gmpy2 import mpq

import exactdp as library
from exactdp.cli.answer_pictures import ClaimRow, ProfileMark, band_picture, claims_picture
from exactdp.pages.profile_band import profile_band
from tests.cli.running import GOOGLE, LEDGERS, exactdp
from tests.marking import slow_after

CENSUS = str(LEDGERS / "census_2020_pl94_us_persons.json")
OUTCOMES = LEDGERS.parent / "examples" / "outcomes"
ASKED = [
    ("compose", GOOGLE),
    ("compose", "-m", "rho=1/8*4", "-m", "mu=1", "--delta", "1e-6"),
    ("compose", "-m", "0.1*9", "--delta", "0"),
    ("compose", "-m", "1,1/10*2", "--delta", "18/100"),
    ("compose", "-m", "0.1*9", "--delta", "1e-400"),
    ("profile", "-m", "0.1,1e-9*50", "--epsilon", "1", "--epsilon", "ln(9)"),
    ("profile", "-m", "1", "--epsilon", "0"),
    ("risk", "-m", "0.1,1e-9*50"),
    ("attack", f"{OUTCOMES}/many_runs.json", "--against", "3,1e-5"),
    ("attack", f"{OUTCOMES}/many_runs.json", "--against", GOOGLE),
    ("attack", f"{OUTCOMES}/one_run.json", "--against", "1,1e-6"),
    ("attack", f"{OUTCOMES}/one_run.json", "--delta", "1e-5"),
    ("audit", GOOGLE, CENSUS),
    ("audit", "no_claims.json"),
]


@pytest.fixture(autouse=True)
def _matplotlib(place: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    (place / "no_claims.json").write_text('{"mechanisms": [], "empty": true}')


@pytest.mark.slow
@pytest.mark.parametrize("arguments", slow_after(2, ASKED), ids=" ".join)
def test_a_picture_is_written_and_named_and_changes_nothing_else(
    place: Path, arguments: tuple[str, ...]
) -> None:
    plain = exactdp(*arguments)
    drawn = exactdp(*arguments, "--plot", "a.svg")
    assert (drawn.code, drawn.err) == (plain.code, plain.err)
    assert drawn.out == f"{plain.out}\nwritten: a.svg\n"
    first = (place / "a.svg").read_bytes()
    ET.fromstring(first)  # noqa: S314 (our own)
    again = exactdp(*arguments, "--plot", "a.svg", "--json")
    assert (again.result["plot"], (place / "a.svg").read_bytes()) == ("a.svg", first)


@pytest.mark.parametrize("command", ["compose", "profile", "risk", "audit"])
def test_a_picture_that_cannot_be_drawn_is_refused_before_the_work(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = (command, GOOGLE, *(("--epsilon", "1") if command == "profile" else ()))
    assert exactdp(*asked, "--plot", "a.pdf", "--json").error["field"] == "--plot"
    assert "a file other than the ledger" in exactdp(*asked, "--plot", GOOGLE).err
    assert exactdp(*asked, "--plot", "no/such/place.png").code == 2
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    error = exactdp(*asked, "--plot", "a.png", "--json").error
    assert error["remedy"] == "pip install 'exactdp[plot]'"


@pytest.mark.parametrize(
    "arguments",
    [
        ("compose", GOOGLE, CENSUS, "--delta", "1e-6"),
        ("compose", GOOGLE, "--jobs", "1"),
        ("audit", GOOGLE, "--jobs", "1"),
        ("compose", GOOGLE, "--group", "2"),
        ("profile", GOOGLE, "--epsilon", "1", "--group", "2"),
    ],
)
def test_a_picture_is_of_one_ledger_and_of_no_group(
    place: Path, arguments: tuple[str, ...]
) -> None:
    answer = exactdp(*arguments, "--plot", "a.png")
    assert (answer.code, "--plot" in answer.err) == (2, True)
    assert not (place / "a.png").exists()


def test_the_band_holds_the_answer_and_reaches_beyond_it() -> None:
    ledger = library.Ledger.of([("0.1", "1e-9", 50)])
    answer = library.compose(ledger, delta="1e-6")
    assert answer.upper is not None
    band = profile_band(ledger, answer.upper, [], max_cost=10**12)
    places = [point.epsilon.rational for point in band]
    assert (places[0], places[-1]) == (mpq(0), answer.upper * mpq(5, 4))
    [there] = [point for point in band if point.epsilon.rational == answer.upper]
    assert there.lower <= answer.delta <= there.upper * mpq(1001, 1000)
    assert all(point.lower <= point.upper for point in band)


@pytest.mark.slow
def test_marks_and_claims_are_named_in_the_picture() -> None:
    band = profile_band(library.Ledger.of(["1"]), mpq(1), [], max_cost=10**12)
    marks = [ProfileMark("a $claim$", mpq(1), mpq(1, 10**9), "refuted")]
    drawn = band_picture(band, marks, "a title $of$ ours " * 9, ".svg").decode()
    comments = re.findall(r"<!-- (.*?) -->", drawn)
    assert "a $claim$" in comments
    assert "1e-12" in comments
    bounds = [("sum", mpq(1, 2)), ("far", mpq(10) ** 400)]
    rows = [ClaimRow("ours: 1 at δ = 0", "proved", bounds)]
    comments = re.findall(r"<!-- (.*?) -->", claims_picture(rows, "claims", ".svg").decode())
    assert {"ours: 1 at δ = 0", "sum  × 0.5", "far  × more than 1e300"} <= {*comments}
    assert claims_picture([], "nothing", ".png").startswith(b"\x89PNG")
