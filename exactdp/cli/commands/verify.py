r"""``exactdp verify``: check certificates with the standalone verifier."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final, NoReturn

from exactdp.cli.files import torn_pairs
from exactdp.cli.many import ManyCommand
from exactdp.cli.options import command
from exactdp.cli.output import say
from exactdp.cli.rendering import answer
from exactdp.cli.verification import (
    VerificationRequest,
    bytes_of,
    check_options_of_attestation,
    question_of,
    reason_of,
    together_of,
    verdicts_sentence,
)
from exactdp.errors import InputError, shorten
from exactdp.pages.facts import fact
from exactdp.verifier import Verdict
from exactdp.verifier.verdicts import MALFORMED, NOT_A_CERTIFICATE, failure

_BESIDE: Final = (".ledger.json", ".workload.json")
"""How the names of files end that ``parallel`` and ``hunt`` write beside their certificates."""


@command("verify", cls=ManyCommand, takes_several=True, reads_ledgers=False)
def verify_command(  # noqa: PLR0913 (one argument for each option)
    files: tuple[str, ...],
    *,
    ledger: str | None,
    inline: tuple[str, ...],
    claim: str | None,
    together: bool,
    attestation: str | None,
    public_key: str | None,
    nonce: str,
    max_cost: int,
) -> int:
    """Check certificates with the standalone verifier; one verdict line for each FILE."""
    question = question_of(
        files=files, ledger=ledger, inline=inline, claim=claim, max_cost=max_cost
    )
    check_options_of_attestation(files, ledger, attestation, public_key, nonce)
    found = None
    if attestation is not None:
        from exactdp.cli.attestations import check_attestation  # noqa: PLC0415 (few ask)

        found = check_attestation(attestation, files[0], str(ledger), str(public_key), nonce)
    for sentence in torn_pairs(files):
        say(sentence)
    verdicts = [(", ".join(files), together_of(files, question))] if together else None
    verdicts = verdicts or _verdicts(files, question)
    results = [{**_named(name), **asdict(verdict)} for name, verdict in verdicts]
    lines = [(f"{shorten(name)}: " if len(files) > 1 else "") + v.line for name, v in verdicts]
    signed = [] if found is None else [fact("attestation", asdict(found))]
    worst = max(verdict.exit_code for _, verdict in verdicts)
    return answer(
        [fact("files", results), *signed],
        verdicts_sentence([each for _, each in verdicts], found, together=together),
        *lines,
        *([] if found is None else [found.line]),
        code=worst or (0 if found is None else found.exit_code),
    )


def _verdicts(files: Sequence[str], question: VerificationRequest) -> list[tuple[str, Verdict]]:
    """One for each file, but for what lies beside certificates."""
    verdicts: list[tuple[str, Verdict]] = []
    beside: list[str] = []
    for name in files:
        try:
            verdict = question.ask(bytes_of(name))
        except (OSError, ValueError) as error:
            verdict = failure(MALFORMED, f"cannot read {shorten(name)}: {reason_of(error)}", 2)
        if _is_beside_certificates(name, verdict) and len(files) > 1:
            beside.append(name)
            continue
        verdicts.append((name, verdict))
    if not verdicts:
        return _nothing_to_verify(beside)
    if beside:
        say(f"not verified, as they are what certificates are about: {', '.join(beside)}")
    return verdicts


def _is_beside_certificates(name: str, verdict: Verdict) -> bool:
    """Whether it is a ledger or workload that exactdp writes into a folder of certificates."""
    return name.endswith(_BESIDE) and verdict.reason.endswith(NOT_A_CERTIFICATE)


def _nothing_to_verify(files: Sequence[str]) -> NoReturn:
    raise InputError(
        field="FILE…",
        value=", ".join(files),
        expected="a certificate among them",
        remedy="a ledger or workload is named with --ledger",
    )


def _named(name: str) -> dict[str, str]:
    """A file's name, and its bytes in hexadecimal where these are not UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return {"file": name, "file_bytes": os.fsencode(name).hex()}
    return {"file": name}
