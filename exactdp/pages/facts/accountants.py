r"""What is known of the answers of accountants, beside the certified interval.

Rules of this file: the verdict alone decides the head and the table; a number is rounded so that
the sentence in which it stands stays true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from gmpy2 import mpq

from exactdp.accountants.checking import Checked
from exactdp.accountants.doubles import double_near
from exactdp.accountants.protocol import UNSPECIFIED, AccountantQuestion
from exactdp.accountants.verdicts import COMPUTED, LEAST_GAPS, AnswerOutcome, AnswerVerdict, Truth
from exactdp.arithmetic.decimal_text import (
    round_above,
    round_below,
    scientific_above,
    scientific_below,
    scientific_text,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.numbers import ExactNumber, as_rational
from exactdp.ledger.model import Ledger
from exactdp.pages.facts import COMPUTED as LACKING
from exactdp.pages.facts import Fact, fact, result_of, shown
from exactdp.pages.facts.numbers import ends
from exactdp.pages.number_text import bounds_text, exact_text, rational_text
from exactdp.pages.phrases import accountants_low, accountants_negative, accountants_refuted
from exactdp.pages.standing import Opening, standing_of_verdict

OpenEnds = tuple[mpq | None, mpq | None]
"""The ends of the certified interval; None for infinity."""
_DIGITS: Final = 17


def crosscheck_facts(
    truth: Truth, certified: OpenEnds, rows: Sequence[Sequence[Fact]]
) -> list[Fact]:
    """What was asked, the certified interval, and the verdicts."""
    question = truth.question
    return [
        *_asked_facts(question),
        neighbouring_fact(question.ledger),
        fact("mechanisms", question.ledger.size),
        fact("feasible", certified[1] is not None),
        _interval_fact(truth, certified),
        fact("evidence", truth.evidence),
        fact("accountants", [result_of(row) for row in rows]),
    ]


def verdict_facts(row: Checked, certificate: str | None, *, delta: mpq | None) -> list[Fact]:
    """An accountant's answer and verdict; numbers are exact, gap and looseness are bounds."""
    verdict, gap, looseness = row.verdict, row.verdict.gap, row.verdict.looseness
    is_sound = verdict.outcome == "sound"  # no file is written of what nobody is accused of
    evidence = LACKING if is_sound else verdict.evidence
    told = f"{describe(verdict)} (computed)" if is_sound else describe(verdict)
    return [
        fact("accountant", row.accountant, "accountant", row.accountant),
        shown("claims", claim_text(verdict, delta=delta)),
        fact("verdict", verdict.outcome, "verdict", told),
        fact("message", verdict.message),
        fact("epsilon", None if verdict.epsilon is None else shortest_text(verdict.epsilon)),
        fact("delta", None if verdict.delta is None else short_text(verdict.delta)),
        fact("in", "delta" if verdict.in_delta else "epsilon"),
        fact("gap", None if gap is None else scientific_below(gap, _DIGITS)),
        fact("rounding", verdict.rounding),
        fact("looseness", None if looseness is None else scientific_above(looseness, _DIGITS)),
        fact("basis", row.answer.basis),
        fact("versions", dict(row.answer.versions)),
        fact("certificate", certificate),
        fact("evidence", evidence),
    ]


def neighbouring_fact(ledger: Ledger) -> Fact:
    """What the interval and all answers are about, where the ledger says so."""
    named = ledger.neighbouring
    return fact("neighbouring", named, "neighbours", *([] if named == UNSPECIFIED else [named]))


def crosscheck_opening(question: AccountantQuestion, rows: Sequence[Checked]) -> Opening:
    """How many promise what is false, and what has become of each promise."""
    sentence = _sentence(rows, " = ".join(_asked_at(question)))
    found = [standing_of_verdict(row.verdict) for row in rows]
    standings = tuple(each for each in found if each is not None)
    return Opening((sentence,), standings or ("unsettled",))


def _sentence(rows: Sequence[Checked], at: str) -> str:
    """What is shown of the answers, the worst first; each certificate that is listed is part."""
    judged = sum(row.verdict.standing != "none" for row in rows)
    if wrong := [row.accountant for row in rows if row.verdict.accuses]:
        return accountants_refuted(wrong, judged, at)
    if low := [row.accountant for row in rows if row.verdict.refutes]:
        return accountants_low(low, judged, at)
    if negative := [row.accountant for row in rows if row.verdict.is_refuted]:
        return accountants_negative(negative, at)
    return accountants_refuted((), judged, at)


def _asked_facts(question: AccountantQuestion) -> list[Fact]:
    title, text = _asked_at(question)
    if question.delta is not None:
        return [fact("delta", short_text(question.delta), title, text), fact("epsilon", None)]
    epsilon = None if question.epsilon is None else shortest_text(question.epsilon)
    return [fact("delta", None), fact("epsilon", epsilon, title, text)]


def _asked_at(question: AccountantQuestion) -> tuple[str, str]:
    if question.delta is not None:
        return "at δ", rational_text(question.delta)
    return "at ε", exact_text(question.epsilon or ExactNumber(mpq(0)))


def _interval_fact(truth: Truth, certified: OpenEnds) -> Fact:
    (lower, upper), letter = certified, "ε"
    title = "certified" if truth.evidence == "certificate" else "computed"
    if lower is None or upper is None:
        return fact("certified", ends(*certified), title, "infeasible: no finite ε is enough")
    value = ends(lower, upper)
    low, high = bounds_text(lower, upper)
    if truth.question.delta is None:
        letter, value = "δ", ends(round_below(lower, _DIGITS), round_above(upper, _DIGITS))
        low, high = scientific_below(lower, _DIGITS), scientific_above(upper, _DIGITS)
    return fact("certified", value, title, f"{letter} ≥ {low}", f"{letter} ≤ {high}")


def describe(verdict: AnswerVerdict) -> str:
    """A verdict as a person reads it."""
    computed = f" ({COMPUTED})" if verdict.is_refuted and verdict.evidence == "computed" else ""
    return f"{_WORDS[verdict.outcome]}{_detail(verdict)}{computed}"


_WORDS: Final[Mapping[AnswerOutcome, str]] = {
    "unsound": "UNSOUND",
    "low": "low",
    "not-comparable": "not comparable",
    "sound": "sound",
    "unusable": "unusable",
    "infeasible-handled": "infeasible, handled",
    "infeasible-not-handled": "INFEASIBLE, NOT HANDLED",
    "undecided": "undecided",
    "not-asked": "not asked",
    "not-installed": "not installed",
}


def _detail(verdict: AnswerVerdict) -> str:
    letter = "δ" if verdict.in_delta else "ε"
    if verdict.looseness is not None:
        if not verdict.looseness:
            return f": {letter} as small as it can be"
        return f": {letter} too large by at most {scientific_above(verdict.looseness, 3)}"
    if verdict.outcome == "infeasible-not-handled" and verdict.is_refuted:
        return ": no finite ε is enough at this δ"
    if verdict.gap is not None:
        small = _SMALL[verdict.in_delta] if verdict.outcome == "low" else ""
        remark = f"; {verdict.message}" if verdict.message else ""
        return f": {letter} too small by at least {scientific_below(verdict.gap, 6)}{small}{remark}"
    return f": {verdict.message}" if verdict.message else ""


_SMALL: Final = (
    f", less than {scientific_text(LEAST_GAPS[0])}",
    f", less than {scientific_text(LEAST_GAPS[1])} of it",
)
"""What is said of a gap in ε, and in δ, that accuses nobody."""


def claim_text(verdict: AnswerVerdict, *, delta: mpq | None) -> str:
    """What an accountant claims; its numbers are rounded as its verdict needs."""
    if verdict.epsilon is None or verdict.delta is None:
        return ""
    up = verdict.outcome == "sound"
    if verdict.epsilon.is_rational:
        epsilon = _short(verdict.epsilon.rational, up=up)
    else:
        epsilon = exact_text(verdict.epsilon)
    other = "" if verdict.delta == delta else f" at δ = {_short(verdict.delta, up=up)}"
    return f"ε = {epsilon}{other}"


def _short(value: mpq, *, up: bool) -> str:
    """A number as accountants print it, the shortest text of a double; on the side that is asked.

    >>> _short(mpq(3, 10), up=True), _short(mpq(1, 3), up=True)
    ('0.3', '0.33333333333333334')
    """
    nearest = as_rational(repr(double_near(ExactNumber(abs(value)))), "claim")
    nearest = -nearest if value < 0 else nearest
    if nearest >= value if up else nearest <= value:
        return scientific_text(nearest)
    return (scientific_above if up else scientific_below)(value, _DIGITS)
