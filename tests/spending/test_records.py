"""What other tools recorded, read as spends; and the logs that begin with it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from gmpy2 import mpq

from exactdp.errors import BudgetExceeded, InputError, UnsupportedError
from exactdp.ledger.formats.recorded import Record
from exactdp.spending import filter as filters
from exactdp.spending.auditing import audit
from exactdp.spending.budget import budget_of, parse_budget
from exactdp.spending.records import FORMATS, read_record
from exactdp.spending.stated import spend_of
from tests.ledger.formats.descriptions import (
    FILTER,
    GAUSSIAN,
    LAPLACE,
    RESPONSE,
    described,
    lines,
    measured,
)
from tests.marking import each_case

CSV = b"time,label,epsilon,delta,spend\n2026-01-05,ages,0.1,1e-9,\n,,,,rho=1/100*2\n"
TUMULT = b"""\
2026-01-05T09:00 ages: PureDPBudget(epsilon=0.1)

ApproxDPBudget(epsilon=0.5, delta=1e-09)
a table RhoZCDPBudget(rho=0.01)
"""


def spent(record: Record, budget: str, path: Path) -> mpq:
    filters.init(path, parse_budget(budget), recorded=record.spends)
    found = audit(path)
    assert found.intact
    assert found.head is not None
    return found.head.spent.size


def test_a_csv_names_parameters_or_spends(tmp_path: Path) -> None:
    record = read_record(CSV, "csv")
    assert [each.label for each in record.spends] == ["2026-01-05 ages", ""]
    assert spent(record, "rho=1,delta=1e-8", tmp_path / "log") == mpq(1, 200) + mpq(1, 50)


@pytest.mark.parametrize(
    ("family", "moved"), [("laplace", "sensitivity"), ("discrete_laplace", "shifts")]
)
def test_a_clip_is_counted_as_what_a_removal_moves_the_sum_by(family: str, moved: str) -> None:
    by_clip, by_move = (
        read_record(f"{family},{key},rate\n5,2,1/10\n".encode(), "csv").spends[0].parameters
        for key in ("clip", moved)
    )
    assert by_clip != by_move
    assert spend_of(by_clip) == spend_of(by_move)


def test_a_clip_beside_a_sample_that_no_budget_counts_is_refused_by_name() -> None:
    with pytest.raises(UnsupportedError, match=r'^rate at line 2: {"sigma": "2", ') as refused:
        read_record(b"sigma,clip,rate\n2,1,1/10\n", "csv")
    assert refused.value.code == "not-counted"


def test_a_row_that_states_a_spend_leaves_all_other_columns_empty() -> None:
    data = b"Date,eps,delta,Runs,laplace,sensitivity,spend\n"
    rows = b"a,0.1,0,7,,,\nb,,,,,,rho=1/100*2\nc,,,3,2,1,\n"
    record = read_record(data + rows, "csv")
    assert [each.parameters for each in record.spends] == [
        {"epsilon": "0.1", "delta": "0", "count": "7"},
        {"rho": "1/100", "count": 2},
        {"laplace": {"scale": "2", "sensitivity": "1"}, "count": "3"},
    ]
    assert record.reading == ("not read as parameters: column Date",)


def test_a_tumult_session_is_its_printed_budgets(tmp_path: Path) -> None:
    record = read_record(TUMULT, "tumult")
    assert [each.label for each in record.spends] == ["2026-01-05T09:00 ages", "", "a table"]
    expected = mpq(1, 200) + mpq(1, 8) + mpq(1, 100)
    assert spent(record, "rho=1,delta=1e-8", tmp_path / "log") == expected


@pytest.mark.parametrize("format_", ["smartnoise-sql", "diffprivlib"])
def test_steps_are_pairs(format_: str, tmp_path: Path) -> None:
    record = read_record(b"[(0.1, 1e-06), (0.2, 0.0)]", format_)
    assert spent(record, "epsilon=1,delta=1e-6", tmp_path / "log") == mpq(3, 10)


def test_opendp_describes_a_filter_and_its_measurements(tmp_path: Path) -> None:
    record = read_record(lines(FILTER, LAPLACE, RESPONSE), "opendp")
    assert record.budget is not None
    assert budget_of(record.budget) == parse_budget("epsilon=1")
    assert [each.label for each in record.spends] == [
        "make_laplace",
        "make_randomized_response_bool",
    ]
    total = Fraction(int(spent(record, "epsilon=2", tmp_path / "log") * 10**9), 10**9)
    assert 0 <= total - Fraction("1.198612288") < Fraction(1, 10**8)  # 1/10 + ln 3


def test_opendp_descriptions_may_stand_in_an_array() -> None:
    array = json.dumps([FILTER, LAPLACE]).encode()
    assert read_record(array, "opendp").budget == {"epsilon": "1.0"}
    assert len(read_record(array, "opendp").spends) == 1


def test_opendp_gaussian_noise_is_discrete_and_spends_a_rho(tmp_path: Path) -> None:
    record = read_record(lines(GAUSSIAN), "opendp", distance="2")
    assert spent(record, "rho=1", tmp_path / "log") == mpq(2, 25)
    with pytest.raises(InputError, match="Gaussian mechanisms alone"):
        spent(record, "mu=1", tmp_path / "other")


@pytest.mark.parametrize(
    ("measure", "d_out", "budget"),
    [
        (["max_divergence"], 0.5, "epsilon=1/2"),
        (["zero_concentrated_divergence"], 0.5, "rho=1/2"),
        (["approximate", "max_divergence"], {"__tuple__": [0.5, 1e-6]}, "epsilon=1/2,delta=1e-6"),
        (
            ["approximate", "zero_concentrated_divergence"],
            {"__tuple__": [0.5, 0.25]},
            "rho=1/2,delta=1/4",
        ),
    ],
)
def test_opendp_filters_state_their_budget(measure: list[str], d_out: object, budget: str) -> None:
    one = described("make_privacy_filter", odometer=measured(*measure), d_in=1, d_out=d_out)
    stated = read_record(lines(one), "opendp").budget
    assert stated is not None
    assert budget_of(stated) == parse_budget(budget)


def test_opendp_counts_are_as_stable_as_their_input() -> None:
    count, clamp = described("make_count"), described("make_clamp")
    both = described("make_chain_tt", transformation0=clamp, transformation1=count)
    chain = described("make_chain_mt", measurement1=LAPLACE, transformation0=both)
    [one] = read_record(lines(chain), "opendp", distance="3").spends
    assert one.parameters == {"laplace": {"scale": "10.0", "sensitivity": "3"}}


@each_case(
    ("data", "format_", "refusal"),
    [
        (b"", "csv", "an empty file"),
        (b"\n", "opendp", "an empty file"),
        (b"time,label\n", "csv", "names the columns"),
        (b"epsilon,colour\n1,7\n", "csv", "line 2, column colour: 7: .*--remark colour"),
        (b"epsilon,delta\n1,\n", "csv", "line 2, column delta: an empty cell"),
        (b"epsilon,label\n1,a\n1,Total\n", "csv", "line 3: a row that is called a total"),
        (b"epsilon,epsilon\n1,1\n", "csv", "each column once"),
        (b"epsilon\n1,2\n", "csv", "line 2: 1,2: expected 1 cells"),
        (b"epsilon,spend\n1,rho=1\n", "csv", "not both"),
        (b"epsilon,label\n,x\n", "csv", "nothing"),
        (b'epsilon\n"1', "csv", "RFC 4180"),
        (b"epsilon,time\n1,noon\n", "csv", "line 2: noon"),
        (b"\xff\xfe", "csv", "UTF-16"),
        (b"PureDPBudget(epsilon=0.1, delta=1)", "tumult", "as Tumult prints it"),
        (b"PureDPBudget(0.1)", "tumult", "as Tumult prints it"),
        (b"PureDPBudget(epsilon=1)\nremaining: 3\n", "tumult", "line 2"),
        (b"[(0.1, 0), ...]", "smartnoise-sql", "cut this list short"),
        (b"[1]", "opendp", "opendp.serialize"),
        (b"{", "opendp", "JSON"),
        (lines(LAPLACE), "opendp", "--d-in"),
        (lines(described("make_user_measurement")), "opendp", "make_user_measurement"),
        (lines(FILTER, {**LAPLACE, "__kwargs__": {"MO": "MaxDivergence"}}), "opendp", "a number"),
        (lines(FILTER, described("make_laplace", scale=1, k=-10, MO="MaxDivergence")), "opendp",
         "without k"),
        (lines(FILTER, described("make_gaussian", scale=1, MO="Approximate")), "opendp",
         "under Approximate"),
        (lines(FILTER, described("make_gaussian", scale=0, MO="ZeroConcentratedDivergence")),
         "opendp", "above 0"),
        (lines(described("make_randomized_response_bool", prob=1)), "opendp", "between 0 and 1"),
        (lines(described("make_chain_mt", measurement1=LAPLACE,
                         transformation0=described("make_sum"))), "opendp", "make_sum"),
        (lines(described("make_privacy_filter", odometer=measured("renyi_divergence"), d_in=1,
                         d_out=1)), "opendp", "renyi_divergence"),
        (lines(described("make_privacy_filter", odometer=measured("approximate",
                         "max_divergence"), d_in=1, d_out=1)), "opendp", "two numbers"),
        (b"", "xml", "xml"),
    ],
)  # fmt: skip
def test_what_says_too_little_is_refused(data: bytes, format_: str, refusal: str) -> None:
    with pytest.raises(InputError, match=refusal):
        read_record(data, format_)


def test_a_distance_is_opendp_s_and_that_of_its_filter() -> None:
    with pytest.raises(InputError, match="no distance"):
        read_record(CSV, "csv", distance="1")
    with pytest.raises(InputError, match="d_in of the filter"):
        read_record(lines(FILTER), "opendp", distance="2")


def test_a_record_that_does_not_fit_makes_no_log(tmp_path: Path) -> None:
    record = read_record(TUMULT, "tumult")
    with pytest.raises(BudgetExceeded, match="line 3"):
        filters.init(tmp_path / "log", "rho=1/10,delta=1e-6", recorded=record.spends)
    assert list(tmp_path.iterdir()) == []


def test_a_spend_that_the_budget_does_not_count_makes_no_log(tmp_path: Path) -> None:
    record = read_record(TUMULT, "tumult")
    with pytest.raises(InputError, match="line 4"):
        filters.init(tmp_path / "log", "epsilon=9,delta=1e-6", recorded=record.spends)
    assert list(tmp_path.iterdir()) == []


def test_what_follows_a_record_is_spent_from_what_it_left(tmp_path: Path) -> None:
    record = read_record(b"rho\n1/2\n1/4\n", "csv")
    filters.init(tmp_path / "log", "rho=1", recorded=record.spends)
    receipt = filters.filter(tmp_path / "log").spend(rho="1/8")
    assert (receipt.number, receipt.left.size) == (3, mpq(1, 8))
    assert audit(tmp_path / "log").intact


@pytest.mark.parametrize("format_", FORMATS)
def test_an_empty_or_broken_record_is_no_trace(format_: str) -> None:
    for data in (b"\x00", b"[", b"\xff", b"(" * 10_000):
        with pytest.raises(InputError, match=r".+: expected .+"):
            read_record(data, format_)


def test_what_has_a_meaning_between_some_neighbours_alone_is_not_counted() -> None:
    """A log names its neighbours once, and a spend does not."""
    for given in (
        {"shuffled_reports": {"odds": "3", "reports": "10"}},
        {"sigma": "1", "fixed_size": {"batch": "2", "records": "9"}},
        {"sigma": "1", "shuffled": {"batches": "9"}},
        {"pair": {"p": ["1"], "q": ["1"]}},
    ):
        with pytest.raises(UnsupportedError, match="spend log can count") as refused:
            spend_of(given)
        assert refused.value.code == "not-counted"


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("Datum;Epsilon\n05.01.2026;0,1\n", "2026-01-05"),
        ("Date,epsilon\n2026-02-05,0.1\n", "2026-02-05"),
        ("created_at,epsilon\n2026/3/5 9:05,0.1\n", "2026-03-05T09:05"),
        ("timestamp,epsilon\n1700000000.1,0.5\n", "2023-11-14T22:13:20+00:00"),
    ],
)
def test_a_column_of_dates_says_when_whatever_it_is_called(text: str, month: str) -> None:
    record = read_record(text.encode(), "csv")
    assert record.spends[0].label == month
    [said] = [each for each in record.reading if "read as the time" in each]
    assert said == f"column {text.replace(';', ',').partition(',')[0]} read as the time"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Date,epsilon\n01/05/2026,0.1\n", "01/05/2026.*two readings: write the year first"),
        ("Date,epsilon\n32.01.2026,0.1\n", "time at line 2: 2026-01-32"),
        ("Date,Day,epsilon\n2026-01-05,2026-01-06,0.1\n", "Date and Day.*call it time"),
    ],
)
def test_a_date_with_two_readings_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_record(text.encode(), "csv")


def test_beside_a_column_of_times_a_date_is_a_remark() -> None:
    record = read_record(b"time,Date,epsilon\n2026-01-05,2026-01-06,0.1\n", "csv")
    assert record.spends[0].label == "2026-01-05"
    assert record.reading == ("not read as parameters: column Date",)


def test_a_last_row_that_is_called_a_total_and_is_one_is_left_out_and_said() -> None:
    table = "team,date,epsilon,delta,count\na,2026-01-05,0.1,1e-9,26\nb,2026-02-01,0.5,0,1\n"
    record = read_record(f"{table}Total,,3.1,,27\n".encode(), "csv")
    assert [each.parameters["epsilon"] for each in record.spends] == ["0.1", "0.5"]
    assert record.reading[-1] == "left out as a total: line 4"


@pytest.mark.parametrize(
    "row", ["Total,,3.2,,27", "Total,,3.1,,26", "Sum,,3.1,0,27", "Total,2026-03-01,3.1,0,27"]
)
def test_any_other_row_that_is_called_a_total_is_refused(row: str) -> None:
    table = "team,date,epsilon,delta,count\na,2026-01-05,0.1,1e-9,26\nb,2026-02-01,0.5,0,1\n"
    with pytest.raises(InputError, match="a row that is called a total"):
        read_record(f"{table}{row}\n".encode(), "csv")
