r"""What is known of a privacy profile."""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import places_within, shortest_text
from exactdp.certificate.naming import rule_words
from exactdp.composition.answers.results import EvidenceKind, ProfilePoint
from exactdp.ledger.model import Ledger
from exactdp.pages.facts import COMPUTED, Fact, fact, result_of, shown
from exactdp.pages.facts.interleaving import interleaved_fact
from exactdp.pages.number_text import epsilon_of, exact_text, grouped, outward
from exactdp.pages.phrases import profiled


def point_texts(point: ProfilePoint, tolerance: mpq) -> tuple[str, str]:
    """The ends of a point as they are printed."""
    digits = places_within(tolerance) + 2
    return outward(point.lower_end, point.upper_end, tolerance, digits)


def point_facts(
    ledger: Ledger, point: ProfilePoint, tolerance: mpq, group: int, evidence: EvidenceKind
) -> list[Fact]:
    """A point; rules beyond optimal composition that gave its upper end are named."""
    lower, upper = point_texts(point, tolerance)
    found = [
        fact("epsilon", shortest_text(point.epsilon), "ε", exact_text(point.epsilon)),
        fact("delta", {"lower": lower, "upper": upper}, "δ at least", lower),
        shown("δ at most", upper),
    ]
    computed = "" if evidence == "certificate" else " (computed)"
    by = [fact("derivation", point.method, "by", f"{rule_words(point.method)}{computed}")]
    if group == 1 and ledger.given_by == "epsilon-delta":
        by = [shown("by", "computed")] if computed else []
    return [*found, *by, fact("evidence", evidence)]


def profile_facts(
    ledger: Ledger, points: Sequence[Sequence[Fact]], group: int, theorem: str | None
) -> list[Fact]:
    """The profile, and what it is about."""
    found = [
        fact("profile", [result_of(point) for point in points]),
        fact("mechanisms", ledger.size),
        fact("neighbouring", ledger.neighbouring),
    ]
    if group > 1:
        found.append(fact("group", str(group), "for", f"groups of {grouped(group)}"))
    if theorem is not None:
        found.append(interleaved_fact(theorem))
    return found


def profile_sentence(
    ledger: Ledger,
    points: Sequence[ProfilePoint],
    stated: Sequence[Sequence[Fact]],
    group: int,
    kinds: Sequence[EvidenceKind],
) -> str:
    """What the profile promises."""
    pairs = [
        (epsilon_of(point.epsilon, up=True), facts[2].lines[0])
        for point, facts in zip(points, stated, strict=True)
    ]
    return profiled(ledger, pairs, "computed" if COMPUTED in kinds else "certified", group)
