"""``exactdp crosscheck`` and ``exactdp hunt``, with accountants that a user wrote."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema_rs
import pytest

from exactdp.accountants.verdicts import AnswerVerdict
from exactdp.pages.facts.accountants import describe
from tests.accountants.asking import FAKE
from tests.cli.running import SCHEMA, exactdp, files_below

ROOT = Path(__file__).resolve().parents[3]
VALIDATOR = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text()))
LEDGER = ("-m", "0.1*100", "--delta", "2^-30")  # least ε: 5.9670668294…


def _program(behaviour: str, name: str = "ours") -> tuple[str, str]:
    return "--program", f"{name}={shlex.join([sys.executable, '-I', str(FAKE), behaviour])}"


def test_a_refuted_claim_leaves_a_certificate_that_is_about_that_ledger(place: Path) -> None:
    answer = exactdp("crosscheck", *LEDGER, *_program("0.5"))
    assert answer.code == 1
    assert "UNSOUND: ε too small by at least 0.967066" in answer.out
    assert list(files_below(place)) == ["crosscheck", "crosscheck/ledger.ours.lower.json"]
    claim = ("-m", "0.1*100", "--claim", "5,2^-30")
    verified = exactdp("verify", "crosscheck/ledger.ours.lower.json", *claim)
    assert verified.code == 0
    assert "refutes the claim (5, 2^-30)" in verified.out


def test_a_claim_that_holds_leaves_nothing(place: Path) -> None:
    answer = exactdp("crosscheck", *LEDGER, *_program("1"))
    assert answer.code == 0
    assert "sound: ε too large by at most 4.04" in answer.out
    assert files_below(place) == {}


@pytest.mark.parametrize("relation", ["replace-one", "add-remove-one"])
def test_what_accountants_are_asked_about_are_the_neighbours_of_the_ledger(
    place: Path, relation: str
) -> None:
    ledger = {
        "format": "exactdp-ledger/1",
        "neighbouring": relation,
        "mechanisms": [{"sigma": 2, "sensitivity": 2}],
        "target_delta": "1e-5",
    }
    (place / "steps.json").write_text(json.dumps(ledger))
    shown = exactdp("crosscheck", "steps.json", *_program("echo"))
    assert f"neighbours   {relation}" in shown.out
    answer = exactdp("crosscheck", "steps.json", *_program("echo"), "--json")
    VALIDATOR.validate(answer.document)
    assert answer.result["neighbouring"] == relation
    [row] = answer.result["accountants"]
    assert f'"neighbouring": "{relation}"' in row["message"]


def test_several_of_one_name_keep_their_certificates_apart(place: Path) -> None:
    answer = exactdp("crosscheck", *LEDGER, "--value", "1", "--value", "2", "--certificates", "d")
    assert answer.code == 1
    assert list(files_below(place)) == [
        "d",
        "d/ledger.value-1.lower.json",
        "d/ledger.value.lower.json",
    ]


@pytest.mark.parametrize(
    ("mechanism", "value", "code", "word"),
    [
        ("mu=1/2*10", "8.3", 1, "UNSOUND: ε too small by at least 0.00622"),
        ("mu=1/2*10", "8.31", 0, "sound: ε too large by at most 0.0037"),
        ("rho=1/8", "2.25", 1, "UNSOUND: ε too small by at least 0.00408"),
        ("rho=1/8", "2.42", 0, "sound: ε too large by at most 0.166"),
        ("rho=1/8", "2.3", 3, "undecided"),
    ],
)
def test_values_are_judged_of_rho_and_mu_where_they_can_be(
    place: Path, mechanism: str, value: str, code: int, word: str
) -> None:
    answer = exactdp("crosscheck", "-m", mechanism, "--delta", "1e-6", "--value", value)
    assert (answer.code, word in answer.out) == (code, True)
    assert len(files_below(place)) == 2 * (code == 1)


def test_a_program_that_knows_pairs_alone_has_no_answer_about_noise() -> None:
    answer = exactdp("crosscheck", "-m", "rho=1", "--delta", "1e-6", *_program("1"))
    assert answer.code == 3
    assert "unusable: it ended without an answer (exit code 1): KeyError" in answer.out


def test_values_are_read_from_a_file(place: Path) -> None:
    (place / "v.csv").write_text("accountant,epsilon,basis\na,5,finer-structure\nb,6,\n")
    answer = exactdp("crosscheck", *LEDGER, "--values", "v.csv")
    assert answer.code == 0
    assert "not comparable: it knows more than (ε, δ)" in answer.out
    assert len([line for line in answer.lines if line.startswith(("a ", "b "))]) == 2


def test_delta_is_asked_for_at_an_epsilon() -> None:
    answer = exactdp("crosscheck", "-m", "ln(3)*2", "--epsilon", "ln(3)", "--value", "0.3")
    assert answer.code == 1
    assert "δ ≥ 0.375" in answer.out
    assert "UNSOUND: δ too small by at least 0.075" in answer.out


def test_an_infeasible_delta_is_handled_or_not() -> None:
    ledger = ("-m", "1,1/10*2", "--delta", "18/100")
    handled = exactdp("crosscheck", *ledger, "--value", "inf")
    assert (handled.code, "infeasible, handled: inf" in handled.out) == (0, True)
    finite = exactdp("crosscheck", *ledger, "--value", "5")
    assert finite.code == 1
    assert "INFEASIBLE, NOT HANDLED: no finite ε is enough at this δ" in finite.out


def test_what_is_undecided_is_exit_code_three() -> None:
    ledger = ("-m", "0.12345678*90", "-m", "0.23456713*80", "--delta", "1e-6")
    answer = exactdp("crosscheck", *ledger, "--value", "11", "--max-cost", "1e9")
    assert answer.code in (1, 3)


def test_json_names_everything_and_conforms() -> None:
    arguments = (*LEDGER, *_program("0.5"), "--value", "nan", "--json")
    answer = exactdp("crosscheck", *arguments)
    VALIDATOR.validate(answer.document)
    assert answer.result["certified"]["lower"].startswith("5.96706682")
    first, second = answer.result["accountants"]
    assert (first["verdict"], first["epsilon"], first["in"]) == ("unsound", "5", "epsilon")
    assert first["versions"] == {"fake": "1.0"}
    assert (second["verdict"], second["message"]) == ("unusable", "nan")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("-m", "1", "--value", "1"), "--delta"),
        (("-m", "1", "--value", "1", "--delta", "0", "--epsilon", "1"), "--epsilon"),
        ((*LEDGER, "--accountant", "opendb"), "--accountant"),
        ((*LEDGER, "--python", "opendp"), "--python"),
        ((*LEDGER, "--value", "much"), "--value"),
        ((*LEDGER, "--values", "missing.csv"), "--values"),
        ((*LEDGER, "--value", "1", "--tolerance", "0"), "--tolerance"),
        (("-m", "renyi=1", "--delta", "0.1", "--value", "1"), "mechanism"),
    ],
)
def test_a_mistake_names_its_field(arguments: tuple[str, ...], field: str) -> None:
    answer = exactdp("crosscheck", *arguments, "--json")
    assert (answer.code, answer.error["field"]) == (2, field)


def test_every_verdict_has_its_words() -> None:
    assert describe(AnswerVerdict("undecided", "why")) == "undecided: why"
    assert describe(AnswerVerdict("not-asked")) == "not asked"


@pytest.mark.skipif(shutil.which("perl") is None, reason="the example is written in Perl")
def test_the_example_in_another_language_is_sound_and_says_what_is_infeasible() -> None:
    program = ("--program", f"ours=perl {shlex.quote(str(ROOT / 'examples' / 'accountant.pl'))}")
    answer = exactdp("crosscheck", "-m", "0.1,1e-9*100", "--delta", "1e-6", *program)
    assert (answer.code, "sound: ε too large by at most 1." in answer.out) == (0, True)
    infeasible = exactdp("crosscheck", "-m", "1,1/10*2", "--delta", "18/100", *program)
    assert "infeasible, handled: inf" in infeasible.out


@pytest.mark.slow
def test_a_hunt_leaves_a_ledger_a_certificate_a_script_and_a_text(place: Path) -> None:
    answer = exactdp("hunt", *_program("0.9"), "--seed", "7", "--time-limit", "60", "--json")
    assert answer.code == 1
    VALIDATOR.validate(answer.document)
    found = answer.result["found"]
    assert (answer.result["seeds"], found["seed"]) == ([7], None)
    endings = [".json", ".json", ".py", ".md", ".pyz"]
    assert [Path(name).suffix for name in found["files"]] == endings
    certificate, ledger, script, text, verifier = (place / name for name in found["files"])
    assert exactdp("verify", str(certificate), "--ledger", str(ledger)).code == 0
    [command] = re.findall(r"^    python (.*)$", text.read_text(), re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-I", *command.split()],
        cwd=verifier.parent,
        capture_output=True,
        check=True,
    )
    assert done.stdout.startswith(b"ACCEPTED")
    assert len(script.read_text().splitlines()) <= 5
    assert "**What is not.**" in text.read_text()
    assert script.read_text() in text.read_text()
    assert "`exactdp hunt`, its fixed list of boundary cases." in text.read_text()


def test_a_hunt_asks_what_it_found_a_second_time(place: Path) -> None:
    answer = exactdp(
        "hunt", *_program("forgetful"), "--seed", "7", "--time-limit", "60", "--gap", "1/9"
    )
    said = ": another number for the same mechanisms."
    assert (answer.code, said in answer.out) == (1, True)
    assert said in (place / "hunt" / "ours.md").read_text()


@pytest.mark.parametrize("ending", ["lower.json", "ledger.json", "py", "md"])
def test_a_hunt_does_not_begin_where_it_could_not_leave_its_case(
    place: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    def unwanted(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("exactdp.cli.commands.hunt.hunt", unwanted)
    (place / "hunt").mkdir()
    name = f"hunt/ours.{ending}"
    (place / name).write_text("notes")
    answer = exactdp("hunt", *_program("0.9"), "--seed", "7", "--time-limit", "60", "--json")
    assert (answer.code, answer.error["field"], answer.error["value"]) == (2, "--output", name)
    assert "--force" in answer.error["remedy"]


@pytest.mark.slow
def test_a_hunt_that_finds_nothing_says_that_this_proves_nothing(place: Path) -> None:
    answer = exactdp("hunt", *_program("basic"), "--seed", "7", "--time-limit", "1")
    assert (answer.code, files_below(place)) == (0, {})
    assert "nothing; that proves nothing" in answer.out
    assert answer.err == "exactdp: seeds 7\n"


def test_a_hunt_is_after_one_accountant() -> None:
    assert exactdp("hunt", "--json").error["field"] == "--accountant"
    two = (*_program("1", "a"), *_program("1", "b"))
    assert exactdp("hunt", *two, "--json").error["field"] == "--accountant"


NOBODY = ("-m", "0.1", "--delta", "0", "--python", "opendp={}", "--accountant", "opendp")


@pytest.mark.parametrize(
    ("python", "word"), [(sys.executable, "not installed"), ("/no/such/python", "unusable")]
)
def test_where_nobody_answered_nothing_was_checked(python: str, word: str) -> None:
    answer = exactdp("crosscheck", *(text.format(python) for text in NOBODY))
    assert (answer.code, word in answer.out) == (3, True)


def test_one_answer_beside_those_who_gave_none_is_enough() -> None:
    nobody = [text.format("/no/such/python") for text in NOBODY]
    assert exactdp("crosscheck", *nobody, "--value", "1").code == 0


@pytest.mark.parametrize("asked", [("--delta", "0.1"), ("--epsilon", "1")])
@pytest.mark.parametrize("delta", ["2", "1.5", "1.0000001"])
def test_a_delta_above_one_is_refused_and_not_read_as_one(
    place: Path, asked: tuple[str, ...], delta: str
) -> None:
    pair = f"0.5,{delta}"
    typed = exactdp("crosscheck", "-m", "0.1,0.1", *asked, "--value", pair)
    assert (typed.code, typed.err) == (2, f"exactdp: --value: {pair}: expected a δ of at most 1\n")
    (place / "values.csv").write_text(f"accountant,epsilon,delta\nours,0.5,{delta}\n")
    listed = exactdp("crosscheck", "-m", "0.1,0.1", *asked, "--values", "values.csv")
    assert (listed.code, "line 2" in listed.err) == (2, True)
    held = exactdp("crosscheck", "-m", "0.1,0.1", *asked, "--value", "0.5,1")
    assert held.code == 0
