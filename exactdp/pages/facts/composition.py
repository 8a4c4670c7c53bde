r"""What is known of a composition: the least ε, what it rests on, and what became of claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    decimal_text,
    scientific_above,
    scientific_below,
    shortest_text,
)
from exactdp.certificate.naming import rule_words, theorem_cited
from exactdp.composition.answers.results import BESIDE_THE_OPTIMUM, Composition, EvidenceKind
from exactdp.pages.facts import COMPUTED, Fact, fact, labelled, shown, titled
from exactdp.pages.facts.numbers import delta_fact, ends
from exactdp.pages.number_text import (
    abridged,
    bounds_text,
    epsilon_above,
    exact_and_decimal,
    exact_text,
    rational_text,
)
from exactdp.pages.phrases import composed, nothing_derived, standing_text
from exactdp.pages.standing import Opening, standing_of_answer, standing_of_outcome

if TYPE_CHECKING:
    from exactdp.claims.claims import Judgement
    from exactdp.composition.routes import Derivation
    from exactdp.pages.facts.interleaving import Interleaved

MEMBERS: Final = (
    "epsilon exact delta feasible mechanisms neighbouring method complete open_because "
    "basic_epsilon least_feasible_delta least_feasible_delta_ends claims concurrent derivation "
    "reaches_least_delta evidence no_certificate_because certificates explanation "
    "certificates_left_out"
)
_DIGITS_OF_DELTA: Final = 20


def composition_facts(
    answer: Composition, judgements: Sequence[Judgement], interleaved: Interleaved | None
) -> list[Fact]:
    """The least ε at δ, how it was found, and what else is known."""
    basic = answer.basic_epsilon
    epsilon, *rest = _answer_facts(answer, _ends(answer, interleaved))
    found = [
        delta_fact(answer.delta),
        epsilon,
        fact("exact", None if answer.exact is None else shortest_text(answer.exact)),
        fact("feasible", answer.feasible),
        fact("mechanisms", answer.ledger.size),
        fact("neighbouring", answer.ledger.neighbouring),
        *rest,
        fact("complete", answer.complete),
        fact("basic_epsilon", None if basic is None else shortest_text(basic)),
        fact("claims", [_claim_json(each) for each in judgements]),
    ]
    if basic is None:
        kinds = [answer.evidence, *(COMPUTED for _ in answer.derivations)]
        pairs = zip(answer.derivations, kinds, strict=False)
        found += [
            fact("derivation", [_derivation_json(*each) for each in pairs]),
            fact("reaches_least_delta", answer.reaches_least_delta),
        ]
    if interleaved is None:
        return found
    return [*found, *interleaved.facts(ends(answer.lower_end, answer.upper_end))]


def explanation_facts(answer: Composition, nanoseconds: int) -> list[Fact]:
    """How the answer was found, and what it cost."""
    costs, final = answer.predicted_costs, answer.predicted_cost
    considered = [
        f"{method} {'does not fit' if cost is None else _seconds(cost)}"
        for method, cost in costs.items()
    ]
    value = {
        "predicted": {name: None if cost is None else str(cost) for name, cost in costs.items()},
        "predicted_cost": None if final is None else str(final),
        "nanoseconds": str(nanoseconds),
    }
    return [
        fact("explanation", value, "method", answer.method),
        *([shown("predicted", ", ".join(considered))] if considered else []),
        *([] if final is None else [shown("predicted in the end", _seconds(final))]),
        shown("actual", _seconds(nanoseconds)),
    ]


def composition_opening(
    answer: Composition, judgements: Sequence[Judgement], interleaved: Interleaved | None
) -> Opening:
    """What the mechanisms promise together, and what has become of that and of each claim."""
    claims = tuple(
        standing_of_outcome(each.outcome, is_computed=each.is_computed) for each in judgements
    )
    ledger, delta = answer.ledger, answer.delta
    if interleaved is None or not interleaved.is_basic:
        found = standing_of_answer(answer)
        upper = answer.upper_end
        standing = (
            "" if upper is None else standing_text(answer.lower_end, upper, delta, answer.evidence)
        )
        sentence = composed(ledger, upper, delta, standing)
        return Opening((sentence,), (found, *claims))
    if interleaved.epsilon is not None:
        return Opening((composed(ledger, interleaved.epsilon, delta),), ("proved", *claims))
    derived = nothing_derived(delta, "these mechanisms by this theorem")
    return Opening((derived,), ("unsettled", *claims))


def claim_lines(judgements: Sequence[Judgement]) -> list[str]:
    """What became of each claim, in a line."""
    return [each.text(exact_text, rational_text) for each in judgements]


def _ends(answer: Composition, interleaved: Interleaved | None) -> dict[str, str]:
    found = ends(answer.lower_end, answer.upper_end)
    if interleaved is not None and interleaved.is_basic:
        epsilon = interleaved.epsilon
        found["upper"] = "inf" if epsilon is None else epsilon_above(epsilon)
    return found


def _answer_facts(answer: Composition, found: dict[str, str]) -> list[Fact]:
    """The least ε, how it was found, and what it rests on."""
    method, name = fact("method", answer.method), "optimal composition"
    basic = answer.basic_epsilon
    evidence = [fact("evidence", answer.evidence)]
    rest: list[Fact] = []
    if answer.upper_end is None or answer.lower_end is None:
        lines = ["infeasible: no finite ε is enough"]
        rest = _infeasible_facts(answer)
    elif answer.computed_because or (basic is None and answer.exact is not None):
        name, lines = "least ε", _interval(answer, answer.lower_end, answer.upper_end)
        method = fact("method", answer.method, "by", rule_words(answer.method))
        rest = [shown("attained by", answer.attained_by), *_open(answer, "in between")]
    elif basic is None:
        least, most = bounds_text(answer.lower_end, answer.upper_end)
        name, lines, rest = "best derivable bound", [f"ε ≤ {most}"], _derived_facts(answer, least)
    else:
        lines = _interval(answer, answer.lower_end, answer.upper_end)
        if answer.method in BESIDE_THE_OPTIMUM:
            name, lines = BESIDE_THE_OPTIMUM[answer.method], lines[1:]
        rest = [shown("basic composition", exact_and_decimal(basic)), *_open(answer, "")]
    if answer.computed_because:
        because = answer.computed_because
        evidence = [
            fact("evidence", answer.evidence, "evidence", answer.evidence),
            fact("no_certificate_because", because, "no certificate", because),
        ]
    if answer.feasible:
        rest += _least_delta(answer)
    return [fact("epsilon", found, name, *lines), method, *rest, *evidence]


def _open(answer: Composition, title: str) -> list[Fact]:
    """Why the ends are not closer."""
    because = answer.open_because
    return [fact("open_because", because, title, because)] if because else []


def _interval(answer: Composition, lower: mpq, upper: mpq) -> list[str]:
    if lower == upper:
        exact = f"ε = {bounds_text(lower, upper)[0]}"
        return [exact if answer.exact is None else f"ε = {exact_text(answer.exact)}"]
    least, most = bounds_text(lower, upper)
    exactly = [] if answer.exact is None else [f"ε = {exact_text(answer.exact)}"]
    return [*exactly, f"ε ≥ {least}", f"ε ≤ {most}"]


def _derived_facts(answer: Composition, least: str) -> list[Fact]:
    """How the best derivable bound was derived, what else was, and what is attained."""
    found = []
    for place, each in enumerate(answer.derivations):
        end = f"ε ≤ {decimal_text(each.epsilon)}; " if place else ""
        title = "not as good (computed), by" if place else "by"
        found.append(shown(title, f"{end}{each.explanation} ({each.rule})"))
    if answer.derivations:
        found.append(shown("theorem", theorem_cited(answer.derivations[0].theorem)))
    found += [shown("nothing below", f"ε ≥ {least}"), shown("is attained by", answer.attained_by)]
    if answer.ledger.neighbouring == "zero-out":
        found.append(shown("neighbours", "a record is zeroed out"))
    return [*found, *_open(answer, "in between")]


def _infeasible_facts(answer: Composition) -> list[Fact]:
    exact = abridged(answer.least_feasible_delta)
    reached = answer.reaches_least_delta
    title = "least feasible δ" if reached else "feasible only for"
    lines = [f"δ {'=' if reached else '>'} {exact}"]
    lower, upper = _delta_ends(answer).values()
    if exact not in (lower, upper):
        lines += [f"δ ≥ {lower}", f"δ ≤ {upper}"]
    return _least_delta(answer, title, *lines)


def _least_delta(answer: Composition, title: str = "", *lines: str) -> list[Fact]:
    return [
        fact("least_feasible_delta", answer.least_feasible_delta, titled(title, COMPUTED), *lines),
        labelled("least_feasible_delta_ends", _delta_ends(answer), COMPUTED),
    ]


def _delta_ends(answer: Composition) -> dict[str, str]:
    lower, upper = answer.least_feasible_delta_ends
    return {
        "lower": scientific_below(lower, _DIGITS_OF_DELTA),
        "upper": scientific_above(upper, _DIGITS_OF_DELTA),
    }


def _derivation_json(derivation: Derivation, evidence: EvidenceKind) -> dict[str, str]:
    return {
        "rule": derivation.rule,
        "theorem": derivation.theorem,
        "epsilon": decimal_text(derivation.epsilon),
        "words": derivation.explanation,
        "evidence": evidence,
    }


def _claim_json(judgement: Judgement) -> dict[str, object]:
    return {
        "claim": judgement.claimed,
        "outcome": judgement.outcome,
        "reason": judgement.reason,
        "tautology": judgement.tautology,
        "basis": judgement.claim.basis,
        "source": judgement.claim.source,
    }


def _seconds(nanoseconds: int) -> str:
    """A time or a predicted cost; estimates, not certain numbers."""
    return f"about {scientific_above(mpq(nanoseconds, 10**9), 2)} s"
