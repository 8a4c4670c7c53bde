r"""``exactdp parallel``: what a workload costs, by the overlap of its queries.

Rules of this file: it renders what the library answered; a certificate leaves this program only if
the verifier accepts it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from exactdp.cli.options import BARE, command, stem_of
from exactdp.cli.places import check_new, check_picture, check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer
from exactdp.cli.workload_picture import refuse_noise, workload_picture
from exactdp.composition.answers.proving import PART, Proofs
from exactdp.pages.accepted import certificate_files
from exactdp.pages.facts import listed
from exactdp.pages.facts.workload import (
    MEMBERS,
    gain_facts,
    outside_fact,
    overlap_bars,
    workload_facts,
    workload_heading,
    workload_opening,
)
from exactdp.pages.left_out import left_out
from exactdp.timing.clock import Clock
from exactdp.workloads.certify import WorkloadProofs, proofs_within
from exactdp.workloads.composing import compose_parallel
from exactdp.workloads.gains import gains_within
from exactdp.workloads.reading import read_workload, write_workload
from exactdp.workloads.stated_noise import noise_in_option
from exactdp.workloads.workload import Workload

_SEARCHED: Final = 7 / 8
"""Of the time, for the answer; what is left is for what it is compared with."""
_BARS: Final = "queries, by how many they overlap with, themselves included"


@command("parallel")
def parallel_command(  # noqa: PLR0913 (one argument for each option)
    source: str,
    *,
    delta: str,
    domain: str | None,
    each: str | None,
    collation: str | None,
    tolerance: str | None,
    certificates: Path | None,
    time_limit: int,
    plot: Path | None,
    max_cost: int,
    report: Path | None,
) -> int:
    """The least ε of a workload: queries that no row meets together do not add up.

    WORKLOAD is a file in the format exactdp-workload/1, or a log of counting queries in SQL.
    """
    check_places([source, domain], report=report)
    check_places([], certificates=certificates, stem=stem_of(source))
    drawn = None if plot == BARE else plot
    if drawn is not None:
        check_picture(drawn)
        check_new([source], drawn, "--plot")
    clock = Clock(time_limit)
    workload = read_workload(
        source,
        domain=domain,
        each=None if each is None else noise_in_option(each),
        collation=collation,
    )
    proved = certificates is not None or report is not None
    if drawn is not None:
        refuse_noise(workload)
    with working("searching"):
        found = compose_parallel(
            workload,
            delta=delta,
            tolerance=tolerance,
            max_cost=max_cost,
            clock=clock.share(PART if proved else _SEARCHED),
        )
        proofs: WorkloadProofs = Proofs({})
        files: dict[Path, bytes] = {}
        if proved:
            proofs = proofs_within(found, clock)
        if certificates is not None:
            files = _certificates(proofs, workload, certificates, stem_of(source))
        written = [*files]
        if drawn is not None:
            files[drawn] = workload_picture(found, drawn.suffix)
        if report is not None:
            from exactdp.pages.workload import workload_page  # noqa: PLC0415 (few ask)

            files[report] = workload_page(source, found, proofs, max_cost, clock.left)
        gains = gains_within(found, clock, max_cost=max_cost)
    known = [*workload_facts(found), *gain_facts(gains), outside_fact(workload)]
    known += [*listed("certificates", "certificates", written), *left_out(proofs)]
    head = *workload_opening(found).sentences, "", workload_heading(workload)
    below = ["", _BARS, "", *overlap_bars(found.overlap)] if plot is not None else []
    return answer(known, *head, below=below, files=files, members=MEMBERS, plot=drawn)


def _certificates(
    proofs: WorkloadProofs, workload: Workload, directory: Path, stem: str
) -> dict[Path, bytes]:
    """The certificates, and the workload that they are about, which may have been read from SQL.

    Where time left all of them out, there is nothing to write.
    """
    if proofs.left_out and not proofs.made:
        return {}
    text = write_workload(workload).encode()
    files = certificate_files(directory, stem, proofs.made, workload=text)
    return files | {directory / f"{stem}.workload.json": text}
