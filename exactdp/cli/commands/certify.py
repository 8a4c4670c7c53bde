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
def certify_command(
    request: Request,
    *,
    epsilon: str,
    delta: str,
    places: int | None,
    output: Path | None,
    plot: Path | None,
    report: Path | None,
) -> int:
    """Prove or refute a claim (ε, δ); exit code 0 if proved, 1 if refuted."""
    if output is not None:
        keep_ledger(request.source, output, "--output")
        check_certificate(output, "--output")
    check_places([request.source], plot=plot, report=report)
    claim = StatedClaim(epsilon, delta, places)
    with working("deciding"):
        decided, margin = decided_claim(request, claim, plot=plot, report=report)
        data = None if decided.proof is None else verified(decided.proof)
        files = {} if output is None or data is None else {output: data}
        known = certified_facts(request.ledger, decided, claim, *files, margin=margin)
        if plot is not None or report is not None:
            files |= shown_claim(request, decided, claim, known, plot=plot, report=report)
    return answer(
        known,
        certified_sentence(decided, claim),
        "",
        heading(request.ledger),
        files=files,
        field="--output",
        members=MEMBERS,
        plot=plot,
        code=0 if decided.holds else REFUTED,
    )
