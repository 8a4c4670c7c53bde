r"""What is known of an answer of the papers' own algorithms, labelled.

Rules of this file: it says what an algorithm answers, what its paper promises and what is
certified, each under its own name; a certificate is one that the verifier accepts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exactdp.arithmetic.decimal_text import (
    decimal_text,
    enclose_in_decimals,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.numbers import ExactNumber, as_number
from exactdp.composition.answers.arguments import DEFAULT_TOLERANCE, target_of
from exactdp.composition.answers.certify import certify
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import InputError
from exactdp.literature.murtagh_vadhan import GridAnswer, JournalAnswer, mv16, mv18
from exactdp.literature.poster import LABELS, READINGS, PosterAnswer, poster, poster_decision
from exactdp.literature.table import LABEL, TableAnswer, table
from exactdp.pages.accepted import verified
from exactdp.pages.facts import COMPUTED, Fact, fact, shown
from exactdp.pages.facts.numbers import delta_fact, ends
from exactdp.pages.number_text import delta_of, epsilon_of, exact_text, rational_text

if TYPE_CHECKING:
    from gmpy2 import mpq

    from exactdp.certificate.statement import Certificate
    from exactdp.ledger.model import Ledger

MEMBERS: Final = (
    "algorithm source promise delta mechanisms label eta unit multiple t epsilon beta unit_odds "
    "readings evidence certified refuted certificates"
)
_SOURCES: Final = {
    "mv18": "Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.7",
    "mv16": "Murtagh & Vadhan, TCC 2016-A",
    "table": "Murtagh & Vadhan, Theory of Computing 14(8), 2018, section 5",
    "poster": "Murtagh & Vadhan, poster; what it leaves open is read in two ways",
}
_PROMISES: Final = {
    "mv18": "OptComp(δ) ≤ ε* ≤ OptComp(e^(-η/2)·δ) + η",
    "mv16": "OptComp(δ) ≤ ε*",
    "table": "(a* - 1)·ε₀ < OptComp(δ) ≤ a*·ε₀",
    "poster": "True if OptComp(δ) ≤ ε*",
}
_PLACES: Final = 10

_OPTIONS: Final = {
    "mv18": ("--eta",),
    "mv16": ("--eta",),
    "poster": ("--t", "--epsilon"),
    "table": ("--odds",),
}
"""The options of each algorithm; the first is needed."""
_EXAMPLES: Final = {"--eta": "0.1", "--t": "1000", "--odds": "3"}


@dataclass(frozen=True, slots=True)
class AlgorithmReport:
    """What is said of an algorithm's answer, and what certifies it.

    Attributes:
        algorithm: its name.
        facts: what it answers, and what is certified of that.
        certificates: the verified bytes of each, by the name that its file ends in.
        refuted: whether the algorithm calls an ε enough that is certified not to be.
    """

    algorithm: str
    facts: list[Fact]
    certificates: Mapping[str, bytes]
    refuted: bool

    @property
    def sentence(self) -> str:
        """What is true of the algorithm's answer."""
        if self.refuted:
            return f"A certificate contradicts {self.algorithm}'s answer: its ε is not enough."
        return f"No certificate contradicts {self.algorithm}'s answer."


@dataclass(frozen=True, slots=True)
class _Finding:
    """One certified statement about the ledger, and what it says of the algorithm."""

    name: str
    certificate: Certificate
    says: str

    @property
    def sentence(self) -> str:
        """The statement, rounded so that it stays true."""
        up = self.certificate.bound == "upper"
        delta = delta_of(self.certificate.delta, up=up)
        if self.certificate.epsilon is None:
            return f"no ε is enough at δ = {delta}"
        epsilon = _rounded(self.certificate.epsilon, up=up)
        return f"OptComp {'≤' if up else '>'} {epsilon} at δ = {delta}"

    def json(self) -> dict[str, str]:
        """The finding, exactly."""
        epsilon = self.certificate.epsilon
        return {
            "name": self.name,
            "bound": self.certificate.bound,
            "epsilon": "every" if epsilon is None else shortest_text(epsilon),
            "delta": short_text(self.certificate.delta),
            "rule": self.certificate.rule,
            "says": self.says,
            "evidence": "certificate",
        }


def run_algorithm(  # noqa: PLR0913 (one argument for each option)
    algorithm: str,
    ledger: Ledger,
    *,
    delta: str | None,
    eta: str | None = None,
    t: str | None = None,
    odds: str | None = None,
    epsilon: str | None = None,
    tolerance: str = DEFAULT_TOLERANCE,
    max_cost: int = DEFAULT_MAX_COST,
) -> AlgorithmReport:
    """Run an algorithm of the papers, and certify what is true of its answer.

    Args:
        algorithm: one of :data:`ALGORITHMS`.
        ledger: what to compose.
        delta: the global δ, or None for the ledger's own.
        eta: η, for ``mv18`` and ``mv16``.
        t: t, for ``poster``.
        odds: e^ε₀, for ``table``.
        epsilon: for ``poster``: decide this ε*; None looks for the least that it calls enough.
        tolerance: for ``poster`` without ``epsilon``: the step of the bisection.
        max_cost: refuse work predicted to cost more.

    Raises:
        InputError: bad arguments, or an option of another algorithm.
        CostLimitError: the work would exceed the limits.
        InternalError: a certificate that the verifier rejects.
    """
    own = _checked_option(algorithm, {"--eta": eta, "--t": t, "--odds": odds, "--epsilon": epsilon})
    if algorithm == "mv18":
        return _journal(mv18(ledger, delta=delta, eta=own, max_cost=max_cost))
    if algorithm == "mv16":
        return _proceedings(mv16(ledger, delta=delta, eta=own, max_cost=max_cost))
    if algorithm == "table":
        return _tabled(table(ledger, delta=delta, odds=own, max_cost=max_cost))
    if epsilon is not None:
        return _decided(ledger, delta, epsilon, own, max_cost)
    answers = [
        poster(ledger, delta=delta, t=own, reading=reading, tolerance=tolerance, max_cost=max_cost)
        for reading in READINGS
    ]
    return _bisected(answers)


def _checked_option(algorithm: str, given: Mapping[str, str | None]) -> str:
    """The first option of the algorithm, which it needs; those of others are refused.

    Raises:
        InputError: an option too many, or one too few.
    """
    allowed = _OPTIONS[algorithm]
    for option, value in given.items():
        if value is not None and option not in allowed:
            others = [name for name, options in _OPTIONS.items() if option in options]
            expected = f"this option with {' or '.join(others)} only"
            raise InputError(field=option, value=value, expected=expected)
    needed = allowed[0]
    value = given[needed]
    if value is None:
        raise InputError(
            field=needed,
            value="nothing",
            expected=f"{needed}, as {algorithm} asks for it",
            remedy=f"for example {needed} {_EXAMPLES[needed]}",
        )
    return value


def _journal(answer: JournalAnswer) -> AlgorithmReport:
    findings = []
    upper, lower = answer.upper_certificate(), answer.lower_certificate()
    if upper is not None:
        findings.append(_Finding("upper", upper, "OptComp(δ) ≤ ε*"))
    if lower is not None:
        says = "ε* - η < OptComp(e^(-η/2)·δ)" if upper else "no ε* exists"
        findings.append(_Finding("lower", lower, says))
    exactly = [fact("beta", str(answer.beta)), fact("unit_odds", str(answer.unit_odds))]
    facts = _grid_facts("mv18", answer, answer.label) + exactly
    return _report("mv18", facts, findings)


def _proceedings(answer: GridAnswer) -> AlgorithmReport:
    facts = _grid_facts("mv16", answer, answer.label)
    judged = answer.judged()
    if judged is None:
        judged = certify(answer.ledger, epsilon="0", delta=answer.delta)
        return _report("mv16", facts, [_Finding("lower", judged.certificate, "no ε* exists")])
    if judged.holds:
        finding = _Finding("upper", judged.certificate, "OptComp(δ) ≤ ε*: it happens to hold here")
    else:
        finding = _Finding("refutation", judged.certificate, "ε* < OptComp(δ): REFUTED")
    return _report("mv16", facts, [finding], refuted=not judged.holds)


def _tabled(answer: TableAnswer) -> AlgorithmReport:
    """The table's answer, and the engine's certificates for it and for what is just below."""
    epsilon, findings, refuted = answer.epsilon, [], False
    for judged, holds, says in (
        (answer.judged(), True, "OptComp(δ) ≤ a*·ε₀"),
        (answer.judged_below(), False, "OptComp(δ) > (a* - 1)·ε₀"),
    ):
        if judged is not None:
            agrees = judged.holds == holds
            name = ("upper" if holds else "lower") if agrees else "refutation"
            findings.append(_Finding(name, judged.certificate, says if agrees else "REFUTED"))
            refuted |= not agrees
    if epsilon is None:
        judged = certify(answer.ledger, epsilon="0", delta=answer.delta)
        findings = [_Finding("lower", judged.certificate, "no finite ε is enough")]
    starred = "infeasible: no finite ε is enough" if epsilon is None else _starred(epsilon)
    multiple = answer.multiple
    facts = [
        *_question_facts("table", answer.delta, answer.ledger.size),
        fact("label", LABEL, "label", LABEL),
        fact("unit_odds", short_text(answer.odds)),
        fact("unit", str(answer.unit), "unit", f"ε₀ = {exact_text(answer.unit)}"),
        fact("multiple", None if multiple is None else str(multiple)),
        fact("epsilon", _ends(epsilon), "the table's answer", starred),
    ]
    return _report("table", facts, findings, refuted=refuted)


def _grid_facts(method: str, answer: GridAnswer, label: str) -> list[Fact]:
    """What both algorithms on a grid answer and promise."""
    multiple, epsilon = answer.multiple, answer.epsilon
    starred = "infeasible: no finite ε is enough" if epsilon is None else _starred(epsilon)
    return [
        *_question_facts(method, answer.delta, answer.ledger.size),
        fact("eta", short_text(answer.eta), "η", rational_text(answer.eta)),
        fact("label", label, "label", label),
        fact("unit", str(answer.unit), "unit", f"ε₀ = {exact_text(answer.unit)}"),
        fact("multiple", None if multiple is None else str(multiple)),
        fact("epsilon", _ends(epsilon), "the paper's answer", starred),
    ]


def _bisected(answers: list[PosterAnswer]) -> AlgorithmReport:
    """Both readings, each with the least ε that it calls enough."""
    first = answers[0]
    cells = str(first.t)
    facts = [
        *_question_facts("poster", first.delta, first.ledger.size),
        fact("t", cells, "t", cells),
        fact("readings", [_reading(answer) for answer in answers]),
        *(each for answer in answers for each in _turn_facts(answer)),
    ]
    findings, refuted = [], False
    for answer in answers:
        judged, promise = answer.judged(), answer.promise_judged()
        if judged is not None:
            refuted |= not judged.holds
            says = "it says True, rightly" if judged.holds else "it says True: REFUTED"
            name = "upper" if judged.holds else "refutation"
            findings.append(_Finding(f"{answer.reading}.{name}", judged.certificate, says))
        if promise is not None and promise.holds:
            says = "it says False: promise broken"
            findings.append(_Finding(f"{answer.reading}.promise", promise.certificate, says))
    if first.epsilon is None:
        infeasible = certify(first.ledger, epsilon="0", delta=first.delta).certificate
        findings = [_Finding("lower", infeasible, "no ε* exists")]
    return _report("poster", facts, findings, refuted=refuted)


def _reading(answer: PosterAnswer) -> dict[str, object]:
    return {
        "reading": answer.reading,
        "label": LABELS[answer.reading],
        "true_at": None if answer.epsilon is None else decimal_text(answer.epsilon),
        "false_at": None if answer.below is None else decimal_text(answer.below),
    }


def _turn_facts(answer: PosterAnswer) -> list[Fact]:
    name = f"reading “{answer.reading}”"
    if answer.epsilon is None:
        return [shown(name, LABELS[answer.reading], "infeasible: no finite ε is enough")]
    below = [] if answer.below is None else [f"at ε* = {decimal_text(answer.below)}"]
    return [
        shown(name, LABELS[answer.reading]),
        shown("  says True", f"at ε* = {decimal_text(answer.epsilon)}"),
        shown("  says False", *below),
    ]


def _decided(
    ledger: Ledger, delta: str | None, epsilon: str, t: str, max_cost: int
) -> AlgorithmReport:
    """Both readings of the decision about one ε*, and the truth."""
    candidate = as_number(epsilon, "--epsilon")
    decisions = {
        reading: poster_decision(
            ledger, epsilon=candidate, delta=delta, t=t, reading=reading, max_cost=max_cost
        )
        for reading in READINGS
    }
    target = target_of(ledger, delta)
    judged = certify(ledger, epsilon=candidate, delta=target, max_cost=max_cost)
    target = judged.certificate.delta
    readings = [
        {"reading": reading, "label": LABELS[reading], "decision": decision}
        for reading, decision in decisions.items()
    ]
    facts = [
        *_question_facts("poster", target, ledger.size),
        fact("t", t, "t", t),
        fact("epsilon", _ends(candidate), "ε*", exact_text(candidate)),
        fact("readings", readings),
    ]
    for reading, decision in decisions.items():
        facts.append(shown(f"reading “{reading}”", LABELS[reading]))
        facts.append(shown("  says", str(decision)))
    wrong = [reading for reading, decision in decisions.items() if decision != judged.holds]
    says = f"wrong: {' and '.join(wrong)}" if wrong else "both readings are right here"
    finding = _Finding("upper" if judged.holds else "refutation", judged.certificate, says)
    refuted = any(decisions.values()) and not judged.holds
    return _report("poster", facts, [finding], refuted=refuted)


def _report(
    algorithm: str, facts: list[Fact], findings: list[_Finding], *, refuted: bool = False
) -> AlgorithmReport:
    """Everything together, once the verifier has accepted every certificate."""
    certificates = {each.name: verified(each.certificate) for each in findings}
    lines = [f"{each.sentence} — {each.says}" for each in findings]
    certified = fact("certified", [each.json() for each in findings], "certified", *lines)
    told = [*facts, fact("evidence", COMPUTED), certified, fact("refuted", refuted)]
    return AlgorithmReport(algorithm, told, certificates, refuted)


def _question_facts(algorithm: str, delta: mpq, mechanisms: int) -> list[Fact]:
    return [
        delta_fact(delta),
        fact("algorithm", algorithm),
        fact("source", _SOURCES[algorithm], "algorithm", _SOURCES[algorithm]),
        fact("promise", _PROMISES[algorithm], "the paper's promise", _PROMISES[algorithm]),
        fact("mechanisms", mechanisms),
    ]


def _starred(epsilon: ExactNumber) -> str:
    """The answer of an algorithm: exactly, and a decimal not below it."""
    text, above = exact_text(epsilon), _rounded(epsilon, up=True)
    return f"ε* = {text}" if text == above else f"ε* = {text}, at most {above}"


def _rounded(epsilon: ExactNumber, *, up: bool) -> str:
    """A decimal: the number itself if it has few digits, else one on the safe side."""
    if epsilon.is_rational and "/" not in (text := epsilon_of(epsilon, up=up)):
        return text
    return decimal_text(enclose_in_decimals(epsilon, _PLACES)[up])


def _ends(epsilon: ExactNumber | None) -> dict[str, str] | None:
    if epsilon is None:
        return None
    return {"exact": shortest_text(epsilon), **ends(*enclose_in_decimals(epsilon, _PLACES))}
