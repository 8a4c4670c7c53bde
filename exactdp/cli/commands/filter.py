r"""``exactdp filter``: a budget that is spent as one goes, and its log.

Rules of this file: it renders what the library answered; what is not synced to the disk is not
called spent; a certificate leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from exactdp.cli.files import check_directory, write_together
from exactdp.cli.options import (
    command,
    stem_of,
)
from exactdp.cli.output import hear
from exactdp.cli.rendering import answer
from exactdp.errors import InputError, NothingComposedError
from exactdp.ledger.formats.recorded import RecordedSpend
from exactdp.ledger.reading import MAX_BYTES, content_of
from exactdp.pages.accepted import verified
from exactdp.pages.facts import Fact, fact, shown
from exactdp.pages.facts.spending import (
    adopted_since,
    charge_fact,
    charge_text,
    odometer_facts,
    older_copies_fact,
    promise_facts,
    promise_sentence,
)
from exactdp.pages.phrases import counted
from exactdp.pages.standing import Opening
from exactdp.spending import filter as filters
from exactdp.spending.auditing import Audit, adoptions
from exactdp.spending.auditing import audit as replay
from exactdp.spending.budget import KINDS, Budget, budget_of, parse_budget
from exactdp.spending.certificates import BudgetSubject, lower_certificate, upper_certificate
from exactdp.spending.log import State, finds_older_copies
from exactdp.spending.promises import largest_budget, promise
from exactdp.spending.records import read_record
from exactdp.spending.stated import parse_spend

_SO_FAR: Final = "what is spent so far is no (ε, δ) statement: the promise is about the budget"
_BROKEN: Final = 1


@click.group("filter")
def filter_command() -> None:
    """A budget, fixed before, that is spent as one goes and never exceeded."""


@command("filter init", filter_command)
def init_command(log: str, *, as_json: bool, **options: str | None) -> int:
    """Make a log with a budget, which nothing changes afterwards."""
    return _made(log, _budget(options), options, as_json=as_json)


@command("filter import", filter_command)
def import_command(
    log: str,
    *,
    record: str,
    format_: str,
    distance: str | None,
    as_json: bool,
    **options: str | None,
) -> int:
    """Make a log that begins with the spends that another tool recorded: all of them, or none."""
    read = read_record(_content(record), format_, distance=distance)
    if not read.spends and read.budget is None:
        raise NothingComposedError(
            field="RECORD",
            value="no spends",
            path=record,
            expected="a spend at least, or a budget",
            remedy="exactdp filter init makes a log in which nothing is spent",
        )
    for sentence in read.reading:
        hear(sentence)
    is_chosen = options["stated"] is not None or options["epsilon"] is not None
    budget = _budget(options) if is_chosen or read.budget is None else budget_of(read.budget)
    return _made(log, budget, options, read.spends, as_json=as_json)


def _content(record: str) -> bytes:
    data, name = content_of(record)
    if len(data) > MAX_BYTES:
        raise InputError(
            field="RECORD", value=name, expected=f"a file of at most {MAX_BYTES // 2**20} MiB"
        )
    return data


def _made(
    log: str,
    budget: Budget,
    options: Mapping[str, str | None],
    recorded: Sequence[RecordedSpend] = (),
    *,
    as_json: bool,
) -> int:
    """Make the log, and say what it promises and what is spent already."""
    delta = options["delta"]
    filters.init(
        log,
        budget,
        delta=delta,
        neighbouring=options["neighbouring"] or "unspecified",
        unit=options["unit"] or "",
        recorded=recorded,
    )
    sentence = f"The log {log} has the budget {budget}, which nothing changes from now on."
    found = [fact("log", log, "log", log), _budget_fact(budget)]
    head = filters.Filter(log).state().head
    if recorded:
        also = f" in {len(recorded)} lines"
        found.append(charge_fact("spent", "spent", budget.kind, head.spent, also))
        found.append(fact("imported", len(recorded)))
    if delta is not None:
        found += promise_facts(promise(budget, delta))
    found.append(older_copies_fact(finds_older_copies(head)))
    answer("filter", found, sentence, as_json=as_json)
    return 0


def _budget_fact(budget: Budget) -> Fact:
    return fact("budget", budget.document(), "budget", str(budget))


def _budget(options: Mapping[str, str | None]) -> Budget:
    stated, epsilon, by, delta = (options[key] for key in ("stated", "epsilon", "by", "delta"))
    if stated is not None:
        return parse_budget(stated)
    kind = next((each for each in KINDS if each == by), None)
    if epsilon is None or kind is None or delta is None:
        raise InputError(
            field="--budget",
            value="nothing",
            expected="--budget KIND=B, or --epsilon E --delta D --by KIND",
        )
    failures, alpha = options["failures"] or "0", options["alpha"]
    return largest_budget(epsilon=epsilon, delta=delta, by=kind, failures=failures, alpha=alpha)


@command("filter spend", filter_command)
def spend_command(log: str, *, mechanism: str, label: str, as_json: bool) -> int:
    """Count a spend, and sync it; only then may the query run. Exit code 1 if it does not fit."""
    open_log = filters.Filter(log)
    spent = open_log.spend(label=label, **parse_spend(mechanism))
    kind = open_log.budget.kind
    found = [
        fact("log", log),
        fact("number", spent.number),
        charge_fact("charge", "spent", kind, spent.charge),
        charge_fact("spent", "in all", kind, spent.total),
        charge_fact("left", "left", kind, spent.left),
        fact("head", spent.digest),
    ]
    left = charge_text(kind, spent.left)
    sentence = f"The spend is on record, and the query may run: {left} is left."
    answer("filter", found, sentence, as_json=as_json)
    return 0


@command("filter status", filter_command)
def status_command(log: str, *, delta: str | None, report: Path | None, as_json: bool) -> int:
    """What is spent, what is left, and the ε that the budget promises."""
    state = filters.Filter(log).state()
    budget, spent = state.header.budget, state.head.spent
    left = charge_text(budget.kind, budget.limit - spent)
    sentence = f"Of the budget {budget}, {left} is left after {counted(state.head.number, 'line')}."
    adopted = adopted_since(adoptions(log))
    if adopted:
        sentence = f"{sentence.rstrip('.')}, as far as the log knows: {adopted}."
    if report is not None:
        _write_page(report, log, state, delta, Opening((sentence,), ("proved",)))
    also = f" in {state.head.number} lines"
    found = [
        fact("log", log),
        _budget_fact(budget),
        charge_fact("spent", "spent", budget.kind, spent, also),
        charge_fact("left", "left", budget.kind, budget.limit - spent),
        fact("number", state.head.number),
        fact("adoption", adopted),
    ]
    target = delta if delta is not None else state.header.delta
    if target is not None:
        promised = promise(budget, target)
        found += [
            *promise_facts(promised, _SO_FAR),
            *odometer_facts(budget, spent, promised),
        ]
    found.append(fact("head", state.head.digest, "head", state.head.digest))
    answer("filter", found, sentence, as_json=as_json)
    return 0


def _write_page(report: Path, log: str, state: State, delta: str | None, head: Opening) -> None:
    from exactdp.cli.places import check_report  # noqa: PLC0415 (as above)
    from exactdp.pages.budget import budget_findings  # noqa: PLC0415 (few ask for a page)
    from exactdp.pages.page import name_of, report_file  # noqa: PLC0415 (as above)

    check_report(report, [log])
    target = delta if delta is not None else state.header.delta
    if target is None:
        raise _without_delta()
    data = Path(log).read_bytes()[: state.length]
    found = budget_findings(name_of(log), data, state, promise(state.header.budget, target))
    write_together(report_file(report, [found], head), "--report")


def _without_delta() -> InputError:
    return InputError(field="--delta", value="nothing", expected="a δ, as the log names none")


@command("filter audit", filter_command)
def audit_command(log: str, *, head: str | None, as_json: bool) -> int:
    """Replay a log in exact rationals. Exit code 1 if anything is not as it was written."""
    found = replay(log, head=head)
    sentence = f"The log is {_told(found).rstrip('.')}."
    answer("filter", [fact("log", log), *_audit_facts(found)], sentence, as_json=as_json)
    return 0 if found.intact else _BROKEN


def _told(found: Audit) -> str:
    """Whether the log is as it was written, and since when."""
    adopted = adopted_since(found.adoptions)
    if not found.intact:
        also = f"; {adopted}" if adopted else ""
        return f"not as it was written: {found.problem}{also}"
    return f"as it was written since {adopted}" if adopted else "as it was written"


def _audit_facts(audited: Audit) -> list[Fact]:
    word = _told(audited) if audited.intact else f"BROKEN: {audited.problem}"
    found = [fact("intact", audited.intact, "audit", word), fact("problem", audited.problem)]
    counts = ", ".join(f"{n} {kind}" for kind, n in sorted(audited.entries.items()))
    entries, lines = dict(audited.entries), []
    if audited.header is not None and audited.head is not None:
        found.append(shown("budget", str(audited.header.budget)))
        lines = [counts or "the first"]
    found.append(fact("entries", entries, "lines that hold", *lines))
    if audited.head is not None and audited.header is not None:
        head, kind = audited.head, audited.header.budget.kind
        found.append(charge_fact("spent", "spent there", kind, head.spent))
        found += [fact("head", head.digest), older_copies_fact(finds_older_copies(head))]
    times = audited.backwards
    clocks = [f"went backwards {times} times; nothing rests on them"] if times else []
    adoption = fact("adoption", adopted_since(audited.adoptions))
    return [*found, fact("backwards", times, "clocks", *clocks), adoption]


@command("filter certify", filter_command)
def certify_command(
    log: str, *, delta: str | None, with_log: bool, certificates: Path, as_json: bool
) -> int:
    """Certify what the budget promises, from both ends where a lower one is known."""
    check_directory(certificates, "--certificates", stem_of(log))
    state = filters.Filter(log).state()
    header = state.header
    target = delta if delta is not None else header.delta
    if target is None:
        raise _without_delta()
    promised = promise(header.budget, target)
    subject = BudgetSubject(header.budget, header.neighbouring, state.head if with_log else None)
    made = {
        "upper": upper_certificate(promised, subject),
        "lower": lower_certificate(promised, subject),
    }
    files = {
        certificates / f"{stem_of(log)}.{bound}.json": verified(each)
        for bound, each in made.items()
        if each is not None
    }
    write_together(files, "--certificates")
    paths = [str(path) for path in files]
    found = [
        fact("log", log),
        _budget_fact(header.budget),
        *promise_facts(promised),
        fact("certificates", paths, "certificates", *paths),
    ]
    sentence = promise_sentence(header.budget, promised)
    answer("filter", found, sentence, as_json=as_json)
    return 0


@command("filter mend", filter_command)
def mend_command(log: str, *, as_json: bool) -> int:
    """Remove what a writer left behind the last whole line, or make that whole, on record."""
    removed = filters.mend(log)
    mended = f"{len(removed)} bytes removed, and recorded in the log"
    sentence = "What a writer left behind the last whole line is removed, and that is on record."
    if not removed:
        mended = "the line feed of the last line is put back, and recorded in the log"
        sentence = "The last line is whole again, and what it spends counts; that is on record."
    found = [fact("log", log), fact("removed", removed.hex(), "mended", mended)]
    answer("filter", found, sentence, as_json=as_json)
    return 0


@command("filter adopt", filter_command)
def adopt_command(log: str, *, reason: str, as_json: bool) -> int:
    """Go on with a copy or older bytes, on record. Never spend from the original again."""
    filters.adopt(log, reason=reason)
    adopted = "this file is the log now; what the original spent since is not in it"
    sentence = "This file is the log from now on, and that is on record."
    found = [fact("log", log), fact("adopted", True, "adopted", adopted)]
    answer("filter", found, sentence, as_json=as_json)
    return 0
