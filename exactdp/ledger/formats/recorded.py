r"""What another tool recorded: spends in their order, perhaps a budget; and the ledger of these.

Rules of this file: a ledger says no more than the record does: noise whose scale and sensitivity
are recorded becomes the ε that these imply, for that of OpenDP is discrete, and of discrete noise
the curve of Laplace noise is not true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from exactdp.arithmetic.numbers import Number, as_number, as_rational
from exactdp.errors import DomainError, InputError
from exactdp.ledger.model import Claim, Ledger
from exactdp.mechanisms import ConcentratedMechanism, Entry, Mechanism

_PROMISE: Final = "the budget that is recorded"


@dataclass(frozen=True, slots=True)
class RecordedSpend:
    """A spend that another tool recorded.

    Attributes:
        parameters: those of :meth:`exactdp.spending.filter.Filter.spend`.
        label: what it was for; the time that was recorded comes first.
        place: where it stands in the record.
        part: whose spend it is, where the record is of several.
    """

    parameters: Mapping[str, Any]
    label: str
    place: str
    part: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """The spends of another tool, in their order, and its budget where it names one.

    Attributes:
        spends: in the order of the record.
        budget: ``epsilon`` or ``rho``, perhaps with ``delta``, each as the text of a number.
        reading: what was not read of it, in sentences.
    """

    spends: Sequence[RecordedSpend]
    budget: Mapping[str, str] | None = None
    reading: Sequence[str] = ()


def labelled(time: str, label: str, place: str) -> str:
    """A label that begins with the time that was recorded, which must be one.

    Raises:
        InputError: it is none.
    """
    if time:
        from datetime import datetime  # noqa: PLC0415 (it takes time, and few records state any)

        try:
            datetime.fromisoformat(time)
        except ValueError:
            raise InputError(
                field="time",
                value=time,
                path=place,
                expected="a time as in ISO 8601, such as 2026-01-05T09:00:00Z, or 05.01.2026",
                remedy="dates such as 01/05/2026 have two readings: write the year first",
            ) from None
    return " ".join(filter(None, (time, label)))


def ledger_of_record(record: Record) -> Ledger:
    """The ledger of a record: a mechanism for each spend; the budget is its claim.

    A budget of ρ that may fail is no claim that a ledger can hold; it stands in the notes.

    Raises:
        InputError: a number is none that a mechanism can have; the path is its place.
    """
    budget = dict(record.budget or {})
    is_claim = set(budget) in ({"epsilon"}, {"epsilon", "delta"}, {"rho"})
    stated = ", ".join(f"{key} {text}" for key, text in budget.items())
    return Ledger(
        tuple(map(_entry, record.spends)),
        claims=(_claim(budget),) if is_claim else (),
        notes="" if is_claim or not budget else f"{_PROMISE}: {stated}",
    )


def _claim(budget: Mapping[str, str]) -> Claim:
    epsilon = as_number(budget["epsilon"], "epsilon") if "epsilon" in budget else None
    delta = as_rational(budget.get("delta", "0"), "delta") if epsilon is not None else None
    return Claim(epsilon, delta, "composition", _PROMISE, rho=budget.get("rho"))


def _entry(spend: RecordedSpend) -> Entry:
    parameters = spend.parameters
    try:
        if "rho" in parameters:
            return ConcentratedMechanism(str(parameters["rho"]), label=spend.label)
        return Mechanism(
            _epsilon(parameters),
            parameters.get("delta", 0),
            label=spend.label,
        )
    except InputError as error:
        raise error.located(spend.place) from None


def _epsilon(parameters: Mapping[str, Any]) -> Number:
    """The ε of a spend; that of Laplace noise is its sensitivity by its scale."""
    noise = parameters.get("laplace")
    if not isinstance(noise, Mapping):
        epsilon: Number = parameters["epsilon"]
        return epsilon
    scale = as_rational(noise["scale"], "scale")
    if scale <= 0:
        raise DomainError(field="scale", value=str(scale), expected="a number above 0")
    return as_rational(noise["sensitivity"], "d_in") / scale
