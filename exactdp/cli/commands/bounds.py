r"""``exactdp bounds``: the field's closed forms beside the optimum.

Rules of this file: it renders what the library answered; a bound is printed rounded up, and how far
it lies above the optimum too; a certificate leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gmpy2 import mpq

from exactdp.answers.arguments import width_for
from exactdp.arithmetic.decimal_text import (
    decimal_text,
    enclose_in_decimals,
    places_within,
    scientific_above,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.rule_table import RULES
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.cli.composition_options import (
    Request,
    receive_request,
)
from exactdp.cli.files import check_directory, check_file, keep_ledger, write_together
from exactdp.cli.options import command
from exactdp.cli.output import print_json
from exactdp.cli.places import check_picture
from exactdp.cli.plotting import picture, point_rows
from exactdp.cli.progress import working
from exactdp.cli.rendering import columns, facts, heading, show
from exactdp.closed_forms.bounds import Bounds, bounds
from exactdp.closed_forms.curves import OPTIMAL, Panel, panels
from exactdp.closed_forms.notion_curves import notion_panels
from exactdp.closed_forms.rows import Bound
from exactdp.errors import InputError
from exactdp.group_privacy.steps import group_mechanisms_certificate, scale_to_group
from exactdp.ledger.model import Ledger
from exactdp.pages.accepted import verified
from exactdp.pages.facts.interleaving import one_theorem
from exactdp.pages.number_text import bounds_text, delta_of, grouped, rational_text
from exactdp.pages.phrases import (
    bound_beside,
    mechanisms_of,
    nothing_promised,
    promise_of,
    promised,
)

_COLUMNS = (
    "over",
    "x",
    "bound",
    "epsilon",
    "above_optimum_at_least",
    "above_optimum_at_most",
    "theorem",
    "assumes",
    "reason",
)
_CSV_PLACES = 20
_DIGITS_OF_EXCESS = 4
_OPTIMAL_THEOREM = "Murtagh, Vadhan 2018, Theorem 1.5"
_ASSUMES = "parameters fixed in advance"


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
    ledger = whole if group == 1 else _for_group(whole, group)
    _check_places(request.source, certificates, table, plot)
    with working("composing", as_json=request.as_json):
        answer = bounds(
            ledger, delta=delta, tolerance=tolerance, method=request.method, max_cost=max_cost
        )
        curves = () if plot is None else _curves(ledger, answer.delta, max_cost)
        files: dict[Path, bytes] = {}
        if certificates is not None:
            files = _certificates(answer, _Scope(whole, group, named), certificates, request.stem)
        if table is not None:
            files[table] = _csv(answer, curves).encode()
        if plot is not None:
            files[plot] = picture(curves, _title(answer), plot.suffix)
    write_together(files, "--certificates")
    written = [str(path) for path in files]
    places = places_within(width_for(ledger, tolerance)) + 1
    if request.as_json:
        print_json("bounds", _json(answer, written, places) | _scope_json(group, named))
    else:
        _show(answer, written, places, _scope_rows(group, named), group)
    return 0


def _curves(ledger: Ledger, delta: mpq, max_cost: int) -> tuple[Panel, ...]:
    draw = panels if ledger.is_approximate else notion_panels
    return draw(ledger, delta, max_cost=max_cost)


@dataclass(frozen=True, slots=True)
class _Scope:
    """What certificates are about: mechanisms, a group of how many, and by which theorem."""

    ledger: Ledger
    group: int
    theorem: str | None

    def certificate(self, certificate: Certificate) -> Certificate:
        """A certificate about the (scaled) mechanisms, as one about these."""
        if self.group > 1:
            subject = Subject.of(self.ledger)
            certificate = group_mechanisms_certificate(subject, certificate, self.group)
        return certificate if self.theorem is None else certificate.naming(self.theorem)


def _for_group(ledger: Ledger, group: int) -> Ledger:
    scaled = scale_to_group(ledger, group)
    if scaled is None:
        raise InputError(
            field="--group",
            value=str(group),
            expected="mechanisms whose δ stays below 1 for the group",
            remedy="compose --group knows another way",
        )
    return scaled


def _scope_json(group: int, theorem: str | None) -> dict[str, object]:
    scope: dict[str, object] = {} if group == 1 else {"group": str(group)}
    return scope if theorem is None else {**scope, "theorem": theorem}


def _scope_rows(group: int, theorem: str | None) -> list[tuple[str, str]]:
    rows = []
    if group > 1:
        rows.append(("for", f"groups of {grouped(group)}: every mechanism scaled for the group"))
    if theorem is not None:
        rows.append(("interleaved, by", theorem))
    return rows


def _check_places(
    source: str | None, certificates: Path | None, table: Path | None, plot: Path | None
) -> None:
    """Refuse early what could not be written, or would be written over something else."""
    if certificates is not None:
        check_directory(certificates, "--certificates")
    for field, file in (("--csv", table), ("--plot", plot)):
        if file is not None:
            keep_ledger(source, file, field)
            check_file(file, field)
    if plot is not None:
        check_picture(plot)
        if plot == table:
            raise InputError(field="--plot", value=str(plot), expected="a file other than --csv")


def _certificates(answer: Bounds, scope: _Scope, directory: Path, stem: str) -> dict[Path, bytes]:
    """Where the certificates of the bounds go, and their verified bytes."""
    made = {row.rule: row.certificate() for row in answer.rows}
    if not answer.ledger.is_approximate and answer.optimum is not None:
        made[f"best.{answer.optimum.method}"] = answer.optimum.upper_certificate()
    return {
        directory / f"{stem}.{rule}.json": verified(scope.certificate(certificate))
        for rule, certificate in made.items()
        if certificate is not None
    }


def _title(answer: Bounds) -> str:
    return f"{heading(answer.ledger)}, at δ = {rational_text(answer.delta)}"


# --- JSON and CSV -------------------------------------------------------------------------------


def _json(answer: Bounds, written: Sequence[str], places: int) -> dict[str, object]:
    """The result of ``bounds --json``."""
    result: dict[str, object] = {
        "delta": short_text(answer.delta),
        "mechanisms": answer.ledger.size,
        "optimum": _optimum_json(answer),
        "reason": answer.reason,
        "bounds": [_bound_json(row, places) for row in answer.rows],
    }
    if written:
        result["files"] = list(written)
    return result


def _optimum_json(answer: Bounds) -> dict[str, object] | None:
    optimum = answer.optimum
    if optimum is None:
        return None
    return {
        "lower": "inf" if optimum.lower_end is None else decimal_text(optimum.lower_end),
        "upper": "inf" if optimum.upper_end is None else decimal_text(optimum.upper_end),
        "exact": None if optimum.exact is None else shortest_text(optimum.exact),
        "evidence": optimum.evidence,
    }


def _bound_json(row: Bound, places: int) -> dict[str, object]:
    return {
        "bound": row.form.name,
        "rule": row.rule,
        "theorem": row.form.source,
        "assumes": row.form.assumes,
        "reason": row.reason,
        "epsilon": None if row.epsilon is None else decimal_text(_above(row.epsilon, places)),
        "certified": None if row.epsilon is None else shortest_text(row.epsilon),
        "above_optimum": None if row.excess is None else _excess_json(row.excess),
    }


def _excess_json(excess: tuple[mpq, mpq]) -> dict[str, str]:
    return {"lower": decimal_text(excess[0]), "upper": decimal_text(excess[1])}


def _csv(answer: Bounds, curves: Sequence[Panel]) -> str:
    """The table, and below it the points of the curves."""
    page = io.StringIO()
    writer = csv.DictWriter(page, _COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    if answer.optimum is not None and answer.optimum.upper_end is not None:
        writer.writerow(_csv_row("ledger", "", OPTIMAL, decimal_text(answer.optimum.upper_end)))
    for row in answer.rows:
        value = "" if row.epsilon is None else decimal_text(_above(row.epsilon, _CSV_PLACES))
        texts = {"theorem": row.form.source, "assumes": row.form.assumes, "reason": row.reason}
        for column, end in zip(_COLUMNS[4:6], row.excess or (), strict=False):
            texts[column] = decimal_text(end)
        writer.writerow(_csv_row("ledger", "", row.form.name, value) | texts)
    writer.writerows(_csv_row(*point) for point in point_rows(curves))
    return page.getvalue()


def _csv_row(over: str, x: str, bound: str, epsilon: str) -> dict[str, str]:
    return {"over": over, "x": x, "bound": bound, "epsilon": epsilon}


# --- the table ----------------------------------------------------------------------------------


def _show(
    answer: Bounds,
    written: Sequence[str],
    places: int,
    scope: Sequence[tuple[str, str]],
    group: int,
) -> None:
    """The table of ``bounds``."""
    cells = [_optimum_cells(answer), *(_cells(row, places) for row in answer.rows)]
    theorems = [(_name_of_optimum(answer), _theorem_of_optimum(answer), _ASSUMES)]
    theorems += [(row.form.name, row.form.source, row.form.assumes) for row in answer.rows]
    show(
        _sentence(answer, places, group),
        "",
        heading(answer.ledger),
        "",
        facts([("at δ", rational_text(answer.delta)), *scope]),
        "",
        columns(["bound", "ε at most", "above the optimum by at most"], cells),
        "",
        columns(["bound", "theorem", "assumes"], theorems),
    )
    if written:
        show("", facts(("written" if not i else "", path) for i, path in enumerate(written)))


def _sentence(answer: Bounds, places: int, group: int) -> str:
    """What is certified, and the best that a closed form gives."""
    forms = [(row.epsilon, row.form.name) for row in answer.rows if row.epsilon is not None]
    ends = [(_above(epsilon, places), name) for epsilon, name in forms]
    least = min(ends, default=None)
    beside = bound_beside(None if least is None else (least[1], decimal_text(least[0])))
    optimum = answer.optimum
    if optimum is None:
        return f"The least ε was not computed at δ = {delta_of(answer.delta, up=True)}{beside}."
    if optimum.upper_end is None:
        return nothing_promised(answer.delta)
    promise = promise_of(optimum.upper_end, answer.delta)
    return promised(mechanisms_of(answer.ledger), promise, group=group, also=beside)


def _name_of_optimum(answer: Bounds) -> str:
    if answer.ledger.is_approximate:
        return "optimal composition"
    return "least, as computed" if _is_computed(answer) else "best certified"


def _is_computed(answer: Bounds) -> bool:
    """Whether the optimum was computed without a certificate."""
    return answer.optimum is not None and answer.optimum.evidence == "computed"


def _theorem_of_optimum(answer: Bounds) -> str:
    if answer.optimum is not None and answer.optimum.computed_because:
        return "none yet: the greatest privacy losses add up"
    if answer.optimum is None or not answer.optimum.derivations:
        return _OPTIMAL_THEOREM
    return RULES[answer.optimum.derivations[0].rule].theorem.citation.rstrip(".")


def _optimum_cells(answer: Bounds) -> tuple[str, str, str]:
    name, optimum = _name_of_optimum(answer), answer.optimum
    if optimum is None:
        return name, "not found", answer.reason
    if optimum.upper_end is None or optimum.lower_end is None:
        return name, "none", "infeasible: no finite ε is enough"
    return name, bounds_text(optimum.lower_end, optimum.upper_end)[1], ""


def _cells(row: Bound, places: int) -> tuple[str, str, str]:
    if row.epsilon is None:
        return row.form.name, "none", row.reason
    lower, upper = enclose_in_decimals(row.epsilon, places)
    excess = "" if row.excess is None else scientific_above(row.excess[1], _DIGITS_OF_EXCESS)
    return row.form.name, bounds_text(lower, upper)[1], excess


def _above(number: ExactNumber, places: int) -> mpq:
    return enclose_in_decimals(number, places)[1]
