r"""Certificates of both ends of a workload, each where it is foreseen to fit a time limit.

Purpose: ends that were found by rounding many different parameters to few are proved about the
workload as it is, which takes the time that rounding saved: what does not fit is left out, by name.

Rules of this file: as in :mod:`exactdp.answers.proving`, which decides.

Theory of operation: what it takes to find a certificate is known from the compositions that were
made (:mod:`exactdp.parallel.pacing`), and what it takes to check one from its cost by the format,
once it is found.
"""

from __future__ import annotations

from functools import partial
from typing import TypeAlias

from exactdp.answers import proving
from exactdp.answers.proving import End, Proofs, proofs_of_ends
from exactdp.parallel.certify import WorkloadCertificate, lower_certificate, upper_certificate
from exactdp.parallel.composing import ParallelComposition
from exactdp.parallel.foreseen import checked_seconds, has_many_kinds
from exactdp.parallel.workload import Workload
from exactdp.timing.clock import Clock

WorkloadProofs: TypeAlias = "Proofs[WorkloadCertificate]"


def searching_clock(workload: Workload, clock: Clock) -> Clock:
    """A clock for what comes before certificates, after which there is a part for them."""
    return proving.searching_clock(clock) if has_many_kinds(workload) else clock


def proofs_within(
    answer: ParallelComposition, clock: Clock, *, time_limit: int, checks: int = 1
) -> WorkloadProofs:
    """The certificates of both ends that fit.

    Args:
        answer: of a workload.
        clock: what is left of the time limit.
        time_limit: the whole of it, in seconds.
        checks: how often each certificate will be checked.

    Raises:
        CostLimitError: one would exceed another limit than that of time.
    """
    lower, upper = answer.certifying
    checking = partial(_checking, answer)
    ends = (
        End("upper", partial(upper_certificate, answer), checking, upper),
        End("lower", partial(lower_certificate, answer), checking, lower),
    )
    return proofs_of_ends(ends, clock, time_limit=time_limit, checks=checks)


def _checking(answer: ParallelComposition, found: WorkloadCertificate | None) -> float:
    """What the verifier takes for one of the two certificates, about."""
    about_ledger = None if found is None else found.about_ledger
    return checked_seconds(answer.overlap.workload, answer.classes, about_ledger)
