r"""The report of ``exactdp parallel``: a workload between its two bounds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import Any, Final

from gmpy2 import mpq

from exactdp.composition.answers.profile import profile
from exactdp.composition.answers.results import Composition
from exactdp.errors import CostLimitError
from exactdp.pages.accepted import Provable
from exactdp.pages.band import Band
from exactdp.pages.facts.workload import workload_facts, workload_opening
from exactdp.pages.findings import Detail, Findings, ReportSubject, proofs_of
from exactdp.pages.left_out import LEFT_OUT
from exactdp.pages.page import name_of, report_page
from exactdp.pages.phrases import TAKEN_AS_GIVEN, queries_of
from exactdp.pages.profile_band import band_by_levels
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import stop_after
from exactdp.workloads.certify import WorkloadProofs
from exactdp.workloads.composing import ParallelComposition
from exactdp.workloads.reading import write_workload

_POINTS: Final = 32
_TOLERANCE: Final = "1e-3"
_ROOM: Final = mpq(5, 4)
_SIDES: Final = 2
_PREDICATES: Final = (
    "Predicates are fixed in advance as well: if they may depend on earlier answers, the upper "
    "bound by overlap is false."
)


def workload_page(
    source: str,
    answer: ParallelComposition,
    proofs: WorkloadProofs,
    max_cost: int,
    left: float | None = None,
) -> bytes:
    """The report of a workload, with the certificates that there was time for."""
    found = workload_findings(name_of(source), answer, proofs, max_cost, left)
    return report_page([found], workload_opening(answer))


def workload_findings(
    file: str,
    answer: ParallelComposition,
    proofs: WorkloadProofs,
    max_cost: int,
    left: float | None = None,
) -> Findings:
    """What is known of a workload: from below by a row, from above by a colouring.

    Args:
        file: the name of the workload.
        answer: what was found.
        proofs: the certificates of its ends that there was time for.
        max_cost: no privacy profile that is predicted to cost more is drawn.
        left: seconds for the two profiles, without which there is no picture; None for any time.
    """
    workload = answer.overlap.workload
    stem, text = PurePath(file).stem, write_workload(workload).encode()
    opening = queries_of(workload)
    subject = ReportSubject(
        f"{stem}.workload.json", "workload", text, opening, f"{TAKEN_AS_GIVEN} {_PREDICATES}"
    )
    made: dict[str, Provable] = dict(proofs.made)
    whole = _whole(answer)
    return Findings(
        file,
        whole.ledger,
        whole,
        "",
        _band(answer, max_cost, left),
        (),
        proofs_of(stem, made, workload=text),
        details=(_overlap(answer, proofs),),
        subject=subject,
    )


def _whole(answer: ParallelComposition) -> Composition:
    """All queries, between the ends that have certificates."""
    name = answer.overlap.workload.name
    return replace(
        answer.sequential,
        ledger=replace(answer.sequential.ledger, name=name),
        lower_end=answer.below.lower_end,
        upper_end=answer.above.upper_end,
        exact=None,
        derivations=answer.above.derivations,
        complete=True,
    )


def _band(answer: ParallelComposition, max_cost: int, left: float | None) -> Band | None:
    """From below the profile of one row's queries, from above that of the colours, in time."""
    time_limit = None if left is None else int(left / _SIDES)
    if time_limit == 0:
        return None
    if answer.sequential.ledger.given_by != "epsilon-delta":
        return _by_levels(answer, left)
    top = (answer.above.upper_end or mpq(1)) * _ROOM
    places = [top * place / _POINTS for place in range(_POINTS + 1)]
    asked: dict[str, Any] = {"epsilon": places, "tolerance": _TOLERANCE, "max_cost": max_cost}
    asked["time_limit"] = time_limit
    try:
        with stop_after(left):
            below = profile(answer.below.ledger, **asked)
            above = profile(answer.above.ledger, **asked)
    except CostLimitError:
        return None
    return Band(
        tuple(
            (at, low.lower_end, high.upper_end)
            for at, low, high in zip(places, below, above, strict=True)
        )
    )


def _by_levels(answer: ParallelComposition, left: float | None) -> Band | None:
    try:
        return band_by_levels(answer.below.ledger, answer.above.ledger, answer.delta, Clock(left))
    except CostLimitError:
        return None


def _overlap(answer: ParallelComposition, proofs: WorkloadProofs) -> Detail:
    return Detail(
        "Overlap: two bounds",
        "From below by a row, from above by a colouring",
        workload_facts(answer),
        tuple(f"The {bound} certificate was {LEFT_OUT}." for bound in proofs.left_out),
    )
