"""Attestations: what was signed is about these files and no others, and who signed is checked."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest
import rfc8785

import exactdp
from exactdp.attestation.envelope import NotAttestedError, opened, sealed
from exactdp.attestation.libraries import canonical_json
from exactdp.attestation.statement import (
    AttestedFiles,
    attested_verifier,
    differences,
    statement_bytes,
    verifier_named,
)
from exactdp.errors import InputError
from tests.attestation.signing import (
    CURVE_PRIVATE,
    CURVE_PUBLIC,
    ENCRYPTED,
    OTHER_PRIVATE,
    OTHER_PUBLIC,
    PRIVATE,
    PUBLIC,
    sealed_as,
)
from tests.marking import each_case

LEDGER: Final = b"epsilon\n1\n"
CERTIFICATE: Final = exactdp.certify(["1"], epsilon="1", delta="0").certificate.to_bytes()
REFUTATION: Final = exactdp.certify(["1"], epsilon="1/2", delta="0").certificate.to_bytes()
FILES: Final = AttestedFiles(LEDGER, "one.csv", CERTIFICATE)
STATEMENT: Final = statement_bytes(FILES, FILES.verdict())
ENVELOPE: Final = sealed(STATEMENT, PRIVATE)[0]


def edited(change: Callable[[dict[str, Any]], object]) -> bytes:
    """The statement with a change."""
    document = json.loads(STATEMENT)
    change(document)
    return rfc8785.dumps(document)


def test_what_was_signed_is_opened_by_the_key_that_signed() -> None:
    payload, key = opened(ENVELOPE, PUBLIC)
    assert (payload, key) == (STATEMENT, sealed(STATEMENT, PRIVATE)[1])
    assert differences(payload, FILES) == []
    assert attested_verifier(payload) == verifier_named()["sha256"]


def test_a_statement_is_canonical_and_in_toto() -> None:
    document = json.loads(STATEMENT)
    assert rfc8785.dumps(document) == STATEMENT
    assert document["_type"] == "https://in-toto.io/Statement/v1"
    assert document["predicate"]["verdict"]["status"] == "accepted"
    assert document["predicate"]["statement"] == json.loads(CERTIFICATE)["statement"]


def test_the_same_files_and_key_give_the_same_envelope() -> None:
    assert sealed(STATEMENT, PRIVATE)[0] == ENVELOPE


def test_nothing_is_attested_that_is_not_accepted() -> None:
    wrong = replace(FILES, ledger=b"epsilon\n2\n")
    with pytest.raises(InputError, match="REJECTED"):
        statement_bytes(wrong, wrong.verdict())


def test_another_key_has_not_signed() -> None:
    with pytest.raises(NotAttestedError, match="has not signed"):
        opened(ENVELOPE, OTHER_PUBLIC)
    with pytest.raises(NotAttestedError, match="has not signed"):
        opened(sealed(STATEMENT, OTHER_PRIVATE)[0], PUBLIC)


def test_an_edited_payload_is_not_what_was_signed() -> None:
    document = json.loads(ENVELOPE)
    payload = base64.b64decode(document["payload"]).replace(b"accepted", b"ACCEPTED")
    document["payload"] = base64.b64encode(payload).decode()
    with pytest.raises(NotAttestedError, match="has not signed"):
        opened(json.dumps(document).encode(), PUBLIC)


def test_a_payload_signed_as_another_type_is_refused() -> None:
    with pytest.raises(NotAttestedError, match="another type"):
        opened(sealed_as(STATEMENT, "text/plain"), PUBLIC)
    document = json.loads(sealed_as(STATEMENT, "text/plain"))
    document["payloadType"] = "application/vnd.in-toto+json"
    with pytest.raises(NotAttestedError, match="has not signed"):
        opened(json.dumps(document).encode(), PUBLIC)


def test_the_name_of_a_key_is_a_hint_that_is_not_looked_at() -> None:
    document = json.loads(ENVELOPE)
    other = json.loads(sealed(STATEMENT, OTHER_PRIVATE)[0])["signatures"][0]
    named_alike = [{**other, "keyid": "x"}, {**document["signatures"][0], "keyid": "x"}]
    document["signatures"] = named_alike
    assert opened(json.dumps(document).encode(), PUBLIC)[0] == STATEMENT


def test_an_envelope_without_signatures_is_not_attested() -> None:
    document = json.loads(ENVELOPE) | {"signatures": []}
    with pytest.raises(NotAttestedError, match="has not signed"):
        opened(json.dumps(document).encode(), PUBLIC)


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (replace(FILES, ledger=LEDGER + b"\n"), "another ledger"),
        (replace(FILES, certificate=REFUTATION), "another certificate"),
        (replace(FILES, certificate=b"{"), "another certificate"),
        (replace(FILES, nonce="today"), "another occasion"),
    ],
)
def test_a_replayed_envelope_is_about_something_else(files: AttestedFiles, reason: str) -> None:
    assert any(reason in each for each in differences(STATEMENT, files))


def test_a_nonce_is_asked_for_and_found() -> None:
    files = replace(FILES, nonce="today")
    statement = statement_bytes(files, files.verdict())
    assert differences(statement, files) == []
    assert differences(statement, FILES) == ["it was made for another occasion (another nonce)"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda d: d.update(_type="https://in-toto.io/Statement/v0.1"), "no in-toto statement v1"),
        (lambda d: d.pop("_type"), "no in-toto statement v1"),
        (lambda d: d.update(predicateType="https://slsa.dev/provenance/v1"), "another type"),
        (lambda d: d.update(subject=[]), "another ledger"),
        (lambda d: d.update(subject=d["subject"] * 2), "another ledger"),
        (lambda d: d["subject"][0].update(digest={}), "another ledger"),
        (lambda d: d["predicate"]["certificate"].update(sha256="0"), "another certificate"),
        (lambda d: d["predicate"]["statement"].update(epsilon="0"), "not what the certificate"),
        (lambda d: d["predicate"]["verdict"].update(status="rejected"), "does not say"),
        (lambda d: d["predicate"].update(nonce="x"), "another nonce"),
        (lambda d: d.update(predicate=None), "another certificate"),
    ],
)
def test_every_member_of_a_statement_is_compared(
    change: Callable[[dict[str, Any]], object], reason: str
) -> None:
    assert any(reason in each for each in differences(edited(change), FILES))


@pytest.mark.parametrize("payload", [b"", b"[]", b"3", b'{"_type":1,"_type":2}', b"\xff"])
def test_a_payload_that_is_no_statement_is_about_nothing(payload: bytes) -> None:
    assert len(differences(payload, FILES)) == 1


@each_case(
    "envelope",
    [
        *(b"", b"[]", b"3", b"{}", b"\xff", b'{"payload":1}', b"[" * 100_000),
        b'{"payload":"","payloadType":1,"signatures":[]}',
        b'{"payload":"!","payloadType":"x","signatures":[]}',
        b'{"payload":"","payloadType":"x","signatures":[{}]}',
        b'{"payload":"","payloadType":"x","signatures":[{"sig":"!"}]}',
        b'{"payload":"","payloadType":"x","signatures":3}',
        json.dumps({"payload": "", "payloadType": "x", "signatures": [{"sig": ""}] * 17}).encode(),
    ],
)
def test_what_is_no_envelope_is_bad_input(envelope: bytes) -> None:
    with pytest.raises(InputError, match="DSSE envelope"):
        opened(envelope, PUBLIC)


@pytest.mark.parametrize("key", [b"", b"x", PUBLIC, ENCRYPTED, CURVE_PRIVATE])
def test_a_private_key_of_another_kind_is_refused(key: bytes) -> None:
    with pytest.raises(InputError, match="Ed25519 private key"):
        sealed(STATEMENT, key)


@pytest.mark.parametrize("key", [b"", b"x", PRIVATE, CURVE_PUBLIC])
def test_a_public_key_of_another_kind_is_refused(key: bytes) -> None:
    with pytest.raises(InputError, match="Ed25519 public key"):
        opened(ENVELOPE, key)


@pytest.mark.parametrize("library", ["securesystemslib.dsse", "cryptography", "securesystemslib"])
def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    for name in list(sys.modules):
        if name.startswith(library):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(InputError, match=r"exactdp\[attest\]"):
        sealed(STATEMENT, PRIVATE)


def test_without_canonical_json_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rfc8785", None)
    with pytest.raises(InputError, match=r"exactdp\[attest\]"):
        canonical_json({})


def test_texts_that_are_not_unicode_are_refused() -> None:
    with pytest.raises(InputError, match="Unicode"):
        canonical_json({"name": "\ud800"})
