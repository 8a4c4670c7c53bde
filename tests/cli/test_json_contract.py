"""Everything that ``--json`` prints conforms to the published schema, and is one object."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from exactdp.cli.commands import COMMANDS
from exactdp.ledger.reading import FORMATS
from tests.attestation.signing import OTHER_PUBLIC, PRIVATE, PUBLIC
from tests.cli.numbers_said import unlabelled
from tests.cli.running import GOOGLE, LEDGERS, SCHEMA, Answer, exactdp
from tests.marking import each_case

VALIDATOR = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text()))

CENSUS = tuple(str(path) for path in sorted(LEDGERS.glob("census_2020_pl94_*.json")))
INTERLEAVED = ("--interaction", "concurrent", "--theorem", "vadhan-wang-2021-theorem-4.1")
TOLD = str(LEDGERS / "interactive" / "second_question.json")
SURVEY = str(LEDGERS.parent / "examples" / "statistics" / "tables.csv")
RUNS, CANARIES = (
    str(LEDGERS.parent / "examples" / "outcomes" / f"{name}.json")
    for name in ("many_runs", "one_run")
)
PETERSEN, REPLACED = (
    str(LEDGERS.parent / "examples" / "parallel" / f"{name}.json")
    for name in ("petersen", "replaced")
)
GATE = str(LEDGERS.parent / "examples" / "gate")
DPSGD = ("dpsgd", "--batch", "50", "--examples", "100", "--noise", "2", "--epochs", "2")
ATTEST = ("attest", "upper.json")
VERIFY = ("verify", "upper.json", "--ledger", "one.csv")
ANSWERS = [
    ("init", "begun.toml"),
    ("example",),
    ("example", "rappor"),
    ("interactive", TOLD, TOLD, "--delta", "0.1", "--certificates", "made"),
    ("interactive", TOLD),
    ("partition", "2", "3", "6"),
    ("parallel", PETERSEN, "--certificates", "made"),
    ("parallel", REPLACED),
    ("compose", GOOGLE),
    ("compose", GOOGLE, "--certificates", "."),
    ("compose", "-m", "ln(3)*2", "--delta", "1/10"),
    ("compose", "-m", "1,1/10*2", "--delta", "18/100"),
    ("compose", "-m", "0.1,1e-9*1000000000", "--delta", "1e-10"),
    ("compose", "-m", "1e-30*9", "--delta", "0", "--tolerance", "1e-60"),
    ("profile", "-m", "0.1,1e-30*10", "--epsilon", "0", "--epsilon", "ln(2)", "--epsilon", "8"),
    ("compose", "-m", "rho=1/8*4", "-m", "mu=1", "-m", "0.1,1e-9*3", "--delta", "1e-6"),
    ("compose", "-m", "mu=1", "--delta", "0"),
    ("compose", "-m", "mu=1", "--delta", "1", "--explain"),
    ("profile", "-m", "mu=1", "-m", "rho=1/9", "--epsilon", "0", "--epsilon", "3"),
    ("certify", "-m", "mu=1", "--epsilon", "9", "--delta", "1e-6"),
    ("certify", "-m", "1", "--epsilon", "1", "--delta", "0", "-o", "upper.json"),
    ("certify", "-m", "1", "--epsilon", "0", "--delta", "0"),
    ("certify", "-m", "mu=1", "--epsilon", "4.89", "--delta", "1e-6", "--places", "2"),
    ("certify", "-m", "0.1,1e-9*50", "--epsilon", "4", "--delta", "1e-6"),
    ("certify", "-m", "0.1,1e-9*50", "--epsilon", "2", "--delta", "1e-9"),
    ("attack", RUNS),
    ("attack", RUNS, "--against", "one.csv"),
    ("attack", RUNS, "--against", "1/10,1e-5"),
    ("attack", CANARIES, "--against", "9,0", "--level", "1/100"),
    ("attack", CANARIES, "--delta", "1/2"),
    ("risk", "-m", "ln(3)*2"),
    ("risk", "-m", "mu=1", "-m", "rho=1/9", "--fpr", "1/100", "--fpr", "0.9", "--prior", "1/3"),
    ("risk", "-m", "laplace=10*100", "--prior", "1/100"),
    ("risk", "-m", "ln(3)*2", "--prior", "1/3", "--fpr", "1/99", "--certificates", "made"),
    ("compose", "-m", "laplace=10*100", "--delta", "0", "--certificates", "made"),
    ("compose", "-m", "1,0.0134", "-m", "laplace=1", "--delta", "0.0049"),
    ("certify", "-m", "laplace=10*100", "--epsilon", "10", "--delta", "0", "-o", "no.json"),
    ("certify", "-m", "1,0.0134", "-m", "laplace=1", "--epsilon", "1", "--delta", "0.0049"),
    ("profile", "-m", "laplace=10*100", "--epsilon", "10"),
    ("bounds", "-m", "laplace=10*100", "--delta", "0"),
    ("budget", "-m", "laplace=10*100", "--epsilon", "5", "--delta", "0"),
    ("crosscheck", "-m", "laplace=10*100", "--delta", "0", "--value", "9"),
    ("bounds", GOOGLE),
    ("bounds", GOOGLE, "--certificates", "made", "--csv", "bounds.csv"),
    ("bounds", "-m", "ln(3)*2", "--delta", "1/10"),
    ("bounds", "-m", "1,1/10*2", "--delta", "18/100"),
    ("bounds", "-m", "0.1*1000000", "--delta", "1e-9", "--max-cost", "1"),
    ("compose", "-m", "0.1,1e-9*9", "--delta", "1e-6", "--interaction", "concurrent"),
    ("compose", "-m", "0.1,1e-9*9", "--delta", "1e-6", "--group", "3", "--certificates", "."),
    ("compose", "-m", "0.1,1e-9*9", "--delta", "1e-12", "--group", "3"),
    ("compose", "-m", "rho=1/8*3", "--delta", "1e-6", "--interaction", "concurrent"),
    ("compose", "-m", "rho=1/8*3", "--delta", "0", "--interaction", "concurrent"),
    ("compose", "-m", "mu=1/8*3", "--delta", "0", "--interaction", "concurrent"),
    ("compose", "-m", "1e8,1e-9", "--delta", "1e-3", *INTERLEAVED, "--certificates", "."),
    ("profile", "-m", "0.1,1e-9*9", "--epsilon", "1", "--group", "3"),
    ("profile", "-m", "0.1*9", "--epsilon", "1", "--interaction", "concurrent"),
    ("profile", "-m", "0.1*9", "--epsilon", "1", "--certificates", "made"),
    ("certify", "-m", "1", "--epsilon", "3", "--delta", "0", "--group", "3"),
    ("bounds", "-m", "0.1,1e-9*9", "--delta", "1e-6", "--group", "3", "--certificates", "."),
    ("bounds", "-m", "0.1*9", "--delta", "1e-6", "--interaction", "concurrent"),
    ("budget", "--allocate", SURVEY, "--epsilon", "1", "--delta", "1e-6", "--delta", "0"),
    ("budget", "--allocate", SURVEY, "--epsilon", "1", "--delta", "1e-6", "--without", "deaths"),
    ("budget", "--allocate", SURVEY, "--epsilon", "1/1000", "--delta", "0"),
    ("papers", "mv18", "-m", "0.1*20", "--delta", "1/20", "--eta", "0.1", "--certificates", "."),
    ("papers", "mv16", "-m", "0.1*20", "--delta", "1/20", "--eta", "0.1"),
    ("papers", "poster", "-m", "0.1*20", "--delta", "1/20", "--t", "10", "--tolerance", "1e-2"),
    ("papers", "poster", "-m", "0.1*20", "--delta", "1/20", "--t", "10", "--epsilon", "1/2"),
    ("audit", GOOGLE, *CENSUS, "--certificates", "."),
    ("audit", GOOGLE, *CENSUS, "--group", "2"),
    ("gate", GATE, "--junit", "gate.xml"),
    ("report", GOOGLE, *CENSUS, "-o", "page.html"),
    ("report", "-m", "0.1*9", "--claim", "1,0", "--claim", "0.5,1e-6", "-o", "page.html"),
    ("report", "-o", "page.html", "--delta", "0", "--max-cost", "1", GOOGLE),
    ("verify", "upper.json", "missing.json"),
    (*ATTEST, "--ledger", "one.csv", "--key", "key.pem", "-o", "envelope.json"),
    (*VERIFY, "--attestation", "envelope.json", "--public-key", "key.pub"),
    (*VERIFY, "--attestation", "envelope.json", "--public-key", "other.pub"),
    ("explain", "upper.json"),
    ("explain", "upper.json", "-m", "2"),
    ("crosscheck", "-m", "0.1*100", "--delta", "2^-30", "--value", "6", "--value", "5"),
    ("crosscheck", "-m", "1,1/10*2", "--delta", "18/100", "--value", "inf", "--value", "-1"),
    ("crosscheck", "-m", "ln(3)*2", "--epsilon", "ln(3)", "--value", "0.3"),
    ("convert", GOOGLE, "--to", "csv"),
    (*DPSGD, "--delta", "1e-5"),
    (*DPSGD, "--delta", "1e-5", "--loader", "shuffled", "--certificates", "made"),
    (*DPSGD, "--delta", "1e-5", "--all", "--epsilon", "3", "--tolerance", "1e-2"),
    (*DPSGD, "--delta", "1e-5", "--phase", "noise=3,epochs=1", "--phase", "batch-size=20"),
    ("convert", GOOGLE, "out.json"),
    ("filter", "init", "week.log", "--budget", "rho=1/2", "--delta", "1e-6"),
    (
        "filter",
        "init",
        "found.log",
        "--epsilon",
        "3",
        "--delta",
        "1e-6",
        "--by",
        "renyi",
        "--alpha",
        "8",
    ),
    ("filter", "spend", "week.log", "-m", "rho=1/100", "--label", "ages"),
    ("filter", "status", "week.log"),
    ("filter", "history", "week.log"),
    ("filter", "audit", "week.log"),
    ("filter", "certify", "week.log", "--log"),
    ("convert", "-m", "0.1*2", "steps.json", "--to", "smartnoise-sql"),
    (
        *("filter", "import", "recorded.log", "steps.json", "--from", "smartnoise-sql"),
        *("--budget", "epsilon=1", "--delta", "1e-6"),
    ),
]
ERRORS = [
    ("init", "ledger.xlsx"),
    ("example", "census"),
    (),
    ("nonsense",),
    ("\x1b[31m",),
    ("compose",),
    ("compose", "--dleta", "0"),
    ("compose", "-m", "x", "--delta", "0"),
    ("compose", "-m", "0.1*100", "--delta", "1/10", "--max-cost", "1", "--tolerance", "1e-9"),
    ("compose", "missing.json", "--delta", "0"),
    ("budget", "--allocate", "missing.json"),
    ("profile", "-m", "1"),
    ("certify", "-m", "1", "--epsilon", "1", "--delta", "0", "-o", "no/such/place"),
    ("bounds", "-m", "1"),
    ("bounds", "-m", "1", "--delta", "0", "--plot", "curves.pdf"),
    ("verify", "upper.json", "--claim", "x"),
    ("crosscheck", "-m", "1", "--delta", "0", "--accountant", "x"),
    ("hunt", "--accountant", "x"),
    ("report", GOOGLE),
    ("report", GOOGLE, "-o", GOOGLE),
    ("report", "-o", "page.html"),
    ("report", GOOGLE, "--claim", "1", "-o", "page.html"),
    ("report", "missing.json", "-o", "page.html"),
    ("explain", "missing.json"),
    ("convert", GOOGLE),
    ("audit",),
    ("gate", "missing.toml"),
    (*VERIFY, "--attestation", "envelope.json"),
    ("attest", "missing.json", "--ledger", "one.csv", "--key", "key.pem", "-o", "other.json"),
    ("filter", "init", "other.log"),
    ("filter", "spend", "missing.log", "-m", "rho=1"),
    ("filter", "import", "x.log", "missing.csv", "--from", "csv", "--budget", "rho=1"),
    ("filter", "mend", "week.log"),
    ("filter", "adopt", "week.log", "--reason", "x"),
    ("audit", "missing.json"),
    (*DPSGD, "--delta", "2"),
    ("compose", "-m", "1", "--delta", "0", "--interaction", "parallel"),
    ("compose", "-m", "1", "--delta", "0", "--theorem", "lyu-2022-renyi-dp"),
    ("compose", "-m", "1", "--delta", "0", "--group", "2", "--method", "grid"),
    ("compose", "-m", "1", "--delta", "0", "--method", "mv18"),
    ("papers", "mv18", "-m", "1", "--delta", "0"),
    ("papers", "mv17", "-m", "1", "--delta", "0"),
    ("compose", "-m", "1", "--delta", "0", "--group", "2", *INTERLEAVED),
    (
        *("certify", "-m", "0.1*9", "--epsilon", "1", "--delta", "1e-6", "--group", "3"),
        *("--interaction", "concurrent"),
    ),
]


def _valid(answer: Answer) -> dict[str, Any]:
    VALIDATOR.validate(answer.document)
    said = answer.document.get("reading", [])
    assert answer.err == "".join(f"exactdp: {line}\n" for line in said)
    return answer.document


def test_the_schema_is_a_schema_and_refuses_unknown_keys() -> None:
    schema = json.loads(SCHEMA.read_text())
    jsonschema_rs.meta.validate(schema)
    objects = [part for part in _parts(schema) if "properties" in part and "if" not in part]
    assert all(
        part["additionalProperties"] is False for part in objects if part.get("type") == "object"
    )


def test_the_schema_names_every_format_of_convert() -> None:
    converted = json.loads(SCHEMA.read_text())["$defs"]["convert"]["properties"]
    assert set(converted["format"]["enum"]) == set(FORMATS)


def _parts(value: object) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value, *(part for each in value.values() for part in _parts(each))]
    if isinstance(value, list):
        return [part for each in value for part in _parts(each)]
    return []


@pytest.mark.slow
def test_every_answer_conforms_and_says_what_each_of_its_numbers_rests_on(place: Path) -> None:
    (place / "one.csv").write_text("epsilon\n1\n")
    for name, key in (("key.pem", PRIVATE), ("key.pub", PUBLIC), ("other.pub", OTHER_PUBLIC)):
        (place / name).write_bytes(key)
    for arguments in ANSWERS:
        document = _valid(exactdp(*arguments, "--json"))
        assert document["command"] == arguments[0]
        assert unlabelled(document) == []


@each_case("arguments", ERRORS)
def test_every_error_conforms_and_is_one_sentence_without_json(arguments: tuple[str, ...]) -> None:
    answer = exactdp(*arguments, "--json")
    assert answer.code in (2, 3)
    if arguments:
        known = arguments[0] in COMMANDS
        assert _valid(answer)["command"] == (arguments[0] if known else "")
        assert answer.error["field"]
        assert answer.error["expected"]
    plain = exactdp(*arguments)
    assert plain.code == (answer.code if arguments else 2)
    assert plain.out == ""
    if arguments:
        assert plain.err.startswith("exactdp: ")
        assert plain.err.count("\n") == 1


def test_an_error_has_the_six_fields_of_the_contract() -> None:
    error = exactdp("compose", "-m", "0.1,2", "--delta", "0", "--json").error
    assert error == {
        "code": "out-of-range",
        "field": "delta",
        "value": "2",
        "path": "-m 0.1,2",
        "expected": "a rational number at least 0 and below 1",
        "remedy": "",
    }
