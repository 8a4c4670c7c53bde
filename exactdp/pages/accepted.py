r"""Certificates that leave this program: only those that the verifier accepts."""

from __future__ import annotations

from typing import Protocol

from exactdp.errors import InternalError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import write_ledger


class Provable(Protocol):
    """A certificate, whatever it is about."""

    def to_bytes(self) -> bytes:
        """The canonical bytes."""


def verified(
    certificate: Provable,
    *,
    ledger: Ledger | None = None,
    workload: bytes | None = None,
    claim: tuple[str, str] | None = None,
) -> bytes:
    """The bytes of a certificate that the verifier accepts, for what it is about if given.

    Raises:
        InternalError: it does not, which is a bug of ours.
    """
    return accepted(certificate, ledger=ledger, workload=workload, claim=claim)[0]


def accepted(
    certificate: Provable,
    *,
    ledger: Ledger | None = None,
    workload: bytes | None = None,
    claim: tuple[str, str] | None = None,
) -> tuple[bytes, str]:
    """As :func:`verified`, with the verifier's verdict."""
    from exactdp.verifier import verify_bytes  # noqa: PLC0415 (answers without certificates do without)

    data = certificate.to_bytes()
    about = workload if ledger is None else write_ledger(ledger).encode()
    verdict = verify_bytes(data, ledger=about, claim=claim)
    if verdict.status != "accepted":
        raise InternalError(
            field="certificate",
            value=verdict.line,
            expected="one that the verifier accepts",
            remedy="nothing was written; this is a bug in exactdp, please report it",
        )
    return data, verdict.line
