r"""``exactdp.filter``: a budget, fixed before, that is spent as one goes and never exceeded.

Rules of this file: what is spent is on the disk before the query may run, so that a crash counts
it; what does not fit is refused and leaves the log as it was.

Theory of operation: :mod:`exactdp.spending.log` keeps the file, and what a spend counts stands in
:mod:`exactdp.spending.charges`. A filter holds nothing of its own but a path: any
number of processes and threads may spend from one log.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import short_text
from exactdp.arithmetic.numbers import Number, as_rational
from exactdp.errors import BudgetExceeded, DomainError, InputError
from exactdp.ledger.formats.recorded import RecordedSpend
from exactdp.readable import Readable
from exactdp.spending.budget import Budget, Charge, bounded, budget_of, parse_budget
from exactdp.spending.charges import Spend
from exactdp.spending.lines import (
    NEIGHBOURING,
    Head,
    Header,
    charge_document,
    digest_of,
    head_of,
    next_line,
)
from exactdp.spending.log import State, append, create, locked, now, read_ends
from exactdp.spending.place import place_of
from exactdp.spending.stated import SpendParameter, spend_of

Function = TypeVar("Function", bound=Callable[..., Any])

_MOST_CHARACTERS: Final = 1000


@dataclass(frozen=True, slots=True)
class Spent(Readable):
    """A spend that is on the disk.

    Attributes:
        number: of its line.
        charge: what it counted.
        total: what has been spent with it.
        left: what may still be spent.
        digest: of its line.
    """

    number: int
    charge: Charge
    total: Charge
    left: Charge
    digest: str

    def facts(self) -> list[tuple[str, str]]:
        """What was counted, and what is left."""
        charges = (("spent", self.charge), ("in all", self.total), ("left", self.left))
        rows = [(name, _charge_text(each)) for name, each in charges]
        return [("line", str(self.number)), *rows, ("SHA-256", self.digest)]


class Filter:
    """A budget and the log of what has been spent of it.

    Args:
        path: of a spend log that exists.

    Raises:
        InputError: there is none, it is broken, torn or a copy.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        state = self.state()
        state.require_sound()
        self.header = state.header

    @property
    def budget(self) -> Budget:
        """What may be spent in all."""
        return self.header.budget

    def state(self) -> State:
        """What the ends of the log say now."""
        with locked(self.path, writing=False) as descriptor:
            return read_ends(descriptor)

    @property
    def spent(self) -> Charge:
        """What has been spent."""
        return self.state().head.spent

    @property
    def left(self) -> Charge:
        """What may still be spent, by this process or another."""
        return self.budget.limit - self.spent

    def spend(self, *, label: str = "", **parameters: SpendParameter) -> Spent:
        """Count a spend and sync it to the disk. Only then may the query run.

        Args:
            label: what it is for, in words.
            **parameters: of one notion or mechanism: ``epsilon`` (and ``delta``), ``rho``, ``mu``,
                ``sigma`` and ``sensitivity``, ``bounded_range``, ``renyi``, ``laplace``,
                ``discrete_laplace`` or ``discrete_gaussian``; beside it ``count`` and ``rate``.

        Raises:
            BudgetExceeded: it does not fit; nothing was spent.
            InputError: it is not understood, not counted by this budget, or the log cannot be
                written; nothing was spent.
        """
        spend = spend_of(parameters)
        entry = {"entry": "spend", "of": spend.document, "label": _text(label, "label")}
        with locked(self.path, writing=True) as descriptor:
            state = read_ends(descriptor)
            state.require_sound()
            header, head = state.header, state.head
            line, after = _charged_line(header, head, entry, spend, head.place)
            append(descriptor, state, line)
        left = header.budget.limit - after.spent
        charge = after.spent - head.spent
        return Spent(after.number, charge, after.spent, left, after.digest)

    def charged(
        self, *, label: str = "", **parameters: SpendParameter
    ) -> Callable[[Function], Function]:
        """Let a function run only once its spend is on the disk; anew at each call.

        Raises:
            InputError: the parameters are not understood, or not counted by this budget.
        """
        spend_of(parameters).charge(self.budget, self.header.neighbouring)

        def guard(function: Function) -> Function:
            purpose = label or getattr(function, "__name__", "")

            @functools.wraps(function)
            def guarded(*args: object, **kwargs: object) -> object:
                self.spend(label=purpose, **parameters)
                return function(*args, **kwargs)

            @functools.wraps(function)
            async def awaited(*args: object, **kwargs: object) -> object:
                await asyncio.to_thread(self.spend, label=purpose, **parameters)
                return await function(*args, **kwargs)

            return awaited if inspect.iscoroutinefunction(function) else guarded  # type: ignore[return-value]  # of the function's own signature

        return guard

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing: whatever was spent is on the disk."""


def filter(  # noqa: A001 (exactdp.filter is what it is)
    path: str | PathLike[str],
    *,
    budget: Budget | str | Mapping[str, Number] | None = None,
    delta: Number | None = None,
    neighbouring: str = "unspecified",
    unit: str = "",
) -> Filter:
    r"""The filter of a spend log; with a budget, of one that is made if it does not exist.

    Args:
        path: of the log.
        budget: what may be spent, such as "rho=1/2"; it must be that of a log that exists.
        delta: the δ for which the log reports what the budget promises.
        neighbouring: "add-remove-one", "replace-one" or "unspecified".
        unit: the unit of privacy, in words.

    Raises:
        InputError: there is no log, and no budget to make one; or another budget.

    >>> import tempfile, pathlib
    >>> log = pathlib.Path(tempfile.mkdtemp()) / "week.log"
    >>> with filter(log, budget="rho=1/2", delta="1e-6") as budget:
    ...     receipt = budget.spend(rho="1/100", label="ages")
    >>> receipt.left.size
    mpq(49,100)
    """
    place = Path(path)
    if budget is None:
        return Filter(place)
    wanted = _budget(budget)
    if not place.exists():
        init(place, wanted, delta=delta, neighbouring=neighbouring, unit=unit)
    found = Filter(place)
    if found.budget != wanted:
        raise InputError(
            field="budget",
            value=str(wanted),
            expected=f"the budget of this log, {found.budget}",
            remedy="a budget is fixed before the first spend",
        )
    return found


def init(
    path: str | PathLike[str],
    budget: Budget | str | Mapping[str, Number],
    *,
    delta: Number | None = None,
    neighbouring: str = "unspecified",
    unit: str = "",
    recorded: Iterable[RecordedSpend] = (),
) -> None:
    """Make a spend log.

    Args:
        path: of the log.
        budget: what may be spent.
        delta: the δ for which the log reports what the budget promises.
        neighbouring: "add-remove-one", "replace-one" or "unspecified".
        unit: the unit of privacy, in words.
        recorded: what was spent of the budget before there was this log, all of which it counts.

    Raises:
        InputError: there is a file of that name, or bad arguments; nothing is made.
        BudgetExceeded: what was recorded does not fit; nothing is made.
    """
    if neighbouring not in NEIGHBOURING:
        raise InputError(
            field="neighbouring", value=neighbouring, expected=" or ".join(NEIGHBOURING)
        )
    target = None if delta is None else as_rational(delta, "delta")
    checked = _budget(budget)
    if target is not None and not checked.delta <= target <= 1:
        raise DomainError(
            field="delta",
            value=str(target),
            expected=f"a rational from the budget of failures, {checked.delta}, to 1",
        )
    identity = secrets.token_hex(16)
    header = Header(checked, neighbouring, _text(unit, "unit"), target, identity)
    create(Path(path), header, partial(_recorded_lines, header, recorded))


def _recorded_lines(
    header: Header, recorded: Iterable[RecordedSpend], head: Head
) -> Iterator[bytes]:
    """The lines of spends that another tool recorded."""
    for each in recorded:
        try:
            spend = spend_of(each.parameters)
            entry = {"entry": "spend", "of": spend.document, "label": _text(each.label, "label")}
            line, head = _charged_line(header, head, entry, spend, head.place)
        except (BudgetExceeded, InputError) as error:
            raise error.located(each.place) from None
        yield line


def _charged_line(
    header: Header, head: Head, entry: Mapping[str, object], spend: Spend, place: str
) -> tuple[bytes, Head]:
    """The line of a spend, and what it says.

    Raises:
        BudgetExceeded: it does not fit.
        InputError: this budget does not count it.
    """
    charge = spend.charge(header.budget, header.neighbouring)
    if not header.budget.allows(head.spent + charge):
        raise _exceeded(header.budget, head.spent, charge)
    total = bounded(head.spent, charge)
    time = now()
    line = next_line(head, {**entry, "charge": charge_document(charge)}, total, place, time)
    return line, Head(head.number + 1, total, place, digest_of(line), time)


def adopt(path: str | PathLike[str], *, reason: str) -> None:
    """Go on with a copy or with older bytes, on record: the original must not be spent from again.

    What is torn at its end is put back if only the line feed is lost, and else removed on record.

    Raises:
        InputError: it is neither, or broken.
    """
    with locked(Path(path), writing=True) as descriptor:
        state = read_ends(descriptor)
        if not state.is_copy and not state.is_rolled_back:
            state.require_sound()
            raise InputError(
                field="log", value=str(path), expected="a copy", remedy="this is the original"
            )
        entry = {"entry": "adopt", "reason": _text(reason, "reason")}
        place = str(place_of(descriptor))
        before, lines = _tail(state)
        line = next_line(before, entry, before.spent, place, now())
        append(descriptor, state, *lines, line)


def mend(path: str | PathLike[str]) -> bytes:
    """Remove what stands behind the last whole line, on record; returns it.

    Where only the line feed of a line is lost it is put back, so that its spend counts, and
    nothing is removed.

    Raises:
        InputError: nothing does, or the log is a copy, or older than it was, or broken.
    """
    with locked(Path(path), writing=True) as descriptor:
        state = read_ends(descriptor)
        if not state.torn:
            raise InputError(field="log", value=str(path), expected="a log whose last line is torn")
        if state.is_copy or state.is_rolled_back:
            state.require_sound()
        if not state.restored:
            append(descriptor, state, *_tail(state)[1])
            return state.torn
        append(descriptor, state, state.restored)
        state = read_ends(descriptor)
        append(descriptor, state, _mended(state))
        return b""


def _tail(state: State) -> tuple[Head, list[bytes]]:
    """The lines that take the place of what is torn, and what the last line then says."""
    if not state.torn:
        return state.head, []
    line = state.restored or _mended(state)
    return head_of(line), [line]


def _mended(state: State) -> bytes:
    entry = {"entry": "mend", "removed": state.torn.hex()}
    return next_line(state.head, entry, state.head.spent, state.head.place, now())


def _charge_text(charge: Charge) -> str:
    failures = f", δ = {short_text(charge.delta)}" if charge.delta else ""
    return f"{short_text(charge.size)}{failures}"


def _budget(budget: Budget | str | Mapping[str, Number]) -> Budget:
    if isinstance(budget, Budget):
        return budget
    return parse_budget(budget) if isinstance(budget, str) else budget_of(budget)


def _exceeded(budget: Budget, spent: Charge, charge: Charge) -> BudgetExceeded:
    left = budget.limit - spent
    what = "size" if charge.size > left.size else "delta"
    asked, fits = (getattr(each, what) for each in (charge, left))
    measure = {"size": {"mu": "μ²", "rho": "ρ", "epsilon": "ε"}.get(budget.kind, "a divergence")}
    return BudgetExceeded(
        field="spend",
        value=f"{measure.get(what, 'δ')} = {_short(asked)}",
        expected=f"at most {_short(fits)}, which is left of {budget}",
        remedy="nothing was spent; the query must not run",
    )


def _short(value: mpq) -> str:
    return short_text(mpq(value))


def _text(value: object, field: str) -> str:
    """A text that a line can hold."""
    if not isinstance(value, str) or len(value) > _MOST_CHARACTERS:
        raise InputError(
            field=field, value=str(value), expected=f"a text of at most {_MOST_CHARACTERS} letters"
        )
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise InputError(field=field, value=value, expected="text that UTF-8 can hold")
    return value
