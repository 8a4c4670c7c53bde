r"""``exactdp attest``: a signed statement that a certificate about a ledger was accepted.

Rules of this file: the verifier is asked first; a private key is read and never written.
"""

from __future__ import annotations

from pathlib import Path

from exactdp.attestation.envelope import sealed
from exactdp.attestation.statement import AttestedFiles, statement_bytes
from exactdp.cli.colour import coloured
from exactdp.cli.files import check_file, keep_ledger, write_together
from exactdp.cli.options import command
from exactdp.cli.output import print_json, write
from exactdp.cli.verification import VERDICTS, read_file
from exactdp.readable import printable


@command("attest")
def attest_command(
    certificate: str,
    *,
    ledger: str,
    key: str,
    output: Path,
    nonce: str,
    max_cost: int,
    as_json: bool,
) -> int:
    """Sign a statement that the verifier accepted CERTIFICATE for LEDGER.

    The envelope is DSSE around an in-toto statement; exactdp verify --attestation checks it. Exit
    code 1 if the certificate is not accepted; nothing is signed then.
    """
    keep_ledger(ledger, output, "--output")
    check_file(output, "--output")
    files = AttestedFiles(
        read_file(ledger, "--ledger"),
        Path(ledger).name,
        read_file(certificate, "CERTIFICATE"),
        nonce,
    )
    verdict = files.verdict(max_cost)
    if verdict.exit_code:
        write(f"{VERDICTS[verdict.status]}\n{coloured(printable(verdict.line))}\n")
        return verdict.exit_code
    envelope, signer = sealed(statement_bytes(files, verdict), read_file(key, "--key"))
    write_together({output: envelope}, "--output")
    if as_json:
        print_json("attest", {"line": verdict.line, "key": signer, "written": str(output)})
    else:
        write("A statement is signed: the verifier accepts this certificate for this ledger.\n")
        write(coloured(f"{printable(verdict.line)}\n"))
        write(f"signed with the key {signer}\nwritten: {output}\n")
    return 0
