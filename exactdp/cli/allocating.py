r"""``exactdp budget --allocate``: one budget shared among the statistics of a file.

Rules of this file: what keeps the budget is said to only once the verifier has accepted it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from exactdp.allocation.allocate import allocate
from exactdp.allocation.reading import read_statistics
from exactdp.allocation.results import Allocation
from exactdp.arithmetic.numbers import Number
from exactdp.cli.files import check_directory
from exactdp.cli.options import stem_of
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, tables
from exactdp.errors import InputError
from exactdp.ledger.reading import write_ledger
from exactdp.pages.accepted import verified
from exactdp.pages.facts import listed
from exactdp.pages.facts.allocation import (
    Allocated,
    allocation_facts,
    allocation_heading,
    allocation_sentence,
    allocation_tables,
)


def run_allocation(
    source: str,
    deltas: tuple[str, ...],
    certificates: Path | None,
    *,
    fix: Iterable[str],
    without: tuple[str, ...],
    **asked: Any,  # noqa: ANN401 (what the library is asked)
) -> int:
    """Answer for every δ, print, and write what was asked for."""
    file, fixed = read_statistics(source), _fixed(fix)
    stem = "statistics" if source == "-" else stem_of(source)
    if certificates is not None:
        check_directory(certificates, "--certificates", stem)
    targets: list[Number] = [*(deltas or file.deltas)]
    for option, named in (("--delta", targets), ("--epsilon", asked["epsilon"] or file.epsilon)):
        if not named:
            letter, example = ("a δ", "1e-6") if option == "--delta" else ("an ε", "1")
            raise InputError(
                field=option,
                value="nothing",
                expected=f"{letter}, as the file names none",
                remedy=f"for example: {option} {example}",
            )
    found: list[Allocated] = []
    files: dict[Path, bytes] = {}
    with working("sharing"):
        for number, delta in enumerate(targets, start=1):
            asked["delta"] = delta
            shared = allocate(file, fix=fixed, without=without, **asked)
            before = allocate(file, **asked) if fixed or without else None
            found.append(Allocated(shared, before))
            name = stem if len(targets) == 1 else f"{stem}.{number}"
            files |= _files(shared, certificates, name)
    files = {} if certificates is None else files
    written = listed("certificates", "written", [*files])
    return answer(
        [*allocation_facts(file.name, found), *(each.for_programs for each in written)],
        allocation_sentence(found),
        "",
        allocation_heading(file.name, found),
        below=tables(*allocation_tables(found), written),
        files=files,
    )


def _fixed(pairs: Iterable[str]) -> dict[str, str]:
    """ε by name, from NAME=ε.

    Raises:
        InputError: no such pair, or a name that stands twice.
    """
    fixed: dict[str, str] = {}
    for pair in pairs:
        name, sign, epsilon = pair.rpartition("=")
        if not sign or not name:
            raise InputError(
                field="--fix",
                value=pair,
                expected="NAME=E",
                remedy="for example: --fix 'mean age=0.1'",
            )
        if name in fixed:
            raise InputError(field="--fix", value=name, expected="each name once")
        fixed[name] = epsilon
    return fixed


def _files(answer: Allocation, directory: Path | None, stem: str) -> dict[Path, bytes]:
    """The certificates, each accepted by the verifier, and the ledger that they are about."""
    place = directory or Path()
    claim = (str(answer.epsilon), str(answer.delta))
    files: dict[Path, bytes] = {}
    if answer.upper_certificate is not None and answer.ledger is not None:
        data = verified(answer.upper_certificate, ledger=answer.ledger, claim=claim)
        files[place / f"{stem}.upper.json"] = data
        files[place / f"{stem}.fits.json"] = write_ledger(answer.ledger).encode()
    if answer.lower_certificate is not None:
        files[place / f"{stem}.lower.json"] = verified(answer.lower_certificate)
    return files
