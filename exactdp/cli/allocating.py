r"""``exactdp budget --allocate``: one budget shared among the statistics of a file.

Rules of this file: an error is rounded up; ε is exact or, where its digits are many, rounded down
with a sign that says so; what keeps the budget is said to only once the verifier has accepted it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.allocation.allocate import allocate
from exactdp.allocation.reading import StatisticsFile, read_statistics
from exactdp.allocation.results import Allocation, RivalSplit, StatisticShare
from exactdp.allocation.statistics import checked_confidence
from exactdp.arithmetic.decimal_text import (
    round_above,
    round_below,
    scientific_above,
    scientific_text,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.numbers import Number
from exactdp.budgets.budget import DEFAULT_TOLERANCE
from exactdp.cli.files import check_directory, write_together
from exactdp.cli.options import stem_of
from exactdp.cli.output import print_json
from exactdp.cli.progress import working
from exactdp.cli.rendering import columns, facts, show
from exactdp.cli.tables import Cell
from exactdp.errors import InputError
from exactdp.ledger.reading import write_ledger
from exactdp.pages.accepted import verified
from exactdp.pages.number_text import Rows, grouped
from exactdp.pages.phrases import budget_text, shared

_DIGITS: Final = 6
_SHOWN_EPSILON: Final = 8
_HUNDRED: Final = 100


@dataclass(frozen=True, slots=True)
class AllocationRequest:
    """What the options of ``budget --allocate`` ask for.

    Attributes:
        source: the file.
        epsilon: ε of the budget, or None for the file's.
        deltas: every δ to be answered for; empty for the file's.
        fix: pairs NAME=ε.
        without: names of statistics to leave out.
        confidence: that of the intervals, or None for the file's.
        tolerance: the relative width of the interval for the scale, or None for the default.
        max_cost: the limit of work.
        certificates: where certificates and ledgers go, or None.
        as_json: whether one JSON object is printed, or text.
    """

    source: str
    epsilon: str | None
    deltas: tuple[str, ...]
    fix: tuple[str, ...]
    without: tuple[str, ...]
    confidence: str | None
    tolerance: str | None
    max_cost: int
    certificates: Path | None
    as_json: bool


def run_allocation(request: AllocationRequest) -> int:
    """Answer for every δ, print, and write what was asked for."""
    file = read_statistics(request.source)
    fix = _fixed(request.fix)
    stem = "statistics" if request.source == "-" else stem_of(request.source)
    if request.certificates is not None:
        check_directory(request.certificates, "--certificates", stem)
    with working("sharing", as_json=request.as_json):
        pairs = [_answers(request, file, fix, delta) for delta in _deltas(request, file)]
        files: dict[Path, bytes] = {}
        for number, (answer, _) in enumerate(pairs, 1):
            name = stem if len(pairs) == 1 else f"{stem}.{number}"
            files |= _files(answer, request.certificates, name)
    written = {path: data for path, data in files.items() if request.certificates is not None}
    write_together(written, "--certificates")
    if request.as_json:
        print_json("budget", _json(file, pairs, [str(path) for path in written]))
    else:
        _show(file, pairs, [str(path) for path in written])
    return 0


def _deltas(request: AllocationRequest, file: StatisticsFile) -> Sequence[Number]:
    deltas: Sequence[Number] = request.deltas or file.deltas
    if not deltas:
        raise InputError(
            field="--delta",
            value="nothing",
            expected="a δ, as the file names none",
            remedy="for example: --delta 1e-6",
        )
    return deltas


def _answers(
    request: AllocationRequest, file: StatisticsFile, fix: dict[str, str], delta: Number
) -> tuple[Allocation, Allocation | None]:
    """What the budget gives, and what it gave before anything was fixed or left out."""
    epsilon = request.epsilon if request.epsilon is not None else file.epsilon
    if epsilon is None:
        raise InputError(
            field="--epsilon",
            value="nothing",
            expected="an ε, as the file names none",
            remedy="for example: --epsilon 1",
        )
    given = request.confidence
    confidence = file.confidence if given is None else checked_confidence(given)

    def share(fixed: dict[str, str], without: tuple[str, ...]) -> Allocation:
        return allocate(
            file.statistics,
            epsilon=epsilon,
            delta=delta,
            fix=fixed,
            without=without,
            confidence=confidence,
            tolerance=request.tolerance or DEFAULT_TOLERANCE,
            max_cost=request.max_cost,
        )

    answer = share(fix, request.without)
    return answer, share({}, ()) if fix or request.without else None


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


# --- text ----------------------------------------------------------------------------------------


_Pairs = Sequence[tuple[Allocation, Allocation | None]]


def _show(file: StatisticsFile, pairs: _Pairs, written: Sequence[str]) -> None:
    """A table for every δ, and where the certificates are."""
    kept = sum(answer.outcome != "none" for answer, _ in pairs)
    budgets = [budget_text(answer.epsilon, answer.delta) for answer, _ in pairs]
    parts: list[Cell] = [shared(budgets, len(pairs[0][0].statistics), kept), ""]
    parts.append(f"{file.name or 'Statistics'}: {_size(pairs[0][0])}")
    for answer, before in pairs:
        parts += ["", *_parts(answer, before)]
    rows = [("written" if not i else "", path) for i, path in enumerate(written)]
    if rows:
        parts += ["", facts(rows)]
    show(*parts)


def _size(answer: Allocation) -> str:
    answers = sum(each.count for each in answer.statistics)
    return f"{len(answer.statistics)} statistics, {grouped(answers)} answers"


def _parts(answer: Allocation, before: Allocation | None) -> Iterable[Cell]:
    """The lines for one δ."""
    budget = budget_text(answer.epsilon, answer.delta)
    if answer.outcome == "none":
        yield facts([("budget", budget), ("allocation", f"none: {answer.reason}")])
        return
    yield facts([("budget", budget)])
    yield ""
    yield _table_of_shares(answer, before)
    yield ""
    rows: Rows = []
    if answer.weighted_error:
        rows.append(("weighted error", _error(answer.weighted_error)))
    rows.append(("keeps the budget", "certified, and accepted by the verifier"))
    if answer.lower_certificate is not None:
        rows.append(("", "certified as well: a little more for all that are free does not"))
    yield facts(rows)
    if answer.rivals:
        yield ""
        yield _table_of_rivals(answer)


def _table_of_shares(answer: Allocation, before: Allocation | None) -> Cell:
    percent = short_text(answer.confidence * _HUNDRED)
    titles = ["statistic", "noise", "answers", "ε of each", "scale", "expected error"]
    titles += [f"{percent} % within", "ε set by"]
    earlier = {} if before is None else {share.statistic.name: share for share in before.shares}
    rows = [_row(share) for share in answer.shares]
    if before is not None:
        titles.append("ε before")
        for row, share in zip(rows, answer.shares, strict=True):
            old = earlier.get(share.statistic.name)
            row.append("" if old is None else _epsilon(old.epsilon))
    return columns(titles, rows)


def _row(share: StatisticShare) -> list[str]:
    statistic, accuracy = share.statistic, share.accuracy
    set_by = share.set_by if share.meets_target else f"{share.set_by}, misses its target"
    return [
        statistic.name,
        statistic.noise,
        grouped(statistic.count),
        _epsilon(share.epsilon),
        f"{statistic.family.scale_name} = {scientific_above(accuracy.scale, _DIGITS)}",
        _error(accuracy.expected),
        _error(accuracy.within),
        set_by,
    ]


def _table_of_rivals(answer: Allocation) -> Cell:
    """Other splits of the same budget, and how much larger their errors are."""
    rows = [_rival_row(rival, answer.weighted_error) for rival in answer.rivals]
    rows.append(["this allocation", "optimal", _error(answer.weighted_error), "1"])
    return columns(["split", "composition", "weighted error", "times this"], rows)


def _rival_row(rival: RivalSplit, error: mpq) -> list[str]:
    if rival.weighted_error is None:
        return [rival.split, rival.composition, "does not fit", ""]
    times = round_below(rival.weighted_error / error, 4)
    texts = [_error(rival.weighted_error), scientific_text(times)]
    return [rival.split, rival.composition, *texts]


def _epsilon(value: mpq) -> str:
    """An ε: exact if short, else rounded down with dots."""
    text = short_text(value)
    return text if len(text) <= _SHOWN_EPSILON else f"{scientific_text(round_below(value, 6))}…"


def _error(value: mpq) -> str:
    return scientific_above(value, _DIGITS)


# --- JSON ----------------------------------------------------------------------------------------


def _json(file: StatisticsFile, pairs: _Pairs, written: Sequence[str]) -> dict[str, object]:
    result: dict[str, object] = {
        "statistics": file.name,
        "allocations": [_json_of(answer, before) for answer, before in pairs],
    }
    if written:
        result["certificates"] = list(written)
    return result


def _json_of(answer: Allocation, before: Allocation | None) -> dict[str, object]:
    """One δ."""
    earlier = {} if before is None else {share.statistic.name: share for share in before.shares}
    shares = []
    for share in answer.shares:
        entry = _json_of_share(share)
        old = earlier.get(share.statistic.name)
        shares.append(entry if old is None else {**entry, "epsilon_before": str(old.epsilon)})
    return {
        "epsilon": shortest_text(answer.epsilon),
        "delta": short_text(answer.delta),
        "confidence": short_text(answer.confidence),
        "outcome": answer.outcome,
        "reason": answer.reason,
        "shares": shares,
        "weighted_error": _end(answer.weighted_error) if answer.shares else None,
        "rivals": [
            {
                "split": rival.split,
                "composition": rival.composition,
                "epsilons": None if rival.epsilons is None else [*map(str, rival.epsilons)],
                "weighted_error": None
                if rival.weighted_error is None
                else _end(rival.weighted_error),
            }
            for rival in answer.rivals
        ],
        "verified": answer.upper_certificate is not None,
    }


def _json_of_share(share: StatisticShare) -> dict[str, object]:
    statistic, accuracy = share.statistic, share.accuracy
    return {
        "name": statistic.name,
        "noise": statistic.noise,
        "count": str(statistic.count),
        "epsilon": str(share.epsilon),
        "delta": short_text(statistic.delta),
        "set_by": share.set_by,
        "scale": scientific_text(accuracy.scale),
        "expected_error": _end(accuracy.expected),
        "within": _end(accuracy.within),
        "meets_target": share.meets_target,
    }


def _end(value: mpq) -> str:
    """An upper end as a finite decimal."""
    return scientific_text(round_above(value, 12))
