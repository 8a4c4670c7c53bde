r"""Certificates that leave this program: only those that the verifier accepts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Protocol, TypeVar

from exactdp.asides import asides
from exactdp.errors import CostLimitError, InternalError
from exactdp.ledger.model import Ledger


class Provable(Protocol):
    """A certificate, whatever it is about."""

    def to_bytes(self) -> bytes:
        """The canonical bytes."""


MAX_COST: Final = 10**12
"""What the verifier may spend on a certificate of ours: ten times what it spends unasked."""
_LONG: Final = "a certificate takes minutes to check: give exactdp verify --max-cost 1e12"
T_co = TypeVar("T_co", bound=Provable, covariant=True)


class Bounded(Protocol[T_co]):
    """An answer with two ends, each of which may have a certificate."""

    def upper_certificate(self) -> T_co | None:
        """The certificate of the upper end."""

    def lower_certificate(self) -> T_co | None:
        """The certificate of the lower end."""


def certificates_of(answer: Bounded[T_co]) -> dict[str, T_co]:
    """The certificates of both ends, as far as there are any."""
    made = {"upper": answer.upper_certificate(), "lower": answer.lower_certificate()}
    return {name: each for name, each in made.items() if each is not None}


def certificate_files(
    directory: Path,
    stem: str,
    made: Mapping[str, Provable],
    *,
    ledger: Ledger | None = None,
    workload: bytes | None = None,
) -> dict[Path, bytes]:
    """Where certificates go, by what their names end in, and their verified bytes."""
    return {
        directory / f"{stem}.{name}.json": verified(each, ledger=ledger, workload=workload)
        for name, each in made.items()
    }


def verified(
    certificate: Provable,
    *,
    ledger: Ledger | None = None,
    workload: bytes | None = None,
    claim: tuple[str, str] | None = None,
) -> bytes:
    """The bytes of a certificate that the verifier accepts, for what it is about if given.

    Raises:
        CostLimitError: to check it would exceed ``MAX_COST``.
        InternalError: it is rejected, which is a bug of ours.
    """
    return accepted(certificate, ledger=ledger, workload=workload, claim=claim)[0]


def accepted(
    certificate: Provable,
    *,
    ledger: Ledger | None = None,
    workload: bytes | None = None,
    claim: tuple[str, str] | None = None,
) -> tuple[bytes, str]:
    """As :func:`verified`, with the verifier's verdict; what it refuses unasked is told."""
    from exactdp.verifier import DEFAULT_MAX_COST, verify_bytes  # noqa: PLC0415 (answers without certificates do without)

    data = certificate.to_bytes()
    about = workload
    if ledger is not None:
        from exactdp.ledger.reading import write_ledger  # noqa: PLC0415 (as few are written)

        about = write_ledger(ledger).encode()
    unasked = min(DEFAULT_MAX_COST, MAX_COST)
    verdict = verify_bytes(data, ledger=about, claim=claim, max_cost=unasked)
    if verdict.status == "refused" and unasked < MAX_COST:
        verdict = verify_bytes(data, ledger=about, claim=claim, max_cost=MAX_COST)
        if (tell := asides().tell) is not None and verdict.status == "accepted":
            tell(_LONG)
    if verdict.status == "refused":
        raise CostLimitError(
            field="certificate",
            value=verdict.line,
            expected="one that the verifier checks at a cost of at most 10^12",
            remedy="nothing was written; a certificate of a wider --tolerance is cheaper to check",
        )
    if verdict.status != "accepted":
        raise InternalError(
            field="certificate",
            value=verdict.line,
            expected="one that the verifier accepts",
            remedy="nothing was written; this is a bug in exactdp, please report it",
        )
    return data, verdict.line
