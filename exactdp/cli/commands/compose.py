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
    decimal_text,
    enclose_in_decimals,
    scientific_above,
    scientific_below,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.cli.composition_options import (
    Request,
    with_request,
)
from exactdp.cli.files import check_directory, write_together
from exactdp.cli.ledger_proofs import NONE, certificate_files, compose_within, proofs_within
from exactdp.cli.many import ManyCommand
from exactdp.cli.options import command
from exactdp.cli.output import print_json
from exactdp.cli.picture_places import check_plot
from exactdp.cli.progress import working
from exactdp.cli.rendering import facts, heading, show
from exactdp.pages.left_out import left_out_json, left_out_rows
from exactdp.pages.number_text import (
    abridged,
    bounds_text,
    exact_and_decimal,
    exact_text,
    rational_text,
)
from exactdp.pages.phrases import composed, nothing_derived
from exactdp.pages.standing import Opening, standing_of_answer, standing_of_outcome
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import stop_after

if TYPE_CHECKING:
    from exactdp.claims.claims import Judgement
    from exactdp.cli.interleaving import Interleaved
    from exactdp.conversion.derivations import Derivation
    from exactdp.ledger.model import Ledger

_DIGITS_OF_DELTA = 20
_PLACES = 10


@command("compose", cls=ManyCommand)
@with_request
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
    if certificates is not None:
        stem = request.stem if request.group == 1 else None
        check_directory(certificates, "--certificates", stem)
    check_plot(plot, [request.source])
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
    if report is not None:
        from exactdp.cli.report_files import check_report  # noqa: PLC0415 (few ask for a page)

        check_report(report, [request.source])
    clock = request.clock_of(time_limit)
    proved = certificates is not None or report is not None
    with working("composing", as_json=request.as_json), stop_after(clock.left):
        begin = time.perf_counter_ns()
        answer = compose_within(
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
        interleaved = _interleaved(request, answer)
        proofs = proofs_within(answer, interleaved, clock) if proved else NONE
        files = {}
        if certificates is not None:
            files = certificate_files(proofs, certificates, request.stem)
        written = [str(path) for path in files]
        if plot is not None:
            files[plot] = _picture(answer, judgements, plot.suffix, request.max_cost)
        if report is not None:
            head = head_of(answer, judgements, interleaved)
            files |= _page(report, request, answer, proofs, clock, head)
    write_together(files, "--certificates")
    spent = nanoseconds if explain else None
    if request.as_json:
        result = composition_json(answer, judgements, written, spent, interleaved)
        if proofs.left_out:
            result["certificates_left_out"] = left_out_json(proofs)
        print_json("compose", result | ({} if plot is None else {"plot": str(plot)}))
    else:
        show_composition(answer, judgements, written, spent, interleaved, left_out_rows(proofs))
        show(*([] if plot is None else ["", f"written: {plot}"]))
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
    from exactdp.cli.interleaving import interleaving_of  # noqa: PLC0415 (as above)

    return interleaving_of(request.ledger, request.theorem, answer.delta, answer.method)


def composition_json(
    answer: Composition,
    judgements: Sequence[Judgement],
    written: Sequence[str],
    nanoseconds: int | None = None,
    interleaved: Interleaved | None = None,
) -> dict[str, object]:
    """The result of ``compose --json``; ``nanoseconds`` are given where it is to be explained."""
    ends = {
        "lower": "inf" if answer.lower_end is None else decimal_text(answer.lower_end),
        "upper": "inf" if answer.upper_end is None else decimal_text(answer.upper_end),
    }
    if interleaved is not None and interleaved.is_basic:
        ends["upper"] = "inf" if interleaved.epsilon is None else _above(interleaved.epsilon)
    basic = answer.basic_epsilon
    result: dict[str, object] = {
        "epsilon": ends,
        "exact": None if answer.exact is None else shortest_text(answer.exact),
        "delta": short_text(answer.delta),
        "feasible": answer.feasible,
        "mechanisms": answer.ledger.size,
        "method": answer.method,
        "complete": answer.complete,
        "basic_epsilon": None if basic is None else shortest_text(basic),
        "least_feasible_delta": answer.least_feasible_delta,
        "least_feasible_delta_ends": _ends(*answer.least_feasible_delta_ends),
        "claims": [_judgement_json(judgement) for judgement in judgements],
    }
    if interleaved is not None:
        result["concurrent"] = interleaved.json()
    if not answer.ledger.is_approximate:
        result["derivation"] = [_derivation_json(each) for each in answer.derivations]
        result["reaches_least_delta"] = answer.reaches_least_delta
        result["evidence"] = answer.evidence
    if answer.computed_because:
        result["no_certificate_because"] = answer.computed_because
    if written:
        result["certificates"] = list(written)
    if nanoseconds is not None:
        final = answer.predicted_cost
        result["explanation"] = {
            "predicted": {
                method: None if cost is None else str(cost)
                for method, cost in answer.predicted_costs.items()
            },
            "predicted_cost": None if final is None else str(final),
            "nanoseconds": str(nanoseconds),
        }
    return result


def _above(epsilon: ExactNumber) -> str:
    return decimal_text(enclose_in_decimals(epsilon, _PLACES)[1])


def _derivation_json(derivation: Derivation) -> dict[str, str]:
    return {
        "rule": derivation.rule,
        "theorem": derivation.theorem,
        "epsilon": decimal_text(derivation.epsilon),
        "words": derivation.explanation,
    }


def _explanation_rows(answer: Composition, nanoseconds: int) -> list[tuple[str, str]]:
    """How the answer was found, and what it cost."""
    considered = [
        f"{method} {'does not fit' if cost is None else _seconds(cost)}"
        for method, cost in answer.predicted_costs.items()
    ]
    rows = [("method", answer.method)]
    if considered:
        rows.append(("predicted", ", ".join(considered)))
    if answer.predicted_cost is not None:
        rows.append(("predicted in the end", _seconds(answer.predicted_cost)))
    return [*rows, ("actual", _seconds(nanoseconds))]


def _seconds(nanoseconds: int) -> str:
    """A time or a predicted cost; estimates, not certain numbers."""
    return f"about {scientific_above(mpq(nanoseconds, 10**9), 2)} s"


def _ends(lower: mpq, upper: mpq) -> dict[str, str]:
    return {
        "lower": scientific_below(lower, _DIGITS_OF_DELTA),
        "upper": scientific_above(upper, _DIGITS_OF_DELTA),
    }


def _judgement_json(judgement: Judgement) -> dict[str, object]:
    return {
        "claim": judgement.claimed,
        "outcome": judgement.outcome,
        "reason": judgement.reason,
        "basis": judgement.claim.basis,
        "source": judgement.claim.source,
    }


def show_composition(
    answer: Composition,
    judgements: Sequence[Judgement],
    written: Sequence[str],
    nanoseconds: int | None = None,
    interleaved: Interleaved | None = None,
    left_out: Sequence[tuple[str, str]] = (),
) -> None:
    """The table of ``compose``; ``nanoseconds`` are given where it is to be explained."""
    rows = [("at δ", rational_text(answer.delta)), *_answer_rows(answer)]
    if interleaved is not None:
        rows += interleaved.rows()
    if nanoseconds is not None:
        rows += _explanation_rows(answer, nanoseconds)
    rows += [("certificates" if not i else "", path) for i, path in enumerate(written)]
    rows += left_out
    claims = [each.text(exact_text, rational_text) for each in judgements]
    first = head_of(answer, judgements, interleaved).sentences
    show(*first, "", heading(answer.ledger), "", facts(rows), *(["", *claims] if claims else []))


def head_of(
    answer: Composition, judgements: Sequence[Judgement], interleaved: Interleaved | None
) -> Opening:
    """What the mechanisms promise together, and what has become of that and of each claim."""
    claims = tuple(
        standing_of_outcome(each.outcome, is_computed=each.is_computed) for each in judgements
    )
    ledger, delta = answer.ledger, answer.delta
    if interleaved is None or not interleaved.is_basic:
        found = standing_of_answer(answer)
        return Opening((composed(ledger, answer.upper_end, delta),), (found, *claims))
    if interleaved.epsilon is not None:
        return Opening((composed(ledger, interleaved.epsilon, delta),), ("proved", *claims))
    derived = nothing_derived(delta, "these mechanisms by this theorem")
    return Opening((derived,), ("unsettled", *claims))


def _answer_rows(answer: Composition) -> list[tuple[str, str]]:
    """The least ε, how it was found, and what it rests on."""
    if answer.upper_end is None or answer.lower_end is None:
        rows = _infeasible_rows(answer)
    elif answer.computed_because:
        rows = _computed_rows(answer, answer.lower_end, answer.upper_end)
    elif not answer.ledger.is_approximate:
        rows = _derived_rows(answer, answer.lower_end, answer.upper_end)
    else:
        rows = _optimum_rows(answer, answer.lower_end, answer.upper_end)
        if answer.basic_epsilon is not None:
            rows.append(("basic composition", exact_and_decimal(answer.basic_epsilon)))
        if not answer.complete:
            rows.append(("", answer.open_because))
    if answer.computed_because:
        rows += [("evidence", answer.evidence), ("no certificate", answer.computed_because)]
    return rows


def _computed_rows(answer: Composition, lower: mpq, upper: mpq) -> list[tuple[str, str]]:
    """The least ε by the greatest privacy losses, and what attains it."""
    rows = _optimum_rows(answer, lower, upper, "least ε")
    rows += [("by", answer.method), ("attained by", answer.attained_by)]
    return [*rows, *([] if answer.complete else [("in between", answer.open_because)])]


def _optimum_rows(
    answer: Composition, lower: mpq, upper: mpq, name: str = "optimal composition"
) -> list[tuple[str, str]]:
    if lower == upper:
        exact = f"ε = {bounds_text(lower, upper)[0]}"
        return [(name, exact if answer.exact is None else f"ε = {exact_text(answer.exact)}")]
    least, most = bounds_text(lower, upper)
    ends = [f"ε ≥ {least}", f"ε ≤ {most}"]
    texts = ends if answer.exact is None else [f"ε = {exact_text(answer.exact)}", *ends]
    return [(name if not i else "", text) for i, text in enumerate(texts)]


def _derived_rows(answer: Composition, lower: mpq, upper: mpq) -> list[tuple[str, str]]:
    """The best derivable bound and how it was derived, what else was, and what is attained."""
    least, most = bounds_text(lower, upper)
    rows = [("best derivable bound", f"ε ≤ {most}")]
    for place, each in enumerate(answer.derivations):
        end = f"ε ≤ {decimal_text(each.epsilon)}; " if place else ""
        rows.append(("not as good, by" if place else "by", f"{each.rule}: {end}{each.explanation}"))
    if answer.derivations:
        rows.append(("theorem", answer.derivations[0].theorem))
    rows += [("nothing below", f"ε ≥ {least}"), ("is attained by", answer.attained_by)]
    if answer.ledger.neighbouring == "zero-out":
        rows.append(("neighbours", "a record is zeroed out"))
    if not answer.complete:
        rows.append(("in between", answer.open_because))
    return rows


def _infeasible_rows(answer: Composition) -> list[tuple[str, str]]:
    ends = _ends(*answer.least_feasible_delta_ends)
    exact = abridged(answer.least_feasible_delta)
    rows = [
        ("optimal composition", "infeasible: no finite ε is enough"),
        (
            ("least feasible δ", f"δ = {exact}")
            if answer.reaches_least_delta
            else ("feasible only for", f"δ > {exact}")
        ),
    ]
    if exact not in ends.values():
        rows += [("", f"δ ≥ {ends['lower']}"), ("", f"δ ≤ {ends['upper']}")]
    return rows
