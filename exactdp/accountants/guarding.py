r"""Guard: a dp-accounting accountant whose answers are checked as they are given.

Rules of this file: the wrapped accountant does its own work, and its answers are passed on as they
are; nothing of dp-accounting is imported, so that whatever has its interface can be guarded; an
answer that cannot be checked, for whatever reason, is passed on with a warning that says why. What
is refuted is an error, whether a certificate shows it or it was computed without one.

Theory of operation: the accountant's own ledger of events is read as
:mod:`exactdp.ledger.formats.dp_events` reads it, every double at its exact value, and for the
neighbours that the accountant names: where a record is replaced, the same noise hides half as much.
What is certified states these neighbours, or nothing is certified. Binary randomized response
attains its parameters, so that an answer below the certified lower end is refuted; Laplace noise,
or randomized response over more values, may rightly be lower.
"""

from __future__ import annotations

import json
import math
import numbers
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Final, Protocol

from gmpy2 import mpq

from exactdp.accountants.protocol import AccountantAnswer, AccountantQuestion
from exactdp.accountants.verdicts import COMPUTED, AnswerVerdict, Truth, judge
from exactdp.arithmetic.decimal_text import scientific_below
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.results import Composition
from exactdp.errors import ExactDPError, InputError, shorten
from exactdp.ledger.formats import dp_events
from exactdp.ledger.formats.dp_events import RELATIONS
from exactdp.ledger.formats.event_objects import event_text, ledger_of_event
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import ZERO_OUT

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
    """The guarded accountant's answer is refuted; ``verdict`` holds the certificate, if any."""

    code = "unsound"
    exit_code = 1

    def __init__(self, verdict: AnswerVerdict, neighbouring: str) -> None:
        letter = "delta" if verdict.in_delta else "epsilon"
        epsilon = mpq(0) if verdict.epsilon is None else verdict.epsilon.rational
        number = (verdict.delta or mpq(0)) if verdict.in_delta else epsilon
        gap = "" if verdict.gap is None else f", at least {scientific_below(verdict.gap, 6)} more"
        certificate = "the certificate is error.verdict.certificate"
        super().__init__(
            field=letter,
            value=scientific_below(number, _DIGITS),
            expected=f"what the events' parameters need {_WHERE[neighbouring]}{gap}",
            remedy=f"this was {COMPUTED}" if verdict.certificate is None else certificate,
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


def guard(accountant: PrivacyAccountant, *, neighbouring: str = "") -> Guarded:
    """An accountant of dp-accounting's interface whose answers are checked as they are given.

    The neighbours are those of the accountant's ``neighboring_relation``; where it has none,
    ``neighbouring`` names them (add-remove-one, replace-one or zero-out).

    An answer below the certified interval raises :class:`RefutedError`, with a certificate where
    there is one; one that cannot be checked is passed on with a warning. ``certified(delta)`` gives
    the interval itself.
    """
    return Guarded(accountant, neighbouring)


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
        """Whatever else the accountant has; what it calls ``get_…`` is checked, or warned about."""
        found = getattr(self.accountant, name)
        if not name.startswith("get_") or not callable(found):
            return found
        return partial(self._other, name)

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
        self._check("epsilon", epsilon, target_delta)
        return epsilon

    def get_delta(self, target_epsilon: float) -> float:
        """The accountant's δ at ``target_epsilon``, checked.

        Raises:
            RefutedError: as for :meth:`get_epsilon`.
        """
        delta = self.accountant.get_delta(target_epsilon)
        self._check("delta", delta, target_epsilon)
        return delta

    def _other(self, name: str, /, *given: Any, **named: Any) -> Any:  # noqa: ANN401 (its own)
        """What another method answers; a pair that begins with an ε or a δ is checked."""
        answer = getattr(self.accountant, name)(*given, **named)
        targets = (*given, *named.values())
        if name not in _PAIRS or len(targets) != 1 or not isinstance(answer, tuple) or not answer:
            _warn(f"what {name} answers is not known")
        else:
            self._check(_PAIRS[name], answer[0], targets[0])
        return answer

    def certified(self, target_delta: float) -> Composition:
        """The certified interval of ε at ``target_delta``, from the events' parameters alone.

        It is about the neighbours that the accountant names (:attr:`neighbouring`).

        Raises:
            InputError: an event that no ledger describes, or not for these neighbours.
        """
        delta = _finite(target_delta, "target_delta")
        return Truth(AccountantQuestion(self._ledger(), delta=delta)).at_delta(delta)

    def _ledger(self) -> Ledger:
        return ledger_of_event(self.accountant.ledger, self.neighbouring)

    def _check(self, kind: str, answer: object, target: object) -> None:
        try:
            verdict = self._verdict(kind, answer, target)
            neighbouring = self.neighbouring
        except Exception as error:  # noqa: BLE001 (the answer is there, and is passed on)
            _warn(str(error) or type(error).__name__)
            return
        if verdict is None or verdict.outcome == "sound":
            return
        if verdict.is_refuted:
            raise RefutedError(verdict, neighbouring)
        if verdict.outcome != "infeasible-handled":
            _warn(f"{verdict.message or verdict.outcome}, {_WHERE[neighbouring]}")

    def _verdict(self, kind: str, answer: object, target: object) -> AnswerVerdict | None:
        """What becomes of an answer; None of infinity, which promises nothing.

        Raises:
            InputError: the answer, the target or an event is not what a ledger can hold.
        """
        value = _value(answer, kind)
        if value == "inf":
            return None
        asked = _finite(target, "target_delta" if kind == "epsilon" else "target_epsilon")
        question = AccountantQuestion(
            self._ledger(),
            delta=asked if kind == "epsilon" else None,
            epsilon=ExactNumber(asked) if kind == "delta" else None,
        )
        tree = json.loads(event_text(self.accountant.ledger))
        tight = dp_events.attains_its_parameters(tree, self.neighbouring)
        claimed = AccountantAnswer(
            "answered",
            epsilon=value if kind == "epsilon" else None,
            delta=value if kind == "delta" else None,
            basis="composition" if tight else "finer-structure",
        )
        return judge(claimed, Truth(question))


_PAIRS: Final[Mapping[str, str]] = {
    "get_epsilon_and_optimal_order": "epsilon",
    "get_delta_and_optimal_order": "delta",
}
"""Methods that answer with a pair, and what stands first in it."""


def _warn(why: str) -> None:
    """Say on behalf of whoever asked the guarded accountant."""
    warnings.warn(f"not checked: {why}", UncheckedWarning, stacklevel=4)


def _value(value: object, field: str) -> mpq | str:
    """A number of any library at its exact value; the text of one that is not finite.

    Raises:
        InputError: it is no real number.
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InputError(field=field, value=shorten(repr(value)), expected="a real number")
    if not math.isfinite(value):
        return str(float(value))
    exact = getattr(value, "as_integer_ratio", None)
    return mpq(Fraction(float(value))) if exact is None else mpq(*map(int, exact()))


def _finite(value: object, field: str) -> mpq:
    """The same of what is asked.

    Raises:
        InputError: it is no finite number.
    """
    exact = _value(value, field)
    if isinstance(exact, str):
        raise InputError(field=field, value=exact, expected="a finite number")
    return exact
