r"""``exactdp filter``: a budget that is spent as one goes, and its log.

Rules of this file: it renders what the library answered; what is not synced to the disk is not
called spent; a certificate leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from exactdp.cli.budget_words import (
    adopted_since,
    charge_json,
    charge_text,
    left_text,
    odometer_rows,
    promise_json,
    promise_row,
    promise_sentence,
    rows_on_older_copies,
)
from exactdp.cli.files import check_directory, write_together
from exactdp.cli.options import (
    command,
    stem_of,
)
from exactdp.cli.output import hear, print_json
from exactdp.cli.rendering import facts, show
from exactdp.errors import InputError, NothingComposedError
from exactdp.ledger.formats.recorded import RecordedSpend
from exactdp.ledger.reading import MAX_BYTES, content_of
from exactdp.pages.accepted import verified
from exactdp.pages.number_text import Rows
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
    rows: Rows = [("log", log), ("budget", str(budget))]
    state = filters.Filter(log).state()
    finds = finds_older_copies(state.head)
    result: dict[str, object] = {
        "log": log,
        "budget": budget.document(),
        "finds_older_copies": finds,
    }
    if recorded:
        spent = state.head.spent
        rows.append(("spent", f"{charge_text(budget.kind, spent)} in {len(recorded)} lines"))
        result |= {"imported": len(recorded), "spent": charge_json(spent)}
    if delta is not None:
        promised = promise(budget, delta)
        rows.append(promise_row(promised))
        result |= promise_json(promised)
    rows += rows_on_older_copies(finds)
    return _answer(result, sentence, rows, as_json=as_json)


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
    rows = [
        ("spent", charge_text(kind, spent.charge)),
        ("in all", charge_text(kind, spent.total)),
        ("left", charge_text(kind, spent.left)),
    ]
    result = {
        "log": log,
        "number": spent.number,
        "charge": charge_json(spent.charge),
        "spent": charge_json(spent.total),
        "left": charge_json(spent.left),
        "head": spent.digest,
    }
    left = charge_text(kind, spent.left)
    sentence = f"The spend is on record, and the query may run: {left} is left."
    return _answer(result, sentence, rows, as_json=as_json)


@command("filter status", filter_command)
def status_command(log: str, *, delta: str | None, report: Path | None, as_json: bool) -> int:
    """What is spent, what is left, and the ε that the budget promises."""
    state = filters.Filter(log).state()
    budget, spent = state.header.budget, state.head.spent
    left = left_text(budget, spent)
    sentence = f"Of the budget {budget}, {left} is left after {counted(state.head.number, 'line')}."
    adopted = adopted_since(adoptions(log))
    if adopted:
        sentence = f"{sentence.rstrip('.')}, as far as the log knows: {adopted}."
    if report is not None:
        _write_page(report, log, state, delta, Opening((sentence,), ("proved",)))
    rows: Rows = [
        ("budget", str(budget)),
        ("spent", f"{charge_text(budget.kind, spent)} in {state.head.number} lines"),
        ("left", charge_text(budget.kind, budget.limit - spent)),
    ]
    result: dict[str, object] = {
        "log": log,
        "budget": budget.document(),
        "spent": charge_json(spent),
        "left": charge_json(budget.limit - spent),
        "number": state.head.number,
        "head": state.head.digest,
        "adoption": adopted,
    }
    target = delta if delta is not None else state.header.delta
    if target is not None:
        promised = promise(budget, target)
        rows += [promise_row(promised), ("", _SO_FAR)]
        result |= promise_json(promised)
        rows += odometer_rows(budget, spent, promised, result)
    rows.append(("head", state.head.digest))
    return _answer(result, sentence, rows, as_json=as_json)


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
    result: dict[str, object] = {
        "log": log,
        "intact": found.intact,
        "problem": found.problem,
        "entries": dict(found.entries),
        "backwards": found.backwards,
        "adoption": adopted_since(found.adoptions),
    }
    if found.head is not None:
        result |= {"spent": charge_json(found.head.spent), "head": found.head.digest}
        result["finds_older_copies"] = finds_older_copies(found.head)
    sentence = f"The log is {_told(found).rstrip('.')}."
    _answer(result, sentence, _audit_rows(found), as_json=as_json)
    return 0 if found.intact else _BROKEN


def _told(found: Audit) -> str:
    """Whether the log is as it was written, and since when."""
    adopted = adopted_since(found.adoptions)
    if not found.intact:
        also = f"; {adopted}" if adopted else ""
        return f"not as it was written: {found.problem}{also}"
    return f"as it was written since {adopted}" if adopted else "as it was written"


def _audit_rows(found: Audit) -> Rows:
    rows: Rows = [("audit", _told(found) if found.intact else f"BROKEN: {found.problem}")]
    if found.header is not None and found.head is not None:
        budget = found.header.budget
        counts = ", ".join(f"{n} {kind}" for kind, n in sorted(found.entries.items()))
        rows += [("budget", str(budget)), ("lines that hold", counts or "the first")]
        rows.append(("spent there", charge_text(budget.kind, found.head.spent)))
        rows += rows_on_older_copies(finds_older_copies(found.head))
    if found.backwards:
        rows.append(("clocks", f"went backwards {found.backwards} times; nothing rests on them"))
    return rows


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
    rows = [("budget", str(header.budget)), promise_row(promised)]
    rows += [("certificates" if not i else "", str(path)) for i, path in enumerate(files)]
    result: dict[str, object] = {"log": log, "budget": header.budget.document()}
    result |= promise_json(promised)
    result |= {"certificates": [str(path) for path in files]}
    sentence = promise_sentence(header.budget, promised)
    return _answer(result, sentence, rows, as_json=as_json)


@command("filter mend", filter_command)
def mend_command(log: str, *, as_json: bool) -> int:
    """Remove what a writer left behind the last whole line, or make that whole, on record."""
    removed = filters.mend(log)
    rows = [("mended", f"{len(removed)} bytes removed, and recorded in the log")]
    sentence = "What a writer left behind the last whole line is removed, and that is on record."
    if not removed:
        rows = [("mended", "the line feed of the last line is put back, and recorded in the log")]
        sentence = "The last line is whole again, and what it spends counts; that is on record."
    return _answer({"log": log, "removed": removed.hex()}, sentence, rows, as_json=as_json)


@command("filter adopt", filter_command)
def adopt_command(log: str, *, reason: str, as_json: bool) -> int:
    """Go on with a copy or older bytes, on record. Never spend from the original again."""
    filters.adopt(log, reason=reason)
    rows = [("adopted", "this file is the log now; what the original spent since is not in it")]
    sentence = "This file is the log from now on, and that is on record."
    return _answer({"log": log, "adopted": True}, sentence, rows, as_json=as_json)


# --- parts --------------------------------------------------------------------------------------


def _answer(result: Mapping[str, object], sentence: str, rows: Rows, *, as_json: bool) -> int:
    if as_json:
        print_json("filter", result)
    else:
        show(sentence, "", facts(rows))
    return 0
