r"""The certificates of a workload, as files, and what is said of those that time left out.

Rules of this file: it renders what the library answered; a certificate leaves this program only if
the verifier accepts it.
"""

from __future__ import annotations

from pathlib import Path

from exactdp.cli.certificates import verified
from exactdp.cli.rendering import Rows, grouped
from exactdp.parallel.proving import LeftOut, Proofs
from exactdp.parallel.reading import write_workload
from exactdp.parallel.workload import Workload


def proof_files(
    proofs: Proofs, workload: Workload, directory: Path, stem: str
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


def left_out_text(each: LeftOut) -> str:
    """What is said of a certificate that there was no time for."""
    seconds = "second" if each.seconds == 1 else "seconds"
    return (
        f"left out: --time-limit left no time for it, about {grouped(each.seconds)} {seconds}; "
        f"a limit of about {grouped(each.time_limit)} would do"
    )


def left_out_rows(proofs: Proofs) -> Rows:
    """A row for each."""
    return [(f"{each.bound} certificate", left_out_text(each)) for each in proofs.left_out]


def left_out_json(proofs: Proofs) -> list[dict[str, object]]:
    """An object for each."""
    return [
        {"bound": each.bound, "seconds": each.seconds, "time_limit": each.time_limit}
        for each in proofs.left_out
    ]
