r"""What is known for groups.

Rules of this file: which of the ways gave a bound is always said, and whether the lower end is that
of neighbours alone.
"""

from __future__ import annotations

from typing import Final

from exactdp.arithmetic.decimal_text import decimal_text, shortest_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.group_privacy.bound import GroupBound
from exactdp.pages.facts import Fact, fact, shown
from exactdp.pages.facts.numbers import delta_fact
from exactdp.pages.number_text import epsilon_of, exact_text, grouped

MEMBERS: Final = (
    "group epsilon delta mechanisms neighbouring interaction method words other evidence "
    "certificates"
)


def group_facts(bound: GroupBound) -> list[Fact]:
    """The bound for a group, how it was found, and what not even neighbours keep."""
    lower, upper = bound.lower, bound.upper
    epsilon = {
        "lower": "inf" if lower is None else decimal_text(lower),
        "upper": "inf" if upper is None else shortest_text(upper),
    }
    other = [bound.other] if bound.other else []
    below = shown("for neighbours", "infeasible: no finite ε is enough")
    if lower is not None and bound.of_neighbours:
        below = shown("not even neighbours", f"keep less than ε = {decimal_text(lower)}")
    elif not bound.of_neighbours:
        end = "infeasible: no finite ε is enough" if lower is None else decimal_text(lower)
        below = shown("nothing below", end if lower is None else f"ε ≥ {end}")
    return [
        fact("group", str(bound.group)),
        delta_fact(bound.delta),
        fact("epsilon", epsilon, f"for groups of {grouped(bound.group)}", _end(upper)),
        fact("evidence", bound.evidence),
        fact("mechanisms", bound.ledger.size),
        fact("neighbouring", bound.ledger.neighbouring),
        fact("interaction", bound.ledger.interaction),
        fact("method", bound.method),
        fact("words", bound.explanation, "by", bound.explanation),
        fact("other", bound.other, "the other way gives", *other),
        below,
    ]


def _end(epsilon: ExactNumber | None) -> str:
    if epsilon is None:
        return "no bound is derived"
    exact = exact_text(epsilon)
    above = epsilon_of(epsilon, up=True)
    return f"ε ≤ {exact}" + ("" if exact == above else f", at most {above}")
