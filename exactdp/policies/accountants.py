r"""Accountants that a policy asks about: sound on a ledger, or not, or not known.

Rules of this file: an accountant that is not there, or says nothing that can be compared, is not
taken for sound.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from exactdp.accountants.accountants import chosen
from exactdp.accountants.checking import Checked, crosscheck
from exactdp.accountants.process import Limits
from exactdp.accountants.protocol import AccountantQuestion
from exactdp.accountants.verdicts import COMPUTED, Truth
from exactdp.arithmetic.decimal_text import scientific_below
from exactdp.errors import InputError
from exactdp.ledger.formats import dp_events
from exactdp.ledger.model import Ledger
from exactdp.policies.findings import Finding, FindingStatus
from exactdp.policies.limits import GateLimits
from exactdp.policies.policy import RequiredAccountant

_STATUSES: Final[dict[str, FindingStatus]] = {
    "sound": "held",
    "low": "held",
    "infeasible-handled": "held",
    "unsound": "failed",
    "infeasible-not-handled": "failed",
    "not-asked": "skipped",
}
_MESSAGES: Final = {
    "sound": "sound",
    "infeasible-handled": "no finite ε is enough at this δ, and it says so",
    "infeasible-not-handled": "no finite ε is enough at this δ, and it gives one",
    "not-installed": "not installed",
    "not-comparable": "not comparable",
    "not-asked": "not asked",
    "unusable": "gave no usable answer",
}
_DIGITS: Final = 6


def accountant_findings(
    policy: str, file: str, ledger: Ledger, required: RequiredAccountant, limits: GateLimits
) -> Iterator[Finding]:
    """One finding for each setting of an accountant on a ledger."""
    wanted = f"accountant {required.name} is sound"
    try:
        question = _question(file, ledger, required)
        accountants = chosen((required.name,), pythons=limits.pythons, programs=limits.programs)
    except InputError as error:
        yield Finding(policy, file, "accountant", wanted, "invalid", str(error))
        return
    truth = Truth(question, max_cost=limits.max_cost)
    rows = [*crosscheck(truth, accountants, Limits(limits.seconds, limits.memory))]
    answered = any(row.verdict.outcome != "not-asked" for row in rows)
    for row in rows:
        status = _STATUSES.get(row.verdict.outcome, "undecided")
        yield Finding(
            policy,
            file,
            "accountant",
            f"accountant {row.accountant} is sound",
            status if answered or status != "skipped" else "undecided",
            _message(row),
            row.verdict.certificate,
            ledger,
        )


def _question(file: str, ledger: Ledger, required: RequiredAccountant) -> AccountantQuestion:
    delta = ledger.target_delta if required.delta is None else required.delta
    if delta is None:
        raise InputError(
            field="delta",
            value="nothing",
            expected=f"a δ to ask {required.name} about, as the ledger states no target_delta",
            remedy="add it to the policy, under [[accountants]]",
        )
    data = b"" if file == "-" else Path(file).read_bytes()  # what is read once has no file
    is_events = dp_events.recognises_begin(data.lstrip())
    return AccountantQuestion(
        ledger, delta=delta, events=dp_events.plain_tree(data) if is_events else None
    )


def _message(row: Checked) -> str:
    verdict = row.verdict
    text = _MESSAGES.get(verdict.outcome, verdict.outcome)
    if verdict.gap is not None and verdict.is_refuted:
        letter = "δ" if verdict.in_delta else "ε"
        text = f"{letter} too small by at least {scientific_below(verdict.gap, _DIGITS)}"
    if verdict.outcome == "low":
        text = f"low, {text}: less than accountants round off"
    if verdict.is_refuted and verdict.evidence == "computed":
        text = f"{text} ({COMPUTED})"
    return f"{text} ({verdict.message})" if verdict.message else text
