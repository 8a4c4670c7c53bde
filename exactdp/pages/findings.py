r"""What a report has to tell of one ledger, or of whatever else certificates are about.

Rules of this file: it asks the library and computes nothing; a certificate is kept only once the
verifier has accepted it as one about what the report is about. What was refused for its cost is a
finding too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.certificate.statement import Certificate
from exactdp.claims.verdicts import Audited, audit
from exactdp.composition.answers.arguments import target_of
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.proving import Proofs
from exactdp.composition.answers.results import Composition
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import write_ledger
from exactdp.pages.accepted import Provable, accepted, certificates_of
from exactdp.pages.band import Band
from exactdp.pages.facts import FactTable
from exactdp.pages.facts.claims import claim_certificates
from exactdp.pages.left_out import left_out
from exactdp.pages.profile_band import band_by_levels, profile_band, whole_seconds
from exactdp.pages.standing import Standing
from exactdp.timing.clock import Clock

_NO_DELTA: Final = "neither the ledger nor the command names a δ at which to ask"


@dataclass(frozen=True, slots=True)
class Proof:
    """A certificate that the verifier accepted.

    Attributes:
        name: what the file is called.
        data: its bytes.
        line: the verifier's verdict.
    """

    name: str
    data: bytes
    line: str

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def rules(self) -> list[str]:
        """The rules of its steps."""
        return [step["rule"] for step in json.loads(self.data)["derivation"]]

    @property
    def mechanisms(self) -> list[dict[str, object]]:
        """The mechanisms that its statement is about, if it lists them."""
        subject = json.loads(self.data)["statement"]["subject"]
        return [each for each in subject.get("mechanisms", ()) if isinstance(each, dict)]

    @property
    def stated(self) -> dict[str, str]:
        """The parts of the statement that are texts, as they are written in it."""
        statement = json.loads(self.data)["statement"]
        return {key: part for key, part in statement.items() if isinstance(part, str)}


@dataclass(frozen=True, slots=True)
class Mark:
    """A number that somebody else gives, judged.

    Attributes:
        name: who gives it.
        text: the number as it was given, with its δ.
        epsilon: an ε near it, for the picture.
        delta: its δ.
        standing: what has become of it.
    """

    name: str
    text: str
    epsilon: mpq
    delta: mpq
    standing: Standing


@dataclass(frozen=True, slots=True)
class Detail:
    """A table that a command adds, with what must be said of it.

    Attributes:
        title: above the table.
        caption: what the table shows.
        known: what stands in it.
        remarks: sentences below it.
    """

    title: str
    caption: str
    known: FactTable
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportSubject:
    """What certificates are about, where that is not the ledger: a workload, or a budget's log.

    Attributes:
        name: what its file is called.
        kind: what it is, in a word.
        data: its bytes.
        opening: how the sentence about its ε begins, with its verb.
        given: what is taken as given about it.
        interaction: how its mechanisms are asked.
    """

    name: str
    kind: str
    data: bytes
    opening: str
    given: str
    interaction: str = "adaptive"


@dataclass(frozen=True, slots=True)
class Findings:
    """What is known of one ledger.

    Attributes:
        file: the name of the file that it was read from.
        ledger: what it says.
        answer: the least ε at the δ asked for; None if that was refused.
        refusal: why it was, or "".
        band: the privacy profile; None where that was refused.
        claims: the ledger's own claims, judged.
        proofs: the certificates of all of these.
        marks: what others say, judged.
        details: tables of the command that asks for the report.
        subject: what the certificates are about; None for the ledger.
    """

    file: str
    ledger: Ledger
    answer: Composition | None
    refusal: str
    band: Band | None
    claims: tuple[Audited, ...]
    proofs: tuple[Proof, ...]
    marks: tuple[Mark, ...] = ()
    details: tuple[Detail, ...] = ()
    subject: ReportSubject | None = None

    @property
    def stem(self) -> str:
        """What files made from the ledger are called."""
        return PurePath(self.file).stem

    @property
    def written(self) -> bytes:
        """The ledger as exactdp writes it."""
        return write_ledger(self.ledger).encode()


def find(  # noqa: PLR0913 (what is asked, and what of it is known already)
    file: str,
    ledger: Ledger,
    *,
    delta: Number | None,
    max_cost: int,
    needs_delta: bool = True,
    others: Iterable[ExactNumber | None] = (),
    known: Composition | None = None,
    proofs: Proofs[Certificate] | None = None,
    clock: Clock | None = None,
) -> Findings:
    """Ask all that a report tells; its picture is as wide as the ``others`` need.

    Args:
        file: the name of the file that the ledger was read from.
        ledger: what it says.
        delta: at which to ask; None for the δ that the ledger names.
        max_cost: refuse work predicted to cost more.
        needs_delta: whether there has to be a δ.
        others: further ε that the picture shows.
        known: the answer at that δ, where it has been found already.
        proofs: the certificates of its ends that there was time for; None for both.
        clock: until when the privacy profile has to be drawn, which else is left out.

    Raises:
        InputError: neither the caller nor the ledger names a δ, and ``needs_delta``.
    """
    claims = audit(ledger, max_cost=max_cost)
    if delta is None and ledger.target_delta is None and not needs_delta:
        delta = next((each.delta for each in ledger.claims if each.delta is not None), None)
    answer, refusal = known, "" if known else _NO_DELTA
    if answer is None and (needs_delta or delta is not None or ledger.target_delta is not None):
        try:
            answer = compose(ledger, delta=target_of(ledger, delta), max_cost=max_cost)
            refusal = ""
        except CostLimitError as error:
            refusal = str(error)
    made: dict[str, Certificate] = {}
    if proofs is not None:
        made |= proofs.made
    elif answer is not None:
        made |= certificates_of(answer)
    made |= claim_certificates(claims)
    checked = proofs_of(PurePath(file).stem, made, ledger=ledger)
    shown = [*(each.claim.epsilon for each in claims), *others]
    band = band_of(ledger, answer, shown, max_cost, clock)
    details = _left_out(proofs) if proofs is not None and proofs.left_out else ()
    return Findings(file, ledger, answer, refusal, band, claims, checked, details=details)


def _left_out(proofs: Proofs[Certificate]) -> tuple[Detail, ...]:
    """What is said of certificates that there was no time for."""
    return (Detail("Certificates", "Those that are not here", left_out(proofs)),)


# --- the privacy profile ------------------------------------------------------------------------


def band_of(
    ledger: Ledger,
    answer: Composition | None,
    others: Iterable[ExactNumber | None],
    max_cost: int,
    clock: Clock | None = None,
) -> Band | None:
    """The profile from ε = 0 to beyond the answer and what else is spoken of, in the time left."""
    clock = clock or Clock()
    seconds = whole_seconds(clock.left)
    if seconds == 0:
        return None
    try:
        if ledger.given_by == "noise":
            return band_by_levels(ledger, ledger, answer.delta, clock) if answer else None
        least = answer.upper_end if answer is not None and answer.upper_end else mpq(0)
        spoken_of = [each for each in others if each is not None]
        points = profile_band(ledger, least, spoken_of, max_cost=max_cost, time_limit=seconds)
    except CostLimitError:
        return None
    return Band.by_epsilon(points)


# --- certificates -------------------------------------------------------------------------------


def proofs_of(
    stem: str,
    made: dict[str, Certificate] | dict[str, Provable],
    *,
    ledger: Ledger | None = None,
    workload: bytes | None = None,
) -> tuple[Proof, ...]:
    """Each certificate once, whatever it was made for."""
    known: dict[bytes, Proof] = {}
    for name, certificate in made.items():
        data, line = accepted(certificate, ledger=ledger, workload=workload)
        known.setdefault(data, Proof(f"{stem}.{name}.json", data, line))
    return tuple(known.values())
