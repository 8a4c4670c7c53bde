r"""Guard: a dp-accounting accountant whose answers are checked as they are given.

Rules of this file: the wrapped accountant does its own work, and its answers are passed on as they
are; nothing of dp-accounting is imported, so that whatever has its interface can be guarded; an
answer that cannot be checked is passed on with a warning that says why.

Theory of operation: the accountant's own ledger of events is read as
:mod:`exactdp.ledger.formats.dp_events` reads it, every double at its exact value, and for the
neighbours that the accountant names: where a record is replaced, the same noise hides half as much.
What is certified states these neighbours, or nothing is certified. Binary randomized response
attains its parameters, so that an answer below the certified lower end is refuted; Laplace noise,
or randomized response over more values, may rightly be lower.
"""

from __future__ import annotations

import json
import numbers
import warnings
from collections.abc import Mapping
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
from exactdp.errors import CostLimitError, ExactDPError, InputError, shorten
from exactdp.ledger.formats import dp_events
from exactdp.ledger.formats.dp_events import RELATIONS
from exactdp.ledger.model import ZERO_OUT, Ledger

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

    def __init__(self, verdict: AnswerVerdict, neighbouring: str) -> None:
        letter = "delta" if verdict.in_delta else "epsilon"
        epsilon = mpq(0) if verdict.epsilon is None else verdict.epsilon.rational
        number = (verdict.delta or mpq(0)) if verdict.in_delta else epsilon
        gap = "" if verdict.gap is None else f", at least {scientific_below(verdict.gap, 6)} more"
        super().__init__(
            field=letter,
            value=scientific_below(number, _DIGITS),
            expected=f"what the events' parameters need {_WHERE[neighbouring]}{gap}",
            remedy="the certificate is error.verdict.certificate",
        )
        self.verdict = verdict


class UncheckedWarning(UserWarning):
    """An answer was passed on unchecked; the message says why."""


_WHERE: Final[Mapping[str, str]] = {
    "add-remove-one": "where a record is added or removed",
    "replace-one": "where a record is replaced",
    ZERO_OUT: "where a record is replaced by one that contributes nothing",
}
"""The neighbours that an answer is about."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """A guarded accountant; whatever is not defined here is the accountant's own.

    Attributes:
        accountant: the one that is guarded.
        stated: the neighbours, where the accountant itself does not name them; else "".
    """

    accountant: PrivacyAccountant
    stated: str = ""

    def __post_init__(self) -> None:
        """Check what is stated.

        Raises:
            InputError: it is no relation, or not the accountant's own.
        """
        named = self._named()
        known = tuple(_WHERE) if named is None else (named,)
        if self.stated and self.stated not in known:
            raise InputError(
                field="neighbouring",
                value=self.stated,
                expected=" or ".join(known) + ("" if named is None else ", as the accountant says"),
            )

    @property
    def neighbouring(self) -> str:
        """The neighbours that the accountant's answers, and what is certified, are about.

        Raises:
            InputError: neither the accountant nor its user names them.
        """
        named = self.stated or self._named()
        if named is None:
            raise InputError(
                field="neighbouring",
                value="nothing",
                expected=f"an accountant that names its neighbours: {', '.join(RELATIONS)}",
                remedy="name them: guard(accountant, neighbouring='add-remove-one')",
            )
        return named

    def _named(self) -> str | None:
        relation = getattr(self.accountant, "neighboring_relation", None)
        return RELATIONS.get(str(getattr(relation, "name", relation)))

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

        It is about the neighbours that the accountant names (:attr:`neighbouring`).

        Raises:
            InputError: an event that no ledger describes, or not for these neighbours.
        """
        delta = _exact(target_delta)
        return Truth(AccountantQuestion(self._ledger(), delta=delta)).at_delta(delta)

    def _ledger(self) -> Ledger:
        return dp_events.read(_text(self.accountant.ledger).encode(), self.neighbouring)

    def _check(self, claimed: dict[str, Any], asked: dict[str, Any]) -> None:
        try:
            question = AccountantQuestion(self._ledger(), **asked)
            tree = json.loads(_text(self.accountant.ledger))
            tight = dp_events.attains_its_parameters(tree, self.neighbouring)
            basis = "composition" if tight else "finer-structure"
            verdict = judge(AccountantAnswer("answered", basis=basis, **claimed), Truth(question))
        except (InputError, CostLimitError) as error:
            _warn(str(error))
            return
        if verdict.outcome in ("not-comparable", "undecided"):
            _warn(f"{verdict.message}, {_WHERE[self.neighbouring]}")
        elif verdict.certificate is not None:
            raise RefutedError(verdict, self.neighbouring)


def _warn(why: str) -> None:
    """Say on behalf of whoever asked the guarded accountant."""
    warnings.warn(f"not checked: {why}", UncheckedWarning, stacklevel=4)


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
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{json.dumps(str(k))}: {_text(v)}' for k, v in value.items())}}}"
    if isinstance(value, str | bool) or value is None:
        return json.dumps(value)
    return _number_text(value)


def _number_text(value: object) -> str:
    """The text of a number of any library.

    Raises:
        InputError: it is none.
    """
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return str(Decimal(float(value)))
    raise InputError(
        field="event", value=shorten(repr(value)), expected="events whose fields are numbers"
    )


def _fields(value: Any) -> list[tuple[str, Any]]:  # noqa: ANN401 (a named tuple)
    return list(value._asdict().items())
