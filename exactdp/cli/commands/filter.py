r"""``exactdp filter``: a budget that is spent as one goes, and its log.

Rules of this file: it renders what the library answered; what is not synced to the disk is not
called spent; a certificate leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exactdp.cli.new_logs import begun, imported
from exactdp.cli.options import command, stem_of
from exactdp.cli.places import check_places
from exactdp.cli.rendering import REFUTED, answer
from exactdp.ledger.formats.recorded import Record
from exactdp.pages.accepted import certificate_files
from exactdp.pages.facts import spending as told
from exactdp.spending import filter as filters
from exactdp.spending.auditing import adoptions, audit
from exactdp.spending.certificates import BudgetSubject, certificates_of_promise
from exactdp.spending.promises import promise
from exactdp.spending.stated import parse_spend


@click.group("filter")
def filter_command() -> None:
    """A privacy budget with a spend log: fixed in advance, and never exceeded."""


def _answer(known: told.Told, files: dict[Path, bytes] | None = None, code: int = 0) -> int:
    return answer(known.facts, known.sentence, files=files, members=known.members, code=code)


@command("filter init", filter_command)
def init_command(log: str, **options: Any) -> int:  # noqa: ANN401 (of a budget and a log)
    """Begin a log with a budget, which is fixed from then on."""
    return begun(log, Record(()), **options)


@command("filter import", filter_command)
def import_command(log: str, **options: Any) -> int:  # noqa: ANN401 (as above)
    """Begin a log with what another tool recorded. All of its spends are read, or none.

    With --split COLUMN: a log for each team that this column names, LOG with the name before its
    ending. Each has the budget, or its --share; all of them add up.
    """
    return imported(log, **options)


@command("filter spend", filter_command)
def spend_command(log: str, *, mechanism: str, label: str) -> int:
    """Count a spend, and sync it; only then may the query run. Exit code 1 if it does not fit."""
    opened = filters.Filter(log)
    spent = opened.spend(label=label, **parse_spend(mechanism))
    return _answer(told.spent_now(log, opened.budget, spent))


@command("filter status", filter_command)
def status_command(log: str, *, delta: str | None, report: Path | None) -> int:
    """What is spent, what is left, and the ε that the budget promises."""
    state = filters.Filter(log).state()
    target = state.header.delta if delta is None else delta
    known = told.standing(log, state, adoptions(log), target)
    if report is None:
        return _answer(known)
    from exactdp.pages.budget import budget_page  # noqa: PLC0415 (few ask)

    check_places([log], report=report)
    return _answer(known, {report: budget_page(log, state, target, known)})


@command("filter history", filter_command)
def history_command(logs: tuple[str, ...], *, plot: Path | None) -> int:
    """What was spent in each month, and for what. Several logs are added up."""
    from exactdp.cli.spending_history import history_answer  # noqa: PLC0415 (what it imports takes time)

    return history_answer(logs, plot)


@command("filter audit", filter_command)
def audit_command(log: str, *, head: str | None) -> int:
    """Replay a log in exact rationals. Exit code 1 if anything is not as it was written."""
    found = audit(log, head=head)
    return _answer(told.audited(log, found), code=0 if found.intact else REFUTED)


@command("filter certify", filter_command)
def certify_command(log: str, *, delta: str | None, with_log: bool, certificates: Path) -> int:
    """Certify what the budget promises. Both ends, where a lower one is known."""
    check_places([], certificates=certificates, stem=stem_of(log))
    state = filters.Filter(log).state()
    header = state.header
    promised = promise(header.budget, header.delta if delta is None else delta)
    subject = BudgetSubject(header.budget, header.neighbouring, state.head if with_log else None)
    made = certificates_of_promise(promised, subject)
    files = certificate_files(certificates, stem_of(log), made)
    return _answer(told.certified(log, promised, [*files]), files)


@command("filter mend", filter_command)
def mend_command(log: str) -> int:
    """Mend a torn last line: remove it, or make it whole, on record."""
    return _answer(told.mended(log, filters.mend(log)))


@command("filter adopt", filter_command)
def adopt_command(log: str, *, reason: str) -> int:
    """Go on with a copy or older bytes, on record. Never spend from the original again."""
    filters.adopt(log, reason=reason)
    return _answer(told.adopted_now(log))
