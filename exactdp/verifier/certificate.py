r"""Certificates: from bytes to a statement and the steps of a derivation.

Rules of this file: the shape of the whole file is checked here (malformed), and that it belongs
together; nothing is proved.

Sources: certs/SPEC.md, sections 1 and 4.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

from .format.outcomes import MalformedError, RejectedError, shown
from .format.shapes import array, integer, members, one_of, string
from .format.strict_json import Json, canonical_bytes, read_canonical
from .kernel import AnyRule, Certificate, Step
from .statement import Subject, read_statement

FORMAT: Final = "exactdp-certificate/1"
_MAX_STEPS: Final = 1000
_KEYS: Final = ("derivation", "digest", "format", "statement")


def read_certificate(
    data: bytes,
    subjects: Mapping[str, type[Subject]],
    rules: Mapping[str, type[AnyRule]],
) -> Certificate:
    """The certificate that the bytes hold; types of subjects and rules are found by their names."""
    parts = members(read_canonical(data), _KEYS, "certificate")
    one_of(parts["format"], (FORMAT,), "format")
    steps = array(parts["derivation"], "derivation")
    if not 1 <= len(steps) <= _MAX_STEPS:
        raise MalformedError(f"derivation does not have 1 to {_MAX_STEPS} steps")
    digest = string(parts["digest"], "digest")
    statement = read_statement(parts["statement"], subjects)
    derivation = tuple(_read_step(step, rules) for step in steps)
    if digest != hashlib.sha256(canonical_bytes(parts["statement"])).hexdigest():
        raise RejectedError("the digest is that of another statement")
    return Certificate(statement, derivation)


def _read_step(value: Json, rules: Mapping[str, type[AnyRule]]) -> Step:
    parts = members(value, ("parameters", "premises", "rule"), "step")
    listed = array(parts["premises"], "premises")
    premises = tuple(integer(each, 0, _MAX_STEPS, "premise") for each in listed)
    name = string(parts["rule"], "rule")
    if name not in rules:
        raise RejectedError(f"unknown rule {shown(name)}")
    return Step(rules[name].read(parts["parameters"]), premises)
