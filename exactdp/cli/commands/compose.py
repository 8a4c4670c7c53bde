r"""``exactdp compose``: the least ε for a δ, with its certificates.

Rules of this file: it renders what the library answered and computes nothing; a certificate
leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gmpy2 import mpq

from exactdp.answers.proving import Proofs
from exactdp.answers.results import Composition
from exactdp.arithmetic.decimal_text import (
    enclose_in_decimals,
)
from exactdp.certificate.statement import Certificate
from exactdp.cli.composition_options import (
    Request,
    receive_request,
)
from exactdp.cli.files import write_together
from exactdp.cli.ledger_proofs import NONE, certificate_files, compose_within, proofs_within
from exactdp.cli.many import ManyCommand
from exactdp.cli.options import command
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, heading, picture_fact, picture_lines
from exactdp.pages.facts import listed
from exactdp.pages.facts.composition import (
    claim_lines,
    composition_facts,
    composition_opening,
    explanation_facts,
)
from exactdp.pages.left_out import left_out
from exactdp.pages.standing import Opening
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import stop_after

if TYPE_CHECKING:
    from exactdp.claims.claims import Judgement
    from exactdp.ledger.model import Ledger
    from exactdp.pages.facts.interleaving import Interleaved

_DIGITS_OF_DELTA = 20
_PLACES = 10


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
    ledger = request.ledger
    stem = request.stem if request.group == 1 else None
    check_places([request.source], certificates=certificates, stem=stem, plot=plot, report=report)
    if request.group > 1:
        from exactdp.cli.group_privacy import compose_for_group  # noqa: PLC0415 (few ask for groups)

        request.refuse_beside_group(
            method=request.method,
            time_limit=time_limit,
            explain=explain,
            plot=plot,
            report=report,
        )
        return compose_for_group(
            request, delta=delta, tolerance=tolerance, certificates=certificates
        )
    clock = request.clock_of(time_limit)
    proved = certificates is not None or report is not None
    with working("composing", as_json=request.as_json), stop_after(clock.left):
        begin = time.perf_counter_ns()
        found = compose_within(
            ledger,
            clock,
            proved=proved,
            delta=delta,
            tolerance=tolerance,
            method=request.method,
            max_cost=request.max_cost,
        )
        nanoseconds = time.perf_counter_ns() - begin
        judgements = _judgements(ledger, request.max_cost)
        interleaved = _interleaved(request, found)
        opening = composition_opening(found, judgements, interleaved)
        proofs = proofs_within(found, interleaved, clock) if proved else NONE
        files = {}
        if certificates is not None:
            files = certificate_files(proofs, certificates, request.stem)
        written = [str(path) for path in files]
        if plot is not None:
            files[plot] = _picture(found, judgements, plot.suffix, request.max_cost)
        if report is not None:
            files |= _page(report, request, found, proofs, clock, opening)
    write_together(files, "--certificates")
    claims = claim_lines(judgements)
    answer(
        "compose",
        [
            *composition_facts(found, judgements, interleaved),
            *(explanation_facts(found, nanoseconds) if explain else []),
            *listed("certificates", "certificates", written),
            *left_out(proofs),
            *picture_fact(plot),
        ],
        *opening.sentences,
        "",
        heading(ledger),
        as_json=request.as_json,
        below=[*(["", *claims] if claims else []), *picture_lines(plot)],
    )
    return 0


def _picture(
    answer: Composition, judgements: Sequence[Judgement], suffix: str, max_cost: int
) -> bytes:
    """The profile, with the answer and the claims in it."""
    from exactdp.cli.answer_pictures import ProfileMark, band_picture, look_of  # noqa: PLC0415 (few ask)
    from exactdp.pages.profile_band import profile_band  # noqa: PLC0415 (as above)

    marks = []
    if answer.upper_end is not None:
        marks.append(ProfileMark("the answer", answer.upper_end, answer.delta, "answer"))
    claimed = [(each, each.claim.epsilon) for each in judgements if each.claim.epsilon is not None]
    for judgement, epsilon in claimed:
        upper = enclose_in_decimals(epsilon, _PLACES)[1]
        name = f"claim: {judgement.outcome_text}"
        look = look_of(judgement.outcome)
        marks.append(ProfileMark(name, upper, judgement.claim.delta or mpq(0), look))
    band = profile_band(
        answer.ledger, answer.upper_end or mpq(0), [each for _, each in claimed], max_cost=max_cost
    )
    return band_picture(band, marks, heading(answer.ledger), suffix)


def _page(
    report: Path,
    request: Request,
    answer: Composition,
    proofs: Proofs[Certificate],
    clock: Clock,
    head: Opening,
) -> dict[Path, bytes]:
    from exactdp.pages.findings import find  # noqa: PLC0415 (few ask for a page)
    from exactdp.pages.page import name_of, report_file  # noqa: PLC0415 (as above)

    found = find(
        name_of(request.source),
        answer.ledger,
        delta=answer.delta,
        max_cost=request.max_cost,
        known=answer,
        proofs=proofs,
        clock=clock,
    )
    return report_file(report, [found], head)


def _judgements(ledger: Ledger, max_cost: int) -> list[Judgement]:
    if not ledger.claims:
        return []
    from exactdp.claims.claims import judge  # noqa: PLC0415 (only a ledger with claims needs it)

    return [judge(ledger, claim, max_cost=max_cost) for claim in ledger.claims]


def _interleaved(request: Request, answer: Composition) -> Interleaved | None:
    if request.ledger.interaction != "concurrent":
        return None
    from exactdp.pages.facts.interleaving import interleaving_of  # noqa: PLC0415 (as above)

    return interleaving_of(request.ledger, request.theorem, answer.delta, answer.method)
