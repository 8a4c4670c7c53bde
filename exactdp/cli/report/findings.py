r"""What a report has to tell of one ledger.

Rules of this file: it asks the library and computes nothing; a certificate is kept only once the
verifier has accepted it as one about this ledger. What was refused for its cost is a finding too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from gmpy2 import mpq

from exactdp.answers.compose import compose
from exactdp.answers.results import Composition, ProfilePoint
from exactdp.audit.verdicts import Audited, audit
from exactdp.certificate.statement import Certificate
from exactdp.cli.certificates import accepted
from exactdp.cli.profile_band import profile_band
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import write_ledger


@dataclass(frozen=True, slots=True)
class Proof:
    """A certificate that the verifier accepted.

    Attributes:
        name: what the file is called.
        certificate: what it states.
        data: its bytes.
        line: the verifier's verdict.
    """

    name: str
    certificate: Certificate
    data: bytes
    line: str

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def stated(self) -> dict[str, str]:
        """The parts of the statement that are texts, as they are written in it."""
        statement = json.loads(self.data)["statement"]
        return {key: part for key, part in statement.items() if isinstance(part, str)}


@dataclass(frozen=True, slots=True)
class Findings:
    """What is known of one ledger.

    Attributes:
        file: the name of the file that it was read from.
        ledger: what it says.
        answer: the least ε at the δ asked for; None if that was refused.
        refusal: why it was, or "".
        band: the privacy profile; empty where that was refused.
        claims: the ledger's own claims, judged.
        proofs: the certificates of all of these.
    """

    file: str
    ledger: Ledger
    answer: Composition | None
    refusal: str
    band: tuple[ProfilePoint, ...]
    claims: tuple[Audited, ...]
    proofs: tuple[Proof, ...]

    @property
    def stem(self) -> str:
        """What files made from the ledger are called."""
        return PurePath(self.file).stem

    @property
    def written(self) -> bytes:
        """The ledger as exactdp writes it."""
        return write_ledger(self.ledger).encode()


def find(file: str, ledger: Ledger, *, delta: object, max_cost: int) -> Findings:
    """Ask all that a report tells.

    Raises:
        InputError: neither the caller nor the ledger names a δ.
    """
    answer, refusal = None, ""
    try:
        answer = compose(ledger, delta=delta, max_cost=max_cost)
    except CostLimitError as error:
        refusal = str(error)
    claims = audit(ledger, max_cost=max_cost)
    band = _band(ledger, answer, claims, max_cost)
    made = {} if answer is None else _of_answer(answer)
    made |= dict(_of_claims(claims))
    stem = PurePath(file).stem
    proofs = tuple(_proofs(stem, made, ledger))
    return Findings(file, ledger, answer, refusal, band, claims, proofs)


def _band(
    ledger: Ledger, answer: Composition | None, claims: Iterable[Audited], max_cost: int
) -> tuple[ProfilePoint, ...]:
    least = answer.upper if answer is not None and answer.upper else mpq(0)
    claimed = [each.claim.epsilon for each in claims if each.claim.epsilon is not None]
    try:
        return profile_band(ledger, least, claimed, max_cost=max_cost)
    except CostLimitError:
        return ()


def _of_answer(answer: Composition) -> dict[str, Certificate]:
    made = {"upper": answer.upper_certificate(), "lower": answer.lower_certificate()}
    return {name: each for name, each in made.items() if each is not None}


def _of_claims(claims: Iterable[Audited]) -> Iterator[tuple[str, Certificate]]:
    for number, claim in enumerate(claims, start=1):
        for verdict in claim.verdicts:
            for certificate in (verdict.certificate, verdict.mended):
                if certificate is not None:
                    yield f"claim-{number}.{certificate.rule}.{certificate.bound}", certificate


def _proofs(stem: str, made: dict[str, Certificate], ledger: Ledger) -> Iterator[Proof]:
    """Each certificate once, whatever it was made for."""
    known: set[bytes] = set()
    for name, certificate in made.items():
        data, line = accepted(certificate, ledger=ledger)
        if data not in known:
            known.add(data)
            yield Proof(f"{stem}.{name}.json", certificate, data, line)
