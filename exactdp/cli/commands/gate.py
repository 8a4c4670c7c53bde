r"""``exactdp gate``: do the ledgers of a folder keep its policies?

Rules of this file: it renders what the library found; a certificate leaves this program only if the
verifier accepts it; what is not decided is not called kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from exactdp.asides import asides, saying
from exactdp.cli.accountant_options import programs_of, pythons_of
from exactdp.cli.composition_options import find_ledger
from exactdp.cli.files import check_directory, check_file, write_together
from exactdp.cli.gate_reports import junit, sarif
from exactdp.cli.many import ManyCommand
from exactdp.cli.many_options import cores
from exactdp.cli.options import command, stem_of
from exactdp.cli.output import hear, print_json
from exactdp.cli.progress import working
from exactdp.cli.rendering import columns, show
from exactdp.pages.accepted import verified
from exactdp.pages.number_text import abridged, grouped
from exactdp.pages.phrases import counted
from exactdp.policies.checks import ALL_READ, check_alone, check_task, tasks_in
from exactdp.policies.findings import Finding, FindingStatus, exit_code_of
from exactdp.policies.limits import GateLimits
from exactdp.policies.policy import read_policy

_STATUSES: Final[dict[FindingStatus, str]] = {
    "held": "holds",
    "failed": "FAILED",
    "undecided": "UNDECIDED",
    "invalid": "INVALID",
    "skipped": "skipped",
}
_OUTCOMES: Final = {0: "PASSED", 1: "FAILED", 2: "BAD INPUT", 3: "UNDECIDED"}
_GIB: Final = 2**30
_NOTHING: Final = "NOTHING CHECKED"
_MANY: Final = 100


def _has_policies_of_its_own(params: Mapping[str, Any]) -> bool:
    return params["policy"] is None


@command("gate", cls=ManyCommand, takes_several=True, without_inputs=_has_policies_of_its_own)
def gate_command(  # noqa: PLR0913 (one argument for each option)
    places: tuple[str, ...],
    *,
    policy: str | None,
    junit_file: Path | None,
    sarif_file: Path | None,
    certificates: Path | None,
    pythons: tuple[str, ...],
    programs: tuple[str, ...],
    timeout: float,
    memory: float,
    max_cost: int,
    as_json: bool,
    jobs: int | None = None,
) -> int:
    """Do the ledgers of FOLDER (default: this one) keep its policies, the files exactdp.toml?

    With --policy each LEDGER is judged by what that policy asks of a ledger, whatever its patterns.
    Exit code 0 if all hold, 1 if something does not, 2 for bad input, 3 if nothing was checked or
    something is undecided.
    """
    reports = {"--junit": junit_file, "--sarif": sarif_file}
    for field, file in reports.items():
        if file is not None:
            check_file(file, field)
    if certificates is not None:
        check_directory(certificates, "--certificates")
    limits = GateLimits(
        max_cost,
        pythons_of(pythons),
        programs_of(programs),
        timeout,
        int(memory * _GIB),
        asides().remarks,
        asides().budgets,
    )
    with working("checking", as_json=as_json), saying(replace(asides(), tell=None)):
        findings = _alone(policy, places, limits) if policy else _of_places(places, limits, jobs)
        files = dict(_certificates(findings, certificates))
    for each in findings:
        if each.requirement == ALL_READ:
            hear(f"{Path(each.source).name}: {each.message}")
    if junit_file is not None:
        files[junit_file] = junit(findings)
    if sarif_file is not None:
        files[sarif_file] = sarif(findings)
    write_together(files, "--certificates")
    code = exit_code_of(findings)
    if as_json:
        print_json("gate", _json(findings, code, files))
    else:
        _show(findings, code, files)
    return code


def _alone(policy: str, places: Sequence[str], limits: GateLimits) -> list[Finding]:
    """The findings on ledgers, each by itself."""
    required = read_policy(Path(policy))
    return [
        finding
        for place in places
        for finding in check_alone(required, place, find_ledger(place, ()), limits)
    ]


def _of_places(places: Sequence[str], limits: GateLimits, jobs: int | None) -> list[Finding]:
    """The findings of all policies of these places, in the order of their ledgers."""
    tasks = tasks_in(places)
    check = partial(check_task, limits=limits)
    if jobs is None:
        jobs = cores() if len(tasks) >= _MANY else 1
    if jobs == 1:
        return [*chain.from_iterable(map(check, tasks))]
    from exactdp.many.mapping import mapped  # noqa: PLC0415 (one process does without)

    return [*chain.from_iterable(mapped(check, tasks, jobs=jobs))]


def _certificates(
    findings: Sequence[Finding], directory: Path | None
) -> Iterator[tuple[Path, bytes]]:
    """Where certificates go; those of failures are verified even if they go nowhere."""
    numbers: Counter[str] = Counter()
    for finding in findings:
        if finding.certificate is None or (directory is None and finding.status != "failed"):
            continue
        data = verified(finding.certificate, ledger=finding.ledger)
        if directory is not None:
            is_one = finding.source == "-" or Path(finding.source).is_file()
            stem = stem_of(finding.source) if is_one else "together"
            numbers[stem] += 1
            yield directory / f"{stem}.{numbers[stem]}.{finding.certificate.bound}.json", data


def _json(findings: Sequence[Finding], code: int, files: dict[Path, bytes]) -> dict[str, object]:
    counts = Counter(finding.status for finding in findings)
    return {
        "outcome": _outcome(findings, code),
        "counts": {status: counts[status] for status in _STATUSES},
        "findings": [
            {
                "policy": finding.policy,
                "ledger": finding.source,
                "kind": finding.kind,
                "requirement": finding.requirement,
                "status": finding.status,
                "message": finding.message,
            }
            for finding in findings
        ],
        "written": list(map(str, files)),
    }


def _outcome(findings: Sequence[Finding], code: int) -> str:
    checked = any(finding.status != "skipped" for finding in findings)
    return _OUTCOMES[code] if checked else _NOTHING


def _show(findings: Sequence[Finding], code: int, files: dict[Path, bytes]) -> None:
    rows = [
        (
            finding.source,
            abridged(finding.requirement),
            _STATUSES[finding.status],
            finding.message if finding.message != _STATUSES[finding.status] else "",
        )
        for finding in findings
    ]
    show(_sentence(findings, code), "")
    if rows:
        show(columns(["ledger", "required", "verdict", ""], rows), "")
    show(*(f"written: {path}" for path in files))
    show(f"{_outcome(findings, code)}: {_summary(findings)}")


def _sentence(findings: Sequence[Finding], code: int) -> str:
    """Whether the policies are kept, and by how much of what they require."""
    if _outcome(findings, code) == _NOTHING:
        return "Nothing was checked, so that nothing is known to hold."
    checked = [finding for finding in findings if finding.status != "skipped"]
    held = sum(finding.status == "held" for finding in checked)
    required = counted(len(checked), "requirement")
    kept = {0: "are kept", 1: "are not kept"}.get(code, "are not shown to be kept")
    return f"The policies {kept}: {grouped(held)} of {required} {'holds' if held == 1 else 'hold'}."


def _summary(findings: Sequence[Finding]) -> str:
    counts = Counter(finding.status for finding in findings)
    required = sum(counts.values()) - counts["skipped"]
    parts = [f"{counts['held']} of {required} requirements hold"]
    parts += [f"{counts[status]} {status}" for status in _STATUSES if counts[status]]
    return ", ".join(part for part in parts if not part.endswith("held"))
