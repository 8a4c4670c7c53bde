r"""``exactdp certify``: prove or refute a claim.

Rules of this file: the certificate is verified before it is written, and written last; a ledger is
never written over. What was computed without a certificate is neither "proved" nor "refuted".
"""

from __future__ import annotations

from pathlib import Path

from exactdp.cli.composition_options import Request, receive_request
from exactdp.cli.deciding import decided_claim, shown_claim
from exactdp.cli.files import check_certificate, keep_ledger
from exactdp.cli.many import ManyCommand
from exactdp.cli.options import command
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import REFUTED, answer
from exactdp.errors import InputError
from exactdp.pages.accepted import verified
from exactdp.pages.facts.certified import (
    MEMBERS,
    StatedClaim,
    certified_facts,
    certified_sentence,
)
from exactdp.pages.phrases import heading


@command("certify", cls=ManyCommand, output_file="output")
@receive_request
def certify_command(  # noqa: PLR0913 (one argument for each option)
    request: Request,
    *,
    epsilon: str,
    delta: str,
    places: int | None,
    output: Path | None,
    certificates: Path | None,
    plot: Path | None,
    report: Path | None,
) -> int:
    """Prove or refute a claim (ε, δ); exit code 0 if proved, 1 if refuted."""
    if output is not None:
        keep_ledger(request.source, output, "--output")
        check_certificate(output, "--output")
    check_places([request.source], certificates=certificates, plot=plot, report=report)
    place = _place(request, output, certificates)
    claim = StatedClaim(epsilon, delta, places)
    with working("deciding"):
        decided, margin = decided_claim(request, claim, plot=plot, report=report)
        data = None if decided.proof is None else verified(decided.proof)
        files = {} if place is None or data is None else {place: data}
        known = certified_facts(request.ledger, decided, claim, *files, margin=margin)
        if plot is not None or report is not None:
            files |= shown_claim(request, decided, claim, known, plot=plot, report=report)
    return answer(
        known,
        certified_sentence(decided, claim),
        "",
        heading(request.ledger),
        files=files,
        field="--output" if certificates is None else "--certificates",
        members=MEMBERS,
        plot=plot,
        code=0 if decided.holds else REFUTED,
    )


def _place(request: Request, output: Path | None, certificates: Path | None) -> Path | None:
    """Where the certificate goes, by the one option of two that says so.

    Raises:
        InputError: both do.
    """
    if certificates is None:
        return output
    if output is not None:
        raise InputError(
            field="--certificates",
            value=f"{certificates}, beside --output {output}",
            expected="one of the two, as there is one certificate",
        )
    found = certificates / f"{request.stem}.claim.json"
    if certificates.is_dir():
        check_certificate(found, "--certificates")
    return found
