"""Every answer for people begins with one sentence, whose numbers are on the safe side."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.cli.commands import COMMANDS
from exactdp.errors import ExactDPError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.pages.phrases import (
    accountants_refuted,
    claims_counted,
    composed,
    promise_of,
    reported,
)
from exactdp.pages.standing import Opening
from tests.attestation.signing import OTHER_PUBLIC, PRIVATE, PUBLIC
from tests.cli.running import exactdp
from tests.cli.test_every_relation import FAMILIES
from tests.cli.test_json_contract import ANSWERS
from tests.marking import each_case
from tests.test_functions import PROGRAM

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
MORE: Final = (
    ("hunt", "--program", f"fake={PROGRAM}", "--seed", "7", "--output", "hunted"),
    ("partition", "2", "3", "6"),
    ("parallel", str(EXAMPLES / "parallel" / "petersen.json"), "--delta", "1e-6"),
    ("budget", "-m", "0.1*9", "--epsilon", "1/2", "--delta", "1e-6"),
    ("budget", "-m", "0.1*9", "--epsilon", "1", "--delta", "1e-6", "--count-of", "#1"),
    ("results", "kept"),
)
_SENTENCE: Final = re.compile(r"(?:[A-Zε]|[0-9]).{20,}[^.]\.")
_VERB: Final = re.compile(
    r"\b(?:is|are|can|was|were|has|holds?|gives?|follows?|keeps?|fits?|promises?|accepts|rejects|have"
    r"|contradicts|written|states?|does|cannot|did)\b"
)


@pytest.fixture
def answers(place: Path) -> list[tuple[tuple[str, ...], str]]:
    """What each command prints for people, in a folder with what they are about."""
    return answers_in(place)


def answers_in(place: Path) -> list[tuple[tuple[str, ...], str]]:
    """What each command prints, asked in a folder that is prepared for it."""
    (place / "one.csv").write_text("epsilon\n1\n")
    for name, key in (("key.pem", PRIVATE), ("key.pub", PUBLIC), ("other.pub", OTHER_PUBLIC)):
        (place / name).write_bytes(key)
    exactdp("compose", "one.csv", "--delta", "0", "--store", "kept")
    return [(arguments, exactdp(*arguments).out) for arguments in (*ANSWERS, *MORE)]


def _is_ledger_itself(arguments: tuple[str, ...]) -> bool:
    """Whether another program reads what is printed: ``convert`` without a file to write to."""
    return arguments[0] == "convert" and "--to" in arguments and arguments[-2] == "--to"


@pytest.mark.slow
def test_every_command_begins_with_a_sentence(
    answers: list[tuple[tuple[str, ...], str]],
) -> None:
    of_people = [each for each in answers if not _is_ledger_itself(each[0])]
    assert {arguments[0] for arguments, _ in of_people} == set(COMMANDS)
    for arguments, printed in of_people:
        first = printed.partition("\n")[0]
        assert _SENTENCE.fullmatch(first), arguments
        assert first.startswith("ε ") or _VERB.search(first), arguments
        assert "  " not in first, "a row of a table"


_NEIGHBOURS: Final = {
    "unspecified": "before.",
    "add-remove-one": "before, for one record that is added or removed.",
    "replace-one": "before, for one record that is replaced.",
    "zero-out": "before, for one record whose contribution becomes 0.",
}


@each_case("family", FAMILIES)
def test_the_first_sentence_names_the_neighbours_stated_or_assumed(family: str) -> None:
    understood = 0
    for relation, words in _NEIGHBOURS.items():
        tree = {"neighbouring": relation, "mechanisms": [{**FAMILIES[family], "count": 2}]}
        try:
            ledger = read_ledger(json.dumps({"format": "exactdp-ledger/1", **tree}).encode())
        except ExactDPError:
            continue
        understood += 1
        assert composed(ledger, mpq(1), mpq(0)).endswith(words)
        assumed = Ledger(ledger.mechanisms)
        means_something = bool(ledger.mechanisms[0].neighbours)
        assert means_something == (assumed.neighbouring != "unspecified")
        assert composed(assumed, mpq(1), mpq(0)).endswith(_NEIGHBOURS[assumed.neighbouring])
    assert understood


@pytest.mark.parametrize("command", ["compose", "profile", "bounds"])
def test_programs_are_told_the_neighbours_too(command: str) -> None:
    asked = ("--epsilon", "1") if command == "profile" else ("--delta", "1e-6")
    sampled = exactdp(command, "-m", "sigma=9,rate=1/4", *asked, "--json")
    plain = exactdp(command, "-m", "1/4", *asked, "--json")
    assert plain.result["neighbouring"] == "unspecified"
    if command != "bounds":  # which knows no samples
        assert sampled.result["neighbouring"] == "add-remove-one"


def test_a_promise_is_rounded_up() -> None:
    for number in (mpq(1, 3), mpq(10**50 + 1, 10**50), mpq(7)):
        for text in promise_of(number, number):
            assert ExactNumber.parse(text).rational >= number


def test_a_first_sentence_states_the_upper_end_of_the_table() -> None:
    lines = exactdp("compose", "-m", "0.1*100", "--delta", "1e-6").lines
    assert lines[0].startswith("ε ≤ 4.7745675882 at δ = 1e-6 (certified; not below 4.774567588")
    assert any("ε ≤ 4.7745675882" in line for line in lines[1:])


def test_no_epsilon_is_said_in_the_first_sentence() -> None:
    first = exactdp("compose", "-m", "1,1/10*2", "--delta", "18/100").lines[0]
    assert first.startswith("With δ = 0.18, no ε whatsoever can be promised: ")
    group = exactdp("compose", "-m", "0.1,1e-9*9", "--delta", "1e-12", "--group", "3").lines[0]
    assert group == "With δ = 1e-12, no ε is derived for groups of 3."
    interleaved = ("--interaction", "concurrent", "--theorem", "vadhan-wang-2021-theorem-4.1")
    basic = exactdp("compose", "-m", "1,1e-3*2", "--delta", "1e-9", *interleaved).lines[0]
    assert basic.startswith("With δ = 1e-9, no ε is derived for these mechanisms")


@pytest.mark.parametrize(
    ("epsilon", "ends"),
    [
        ("9", "ε = 9 at δ = 0 follows from the parameters in this ledger."),
        ("1", "follows from the parameters in this ledger, and nothing smaller does."),
        ("1/2", "does not follow from the parameters in this ledger: some mechanisms that keep"),
    ],
)
def test_a_claim_is_decided_in_the_first_sentence(epsilon: str, ends: str) -> None:
    answer = exactdp("certify", "-m", "1", "--epsilon", epsilon, "--delta", "0")
    assert answer.lines[0].startswith("The claim ε = ")
    assert ends in answer.lines[0]


def test_claims_of_many_ledgers_are_counted() -> None:
    assert claims_counted(0, (0, 0), 0, 1) == (
        "This ledger states no claim: there was nothing to judge."
    )
    assert claims_counted(0, (0, 0), 0, 2) == (
        "These 2 ledgers state no claim: there was nothing to judge."
    )
    assert claims_counted(1, (1, 0), 3, 2) == (
        "1 of 3 claims in 2 ledgers follows from the parameters, 1 is refuted, and 1 is not "
        "settled."
    )
    assert claims_counted(1, (2, 1), 3, 2).endswith(
        ", and 2 are refuted (1 as computed, without a certificate)."
    )


def test_accountants_that_gave_no_answer_are_not_counted() -> None:
    assert accountants_refuted([], 0, "at δ = 0").startswith("No accountant gave an answer")
    assert accountants_refuted([], 2, "at δ = 0").startswith("None of 2 answers is shown")
    assert accountants_refuted(["a"], 2, "at δ = 0").endswith("what is false at δ = 0: a.")
    python = "dp-accounting=/nowhere/python"
    asked = ("--accountant", "dp-accounting/pld-1e-4", "--python", python)
    answer = exactdp("crosscheck", "-m", "1", "--delta", "0", *asked)
    assert answer.lines[0] == "No accountant gave an answer that can be judged at δ = 0."


def test_a_page_is_said_to_be_written_with_what_it_states() -> None:
    assert reported([Opening((), ("proved",)), Opening((), ("refuted",))], "p.html") == (
        "Report written to p.html. Verdicts: 1 proved, 1 refuted."
    )
    one = Opening((), ("refuted",))
    assert reported([one], "p.html") == "Report written to p.html. Verdict: refuted."
    both = Opening((), ("refuted", "proved"))
    assert reported([both], "p.html").endswith("Verdict: 1 proved, 1 refuted.")


_FIRST: Final = re.compile(r"ε ≤ (\S+) at δ = (\S+) \((\w+)(?:; not below (\S+))?(?:; tight)?\):")


@pytest.mark.parametrize("delta", ["1e-6", "1/3", "0.99999999999999999999998071250112345678901234"])
@each_case("ledger", ["0.1*20", "100", "ln(3)*2", "laplace=10*20", "mu=1/2*3", "rho=1/9"])
def test_what_stands_beside_the_first_number_is_true_of_what_is_shown(
    delta: str, ledger: str
) -> None:
    asked = ("compose", "-m", ledger, "--delta", delta)
    answer, result = exactdp(*asked), exactdp(*asked, "--json").result
    found = _FIRST.match(answer.lines[0])
    assert found is not None, answer.lines[0]
    above, shown, word, below = found.groups()
    assert Fraction(above) >= Fraction(result["epsilon"]["upper"])
    assert Fraction(shown) >= Fraction(delta)
    assert word == (
        "certified" if result.get("evidence", "certificate") == "certificate" else "computed"
    )
    if below is not None:
        assert Fraction(below) <= Fraction(result["epsilon"]["lower"])
    if Fraction(shown) > Fraction(delta):
        assert below is None
        assert "tight" not in answer.lines[0]


def test_of_a_group_the_scaled_mechanisms_say_nothing_from_below() -> None:
    for command in ("compose", "bounds"):
        line = exactdp(command, "-m", "1", "--delta", "0.01", "--group", "2").lines[0]
        assert "for groups of 2 (certified" in line
        assert "not below" not in line
        assert "tight" not in line


def test_what_a_workload_computes_alone_is_not_called_certified(place: Path) -> None:
    pair = {"p": ["1/4", "1/2", "1/4"], "q": ["0", "1/2", "1/2"]}
    wheres: tuple[object, ...] = ({"a": ["0"]}, {"a": {"range": ["0", "2"]}})
    queries = [{"pair": pair, "where": where} for where in wheres]
    tree = {"format": "exactdp-workload/1", "domain": {"a": {"size": "4"}}, "queries": queries}
    (place / "two.json").write_text(json.dumps(tree))
    answer = exactdp("parallel", "two.json", "--delta", "7/16")
    assert "(computed)" in answer.lines[0]
    assert "certified" not in answer.out


def test_what_is_shown_as_exact_is_not_rounded(place: Path) -> None:
    big = 10**21
    ends = {"a": (f"{big}/{3 * big + 1}", "1/7"), "b": (f"{2 * big + 1}/{3 * big + 1}", "6/7")}
    answers = {name: {"p": p, "q": q} for name, (p, q) in ends.items()}
    tree = {"format": "exactdp-interactive/1", "queries": {"q": answers}}
    (place / "tree.json").write_text(json.dumps(tree))
    line = exactdp("interactive", "tree.json", "--delta", "0").lines[0]
    assert line.startswith("ε ≤ 0.847")
    assert "(rounded up)" in line
