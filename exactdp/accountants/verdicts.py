r"""Verdicts: an accountant's answer against the certified truth.

Rules of this file: UNSOUND is said only of an answer that rests on the parameters of the question
and on nothing else, and is decided at the accountant's own numbers; what is refuted without a
certificate, for which there is no rule yet, accuses just as well, and says so; an accountant that
knows more than the parameters may rightly be lower, and "not comparable" is then all that can be
said; what cannot be decided within the limits is undecided.

Theory of operation: an answer is a claim, "these mechanisms compose to (ε, δ)-DP", at the δ that
the accountant names, else at the δ that it was asked about. The claim is decided exactly; a tie
goes to the accountant. The certificate of a refuted claim is a lower one at that very (ε, δ). The
gap is what the accountant's number is too small by, at least; the looseness what it is too large
by, at most. Accountants compute in doubles, on meshes: a claim that is refuted by less than
:data:`LEAST_GAPS` is low, with its certificate, and accuses nobody.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeVar

from gmpy2 import mpq

from exactdp.accountants.protocol import AccountantAnswer, AccountantQuestion, AnswerState
from exactdp.arithmetic.comparison import compare, sign
from exactdp.arithmetic.decimal_text import (
    scientific_above,
    scientific_below,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.numbers import ExactNumber, Number, as_rational
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.arguments import DEFAULT_TOLERANCE
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.answers.results import Certified, Composition, EvidenceKind
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import CostLimitError, DomainError
from exactdp.mechanisms import REPLACE_ONE
from exactdp.readable import Readable

AnswerOutcome = Literal[
    "unsound",
    "low",
    "not-comparable",
    "sound",
    "unusable",
    "infeasible-handled",
    "infeasible-not-handled",
    "undecided",
    "not-asked",
    "not-installed",
]

PromiseStanding = Literal["accused", "judged", "open", "none"]
"""What an outcome makes of a promise: it is false, it is judged, it is open, or there is none."""
STANDINGS: Final[Mapping[AnswerOutcome, PromiseStanding]] = {
    "unsound": "accused",
    "low": "judged",
    "not-comparable": "none",
    "sound": "judged",
    "unusable": "none",
    "infeasible-handled": "judged",
    "infeasible-not-handled": "accused",
    "undecided": "open",
    "not-asked": "none",
    "not-installed": "none",
}
LEAST_GAPS: Final = (mpq(1, 10**6), mpq(1, 10**3))
"""From which gap on somebody is accused: in ε, and as a part of the δ that is claimed."""
COMPUTED: Final = "computed, without a certificate"
"""What is said of a decision for which no rule of certificates exists yet."""
_FROM_BELOW: Final = "one pair of inputs, which does not refute it, is all that was looked at"
_COARSER: Final = (mpq(1, 10**6), mpq(1, 10**4), mpq(1, 100))
_FINE: Final = mpq(1, 10**24)
_LITTLE: Final = 10**10
_VERY_LITTLE: Final = 10**8
_ROUNDING: Final = mpq(1, 10**12)
_SHOWN_DIGITS: Final = 6

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class AnswerVerdict(Readable):
    """What becomes of an answer.

    Attributes:
        outcome: the verdict.
        message: the accountant's words where it gave no usable number, or what else must be said.
        epsilon: the ε that it claims, read in its favour; None without a claim.
        delta: the δ that it claims or was asked about, likewise.
        in_delta: whether gap and looseness are in δ (else in ε).
        gap: by how much its number is too small, at least; None unless the claim is refuted, and
            where no number would be enough or the distance costs too much.
        rounding: whether the gap is certainly less than one part in 10^12: such as a computation in
            doubles rounds off.
        looseness: by how much its number is too large, at most; None unless the claim holds, and
            where that costs too much.
        certificate: refutes the claim; None unless it is refuted, and where no rule certifies that.
        evidence: what the decision rests on; None where no claim was decided.
    """

    outcome: AnswerOutcome
    message: str = ""
    epsilon: ExactNumber | None = None
    delta: mpq | None = None
    in_delta: bool = False
    gap: mpq | None = None
    rounding: bool = False
    looseness: mpq | None = None
    certificate: Certificate | None = None
    evidence: EvidenceKind | None = None

    def facts(self) -> list[tuple[str, str]]:
        """The verdict, what was claimed, and by how much it is off."""
        found: list[tuple[str, str]] = [("verdict", self.outcome)]
        if self.epsilon is not None and self.delta is not None:
            claim = f"ε = {shortest_text(self.epsilon)} at δ = {short_text(self.delta)}"
            found.append(("claim", claim))
        if self.gap is not None:
            found.append(("too small by at least", scientific_below(self.gap, _SHOWN_DIGITS)))
        if self.looseness is not None:
            shown = scientific_above(self.looseness, _SHOWN_DIGITS)
            found.append(("too large by at most", shown))
        if self.evidence == "computed":
            found.append(("evidence", COMPUTED))
        return [*found, *([("message", self.message)] if self.message else [])]

    @property
    def standing(self) -> PromiseStanding:
        """What becomes of the promise; where no claim was decided nobody is accused."""
        named = STANDINGS[self.outcome]
        return "none" if named == "accused" and not self.is_refuted else named

    @property
    def is_refuted(self) -> bool:
        """Whether a claim is refuted, by a certificate or by computation; also one of no use."""
        return self.evidence is not None and self.outcome not in ("sound", "infeasible-handled")

    @property
    def accuses(self) -> bool:
        """Whether a promise is refuted, by more than accountants round off."""
        return self.standing == "accused"

    @property
    def refutes(self) -> bool:
        """Whether a promise is refuted, by however little."""
        return self.accuses or (self.outcome == "low" and self.is_refuted)


class Truth:
    """The certified answers of one question; each is found when it is first needed.

    Args:
        question: what is asked.
        tolerance: the greatest width of an interval; wider ones are taken where this costs too
            much. None for what is found in seconds: 10^-4 where a mesh would cost more.
        max_cost: refuse to decide a claim where that is predicted to cost more.
    """

    def __init__(
        self,
        question: AccountantQuestion,
        *,
        tolerance: Number | None = DEFAULT_TOLERANCE,
        max_cost: int = DEFAULT_MAX_COST,
    ) -> None:
        self.question = question
        chosen = DEFAULT_TOLERANCE if tolerance is None else tolerance
        self._tolerance = as_rational(chosen, "tolerance")
        self._for_fine_mesh = _LITTLE if tolerance is not None else _VERY_LITTLE
        self._max_cost = max_cost
        self._known: dict[tuple[mpq, bool], Composition] = {}
        self._evidence: EvidenceKind = "certificate"

    def certified(self) -> tuple[mpq | None, mpq | None]:
        """The ends of the interval that was asked about; None for infinity."""
        if self.question.delta is None:
            return self.at_epsilon(self.question.epsilon or ExactNumber(mpq(0)))
        composed = self.at_delta(self.question.delta)
        return composed.lower_end, composed.upper_end

    def at_delta(self, delta: mpq, *, finely: bool = False) -> Composition:
        """The least ε at ``delta``, enclosed as narrowly as the limits allow.

        ``finely`` asks for more digits than a double has.

        Raises:
            CostLimitError: not even a wide interval is within them.
        """
        if (delta, finely) not in self._known:
            self._known[delta, finely] = self._narrowest(
                lambda tolerance, limit: compose(
                    self.question.ledger, delta=delta, tolerance=tolerance, max_cost=limit
                ),
                finely=finely,
            )
        return self._known[delta, finely]

    def at_epsilon(self, epsilon: ExactNumber, *, finely: bool = False) -> tuple[mpq, mpq]:
        """Rationals around the least δ at ``epsilon``, as for :meth:`at_delta`.

        Raises:
            CostLimitError: not even a wide interval is within the limits.
        """
        [point] = self._narrowest(
            lambda tolerance, limit: profile(
                self.question.ledger, epsilon=[epsilon], tolerance=tolerance, max_cost=limit
            ),
            finely=finely,
        )
        self._evidence = point.evidence
        return point.lower_end, point.upper_end

    @property
    def evidence(self) -> EvidenceKind:
        """What the ends of the question rest on, once they are known."""
        delta = self.question.delta
        return self._evidence if delta is None else self.at_delta(delta).evidence

    def decide(self, epsilon: ExactNumber, delta: mpq) -> Certified:
        """Whether these mechanisms compose to (``epsilon``, ``delta``)-DP.

        Raises:
            CostLimitError: undecided within the limits.
        """
        self._refuse_open(epsilon, delta)
        return certify(self.question.ledger, epsilon=epsilon, delta=delta, max_cost=self._max_cost)

    def _refuse_open(self, epsilon: ExactNumber, delta: mpq) -> None:
        """Leave open what lies between the ends that are known of mechanisms by their noise."""
        known = self._known.get((delta, False))
        if known is None or known.ledger.given_by != "noise" or known.upper_end is None:
            return
        if (
            compare(epsilon, ExactNumber(known.upper_end))
            < 0
            < compare(epsilon, ExactNumber(known.lower_end or mpq(0)))
        ):
            raise CostLimitError(
                field="claim",
                value="within the certified interval",
                expected="an ε outside of it, to be decided",
                remedy="a smaller --tolerance may tell them apart",
            )

    def _has_a_grid(self) -> bool:
        """Whether all losses are those of discrete noise; a mesh of others costs much by 10^-9."""
        return all(entry.ON_INTEGERS for entry in self.question.ledger.mechanisms)

    def _replaces_sampled(self) -> bool:
        """Whether sampled records that are summed are replaced: a fine mesh takes minutes."""
        ledger = self.question.ledger
        sums = (each for each in ledger.mechanisms if each.sampled_base().REACH_KEY)
        return ledger.neighbouring == REPLACE_ONE and any(each.is_sampled for each in sums)

    def _narrowest(self, ask: Callable[[mpq, int], _Found], *, finely: bool) -> _Found:
        """What is found with the least tolerance that costs little, else with the greatest."""
        limit = min(self._max_cost, _LITTLE)
        first: tuple[mpq, ...] = (_FINE, self._tolerance) if finely else (self._tolerance,)
        if self.question.ledger.given_by == "noise" and not self._has_a_grid():
            first = ()
        coarser = _COARSER[1:] if self._replaces_sampled() else _COARSER
        for tolerance in (*first, *(max(each, self._tolerance) for each in coarser)):
            is_fine_mesh = not first and tolerance <= _COARSER[0]
            most = min(limit, self._for_fine_mesh) if is_fine_mesh else limit
            with contextlib.suppress(CostLimitError):
                return ask(tolerance, most)
        return ask(max(self._tolerance, _COARSER[-1]), self._max_cost)


def judge(answer: AccountantAnswer, truth: Truth) -> AnswerVerdict:
    """The verdict on an answer to the question that ``truth`` is about."""
    if answer.state in _WITHOUT_NUMBER:
        return AnswerVerdict(_WITHOUT_NUMBER[answer.state], answer.message)
    delta = truth.question.delta
    try:
        if delta is not None and answer.delta is None and not truth.at_delta(delta).feasible:
            return _on_infeasible(answer, delta, truth)
        if answer.state == "error":
            return AnswerVerdict("unusable", answer.message)
        return _on_claim(answer, truth)
    except (CostLimitError, DomainError) as error:
        return AnswerVerdict("undecided", str(error))


# An error may be the right answer: that of one who refuses what is infeasible.
_WITHOUT_NUMBER: Final[Mapping[AnswerState, AnswerOutcome]] = {
    "missing": "not-installed",
    "unsupported": "not-asked",
    "silent": "unusable",
}


def _on_infeasible(answer: AccountantAnswer, delta: mpq, truth: Truth) -> AnswerVerdict:
    """No finite ε is enough at this δ; so infinity, or a refusal, is the right answer."""
    value = answer.epsilon
    if answer.state == "error" or value == "inf":
        message = answer.message if answer.state == "error" else "inf"
        return AnswerVerdict("infeasible-handled", message, evidence=truth.at_delta(delta).evidence)
    if not isinstance(value, mpq) or value < 0:
        return AnswerVerdict("infeasible-not-handled", _shown(value))
    return _refuted(answer, ExactNumber(value), delta, truth, "infeasible-not-handled")


def _on_claim(answer: AccountantAnswer, truth: Truth) -> AnswerVerdict:
    """The verdict on numbers."""
    question = truth.question
    for value in (answer.epsilon, answer.delta):
        if isinstance(value, str):
            return AnswerVerdict("unusable", value)
    epsilon = question.epsilon if answer.epsilon is None else ExactNumber(mpq(answer.epsilon))
    delta = question.delta if answer.delta is None else mpq(answer.delta)
    if epsilon is None or delta is None:
        wanted = "epsilon" if epsilon is None else "delta"
        return AnswerVerdict("unusable", f"an answer without {wanted}")
    negative = [number for number in (answer.epsilon, answer.delta) if _is_negative(number)]
    if negative:
        return _on_negative(epsilon, delta, truth)
    delta = min(delta, mpq(1))
    decided = truth.decide(epsilon, delta)
    if decided.holds and question.fixed_size:
        return AnswerVerdict("undecided", _FROM_BELOW, epsilon, delta)
    if decided.holds:
        return replace(_held(epsilon, delta, truth), evidence=decided.evidence)
    return _refuted(answer, epsilon, delta, truth, "unsound")


def _on_negative(epsilon: ExactNumber, delta: mpq, truth: Truth) -> AnswerVerdict:
    """A negative number promises more than 0 does; where 0 is refuted, so is this."""
    least = ExactNumber(mpq(0)) if sign(epsilon) < 0 else epsilon
    decided = truth.decide(least, min(max(delta, mpq(0)), mpq(1)))
    return AnswerVerdict(
        "unusable",
        "a negative number",
        epsilon,
        delta,
        in_delta=delta < 0,
        certificate=None if decided.holds else decided.proof,
        evidence=None if decided.holds else decided.evidence,
    )


def _held(epsilon: ExactNumber, delta: mpq, truth: Truth) -> AnswerVerdict:
    in_delta = truth.question.epsilon is not None and not compare(epsilon, truth.question.epsilon)
    looseness = None
    with contextlib.suppress(CostLimitError):  # the claim is decided; only its distance is not
        if in_delta:
            looseness = max(delta - truth.at_epsilon(epsilon)[0], mpq(0))
        else:
            looseness = max(epsilon.rational - (truth.at_delta(delta).lower_end or 0), mpq(0))
    return AnswerVerdict("sound", "", epsilon, delta, in_delta=in_delta, looseness=looseness)


def _refuted(
    answer: AccountantAnswer, epsilon: ExactNumber, delta: mpq, truth: Truth, outcome: AnswerOutcome
) -> AnswerVerdict:
    if answer.basis != "composition":
        return AnswerVerdict("not-comparable", _KNOWS_MORE, epsilon, delta)
    decided = truth.decide(epsilon, delta)
    in_delta, least, most = False, None, None
    with contextlib.suppress(CostLimitError):  # the claim is decided; only its distance is not
        in_delta, least, most = _gap(epsilon, delta, truth)
    size = delta if in_delta else epsilon.rational
    if outcome == "unsound" and _is_little(epsilon, delta, truth, least=least, in_delta=in_delta):
        outcome = "low"
    return AnswerVerdict(
        outcome,
        answer.message,
        epsilon,
        delta,
        in_delta=in_delta,
        gap=least,
        rounding=most is not None and most <= size * _ROUNDING,
        certificate=decided.proof,
        evidence=decided.evidence,
    )


def _is_little(
    epsilon: ExactNumber, delta: mpq, truth: Truth, *, least: mpq | None, in_delta: bool
) -> bool:
    """Whether no gap is shown from which on somebody is accused.

    The interval may be too wide to show it; then the claim that is greater by so much is decided.
    """
    of_epsilon, of_delta = LEAST_GAPS
    allowed = delta * of_delta if in_delta else of_epsilon
    if least is not None and least >= allowed:
        return False
    try:
        if in_delta:
            return truth.decide(epsilon, min(delta + allowed, mpq(1))).holds
        return truth.decide(ExactNumber(epsilon.rational + allowed), delta).holds
    except (CostLimitError, DomainError):
        return True


def _gap(epsilon: ExactNumber, delta: mpq, truth: Truth) -> tuple[bool, mpq | None, mpq | None]:
    """In which number a refuted claim is too small, by how much at least, and at most."""
    asked = truth.question.epsilon
    if asked is not None and not compare(epsilon, asked):
        return True, *_ends(delta, *truth.at_epsilon(epsilon, finely=True))
    composed = truth.at_delta(delta, finely=True)
    if composed.lower_end is not None and composed.upper_end is not None:
        return False, *_ends(epsilon.rational, composed.lower_end, composed.upper_end)
    if delta == truth.question.delta:
        return False, None, None
    return True, *_ends(delta, *composed.least_feasible_delta_ends)


def _ends(number: mpq, lower: mpq, upper: mpq) -> tuple[mpq, mpq]:
    """How far a number lies below an interval, at least and at most."""
    return max(lower - number, mpq(0)), upper - number


_KNOWS_MORE: Final = "it knows more than (ε, δ), and may rightly be lower"


def _is_negative(value: mpq | str | None) -> bool:
    return isinstance(value, mpq) and value < 0


def _shown(value: mpq | str | None) -> str:
    return value if isinstance(value, str) else "a negative number" if value else "no number"
