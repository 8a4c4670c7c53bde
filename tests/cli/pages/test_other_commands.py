"""``--report`` on the commands that answer more than ``exactdp report`` asks: the same page."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

import pytest

from exactdp import verify
from exactdp.pages import assets
from exactdp.pages.page import FIRST_LINE
from exactdp.pages.workload import workload_findings
from exactdp.timing.clock import Clock
from exactdp.timing.reading import reading
from exactdp.workloads.certify import proofs_within
from exactdp.workloads.composing import compose_parallel
from exactdp.workloads.reading import read_workload
from tests.cli.pages.pages import Page
from tests.cli.running import LEDGERS, Answer, exactdp

CENSUS: Final = str(LEDGERS / "census_2020_dhc_us_persons.json")
PLAN: Final = ("--batch", "5", "--examples", "9", "--noise", "2", "--epochs", "1")
MECHANISM: Final = ("-m", "0.1,1e-9*50", "--delta", "1e-6")


@pytest.fixture(autouse=True)
def files(place: Path) -> None:
    """What the commands read."""
    queries = [{"epsilon": "1/2"}, {"epsilon": "1/4"}]
    workload = {"domain": {"age": {"size": 9}}, "name": "Two queries", "queries": queries}
    (place / "two.json").write_text(json.dumps(workload))
    exactdp("filter", "init", "week.log", "--budget", "rho=1/2", "--delta", "1e-6")
    exactdp("filter", "spend", "week.log", "-m", "rho=1/8", "--label", "<b>ages")


ASKED: Final[dict[str, tuple[str, ...]]] = {
    "audit": ("audit", CENSUS),
    "compose": ("compose", *MECHANISM),
    "crosscheck": ("crosscheck", *MECHANISM, "--value", "2", "--value", "5"),
    "dpsgd": ("dpsgd", *PLAN, "--delta", "1e-5"),
    "parallel": ("parallel", "two.json"),
    "filter": ("filter", "status", "week.log"),
}


def page_of(*arguments: str) -> tuple[Answer, Page]:
    answer = exactdp(*arguments, "--report", "page.html")
    return answer, Page(Path("page.html").read_bytes())


def test_the_claim_of_a_page_has_its_delta_as_a_power() -> None:
    _, _ = page_of("certify", *MECHANISM, "--epsilon", "4")
    decided = Path("page.html").read_text().partition("As it was decided")[2]
    assert '>claim</bdi></th><td><bdi>ε = 4 at δ = <span class="power">10<sup>−6</sup>' in decided


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_a_page_changes_neither_the_answer_nor_its_own_bytes(name: str) -> None:
    plain = exactdp(*ASKED[name])
    answer, page = page_of(*ASKED[name])
    assert (answer.code, answer.out) == (plain.code, plain.out)
    first = Path("page.html").read_bytes()
    assert first.startswith(FIRST_LINE)
    page_of(*ASKED[name])
    assert Path("page.html").read_bytes() == first
    assert len(page.all("div", "conclusion")) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_every_certificate_of_a_page_is_accepted_and_its_digest_stands_there(name: str) -> None:
    _, page = page_of(*ASKED[name])
    certificates = {each.attributes["download"] for each in page.all("a", "certificate")}
    assert certificates
    for file, data in page.files().items():
        if file in certificates:
            assert verify(data).status == "accepted", file
            assert hashlib.sha256(data).hexdigest() in [each.text for each in page.all("code")]


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_a_page_takes_the_place_of_a_page_alone(name: str) -> None:
    Path("page.html").write_text("mine")
    refused = exactdp(*ASKED[name], "--report", "page.html")
    assert (refused.code, refused.out) == (2, "")
    assert "--report" in refused.err
    assert Path("page.html").read_text() == "mine"
    assert exactdp(*ASKED[name], "--report", "page.html", "--force").code != 2


@pytest.mark.parametrize("name", ASKED)
def test_what_is_refused_writes_no_page(name: str) -> None:
    command, *others = ASKED[name]
    places = {"audit": 0, "parallel": 0, "filter": 1}
    if name in places:
        others[places[name]] = "missing"
    else:
        others[others.index("--delta") + 1] = "2"
    assert exactdp(command, *others, "--report", "page.html").code == 2
    assert not Path("page.html").exists()


def test_accountants_are_points_of_the_picture_and_rows_of_a_table() -> None:
    answer, page = page_of(*ASKED["crosscheck"])
    assert answer.code == 1
    marks = {each.attributes["class"]: each.inside[0].text for each in page.all("g")}
    assert marks == {
        "mark refuted": "a: a tool without a name, ε = 2 at δ = 1e-6",
        "mark proved": "b: a tool without a name, ε = 5 at δ = 1e-6",
    }
    assert page.all("div", "conclusion mixed")
    assert [name for name in page.files() if "accountant-1" in name]
    assert "UNSOUND: ε too small by at least" in page.all("main")[0].text


def test_a_question_about_delta_has_a_page_without_an_answer_about_epsilon() -> None:
    ledger = ("-m", "ln(3)*2", "--epsilon", "ln(3)")
    answer, page = page_of("crosscheck", *ledger, "--value", "0.9")
    assert answer.code == 0
    assert "names a δ at which to ask" in page.all("div", "conclusion")[0].text


@pytest.mark.slow
def test_a_plan_has_a_part_for_each_way_to_draw_batches_the_one_meant_first() -> None:
    _, page = page_of(*ASKED["dpsgd"], "--loader", "shuffled", "--all")
    titles = [each.text for each in page.all("h2")]
    loaders = ("shuffled", "", "allocated", "shuffled-keep-last", "fixed-size")
    assert titles[:5] == [f"DP-SGD{', ' * bool(each)}{each}" for each in loaders]
    assert len(page.all("div", "conclusion")) == len(loaders) + 1
    assert {"dpsgd-shuffled.upper.json", "dpsgd-shuffled.lower.json"} <= set(page.files())


def test_a_workload_stands_between_a_row_and_a_colouring() -> None:
    _, page = page_of(*ASKED["parallel"])
    assert "ε ≤ 0.75 at δ = 0" in page.all("div", "conclusion")[0].text
    files = page.files()
    assert list(files) == ["two.workload.json", "two.upper.json", "two.lower.json"]
    for bound in ("upper", "lower"):
        found = verify(files[f"two.{bound}.json"], ledger=files["two.workload.json"])
        assert found.status == "accepted"


def test_a_budget_is_shown_with_its_spends_and_what_it_promises() -> None:
    _, page = page_of(*ASKED["filter"])
    text = page.all("main")[0].text
    assert "all mechanisms that a budget of rho=0.5 pays for, chosen after the answers" in text
    assert "fully-adaptive" in text
    spends = next(each for each in page.all("table") if "that spend" in each.inside[0].text)
    assert [each.text for each in spends.inside[2].inside[0].inside][:4] == [
        "1",
        "<b>ages",
        "0.125",
        "0",
    ]
    assert page.files()["week.log"] == Path("week.log").read_bytes()


def test_a_claim_gives_an_audit_its_delta_where_the_ledger_names_none() -> None:
    claim = {"epsilon": "3", "delta": "1e-6", "basis": "composition", "source": "us"}
    ledger = {"mechanisms": [{"epsilon": "0.1", "count": 50}], "claims": [claim]}
    Path("mine.json").write_text(json.dumps(ledger))
    _, page = page_of("audit", "mine.json")
    rows = [each for each in page.all("div") if each.typed.startswith("at δ1")]
    assert [each.inside[1].typed for each in rows] == ["1e-6"]


def test_a_page_is_about_one_input() -> None:
    Path("folder").mkdir()
    answer = exactdp("compose", "folder", "--delta", "1e-6", "--report", "page.html", "--json")
    assert (answer.code, answer.error["field"]) == (2, "--report")


@pytest.mark.slow
def test_noise_has_a_page_without_shares_that_says_what_the_checker_does_not_know(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(assets, "UNKNOWN_FAMILIES", ("discrete_gaussian",))
    noise = {"discrete_gaussian": {"variance": "9", "shifts": ["1"]}, "count": 4, "label": "week"}
    Path("noise.json").write_text(json.dumps({"mechanisms": [noise], "target_delta": "1e-6"}))
    _, page = page_of("compose", "noise.json")
    text = page.all("main")[0].text
    assert "discrete gaussian (variance = 9, shifts = [1])" in text
    assert "no shares are shown" in text
    assert "2 of the 2 certificates of this page rest on what is not proved in Coq yet" in text
    assert "That the mechanisms add this very noise" in text
    assert page.all("svg", "profile")
    assert page.all("svg", "bar") == []


@pytest.mark.parametrize(("left", "is_drawn"), [(None, True), (1000.0, True), (1.5, False)])
def test_a_page_of_a_workload_draws_what_there_is_time_for(
    left: float | None, is_drawn: bool
) -> None:
    answer = compose_parallel(read_workload("two.json"), delta="1e-6")
    with reading(lambda: 0):
        proofs = proofs_within(answer, Clock(left))
        findings = workload_findings("two.json", answer, proofs, 10**11, left)
    assert (findings.band is not None) == is_drawn
    assert findings.proofs
