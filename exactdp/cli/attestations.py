r"""Checking an envelope of ``exactdp attest`` beside its certificate.

Rules of this file: the certificate is verified here and now whatever the envelope says; the
envelope adds who says so.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from exactdp.attestation.envelope import NotAttestedError, opened
from exactdp.attestation.statement import (
    AttestedFiles,
    attested_verifier,
    differences,
    verifier_named,
)
from exactdp.cli.verification import AttestationVerdict, read_file

_SHOWN: Final = 16


def check_attestation(
    envelope: str, certificate: str, ledger: str, public_key: str, nonce: str
) -> AttestationVerdict:
    """Whether the key has signed that this certificate was accepted for this ledger.

    Raises:
        InputError: a file cannot be read, or is not what it should be.
    """
    files = AttestedFiles(
        read_file(ledger, "--ledger"), Path(ledger).name, read_file(certificate, "FILE…"), nonce
    )
    data = read_file(envelope, "--attestation")
    try:
        payload, key = opened(data, read_file(public_key, "--public-key"))
    except NotAttestedError as error:
        return _not_attested([str(error)])
    reasons = differences(payload, files)
    if reasons:
        return _not_attested(reasons, key)
    verifier = attested_verifier(payload)
    same = verifier == verifier_named()["sha256"]
    by = "this verifier" if same else f"another verifier ({verifier[:_SHOWN] or 'not named'}…)"
    line = f"ATTESTED  signed with the key {key[:_SHOWN]}…, who asked {by}"
    return AttestationVerdict("attested", line, key, (), verifier)


def _not_attested(reasons: list[str], key: str = "") -> AttestationVerdict:
    line = f"NOT ATTESTED  reason: {'; '.join(reasons)}"
    return AttestationVerdict("not-attested", line, key, tuple(reasons))
