r"""The certificates of a workload, as files.

Rules of this file: a certificate leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

from pathlib import Path

from exactdp.pages.accepted import verified
from exactdp.workloads.certify import WorkloadProofs
from exactdp.workloads.reading import write_workload
from exactdp.workloads.workload import Workload


def proof_files(
    proofs: WorkloadProofs, workload: Workload, directory: Path, stem: str
) -> dict[Path, bytes]:
    """The certificates, and the workload that they are about, which may have been read from SQL.

    Where time left all of them out, there is nothing to write.
    """
    if proofs.left_out and not proofs.made:
        return {}
    text = write_workload(workload).encode()
    certificates = {
        directory / f"{stem}.{bound}.json": verified(certificate, workload=text)
        for bound, certificate in proofs.made.items()
    }
    return certificates | {directory / f"{stem}.workload.json": text}
