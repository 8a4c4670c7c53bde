r"""``exactdp.attest``: a signed statement, from files or values."""

from __future__ import annotations

import os
from pathlib import Path

from exactdp.attestation.envelope import sealed
from exactdp.attestation.statement import AttestedFiles, statement_bytes
from exactdp.errors import InputError
from exactdp.verification import File, Written, certificate_bytes, content
from exactdp.verifier import DEFAULT_MAX_COST


def attest(
    certificate: File | Written,
    *,
    ledger: File,
    key: File,
    nonce: str = "",
    max_cost: int = DEFAULT_MAX_COST,
) -> bytes:
    """Sign a statement that the verifier accepted a certificate for a ledger.

    Args:
        certificate: the bytes of a file, its path, or a certificate as ``compose`` makes them.
        ledger: the path of what it is about, or its bytes; the statement's subject.
        key: an Ed25519 private key in PEM: its path, or its bytes.
        nonce: what a reader asks to see in the statement.
        max_cost: refuse certificates that cost more.

    Returns: the envelope, which ``exactdp verify --attestation`` opens.

    Raises:
        InputError: the certificate is not accepted, a file cannot be read, or the extra ``attest``
            is not installed.
    """
    files = AttestedFiles(
        _required(ledger, "ledger"), _name_of(ledger), certificate_bytes(certificate), nonce
    )
    statement = statement_bytes(files, files.verdict(max_cost))
    return sealed(statement, _required(key, "key"))[0]


def _name_of(ledger: File) -> str:
    return Path(os.fsdecode(ledger)).name if isinstance(ledger, str | os.PathLike) else "ledger"


def _required(source: File, field: str) -> bytes:
    data = content(source, field)
    if data is None:
        raise InputError(field=field, value=type(source).__name__, expected="bytes, or a path")
    return data
