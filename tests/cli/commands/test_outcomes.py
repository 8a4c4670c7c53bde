"""Every outcome of ``exactdp crosscheck`` and ``exactdp hunt``: its words and its exit code."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import jsonschema_rs
import pytest
from gmpy2 import mpq

from exactdp.accountants import hunting
from exactdp.accountants.accountants import Accountant
from exactdp.accountants.api import crosscheck
from exactdp.accountants.hunting import is_case
from exactdp.accountants.protocol import AccountantAnswer
from exactdp.accountants.verdicts import STANDINGS, AnswerOutcome, Truth, judge
from exactdp.cli.commands import hunt as hunt_module
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import LaplaceMechanism
from tests.accountants.asking import FAKE, fake, question
from tests.cli.running import SCHEMA, exactdp
from tests.marking import slow_after

VALIDATOR = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text()))
PLAIN = ("-m", "0.1*100", "--delta", "2^-30")  # the least ε is 5.96706682942…
TIED = ("-m", "0.1*12", "--delta", "0")  # the least ε is 1.2
INFEASIBLE = ("-m", "1,1/10*2", "--delta", "18/100")
UNKNOWN = ("-m", "rho=1/8", "--delta", "1e-6")  # from 2.25 to 2.42


@dataclass(frozen=True)
class Told:
    """An answer to a question, and what is said of it."""

    asked: tuple[str, ...]
    answer: str
    outcome: AnswerOutcome
    words: str
    code: int
    sentence: str


HELD = "is not shown to promise too little"
FALSE = "The one answer promises what is false"
NOTHING = "No accountant gave an answer that can be judged"
TABLE: Sequence[Told] = (
    Told(PLAIN, "=5.9", "unsound", "UNSOUND: ε too small by at least 0.0670668", 1, FALSE),
    Told(
        PLAIN,
        "=5.96706682",
        "low",
        "low: ε too small by at least 9.47317e-9, less than 1e-6",
        0,
        "The one answer is too small at δ = 2^-30, by less than 1e-6 in ε or 1e-3 of δ: value.",
    ),
    Told(
        TIED,
        "=1.1999999999976",
        "low",
        "low: ε too small by at least 2.3999e-12, less than 1e-6",
        0,
        "too small",
    ),
    Told(TIED, "=1.2", "sound", "sound: ε as small as it can be", 0, HELD),
    Told(TIED, "=1.2000000000024", "sound", "sound: ε too large by at most 2.4", 0, HELD),
    Told(PLAIN, "=6", "sound", "sound: ε too large by at most 0.033", 0, HELD),
    Told(PLAIN, "=nan", "unusable", "unusable: nan", 3, NOTHING),
    Told(PLAIN, "=inf", "unusable", "unusable: inf", 3, NOTHING),
    Told(
        PLAIN,
        "=-1",
        "unusable",
        "unusable: a negative number",
        3,
        "A negative number is no answer, and 0 is too small at δ = 2^-30: value.",
    ),
    Told(PLAIN, "error", "unusable", "unusable: ValueError: that", 3, NOTHING),
    Told(PLAIN, "crash", "unusable", "unusable: it ended without an answer", 3, NOTHING),
    Told(PLAIN, "hang", "unusable", "unusable: no answer within 0.5 s", 3, NOTHING),
    Told(PLAIN, "unsupported", "not-asked", "not asked: that", 3, NOTHING),
    Told(PLAIN, "missing", "not-installed", "not installed", 3, NOTHING),
    Told(PLAIN, "knowing", "not-comparable", "not comparable: it knows more", 3, NOTHING),
    Told(UNKNOWN, "=2.3", "undecided", "undecided", 3, HELD),
    Told(INFEASIBLE, "=inf", "infeasible-handled", "infeasible, handled: inf", 0, HELD),
    Told(INFEASIBLE, "error", "infeasible-handled", "infeasible, handled: ValueErr", 0, HELD),
    Told(
        INFEASIBLE,
        "=5",
        "infeasible-not-handled",
        "INFEASIBLE, NOT HANDLED: no finite ε is enough",
        1,
        FALSE,
    ),
    Told(INFEASIBLE, "=nan", "infeasible-not-handled", "INFEASIBLE, NOT HANDLED: nan", 3, NOTHING),
)


def _program(behaviour: str) -> tuple[str, ...]:
    command = shlex.join([sys.executable, "-I", str(FAKE), behaviour])
    return "--program", f"ours={command}", "--timeout", "0.5" if behaviour == "hang" else "20"


def _arguments(told: Told) -> tuple[str, ...]:
    if told.answer.startswith("="):
        return *told.asked, "--value", told.answer[1:]
    return *told.asked, *_program(told.answer)


def test_the_table_tells_of_every_outcome() -> None:
    assert {told.outcome for told in TABLE} == {*get_args(AnswerOutcome)} == {*STANDINGS}


@pytest.mark.slow
@pytest.mark.parametrize("told", TABLE, ids=lambda told: f"{told.outcome} {told.answer}")
def test_every_outcome_of_crosscheck_has_its_words_and_its_exit_code(
    place: Path, told: Told
) -> None:
    shown = exactdp("crosscheck", *_arguments(told))
    assert (shown.code, told.words in shown.out) == (told.code, True)
    assert told.sentence in shown.lines[0]
    contradicts = "not shown" in shown.lines[0] or "can be judged" in shown.lines[0]
    assert not ("refuted by" in shown.out and contradicts)
    answer = exactdp("crosscheck", *_arguments(told), "--json", "--certificates", "again")
    VALIDATOR.validate(answer.document)
    [row] = answer.result["accountants"]
    assert (answer.code, row["verdict"]) == (told.code, told.outcome)
    assert place.is_dir()


def test_beside_one_that_holds_a_low_answer_is_named_and_accuses_nobody(place: Path) -> None:
    shown = exactdp("crosscheck", *PLAIN, "--value", "6", "--value", "5.96706682")
    assert (shown.code, place.is_dir()) == (0, True)
    assert shown.lines[0] == (
        "1 of 2 answers is too small at δ = 2^-30, by less than 1e-6 in ε or 1e-3 of δ: value."
    )


@pytest.mark.parametrize(("delta", "outcome"), [("0.3749", "low"), ("0.3746", "unsound")])
def test_a_gap_in_delta_is_measured_by_the_delta_that_is_claimed(delta: str, outcome: str) -> None:
    asked = question(["ln(3)", "ln(3)"], epsilon="ln(3)")  # δ = 3/8
    verdict = judge(AccountantAnswer("answered", delta=mpq(delta)), Truth(asked))
    assert (verdict.outcome, verdict.in_delta) == (outcome, True)


def test_what_is_low_is_a_case_only_for_who_asks_for_so_small_a_gap() -> None:
    asked = question([("0.1", 0, 12)], delta="0")
    answer = AccountantAnswer("answered", epsilon=mpq("1.19999999"))
    verdict = judge(answer, Truth(asked))
    assert [is_case(verdict, gap) for gap in (None, mpq(1, 10**6), mpq(1, 10**9))] == [
        False,
        False,
        True,
    ]


# --- hunt ---------------------------------------------------------------------------------------


@pytest.fixture
def corners_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hunt that draws nothing, so that no clock ends it."""
    monkeypatch.setattr(hunting, "_explore", lambda *_: None)
    monkeypatch.setattr(hunting, "BOUNDARY_CASES", hunting.BOUNDARY_CASES[:3])


HUNTED = [
    ("0.9", 1, "The accountant ours says ε = ", "by its fixed list of boundary cases"),
    ("basic", 0, "No ledger was found, by 3 answers to 3 questions, on which", "proves nothing"),
    *(
        (
            behaviour,
            3,
            "Nothing was checked: 3 questions to ours brought no answer that can be judged.",
            "nothing, for no answer could be judged",
        )
        for behaviour in ("error", "unsupported", "nan", "knowing", "crash", "hang")
    ),
]


@pytest.mark.slow
@pytest.mark.usefixtures("corners_alone")
@pytest.mark.parametrize(("behaviour", "code", "sentence", "found"), HUNTED)
def test_every_outcome_of_a_hunt_has_its_words_and_its_exit_code(
    place: Path, behaviour: str, code: int, sentence: str, found: str
) -> None:
    arguments = ("hunt", *_program(behaviour), "--seed", "1", "--jobs", "1")
    shown = exactdp(*arguments)
    assert (shown.code, shown.lines[0].startswith(sentence)) == (code, True)
    assert found in shown.out
    assert ("--timeout" in shown.out) == (code == 3)
    answer = exactdp(*arguments, "--json", "--output", "again")
    VALIDATOR.validate(answer.document)
    assert (answer.code, answer.result["found"] is None) == (code, code != 1)
    assert (answer.result["judged"] > 0) == (code != 3)
    assert place.is_dir()


@pytest.mark.usefixtures("corners_alone")
def test_of_a_package_every_setting_is_hunted_until_there_is_a_case(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = (("one", "basic"), ("two", "0.9"), ("three", "0.9"))
    accountants = [replace(fake(how), name=f"package/{name}") for name, how in settings]

    def chosen(*_: object, **_others: object) -> tuple[Accountant, ...]:
        return tuple(accountants)

    monkeypatch.setattr(hunt_module, "chosen", chosen)
    answer = exactdp("hunt", "--accountant", "package", "--jobs", "1", "--json")
    VALIDATOR.validate(answer.document)
    assert answer.code == 1
    searched = answer.result["searched"]
    assert [(each["accountant"], each["outcomes"]) for each in searched] == [
        ("package/one", {"sound": 3}),
        ("package/two", {"unsound": 1}),
    ]
    assert answer.result["found"]["accountant"]["accountant"] == "package/two"
    assert (place / "hunt" / "package-two.lower.json").is_file()


# --- at what fails whatever ε is, also where no rule makes certificates yet ----------------------

LAPLACE = ("-m", "laplace=1")
EVIDENCE = [
    (PLAIN, ("5.9", "5.96706682", "6"), "certificate"),
    (TIED, ("1", "1.1999999999976", "1.2"), "certificate"),
    ((*LAPLACE, "--delta", "0"), ("0.5", "0.9999999", "1"), "certificate"),
    (("clipped.json", "--delta", "0"), ("2", "9.9999999", "10"), "computed"),
]


@pytest.mark.parametrize("which", slow_after(2, [(1,), (0, 1, 2), (0,), (2,), (0, 2), (1, 2)]))
@pytest.mark.parametrize(("asked", "values", "evidence"), EVIDENCE)
def test_one_verdict_decides_the_head_the_table_the_page_and_the_exit_code(
    place: Path,
    asked: tuple[str, ...],
    values: tuple[str, ...],
    evidence: str,
    which: tuple[int, ...],
) -> None:
    """Whatever a refutation rests on: it accuses, and the line says what it rests on."""
    clipped = {"laplace": {"scale": "10"}, "clip": "1", "rate": "0.5", "count": 100}
    ledger = {"mechanisms": [clipped], "neighbouring": "replace-one"}
    (place / "clipped.json").write_text(json.dumps(ledger))
    given = [word for each in which for word in ("--value", values[each])]
    shown = exactdp("crosscheck", *asked, *given)
    accused, low = 0 in which, 0 not in which and 1 in which
    assert shown.code == int(accused)
    heads = ("what is false", "too small", "not shown", "None of")
    said = [head for head in heads if head in shown.lines[0]]
    assert said[0] == ("what is false" if accused else "too small" if low else "not shown")
    refuting = sum(each < 2 for each in which)
    assert shown.out.count("(computed, without a certificate)") == (
        refuting if evidence == "computed" else 0
    )
    assert ("refuted by" in shown.out) == (evidence == "certificate" and refuting > 0)
    arguments = (*asked, *given, "--json", "--report", "page.html", "--certificates", "again")
    answer = exactdp("crosscheck", *arguments)
    VALIDATOR.validate(answer.document)
    rows = answer.result["accountants"]
    told = [("unsound", evidence), ("low", evidence), ("sound", "computed")]
    assert [(row["verdict"], row["evidence"]) for row in rows] == [told[each] for each in which]
    assert answer.code == shown.code
    page = (place / "page.html").read_text()
    held = "proved" if evidence == "certificate" else "computed"
    colours = {"refuted" if each < 2 else held for each in which}
    [colour] = colours if len(colours) == 1 else {"mixed"}
    assert f'class="conclusion {colour}"' in page


@pytest.mark.parametrize(
    ("asked", "value", "outcome", "code"),
    [
        ((*LAPLACE, "--epsilon", "0.9"), "0", "unsound", 1),
        ((*LAPLACE, "--epsilon", "0.9"), "0.05", "sound", 0),
        ((*LAPLACE, "-m", "0.1,0.01", "--delta", "0.001"), "3", "infeasible-not-handled", 1),
        ((*LAPLACE, "-m", "0.1,0.01", "--delta", "0.001"), "inf", "infeasible-handled", 0),
        ((*LAPLACE, "-m", "0.1,0.01", "--delta", "0.001"), "nan", "infeasible-not-handled", 3),
        ((*LAPLACE, "-m", "0.1,0.01", "--epsilon", "5"), "0.001", "unsound", 1),
    ],
)
def test_what_is_below_the_mass_at_infinity_accuses_as_well(
    place: Path, asked: tuple[str, ...], value: str, outcome: str, code: int
) -> None:
    shown = exactdp("crosscheck", *asked, "--value", value)
    answer = exactdp("crosscheck", *asked, "--value", value, "--json")
    VALIDATOR.validate(answer.document)
    [row] = answer.result["accountants"]
    assert (shown.code, answer.code, row["verdict"]) == (code, code, outcome)
    assert ("promises what is false" in shown.lines[0]) == (code == 1)
    assert "(computed, without a certificate)" not in shown.out
    assert ("refuted by" in shown.out) == (code == 1)
    assert place.is_dir()


@pytest.mark.parametrize(
    ("delta", "value", "outcome", "code"),
    [
        ("0", "0.5", "unsound", 1),
        ("0", "1", "sound", 0),
        ("0.01", "0.5", "unsound", 1),
        ("0.01", "1", "sound", 0),
    ],
)
def test_a_hunt_finds_what_is_refuted_by_computation_as_well(
    place: Path, delta: str, value: str, outcome: str, code: int
) -> None:
    entry = {"laplace": {"scale": "1"}, "clip": "1", "rate": "0.5"}
    ledger = {"mechanisms": [entry], "target_delta": delta, "neighbouring": "replace-one"}
    (place / "l.json").write_text(json.dumps(ledger))
    answer = json.dumps({"epsilon": float(value)})
    program = shlex.join([sys.executable, "-Ic", f"input(); print({answer!r})"])
    arguments = ("hunt", "l.json", "--program", f"ours={program}", "--timeout", "20")
    shown = exactdp(*arguments)
    computed = code == 1 and delta == "0"
    assert shown.code == code
    assert ("which is false" in shown.lines[0]) == (code == 1)
    assert ("(computed, without a certificate)" in shown.out) == computed
    document = exactdp(*arguments, "--json", "--output", "again")
    VALIDATOR.validate(document.document)
    assert document.code == code
    assert document.result["searched"][0]["outcomes"] == {outcome: 1}
    if code:
        [text] = (place / "hunt").rglob("ours.md")
        assert ("**What is computed.**" in text.read_text()) == computed
        assert ("verifier" in text.read_text()) == (not computed)
        assert any((place / "hunt").rglob("*.lower.json")) == (not computed)
        assert (document.result["found"]["accountant"]["certificate"] is None) == computed


@pytest.mark.parametrize(
    ("delta", "epsilon", "value", "evidence"),
    [
        ("0", None, "0.5", "certificate"),
        ("0.01", None, "0.5", "certificate"),
        (None, "0.9", "0", "certificate"),
        (None, "0.9", "0.01", "certificate"),
    ],
)
def test_python_names_who_is_refuted_whatever_that_rests_on(
    delta: str | None, epsilon: str | None, value: str, evidence: str
) -> None:
    ledger = Ledger((LaplaceMechanism("1"),))
    values = {"low": value, "high": "0.99" if epsilon else "1"}
    found = crosscheck(ledger, delta=delta, epsilon=epsilon, values=values)
    assert [each.accountant for each in found.refuted] == ["low"]
    verdict = found.refuted[0].verdict
    assert (verdict.evidence, verdict.certificate is None) == (evidence, evidence == "computed")
    assert ("computed, without a certificate" in str(found)) == (evidence == "computed")
