r"""An accountant of our own: composed step by step, asked at any time, in its users' tools too.

Purpose: ``ExactAccountant`` keeps what has run so far. It has the interfaces of Opacus's
``IAccountant`` and of dp-accounting's ``PrivacyAccountant``, so that it takes their places.

Rules of this file: what it answers is the upper end of a certain interval; a float that it answers
is rounded up. A double that a tool hands over stands for its exact value, as that is what ran;
:meth:`ExactAccountant.epsilon` and :meth:`ExactAccountant.delta` refuse floats as all functions do.
Neither library is imported here.

Theory of operation: mechanisms of our own are kept as ledgers, events as they came, and Opacus's
steps as its ``history``, a list that Opacus may replace. All of it is one ledger when asked. Where
one of the two libraries is loaded, its abstract class is told of this one, so that ``isinstance``
says so.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from fractions import Fraction
from typing import Any, Final, Self

from exactdp.arithmetic.numbers import Number, as_rational, integer_of
from exactdp.composition.answers.arguments import LedgerLike, ledger_of
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.ends import IntervalEnd
from exactdp.composition.answers.profile import profile
from exactdp.composition.answers.results import Composition
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import ExactDPError, InputError
from exactdp.ledger.formats.dp_events import RELATIONS
from exactdp.ledger.formats.event_objects import ledger_of_event
from exactdp.ledger.model import Ledger
from exactdp.ledger.rows import is_event
from exactdp.mechanisms import ZERO_OUT, Family
from exactdp.mechanisms.family import ADD_REMOVE_ONE, UNSPECIFIED
from exactdp.readable import Readable

_HOSTS: Final = {"opacus.accountants": "IAccountant", "dp_accounting": "PrivacyAccountant"}
_NAME: Final = "exact"


class ExactAccountant(Readable):
    """What has run so far, and its certified ε and δ; also for Opacus and dp-accounting.

    >>> account = ExactAccountant().compose(("0.1", "1e-9"), 50)
    >>> print(account.epsilon("1e-6"))
    3.176922318
    """

    __slots__ = (
        "_events",
        "_ledgers",
        "_max_cost",
        "_tolerance",
        "history",
        "neighboring_relation",
    )

    def __init__(
        self,
        neighboring_relation: Any = None,  # noqa: ANN401 (dp-accounting's, or a name of ours)
        *,
        tolerance: Number | None = None,
        max_cost: int = DEFAULT_MAX_COST,
    ) -> None:
        """An accountant that nothing has run by.

        Args:
            neighboring_relation: dp-accounting's ``NeighboringRelation``, or "add-remove-one",
                "replace-one" or "zero-out"; None where the mechanisms themselves say.
            tolerance: as for :func:`exactdp.compose`.
            max_cost: as for :func:`exactdp.compose`.

        Raises:
            InputError: no relation that is known.
        """
        self.neighboring_relation = neighboring_relation
        self.history: list[tuple[float, float, int]] = []
        self._ledgers: list[Ledger] = []
        self._events: list[tuple[Any, int]] = []
        self._tolerance, self._max_cost = tolerance, max_cost
        self._relation()
        for module, name in _HOSTS.items():
            getattr(sys.modules.get(module), name, _Nobody).register(type(self))

    # --- our own interface ----------------------------------------------------------------------

    def compose(self, event: LedgerLike | Family | Number, count: int = 1) -> Self:
        """Take account of a mechanism, a ledger or an event of dp-accounting, ``count`` times.

        Raises:
            InputError: it is none of these, or not for these neighbours.
        """
        if is_event(event):
            ledger_of_event(event, self._relation())  # refused before it is kept
            self._events.append((event, _count(count)))
        else:
            self._ledgers.append(_times(_ledger(event), _count(count)))
        return self

    def epsilon(self, delta: Number) -> IntervalEnd | None:
        """An ε that all of it together keeps at δ, certified; None if no finite ε is enough."""
        return self.answer(delta).upper

    def delta(self, epsilon: Number) -> IntervalEnd:
        """A δ that all of it together keeps at ε, certified."""
        [point] = profile(
            self.as_ledger(), epsilon=[epsilon], tolerance=self._tolerance, max_cost=self._max_cost
        )
        return point.upper

    def answer(self, delta: Number) -> Composition:
        """The certified interval of ε at δ, with its certificates."""
        return compose(
            self.as_ledger(), delta=delta, tolerance=self._tolerance, max_cost=self._max_cost
        )

    def as_ledger(self) -> Ledger:
        """All that has run so far.

        Raises:
            InputError: parts of it are about different neighbours, or Opacus's history is none.
        """
        parts = list(self._ledgers)
        for event, count in (*self._events, *map(_step, self.history)):
            parts.append(_times(ledger_of_event(event, self._relation()), count))
        stated = {each.neighbouring for each in parts} - {UNSPECIFIED}
        if self._relation():
            relation = self._relation()
            stated |= {ADD_REMOVE_ONE if relation == ZERO_OUT else relation}
        if len(stated) > 1:
            raise InputError(
                field="neighbouring",
                value=" and ".join(sorted(stated)),
                expected="parts that are about the same neighbours",
                remedy="keep an accountant for each",
            )
        entries = tuple(each for part in parts for each in part)
        return Ledger(entries, neighbouring=next(iter(stated), UNSPECIFIED), empty=True)

    def facts(self) -> list[tuple[str, str]]:
        """How much has run, or why that is no ledger."""
        try:
            return [("mechanisms", str(self.as_ledger().size))]
        except ExactDPError as error:
            return [("no ledger", str(error))]

    def _relation(self) -> str:
        relation = self.neighboring_relation
        name = str(getattr(relation, "name", relation))
        known = {"None": "", **RELATIONS, **{each: each for each in RELATIONS.values()}}
        if name not in known:
            raise InputError(
                field="neighboring_relation", value=name, expected=" or ".join(RELATIONS.values())
            )
        return known[name]

    # --- dp-accounting's and Opacus's -----------------------------------------------------------

    def get_epsilon(
        self, target_delta: float | None = None, *, delta: float | None = None
    ) -> float:
        """The ε at a δ, a float rounded up; infinite if no finite ε is enough.

        Args:
            target_delta: δ, at its exact value; dp-accounting's name.
            delta: δ, by Opacus's name.
        """
        found = self.epsilon(_exactly(delta if target_delta is None else target_delta, "delta"))
        return math.inf if found is None else float(found)

    def get_delta(self, target_epsilon: float) -> float:
        """The δ at an ε, a float rounded up."""
        return float(self.delta(_exactly(target_epsilon, "epsilon")))

    def supports(self, event: object) -> bool:
        """Whether an event of dp-accounting can be composed."""
        try:
            ledger_of_event(event, self._relation())
        except ExactDPError:
            return False
        return True

    @property
    def ledger(self) -> Any:  # noqa: ANN401 (an event of dp-accounting)
        """The events so far as one of dp-accounting; :meth:`as_ledger` is for all that has run.

        Raises:
            ModuleNotFoundError: dp-accounting is not installed.
        """
        from dp_accounting import dp_event_builder  # noqa: PLC0415 (who asks has it)

        builder = dp_event_builder.DpEventBuilder()
        for event, count in self._events:
            builder.compose(event, count)
        return builder.build()

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """Take account of one step of Opacus.

        Raises:
            InputError: there is no such noise or rate.
        """
        last = self.history[-1] if self.history else (None, None, 0)
        if last[:2] == (noise_multiplier, sample_rate):
            self.history[-1] = (noise_multiplier, sample_rate, last[2] + 1)
        else:
            first = (noise_multiplier, sample_rate, 1)
            ledger_of_event(_step(first)[0], self._relation())  # refused before it is kept
            self.history.append(first)

    def __len__(self) -> int:
        """The number of steps of Opacus."""
        return sum(steps for _, _, steps in self.history)

    def __bool__(self) -> bool:
        return True

    @classmethod
    def mechanism(cls) -> str:
        """What Opacus calls it."""
        return _NAME

    def get_optimizer_hook_fn(self, sample_rate: float) -> Callable[[Any], None]:
        """What Opacus's optimizer calls at each step."""

        def hook(optimizer: Any) -> None:  # noqa: ANN401 (Opacus's)
            rate = sample_rate * optimizer.accumulated_iterations
            self.step(noise_multiplier=optimizer.noise_multiplier, sample_rate=rate)

        return hook

    def state_dict(self, destination: MutableMapping[str, Any] | None = None) -> Any:  # noqa: ANN401 (a mapping)
        """Opacus's history, to be saved."""
        destination = {} if destination is None else destination
        destination.update(history=list(self.history), mechanism=_NAME)
        return destination

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take the history of a state that was saved.

        Raises:
            InputError: there is none.
        """
        history = state_dict.get("history")
        expected = "a list of a noise multiplier, a rate and a number of steps each"
        try:
            read = [(noise, rate, _count(steps)) for noise, rate, steps in history or ()]
        except (TypeError, ValueError):
            raise InputError(field="history", value=history, expected=expected) from None
        if history is None:
            raise InputError(field="history", value="nothing", expected=expected)
        self.history = read


class _Nobody:
    """Stands for an abstract class of a library that is not loaded."""

    @staticmethod
    def register(kind: type) -> None:
        """Tell nobody."""


def _ledger(event: LedgerLike | Family | Number) -> Ledger:
    """A ledger, or that of one mechanism."""
    if isinstance(event, Ledger):
        return event
    if isinstance(event, Family | tuple | str | int | Fraction) or not isinstance(event, Iterable):
        return Ledger.of([event])
    return ledger_of(event)


def _times(ledger: Ledger, count: int) -> Ledger:
    entries = tuple(each.times(each.count * count) for each in ledger)
    return Ledger(entries, neighbouring=ledger.neighbouring, empty=True)


def _count(count: int) -> int:
    whole = integer_of(count)  # of numpy too
    if whole is None or whole < 1:
        raise InputError(field="count", value=count, expected="a whole number from 1 on")
    return whole


def _step(entry: tuple[float, float, int]) -> tuple[dict[str, Any], int]:
    """A run of Opacus's steps as an event of dp-accounting, and how often it ran."""
    noise, rate, steps = entry
    gaussian = {"class_name": "GaussianDpEvent", "noise_multiplier": noise}
    event = {"class_name": "PoissonSampledDpEvent", "sampling_probability": rate, "event": gaussian}
    return event, _count(steps)


def _exactly(value: float | None, field: str) -> Number:
    """What a tool asks, at its exact value."""
    if not isinstance(value, float):
        return as_rational(value, field)
    if not math.isfinite(value):
        raise InputError(field=field, value=str(value), expected="a finite number")
    return Fraction(value)
