r"""What the gate found, as facts, and the certificates of that.

Rules of this file: a certificate leaves this program only if the verifier accepts it; what is not
decided is not called kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from exactdp.cli.options import stem_of
from exactdp.pages.accepted import verified
from exactdp.pages.facts import Fact, fact, result_of
from exactdp.pages.number_text import abridged, grouped
from exactdp.pages.phrases import counted
from exactdp.policies.findings import Finding, FindingStatus

_STATUSES: Final[dict[FindingStatus, str]] = {
    "held": "holds",
    "failed": "FAILED",
    "undecided": "UNDECIDED",
    "invalid": "INVALID",
    "skipped": "skipped",
}
_OUTCOMES: Final = {0: "PASSED", 1: "FAILED", 2: "BAD INPUT", 3: "UNDECIDED"}
_NOTHING: Final = "NOTHING CHECKED"


def gate_facts(findings: Sequence[Finding], code: int, written: Sequence[Path]) -> list[Fact]:
    """The outcome, and all findings; text has them in its table."""
    counts = Counter(finding.status for finding in findings)
    return [
        fact("outcome", _outcome(findings, code)),
        fact("counts", {status: counts[status] for status in _STATUSES}),
        fact("findings", [result_of(finding_facts(finding)) for finding in findings]),
        fact("written", [str(path) for path in written]),
    ]


def finding_facts(finding: Finding) -> list[Fact]:
    """A finding, in a line."""
    status = _STATUSES[finding.status]
    return [
        fact("policy", finding.policy),
        fact("ledger", finding.source, "ledger", finding.source),
        fact("kind", finding.kind),
        fact("requirement", finding.requirement, "required", abridged(finding.requirement)),
        fact("status", finding.status, "verdict", status),
        fact("message", finding.message, "", "" if finding.message == status else finding.message),
    ]


def gate_sentence(findings: Sequence[Finding], code: int) -> str:
    """Whether the policies are kept, and by how much of what they require."""
    if _outcome(findings, code) == _NOTHING:
        return "Nothing was checked, so that nothing is known to hold."
    checked = [finding for finding in findings if finding.status != "skipped"]
    held = sum(finding.status == "held" for finding in checked)
    required = counted(len(checked), "requirement")
    kept = {0: "are kept", 1: "are not kept"}.get(code, "are not shown to be kept")
    return f"The policies {kept}: {grouped(held)} of {required} {'holds' if held == 1 else 'hold'}."


def gate_summary(findings: Sequence[Finding], code: int) -> str:
    """The outcome in a word, and how many requirements have which."""
    counts = Counter(finding.status for finding in findings)
    required = sum(counts.values()) - counts["skipped"]
    parts = [f"{counts['held']} of {required} requirements hold"]
    parts += [f"{counts[status]} {status}" for status in _STATUSES if counts[status]]
    told = ", ".join(part for part in parts if not part.endswith("held"))
    return f"{_outcome(findings, code)}: {told}"


def _outcome(findings: Sequence[Finding], code: int) -> str:
    checked = any(finding.status != "skipped" for finding in findings)
    return _OUTCOMES[code] if checked else _NOTHING


def gate_certificates(
    findings: Sequence[Finding], directory: Path | None
) -> Iterator[tuple[Path, bytes]]:
    """Where certificates go; those of failures are verified even if they go nowhere."""
    numbers: Counter[str] = Counter()
    for finding in findings:
        if finding.certificate is None or (directory is None and finding.status != "failed"):
            continue
        data = verified(finding.certificate, ledger=finding.ledger)
        if directory is not None:
            is_one = finding.source == "-" or Path(finding.source).is_file()
            stem = stem_of(finding.source) if is_one else "together"
            numbers[stem] += 1
            yield directory / f"{stem}.{numbers[stem]}.{finding.certificate.bound}.json", data
