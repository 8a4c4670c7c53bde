r"""Arguments: what callers pass, checked and brought into exact form.

Rules of this file: this is the door of the library. A float, a missing δ or a value out of range
is refused here, with a message that says what to pass instead; nothing else is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from typing import Any, Final, Protocol, TypeAlias

from gmpy2 import mpq, mpz

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.numbers import ExactNumber, Number, as_number, as_rational
from exactdp.composition.engines.engine import METHODS, Method
from exactdp.errors import DomainError, InputError, shorten
from exactdp.ledger.model import Ledger
from exactdp.ledger.nothing import something_of
from exactdp.mechanisms.family import GivenBy

DEFAULT_TOLERANCE: Final = "1e-9"
NOISE_TOLERANCE: Final = "1e-4"
TOLERANCES: Final[Mapping[GivenBy, str]] = {
    "epsilon-delta": DEFAULT_TOLERANCE,
    "rho-mu": DEFAULT_TOLERANCE,
    "noise": NOISE_TOLERANCE,
}
"""The default for what a mesh, or whatever else composes such mechanisms, meets at little cost."""


class _Event(Protocol):
    """An event of dp-accounting's interface."""

    def to_named_tuple(self) -> Any:  # noqa: ANN401 (a named tuple)
        """Its module, its class and its fields."""


LedgerLike: TypeAlias = Ledger | PathLike[str] | Iterable[object] | _Event
"""A ledger, the path of one, mechanisms, the rows of a table, or events of dp-accounting."""
_FINEST: Final = mpq(1, mpz(10) ** 10_000)


def ledger_of(value: LedgerLike) -> Ledger:
    """A ledger, or the ledger of these mechanisms, of a table's rows, or of a file.

    Raises:
        InputError: it is none of these.
        NothingComposedError: it has no mechanisms, and is not meant to be empty.
    """
    if isinstance(value, PathLike):
        from exactdp.ledger.reading import read_ledger  # noqa: PLC0415 (few callers pass files)

        return something_of(read_ledger(value), fspath(value))
    return something_of(value if isinstance(value, Ledger) else _read(value))


def _read(value: Iterable[object] | _Event) -> Ledger:
    from exactdp.ledger.rows import is_event, ledger_of_rows, rows_of_table  # noqa: PLC0415 (tables alone need it)

    if is_event(value):
        from exactdp.ledger.formats.event_objects import ledger_of_event  # noqa: PLC0415 (few do)

        return ledger_of_event(value)
    rows = rows_of_table(value)
    if rows is not None:
        return ledger_of_rows(rows)
    if isinstance(value, str | bytes):
        raise InputError(
            field="ledger",
            value=value,
            expected="a Ledger, or a list of mechanisms",
            remedy="read a file with exactdp.read_ledger(path), or write mechanisms as a list such "
            'as [("0.1", 0, 50)]: ε, δ and how often',
        )
    if type(value).__module__.partition(".")[0] == "opendp":
        raise InputError(
            field="ledger",
            value=type(value).__name__,
            expected="a Ledger, or a list of mechanisms",
            remedy="write exactdp.from_opendp(measurement, 1), with the distance of neighbours",
        )
    return Ledger.of(value)  # type: ignore[arg-type] # it refuses what is no list


def target_of(ledger: Ledger, delta: Number | None) -> mpq:
    """The global δ that was passed, or else the ledger's own."""
    if delta is None:
        delta = ledger.target_delta
    if delta is None:
        raise InputError(
            field="delta",
            value="nothing",
            expected="a global δ, as the ledger states no target_delta",
            remedy="pass delta, for example 1e-6 (on the command line --delta 1e-6)",
        )
    return probability(delta)


def ledger_and_delta(ledger: LedgerLike, delta: Number | None) -> tuple[Ledger, mpq]:
    """The two arguments that most questions begin with; δ may be the ledger's own."""
    checked = ledger_of(ledger)
    return checked, target_of(checked, delta)


def probability(value: Number) -> mpq:
    """A rational from 0 to 1."""
    delta = as_rational(value, "delta")
    if not 0 <= delta <= 1:
        raise DomainError(field="delta", value=str(delta), expected="a rational from 0 to 1")
    return delta


def inner_probability(delta: mpq) -> mpq:
    """A δ above 0 and below 1: at 0 noise has no ε, and at 1 nothing is said."""
    if not 0 < delta < 1:
        raise DomainError(
            field="delta",
            value=str(delta),
            expected="a δ above 0 and below 1, for mechanisms given by their noise",
        )
    return delta


def meaningful_delta(delta: mpq) -> mpq:
    """A δ below 1, at which nothing is said."""
    if not 0 <= delta < 1:
        raise DomainError(
            field="delta",
            value=str(delta),
            expected="a δ of at least 0 and below 1, for mechanisms given by their noise",
        )
    return delta


def nonnegative(value: Number) -> ExactNumber:
    """A number at least 0."""
    epsilon = as_number(value, "epsilon")
    if sign(epsilon) < 0:
        raise DomainError(field="epsilon", value=str(epsilon), expected="a number at least 0")
    return epsilon


def points_of(values: Iterable[Number]) -> list[ExactNumber]:
    """Values of ε, each at least 0; a text is refused, for it would be taken letter by letter."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InputError(
            field="epsilon",
            value=values,
            expected="a list of numbers",
            remedy=f"pass [{shorten(values)!r}]" if isinstance(values, str) else "pass a list",
        )
    return [nonnegative(value) for value in values]


def positive(value: Number, name: str) -> mpq:
    """A rational above 0."""
    number = as_rational(value, name)
    if number <= 0:
        raise DomainError(field=name, value=str(number), expected="a rational above 0")
    return number


def tolerance_of(value: Number) -> mpq:
    """A rational above 0, and not absurdly small."""
    tolerance = as_rational(value, "tolerance")
    if tolerance < _FINEST:
        raise DomainError(
            field="tolerance", value=str(tolerance), expected="a rational at least 1e-10000"
        )
    return tolerance


def width_for(ledger: Ledger, tolerance: Number | None) -> mpq:
    """The tolerance that was passed, or else the default for such a ledger."""
    return tolerance_of(TOLERANCES[ledger.given_by] if tolerance is None else tolerance)


def method_of(value: str | None) -> Method | None:
    """An engine's name, or None for the planner's choice."""
    if value is not None and value not in METHODS:
        raise InputError(field="method", value=value, expected=" or ".join(METHODS))
    return next((name for name in METHODS if name == value), None)


def refuse_method(value: str | None) -> None:
    """Refuse the choice of an engine for a ledger with ρ, μ or noise."""
    if value is not None:
        raise InputError(
            field="method",
            value=value,
            expected="no method, for a ledger with rho, mu or noise: the best rule is chosen",
            code="method-does-not-fit",
        )
