r"""Certificates: from bytes to a proof.

Rules of this file: the shape of the whole file is checked first (malformed), then that it belongs
together and costs what it says, and only then is anything proved (rejected). Conclusions are
computed, never read off.

Theory of operation: a derivation is a list of steps, all used; the last concludes what is stated.
About a ledger it is one step, whose rule has no premises. About a workload it is two: a reduction
concludes a ledger that may stand in for the workload, and a rule with that premise proves its
bound about that ledger.

Sources: certs/SPEC.md, sections 1, 4, 5, 7, 10 and 11.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, cast

from .enclosures import MAX_DIGITS, sign
from .numbers import integer_text, parse_canonical, parse_integer
from .outcomes import MalformedError, RefusedError, RejectedError, shown
from .parallel import REDUCTIONS, Reduction, read_reduction
from .rules import RULES
from .statement import (
    FORMAT,
    MAX_STEPS,
    Statement,
    Step,
    Subject,
    array,
    exact_rational,
    members,
    not_negative,
    one_of,
    read_bound,
    read_statement,
    string,
)
from .strict_json import Json, canonical_bytes, read_canonical
from .workload import NEIGHBOURING, Workload, read_subject

MAX_SUMS: Final = 10**7
MAX_STATED_COST: Final = 10**100
MAX_BITS: Final = 10**8
MAX_CHOICE: Final = 10**6
ROW_LENGTH: Final = 4
_UNUSED: Final = {"alpha": "2", "digits": "1", "pair": "0", "sums": "1", "unit": "1", "bits": "1"}
"""The parameters that are one text, and what stands for one that a rule does not have."""


@dataclass(frozen=True)
class Certificate:
    """A certificate whose shape is right. Nothing in it is proved."""

    statement: Statement
    steps: tuple[Step | Reduction, ...]
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
    statement = read_statement(parts["statement"], read_subject)
    certificate = Certificate(
        statement, tuple(_read_step(step, statement.subject) for step in steps), cost
    )
    if digest != hashlib.sha256(canonical_bytes(parts["statement"])).hexdigest():
        raise RejectedError("the digest is that of another statement")
    return certificate


def _read_step(value: Json, subject: Subject | Workload) -> Step | Reduction:
    parts = members(value, ("parameters", "premises", "rule"), "step")
    premises = tuple(
        parse_integer(string(index, "premise"), 0, MAX_STEPS, "premise")
        for index in array(parts["premises"], "premises")
    )
    rule = string(parts["rule"], "rule")
    if rule in REDUCTIONS:
        return read_reduction(rule, premises, parts["parameters"], subject)
    if rule not in RULES:
        raise RejectedError(f"unknown rule {shown(rule)}")
    further = RULES[rule].parameters
    parameters = members(parts["parameters"], ("bound", "delta", "epsilon", *further), "parameters")
    texts = {key: string(parameters.get(key, text), key) for key, text in _UNUSED.items()}
    unit = parse_canonical(texts["unit"])
    if sign(unit) <= 0:
        raise MalformedError("unit is not positive")
    alpha = parse_canonical(texts["alpha"])
    if alpha.logs or alpha.rational <= 1:
        raise MalformedError("alpha is not a rational above 1")
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
        alpha=alpha.rational,
        pair=not_negative(parse_canonical(texts["pair"]), "pair"),
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
    subjects = _subjects(certificate)
    _check_cost(certificate, subjects)
    for step, subject in zip(certificate.steps, subjects, strict=True):
        with _blamed_on(step):
            if isinstance(step, Reduction):
                REDUCTIONS[step.rule].check(step)
            else:
                RULES[step.rule].check(subject, step)


def _check_structure(certificate: Certificate) -> None:
    """Premises fit, every step is used, the last concludes the statement, by its theorem."""
    for index, step in enumerate(certificate.steps):
        if any(premise >= index for premise in step.premises):
            raise RejectedError(f"step {index} has a premise that is not an earlier step")
        _check_premises(certificate, step)
    used = {premise for step in certificate.steps for premise in step.premises}
    for index in range(len(certificate.steps) - 1):
        if index not in used:
            raise RejectedError(f"step {index} is not used")
    last = certificate.steps[-1]
    if isinstance(last, Reduction) or last.bound != certificate.statement.bound:
        raise RejectedError("the derivation concludes another statement")
    if last.bound.kind not in RULES[last.rule].kinds:
        proved = " and ".join(RULES[last.rule].kinds)
        raise RejectedError(f"rule {last.rule}: proves {proved} bounds only")
    interaction = RULES[last.rule].interaction
    if certificate.statement.interaction != interaction:
        raise RejectedError(f"rule {last.rule}: is about {interaction} composition alone")
    if RULES[last.rule].theorem != certificate.statement.theorem:
        raise RejectedError(f"rule {last.rule} rests on another theorem")


def _check_premises(certificate: Certificate, step: Step | Reduction) -> None:
    """None about a ledger; about a workload the reduction that carries bounds of this kind."""
    if isinstance(step, Reduction) or isinstance(certificate.statement.subject, Subject):
        if step.premises:
            raise RejectedError(f"rule {step.rule} takes no premises")
        return
    if certificate.statement.neighbouring != NEIGHBOURING:
        raise RejectedError("a workload is about neighbours that differ by one row, added or not")
    carried = [certificate.steps[premise] for premise in step.premises]
    if len(carried) != 1 or not isinstance(carried[0], Reduction):
        raise RejectedError(f"rule {step.rule}: a workload is first reduced to a ledger")
    kind = REDUCTIONS[carried[0].rule].kind
    if kind != step.bound.kind:
        raise RejectedError(f"rule {carried[0].rule}: carries {kind} bounds only")


def _subjects(certificate: Certificate) -> list[Subject]:
    """For each step the ledger that it concludes, or that it is about."""
    subjects: list[Subject] = []
    for step in certificate.steps:
        if isinstance(step, Reduction):
            with _blamed_on(step):
                subjects.append(REDUCTIONS[step.rule].ledger(step))
        elif step.premises:
            subjects.append(subjects[step.premises[0]])
        else:
            subjects.append(cast("Subject", certificate.statement.subject))
    return subjects


def _check_cost(certificate: Certificate, subjects: Sequence[Subject]) -> None:
    cost = 0
    for step, subject in zip(certificate.steps, subjects, strict=True):
        with _blamed_on(step):
            if isinstance(step, Reduction):
                cost += REDUCTIONS[step.rule].cost(step)
            else:
                cost += RULES[step.rule].cost(subject, step)
    if cost != certificate.cost:
        needed = shown(integer_text(cost))
        raise RejectedError(f"cost {certificate.cost} is stated, {needed} is needed")


@contextmanager
def _blamed_on(step: Step | Reduction) -> Iterator[None]:
    """Name the rule in the reason of a rejection."""
    try:
        yield
    except RejectedError as error:
        raise RejectedError(f"rule {step.rule}: {error}") from None
