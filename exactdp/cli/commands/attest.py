r"""``exactdp attest``: a signed statement that a certificate about a ledger was accepted.

Rules of this file: the verifier is asked first; a private key is read and never written.
"""

from __future__ import annotations

from pathlib import Path

from exactdp.attestation.envelope import sealed
from exactdp.attestation.statement import AttestedFiles, statement_bytes
from exactdp.cli.files import check_file, keep_ledger
from exactdp.cli.options import command
from exactdp.cli.rendering import answer
from exactdp.cli.verification import VERDICTS, read_file
from exactdp.pages.facts import fact


@command("attest")
def attest_command(
    certificate: str,
    *,
    ledger: str,
    key: str,
    output: Path,
    nonce: str,
    max_cost: int,
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
        known = [fact("line", verdict.line), fact("key", None), fact("written", None)]
        head = VERDICTS[verdict.status], verdict.line
        return answer(known, *head, code=verdict.exit_code)
    envelope, signer = sealed(statement_bytes(files, verdict), read_file(key, "--key"))
    return answer(
        [fact("line", verdict.line), fact("key", signer), fact("written", str(output))],
        "A statement is signed: the verifier accepts this certificate for this ledger.",
        verdict.line,
        f"signed with the key {signer}",
        f"written: {output}",
        files={output: envelope},
        field="--output",
    )
