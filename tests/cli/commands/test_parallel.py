"""``exactdp parallel``: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import jsonschema_rs
import pytest

from exactdp.verifier import verify_bytes
from exactdp.workloads.reading import read_workload
from tests.cli.running import SCHEMA, Answer, exactdp
from tests.workloads.test_overlap import census_sample

DOMAIN = {
    "format": "exactdp-workload/1",
    "domain": {"age": {"size": 120}, "sex": {"values": ["f", "m"]}},
    "queries": [],
}
LOG = """
-- epsilon: 1/2, label: minors
SELECT COUNT(*) FROM people WHERE age < 18;
-- epsilon: 1/2, label: adults by sex
SELECT sex, COUNT(*) FROM people WHERE age >= 18 GROUP BY sex;
SELECT COUNT(*) FROM people WHERE sex = 'f' AND age BETWEEN 30 AND 40;
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "domain.json").write_text(json.dumps(DOMAIN))
    (tmp_path / "log.sql").write_text(LOG)
    (tmp_path / "census.json").write_bytes(census_sample(200))
    return tmp_path


CERTIFIED: Final = {"evidence": "certificate"}
COMPUTED: Final = {"evidence": "computed"}


def parallel(*arguments: str) -> Answer:
    answer = exactdp("parallel", *arguments, "--json")
    jsonschema_rs.validator_for(json.loads(SCHEMA.read_text())).validate(answer.document)
    return answer


@pytest.mark.usefixtures("folder")
def test_the_census_like_sample_has_an_overlap_of_nine() -> None:
    result = parallel("census.json", "--delta", "1e-6").result
    assert result["queries"] == 200
    assert result["overlap"] == result["clique"] == {"lower": 9, "upper": 9, **COMPUTED}
    assert result["colours"] == len(result["witness_queries"]) == 9
    assert result["witness"]["income"] == "0"
    assert result["epsilon"] == result["optimum"]
    assert result["epsilon"] == {"lower": "0.8996697879", "upper": "0.899669788", **CERTIFIED}
    assert result["gains"] == {
        "epsilon": {"lower": "0.874795", "upper": "0.874796"},
        "noise": {"lower": "0.847321", "upper": "0.847333"},
        "expected_error": {"lower": "0.955", "upper": "0.955"},
        "overlap": {"lower": "0.955", "upper": "0.955"},
        **COMPUTED,
    }


@pytest.mark.usefixtures("folder")
def test_a_log_in_sql_costs_the_overlap_of_its_queries() -> None:
    result = parallel("log.sql", "--domain", "domain.json", "--each", "1/4").result
    assert result["queries"] == 3
    assert result["overlap"] == {"lower": 2, "upper": 2, **COMPUTED}
    assert result["witness"] == {"age": "30", "sex": "f"}
    assert result["epsilon"] == {"lower": "0.75", "upper": "0.75", **CERTIFIED}
    assert result["sequential_epsilon"] == {"lower": "1.25", "upper": "1.25", **COMPUTED}
    assert result["gains"]["overlap"] == {"lower": "0.333333", "upper": "0.333334"}


@pytest.mark.slow
def test_the_certificates_that_are_written_are_accepted_for_the_file(folder: Path) -> None:
    result = parallel("census.json", "--delta", "1e-6", "--certificates", "proofs").result
    written = [folder / path for path in result["certificates"]]
    names = ["census.upper.json", "census.lower.json", "census.workload.json"]
    assert [path.name for path in written] == names
    assert read_workload(written[2]) == read_workload("census.json")
    for path in written[:2]:
        verdict = verify_bytes(path.read_bytes(), ledger=census_sample(200))
        assert verdict.status == "accepted"
    told = exactdp("explain", str(written[0]), "--ledger", "census.json")
    assert told.code == 0
    assert "sorted into classes (9)" in " ".join(told.out.split())
    other = exactdp("verify", str(written[0]), "--ledger", "domain.json")
    assert other.code == 1


@pytest.mark.usefixtures("folder")
def test_the_table_names_a_row_and_both_ends() -> None:
    answer = exactdp("parallel", "census.json", "--delta", "1e-6", "--plot")
    assert answer.code == 0
    assert answer.details[0] == "CPS sample 200: 200 queries over 5 attributes"
    text = " ".join(answer.out.split())
    assert "queries that one row meets (computed) 9" in text
    assert "such as a row with income = 0, age = 3" in text
    assert "certified ε ≥ 0.8996697879 ε ≤ 0.8996697880" in text
    assert "█" in answer.out


def test_no_bars_are_drawn_where_pairs_were_not_compared(folder: Path) -> None:
    queries = [{"epsilon": 1, "where": {"x": {"range": [i, i + 2]}}} for i in range(2001)]
    many = {"domain": {"x": {"size": 3000}}, "queries": queries}
    (folder / "many.json").write_text(json.dumps(many))
    answer = exactdp("parallel", "many.json", "--plot")
    assert "classes of disjoint queries 2" in " ".join(answer.out.split())
    assert answer.out.rstrip().endswith("not known: not all pairs of queries were compared")
    assert "█" not in answer.out


@pytest.mark.usefixtures("folder")
def test_a_table_says_where_pairs_overlap_but_do_not_meet() -> None:
    pairs = [{"epsilon": 1, "where": {"a": values}} for values in ([0, 1], [1, 2], [0, 2])]
    workload = {"domain": {"a": {"size": 3}}, "queries": pairs}
    Path("pairs.json").write_text(json.dumps(workload))
    text = " ".join(exactdp("parallel", "pairs.json").out.split())
    assert "queries that one row meets (computed) 2" in text
    assert "queries that overlap in pairs (computed) 3" in text
    assert "classes in each case 2, of 2 cases certified ε = 2" in text


@pytest.mark.usefixtures("folder")
def test_a_table_says_what_is_proved_and_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactdp.workloads.cases._MOST_NODES", 2)
    monkeypatch.setattr("exactdp.workloads.share_proofs.shares_of", lambda *_: None)
    pairs = [{"epsilon": 1, "where": {"a": values}} for values in ([0, 1], [1, 2], [0, 2])]
    workload = {"domain": {"a": {"size": 3}}, "queries": pairs}
    Path("pairs.json").write_text(json.dumps(workload))
    text = " ".join(exactdp("parallel", "pairs.json").out.split())
    assert "certified ε ≥ 2 ε ≤ 3 by searching all rows (computed) ε = 2" in text


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"neighbouring": "unspecified"}, "neighbouring", "not-yet-supported"),
        ({"neighbouring": "rows"}, "neighbouring", "bad-input"),
        ({"queries": [{}]}, "epsilon", "missing-key"),
        ({"queries": [{"epsilon": 1, "rho": 1}]}, "rho", "bad-input"),
        ({"queries": [{"epsilon": -1}]}, "epsilon", "out-of-range"),
        ({"queries": [{"epsilon": 1, "delta": 1}]}, "delta", "out-of-range"),
        ({"queries": [{"epsilon": 1, "where": {"height": [1]}}]}, "height", "unknown-key"),
        ({"queries": [{"epsilon": 1, "where": {"age": [1.5]}}]}, "age", "bad-input"),
        (
            {"queries": [{"epsilon": 1, "where": {"age": {"range": [0, 121]}}}]},
            "age",
            "out-of-range",
        ),
        ({"queries": [{"epsilon": 1, "where": {"age": {"range": [0]}}}]}, "age", "bad-input"),
        ({"queries": [{"epsilon": 1, "where": {"age": {}}}]}, "age", "bad-input"),
        ({"queries": {}}, "queries", "bad-input"),
        ({"domain": {"age": {"size": 0}}}, "size", "out-of-range"),
        ({"domain": {"age": {"size": "1e3"}}}, "size", "bad-input"),
        ({"domain": {"age": {"values": ["1", 1]}}}, "values", "bad-input"),
        ({"domain": {"age": {}}}, "age", "bad-input"),
        ({"domain": ...}, "domain", "missing-key"),
        ({"note": "x"}, "note", "unknown-key"),
        ({"format": "exactdp-workload/2"}, "format", "bad-input"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_is_no_workload_is_refused_at_its_place(
    changes: dict[str, object], field: str, code: str
) -> None:
    document = {key: value for key, value in (DOMAIN | changes).items() if value is not ...}
    Path("bad.json").write_text(json.dumps(document))
    answer = parallel("bad.json")
    assert answer.code == 2
    assert (answer.error["field"], answer.error["code"]) == (field, code)
    assert answer.error["path"].startswith("$")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("missing.json",), "workload"),
        ((".",), "workload"),
        (("log.sql",), "--domain"),
        (("log.sql", "--domain", "domain.json"), "epsilon"),
        (("log.sql", "--domain", "domain.json", "--each", "1*2"), "--each"),
        (("log.sql", "--domain", "domain.json", "--collation", "nocase"), "--collation"),
        (("log.sql", "--domain", "domain.json", "--each", "x"), "epsilon"),
        (("census.json", "--delta", "2"), "delta"),
        (("census.json", "--time-limit", "0"), "--time-limit"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_slips_on_the_command_line_are_named(arguments: tuple[str, ...], field: str) -> None:
    answer = parallel(*arguments)
    assert answer.code == 2
    assert answer.error["field"] == field


@pytest.mark.usefixtures("folder")
def test_the_most_expensive_row_need_not_meet_the_most_queries() -> None:
    queries = [
        {"mu": "1/9", "where": {"a": [0]}},
        {"mu": "1/9", "where": {"a": [0]}},
        {"mu": 1, "where": {"a": [1]}},
    ]
    workload = {"domain": {"a": {"size": 2}}, "queries": queries}
    Path("gaussian.json").write_text(json.dumps(workload))
    lines = exactdp("parallel", "gaussian.json", "--delta", "1e-6").details
    text = " ".join(" ".join(lines).split())
    assert lines[0] == "3 queries over 1 attribute"
    assert "such as a row with a = 0" in text
    assert "the most expensive row has a = 1" in text
    result = parallel("gaussian.json", "--delta", "1e-6").result
    assert (result["witness"], result["optimum_witness"]) == ({"a": "0"}, {"a": "1"})


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("notion", ["epsilon", "mu"])
def test_trade_off_functions_are_drawn_the_same_each_time(notion: str, folder: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    halves = [{notion: "1/2", "where": {"a": [value, 3]}} for value in range(3)]
    workload = {"domain": {"a": {"size": 4}}, "queries": halves}
    (folder / "halves.json").write_text(json.dumps(workload))
    for name in ("one.svg", "two.svg"):
        result = parallel("halves.json", "--delta", "1e-6", "--plot", name).result
        assert result["overlap"]["upper"] == 3
    picture = (folder / "one.svg").read_bytes()
    assert picture.startswith(b"<?xml")
    assert picture == (folder / "two.svg").read_bytes()


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_a_name_that_looks_like_a_formula_is_a_title_like_any_other(folder: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    workload = {"name": "costs $1, $\\frac{", "domain": {}, "queries": [{"epsilon": "1/2"}]}
    (folder / "dollars.json").write_text(json.dumps(workload))
    assert parallel("dollars.json", "--delta", "0", "--plot", "d.svg").code == 0
    assert (folder / "d.svg").exists()


@pytest.mark.parametrize("place", ["missing/t.svg", "taken.svg"])
def test_a_place_for_a_picture_that_cannot_be_one_is_refused_early(
    place: str, folder: Path
) -> None:
    (folder / "taken.svg").mkdir()
    answer = parallel("census.json", "--delta", "1e-6", "--plot", place)
    assert (answer.code, answer.error["field"]) == (2, "--plot")
    assert not (folder / "missing").exists()


@pytest.mark.usefixtures("folder")
def test_no_trade_off_function_of_a_rho_is_drawn_and_nothing_is_written(folder: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    workload = {"domain": {}, "queries": [{"rho": "1/2"}]}
    (folder / "rho.json").write_text(json.dumps(workload))
    error = parallel("rho.json", "--delta", "1e-6", "--plot", "r.svg").error
    assert error["field"] == "mechanisms"
    assert not (folder / "r.svg").exists()


@pytest.mark.usefixtures("folder")
def test_no_query_gains_nothing() -> None:
    result = parallel("domain.json").result
    assert (result["queries"], result["gains"]["overlap"]["upper"]) == (0, "0")
    assert result["epsilon"] == {"lower": "0", "upper": "0", **CERTIFIED}


@pytest.mark.parametrize(
    "domain", [{"a\0": {"size": 2}}, {"\ud800": {"size": 2}}, {"a": {"values": ["\udfff"]}}]
)
@pytest.mark.usefixtures("folder")
def test_names_that_no_file_can_hold_are_refused(domain: dict[str, object]) -> None:
    Path("odd.json").write_text(json.dumps({"domain": domain, "queries": []}))
    answer = parallel("odd.json")
    assert answer.code == 2
    assert "lone surrogates" in answer.error["expected"]


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_a_certificate_beyond_the_format_is_refused_with_a_reason() -> None:
    values = [f"{number:06}{'x' * 1000}" for number in range(20_000)]
    asked = {"epsilon": 1, "where": {"a": values[1:]}}
    Path("long.json").write_text(
        json.dumps({"domain": {"a": {"values": values}}, "queries": [asked]})
    )
    assert parallel("long.json").code == 0
    answer = parallel("long.json", "--certificates", "made", "--time-limit", "100000")
    assert answer.code == 3
    assert answer.error["code"] == "cost-limit"


def test_a_predicate_about_a_value_outside_the_domain_is_noted(folder: Path) -> None:
    outside = {**DOMAIN, "queries": [{"epsilon": 1, "where": {"age": [200]}}] * 7}
    (folder / "log.json").write_text(json.dumps(outside))
    result = parallel("log.json").result
    assert result["outside"] == [{"query": i, "predicate": "age = 200"} for i in range(7)]
    assert result["epsilon"] == {"lower": "0", "upper": "0", **CERTIFIED}
    lines = exactdp("parallel", "log.json").details
    [place] = [i for i, line in enumerate(lines) if line.startswith("not in the domain")]
    assert lines[place].split()[-5:] == ["query", "1:", "age", "=", "200"]
    assert lines[place + 5].split() == ["and", "2", "more"]


def test_texts_that_a_collation_may_take_for_one_are_read_where_it_is_said_that_it_does_not(
    folder: Path,
) -> None:
    (folder / "two.json").write_text('{"domain": {"b": {"values": ["x", "X"]}}, "queries": []}')
    halves = "SELECT COUNT(*) FROM t WHERE b = 'x'; SELECT COUNT(*) FROM t WHERE b = 'X'"
    (folder / "two.sql").write_text(halves)
    asked = ("two.sql", "--domain", "two.json", "--each", "1")
    assert parallel(*asked, "--collation", "binary").result["epsilon"]["upper"] == "1"
    refused = parallel(*asked)
    assert refused.code == 2
    assert "--collation binary" in refused.error["remedy"]


def test_where_a_row_is_replaced_both_rows_are_named_and_both_ends_certified(folder: Path) -> None:
    halves = [{"epsilon": "1/2", "where": {"age": {"range": [0, 40]}}}]
    halves.append({"epsilon": "1/4", "where": {"age": {"range": [40, 120]}}})
    tree = {**DOMAIN, "neighbouring": "replace-one", "queries": halves}
    (folder / "halves.json").write_text(json.dumps(tree))
    result = parallel("halves.json", "--certificates", "made").result
    assert result["neighbouring"] == "replace-one"
    assert result["epsilon"] == {"lower": "0.75", "upper": "0.75", **CERTIFIED}
    assert (result["optimum_witness"], result["entering_witness"]) == ({"age": "0"}, {"age": "40"})
    assert "overlap" not in result["gains"]
    both = ("made/halves.upper.json", "made/halves.lower.json")
    assert exactdp("verify", *both, "--ledger", "halves.json").code == 0
    added = {**tree, "neighbouring": "add-remove-one"}
    (folder / "halves.json").write_text(json.dumps(added))
    assert exactdp("verify", *both, "--ledger", "halves.json").code == 1
    assert parallel("halves.json").result["epsilon"] == {
        "lower": "0.5",
        "upper": "0.5",
        **CERTIFIED,
    }
