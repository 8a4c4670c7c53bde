r"""``exactdp filter init`` and ``import``: new logs, empty or with what another tool recorded.

Rules of this file: what was not read of a record is said; all logs are made, or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from exactdp.cli.output import hear
from exactdp.cli.rendering import answer
from exactdp.errors import InputError
from exactdp.ledger.formats.recorded import Record
from exactdp.pages.facts.spending import made
from exactdp.spending.filter import Filter, init
from exactdp.spending.promises import asked_budget
from exactdp.spending.records import record_of


def begun(log: str, record: Record, *, neighbouring: str, unit: str, **asked: Any) -> int:  # noqa: ANN401 (of a budget)
    """Make a log that begins with a record, and print its budget.

    Returns: the exit code.
    """
    budget = asked_budget(record.budget, **asked)
    about = {"delta": asked["delta"], "neighbouring": neighbouring, "unit": unit}
    init(log, budget, **about, recorded=record.spends)
    known = made(log, Filter(log).state(), len(record.spends))
    return answer(known.facts, known.sentence, members=known.members)


def imported(
    log: str,
    *,
    record: str,
    format_: str,
    split: str | None,
    shares: Sequence[tuple[str, str]],
    **options: Any,  # noqa: ANN401 (of a budget and a log)
) -> int:
    """Make a log with what another tool recorded, or one for each part of it.

    Returns: the exit code.
    """
    read = record_of(record, format_, split)
    for sentence in read.reading:
        hear(sentence)
    if split is not None:
        return _each_part(log, read, dict(shares), **options)
    if shares:
        raise InputError(field="--share", value=shares[0][0], expected="--split COLUMN beside it")
    return begun(log, read, **options)


def _each_part(
    log: str,
    record: Record,
    shares: dict[str, str],
    *,
    neighbouring: str,
    unit: str,
    **asked: Any,  # noqa: ANN401 (of a budget)
) -> int:
    from exactdp.cli.spending_history import answer_together  # noqa: PLC0415 (few ask)
    from exactdp.spending.splitting import make_logs  # noqa: PLC0415 (as above)

    about = {"delta": asked["delta"], "neighbouring": neighbouring, "unit": unit}
    budget = partial(asked_budget, record.budget, **asked)
    return answer_together(*make_logs(log, record, budget, shares, **about))
