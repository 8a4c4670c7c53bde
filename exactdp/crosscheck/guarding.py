r"""Guard: a dp-accounting accountant whose answers are checked as they are given.

Rules of this file: the wrapped accountant does its own work, and its answers are passed on as they
are; nothing of dp-accounting is imported, so that whatever has its interface can be guarded; an
answer that cannot be checked is passed on with a warning that says why.

Theory of operation: the accountant's own ledger of events is read as
:mod:`exactdp.ledger.formats.dp_events` reads it, every double at its exact value. Binary randomized
response attains its parameters, so that an answer below the certified lower end is refuted; Laplace
noise, or randomized response over more values, may rightly be lower.
"""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Protocol

from gmpy2 import mpq

from exactdp.answers.results import Composition
from exactdp.arithmetic.decimal_text import scientific_below
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.crosscheck.protocol import AccountantAnswer, AccountantQuestion
from exactdp.crosscheck.verdicts import AnswerVerdict, Truth, judge
from exactdp.errors import CostLimitError, ExactDPError, InputError
from exactdp.ledger.formats import dp_events
from exactdp.ledger.model import Ledger

_DIGITS: Final = 17


class PrivacyAccountant(Protocol):
    """The part of dp-accounting's interface that is guarded."""

    @property
    def ledger(self) -> Any:  # noqa: ANN401 (an event)
        """The events so far, as one."""

    def compose(self, event: Any, count: int = 1) -> Any:  # noqa: ANN401 (an event)
        """Take account of an event."""

    def get_epsilon(self, target_delta: float) -> float:
        """The ε at a δ."""

    def get_delta(self, target_epsilon: float) -> float:
        """The δ at an ε."""


class RefutedError(ExactDPError):
    """The guarded accountant's answer is refuted; ``verdict`` holds the certificate."""

    code = "unsound"
    exit_code = 1

    def __init__(self, verdict: AnswerVerdict) -> None:
        letter = "delta" if verdict.in_delta else "epsilon"
        epsilon = mpq(0) if verdict.epsilon is None else verdict.epsilon.rational
        number = (verdict.delta or mpq(0)) if verdict.in_delta else epsilon
        gap = "" if verdict.gap is None else f", at least {scientific_below(verdict.gap, 6)} more"
        super().__init__(
            field=letter,
            value=scientific_below(number, _DIGITS),
            expected=f"what the events' parameters need{gap}",
            remedy="the certificate is error.verdict.certificate",
        )
        self.verdict = verdict


class UncheckedWarning(UserWarning):
    """An answer was passed on unchecked; the message says why."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """A guarded accountant; whatever is not defined here is the accountant's own."""

    accountant: PrivacyAccountant

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever it has)
        """Whatever else the accountant has."""
        return getattr(self.accountant, name)

    def compose(self, event: Any, count: int = 1) -> Guarded:  # noqa: ANN401 (an event)
        """Take account of an event; returns the guarded accountant."""
        self.accountant.compose(event, count)
        return self

    def get_epsilon(self, target_delta: float) -> float:
        """The accountant's ε at ``target_delta``, checked.

        Raises:
            RefutedError: some mechanisms with the events' parameters are not that private.
        """
        epsilon = self.accountant.get_epsilon(target_delta)
        self._check({"epsilon": _value(epsilon)}, {"delta": _exact(target_delta)})
        return epsilon

    def get_delta(self, target_epsilon: float) -> float:
        """The accountant's δ at ``target_epsilon``, checked.

        Raises:
            RefutedError: as for :meth:`get_epsilon`.
        """
        delta = self.accountant.get_delta(target_epsilon)
        asked = {"epsilon": ExactNumber(_exact(target_epsilon))}
        self._check({"delta": _value(delta)}, asked)
        return delta

    def certified(self, target_delta: float) -> Composition:
        """The certified interval of ε at ``target_delta``, from the events' parameters alone.

        Raises:
            InputError: an event that (ε, δ) do not describe.
        """
        delta = _exact(target_delta)
        return Truth(AccountantQuestion(self._ledger(), delta=delta)).at_delta(delta)

    def _ledger(self) -> Ledger:
        return dp_events.read(_text(self.accountant.ledger).encode())

    def _check(self, claimed: dict[str, Any], asked: dict[str, Any]) -> None:
        try:
            question = AccountantQuestion(self._ledger(), **asked)
            tight = dp_events.attains_its_parameters(json.loads(_text(self.accountant.ledger)))
            basis = "composition" if tight else "finer-structure"
            verdict = judge(AccountantAnswer("answered", basis=basis, **claimed), Truth(question))
        except (InputError, CostLimitError) as error:
            warnings.warn(f"not checked: {error}", UncheckedWarning, stacklevel=3)
            return
        if verdict.outcome in ("not-comparable", "undecided"):
            warnings.warn(f"not checked: {verdict.message}", UncheckedWarning, stacklevel=3)
        elif verdict.certificate is not None:
            raise RefutedError(verdict)


def _exact(value: float) -> mpq:
    return mpq(Fraction(value))


def _value(value: float) -> mpq | str:
    """A double at its exact value; the text of one that is not finite."""
    text = str(Decimal(float(value)))
    return _exact(value) if Decimal(text).is_finite() else text.casefold().removesuffix("inity")


def _text(value: Any) -> str:  # noqa: ANN401 (an event or a field of one)
    """The JSON of an event, its doubles with every digit."""
    if hasattr(value, "to_named_tuple"):
        value = value.to_named_tuple()
    if hasattr(value, "_asdict"):
        fields = ", ".join(f"{json.dumps(key)}: {_text(each)}" for key, each in _fields(value))
        return f"{{{fields}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_text, value))}]"
    return str(Decimal(value)) if isinstance(value, float) else json.dumps(value)


def _fields(value: Any) -> list[tuple[str, Any]]:  # noqa: ANN401 (a named tuple)
    return list(value._asdict().items())
