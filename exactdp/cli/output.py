r"""What commands print: one JSON object for machines, plain sentences for people.

Rules of this file: answers go to standard output, everything else to standard error; nothing
here computes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Final

from exactdp.errors import ExactDPError, shorten

FORMAT: Final = "exactdp-output/1"
_REPORT: Final = "this is a bug in exactdp; please report it with the command and its input"


def print_json(command: str, result: Mapping[str, object]) -> None:
    """The answer of a command, as its one JSON object."""
    _write({"format": FORMAT, "command": command, "result": result})


def report_error(error: ExactDPError, *, command: str, as_json: bool) -> None:
    """Why a command could not answer."""
    if as_json:
        details = {
            "code": error.code,
            "field": error.field,
            "value": error.value,
            "path": error.path,
            "expected": error.expected,
            "remedy": error.remedy,
        }
        _write({"format": FORMAT, "command": command, "error": details})
    else:
        sys.stderr.write(f"exactdp: {error}\n")


def report_internal_error(what: str, *, command: str, as_json: bool) -> None:
    """That we are at fault."""
    if as_json:
        details = {
            "code": "internal-error",
            "field": "",
            "value": shorten(what),
            "path": "",
            "expected": "",
            "remedy": _REPORT,
        }
        _write({"format": FORMAT, "command": command, "error": details})
    else:
        sys.stderr.write(f"exactdp: internal error: {shorten(what)}; {_REPORT}\n")


def _write(document: Mapping[str, object]) -> None:
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
