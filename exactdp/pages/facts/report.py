r"""What is known of a page that was made: what it says of each ledger, and its digest."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from exactdp.pages.facts import Fact, fact, shown
from exactdp.pages.findings import Findings
from exactdp.pages.number_text import grouped
from exactdp.pages.sentences import Conclusion


def report_facts(
    findings: Sequence[Findings], conclusions: Sequence[Conclusion], output: Path, page: bytes
) -> list[Fact]:
    """What the page says, and which bytes it is."""
    pairs = [*zip(findings, conclusions, strict=True)]
    digest = hashlib.sha256(page).hexdigest()
    count = sum(len(each.proofs) for each in findings)
    return [
        *(
            shown(conclusion.headword, found.ledger.name or found.file)
            for found, conclusion in pairs
        ),
        shown("certificates", grouped(count)),
        fact("report", str(output), "report", str(output)),
        fact("bytes", len(page), "bytes", grouped(len(page))),
        fact("sha256", digest, "SHA-256", digest),
        fact("ledgers", [_ledger(found, conclusion) for found, conclusion in pairs]),
    ]


def _ledger(found: Findings, conclusion: Conclusion) -> dict[str, object]:
    return {
        "file": found.file,
        "name": found.ledger.name,
        "standing": conclusion.standing,
        "standings": list(conclusion.standings),
        "sentences": list(conclusion.sentences),
        "certificates": [{"name": proof.name, "sha256": proof.digest} for proof in found.proofs],
    }
