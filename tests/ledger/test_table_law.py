"""Nothing of a table is dropped, defaulted or guessed in silence: readers × columns × oddities."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from exactdp.errors import InputError
from exactdp.ledger.columns import COLUMNS, NOTIONS, key_of, option_of_remark
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.ledger.remarks import states_number
from exactdp.mechanisms import GaussianMechanism
from exactdp.mechanisms.entries import BESIDE
from exactdp.spending.records import read_record
from tests.families import NOISE_ON_INTEGERS
from tests.ledger.tables_of import LEDGER_READERS, Columns, spends_of, workbook_bytes
from tests.marking import each_case

Read = Callable[..., Ledger]
READERS = pytest.mark.parametrize(
    "read",
    [
        pytest.param(read, id=name, marks=pytest.mark.slow if name == "workbook" else ())
        for name, read in LEDGER_READERS.items()
    ],
)

COUNTS = ("count", "N", "n", "Runs", "# of runs", "number_of_runs", "No. of runs", "steps",
          "n_steps", "iterations", "repetitions", "Quantity", "times")  # fmt: skip
SYNONYMS = {
    "epsilon": ("Epsilon", "eps", "ε", "ϵ", "Epsilon (nats)", "privacy loss", "privacy_loss"),
    "delta": ("DELTA", "δ", "failure probability", "Failure-Probability"),
    "rho": ("rho", "ρ"),
    "mu": ("mu", "μ", "µ"),
    "sigma": ("sigma", "σ"),
    "rate": ("rate", "q", "sample_rate", "sampling rate", "sampling_probability"),
    "sensitivity": ("sensitivity", "sens", "\u200bSensitivity ", "Sensitivität"),
    "count": COUNTS,
}
DOUBTFUL = ("users", "weeks", "queries", "frequency", "epsilom", "deltas", "Δ", "Σ", "budget",
            "privacy budget", "year", "step", "run", "sigma²", "Epsilon (bits)", "id",
            "dataset size", "cost", "x;y", "(cmd)")  # fmt: skip
NUMBERS = ("520", "0.5", "1/2", "0,5", "10%", "1e3", "52 weeks", "x3", "ln(3)", "10⁻⁶", "~2", "½",
           "1 000", "inf", "-1", "2026", "20260105", "0.1-0.2", "52 times a year", "52 per year",
           "n=52", "n = 52", "sensitivity=10", "2 runs/day for 7 days", "fifty-two", "Fifty two",
           "twice a day", "about 52", "repeated 52 times", "weekly, 52 weeks", "runs: 52", "52x",
           "count 52", "once per week", "two queries", "7-day window", "10k rows", "ran 52 x",
           "2020 times a year", "daily for 30 days", "every run: 3",
           "on 2026-01-05, 52 times", "ε=0.1", "a dozen")  # fmt: skip
TEXTS = ("Q1", "A team", "2026-01-05", "01.02.2026", "2026-01-05T09:00", "9:30", "v1.2", "3rd",
         "n/a", "-", "b7", "1/2/2026", "3fa9c2", "3rd party survey", "Team 4", "USA 2020 census",
         "2020 census tables", "2026 Q1", "Phase 2", "week 4", "query 12", "see https://a.b:80/c=3",
         "2026-01-05 launch", "weekly", "one-time release", "two-stage design", "x" * 300,
         "COVID-19 mobility", "age, sex and race", "monthly (2nd draft)",
         "at 9:30")  # fmt: skip
VALUES = {"epsilon": "1/10", "delta": "1e-9", "rho": "1/8", "mu": "1/2", "sigma": "2",
          "mu_squared": "2", "gaussian_rho": "1/8", "variance": "3",
          "sensitivity": "3", "rate": "1/4", "shifts": "2", "laplace": "5", "batches": "10",
          "discrete_laplace": "4", "discrete_gaussian": "9", "bounded_range": "1/3", "epochs": "2",
          "order": "persistent", "count": "7", "label": "a", "clip": "6",
          "records_per_person": "4",
          **{each.key: str(each.usual) for each in NOISE_ON_INTEGERS}}  # fmt: skip
CLIPPED = [each for each in NOTIONS if "clip" in BESIDE[each]]
KINDS: dict[str, tuple[str, ...]] = {
    **{each: (each, *(key for key in BESIDE[each] if key != "clip")) for each in NOTIONS},
    "sigma": ("sigma", "sensitivity", "rate", "records_per_person"),
    "variance": ("variance", "sensitivity", "rate", "records_per_person"),
    "shuffled": ("sigma", "batches", "epochs", "order"),
    **{f"{each} with a clip": (each, "clip", "rate") for each in CLIPPED},
}


def table(keys: tuple[str, ...], **changes: str) -> Columns:
    """One row with these parameters."""
    return {key: [changes.get(key, VALUES[key])] for key in keys}


def _kind_with(key: str) -> str:
    """A kind of mechanism to which a parameter belongs."""
    return key if key in NOTIONS else "laplace" if key in ("rate", "sensitivity") else "epsilon"


def refusal(read: Read, columns: Columns, **said: object) -> InputError:
    """What a reader says when it refuses a table."""
    with pytest.raises(InputError, match=": expected ") as caught:
        read(columns, **said)
    return caught.value


# --- columns ------------------------------------------------------------------------------------


@pytest.mark.slow
@READERS
@pytest.mark.parametrize("key", SYNONYMS)
def test_a_synonym_is_its_parameter_for_every_reader(read: Read, key: str) -> None:
    wanted = table((*KINDS[_kind_with(key)], "count"))
    expected = read(wanted)
    assert expected.size == int(VALUES["count"])
    for name in SYNONYMS[key]:
        ledger = read({name if each == key else each: cells for each, cells in wanted.items()})
        assert (ledger.mechanisms, ledger.reading) == (expected.mechanisms, ())


@pytest.mark.slow
@READERS
def test_a_column_of_doubtful_meaning_with_a_number_is_refused_with_both_cures(read: Read) -> None:
    for name in DOUBTFUL:
        error = refusal(read, {"epsilon": ["0.1", "0.2"], name: ["", "520"]})
        assert error.path.endswith(f"column {name}"), error
        assert error.value == "520"
        assert option_of_remark(name) in error.remedy
        assert len(error.remedy) > len(option_of_remark(name)) + 40


@READERS
def test_a_column_of_batch_sizes_is_refused_with_the_rate_that_it_makes(read: Read) -> None:
    for name in ("batch_size", "Dataset size", "lot-size"):
        error = refusal(read, {"sigma": ["1.1"], name: ["256"]})
        assert (error.field, error.value) == (name, "256")
        assert "one column rate" in error.remedy
        assert "256/60000" in error.remedy


@READERS
def test_a_german_sensitivity_is_one(read: Read) -> None:
    german = {"Sigma": ["1.5"], "Sensitivität": ["2"], "Anzahl": ["3"]}
    english = {"sigma": ["1.5"], "sensitivity": ["2"], "count": ["3"]}
    assert read(german).mechanisms == read(english).mechanisms
    assert read(german).reading == ()


@pytest.mark.slow
@READERS
def test_a_cell_is_a_number_however_it_is_written_and_a_date_is_none(read: Read) -> None:
    for cell in NUMBERS:
        assert states_number(cell)
        assert refusal(read, {"epsilon": ["0.1"], "remark": [cell]}).value == cell.strip()
    assert states_number("x" * 300 + " 52 times")
    columns = {"epsilon": ["0.1"] * len(TEXTS), "Remark": [*TEXTS]}
    ledger = read(columns)
    assert ledger.size == len(TEXTS)
    assert ledger.reading == ("not read as parameters: column Remark",)
    assert all(f"remark {cell}" in ledger.notes for cell in TEXTS)


@READERS
@each_case("said", ["Users", "users", " USERS "])
def test_what_the_user_calls_a_remark_is_one_and_is_named(read: Read, said: str) -> None:
    ledger = read({"epsilon": ["0.1"], "Users": ["520"]}, remarks=[said])
    assert (ledger.size, ledger.notes.partition(": ")[2]) == (1, "users 520")
    assert ledger.reading == ("not read as parameters: column Users",)


@READERS
def test_even_a_known_column_is_a_remark_if_the_user_says_so(read: Read) -> None:
    columns = {"sigma": ["2"], "sensitivity": ["1"], "ε": ["7.1"], "delta": ["1e-5"]}
    assert "--remark ε --remark delta" in refusal(read, columns).remedy
    [mechanism] = read(columns, remarks=["ε", "delta"]).mechanisms
    assert mechanism == GaussianMechanism("1/2")


@READERS
@each_case(
    ("one", "other"),
    [("epsilon", "epsilon "), ("epsilon", "ε"), ("Eps", "epsilon"), ("count", "Runs"), ("a", "A ")],
)
def test_names_are_unique_after_they_are_understood(read: Read, one: str, other: str) -> None:
    first = {} if key_of(one) == "epsilon" else {"epsilon": ["1"]}
    error = refusal(read, {**first, one: ["1"], other: ["1"]})
    assert error.code == "duplicate-key"
    assert option_of_remark(other.strip()) in error.remedy or other.strip() == one


@READERS
def test_a_noise_multiplier_has_the_sensitivity_one(read: Read) -> None:
    columns = {"noise_multiplier": ["2"], "sample_rate": ["1/4"], "steps": ["7"]}
    plain = table(("sigma", "sensitivity", "rate", "count"), sensitivity="1")
    assert read(columns).mechanisms == read(plain).mechanisms
    for key in ("sensitivity", "clip"):
        assert "noise multiplier" in refusal(read, {**columns, key: ["1"]}).value


# --- cells --------------------------------------------------------------------------------------


@READERS
@each_case("kind", KINDS)
def test_an_empty_cell_is_never_a_default(read: Read, kind: str) -> None:
    keys = (*KINDS[kind], "count")
    assert read(table(keys)).size == int(VALUES["count"])
    for key in keys[1:]:
        error = refusal(read, table(keys, **{key: ""}))
        assert (error.field, error.value) == (key, "an empty cell"), (key, error)
        assert error.path.endswith(f"column {key}")
        assert error.remedy


@READERS
@each_case("family", CLIPPED)
def test_a_row_has_a_clip_or_what_neighbours_differ_by_and_one_of_them(
    read: Read, family: str
) -> None:
    moved = BESIDE[family][0]
    keys = (family, moved, "clip", "rate")
    for given, left in ((moved, "clip"), ("clip", moved)):
        alone = read(table(tuple(key for key in keys if key != left)))
        assert read(table(keys, **{left: ""})).mechanisms == alone.mechanisms, given
    assert refusal(read, table(keys)).value == "beside clip"
    error = refusal(read, table(keys, **{moved: "", "clip": ""}))
    assert (error.field, error.value) == (moved, "an empty cell")
    assert error.expected == "a value, or a clip in its place"


@READERS
@each_case("family", CLIPPED)
@each_case("cell", ["0", "-1", "x", "10%", "1e999999999"])
def test_a_clip_that_is_none_is_refused_as_a_clip(read: Read, family: str, cell: str) -> None:
    error = refusal(read, table((family, "clip", "rate"), clip=cell))
    assert error.field == "clip"
    assert error.path.endswith("column clip")


@READERS
def test_a_default_stands_where_the_column_is_absent(read: Read) -> None:
    wanted = {
        ("epsilon",): ("epsilon", "delta", "count"),
        ("laplace",): ("laplace", "sensitivity", "rate", "count"),
        ("discrete_laplace",): ("discrete_laplace", "shifts", "rate", "count"),
    }
    for few, all_of_them in wanted.items():
        stated = table(all_of_them, delta="0", sensitivity="1", shifts="1", rate="1", count="1")
        assert read(table(few)).mechanisms == read(stated).mechanisms


@READERS
def test_columns_of_another_kind_stay_empty_and_each_row_is_its_own_mechanism(read: Read) -> None:
    every = dict.fromkeys(key for keys in KINDS.values() for key in (*keys, "count"))
    filled = [(*keys, "count") for keys in KINDS.values()]
    columns = {key: [VALUES[key] if key in keys else "" for keys in filled] for key in every}
    alone = [LEDGER_READERS["csv"](table(keys)).mechanisms[0] for keys in filled]
    together = read(columns)
    assert list(together.mechanisms) == alone
    for row, keys in enumerate(filled):
        for key in (*keys[1:-1],):
            told = BESIDE[keys[0]][0] if key == "clip" else key  # either would do
            missing = {**columns, key: [*columns[key][:row], "", *columns[key][row + 1 :]]}
            if read is not LEDGER_READERS["workbook"]:  # the same rows, at length
                assert refusal(read, missing).field == told


def test_filter_import_reads_the_same_columns() -> None:
    for key, names in SYNONYMS.items():
        kind = _kind_with(key)
        uncounted = ("records_per_person", *(() if kind == "laplace" else ("rate",)))
        counted = [each for each in KINDS[kind] if each not in uncounted]
        wanted = table((*counted, "count"))
        for name in names:
            named = {name if each == key else each: cells for each, cells in wanted.items()}
            assert spends_of(named) == spends_of(wanted)
    for keys in KINDS.values():
        for key in keys[1:]:
            with pytest.raises(InputError, match=f"^{key} at line 2, column {key}: an empty"):
                spends_of(table(keys, **{key: ""}))
    for name in DOUBTFUL:
        with pytest.raises(InputError, match="--remark"):
            spends_of({"epsilon": ["0.1"], name: ["520"]})
        assert spends_of({"epsilon": ["0.1"], name: ["520"]}, [name]) == [{"epsilon": "0.1"}]


def test_the_columns_are_those_that_the_names_resolve_to() -> None:
    assert {key_of(name) for name in COLUMNS} == set(COLUMNS)
    assert {key_of(name) for names in SYNONYMS.values() for name in names} <= set(COLUMNS)
    assert not any(key_of(name) for name in DOUBTFUL)


# --- names and titles that may be parameters ----------------------------------------------------

OF_PARAMETERS = ("frequency", "Update frequency", "times per year", "per week", "Runs (planned)",
                 "number of weeks", "no. of queries", "relation", "Neighbouring", "adjacency",
                 "params", "Parameters", "how many times", "Sampling", "data loader")  # fmt: skip


@pytest.mark.slow
@READERS
def test_a_column_that_may_hold_parameters_in_words_is_refused_unless_it_is_set_aside(
    read: Read,
) -> None:
    for name in OF_PARAMETERS:
        columns = {"epsilon": ["0.1", "0.2"], name: ["", "weekly"]}
        assert option_of_remark(name) in refusal(read, columns).remedy
        assert read(columns, remarks=[name]).size == 2
        assert read({**columns, name: ["", ""]}).size == 2


@pytest.mark.parametrize(
    "title",
    [
        *("Runs: 29.5", "Runs: 1.2.3", "Stand: 52"),
        *("count 52", "Runs: 52", "52", "n=52", "Team 4 budget", "twice a week", "1/2 of all"),
    ],
)
def test_a_title_with_a_number_is_refused(title: str) -> None:
    rows = [[title, ""], ["epsilon", "label"], ["0.1", "a"]]
    text = "".join(",".join(row) + "\n" for row in rows).encode()
    for data in (text, text.replace(b",", b";"), workbook_bytes(*rows)):
        with pytest.raises(InputError, match=r"titles without numbers.* own|deployments registry"):
            read_ledger(data)
    with pytest.raises(InputError, match="titles without numbers"):
        read_record(text, "csv")
    for said in (
        "Privacy budget 2026",
        "On 2026-01-05",
        "Q1 2026",
        "2nd draft",
        "2025/26 plan",
    ):
        assert read_ledger(text.replace(title.encode(), said.encode())).size == 1


def test_a_title_may_say_of_which_day_the_table_is() -> None:
    table = b"Privacy budget;\nStand: 29.11.2026;\nepsilon;label\n0.1;a\n"
    assert "Stand: 29.11.2026 in line 2" in read_ledger(table).reading[-1]
    for said in (b"Stand: 29.11", b"Stand: 52", b"Runs: 2.9.11.2026"):
        with pytest.raises(InputError, match="titles without numbers"):
            read_ledger(table.replace(b"Stand: 29.11.2026", said))


def test_a_comment_that_names_the_columns_is_their_line() -> None:
    for text in (b"# of runs,epsilon\n52,0.1\n", b"# notes\n# of runs;epsilon\n52;0.1\n"):
        assert read_ledger(text).size == 52
    assert read_ledger(b"# epsilon is in nats\nepsilon\n0.1\n").size == 1
