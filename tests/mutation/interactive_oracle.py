"""An independent judge of statements about interactive mechanisms: all adversaries, all events.

Every deterministic adversary of the interleaved mechanisms is listed with the law of its view;
the best event at y is the views with p > y·q. Nothing comes from exactdp.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from mpmath import iv  # type: ignore[import-untyped]  # mpmath ships no types

from tests.verifier.oracles import interval, value_of

Pair = tuple[Fraction, Fraction]
Mechanisms = list[list[list[list[list[str]]]]]


def holds(statement: dict[str, Any]) -> bool | None:
    """Whether the mechanisms are (epsilon, delta)-DP; None if it is too close to a tie to tell."""
    mechanisms: Mechanisms = statement["subject"]["mechanisms"]
    if not all(_sums_to_one(query) for tree in mechanisms for node in tree for query in node):
        return False if statement["kind"] == "upper" else None
    delta = Fraction(statement["delta"])
    start = [0 if tree else None for tree in mechanisms]
    worst: bool | None = True
    for law in _laws(mechanisms, start, (Fraction(1), Fraction(1))):
        for pairs in (law, [(q, p) for p, q in law]):
            allowed = _allows(pairs, statement["epsilon"], delta)
            if allowed is False:
                return False
            worst = worst if allowed else None
    return worst


def _sums_to_one(query: list[list[str]]) -> bool:
    return all(sum(Fraction(answer[side]) for answer in query) == 1 for side in (0, 1))


def _laws(mechanisms: Mechanisms, state: list[int | None], law: Pair) -> Iterator[list[Pair]]:
    ended = True
    for number, index in enumerate(state):
        for query in mechanisms[number][index] if index is not None else []:
            ended = False
            below = []
            for p, q, *then in query:
                after = [*state[:number], int(then[0]) if then else None, *state[number + 1 :]]
                after_law = law[0] * Fraction(p), law[1] * Fraction(q)
                below.append(list(_laws(mechanisms, after, after_law)))
            for chosen in product(*below):
                yield [pair for part in chosen for pair in part]
    if ended:
        yield [law]


def _allows(pairs: list[Pair], epsilon: str, delta: Fraction) -> bool | None:
    """Whether no event has P - e^ε·Q > δ; "every" asks whether any ε would do."""
    if epsilon == "every":
        return sum((p for p, q in pairs if q == 0), Fraction(0)) <= delta
    exact = re.fullmatch(r"ln\((\d+(?:/\d+)?)\)", epsilon)
    if exact or epsilon == "0":
        odds = Fraction(exact[1]) if exact else Fraction(1)
        return sum((max(p - odds * q, Fraction(0)) for p, q in pairs), Fraction(0)) <= delta
    y = iv.exp(value_of(epsilon))
    excess = interval(-delta)
    for p, q in pairs:
        gap = interval(p) - y * interval(q)
        excess += iv.mpf([max(gap.a, 0), max(gap.b, 0)])
    if excess.b <= 0:
        return True
    return False if excess.a > 0 else None
