"""``exactdp attest`` and ``exactdp verify --attestation``."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.attestation.signing import OTHER_PUBLIC, PRIVATE, PUBLIC
from tests.cli.running import exactdp

ATTEST = ("attest", "one.json", "--ledger", "one.csv", "--key", "key.pem", "-o", "signed.json")
VERIFY = ("verify", "one.json", "--ledger", "one.csv")
CHECK = (*VERIFY, "--attestation", "signed.json", "--public-key")


@pytest.fixture(autouse=True)
def signed(place: Path) -> None:
    """A ledger, its certificate, keys, and an envelope."""
    (place / "one.csv").write_text("epsilon\n1\n")
    (place / "key.pem").write_bytes(PRIVATE)
    (place / "key.pub").write_bytes(PUBLIC)
    (place / "other.pub").write_bytes(OTHER_PUBLIC)
    exactdp("certify", "one.csv", "--epsilon", "1", "--delta", "0", "-o", "one.json")
    assert exactdp(*ATTEST).code == 0


def test_an_envelope_is_checked_beside_its_certificate() -> None:
    answer = exactdp(*CHECK, "key.pub")
    assert answer.code == 0
    assert [line.split()[0] for line in answer.details] == ["ACCEPTED", "ATTESTED"]
    assert answer.details[1].endswith("who asked this verifier")


def test_another_key_is_not_attested() -> None:
    answer = exactdp(*CHECK, "other.pub")
    assert (answer.code, answer.details[1]) == (
        1,
        "NOT ATTESTED  reason: this key has not signed it",
    )


def test_another_ledger_is_neither_accepted_nor_attested(place: Path) -> None:
    (place / "one.csv").write_text("epsilon\n1.5\n")
    answer = exactdp(*CHECK, "key.pub")
    assert answer.code == 1
    assert answer.details[1] == "NOT ATTESTED  reason: it is about another ledger"


def test_the_same_ledger_in_other_bytes_is_another_subject(place: Path) -> None:
    (place / "one.csv").write_text("epsilon\n1.0\n")
    answer = exactdp(*CHECK, "key.pub", "--json")
    assert (answer.code, answer.result["files"][0]["status"]) == (1, "accepted")
    assert answer.result["attestation"]["reasons"] == ["it is about another ledger"]


def test_a_nonce_shows_for_whom_it_was_made() -> None:
    assert exactdp(*CHECK, "key.pub", "--nonce", "for Ann").code == 1
    assert exactdp(*ATTEST, "--nonce", "for Ann", "--force").code == 0
    assert exactdp(*CHECK, "key.pub", "--nonce", "for Ann").code == 0
    assert exactdp(*CHECK, "key.pub").code == 1


def test_a_certificate_that_is_rejected_is_not_signed(place: Path) -> None:
    (place / "one.csv").write_text("epsilon\n2\n")
    (place / "signed.json").unlink()
    answer = exactdp(*ATTEST)
    assert (answer.code, answer.details[0].split()[0]) == (1, "REJECTED")
    assert not (place / "signed.json").exists()


def test_an_attestation_of_another_verifier_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    other = {"version": "another", "sha256": "0" * 64}
    monkeypatch.setattr("exactdp.attestation.statement.verifier_named", lambda: other)
    assert exactdp(*ATTEST, "--force").code == 0
    answer = exactdp(*CHECK, "key.pub")
    assert (answer.code, "another verifier (0000" in answer.details[1]) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ((*VERIFY, "--attestation", "signed.json"), "--public-key"),
        (("verify", "one.json", "--attestation", "x", "--public-key", "x"), "--ledger"),
        ((*VERIFY, "--public-key", "key.pub"), "--public-key"),
        ((*VERIFY, "--nonce", "x"), "--nonce"),
        ((*VERIFY, "one.json", "--attestation", "signed.json", "--public-key", "key.pub"), "--att"),
        ((*VERIFY, "--attestation", "-", "--public-key", "key.pub"), "--attestation"),
        ((*VERIFY, "--attestation", "missing", "--public-key", "key.pub"), "--attestation"),
        ((*CHECK, "missing"), "--public-key"),
        ((*CHECK, "one.csv"), "--public-key"),
    ],
)
def test_what_cannot_be_checked_is_bad_input(arguments: tuple[str, ...], field: str) -> None:
    answer = exactdp(*arguments, "--json")
    assert (answer.code, answer.error["field"].startswith(field)) == (2, True)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_a_key_of_openssl_signs(place: Path) -> None:
    for command in (
        "openssl genpkey -algorithm ed25519 -out key.pem",
        "openssl pkey -in key.pem -pubout -out key.pub",
    ):
        subprocess.run(command.split(), check=True, cwd=place)
    assert exactdp(*ATTEST, "--force").code == 0
    assert exactdp(*CHECK, "key.pub").code == 0
