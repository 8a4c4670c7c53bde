r"""Whether a statement is about the outcome of an experiment in a file.

Rules of this file: counts and design are compared; the level is the statement's alone.

Sources: certs/SPEC.md, section 12.5.
"""

from __future__ import annotations

from ..format.outcomes import RejectedError
from ..format.shapes import members
from ..format.strict_json import Json, read
from ..rules.experiment import Experiment, read_outcome
from ..statement import Statement
from .noise_entries import plain_text


def check_outcome(subject: Experiment, _statement: Statement, data: bytes) -> None:
    """Reject a statement that is not about the outcome in this file."""
    if read_outcome(_texts(read(data))) != subject.outcome:
        raise RejectedError("the statement is not about this outcome")


def _texts(value: Json) -> Json:
    """The outcome as a statement has it: numbers as texts, and one choice if it names none."""
    if isinstance(value, dict) and "canaries" in value:
        parts: dict[str, Json] = {"guess_counts": "1", **value}
        return {key: plain_text(each, key) for key, each in parts.items()}
    parts = members(value, ("members", "others"), "outcome", ("thresholds",))
    sides = {key: _counts(parts[key]) for key in ("members", "others")}
    return {**sides, "thresholds": plain_text(parts.get("thresholds", "1"), "thresholds")}


def _counts(value: Json) -> Json:
    parts = members(value, ("found", "runs"), "runs")
    return {key: plain_text(each, key) for key, each in parts.items()}
