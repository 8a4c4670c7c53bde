r"""``exactdp crosscheck``: other accountants against the certified interval.

Rules of this file: it renders what the library answered; the verdict alone decides the head, the
table, the colour and the exit code; an accusation leaves this program with a certificate that the
verifier has accepted, for that ledger and that claim, and which has been written, or says that it
was computed without one; a number is rounded so that the sentence in which it stands stays true.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from exactdp.accountants.checking import Checked, checked_values, crosscheck
from exactdp.accountants.protocol import AccountantQuestion
from exactdp.accountants.values import VALUE, value_of, values_of
from exactdp.accountants.verdicts import Truth
from exactdp.cli.accountants import (
    accountants_of,
    certificate_files,
    exit_code,
    limits_of,
    question_of,
    tolerance_of,
)
from exactdp.cli.files import write_together
from exactdp.cli.many import ManyCommand
from exactdp.cli.options import command, stem_of
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, heading, points, table_below
from exactdp.cli.verification import read_file
from exactdp.pages.facts import listed
from exactdp.pages.facts.accountants import (
    crosscheck_facts,
    crosscheck_opening,
    verdict_facts,
)
from exactdp.pages.standing import Opening

_DIGITS: Final = 17
_NAMELESS: Final = "a tool without a name"


@command("crosscheck", cls=ManyCommand)
def crosscheck_command(  # noqa: PLR0913 (one argument for each option)
    source: str | None,
    inline: tuple[str, ...],
    *,
    delta: str | None,
    epsilon: str | None,
    names: tuple[str, ...],
    pythons: tuple[str, ...],
    programs: tuple[str, ...],
    timeout: float,
    memory: float,
    value: tuple[str, ...],
    values: str | None,
    tolerance: str,
    certificates: Path,
    max_cost: int,
    report: Path | None,
    as_json: bool,
) -> int:
    """Ask accountants about LEDGER, and judge what they say by the certified interval.

    Exit code 1 if one promises what is false, by 1e-6 in ε or 1e-3 of its δ; each such verdict
    comes with a certificate, or says that it was computed without one. 3 if one is undecided, or
    none gave an answer that can be judged.
    """
    asked = not (value or values) or names or programs
    accountants = accountants_of(names, pythons, programs) if asked else ()
    question = question_of(source, inline, delta, epsilon)
    truth = Truth(question, tolerance=tolerance_of(tolerance), max_cost=max_cost)
    answers = [(VALUE, value_of(text, question)) for text in value]
    answers += values_of(read_file(values, "--values")) if values is not None else []
    check_places([source], certificates=certificates, report=report)
    with working("asking", as_json=as_json):
        certified = truth.certified()
        rows = [*crosscheck(truth, accountants, limits_of(timeout, memory))]
        rows += checked_values(truth, answers)
        files = certificate_files(question.ledger, rows, certificates, stem_of(source))
        stated = [
            verdict_facts(row, files.names.get(number), delta=question.delta)
            for number, row in enumerate(rows)
        ]
        head = crosscheck_opening(question, rows)
        page = {} if report is None else _page(report, source, question, rows, head, max_cost)
    write_together(files.contents | page, "--certificates")
    refuting = listed("", "refuted by", [*files.names.values()])
    answer(
        "crosscheck",
        crosscheck_facts(truth, certified, stated),
        *head.sentences,
        "",
        heading(question.ledger),
        as_json=as_json,
        below=["", points(stated), *table_below(refuting)],
    )
    return exit_code(row.verdict for row in rows)


def _page(
    report: Path,
    source: str | None,
    question: AccountantQuestion,
    rows: Sequence[Checked],
    head: Opening,
    max_cost: int,
) -> dict[Path, bytes]:
    from exactdp.pages.accountants import accountant_findings  # noqa: PLC0415 (few ask for a page)
    from exactdp.pages.page import name_of, report_file  # noqa: PLC0415 (as above)

    found = accountant_findings(name_of(source), question, rows, max_cost)
    return report_file(report, [found], head)
