"""Logs of programs: arrays of objects, JSON Lines, releases, histories, and what Python prints."""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction

import pytest

from exactdp.errors import InputError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import GaussianMechanism, LaplaceMechanism, SampledMechanism
from tests.marking import each_case

LOG = [
    {"timestamp": 1700000000.1, "job_id": "a", "epsilon": 0.5, "delta": 1e-6, "metadata": {}},
    {"timestamp": 1700000001.1, "job_id": "b", "epsilon": 0.25, "delta": 0.0, "metadata": None},
]
PAIRS = Ledger.of([("0.5", "1e-6"), "0.25"]).mechanisms
CSV = b"timestamp,job_id,epsilon,delta\n1700000000.1,a,0.5,1e-6\n1700000001.1,b,0.25,0.0\n"


@each_case(
    "data",
    [
        json.dumps(LOG).encode(),
        json.dumps(LOG, indent=1).encode(),
        "\n".join(map(json.dumps, LOG)).encode(),
        repr(LOG).encode(),
        CSV,
    ],
)
def test_a_log_is_a_ledger_whose_times_are_no_parameters(data: bytes) -> None:
    ledger = read_ledger(data)
    assert ledger.mechanisms == PAIRS
    assert ledger.reading == ("not read as parameters: columns timestamp, job_id",)


def test_a_record_may_be_an_entry_of_a_ledger() -> None:
    data = b'[{"label": "a", "laplace": {"scale": 10, "sensitivity": 1}}, {"rho": 0.125}]'
    assert [each.name for each in read_ledger(data)] == ["laplace", "rho"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'[{"epsilon": 1, "metadata": {"noise": 2}}]', "row 1"),
        (b'[{"epsilon": 1}, 2]', "row at row 2: 2: expected an object in each entry"),
        (b'[{"epsilon": 1, "number": 3}]', r"number at row 1, column number: 3"),
        (b'{"epsilon": 1}\n{"epsilon": }', "object 2: "),
        (b'[{"timestamp": 3}]', "row at row 1: nothing"),
        (b'{"application": "DP Creator", "statistics": 1}', r"statistics at \$\.statistics: 1"),
        (b'{"application": "DP Creator", "statistics": [{"statistic": "mean"}]}', "row 1: nothing"),
    ],
)
def test_a_record_that_says_something_else_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_ledger(data)


def test_a_release_of_dp_creator_has_a_mechanism_for_each_statistic() -> None:
    statistics = [
        {"statistic": "histogram", "variable": "Subject", "epsilon": 0.5, "delta": None},
        {"statistic": "mean", "variable": "Trial", "epsilon": 0.25, "delta": 1e-6, "result": 3},
    ]
    release = {"name": "Data", "application": "DP Creator", "statistics": statistics}
    ledger = read_ledger(json.dumps(release).encode())
    assert (
        ledger.mechanisms
        == Ledger.of(
            [("0.5", 0, 1, "histogram Subject"), ("0.25", "1e-6", 1, "mean Trial")]
        ).mechanisms
    )
    assert ledger.name == "Data"
    assert ledger.reading == (
        "a release of DP Creator, 2 statistics with the ε of each",
        "not read of them: result",
    )


def test_a_configuration_of_the_census_has_a_mechanism_for_each_number() -> None:
    budget = {"PH1": {"usa": 0.25, "state": 0.125}, "PH2": {"usa": 0.5}}
    tree = {"privacy_budget": budget, "tau": {"PH1": 10}, "privacy_defn": "zcdp"}
    ledger = read_ledger(json.dumps(tree).encode())
    assert [(each.label, each.shape()) for each in ledger] == [
        ("PH1 usa", {"rho": Fraction(1, 4)}),
        ("PH1 state", {"rho": Fraction(1, 8)}),
        ("PH2 usa", {"rho": Fraction(1, 2)}),
    ]
    said = "3 numbers of privacy_budget, each read as rho of its own; not read: tau"
    assert ledger.reading == (said,)
    pure = read_ledger(json.dumps({**tree, "privacy_defn": "puredp"}).encode())
    assert pure.mechanisms[0].name == "epsilon"
    with pytest.raises(InputError, match="privacy_defn: other: expected zcdp or puredp"):
        read_ledger(json.dumps({**tree, "privacy_defn": "other"}).encode())


def test_a_configuration_of_the_census_may_name_each_budget_in_its_key() -> None:
    budgets = {f"privacy_budget_h_t3_level_{level}_usa": level / 4 for level in (1, 2)}
    others = {"max_race_codes": 8, "privacy_budget_p_stage_1_fraction": 0.1}
    tree = {**others, **budgets, "privacy_defn": "zcdp"}
    ledger = read_ledger(json.dumps(tree).encode())
    assert [(each.label, each.shape()) for each in ledger] == [
        ("h_t3_level_1_usa", {"rho": Fraction(1, 4)}),
        ("h_t3_level_2_usa", {"rho": Fraction(1, 2)}),
    ]
    [said] = ledger.reading
    assert said.startswith("2 numbers of privacy_budget, each read as rho of its own; not read: ")
    assert said.endswith(", ".join(others))


def test_what_another_tool_answers_beside_noise_rate_and_steps_is_not_composed() -> None:
    ledger = read_ledger(b"sigma,sample_rate,steps,delta,epsilon\n0.5,0.004,1000,1e-5,7.1\n")
    assert ledger.mechanisms == (SampledMechanism(GaussianMechanism(2), "0.004", 1000),)
    assert ledger.reading == (
        "epsilon and delta taken for another tool's answer: noise, rate and steps say what ran",
    )


def test_an_answer_of_another_tool_hides_no_empty_cell() -> None:
    with pytest.raises(InputError, match="column sensitivity: an empty cell"):
        read_ledger(b"sigma,sensitivity,rate,steps,epsilon\n1,1,0.5,9,7.1\n1,,0.5,9,7.1\n")


def test_a_mechanism_by_epsilon_may_still_stand_beside_one_by_noise() -> None:
    ledger = read_ledger(b"sigma,rate,count,epsilon\n0.5,0.004,1000,\n,,1,0.5\n")
    assert [each.name for each in ledger] == ["mu", "epsilon"]
    assert ledger.reading == ()


# --- what Python prints ---------------------------------------------------------------------------

SAMPLED = (
    "PoissonSampledDpEvent(sampling_probability=0.01, event=GaussianDpEvent(noise_multiplier=2))"
)


QRLEW = (
    "{'class_name': 'ComposedDpEvent', 'events': [{'class_name': 'LaplaceDpEvent', "
    "'noise_multiplier': 3.0, '_fields': ['class_name', 'noise_multiplier']}, "
    f"{SAMPLED}]}}"
)


@each_case(
    "text",
    [
        f"ComposedDpEvent(events=[LaplaceDpEvent(noise_multiplier=3.0), {SAMPLED}])",
        f"dp.ComposedDpEvent(\n  events=[\n    LaplaceDpEvent(noise_multiplier=3.0),\n{SAMPLED}])",
        QRLEW,
    ],
)
def test_printed_events_are_events(text: str) -> None:
    laplace, sampled = read_ledger(text.encode())
    assert laplace == LaplaceMechanism(3, 1)
    assert sampled == SampledMechanism(GaussianMechanism("1/2"), "0.01")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("GaussianDpEvent(2.0)", "printed at line 1: GaussianDpEvent"),
        ("GaussianDpEvent(noise_multiplier=sigma)", "line 1: sigma"),
        ("GaussianDpEvent(noise_multiplier=__import__('os'))", "line 1: __import__"),
        ("GaussianDpEvent(noise_multiplier=1j)", "line 1: 1j"),
        ("GaussianDpEvent(noise_multiplier=0x10)", "line 1: 0x10"),
        ("ComposedDpEvent(events=[...])", "cut it short"),
        ("GaussianDpEvent(noise_multiplier=", "line 1"),
        ("[{'epsilon': 1, **{}}]", "line 1"),
        (f"ComposedDpEvent(events={'[' * 10**4}{']' * 10**4})", "printed"),
        (f"GaussianDpEvent(noise_multiplier={'1' * 10**6})", "at most 1000000 characters"),
    ],
)
def test_what_is_no_printed_value_is_refused_and_never_run(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_ledger(text.encode())


def test_an_accountant_of_diffprivlib_is_found_in_a_printed_estimator() -> None:
    text = (
        "GaussianNB(accountant=BudgetAccountant(epsilon=2.0, spent_budget=[(1, 0), (0.5, 1e-06)])"
        ",\n           bounds=(array([4., 2.]), array([8., 5.])), epsilon=1)\n"
    )
    ledger = read_ledger(text.encode())
    assert ledger.mechanisms == Ledger.of(["1", ("0.5", "1e-6")]).mechanisms
    assert ledger.notes == "BudgetAccountant: epsilon=2.0"
    assert ledger.reading == ("the BudgetAccountant of a GaussianNB, and nothing else of it",)


# --- histories of Opacus --------------------------------------------------------------------------


@each_case(
    "data",
    [
        b"[[2.0, 0.01, 100]]",
        b" [ [2, 1e-2, 100] ]\n",
        b'{"history": [[2.0, 0.01, 100]], "mechanism": "prv"}',
        b'{"_state_dict": {"history": [[2.0, 0.01, 100]]}, "mechanism": "rdp"}',
    ],
)
def test_a_saved_history_of_opacus_is_recognised(data: bytes) -> None:
    ledger = read_ledger(data)
    assert ledger.mechanisms == (SampledMechanism(GaussianMechanism("1/2"), "0.01", 100),)
    assert ledger == read_ledger(data, "opacus")


def test_three_numbers_that_may_be_epsilon_delta_and_a_count_are_refused() -> None:
    with pytest.raises(InputError, match="exactdp convert --from opacus"):
        read_ledger(b"[[1.1, 0.01, 5], [0.1, 0, 50]]")
    assert read_ledger(b"[[0.1, 1e-9, 50]]", "opacus").size == 50
    assert read_ledger(b'{"history": [[1.1, 0.0001, 50]]}').size == 50


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"history": null}', r"history at \$\.history: nothing"),
        (b'{"history": 3}', r"history at \$\.history: 3"),
        (b'{"history": [[1, 0.5]]}', r"history at \$\.history\[0\]"),
        (b'{"history": [[0, 0.5, 1]]}', "without noise, no privacy"),
        (b'{"history": [[1, 1.5, 1]]}', r"rate at \$\.history\[0\]"),
        (b'{"history": [[1, 0.5, 0]]}', r"count at \$\.history\[0\]: 0"),
        (b'{"history": [], "clip": 3}', "clip"),
    ],
)
def test_what_is_no_history_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_ledger(data)


DEEP = (100, 300, 960, 10**5)


@pytest.mark.parametrize(
    ("begin", "one", "end"),
    [
        ('[{"a": ', "[]", "}]"),
        ('{"application": "DP Creator", "statistics": [{"epsilon": 1, "x": ', "[]", "}]}"),
        ("[{'a': ", "[]", "}]"),
        ("ComposedDpEvent(events=", "[]", ")"),
        ('{"privacy_defn": "zcdp", "privacy_budget": ', "[]", "}"),
    ],
)
def test_nothing_is_nested_too_deeply_to_be_refused(begin: str, one: str, end: str) -> None:
    for depth in DEEP:
        data = f"{begin}{one[0] * depth}1{one[1] * depth}{end}"
        with suppress(InputError):
            assert read_ledger(data.encode()).size


@pytest.mark.parametrize(
    "data", [b'{"privacy_budget": 3, "privacy_defn": []}', b'{"x": "\\"privacy_budget\\""}']
)
def test_a_configuration_without_a_budget_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match=r"privacy_defn|x at"):
        read_ledger(data)
