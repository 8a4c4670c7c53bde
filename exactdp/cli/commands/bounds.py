r"""``exactdp bounds``: the field's closed forms beside the optimum.

Rules of this file: it renders what the library answered; a bound is printed rounded up, and how far
it lies above the optimum too; a certificate leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from exactdp.arithmetic.decimal_text import places_within
from exactdp.cli.composition_options import Request, receive_request
from exactdp.cli.options import command
from exactdp.cli.places import check_places
from exactdp.cli.plotting import picture, point_rows
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, tables
from exactdp.composition.answers.arguments import width_for
from exactdp.composition.closed_forms.bounds import Bounds, bounds
from exactdp.composition.closed_forms.curves import panels
from exactdp.composition.closed_forms.proofs import RowProof
from exactdp.group_privacy.noise import certificate_for, mechanisms_for
from exactdp.pages.accepted import certificate_files, certificates_of
from exactdp.pages.facts import listed
from exactdp.pages.facts.bounds import (
    MEMBERS,
    bound_facts,
    bounds_csv,
    bounds_facts,
    bounds_sentence,
    optimum_facts,
    theorem_facts,
    unproved_lines,
)
from exactdp.pages.facts.interleaving import one_theorem
from exactdp.pages.number_text import rational_text
from exactdp.pages.phrases import heading


@command("bounds")
@receive_request
def bounds_command(
    request: Request,
    *,
    delta: str | None,
    tolerance: str | None,
    certificates: Path | None,
    table: Path | None,
    plot: Path | None,
) -> int:
    """What basic and advanced composition and their successors give, and how loose that is.

    Every bound holds by its own theorem; the optimum is what is true. Ledgers in ρ or μ are
    converted by each formula; noise is read as the ε, ρ or μ that it implies.
    """
    group, max_cost = request.group, request.max_cost
    named = one_theorem(request.ledger, request.theorem)
    ledger = request.ledger if group == 1 else mechanisms_for(request.ledger, group)
    check_places([request.source], certificates=certificates, table=table, plot=plot)
    with working("composing"):
        asked = {"delta": delta, "tolerance": tolerance, "method": request.method}
        found = bounds(ledger, **asked, max_cost=max_cost)
        found = found if group == 1 else found.from_above
        curves = () if plot is None else panels(ledger, found.delta, max_cost=max_cost)
        files: dict[Path, bytes] = {}
        proofs: dict[str, RowProof] = {}
        if certificates is not None:
            proofs = {row.formula: row.proof() for row in found.rows}
            files = _certificates(found, proofs, request, named, certificates)
        if table is not None:
            files[table] = bounds_csv(found, point_rows(curves)).encode()
        if plot is not None:
            title = f"{heading(ledger)}, at δ = {rational_text(found.delta)}"
            files[plot] = picture(curves, title, plot.suffix)
    places = places_within(width_for(ledger, tolerance)) + 1
    rows = [bound_facts(row, places, proofs.get(row.formula)) for row in found.rows]
    unproved = unproved_lines(found, proofs)
    written = listed("files", "written", [*files])
    return answer(
        [*bounds_facts(found, rows, group, named), *(each.for_programs for each in written)],
        bounds_sentence(found, places, group),
        "",
        heading(ledger),
        below=[
            *tables([optimum_facts(found), *rows], theorem_facts(found)),
            *(["", *unproved] if unproved else []),
            *tables(written),
        ],
        files=files,
        members=MEMBERS,
    )


def _certificates(
    found: Bounds,
    proved: Mapping[str, RowProof],
    request: Request,
    theorem: str | None,
    directory: Path,
) -> dict[Path, bytes]:
    """The certificates of the bounds, about the ledger as it is, which a group may scale."""
    made = {name: each.certificate for name, each in proved.items()}
    if found.optimum is not None:
        ends = certificates_of(found.optimum)
        made |= {f"optimum.{bound}": each for bound, each in ends.items()}
    proofs = {name: each for name, each in made.items() if each is not None}
    if request.group > 1:
        for name, each in proofs.items():
            proofs[name] = certificate_for(request.ledger, each, request.group)
    if theorem is not None:
        proofs = {name: each.naming(theorem) for name, each in proofs.items()}
    return certificate_files(directory, request.stem, proofs)
