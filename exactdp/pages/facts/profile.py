r"""What is known of a privacy profile."""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import places_within, shortest_text
from exactdp.composition.answers.results import ProfilePoint
from exactdp.ledger.model import Ledger
from exactdp.pages.facts import Fact, fact, result_of, shown
from exactdp.pages.number_text import epsilon_of, exact_text, grouped, outward
from exactdp.pages.phrases import profiled


def point_facts(ledger: Ledger, point: ProfilePoint, tolerance: mpq, group: int) -> list[Fact]:
    """A point; rules beyond optimal composition that gave its upper end are named."""
    digits = places_within(tolerance) + 2
    lower, upper = outward(point.lower_end, point.upper_end, tolerance, digits)
    found = [
        fact("epsilon", shortest_text(point.epsilon), "ε", exact_text(point.epsilon)),
        fact("delta", {"lower": lower, "upper": upper}, "δ at least", lower),
        shown("δ at most", upper),
    ]
    if group == 1 and ledger.given_by == "epsilon-delta":
        return found
    computed = "" if point.evidence == "certificate" else " (computed)"
    by = fact("derivation", point.method, "by", f"{point.method}{computed}")
    return [*found, by, fact("evidence", point.evidence)]


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
        found.append(fact("theorem", theorem, "interleaved, by", theorem))
    return found


def profile_sentence(
    ledger: Ledger, points: Sequence[ProfilePoint], stated: Sequence[Sequence[Fact]], group: int
) -> str:
    """What the profile promises."""
    pairs = [
        (epsilon_of(point.epsilon, up=True), facts[2].lines[0])
        for point, facts in zip(points, stated, strict=True)
    ]
    certified = all(point.evidence == "certificate" for point in points)
    return profiled(ledger, pairs, "certified" if certified else "computed", group)
