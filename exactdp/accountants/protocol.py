r"""The protocol: one line of JSON asks an accountant, one line of JSON is its answer.

Rules of this file: ``docs/accountants.md`` describes the protocol to those who implement it, and
says no more and no less than this file does; numbers are rounded as
:mod:`exactdp.accountants.doubles` says; an answer that cannot be read is none.

Theory of operation: an accountant that knows pure mechanisms only is asked about
:math:`(\varepsilon_i, 0)` at :math:`\Delta = 1-(1-\delta)/\prod_i(1-\delta_i)`, rounded down. The
least ε of both questions is the same (Murtagh & Vadhan, Theory of Computing 14(8), 2018, Theorem
1.5). Where it was asked for δ at ε, its δ' makes :math:`1-(1-\delta')\prod_i(1-\delta_i)`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from gmpy2 import mpq

from exactdp.accountants.doubles import (
    double_above,
    double_below,
    double_near,
    exact_text_of,
    greatest_reading,
)
from exactdp.accountants.noise_lines import NumberText, entry_text, fixed_size_text
from exactdp.accountants.process import MESSAGE
from exactdp.arithmetic.enclosures import ball_of_rational, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.problem import Problem
from exactdp.errors import InputError, UnsupportedError, shorten
from exactdp.ledger.formats import dp_events, dp_events_writer
from exactdp.ledger.model import BASES, Ledger
from exactdp.mechanisms import Mechanism

FORMAT: Final = "exactdp-accountant/1"
UNSPECIFIED: Final = "unspecified"
ABOUT_EVENTS: Final = "dp-accounting/events"
"""The accountant that is asked about mechanisms by their noise as events."""
_BITS: Final = 200

AnswerState = Literal["answered", "silent", "error", "unsupported", "missing"]


@dataclass(frozen=True, slots=True)
class AccountantQuestion:
    """Which ε a ledger has at δ, or which δ it has at ε.

    Attributes:
        ledger: mechanisms for adaptive composition.
        delta: the global δ, or None.
        epsilon: the global ε where δ is None.
        events: the tree of dp-accounting's events that the ledger was read from, or None.
        fixed_size: whether it is put as one about batches of a fixed size where a record is
            replaced. The ledger is then one pair of inputs of theirs, and a bound from below.
    """

    ledger: Ledger
    delta: mpq | None = None
    epsilon: ExactNumber | None = None
    events: Any = field(default=None, compare=False)
    fixed_size: bool = False

    def __post_init__(self) -> None:
        """Refuse what no accountant here speaks about.

        Raises:
            UnsupportedError: concurrent composition.
        """
        if self.ledger.interaction != "adaptive":
            raise UnsupportedError(
                field="interaction",
                value=self.ledger.interaction,
                expected="adaptive composition, which accountants speak about",
            )


@dataclass(frozen=True, slots=True)
class AccountantAnswer:
    """What an accountant says of a question.

    Attributes:
        state: "answered", or why there is no number: it gave no answer that can be read
            ("silent"), or says why itself ("error", "unsupported", "missing").
        message: the accountant's own words on that, or a remark beside its numbers.
        epsilon: its ε, or None where it names none; as a text if it is no finite number.
        delta: its δ, likewise.
        basis: what the numbers rest on: "composition" (the parameters of the question), or
            another basis of :data:`exactdp.ledger.model.BASES`.
        versions: of the accountant and of what it rests on, by name.
    """

    state: AnswerState
    message: str = ""
    epsilon: mpq | str | None = None
    delta: mpq | str | None = None
    basis: str = "composition"
    versions: Mapping[str, str] = field(default_factory=dict)


def question_line(
    question: AccountantQuestion,
    accountant: str,
    *,
    pure: bool,
    against: bool = True,
    noise: bool = True,
) -> str:
    """The line that asks an accountant.

    Args:
        question: what to ask.
        accountant: its name.
        pure: ask about pure mechanisms alone.
        against: round every number so that the question is at least as hard as it should be; else
            to the nearest double, as a user would.
        noise: whether it is asked about mechanisms that (ε, δ) do not describe.

    Raises:
        DomainError: a number beyond the range of doubles.
        UnsupportedError: no question about pure mechanisms is equivalent; or the accountant knows
            no other mechanisms than those given by (ε, δ).
    """
    side = 1 if against else 0
    events, relation = question.events, question.ledger.neighbouring

    def text(number: ExactNumber, up: int, name: str) -> str:
        return _text(number, up * side, name)

    if question.ledger.given_by == "epsilon-delta":
        pairs = question.ledger.approximate()
        entries = [entry_text(Mechanism(m.epsilon, 0, m.count) if pure else m, text) for m in pairs]
    elif accountant == ABOUT_EVENTS and not question.fixed_size:
        pure, entries = False, []
        if events is None:
            relation = _relation_of_events(question.ledger)
            events = json.loads(dp_events_writer.write(question.ledger, relation))
    else:
        if not noise:
            question.ledger.approximate()
        pure, events = False, None
        relation, entries = _told(question, text)
    parts = [
        f'"format": "{FORMAT}"',
        f'"accountant": {json.dumps(accountant)}',
        f'"mechanisms": [{", ".join(each for each in entries if each)}]',
        _target(question, -side, pure=pure),
    ]
    if relation != UNSPECIFIED:
        parts.append(f'"neighbouring": {json.dumps(relation)}')
    if events is not None:
        stated = json.dumps(dp_events.attains_its_parameters(events, relation))
        parts += [f'"events": {json.dumps(events)}', f'"stated": {stated}']
    return f"{{{', '.join(parts)}}}"


def _told(question: AccountantQuestion, text: NumberText) -> tuple[str, list[str | None]]:
    """The neighbours of a question, and its mechanisms by their noise."""
    ledger, relation = question.ledger, question.ledger.neighbouring
    if question.fixed_size:
        return "replace-one", [fixed_size_text(each, text) for each in ledger.mechanisms]
    told = (each.between(relation) for each in ledger.mechanisms)
    return relation, [entry_text(each, text) for each in told]


def _relation_of_events(ledger: Ledger) -> str:
    """The neighbours for which a ledger is written as events.

    Parameters of which no neighbours are stated are those of any. Randomized responses, as which
    pure mechanisms are written, answer for a record that is replaced.
    """
    if ledger.neighbouring != UNSPECIFIED:
        return ledger.neighbouring
    pure = any(not each.delta for each in ledger.pairs)
    return "replace-one" if pure else "add-remove-one"


def _target(question: AccountantQuestion, side: int, *, pure: bool) -> str:
    if question.delta is None:
        return f'"epsilon": {_text(question.epsilon or ExactNumber(mpq(0)), side, "epsilon")}'
    delta = what_is_left(question.ledger, question.delta) if pure else question.delta
    return f'"delta": {_text(ExactNumber(delta), side, "delta")}'


def _text(number: ExactNumber, side: int, field: str) -> str:
    """A number as a double not below it (1), not above it (-1), or nearest to it (0)."""
    if not side:
        return repr(double_near(number))
    value = double_above(number, field) if side > 0 else double_below(number)
    return exact_text_of(value, number, side)


def what_is_left(ledger: Ledger, delta: mpq) -> mpq:
    """Δ, or a rational below it and next to it.

    Raises:
        UnsupportedError: it is negative.
    """
    allowed = Problem.of(ledger).allowed(delta)
    if delta == 1 or not allowed.sign:
        return mpq(int(delta == 1))
    if allowed.sign < 0:
        raise UnsupportedError(
            field="delta",
            value=str(delta),
            expected="a δ that the mechanisms' own δ do not exceed; this accountant takes none",
        )
    return max(mpq(0), lower_end(allowed.ball(_BITS)))


def answer_of(line: str, question: AccountantQuestion, *, pure: bool) -> AccountantAnswer:
    """The answer that a line states; one that cannot be read is none."""
    try:
        data = json.loads(
            line, parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=_once
        )
        return _answer(data, question, pure=pure)
    except (ValueError, TypeError, RecursionError, InputError) as error:
        reason = shorten(str(error), MESSAGE)
        return AccountantAnswer("silent", f"an answer that cannot be read: {reason}")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, of which each key stands once.

    Raises:
        ValueError: one stands twice, and nobody knows which is meant.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{next(key for key in keys if keys.count(key) > 1)} stands twice")
    return found


def _answer(data: Any, question: AccountantQuestion, *, pure: bool) -> AccountantAnswer:  # noqa: ANN401 (JSON)
    if not isinstance(data, dict):
        raise TypeError("not an object")
    versions = {str(name): str(text) for name, text in dict(data.get("versions", {})).items()}
    for state in _WITHOUT_NUMBER:
        if state in data:
            return AccountantAnswer(state, shorten(str(data[state]), MESSAGE), versions=versions)
    basis = str(data.get("basis", "composition"))
    if basis not in BASES:
        raise ValueError(f"basis {basis}")
    epsilon, delta = (
        finite_or_text(data[key]) if key in data else None for key in ("epsilon", "delta")
    )
    if epsilon is None and delta is None:
        raise ValueError("neither epsilon nor delta")
    if pure and isinstance(delta, mpq):
        delta = _with_own_deltas(question.ledger, delta)
    remark = shorten(str(data.get("remark", "")), MESSAGE)
    return AccountantAnswer("answered", remark, epsilon, delta, basis, versions)


_WITHOUT_NUMBER: Final[tuple[AnswerState, ...]] = ("error", "unsupported", "missing")


def finite_or_text(text: object) -> mpq | str:
    """A finite number, read as greatly as its text allows; or "nan", "inf" or "-inf".

    Raises:
        ValueError, TypeError, InputError: no decimal.
    """
    if not isinstance(text, str):
        raise TypeError("a number is a JSON number or its text")
    value = float(text)
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return greatest_reading(text)


def _with_own_deltas(ledger: Ledger, delta: mpq) -> mpq:
    """1 - (1 - δ)∏(1 - δ_i), or a rational above it and next to it."""
    problem = Problem.of(ledger)
    if not problem.deltas or delta >= 1:
        return delta
    with precision(_BITS):
        logarithm = (-ball_of_rational(delta)).log1p() + problem.log_no_failure_ball()
        return upper_end(-logarithm.expm1())
