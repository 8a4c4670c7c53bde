r"""``exactdp compose``: the least ε for a δ, with its certificates.

Rules of this file: it renders what the library answered and computes nothing; a certificate
leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

import time
from pathlib import Path

from exactdp.cli.composition_options import Request, receive_request
from exactdp.cli.ledger_proofs import (
    NONE,
    compose_within,
    interleaved_of,
    judgements_of,
    proofs_within,
)
from exactdp.cli.many import ManyCommand
from exactdp.cli.options import command
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer
from exactdp.pages.accepted import certificate_files
from exactdp.pages.facts import listed
from exactdp.pages.facts.composition import (
    MEMBERS,
    claim_lines,
    composition_facts,
    composition_opening,
    explanation_facts,
)
from exactdp.pages.left_out import left_out
from exactdp.pages.phrases import heading
from exactdp.timing.deadlines import stop_after


@command("compose", cls=ManyCommand)
@receive_request
def compose_command(  # noqa: PLR0913 (one argument for each option)
    request: Request,
    *,
    delta: str | None,
    tolerance: str | None,
    certificates: Path | None,
    plot: Path | None,
    time_limit: int | None,
    explain: bool,
    report: Path | None,
) -> int:
    """The least ε for a δ, as an interval that provably contains it."""
    ledger, asked = request.ledger, {"delta": delta, "tolerance": tolerance}
    stem = request.stem if request.group == 1 else None
    check_places([request.source], certificates=certificates, stem=stem, plot=plot, report=report)
    if request.group > 1:
        from exactdp.cli.group_privacy import compose_for_group  # noqa: PLC0415 (few ask for groups)

        beside = {"method": request.method, "time_limit": time_limit, "explain": explain}
        request.refuse_beside_group(**beside, plot=plot, report=report)
        return compose_for_group(request, **asked, certificates=certificates)
    clock = request.clock_of(time_limit)
    proved = certificates is not None or report is not None
    with working("composing"), stop_after(clock.left):
        begin = time.perf_counter_ns()
        asked |= {"method": request.method}
        found = compose_within(ledger, clock, proved=proved, **asked, max_cost=request.max_cost)
        nanoseconds = time.perf_counter_ns() - begin
        judgements = judgements_of(ledger, request.max_cost)
        interleaved = interleaved_of(request, found)
        opening = composition_opening(found, judgements, interleaved)
        proofs = proofs_within(found, interleaved, clock) if proved else NONE
        files: dict[Path, bytes] = {}
        if certificates is not None:
            files = certificate_files(certificates, request.stem, proofs.made)
        written = [*files]
        if plot is not None:
            from exactdp.cli.answer_pictures import composition_picture  # noqa: PLC0415 (few ask)

            files[plot] = composition_picture(found, judgements, plot.suffix, request.max_cost)
        if report is not None:
            from exactdp.pages.ledger_pages import composition_page  # noqa: PLC0415 (few ask)

            source, most = request.source, request.max_cost
            files[report] = composition_page(source, found, proofs, most, clock, opening)
    claims = claim_lines(judgements)
    known = [
        *composition_facts(found, judgements, interleaved),
        *(explanation_facts(found, nanoseconds) if explain else []),
        *listed("certificates", "certificates", written),
        *left_out(proofs),
    ]
    head = *opening.sentences, "", heading(ledger)
    below = ["", *claims] if claims else []
    return answer(known, *head, below=below, files=files, members=MEMBERS, plot=plot)
