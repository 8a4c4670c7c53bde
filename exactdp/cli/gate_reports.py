r"""What the gate found, in the forms that other programs read: JUnit XML and SARIF 2.1.0.

Rules of this file: the same findings give the same bytes, so that neither times nor machines are
named; what does not hold is never green: undecided is a failure in JUnit and a warning in SARIF;
text from outside is escaped. The first line names exactdp, so that a later run may replace the file
(:mod:`exactdp.cli.replacing`).

Sources: Static Analysis Results Interchange Format 2.1.0 (OASIS standard, 2020); for JUnit XML, of
which there is no standard, what Jenkins and GitLab document that they read.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import quote

import exactdp
from exactdp.policies.findings import Finding, FindingKind, FindingStatus
from exactdp.readable import printable

_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?><!-- exactdp gate -->'
_ELEMENTS: Final[dict[FindingStatus, str]] = {
    "failed": "failure",
    "undecided": "failure",
    "invalid": "error",
    "skipped": "skipped",
}
_LEVELS: Final[dict[FindingStatus, str]] = {
    "failed": "error",
    "invalid": "error",
    "undecided": "warning",
}
_RULES: Final[dict[FindingKind, str]] = {
    "claim": "What a ledger claims of itself holds.",
    "budget": "Ledgers keep a budget.",
    "accountant": "An accountant does not under-report.",
    "ledger": "There is a ledger, and it can be read.",
    "policy": "A policy can be read.",
}
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def junit(findings: Sequence[Finding]) -> bytes:
    """JUnit XML: a suite for each policy, a case for each requirement on a ledger."""
    suites: dict[str, list[Finding]] = {}
    for finding in findings:
        suites.setdefault(finding.policy, []).append(finding)
    lines = [_HEAD, f"<testsuites {_counts('exactdp gate', findings)}>"]
    for policy, cases in suites.items():
        lines.append(f" <testsuite {_counts(policy, cases)}>")
        lines += [line for case in cases for line in _case(case)]
        lines.append(" </testsuite>")
    return "\n".join([*lines, "</testsuites>", ""]).encode()


def _counts(name: str, findings: Sequence[Finding]) -> str:
    elements = Counter(_ELEMENTS.get(finding.status) for finding in findings)
    numbers = {
        "tests": len(findings),
        "failures": elements["failure"],
        "errors": elements["error"],
        "skipped": elements["skipped"],
    }
    return _attributes(name=name, **{key: str(number) for key, number in numbers.items()})


def _case(finding: Finding) -> Iterator[str]:
    case = _attributes(classname=finding.source, name=finding.requirement)
    element = _ELEMENTS.get(finding.status)
    if element is None:
        yield f"  <testcase {case}/>"
        return
    kind = {} if element == "skipped" else {"type": finding.status}
    yield f"  <testcase {case}>"
    yield f"   <{element} {_attributes(message=finding.message, **kind)}/>"
    yield "  </testcase>"


def _attributes(**values: str) -> str:
    return " ".join(f'{name}="{escape(printable(text))}"' for name, text in values.items())


def sarif(findings: Sequence[Finding]) -> bytes:
    """SARIF: a result for each requirement that does not hold, and none for those that do."""
    results = [_result(finding) for finding in findings if finding.status in _LEVELS]
    driver = {
        "name": "exactdp",
        "semanticVersion": exactdp.__version__,
        "rules": [{"id": kind, "shortDescription": {"text": _RULES[kind]}} for kind in _RULES],
    }
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
        ],
    }
    text = json.dumps(log, ensure_ascii=True, indent=1)
    return f'{{"properties": {{"writtenBy": "exactdp gate"}},{text.removeprefix("{")}\n'.encode()


def _result(finding: Finding) -> dict[str, object]:
    text = f"{finding.requirement}: {finding.message}"
    return {
        "ruleId": finding.kind,
        "ruleIndex": list(_RULES).index(finding.kind),
        "kind": "fail",
        "level": _LEVELS[finding.status],
        "message": {"text": printable(f"{finding.source}: {text}")},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(finding)},
                    "region": {"startLine": 1},
                }
            }
        ],
        "properties": {"policy": printable(finding.policy), "status": finding.status},
    }


def _uri(finding: Finding) -> str:
    """A reference to the ledger, or to the policy where it is not one file."""
    path = Path(finding.source)
    if not path.is_file():
        path = Path(finding.policy)
    if path.is_absolute():
        return f"file://{quote(os.fsencode(path))}"
    return quote(os.fsencode(path.as_posix()))
