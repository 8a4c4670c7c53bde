r"""``exactdp crosscheck``: other accountants against the certified interval.

Rules of this file: it renders what the library answered; the verdict alone decides the head, the
table, the colour and the exit code; an accusation leaves this program with a certificate that the
verifier has accepted, for that ledger and that claim, and which has been written, or says that it
was computed without one; a number is rounded so that the sentence in which it stands stays true.
"""

from __future__ import annotations

from pathlib import Path

from exactdp.accountants.accountants import chosen
from exactdp.accountants.checking import checked_values, crosscheck
from exactdp.accountants.process import Limits
from exactdp.accountants.values import VALUE, value_of, values_of
from exactdp.accountants.verdicts import Truth
from exactdp.cli.accountants import certificates_of, exit_code, question_of, tolerance_of
from exactdp.cli.many import ManyCommand
from exactdp.cli.options import Pairs, command, stem_of
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, tables
from exactdp.cli.verification import read_file
from exactdp.pages.facts import listed
from exactdp.pages.facts.accountants import (
    crosscheck_facts,
    crosscheck_opening,
    verdict_facts,
)
from exactdp.pages.phrases import heading


@command("crosscheck", cls=ManyCommand)
def crosscheck_command(  # noqa: PLR0913 (one argument for each option)
    source: str | None,
    inline: tuple[str, ...],
    *,
    delta: str | None,
    epsilon: str | None,
    names: tuple[str, ...],
    pythons: Pairs,
    programs: Pairs,
    timeout: float,
    memory: int,
    value: tuple[str, ...],
    values: str | None,
    tolerance: str | None,
    certificates: Path,
    max_cost: int,
    report: Path | None,
) -> int:
    """Ask accountants about LEDGER, and judge what they say by the certified interval.

    Exit code 1 if one promises what is false, by 1e-6 in ε or 1e-3 of its δ; each such verdict
    comes with a certificate, or says that it was computed without one. 3 if one is undecided, or
    none gave an answer that can be judged.
    """
    asked = not (value or values) or names or programs
    known = {"pythons": dict(pythons), "programs": dict(programs)}
    accountants = chosen(names, **known) if asked else ()
    question = question_of(source, inline, delta, epsilon)
    truth = Truth(question, tolerance=tolerance_of(tolerance), max_cost=max_cost)
    answers = [(VALUE, value_of(text, question)) for text in value]
    answers += values_of(read_file(values, "--values")) if values is not None else []
    check_places([source], certificates=certificates, report=report)
    with working("asking"):
        certified = truth.certified()
        rows = [*crosscheck(truth, accountants, Limits(timeout, memory))]
        rows += checked_values(truth, answers)
        files, paths = certificates_of(question.ledger, rows, certificates, stem_of(source))
        stated = [
            verdict_facts(row, paths.get(number), delta=question.delta)
            for number, row in enumerate(rows)
        ]
        head = crosscheck_opening(question, rows)
        if report is not None:
            from exactdp.pages.accountants import accountants_page  # noqa: PLC0415 (few ask)

            files[report] = accountants_page(source, question, rows, max_cost, head)
    return answer(
        crosscheck_facts(truth, certified, stated),
        *head.sentences,
        "",
        heading(question.ledger),
        below=tables(stated, listed("", "refuted by", [*paths.values()])),
        files=files,
        code=exit_code(row.verdict for row in rows),
    )
