r"""What is attested: an in-toto statement that a certificate about a ledger was accepted.

Rules of this file: nothing is attested that the verifier did not accept just now; what a statement
says is compared with the files at hand, member by member, and not believed.

Theory of operation: the subject is the ledger, by the SHA-256 of its bytes. The predicate holds the
certificate's digest, the statement that the certificate proves, the verdict in the verifier's
words, and the digest of the verifier's sources, which ``python -m exactdp.verifier --version``
prints. A nonce, where a reader asked for one, shows that
the statement was made for that reader.

Sources: in-toto Attestation Framework, Statement v1; RFC 8785 (JSON Canonicalization Scheme).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from exactdp.attestation.libraries import canonical_json
from exactdp.errors import InputError, shorten
from exactdp.ledger.formats import strict_json
from exactdp.verification import comparable
from exactdp.verifier import DEFAULT_MAX_COST, Verdict, verify_bytes
from exactdp.verifier.__main__ import version

STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE: Final = "urn:exactdp:attestation:1"
_ACCEPTED: Final = "accepted"


@dataclass(frozen=True, slots=True)
class AttestedFiles:
    """The files that an attestation is about.

    Attributes:
        ledger: the bytes of the ledger, or of whatever else the certificate is about.
        name: what the ledger is called; a hint for people.
        certificate: the bytes of the certificate.
        nonce: what a reader asked to see in the statement, or "".
    """

    ledger: bytes
    name: str
    certificate: bytes
    nonce: str = ""

    def verdict(self, max_cost: int = DEFAULT_MAX_COST) -> Verdict:
        """What the verifier says of the certificate, for this ledger."""
        return verify_bytes(self.certificate, ledger=comparable(self.ledger), max_cost=max_cost)


def statement_bytes(files: AttestedFiles, verdict: Verdict) -> bytes:
    """The canonical bytes of the statement that a certificate was accepted.

    Raises:
        InputError: it was not.
    """
    if verdict.status != _ACCEPTED:
        raise InputError(
            field="certificate",
            value=verdict.line,
            expected="one that the verifier accepts for this ledger",
            code="not-accepted",
        )
    return canonical_json(
        {
            "_type": STATEMENT_TYPE,
            "subject": [{"name": files.name, "digest": {"sha256": _digest(files.ledger)}}],
            "predicateType": PREDICATE_TYPE,
            "predicate": {
                **_predicate(files),
                "verdict": {"status": verdict.status, "line": verdict.line},
                "verifier": verifier_named(),
            },
        }
    )


def differences(payload: bytes, files: AttestedFiles) -> list[str]:
    """In what a statement is not about these files; empty if it is."""
    try:
        statement = strict_json.parse(payload).tree
    except InputError as error:
        return [f"its payload is not strict JSON ({error})"]
    return list(_differences(statement, files))


def verifier_named() -> dict[str, str]:
    """The verifier that runs here: its version, and the digest of its sources."""
    text, _, digest = version().rpartition(" sha256:")
    return {"version": text, "sha256": digest}


def attested_verifier(payload: bytes) -> str:
    """The digest of the verifier that a statement names, or ""."""
    verifier = _member(_member(strict_json.parse(payload).tree, "predicate"), "verifier")
    digest = _member(verifier, "sha256")
    return digest if isinstance(digest, str) else ""


def _differences(statement: object, files: AttestedFiles) -> Iterator[str]:
    if _member(statement, "_type") != STATEMENT_TYPE:
        yield f"it is no in-toto statement v1 ({_shown(_member(statement, '_type'))})"
        return
    if _member(statement, "predicateType") != PREDICATE_TYPE:
        yield f"its predicate is of another type ({_shown(_member(statement, 'predicateType'))})"
        return
    subjects = _member(statement, "subject")
    subject = subjects[0] if isinstance(subjects, list) and len(subjects) == 1 else None
    if _member(_member(subject, "digest"), "sha256") != _digest(files.ledger):
        yield "it is about another ledger"
    predicate = _member(statement, "predicate")
    wanted = _predicate(files)
    if _member(predicate, "certificate") != wanted["certificate"]:
        yield "it is about another certificate"
    if _member(predicate, "statement") != wanted["statement"]:
        yield "what it says was proved is not what the certificate states"
    if _member(_member(predicate, "verdict"), "status") != _ACCEPTED:
        yield "it does not say that the certificate was accepted"
    if (_member(predicate, "nonce") or "") != files.nonce:
        yield "it was made for another occasion (another nonce)"


def _predicate(files: AttestedFiles) -> dict[str, Any]:
    nonce = {"nonce": files.nonce} if files.nonce else {}
    return {
        "certificate": {"sha256": _digest(files.certificate)},
        "statement": _statement_of(files.certificate),
        **nonce,
    }


def _statement_of(certificate: bytes) -> object:
    """What a certificate states; None where the file is none, as its verdict says."""
    try:
        return _member(json.loads(certificate), "statement")
    except (ValueError, RecursionError):
        return None


def _member(value: object, key: str) -> Any:  # noqa: ANN401 (a JSON value)
    return value.get(key) if isinstance(value, Mapping) else None


def _shown(value: object) -> str:
    return "nothing" if value is None else shorten(value)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
