"""The gate's reports in the forms that others read: SARIF 2.1.0 by its schema, and JUnit XML.

The schema here holds what the standard requires of the objects that are written, in our words, and
is stricter: nothing else may stand there. (On 2026-11-22 reports were valid by the schema of the
standard with its errata 01, too.) For JUnit XML, of which there is no standard, the rules are what
its readers agree on.
"""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import pytest

from tests.cli.running import LEDGERS, exactdp

EXAMPLE: Final = LEDGERS.parent / "examples" / "gate"
POLICY: Final = """\
format = "exactdp-policy/1"
ledgers = ["ledgers/*"]
[[budgets]]
scope = "each"
rho = 1
"""


def closed(required: tuple[str, ...], **properties: object) -> dict[str, object]:
    """A schema of an object with these keys and no others."""
    return {
        "type": "object",
        "required": list(required),
        "properties": properties,
        "additionalProperties": False,
    }


TEXT: Final = {"type": "string", "minLength": 1}
BAG: Final = {"type": "object"}
MESSAGE: Final = closed(("text",), text=TEXT)  # 3.11: text or id
RULE: Final = closed(("id",), id=TEXT, shortDescription=MESSAGE)  # 3.49
DRIVER: Final = closed(  # 3.19
    ("name",),
    name=TEXT,
    semanticVersion=TEXT,
    rules={"type": "array", "items": RULE, "uniqueItems": True},
)
REGION: Final = closed(("startLine",), startLine={"type": "integer", "minimum": 1})  # 3.30
LOCATION: Final = closed(  # 3.28, 3.29
    ("physicalLocation",),
    physicalLocation=closed(
        ("artifactLocation",),
        artifactLocation=closed(("uri",), uri={"type": "string", "format": "uri-reference"}),
        region=REGION,
    ),
)
RESULT: Final = closed(  # 3.27
    ("message",),
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    kind={"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
    level={"enum": ["none", "note", "warning", "error"]},
    message=MESSAGE,
    locations={"type": "array", "items": LOCATION, "maxItems": 1},
    properties=BAG,
)
RUN: Final = closed(  # 3.14
    ("tool",),
    tool=closed(("driver",), driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results={"type": "array", "items": RESULT},
)
LOG: Final = closed(  # 3.13
    ("version", "runs"),
    **{"$schema": {"type": "string", "format": "uri"}},
    version={"const": "2.1.0"},
    runs={"type": "array", "items": RUN},
    properties=BAG,
)
SARIF: Final = jsonschema_rs.validator_for(LOG, validate_formats=True)

CHILDREN: Final = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "skipped"},
}
ATTRIBUTES: Final = {
    "testsuites": {"name", "tests", "failures", "errors", "skipped"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped"},
    "testcase": {"classname", "name"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
}


@pytest.fixture(params=["mixed", "kept", "nothing", "hostile"])
def reports(place: Path, request: pytest.FixtureRequest) -> tuple[dict[str, Any], ET.Element]:
    """What the gate writes of a folder: one with findings of all kinds, and others."""
    folder = place / "theirs"
    shutil.copytree(EXAMPLE, folder)
    if request.param != "kept":
        (folder / "exactdp.toml").write_text(POLICY)
    if request.param == "nothing":
        shutil.rmtree(folder / "ledgers")
    if request.param == "mixed":
        shutil.copy(LEDGERS / "census_2020_pl94_us_persons.json", folder / "ledgers")
        (folder / "ledgers" / "broken.json").write_text("{")
    if request.param == "hostile":
        name = "a <&> \"b'\x1b[31m ü%20?#]]>.json"
        (folder / "ledgers" / name).write_text('{"mechanisms": [{"epsilon": "<x>\\u0000"}]}')
    exactdp("gate", "theirs", "--sarif", "gate.sarif", "--junit", "gate.xml")
    log: dict[str, Any] = json.loads((place / "gate.sarif").read_bytes())
    return log, ET.fromstring((place / "gate.xml").read_bytes())  # noqa: S314 (our own)


def test_sarif_is_valid_by_its_schema(reports: tuple[dict[str, Any], ET.Element]) -> None:
    log, _ = reports
    assert [str(error) for error in SARIF.iter_errors(log)] == []
    [run] = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert (result["kind"], result["level"] in ("warning", "error")) == ("fail", True)


def test_junit_has_the_elements_attributes_and_sums_that_its_readers_expect(
    reports: tuple[dict[str, Any], ET.Element],
) -> None:
    _, root = reports
    assert root.tag == "testsuites"
    for element in root.iter():
        assert element.attrib.keys() == ATTRIBUTES[element.tag]
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
    for suite in root.iter("testsuite"):
        assert counted(suite) == stated(suite)
    assert counted(root) == stated(root)


def counted(element: ET.Element) -> dict[str, int]:
    """How many cases there are below an element, and what became of them."""
    parts = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    found = {key: len(list(element.iter(tag))) for key, tag in parts.items()}
    return {"tests": len(list(element.iter("testcase"))), **found}


def stated(element: ET.Element) -> dict[str, int]:
    return {key: int(element.attrib[key]) for key in ("tests", "failures", "errors", "skipped")}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"2.1.0"', '"2.1"'),
        ('"error"', '"fatal"'),
        ('"startLine": 1', '"startLine": 0'),
        ('"driver"', '"diver"'),
        ('"text"', '"texts"'),
        ('"uri": "', '"uri": "a b'),
        ('"ruleId"', '"rule"'),
    ],
)
def test_what_the_schema_does_not_allow_is_found(old: str, new: str, place: Path) -> None:
    shutil.copytree(EXAMPLE, place / "theirs")
    (place / "theirs" / "ledgers" / "broken.json").write_text("{")
    exactdp("gate", "theirs", "--sarif", "gate.sarif")
    text = (place / "gate.sarif").read_text()
    assert SARIF.is_valid(json.loads(text))
    assert old in text
    assert not SARIF.is_valid(json.loads(text.replace(old, new)))
