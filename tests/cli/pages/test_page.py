"""A report: its bytes, its structure, and that a ledger cannot speak in its name."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from gmpy2 import mpq

from exactdp import verify
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.pages import assets
from exactdp.pages import picture as drawing
from exactdp.pages.assets import checker_knows, unknown_families, unknown_rules
from exactdp.pages.page import FIRST_LINE
from exactdp.verifier.rules import RULES
from tests.cli.pages.pages import Page, report
from tests.cli.running import GOOGLE, LEDGERS, exactdp
from tests.proofs.unproved import UNKNOWN_FAMILIES, WITHOUT_CHECK

CENSUS = str(LEDGERS / "census_2020_dhc_us_persons.json")
AMPLIFIED = str(LEDGERS / "recurve_ohmconnect_2020.json")
ASSETS = Path(assets.__file__).parent
BY_DIVERGENCES = "rho,laplace,sensitivity,count\n1/10,,,1\n,2,1,2\n"
HOSTILE = "</script><img src=x onerror=alert(1)>\u202e\x1b[31m\" onclick='x'"


def test_the_same_ledger_gives_the_same_bytes_wherever_it_lies() -> None:
    report(GOOGLE)
    first = Path("report.html").read_bytes()
    Path("other").mkdir()
    shutil.copy(GOOGLE, "other")
    report(str(Path("other") / Path(GOOGLE).name))
    assert Path("report.html").read_bytes() == first
    assert first.startswith(FIRST_LINE)


@pytest.mark.parametrize(
    ("ledger", "standing", "headword", "code"),
    [
        (GOOGLE, "proved", "Proved", 0),
        (CENSUS, "proved", "Proved", 0),
        (AMPLIFIED, "unsettled", "Not settled", 0),
    ],
)
def test_the_first_sentence_says_what_the_exit_code_says(
    ledger: str, standing: str, headword: str, code: int
) -> None:
    answer, page = report(ledger)
    assert answer.code == code
    [conclusion] = page.all("div", "conclusion")
    assert standing in conclusion.attributes["class"].split()
    assert [each.text for each in page.all("p", "headword")] == [headword]
    assert page.all("div", "limits")[0].inside[0].text == "What this does not say"


def test_what_no_epsilon_keeps_is_red_without_a_claim() -> None:
    Path("failing.csv").write_text("epsilon,delta,count\n1,1/10,2\n")
    answer, page = report("failing.csv", "--delta", "1/10")
    assert answer.code == 0
    assert page.all("div", "conclusion infeasible")
    assert list(page.files()) == ["failing.ledger.json", "failing.lower.json"]


def test_what_costs_too_much_is_grey_and_exit_code_3() -> None:
    entry = {"laplace": {"scale": 10}, "count": 100000}
    Path("long.json").write_text(json.dumps({"mechanisms": [entry]}))
    answer, page = report("long.json", "--delta", "1e-4", "--max-cost", "1")
    assert answer.code == 3
    assert page.all("div", "conclusion unsettled")
    assert list(page.files()) == ["long.ledger.json"]


def test_the_numbers_are_those_of_compose() -> None:
    ends = exactdp("compose", GOOGLE, "--json").result["epsilon"]
    _, page = report(GOOGLE)
    texts = [each.text for each in page.all("dd")]
    assert f"ε ≤ {ends['upper']}" in texts
    assert f"ε ≥ {ends['lower']}" in texts
    assert f"ε ≤ {ends['upper']} at δ = 1e-6" in page.all("div", "conclusion")[0].typed


def test_every_certificate_is_inside_and_accepted_about_the_ledger_inside() -> None:
    answer, page = report(GOOGLE)
    files = page.files()
    ledger = files.pop("google_mobility_2020_user_day.ledger.json")
    assert {"google_mobility_2020_user_day.upper.json"} < files.keys()
    assert answer.out.count(str(len(files)))
    for name, data in files.items():
        assert verify(data, ledger=ledger).status == "accepted", name
        assert hashlib.sha256(data).hexdigest() in [each.text for each in page.all("code")]


def test_json_names_the_digests_of_what_was_written() -> None:
    result = exactdp("report", CENSUS, GOOGLE, "-o", "report.html", "--json").result
    data = Path("report.html").read_bytes()
    assert result["sha256"] == hashlib.sha256(data).hexdigest()
    assert [each["standing"] for each in result["ledgers"]] == ["proved", "proved"]
    files = Page(data).files()
    for ledger in result["ledgers"]:
        for each in ledger["certificates"]:
            assert hashlib.sha256(files[each["name"]]).hexdigest() == each["sha256"]


def test_several_ledgers_have_an_overview() -> None:
    answer, page = report(GOOGLE, CENSUS)
    assert answer.code == 0
    [nav] = page.all("nav")
    targets = {each.attributes["id"] for each in page.all("section")}
    links = [each for each in page.all("a") if each.attributes["href"].startswith("#")]
    assert {each.attributes["href"][1:] for each in links} == targets - {"verify", "words"}
    assert [each.text for each in page.all("strong")] == ["Proved", "Proved"]
    assert nav.attributes["aria-label"]


# --- the page as such ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    """A report on three ledgers."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    exactdp("report", GOOGLE, CENSUS, AMPLIFIED, "-o", str(path))
    return Page(path.read_bytes())


def test_nothing_is_loaded_from_anywhere(page: Page) -> None:
    for each in page.elements:
        assert "src" not in each.attributes
        href = each.attributes.get("href", "#")
        assert href.startswith(("#", "data:application/json;base64,"))
        assert not any(key.startswith("on") or key == "style" for key in each.attributes)
    assert page.all("link") == []
    assert "url(" not in page.all("style")[0].text


def test_the_policy_allows_the_page_itself_and_nothing_else(page: Page) -> None:
    [meta] = [each for each in page.all("meta") if "http-equiv" in each.attributes]
    policy = meta.attributes["content"]
    assert policy.startswith("default-src 'none'; ")
    [style] = page.all("style")
    scripts = [each for each in page.all("script") if "type" not in each.attributes]
    for kind, [element] in (("style", [style]), ("script", scripts)):
        digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}';" in policy
    assert "unsafe" not in policy


def test_the_checker_stands_in_the_page_as_in_the_package(page: Page) -> None:
    [checker] = [each for each in page.all("script") if "type" in each.attributes]
    data = (ASSETS / "checker.js").read_bytes()
    assert checker.text.encode() == data
    assert hashlib.sha256(data).hexdigest() in page.all("footer")[0].text
    assert checker.attributes == {"type": "text/plain", "id": "checker"}


@pytest.mark.parametrize("name", ["checker.js", "page.js"])
def test_no_script_of_ours_ends_before_its_end(name: str) -> None:
    text = (ASSETS / name).read_text(encoding="utf-8").lower()
    assert "</script" not in text
    assert "<!--" not in text


def test_the_checker_is_known_to_lack_the_rules_that_are_not_proved_yet() -> None:
    assert set(unknown_rules()) == WITHOUT_CHECK
    entries = [{family: "1"} for family in UNKNOWN_FAMILIES]
    assert {*unknown_families(entries)} == {*UNKNOWN_FAMILIES} == {*assets.UNKNOWN_FAMILIES}
    assert all(checker_knows(name) for name in RULES.keys() - WITHOUT_CHECK)
    assert set(assets.UNKNOWN_OF_NOISE) < RULES.keys() - WITHOUT_CHECK
    noise, parameters = {"laplace": "1", "count": "1"}, {"mu": "1", "count": "1"}
    assert assets.is_by_noise([parameters, noise]) > assets.is_by_noise([parameters])


@pytest.mark.slow
def test_what_the_checker_does_not_know_is_said_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unknown = ("mesh-upper",)
    monkeypatch.setattr(assets, "UNKNOWN_RULES", unknown)
    Path("divergences.csv").write_text(BY_DIVERGENCES)
    answer, page = report("divergences.csv", "--delta", "1e-6")
    assert answer.code == 0
    rules = [json.loads(data)["derivation"] for data in list(page.files().values())[1:]]
    assert any(step["rule"] in unknown for steps in rules for step in steps)
    sentences = [each.text for each in page.all("dd") if "has no proof for the rule" in each.text]
    assert sentences
    assert all("exactdp.verifier checked and accepted it" in each for each in sentences)


def test_the_promise_is_linked_to_its_certificate(page: Page) -> None:
    parts = page.all("data")
    assert [each.attributes["data-part"] for each in parts[:2]] == ["epsilon", "delta"]
    links = {each.attributes["id"] for each in page.all("a", "certificate")}
    assert {each.attributes["data-proof"] for each in parts} <= links
    assert all(each.typed == each.attributes["value"] for each in parts)


def test_identifiers_are_unique_and_references_have_targets(page: Page) -> None:
    known = [each.attributes["id"] for each in page.elements if "id" in each.attributes]
    assert len(set(known)) == len(known)
    for each in page.elements:
        for key in ("aria-labelledby", "aria-describedby"):
            assert set(each.attributes.get(key, "").split()) <= set(known)


def test_a_screen_reader_finds_its_way(page: Page) -> None:
    assert page.all("html")[0].attributes["lang"] == "en"
    levels = [int(each.name[1]) for each in page.elements if re.fullmatch("h[1-6]", each.name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))
    for each in page.all("table"):
        assert each.inside[0].name == "caption"
        assert each.inside[0].text
    assert all(each.attributes["scope"] in ("row", "col") for each in page.all("th"))
    for each in page.all("svg"):
        named = each.attributes.get("role") == "img" and each.inside[0].name == "title"
        assert named or each.attributes.get("aria-hidden") == "true"
    assert {"header", "main", "footer"} <= {each.name for each in page.elements}


def test_the_picture_has_its_points_in_a_table(page: Page) -> None:
    pictures = page.all("svg", "profile")
    tables = [each for each in page.all("table") if each.inside[0].text == "Points of the curve"]
    assert len(pictures) == len(tables) == 3
    for picture, points in zip(pictures, tables, strict=True):
        [band] = [each for each in picture.inside if each.attributes.get("class") == "band"]
        assert len(re.findall("[MLC]", band.attributes["d"])) == 2 * len(points.inside[2].inside)


def test_claims_are_marked_by_shape_as_well_as_by_colour() -> None:
    Path("claims.json").write_text(
        json.dumps(
            {
                "format": "exactdp-ledger/1",
                "mechanisms": [{"epsilon": "0.1", "delta": "1e-9", "count": 50}],
                "target_delta": "1e-6",
                "claims": [
                    {"epsilon": "5", "delta": "1e-6", "basis": "composition", "source": "a"},
                    {"epsilon": "2", "delta": "1e-6", "basis": "composition", "source": "b"},
                    {"epsilon": "1", "delta": "1e-6", "basis": "amplification", "source": "c"},
                ],
            }
        )
    )
    answer, page = report("claims.json")
    assert answer.code == 1
    marks = {each.attributes["class"]: each.inside[1].name for each in page.all("g")}
    assert marks == {"mark proved": "circle", "mark refuted": "path", "mark unsettled": "rect"}


def test_other_accountants_are_judged_as_claims_and_drawn_as_points() -> None:
    Path("fifty.csv").write_text("epsilon,delta,count\n0.1,1e-9,50\n")
    values = ("--value", "low=2", "--value", "5")
    answer, page = report("fifty.csv", "--delta", "1e-6", *values)
    assert answer.code == 1
    marks = [each.attributes["class"] for each in page.all("g")]
    assert marks == ["mark refuted", "mark proved"]
    texts = [each.text for each in page.all("dd")]
    assert "low, given with --value" in texts
    assert "another accountant, given with --value" in texts
    [refutation] = [name for name in page.files() if name.endswith("claim-1.grid.lower.json")]
    assert verify(page.files()[refutation], claim=("2", "1e-6")).settles.startswith("refutes")


def test_a_cover_says_who_made_the_report_for_whom_and_when() -> None:
    ledger = json.loads(Path(GOOGLE).read_bytes())
    said = {"prepared_by": "us", "prepared_for": "them", "date": "today", "version": "<b>2"}
    Path("cover.json").write_text(json.dumps(ledger | {"source": ledger["source"] | said}))
    _, page = report("cover.json")
    [header] = page.all("header")
    cover = [each.text for each in header.inside[2].inside]
    assert cover == ["prepared byus", "prepared forthem", "datetoday", "version<b>2"]
    assert report(GOOGLE)[1].all("header")[0].inside[2:] == []


def test_the_number_stands_alone_and_large_with_a_power_as_its_delta() -> None:
    _, page = report(GOOGLE)
    [number] = page.all("div", "number")
    assert number.typed == "All together ε ≤ 2.5631831173 at δ = 1e-6"
    assert page.all("sup")[0].text == "−6"


@pytest.mark.parametrize(
    ("mechanism", "text"),
    [
        ("variance=2", "μ² = 0.5"),
        ("gaussian_rho=0.81", "μ² = 1.62"),
        ("mu=1/2", "μ = 0.5 (noise multiplier 2)"),
    ],
)
def test_gaussian_noise_is_a_row_of_the_table_whatever_it_is_given_by(
    mechanism: str, text: str
) -> None:
    asked = ("-m", mechanism, "--delta", "1e-6", "-o", "report.html")
    assert exactdp("report", *asked).code == 0
    page = Page(Path("report.html").read_bytes())
    assert text in [each.text for each in page.all("td")]


def test_several_ledgers_stand_side_by_side_with_their_numbers() -> None:
    _, page = report(GOOGLE, CENSUS)
    [nav] = page.all("nav")
    assert "2.5631831173" in nav.text
    assert "25.4192825766" in nav.text


def test_a_value_is_a_number() -> None:
    answer = exactdp("report", GOOGLE, "--value", "low=x", "-o", "page.html", "--json")
    assert (answer.code, answer.error["field"]) == (2, "--value")


# --- what comes from outside --------------------------------------------------------------------


def hostile_ledger() -> None:
    """A ledger that holds HTML wherever it may hold text."""
    ledger = {
        "format": "exactdp-ledger/1",
        "name": HOSTILE,
        "unit_of_privacy": HOSTILE,
        "mechanisms": [{"epsilon": "1", "label": HOSTILE}, {"epsilon": "2", "label": HOSTILE}],
        "target_delta": "1e-6",
        "claims": [{"epsilon": "3", "basis": "composition", "source": HOSTILE}],
        "source": {HOSTILE: HOSTILE},
        "notes": HOSTILE,
    }
    Path("<b>&'.json").write_text(json.dumps(ledger))


def test_a_ledger_can_put_no_element_into_the_page() -> None:
    hostile_ledger()
    _, tame = report(GOOGLE)
    _, page = report("<b>&'.json")
    assert {each.name for each in page.elements} <= {each.name for each in tame.elements}
    assert {key for each in page.elements for key in each.attributes} <= {
        key for each in tame.elements for key in each.attributes
    }
    text = Path("report.html").read_text(encoding="utf-8")
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert "\\u202e\\x1b[31m" in page.all("h1")[0].text


def test_numbers_that_no_picture_can_hold_leave_it_out() -> None:
    Path("great.csv").write_text("epsilon\n1e400\n")
    answer, page = report("great.csv", "--delta", "0")
    assert answer.code == 0
    assert page.all("svg", "profile") == []
    assert "not drawn" in page.all("main")[0].text


def test_a_ledger_of_nothing_has_a_report() -> None:
    Path("empty.json").write_text('{"format": "exactdp-ledger/1", "mechanisms": [], "empty": true}')
    answer, page = report("empty.json", "--delta", "0")
    assert answer.code == 0
    assert page.all("div", "conclusion proved")


# --- the file -----------------------------------------------------------------------------------


def test_a_report_replaces_a_report_and_nothing_else() -> None:
    assert exactdp("report", GOOGLE, "-o", "page.html").code == 0
    assert exactdp("report", CENSUS, "-o", "page.html").code == 0
    Path("mine.html").write_text("<!DOCTYPE html>\n<p>mine")
    refused = exactdp("report", GOOGLE, "-o", "mine.html", "--json")
    assert refused.code == 2
    assert refused.error["code"] == "exists"
    assert Path("mine.html").read_text() == "<!DOCTYPE html>\n<p>mine"


def test_a_delta_is_needed_from_somewhere() -> None:
    Path("bare.csv").write_text("epsilon\n1\n")
    answer = exactdp("report", "bare.csv", "-o", "page.html", "--json")
    assert answer.code == 2
    assert answer.error["field"] == "delta"
    assert not Path("page.html").exists()


def test_each_delta_that_is_spoken_of_stands_above_the_lower_edge() -> None:
    deltas = [mpq(1, 10**3), mpq(1, 10**12), mpq(1, 10**6)]
    findings: Any = SimpleNamespace(
        answer=None,
        claims=[SimpleNamespace(claim=SimpleNamespace(delta=deltas[0], epsilon=None))],
        marks=[SimpleNamespace(delta=delta, epsilon=mpq(1)) for delta in deltas[1:]],
    )
    band: Any = SimpleNamespace(farthest=mpq(3))
    frame = drawing._frame(findings, band)
    assert frame.farthest == 3
    assert all(frame.y(delta) < frame.y(mpq(0)) for delta in deltas)


def test_a_claim_beyond_the_curve_widens_the_picture_unless_it_is_far_away() -> None:
    claims = [
        SimpleNamespace(claim=SimpleNamespace(delta=None, epsilon=ExactNumber(mpq(each))))
        for each in (8, 100)
    ]
    findings: Any = SimpleNamespace(answer=None, claims=claims, marks=[])
    band: Any = SimpleNamespace(farthest=mpq(3))
    assert 8 < drawing._frame(findings, band).farthest < 9


def test_mechanisms_of_the_command_line_and_a_claim_about_them_have_a_page() -> None:
    asked = ("-m", "0.1*9", "--name", "Spring release", "-o", "report.html")
    answer = exactdp("report", *asked, "--claim", "1,0", "--claim", "0.5,1e-6")
    page = Page(Path("report.html").read_bytes())
    assert (answer.code, answer.lines[0].endswith("Verdict: 1 proved, 1 refuted.")) == (1, True)
    assert page.all("h1")[0].text == "Spring release"
    both = exactdp("report", GOOGLE, *asked, "--claim", "1,0")
    assert (both.code, "either LEDGER or -m" in both.err) == (2, True)


def test_a_report_tells_what_an_attack_gains_unless_that_costs_too_much() -> None:
    asked = ("report", "-m", "mu=1", "--delta", "1e-6", "-o", "gains.html")
    assert exactdp(*asked).code == 0
    page = Path("gains.html").read_text(encoding="utf-8")
    assert "What an attack gains" in page
    assert "0.691462461275 (computed)" in page
    exactdp("report", "-m", "laplace=2*3", *asked[3:], "--max-cost", "1", "--force")
    assert "What an attack gains" not in Path("gains.html").read_text(encoding="utf-8")
