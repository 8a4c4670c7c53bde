r"""``exactdp bounds``: the field's closed forms beside the optimum.

Rules of this file: it renders what the library answered; a bound is printed rounded up, and how far
it lies above the optimum too; a certificate leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

from pathlib import Path

from gmpy2 import mpq

from exactdp.answers.arguments import width_for
from exactdp.arithmetic.decimal_text import (
    places_within,
)
from exactdp.cli.bound_certificates import Scope, bound_certificates, scaled_for
from exactdp.cli.composition_options import (
    Request,
    receive_request,
)
from exactdp.cli.files import write_together
from exactdp.cli.options import command
from exactdp.cli.places import check_new, check_places
from exactdp.cli.plotting import picture, point_rows
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, heading, points, table_below
from exactdp.cli.tables import Cell
from exactdp.closed_forms.bounds import Bounds, bounds
from exactdp.closed_forms.curves import Panel, panels
from exactdp.closed_forms.notion_curves import notion_panels
from exactdp.errors import InputError
from exactdp.ledger.model import Ledger
from exactdp.pages.facts import fact, listed
from exactdp.pages.facts.bounds import (
    bound_facts,
    bounds_csv,
    bounds_facts,
    bounds_sentence,
    optimum_facts,
    theorem_facts,
)
from exactdp.pages.facts.interleaving import one_theorem
from exactdp.pages.number_text import rational_text


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
    whole, group, max_cost = request.ledger, request.group, request.max_cost
    named = one_theorem(whole, request.theorem)
    ledger = whole if group == 1 else scaled_for(whole, group)
    _check(request.source, certificates, table, plot)
    with working("composing", as_json=request.as_json):
        found = bounds(
            ledger, delta=delta, tolerance=tolerance, method=request.method, max_cost=max_cost
        )
        curves = () if plot is None else _curves(ledger, found.delta, max_cost)
        files: dict[Path, bytes] = {}
        if certificates is not None:
            files = bound_certificates(
                found, Scope(whole, group, named), certificates, request.stem
            )
        if table is not None:
            files[table] = bounds_csv(found, point_rows(curves)).encode()
        if plot is not None:
            files[plot] = picture(curves, _title(found), plot.suffix)
    write_together(files, "--certificates")
    places = places_within(width_for(ledger, tolerance)) + 1
    rows = [bound_facts(row, places) for row in found.rows]
    written = listed("files", "written", [*files])
    below: list[Cell] = [
        "",
        points([optimum_facts(found), *rows]),
        "",
        points(theorem_facts(found)),
    ]
    answer(
        "bounds",
        [*bounds_facts(found, rows, group, named), *(fact(e.key, e.value) for e in written)],
        bounds_sentence(found, places, group),
        "",
        heading(ledger),
        as_json=request.as_json,
        below=[*below, *table_below(written)],
    )
    return 0


def _curves(ledger: Ledger, delta: mpq, max_cost: int) -> tuple[Panel, ...]:
    draw = panels if ledger.is_approximate else notion_panels
    return draw(ledger, delta, max_cost=max_cost)


def _check(
    source: str | None, certificates: Path | None, table: Path | None, plot: Path | None
) -> None:
    """Refuse early what could not be written, or would be written over something else."""
    check_places([source], certificates=certificates, plot=plot)
    if table is not None:
        check_new([source], table, "--csv")
        if plot == table:
            raise InputError(field="--plot", value=str(plot), expected="a file other than --csv")


def _title(answer: Bounds) -> str:
    return f"{heading(answer.ledger)}, at δ = {rational_text(answer.delta)}"
