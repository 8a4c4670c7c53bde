r"""Certificates: from bytes to a proof.

Rules of this file: the shape of the whole file is checked first (malformed), then that it belongs
together and costs what it says, and only then is anything proved (rejected). Conclusions are
computed, never read off.

Theory of operation: a derivation is a list of steps. Each concludes a bound about the statement's
subject; all are used; the last concludes what is stated. The rules of this format have no
premises, so a derivation that is accepted has one step.

Sources: certs/SPEC.md, sections 1, 4 and 5.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from .enclosures import MAX_DIGITS, sign
from .numbers import integer_text, parse_canonical, parse_integer
from .outcomes import MalformedError, RefusedError, RejectedError, shown
from .rules import RULES
from .shapes import array, exact_rational, members, one_of, string
from .statement import FORMAT, MAX_STEPS, Statement, Step, read_bound, read_statement
from .strict_json import Json, canonical_bytes, read_canonical

MAX_SUMS: Final = 10**7
MAX_STATED_COST: Final = 10**100
MAX_BITS: Final = 10**8
MAX_CHOICE: Final = 10**6
ROW_LENGTH: Final = 4


@dataclass(frozen=True)
class Certificate:
    """A certificate whose shape is right. Nothing in it is proved."""

    statement: Statement
    steps: tuple[Step, ...]
    cost: int


def read_certificate(data: bytes) -> Certificate:
    """The certificate that the bytes hold."""
    keys = ("cost", "derivation", "digest", "format", "statement")
    parts = members(read_canonical(data), keys, "certificate")
    one_of(parts["format"], (FORMAT,), "format")
    cost = parse_integer(string(parts["cost"], "cost"), 1, MAX_STATED_COST, "cost")
    steps = array(parts["derivation"], "derivation")
    if not 1 <= len(steps) <= MAX_STEPS:
        raise MalformedError(f"derivation does not have 1 to {MAX_STEPS} steps")
    digest = string(parts["digest"], "digest")
    certificate = Certificate(
        read_statement(parts["statement"]), tuple(_read_step(step) for step in steps), cost
    )
    if digest != hashlib.sha256(canonical_bytes(parts["statement"])).hexdigest():
        raise RejectedError("the digest is that of another statement")
    return certificate


def _read_step(value: Json) -> Step:
    parts = members(value, ("parameters", "premises", "rule"), "step")
    premises = tuple(
        parse_integer(string(index, "premise"), 0, MAX_STEPS, "premise")
        for index in array(parts["premises"], "premises")
    )
    rule = string(parts["rule"], "rule")
    if rule not in RULES:
        raise RejectedError(f"unknown rule {shown(rule)}")
    further = RULES[rule].parameters
    parameters = members(parts["parameters"], ("bound", "delta", "epsilon", *further), "parameters")
    texts = {
        key: string(parameters.get(key, "1"), key) for key in ("bits", "digits", "sums", "unit")
    }
    unit = parse_canonical(texts["unit"])
    if sign(unit) <= 0:
        raise MalformedError("unit is not positive")
    odds = exact_rational(parameters.get("odds", "1"), "odds")
    if odds < 1:
        raise MalformedError("odds is below 1")
    return Step(
        rule=rule,
        premises=premises,
        bound=read_bound(parameters, "bound"),
        digits=parse_integer(texts["digits"], 1, MAX_DIGITS, "digits"),
        sums=parse_integer(texts["sums"], 1, MAX_SUMS, "sums"),
        unit=unit,
        bits=parse_integer(texts["bits"], 1, MAX_BITS, "bits"),
        odds=odds,
        input=int(one_of(parameters.get("input", "0"), ("0", "1"), "input")),
        choices=_read_choices(parameters.get("choices", [])),
        simulation=_read_simulation(parameters.get("simulation", [])),
    )


def _read_choices(value: Json) -> tuple[int, ...]:
    return tuple(
        parse_integer(string(choice, "choice"), 0, MAX_CHOICE, "choice")
        for choice in array(value, "choices")
    )


def _read_simulation(value: Json) -> tuple[tuple[Fraction, ...], ...]:
    rows = tuple(
        tuple(exact_rational(entry, "simulation") for entry in array(row, "row of simulation"))
        for row in array(value, "simulation")
    )
    if any(len(row) != ROW_LENGTH for row in rows):
        raise MalformedError(f"a row of simulation does not have {ROW_LENGTH} numbers")
    return rows


def prove(certificate: Certificate, max_cost: int) -> None:
    """Check the derivation; return only if it proves the statement."""
    _check_structure(certificate)
    if certificate.cost > max_cost:
        raise RefusedError(f"cost {certificate.cost} exceeds the limit {max_cost} (--max-cost)")
    _check_cost(certificate)
    for step in certificate.steps:
        try:
            RULES[step.rule].check(certificate.statement.subject, step)
        except RejectedError as error:
            raise RejectedError(f"rule {step.rule}: {error}") from None


def _check_structure(certificate: Certificate) -> None:
    """No premises, every step used, and the last one concludes the statement, by its theorem."""
    for index, step in enumerate(certificate.steps):
        if any(premise >= index for premise in step.premises):
            raise RejectedError(f"step {index} has a premise that is not an earlier step")
        if step.premises:
            raise RejectedError(f"rule {step.rule} takes no premises")
    if len(certificate.steps) > 1:
        raise RejectedError("step 0 is not used")
    last = certificate.steps[-1]
    if last.bound != certificate.statement.bound:
        raise RejectedError("the derivation concludes another statement")
    if last.bound.kind not in RULES[last.rule].kinds:
        proved = " and ".join(RULES[last.rule].kinds)
        raise RejectedError(f"rule {last.rule}: proves {proved} bounds only")
    if certificate.statement.interaction != RULES[last.rule].interaction:
        raise RejectedError(
            f"rule {last.rule}: is about {RULES[last.rule].interaction} composition alone"
        )
    if RULES[last.rule].theorem != certificate.statement.theorem:
        raise RejectedError(f"rule {last.rule} rests on another theorem")


def _check_cost(certificate: Certificate) -> None:
    subject = certificate.statement.subject
    try:
        cost = sum(RULES[step.rule].cost(subject, step) for step in certificate.steps)
    except RejectedError as error:
        raise RejectedError(f"rule {certificate.steps[-1].rule}: {error}") from None
    if cost != certificate.cost:
        needed = shown(integer_text(cost))
        raise RejectedError(f"cost {certificate.cost} is stated, {needed} is needed")
