r"""``exactdp.verify``: the verifier's door for Python callers.

Rules of this file: what was passed is brought into bytes and texts, or refused with an InputError,
before the verifier is asked; a mistake in an argument never looks like a proof that failed. The
verifier decides, and its verdict is returned as it stands. The engine is imported only where a
ledger or a claim is given.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from numbers import Integral
from operator import index
from typing import TYPE_CHECKING, Any, Final, Protocol, SupportsIndex, TypeAlias, runtime_checkable

from exactdp.errors import InputError
from exactdp.regular_files import open_file
from exactdp.verifier import DEFAULT_MAX_COST, Verdict, verify_bytes
from exactdp.verifier.question.claim import CLAIMS, FORMS, Claimed, by_name

if TYPE_CHECKING:
    from exactdp.arithmetic.numbers import Number
    from exactdp.composition.answers.arguments import LedgerLike

MAX_BYTES: Final = 2**24
_MAYBE_LOGARITHMS: Final = ("epsilon", "rho", "mu")
File: TypeAlias = "bytes | bytearray | memoryview | str | os.PathLike[str]"


@runtime_checkable
class Written(Protocol):
    """A certificate that was made in this process, whatever it is about."""

    def to_bytes(self) -> bytes:
        """The canonical bytes."""


def verify(
    certificate: File | Written,
    *,
    ledger: File | LedgerLike | None = None,
    claim: Sequence[Number] | Mapping[str, Number] | None = None,
    max_cost: SupportsIndex = DEFAULT_MAX_COST,
) -> Verdict:
    """Check a certificate with the standalone verifier.

    Args:
        certificate: the bytes of a file, its path, or a certificate as ``compose`` makes them.
        ledger: what it should be about: the bytes of a ledger or workload, its path, a Ledger or
            a list of mechanisms.
        claim: ε and δ of the claim "(ε, δ)-DP" that it should prove or refute; or a mapping with
            ``rho``, or ``mu``, or ``fpr`` and ``tpr``, or ``prior`` and ``success``.
        max_cost: stop once so much is spent, a unit being about a nanosecond.

    Returns: the verdict; ``status`` is ``accepted`` only if everything was proved.

    Raises:
        InputError: an argument is none of these (a float in a claim, for one), or a file cannot
            be read.

    >>> import exactdp
    >>> certificate = exactdp.compose([("ln(3)", 0, 2)], delta="1/10").upper_certificate()
    >>> verify(certificate, ledger=[("ln(3)", 0, 2)], claim=("2.1", "0.1")).settles
    'proves the claim (2.1, 0.1)'
    """
    limit = _limit(max_cost)
    return verify_bytes(
        certificate_bytes(certificate),
        ledger=None if ledger is None else _ledger_bytes(ledger),
        claim=None if claim is None else _claim_texts(claim),
        max_cost=limit,
    )


def _limit(max_cost: object) -> int:
    limit = 0
    if isinstance(max_cost, SupportsIndex) and not isinstance(max_cost, bool):
        with suppress(TypeError):  # numpy's booleans and arrays
            limit = index(max_cost)
    if limit < 1:
        raise InputError(
            field="max_cost", value=max_cost, expected="a whole number at least 1, as an int"
        )
    return limit


def certificate_bytes(certificate: object) -> bytes:
    """The bytes of a certificate, however it was passed.

    Raises:
        InputError: it is none, or cannot be read.
    """
    data = content(certificate, "certificate")
    if data is not None:
        return data
    if isinstance(certificate, Written) and not isinstance(certificate, Integral):
        return certificate.to_bytes()
    has_one = hasattr(certificate, "upper_certificate")
    raise InputError(
        field="certificate",
        value=type(certificate).__name__,
        expected="bytes, a path, or a certificate",
        remedy="pass its upper_certificate() or lower_certificate()" if has_one else "",
    )


def _ledger_bytes(ledger: object) -> bytes:
    data = content(ledger, "ledger")
    if data is not None:
        return comparable(data)
    from exactdp.composition.answers.arguments import ledger_of  # noqa: PLC0415 (rule of this file)
    from exactdp.ledger.model import Ledger  # noqa: PLC0415 (rule of this file)
    from exactdp.ledger.reading import write_ledger  # noqa: PLC0415 (rule of this file)

    if not isinstance(ledger, Ledger | list | tuple):
        raise InputError(
            field="ledger",
            value=type(ledger).__name__,
            expected="bytes, a path, a Ledger, or a list of mechanisms",
        )
    return write_ledger(ledger_of(ledger)).encode()


def comparable(data: bytes) -> bytes:
    """A ledger as the verifier reads it: one in JSON byte for byte, any other written as JSON.

    Raises:
        InputError: it is not a ledger.
    """
    if data.lstrip().startswith(b"{") or len(data) > MAX_BYTES:
        return data  # the verifier's parser has the word
    from exactdp.ledger.reading import read_ledger, write_ledger  # noqa: PLC0415 (rule of this file)

    return write_ledger(read_ledger(data)).encode()


def _claim_texts(claim: object) -> Claimed:
    is_pair = isinstance(claim, Sequence) and not isinstance(claim, str | bytes) and len(claim) == 2
    if isinstance(claim, Mapping):
        return checked_claim(claim, "claim")
    if not is_pair:
        raise InputError(
            field="claim",
            value=claim,
            expected="a pair of ε and δ, or a mapping",
            remedy='for example: claim=("2.64", "1e-6")',
        )
    return checked_claim(claim, "claim")


def checked_claim(claim: Any, field: str) -> Claimed:  # noqa: ANN401 (of either kind)
    """The texts of a pair, or of numbers by their names.

    Raises:
        InputError: one of them is no number, or not rational where it must be.
    """
    from exactdp.arithmetic.numbers import as_number, as_rational  # noqa: PLC0415 (rule of this file)

    given: Mapping[str, Any] = by_name(claim)
    if frozenset(given) not in FORMS:
        raise InputError(
            field=field,
            value=", ".join(map(str, given)),
            expected=f"a pair of ε and δ, or a mapping: {CLAIMS}",
        )
    exact = {
        name: (as_number if name in _MAYBE_LOGARITHMS else as_rational)(each, field)
        for name, each in given.items()
    }
    texts = {
        name: each if isinstance(each, str) else str(exact[name]) for name, each in given.items()
    }
    return texts if isinstance(claim, Mapping) else (texts["epsilon"], texts["delta"])


def content(source: object, field: str) -> bytes | None:
    """The bytes that are meant, of a file at most one more than is allowed; None for no file.

    Raises:
        InputError: it cannot be read.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source)
    if not isinstance(source, str | os.PathLike):
        return None
    name = os.fspath(source)
    try:
        with open_file(name) as stream:
            return stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "not a file name"
        is_content = isinstance(name, str) and name.lstrip().startswith("{")
        raise InputError(
            field=field,
            value=name,
            expected=f"a file that can be read ({reason})",
            remedy="the content of a file is passed as bytes" if is_content else "",
            code="unreadable",
        ) from None
