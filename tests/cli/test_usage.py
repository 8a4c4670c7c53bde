"""Mistakes on the command line: each is one sentence that says what would have been right."""

from __future__ import annotations

import pytest

from exactdp.cli.commands import COMMANDS
from exactdp.cli.commands import GROUPS as SECTIONS
from tests.cli.running import exactdp
from tests.marking import each_case

WITHOUT_MECHANISMS = {
    "attack",
    "attest",
    "audit",
    "dpsgd",
    "example",
    "gate",
    "hunt",
    "init",
    "interactive",
    "parallel",
    "partition",
    "results",
}
GROUPS = {"filter"}
NAMES = list(COMMANDS)
A_COMMAND = f"{', '.join(NAMES[:-1])} or {NAMES[-1]}"
SENTENCES = {
    ("foo",): f"command: foo: expected {A_COMMAND}; see exactdp --help",
    ("compos",): f"command: compos: expected {A_COMMAND}; did you mean compose?",
    ("--frobnicate",): "option: --frobnicate: expected an option of exactdp; see exactdp --help",
    (
        "--delta",
        "0",
        "compose",
    ): "option: --delta: expected an option of exactdp; "
    "it stands after the command, as in exactdp compose … --delta",
    ("compose", "--dleta", "0"): "option: --dleta: expected an option of exactdp compose; "
    "did you mean --delta?",
    ("compose", "--delta"): "--delta: nothing: expected a value after it; "
    "see exactdp compose --help",
    (
        "dpsgd",
        "--drop-last",
    ): "option: --drop-last: expected an option of exactdp dpsgd; --loader shuffled "
    "is drop_last=True, --loader shuffled-keep-last is drop_last=False",
    ("filter", "history"): "LOG…: nothing: expected a value, which exactdp filter history needs; "
    "see exactdp filter history --help",
    ("risk", "-m", "1", "--group", "3"): "option: --group: expected an option of exactdp risk; "
    "compose, profile, certify, bounds and audit answer for groups",
    (
        "dpsgd",
        "history.json",
        "--delta",
        "1e-5",
    ): "argument: history.json: expected no more arguments "
    "(exactdp dpsgd [OPTIONS]); a training in a file is composed by exactdp compose FILE, and a "
    "claim about it judged by exactdp certify FILE",
    ("compose", "--json=yes"): "--json: a value: expected no value after it; "
    "see exactdp compose --help",
    (
        "profile",
        "a",
        "b",
        "c",
        "--epsilon",
        "1",
    ): "argument: b c: expected no more arguments "
    "(exactdp profile [OPTIONS] LEDGER); see exactdp profile --help",
    ("profile", "-m", "1"): "--epsilon: nothing: expected a value, which exactdp profile needs; "
    "see exactdp profile --help",
    ("certify", "-m", "1", "--epsilon", "1"): "--delta: nothing: expected a value, which exactdp "
    "certify needs; where a claim names no δ, exactdp profile --epsilon says which δ holds with it",
    ("filter", "import", "f.log", "a.csv"): "--from: nothing: expected a value, which exactdp "
    "filter import needs; csv is a table, such as a spreadsheet's",
    ("crosscheck", "-m", "1", "--program", "python ours.py"): "--program: python ours.py: expected "
    "NAME=COMMAND; for example --program 'ours=python ours.py'",
    ("dpsgd", "--sample-rate", "1"): "option: --sample-rate: expected an option of exactdp dpsgd; "
    "dpsgd calls it --rate, other commands write -m sigma=1.1,rate=0.01*1000",
    ("dpsgd", "--target-epsilon", "3"): "option: --target-epsilon: expected an option of exactdp "
    "dpsgd; exactdp budget -m 'sigma=1,rate=0.01*1000' --epsilon E --delta D --noise-of '#1' finds "
    "the least noise; --epsilon of dpsgd is a claim",
    ("certify", "--claim", "2,0"): "option: --claim: expected an option of exactdp certify; "
    "a claim is --epsilon E --delta D here",
    ("filter", "spend", "f.log"): "--mechanism: nothing: expected a value, which exactdp filter "
    "spend needs; for example -m 0.1 or -m rho=1/100",
    ("dpsgd", "--sigma", "1"): "option: --sigma: expected an option of exactdp dpsgd; dpsgd calls "
    "it --noise-multiplier, other commands write -m sigma=1.1",
    (
        "compose",
        "-m",
        "1",
        "--group",
        "0",
    ): "--group: 0: expected a whole number from 1 to 1000000000000000000, in plain digits; "
    "see exactdp compose --help",
    (
        "compose",
        "-m",
        "1",
        "--time-limit",
        "1e3",
    ): "--time-limit: 1e3: expected a whole number at least 1, in plain digits; "
    "see exactdp compose --help",
    ("compose", "-m", "1", "--delta", "0.1", "--delta", "0.2"): "--delta: given 2 times: expected "
    "one value; see exactdp compose --help",
    ("certify", "-m", "1", "--epsilon=1", "--delta=0", "-o", "a", "--output", "b"): "--output: "
    "given 2 times: expected one value; see exactdp certify --help",
    ("verify",): "FILE…: nothing: expected a value, which exactdp verify needs; "
    "see exactdp verify --help",
    ("papers", "mv17"): "mv18|mv16|poster|table: mv17: expected mv18, mv16, poster or table; "
    "see exactdp papers --help",
    ("explain",): "CERT: nothing: expected a value, which exactdp explain needs; "
    "see exactdp explain --help",
    ("convert", "a", "b", "c"): "argument: c: expected LEDGER and FILE, and nothing more",
    ("convert", "-m", "1", "b.csv", "c"): "argument: c: expected -m and one FILE",
    ("convert", "-m", "1", "--to", "xml"): "--to: xml: expected json or csv or dp-accounting "
    "or diffprivlib or smartnoise-sql or psi or deployments-registry",
    ("convert", "-m", "1", "out.xml"): "FILE: out.xml: expected a name that ends in .json or "
    ".csv; or name the format with --to: json, csv, dp-accounting, diffprivlib, "
    "smartnoise-sql, psi, deployments-registry",
    ("convert", "--to", "csv"): "LEDGER: nothing: expected a file, - for standard input, or "
    "mechanisms with -m; for example: exactdp compose -m '0.1,1e-9*50' --delta 1e-6",
    ("compose", "a.json", "-m", "1"): "LEDGER: a.json: expected either LEDGER or -m, not both; "
    "write the mechanisms of -m into the ledger",
    ("compose", "0.1*50", "--delta", "0"): "ledger: 0.1*50: expected a file that exists; "
    "a mechanism is given with -m: -m '0.1*50'",
    ("compose", "no.json", "--delta", "0"): "ledger: no.json: expected a file that exists; "
    "check the path; '-' reads standard input",
    ("compose", "-m", "1", "--max-cost", "0.5"): "--max-cost: 0.5: expected a whole number from "
    "1 to 1e30, such as 1e12",
    (
        "verify",
        "a",
        "--claim",
        "1",
    ): "--claim: 1: expected EPS,DELTA or rho=R or mu=M or fpr=A,tpr=T or "
    "prior=P,success=S; for example: --claim 2.64,0",
    ("certify", "-m", "1", "--epsilon", "1", "--delta", "0", "-o", "-"): "--output: -: expected "
    "the name of a file or directory; standard output is for the answer",
}


@each_case("arguments", SENTENCES)
def test_a_mistake_is_answered_by_a_sentence(arguments: tuple[str, ...]) -> None:
    answer = exactdp(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == f"exactdp: {SENTENCES[arguments]}\n"


def test_without_arguments_the_commands_are_shown() -> None:
    answer = exactdp()
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("Usage: exactdp ")


def test_the_commands_stand_in_the_order_of_use() -> None:
    answer = exactdp("--help")
    assert answer.code == 0
    lines = [line.split()[0] for line in answer.lines if line.startswith("  ")]
    assert [word for word in lines if word in COMMANDS] == list(COMMANDS)
    assert "..." not in answer.out.partition("Everyday:")[2]
    titles = [line.rstrip(":") for line in answer.lines if line.endswith(":")]
    assert titles == ["Options", *SECTIONS]


@each_case("command", COMMANDS)
@each_case("option", ["-h", "--help"])
def test_every_command_has_help_and_takes_json_and_mechanisms(command: str, option: str) -> None:
    answer = exactdp(command, option)
    assert answer.code == 0
    assert answer.out.startswith(f"Usage: exactdp {command} ")
    if command in GROUPS:
        assert "Commands:" in answer.out
    else:
        assert "--json" in answer.out
        assert ("-m, --mechanism" in answer.out) == (command not in WITHOUT_MECHANISMS)


def test_help_of_the_filter_cuts_no_line() -> None:
    _, _, commands = exactdp("filter", "--help").out.partition("Commands:")
    assert "history" in commands
    assert "..." not in commands


def test_an_option_that_takes_several_values_may_be_given_twice() -> None:
    assert exactdp("profile", "-m", "1", "-m", "2", "--epsilon", "1", "--epsilon", "2").code == 0
    assert exactdp("compose", "-m", "1", "--delta", "0", "--json", "--json").code == 0


def test_the_version_is_one_line() -> None:
    answer = exactdp("--version")
    assert (answer.code, len(answer.lines)) == (0, 1)
    assert answer.out.startswith("exactdp ")


def test_a_certificate_given_for_a_ledger_is_recognised() -> None:
    exactdp("certify", "-m", "1", "--epsilon", "1", "--delta", "0", "-o", "c.json")
    answer = exactdp("compose", "c.json", "--delta", "0")
    assert answer.code == 2
    assert answer.err.endswith("this is a certificate: see exactdp verify and exactdp explain\n")


def test_a_bug_of_ours_is_a_sentence_with_exit_code_70(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("\x1b[31mlost")

    monkeypatch.setattr("exactdp.cli.commands.compose.compose_within", broken)
    answer = exactdp("compose", "-m", "1", "--delta", "0")
    assert (answer.code, answer.out) == (70, "")
    assert answer.err.startswith("exactdp: internal error: RuntimeError: \\x1b[31mlost; ")
    assert answer.err.count("\n") == 1
    error = exactdp("compose", "-m", "1", "--delta", "0", "--json").error
    assert error["code"] == "internal-error"


def test_exhausted_memory_is_a_sentence_with_exit_code_70(monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("exactdp.cli.commands.compose.compose_within", greedy)
    answer = exactdp("compose", "-m", "1", "--delta", "0")
    assert answer.code == 70
    assert "out of memory" in answer.err


def test_a_format_is_named_to_convert_alone() -> None:
    answer = exactdp("compose", "spends.csv", "--from", "csv")
    assert answer.code == 2
    assert "exactdp convert --from FORMAT" in answer.err
    assert "--group" not in answer.err
