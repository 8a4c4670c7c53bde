r"""Keeping a policy: its requirements, and what becomes of each on each ledger.

Rules of this file: what cannot be decided is not taken for kept; a ledger that cannot be read is a
finding, and the others are checked all the same.

Theory of operation: a policy falls into tasks that know nothing of each other: one for each ledger,
which is read once, and one for each budget that ledgers share. Ledgers share a budget by being
composed, so that they must be about the same neighbours and the same unit of privacy.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Final

from exactdp.arithmetic.decimal_text import short_text, shortest_text
from exactdp.claims.claims import judge
from exactdp.claims.texts import claim_text
from exactdp.errors import CostLimitError, InputError
from exactdp.ledger.model import Claim, Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.many.inputs import require_no_link
from exactdp.policies.findings import Finding, FindingKind, FindingStatus
from exactdp.policies.limits import GateLimits
from exactdp.policies.policy import (
    OwnClaims,
    Policy,
    RequiredAccountant,
    RequiredBudget,
    find_policies,
    read_policy,
)

ALL_READ: Final = "all of it is read"
_SHARED: Final = ("neighbouring", "unit_of_privacy", "interaction")


@dataclass(frozen=True, slots=True)
class GateTask:
    """A piece of work: what is required of one ledger, or of several that share a budget.

    Attributes:
        policy: the file that asks for it.
        files: the ledgers; more than one share the budget.
        claims: what must be true of the claims of the ledger itself; None: it is not asked.
        budgets: what must be kept.
        accountants: who must be sound.
        pattern: what matched no file, where there is none.
        shares: whether the ledger is one of those that a budget together is about.
        refusal: why the policy cannot be read; "" if it can.
    """

    policy: str
    files: tuple[Path, ...]
    claims: OwnClaims | None = None
    budgets: tuple[RequiredBudget, ...] = ()
    accountants: tuple[RequiredAccountant, ...] = ()
    pattern: str = ""
    shares: bool = False
    refusal: str = ""


def gate(*places: str | PathLike[str], limits: GateLimits | None = None) -> list[Finding]:
    """Do the ledgers of folders keep their policies?

    Args:
        *places: policies, or folders with files ``exactdp.toml`` in or below them; none of them
            stands for this folder.
        limits: what the work may take, and where accountants are.

    Returns: a finding for each requirement; :func:`exactdp.policies.findings.exit_code_of` sums
        them up as the command does.

    Raises:
        InputError: no policy is there, or none that can be read.
    """
    tasks = tasks_in([os.fspath(place) for place in places])
    return [each for task in tasks for each in check_task(task, limits or GateLimits())]


def tasks_in(places: Sequence[str]) -> list[GateTask]:
    """The work that the policies of these places ask for; none of them stands for this folder.

    A policy that cannot be read is a task of its own, so that the others are checked all the same.

    Raises:
        InputError: no policy is there, or none that can be read.
    """
    tasks, refusals, is_read = list[GateTask](), list[InputError](), False
    for place in places or (".",):
        for path in find_policies(place):
            try:
                require_no_link(place, path)
                tasks += tasks_of(read_policy(path))
                is_read = True
            except InputError as error:
                refusals.append(error)
                tasks.append(GateTask(str(path), (), refusal=str(error)))
    if not is_read:
        raise refusals[0]
    return tasks


def tasks_of(policy: Policy) -> list[GateTask]:
    """The work that a policy asks for, in the order of its ledgers."""
    place = str(policy.path)
    own = policy.files(policy.patterns)
    each = [(budget, policy.files(budget.patterns)) for budget in policy.budgets]
    asked = [(accountant, policy.files(accountant.patterns)) for accountant in policy.accountants]
    every = sorted({*own, *(file for _, files in (*each, *asked) for file in files)})
    tasks = [
        GateTask(
            place,
            (file,),
            policy.claims if file in own else None,
            tuple(budget for budget, files in each if file in files and not budget.together),
            tuple(accountant for accountant, files in asked if file in files),
            shares=any(budget.together and file in files for budget, files in each),
        )
        for file in every
    ]
    tasks += [
        GateTask(place, tuple(files), budgets=(budget,))
        for budget, files in each
        if budget.together and files
    ]
    named = [policy.patterns, *(each.patterns for each in policy.budgets)]
    named += [accountant.patterns for accountant in policy.accountants]
    patterns = dict.fromkeys(pattern for group in named for pattern in group)
    empty = [pattern for pattern in patterns if not policy.files((pattern,))]
    return tasks + [GateTask(place, (), pattern=pattern) for pattern in empty]


def check_alone(policy: Policy, source: str, ledger: Ledger, limits: GateLimits) -> list[Finding]:
    """What becomes of each requirement of a policy on one ledger, whatever the patterns say.

    Raises:
        InputError: a budget is one that ledgers share.
    """
    if any(budget.together for budget in policy.budgets):
        raise InputError(
            field="scope",
            value="together",
            path=str(policy.path),
            expected='budgets with scope = "each", where each ledger is judged alone',
            remedy="check the policy's folder for the budgets that ledgers share: exactdp gate "
            + str(policy.path.parent),
        )
    about = _About(str(policy.path), source, ledger, limits)
    if (nothing := about.nothing_composed([ledger])) is not None:
        return [nothing]
    found = about.findings(policy.claims, policy.budgets, policy.accountants, source)
    return [*(found or [about.nothing_required(policy.claims)]), *about.unread()]


def check_task(task: GateTask, limits: GateLimits) -> list[Finding]:
    """What becomes of each requirement of a task."""
    if task.refusal:
        wanted = "the policy can be read"
        return [Finding(task.policy, task.policy, "policy", wanted, "invalid", task.refusal)]
    source = ", ".join(map(str, task.files)) or task.pattern
    if not task.files:
        message = "no file matches this pattern: nothing was checked"
        return [Finding(task.policy, source, "ledger", "there is a ledger", "undecided", message)]
    try:
        for file in task.files:
            require_no_link(Path(task.policy).parent, file)
        ledgers = [
            read_ledger(
                file,
                distance=limits.distance,
                remarks=limits.remarks,
                budgets=limits.budgets,
                decimal=limits.decimal,
            )
            for file in task.files
        ]
        ledger = _joined(ledgers)
    except InputError as error:
        wanted = "ledgers that compose" if len(task.files) > 1 else "the ledger can be read"
        return [Finding(task.policy, source, "ledger", wanted, "invalid", str(error))]
    about = _About(task.policy, source, ledger, limits)
    if (nothing := about.nothing_composed(ledgers)) is not None:
        return [nothing]
    found = about.findings(task.claims, task.budgets, task.accountants, str(task.files[0]))
    found = found if found or task.shares else [about.nothing_required(task.claims)]
    return [*found, *(about.unread() if len(task.files) == 1 else ())]


@dataclass(frozen=True, slots=True)
class _About:
    """A ledger of a policy, and the findings about it."""

    policy: str
    source: str
    ledger: Ledger
    limits: GateLimits

    def findings(
        self,
        claims: OwnClaims | None,
        budgets: Sequence[RequiredBudget],
        accountants: Sequence[RequiredAccountant],
        file: str,
    ) -> list[Finding]:
        """The findings on all that is required; accountants are asked about ``file``."""
        found = [*self.own_claims(claims), *map(self.budget, budgets)]
        if accountants:
            from exactdp.policies.accountants import accountant_findings  # noqa: PLC0415 (few policies ask)

            for each in accountants:
                found += accountant_findings(self.policy, file, self.ledger, each, self.limits)
        return found

    def own_claims(self, wanted: OwnClaims | None) -> Iterator[Finding]:
        """The findings on the claims that the ledger states."""
        if wanted in (None, "ignored"):
            return
        for claim in self.ledger.claims:
            found = self._judged(claim, "claim")
            if wanted == "not-refuted" and found.status == "undecided":
                found = replace(found, status="skipped")
            yield found

    def budget(self, budget: RequiredBudget) -> Finding:
        """The finding on a budget."""
        return self._judged(budget.claim, "budget")

    def nothing_required(self, claims: OwnClaims | None) -> Finding:
        """The finding on a ledger that no requirement is about."""
        states = "its claims are ignored" if claims == "ignored" else "it states no claims"
        message = f"{states}, and nothing else is required of it alone"
        return Finding(self.policy, self.source, "ledger", "nothing", "skipped", message)

    def nothing_composed(self, ledgers: Sequence[Ledger]) -> Finding | None:
        """The finding where a ledger has no mechanisms, and does not say that it is meant so."""
        if all(each.mechanisms or each.empty for each in ledgers):
            return None
        message = 'it has none, and does not say "empty": true: of nothing nothing is proved'
        return Finding(
            self.policy, self.source, "ledger", "there is a mechanism", "undecided", message
        )

    def unread(self) -> list[Finding]:
        """What was not read of the ledger, each as a finding that counts for nothing."""
        return [
            Finding(self.policy, self.source, "ledger", ALL_READ, "skipped", sentence)
            for sentence in self.ledger.reading
        ]

    def _judged(self, claim: Claim, kind: FindingKind) -> Finding:
        letter = "" if claim.epsilon is None else "ε = "
        requirement = f"{kind} {letter}{claim_text(claim, shortest_text, short_text)}"
        try:
            judged = judge(self.ledger, claim, max_cost=self.limits.max_cost)
        except InputError as error:
            return Finding(self.policy, self.source, kind, requirement, "invalid", str(error))
        except CostLimitError as error:
            return Finding(self.policy, self.source, kind, requirement, "undecided", str(error))
        status = _STATUSES.get(judged.outcome, "undecided")
        return Finding(
            self.policy,
            self.source,
            kind,
            requirement,
            status,
            judged.outcome_text,
            None if judged.beside else judged.certificate,
            self.ledger,
        )


_STATUSES: Final[dict[str, FindingStatus]] = {
    "holds": "held",
    "holds-with-equality": "held",
    "refuted": "failed",
}


def _joined(ledgers: Sequence[Ledger]) -> Ledger:
    """One ledger of the mechanisms of all.

    Raises:
        InputError: they differ in what their parameters are about.
    """
    first, *others = ledgers
    for name in _SHARED:
        values = list(dict.fromkeys(str(getattr(each, name)) for each in ledgers))
        if len(values) > 1:
            raise InputError(
                field=name,
                value=" and ".join(value or "nothing" for value in values),
                expected="the same in all ledgers that share a budget",
                remedy="give them budgets of their own",
            )
    if not others:
        return first
    mechanisms = tuple(entry for each in ledgers for entry in each.mechanisms)
    return replace(
        first, mechanisms=mechanisms, name="", claims=(), source="", notes="", reading=()
    )
