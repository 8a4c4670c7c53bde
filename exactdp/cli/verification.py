r"""Asking the verifier: certificates from files, and the ledger and claim they should be about.

Rules of this file: the verifier decides, and its verdict is printed as it stands; a JSON ledger
reaches it byte for byte, any other is first written as JSON. The engine's readers are imported only
where such a ledger, or a claim, is given.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exactdp.errors import InputError
from exactdp.regular_files import open_file
from exactdp.verification import MAX_BYTES, checked_claim, comparable
from exactdp.verifier import Verdict, verify_bytes, verify_together
from exactdp.verifier.question.claim import CLAIMS, Claimed, by_name, texts_of_claim

if TYPE_CHECKING:
    from exactdp.ledger.model import Claim

_RATES: Final = ("delta", "fpr", "tpr", "prior", "success")


@dataclass(frozen=True, slots=True)
class VerificationRequest:
    """What a certificate should be about, beyond being right."""

    ledger: bytes | None
    claim: Claimed | None
    max_cost: int

    def ask(self, data: bytes) -> Verdict:
        """The verifier's verdict on a certificate."""
        return verify_bytes(data, ledger=self.ledger, claim=self.claim, max_cost=self.max_cost)


@dataclass(frozen=True, slots=True)
class AttestationVerdict:
    """The outcome for an envelope; ``line`` says it in full.

    Attributes:
        status: "attested" or "not-attested".
        line: the outcome in words.
        key: the identifier of the key that has signed it, or "".
        reasons: why it is not attested.
        verifier: the digest of the verifier that the statement names, or "".
    """

    status: str
    line: str
    key: str = ""
    reasons: tuple[str, ...] = ()
    verifier: str = ""

    @property
    def exit_code(self) -> int:
        """0 if it is attested, else 1."""
        return 1 if self.reasons else 0


def check_options_of_attestation(
    files: Sequence[str],
    ledger: str | None,
    attestation: str | None,
    public_key: str | None,
    nonce: str,
) -> None:
    """Refuse what the options of ``verify`` cannot mean together.

    Raises:
        InputError: one of them is missing, or the envelope is not about one certificate.
    """
    if attestation is None:
        for field, value in (("--public-key", public_key), ("--nonce", nonce)):
            if value:
                raise InputError(field=field, value=value, expected="an --attestation beside it")
        return
    for field, value in (("--public-key", public_key), ("--ledger", ledger)):
        if value is None:
            raise InputError(
                field=field, value="nothing", expected="a file, as an --attestation is checked"
            )
    names = (*files, ledger or "", attestation, public_key or "")
    if len(files) > 1 or "-" in names:
        raise InputError(
            field="--attestation",
            value=attestation,
            expected="one certificate, and none of the files from standard input",
        )


def together_of(files: Sequence[str], question: VerificationRequest) -> Verdict:
    """The verdict on whether all files refute the claim together.

    Raises:
        InputError: there is no claim, or a file cannot be read.
    """
    if question.claim is None:
        raise InputError(field="--together", value="alone", expected="a --claim beside it")
    return verify_together(
        [read_file(name, "FILE…") for name in files],
        claim=question.claim,
        ledger=question.ledger,
        max_cost=question.max_cost,
    )


VERDICTS: Final = {
    "accepted": "The verifier accepts this certificate.",
    "rejected": "The verifier rejects this certificate: it proves nothing.",
    "malformed": "The verifier cannot read this certificate: it proves nothing.",
    "refused": "The verifier did not check this certificate: it would take more than is allowed.",
}
"""What the verifier says of one certificate, by its status."""


def verdicts_sentence(
    verdicts: Sequence[Verdict],
    attestation: AttestationVerdict | None = None,
    *,
    together: bool = False,
) -> str:
    """What the verifier says of certificates, and whether an envelope holds."""
    accepted = sum(each.status == "accepted" for each in verdicts)
    if together:
        verb = "accepts" if accepted else "does not accept"
        return f"The verifier {verb} that these certificates refute the claim together."
    if len(verdicts) == 1:
        sentence = VERDICTS[verdicts[0].status]
        if attestation is None or not attestation.reasons:
            return sentence
        return f"{sentence.rstrip('.')}; and the envelope does not attest it."
    if accepted == len(verdicts):
        return f"The verifier accepts all {accepted} certificates."
    return f"The verifier accepts {accepted} of {len(verdicts)} certificates."


def question_of(
    *,
    files: Sequence[str],
    ledger: str | None,
    inline: tuple[str, ...],
    claim: str | None,
    max_cost: int,
) -> VerificationRequest:
    """The question that the options of ``verify`` and ``explain`` ask.

    Raises:
        InputError: the ledger or the claim cannot be read.
    """
    if [*files, ledger].count("-") > 1:
        raise InputError(
            field="-",
            value="standard input, twice",
            expected="one file at most from standard input",
        )
    return VerificationRequest(
        _ledger_bytes(ledger, inline), None if claim is None else claim_of(claim), max_cost
    )


def _ledger_bytes(source: str | None, inline: tuple[str, ...]) -> bytes | None:
    if inline:
        return _inline_bytes(source, inline)
    if source is None:
        return None
    return comparable(read_file(source, "ledger"))


def _inline_bytes(source: str | None, inline: tuple[str, ...]) -> bytes:
    from exactdp.cli.composition_options import find_ledger  # noqa: PLC0415 (rule of this file)
    from exactdp.ledger.reading import write_ledger  # noqa: PLC0415 (rule of this file)

    return write_ledger(find_ledger(source, inline)).encode()


def claim_of(text: str) -> Claimed:
    """A claim, its numbers as they are written.

    Raises:
        InputError: it has none of the forms, or holds what is no number.
    """
    claim = texts_of_claim(text)
    if claim is None:
        raise InputError(
            field="--claim",
            value=text,
            expected=CLAIMS.replace("; ", " or "),
            remedy="for example: --claim 2.64,0",
        )
    checked_claim(claim, "--claim")
    return claim


def stated_claim(claim: Claimed, source: str) -> Claim:
    """What a ledger claims that states this of itself."""
    from exactdp.arithmetic.numbers import as_number, as_rational  # noqa: PLC0415 (rule of this file)
    from exactdp.ledger.model import Claim  # noqa: PLC0415 (rule of this file)

    given = by_name(claim)
    rates = {name: as_rational(given[name], "--claim") for name in given if name in _RATES}
    return Claim(
        epsilon=as_number(given["epsilon"], "--claim") if "epsilon" in given else None,
        delta=rates.get("delta"),
        basis="composition",
        source=source,
        rho=given.get("rho"),
        mu=given.get("mu"),
        fpr=rates.get("fpr"),
        tpr=rates.get("tpr"),
        prior=rates.get("prior"),
        success=rates.get("success"),
    )


def read_file(name: str, field: str) -> bytes:
    """The bytes of a file, or of standard input for ``-``; at most one more than is allowed.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return bytes_of(name)
    except (OSError, ValueError) as error:
        raise InputError(
            field=field,
            value=name,
            expected=f"a file that can be read ({reason_of(error)})",
            code="unreadable",
        ) from None


def bytes_of(name: str) -> bytes:
    """As :func:`read_file`, without turning errors of the system into ours."""
    if name == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with open_file(name) as stream:
        return stream.read(MAX_BYTES + 1)


def reason_of(error: OSError | ValueError) -> str:
    """Why a file cannot be read, in words."""
    return (isinstance(error, OSError) and error.strerror) or "not a file name"
