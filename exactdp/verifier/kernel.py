r"""Certificates: from bytes to a proof.

Rules of this file: the shape of the whole file is checked first (malformed), then that it belongs
together and costs what it says, and only then is anything proved (rejected). Conclusions are
computed, never read off.

Theory of operation: a derivation is a list of steps, all used; the last concludes what is stated.
About a ledger a rule has at most one premise, so a derivation that is accepted is a chain: a step
that proves something of the mechanisms, and perhaps one that carries it over to groups. The premise
of ``group-mechanisms`` is about other mechanisms: about what those of the statement are for a
group. About a workload it is two steps: a reduction concludes a ledger that may stand in for the
workload, and a rule with that premise proves its bound about that ledger.

Sources: certs/SPEC.md, sections 1, 4, 5, 7 and 10.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from .arithmetic.enclosures import MAX_DIGITS
from .arithmetic.signs import sign
from .format.numbers import integer_text, parse_canonical, parse_integer
from .format.outcomes import MalformedError, RefusedError, RejectedError, shown
from .format.strict_json import Json, canonical_bytes, read_canonical
from .rules.growth import of_groups
from .rules.parallel import REDUCTIONS, Reduction, read_reduction
from .rules.table import RULES
from .rules.theorems import permitted
from .rules.workload import NEIGHBOURING, Workload, read_subject
from .statement import (
    FORMAT,
    MAX_STEPS,
    Statement,
    Step,
    Subject,
    array,
    exact_rational,
    mechanism_delta,
    members,
    not_negative,
    one_of,
    read_bound,
    read_statement,
    string,
)

MAX_SUMS: Final = 10**7
MAX_STATED_COST: Final = 10**100
MAX_BITS: Final = 10**8
MAX_CHOICE: Final = 10**6
ROW_LENGTH: Final = 4
_UNUSED: Final = {"bits": "1", "alpha": "2", "digits": "1", "pair": "0", "sums": "1", "unit": "1"}
"""The parameters of all rules, and what stands for one that a rule does not have."""


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
        statement, _linked([_read_step(step, statement.subject) for step in steps]), cost
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
        given=(),
        bound=read_bound(parameters, "bound"),
        digits=parse_integer(texts["digits"], 1, MAX_DIGITS, "digits"),
        sums=parse_integer(texts["sums"], 1, MAX_SUMS, "sums"),
        unit=unit,
        alpha=alpha.rational,
        pair=not_negative(parse_canonical(texts["pair"]), "pair"),
        deltas=tuple(
            mechanism_delta(string(delta, "delta"))
            for delta in array(parameters.get("deltas", []), "deltas")
        ),
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


def _linked(steps: Sequence[Step | Reduction]) -> tuple[Step | Reduction, ...]:
    """The steps, each with the bounds that its premises conclude."""
    linked: list[Step | Reduction] = []
    for index, step in enumerate(steps):
        if any(premise >= index for premise in step.premises):
            raise RejectedError(f"step {index} has a premise that is not an earlier step")
        premises = [steps[premise] for premise in step.premises]
        given = tuple(each.bound for each in premises if isinstance(each, Step))
        linked.append(replace(step, given=given) if isinstance(step, Step) else step)
    return tuple(linked)


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
    """Premises fit their rules, every step is used, and the last one concludes the statement."""
    for step in certificate.steps:
        _check_premises(certificate, step)
    used = {premise for step in certificate.steps for premise in step.premises}
    for index, step in enumerate(certificate.steps):
        if index not in used and index < len(certificate.steps) - 1:
            raise RejectedError(f"step {index} is not used")
        if isinstance(step, Step) and step.bound.kind not in RULES[step.rule].kinds:
            proved = " and ".join(RULES[step.rule].kinds)
            raise RejectedError(f"rule {step.rule}: proves {proved} bounds only")
    last = certificate.steps[-1]
    if isinstance(last, Reduction) or last.bound != certificate.statement.bound:
        raise RejectedError("the derivation concludes another statement")
    _check_theorem(certificate)


def _check_premises(certificate: Certificate, step: Step | Reduction) -> None:
    """What a step rests on fits its rule, and what the statement is about."""
    if isinstance(step, Reduction):
        if step.premises:
            raise _misfit("takes no premises", step)
    elif isinstance(certificate.statement.subject, Workload):
        _check_reduced(certificate, step)
    else:
        if bool(certificate.statement.subject.trees) != RULES[step.rule].interactive:
            raise _misfit("is not about such mechanisms", step)
        _check_groups(step, certificate.steps)


def _misfit(what: str, step: Step | Reduction) -> RejectedError:
    """A step that says nothing of what the statement is about, or nothing with these premises."""
    return RejectedError(f"rule {step.rule}: does not fit: {what}")


def _check_reduced(certificate: Certificate, step: Step) -> None:
    """About a workload: one premise, the reduction that carries bounds of this kind."""
    if certificate.statement.neighbouring != NEIGHBOURING:
        raise RejectedError("a workload is about neighbours that differ by one row, added or not")
    if RULES[step.rule].premises:
        raise _misfit("is about ledgers alone", step)
    if RULES[step.rule].interactive:
        raise _misfit("is about interactive mechanisms alone", step)
    carried = [certificate.steps[premise] for premise in step.premises]
    if len(carried) != 1 or not isinstance(carried[0], Reduction):
        raise _misfit("a workload is first reduced to a ledger", step)
    kind = REDUCTIONS[carried[0].rule].kind
    if kind != step.bound.kind:
        raise RejectedError(f"rule {carried[0].rule}: carries {kind} bounds only")


def _check_groups(step: Step, steps: Sequence[Step | Reduction]) -> None:
    """As many as the rule takes, each of the same kind and with no premises of its own."""
    takes = RULES[step.rule].premises
    if len(step.premises) != takes:
        raise _misfit(f"takes {('no premises', 'one premise')[takes]}", step)
    for premise in step.premises:
        if steps[premise].premises:
            raise RejectedError(f"rule {step.rule}: the premise is about groups itself")
    if any(bound.kind != step.bound.kind for bound in step.given):
        raise RejectedError(f"rule {step.rule}: the premise is of another kind")
    if takes and step.bound.group == 1:
        raise RejectedError(f"rule {step.rule}: a group of 1 is none")


def _check_theorem(certificate: Certificate) -> None:
    """The statement's theorem is that of the first bound; groups need the definition alone."""
    statement = certificate.statement
    step = next(step for step in certificate.steps if isinstance(step, Step))
    rule = RULES[step.rule]
    theorems = permitted(rule.theorem, rule.interleaved, statement)
    if not theorems:
        raise RejectedError(
            f"rule {step.rule}: is not about {statement.interaction} composition of these"
        )
    if statement.theorem not in theorems:
        raise RejectedError(f"rule {step.rule} rests on another theorem")


def _subjects(certificate: Certificate) -> list[Subject]:
    """For each step the ledger that it is about, or that it concludes.

    That is the statement's; or what its mechanisms are for a group; or what stands in for its
    workload.
    """
    if isinstance(certificate.statement.subject, Workload):
        return [_reduced(step) for step in certificate.steps if isinstance(step, Reduction)] * 2
    subjects = [certificate.statement.subject] * len(certificate.steps)
    for step in certificate.steps:
        if isinstance(step, Step) and step.rule == "group-mechanisms":
            [premise] = step.premises
            subjects[premise] = of_groups(certificate.statement.subject, step)
    return subjects


def _reduced(step: Reduction) -> Subject:
    with _blamed_on(step):
        return REDUCTIONS[step.rule].ledger(step)


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
