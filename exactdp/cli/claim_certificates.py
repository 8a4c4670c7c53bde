r"""The certificates of claims, by the files that they go to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from exactdp.certificate.statement import Certificate
from exactdp.cli.options import stem_of
from exactdp.pages.facts.claims import AuditedLedger


def claim_certificates(
    report: AuditedLedger, directory: Path
) -> Iterator[tuple[Path, Certificate]]:
    """Where the certificates of a ledger's claims go."""
    stem = stem_of(report.source)
    for number, claim in enumerate(report.claims, start=1):
        for verdict in claim.verdicts:
            for certificate in (verdict.certificate, verdict.mended):
                if certificate is not None:
                    name = f"{stem}.claim-{number}.{certificate.rule}.{certificate.bound}.json"
                    yield directory / name, certificate
