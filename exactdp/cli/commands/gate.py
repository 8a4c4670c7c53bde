r"""``exactdp gate``: do the ledgers of a folder keep its policies?

Rules of this file: it renders what the library found; a certificate leaves this program only if the
verifier accepts it; what is not decided is not called kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

from exactdp.asides import asides, saying
from exactdp.cli.composition_options import find_ledger
from exactdp.cli.files import check_file
from exactdp.cli.gate_facts import (
    finding_facts,
    gate_certificates,
    gate_facts,
    gate_sentence,
    gate_summary,
)
from exactdp.cli.gate_reports import junit, sarif
from exactdp.cli.many import ManyCommand
from exactdp.cli.many_options import cores
from exactdp.cli.options import Pairs, command
from exactdp.cli.output import hear
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, tables
from exactdp.policies.checks import ALL_READ, check_alone, check_task, tasks_in
from exactdp.policies.findings import Finding, exit_code_of
from exactdp.policies.limits import GateLimits
from exactdp.policies.policy import read_policy

_MANY: Final = 100


@command(
    "gate",
    cls=ManyCommand,
    takes_several=True,
    without_inputs=lambda params: params["policy"] is None,
)
def gate_command(  # noqa: PLR0913 (one argument for each option)
    places: tuple[str, ...],
    *,
    policy: str | None,
    junit_file: Path | None,
    sarif_file: Path | None,
    certificates: Path | None,
    pythons: Pairs,
    programs: Pairs,
    timeout: float,
    memory: int,
    max_cost: int,
    jobs: int | None = None,
) -> int:
    """Do the ledgers of FOLDER (default: this one) keep its policies, the files exactdp.toml?

    With --policy each LEDGER is judged by what that policy asks of a ledger, whatever its patterns.
    Exit code 0 if all hold, 1 if something does not, 2 for bad input, 3 if nothing was checked or
    something is undecided.
    """
    for field, file in (("--junit", junit_file), ("--sarif", sarif_file)):
        if file is not None:
            check_file(file, field)
    check_places([], certificates=certificates)
    about = asides()
    beside = (about.remarks, about.budgets, about.decimal, about.distance)
    limits = GateLimits(max_cost, dict(pythons), dict(programs), timeout, memory, *beside)
    with working("checking"), saying(replace(asides(), tell=None)):
        if policy is None:
            findings = _found_in(places, limits, jobs)
        else:
            required = read_policy(Path(policy))
            ledgers = ((place, find_ledger(place, ())) for place in places)
            findings = [f for each in ledgers for f in check_alone(required, *each, limits)]
        files = dict(gate_certificates(findings, certificates))
    for each in findings:
        if each.requirement == ALL_READ:
            hear(f"{Path(each.source).name}: {each.message}")
    if junit_file is not None:
        files[junit_file] = junit(findings)
    if sarif_file is not None:
        files[sarif_file] = sarif(findings)
    code = exit_code_of(findings)
    rows = tables([finding_facts(finding) for finding in findings])
    written = [f"written: {path}" for path in files]
    return answer(
        gate_facts(findings, code, [*files]),
        gate_sentence(findings, code),
        *rows,
        "",
        *written,
        gate_summary(findings, code),
        files=files,
        code=code,
    )


def _found_in(places: Sequence[str], limits: GateLimits, jobs: int | None) -> list[Finding]:
    """The findings of all policies of these places, in the order of their ledgers."""
    tasks, check = tasks_in(places), partial(check_task, limits=limits)
    if jobs is None:
        jobs = cores() if len(tasks) >= _MANY else 1
    if jobs == 1:
        return [*chain.from_iterable(map(check, tasks))]
    from exactdp.many.mapping import mapped  # noqa: PLC0415 (one process does without)

    return [*chain.from_iterable(mapped(check, tasks, jobs=jobs))]
