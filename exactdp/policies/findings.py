r"""What the gate finds: one finding for each requirement of a policy on a ledger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from exactdp.certificate.statement import Certificate
from exactdp.ledger.model import Ledger
from exactdp.readable import Readable

FindingKind = Literal["claim", "budget", "accountant", "ledger", "policy"]
FindingStatus = Literal["held", "failed", "undecided", "invalid", "skipped"]

_EXITS: Final[dict[FindingStatus, int]] = {"invalid": 2, "failed": 1, "undecided": 3}
_UNDECIDED: Final = 3


@dataclass(frozen=True, slots=True)
class Finding(Readable):
    """What became of one requirement.

    Attributes:
        policy: the policy that asks for it.
        source: the ledger that it is about, or all of them.
        kind: what is required: that a claim holds, a budget is kept, an accountant is sound, or
            that there is a ledger, or a policy, that can be read.
        requirement: the same in words.
        status: "invalid" is bad input; "skipped" was left alone with the policy's leave, and
            counts for nothing.
        message: why.
        certificate: what shows it; None without one.
        ledger: what the certificate is about; None without one.
    """

    policy: str
    source: str
    kind: FindingKind
    requirement: str
    status: FindingStatus
    message: str = ""
    certificate: Certificate | None = None
    ledger: Ledger | None = None

    def facts(self) -> list[tuple[str, str]]:
        """What is required of which ledger, and what became of it."""
        return [
            ("ledger", self.source),
            ("required", self.requirement),
            (self.status, self.message),
        ]


def exit_code_of(findings: Iterable[Finding]) -> int:
    """2 for bad input, else 1 for a failure, else 3 for what is undecided or unasked, else 0."""
    seen = {finding.status for finding in findings}
    for status, code in _EXITS.items():
        if status in seen:
            return code
    return 0 if "held" in seen else _UNDECIDED
