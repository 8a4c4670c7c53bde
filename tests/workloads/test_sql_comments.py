"""Parameters in the comments of SQL logs: read where they are meant to stand, else refused."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.errors import InputError
from exactdp.ledger.columns import COLUMNS, key_of
from exactdp.mechanisms import Entry, Mechanism
from exactdp.workloads import sql_statements, sql_workload
from exactdp.workloads.comment_names import may_state
from exactdp.workloads.workload import Attribute, Workload
from tests.marking import each_case

DOMAIN = Workload((Attribute("age", 10), Attribute("sex", 2, ("f", "m"))), ())
EACH = Mechanism("1")
COUNT = "SELECT COUNT(*) FROM people"


def mechanisms(text: str) -> list[Entry]:
    return [query.mechanism for query in sql_workload.read(text, DOMAIN, EACH)]


@each_case(
    ("text", "place"),
    [
        (f"{COUNT}; -- epsilon: 5", "line 1, column 30"),
        (f"{COUNT} -- epsilon: 5", "line 1, column 29"),
        (f"{COUNT} -- epsilon: 5\n;", "line 1, column 29"),
        (f"{COUNT}; -- epsilon: 5\n{COUNT}", "line 1, column 30"),
        (f"{COUNT}; /* epsilon: 5 */ {COUNT}", "line 1, column 30"),
        (f"{COUNT};\n-- epsilon: 5", "line 2, column 1"),
        (f"{COUNT};\n-- epsilon: 5\n;", "line 2, column 1"),
        ("SELECT COUNT(*) -- epsilon: 5\nFROM people", "line 1, column 17"),
        ("SELECT /* epsilon: 5 */ COUNT(*) FROM people", "line 1, column 8"),
        (f"-- epsilon = 5\n{COUNT}", "line 1, column 1"),
        (f"-- Epsilon: 5\n{COUNT}", "line 1, column 1"),
        (f"-- EPSILON:5\n{COUNT}", "line 1, column 1"),
        (f"-- ε: 5\n{COUNT}", "line 1, column 1"),
        (f"-- eps: 5\n{COUNT}", "line 1, column 1"),
        (f"-- epsilon 5\n{COUNT}", "line 1, column 1"),
        (f"-- the epsilon of this: 5\n{COUNT}", "line 1, column 1"),
        (f"-- query_epsilon: 5\n{COUNT}", "line 1, column 1"),
        (f"-- sigma = 5\n{COUNT}", "line 1, column 1"),
        (f"-- noise of discrete_laplace: 5\n{COUNT}", "line 1, column 1"),
        (f"-- rate: 1/10\n{COUNT}", "line 1, column 1"),
        (f"-- laplace: 5, sigma: 1\n{COUNT}", "line 1, column 1"),
        (f"-- sigma: 5, shifts: 1\n{COUNT}", "line 1, column 1"),
        (f"-- epsilon: 5, sigma: 1\n{COUNT}", "line 1, column 1"),
        (f"-- epsilon: 5; delta: 1\n{COUNT}", "line 1, column 1"),
        (f"-- epsilon:\n{COUNT}", "line 1, column 1"),
        (f"-- label: x epsilon: 5\n{COUNT}", "line 1, column 1"),
        (f"-- epsilon: 5, epsilon: 1\n{COUNT}", "line 1, column 1"),
        (f"-- epsilon: 5\n-- epsilon: 1\n{COUNT}", "line 2, column 1"),
        (f"-- epsilon: 5\n-- epsilon: 5\n{COUNT}", "line 2, column 1"),
        (f"-- prose\r-- epsilon: 5\n{COUNT}", "line 1, column 1"),
        (f"/* a /* epsilon: 5 */ b */ {COUNT}", "line 1, column 1"),
        (f"{{# epsilon: 5 #}}{COUNT}", "line 1, column 1"),
        (f"{COUNT};\n\n  /* Rho=1/2 */\n{COUNT}", "line 3, column 3"),
    ],
)
def test_a_parameter_that_is_not_read_is_refused(text: str, place: str) -> None:
    with pytest.raises(InputError, match="comment") as caught:
        mechanisms(text)
    assert (caught.value.field, caught.value.path) == ("comment", place)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        (f"{COUNT} WHERE age=1 /*! OR age=2 */", "line 1, column 41", "MySQL and its kin execute"),
        (f"{COUNT} WHERE age=1 /*!50000 OR age=2 */;", "line 1, column 41", "execute"),
        (f"{COUNT} WHERE age=1 /*M!100100 OR age=2 */", "line 1, column 41", "execute"),
        (f"/*! SET NAMES utf8 */; {COUNT}", "line 1, column 1", "execute"),
        (f"{COUNT}; /*! {COUNT} */", "line 1, column 30", "execute"),
        (f"{COUNT} WHERE age=1 /* x /* y */ OR age=2 --*/", "line 1, column 41", "one comment"),
        (f"{COUNT} WHERE age=1 {{# x #}}", "line 1, column 41", "one comment"),
        (f"{COUNT} WHERE age=1 -- x\rOR age=2", "line 1, column 41", "a carriage return"),
        (f"{COUNT} WHERE age=1--1", "line 1, column 40", "a space after --"),
    ],
)
def test_what_is_a_comment_in_some_databases_alone_is_refused(
    text: str, place: str, said: str
) -> None:
    with pytest.raises(InputError, match=said) as caught:
        mechanisms(text)
    assert caught.value.path == place


def test_comments_of_every_database_are_passed_over() -> None:
    text = f"--x\n{COUNT} /* one */ WHERE age=1 -- two\r\n; --three\r\n"
    assert mechanisms(text) == [EACH]


def test_several_comments_above_a_statement_are_one() -> None:
    text = f"-- epsilon: 5\n-- an aside\n/* delta: 1e-9 */ -- label: all\n{COUNT}"
    assert mechanisms(text) == [Mechanism("5", "1e-9", label="all")]


def test_prose_may_stand_anywhere() -> None:
    text = f"/* one */ {COUNT} -- two\n; -- three: 3\n-- four = 4\n{COUNT} WHERE sex = 'f'; -- five"
    assert mechanisms(text) == [EACH, EACH]


def test_a_text_in_quotes_is_no_comment() -> None:
    domain = Workload((Attribute("note", 2, ("-- epsilon: 5", "; -- rho: 1")),), ())
    text = f"{COUNT} WHERE note = '-- epsilon: 5';\n{COUNT} WHERE note = '; -- rho: 1'"
    assert len(sql_workload.read(text, domain, EACH)) == 2


@given(
    st.sampled_from(["epsilon", "delta", "rho", "mu", "sigma", "EPSILON", "Rho", "μ"]),
    st.sampled_from([":", " :", "=", " = ", ": \t"]),
    st.sampled_from(["-- {}\n", "/* {} */", "/* {} */\n"]),
    st.integers(0, 8),
)
def test_a_parameter_counts_or_the_log_is_refused(
    name: str, colon: str, comment: str, place: int
) -> None:
    """Wherever it stands, no answer is as if the comment were not there."""
    words = ["\n", "SELECT", "COUNT(*)", "FROM", "people", ";", "SELECT COUNT(*)", "FROM people"]
    words.insert(place, comment.format(f"{name}{colon}7"))
    found = None
    with suppress(InputError):
        found = mechanisms(" ".join(words))
    assert found != [EACH, EACH]


NAMES = (
    *(name.replace("_", " ") for name in COLUMNS if name != "label"),
    *("eps", "ε", "ɛ", "privacy loss", "δ", "failure probability", "ρ", "ϱ", "μ", "σ", "sens"),
    *("noise multiplier", "q", "sample rate", "sampling rate", "sampling probability"),
    *("subsampling rate", "counts", "n", "runs", "steps", "iterations", "repetitions", "repeats"),
    *(
        "reps",
        "times",
        "quantity",
        "qty",
        "# of runs",
        "number of runs",
        "No. of queries run times",
    ),
)
OTHER_NAMES = (
    "scale",
    "scales",
    "discrete_laplace",
    "budget",
    "privacy budget",
    "noise",
    "variance",
    "Δ",
    "Gaussian",
    "std",
    "epsilons",
)
DISGUISES: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in capitals": lambda text: text.upper() if text.isascii() else text,
    "full width": lambda text: "".join(
        chr(ord(each) + 0xFEE0) if each.isascii() and each.isalpha() else each for each in text
    ),
    "zero-width space": lambda text: text[:1] + "\u200b" + text[1:],
    "soft hyphen": "\u00ad".join,
    "underscores": lambda text: text.replace(" ", "_"),
}
FORMS = ("{}: 5", "{}:5", "{} = 0.1", "{} 0.1", "{} (5)", "{} is 5", "the {} of this: 5", "{}: ⅕")
COMMENTS = ("-- {}\n", "/* {} */ ", "/*\n * {}\n */\n", "-- prose\n-- {}\n")


@each_case("key", [each for each in sql_statements.KEYS if each != "label"])
def test_every_key_that_is_read_is_a_name(key: str) -> None:
    assert may_state(f"{key}: 5")
    assert key == "rate" or may_state(f"{key}:")


def test_the_names_are_those_of_columns() -> None:
    assert all(key_of(name) for name in NAMES if "queries" not in name)


@pytest.mark.parametrize("disguise", DISGUISES)
@each_case("name", [*NAMES, *OTHER_NAMES])
def test_a_name_with_a_number_is_read_or_refused_and_never_passed_over(
    name: str, disguise: str
) -> None:
    hidden = DISGUISES[disguise](name)
    assert all(may_state(form.format(hidden)) for form in FORMS)
    number = sum(map(ord, hidden))
    comment = COMMENTS[number % len(COMMENTS)].format(FORMS[number % len(FORMS)].format(hidden))
    for text in (f"{comment}{COUNT}", f"{COUNT};\n{comment}{COUNT}", f"{COUNT};\n{comment}"):
        try:
            found = mechanisms(text)
        except InputError:
            continue
        assert found[-1] != EACH, text


@pytest.mark.parametrize(
    "comment", ["52 runs", "ran 52 times", "52 weekly runs", "Laplace(10)", "q0.1", "runs\n: 52"]
)
def test_a_number_may_stand_before_or_within_a_name(comment: str) -> None:
    with pytest.raises(InputError, match="write a statement as often as it ran"):
        mechanisms(f"/* {comment} */ {COUNT}")


@pytest.mark.parametrize(
    "prose",
    [
        "Q1 2026: admissions",
        "3. Count of women over 65",
        "N women aged 65",
        "this runs weekly, at a rate that we know",
        "report of 2026-01-05: runs",
        "the noise of each is calibrated to its epsilon",
        "patients of 65 and above",
    ],
)
def test_prose_that_states_nothing_is_passed_over(prose: str) -> None:
    assert mechanisms(f"-- {prose}\n{COUNT}") == [EACH]


@pytest.mark.parametrize("label", ["surgery at a rate in 2026", "3. Count of women over 65"])
def test_a_label_may_be_about_a_parameter(label: str) -> None:
    assert mechanisms(f"-- epsilon: 5, label: {label}\n{COUNT}") == [Mechanism(5, label=label)]


@pytest.mark.parametrize(
    "word", ["mu ", "mu", "mu\t", "n: ", "of ", "epsilon-", "5 mu ", "(", "1/"]
)
def test_a_long_comment_is_searched_once(word: str) -> None:
    """A search that begins anew at each name would not end within the suite's time."""
    comment = f"mu {word * 40_000}"
    assert may_state(comment) == (word in ("5 mu ", "1/", "n: "))
