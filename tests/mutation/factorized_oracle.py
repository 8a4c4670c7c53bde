"""The sensitivity of small factorizations in doubles, by every participation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from math import comb
from typing import Any

MOST_ROUNDS = 200
MOST_PATTERNS = 5000
MOST_SIGNS = 8

Matrix = list[list[float]]


def mu_squared(entry: dict[str, Any], kind: str, reach: int) -> float | None:
    """About μ² of an entry, from above or by signs; None where that would take long."""
    squares = ends(json.dumps([entry["factorization"], entry["participation"]]))
    if squares is None:
        return None
    return reach**2 * squares[kind == "upper"] / float(Fraction(entry["sigma"]) ** 2)


@lru_cache(maxsize=50)
def ends(text: str) -> tuple[float, float] | None:
    factorization, participation = json.loads(text)
    rows = rows_of(factorization)
    if rows is None:
        return None
    rounds = max(len(row) for row in rows)
    padded = [[*row, *[0.0] * (rounds - len(row))] for row in rows]
    x = [[sum(row[i] * row[j] for row in padded) for j in range(rounds)] for i in range(rounds)]
    positive = all(each >= 0 for row in x for each in row)
    if falls(factorization) and isinstance(participation, dict):
        step = int(participation["every" if "every" in participation else "apart"])
        first = range(0, rounds, step)[: int(participation.get("most", rounds))]
        both = above(x, first)
        return both, both
    found: list[Sequence[int]] = []
    for each in patterns(participation, rounds):
        found.append(each)
        if len(found) > MOST_PATTERNS or (not positive and len(each) > MOST_SIGNS):
            return None
    most = max(above(x, each) for each in found)
    return (most if positive else max(below(x, each) for each in found)), most


def rows_of(factorization: dict[str, Any]) -> Matrix | None:
    """The matrix; None where it has many rounds."""
    if "rows" in factorization:
        starts = [int(each) for each in factorization["from"]]
        listed = [[float(Fraction(each)) for each in row] for row in factorization["rows"]]
        if max(starts) > MOST_ROUNDS:
            return None
        return [[*[0.0] * first, *row] for first, row in zip(starts, listed, strict=True)]
    [count] = [factorization[key] for key in ("tree", "sqrt", "steps") if key in factorization]
    rounds = int(str(count))
    if rounds > MOST_ROUNDS:
        return None
    if "tree" in factorization:
        return [
            [float(first <= j < first + 2**level) for j in range(rounds)]
            for level in range(rounds.bit_length())
            for first in range(0, rounds - 2**level + 1, 2**level)
        ]
    c = [*coefficients(factorization, rounds), *[0.0] * rounds]
    return [[c[i - j] if j <= i else 0.0 for j in range(rounds)] for i in range(rounds)]


def coefficients(factorization: dict[str, Any], rounds: int) -> list[float]:
    if "toeplitz" in factorization:
        return [float(Fraction(each)) for each in factorization["toeplitz"]]
    if "sqrt" in factorization:
        return [comb(2 * t, t) / 4**t for t in range(int(factorization["band"]))]
    scales, decays = (
        [float(Fraction(each)) for each in factorization["blt"][key]]
        for key in ("scales", "decays")
    )
    both = [*zip(scales, decays, strict=True)]
    return [1.0, *(sum(s * d ** (t - 1) for s, d in both) for t in range(1, rounds))]


def falls(factorization: dict[str, Any]) -> bool:
    """Whether it is Toeplitz and known to have its greatest sum at equal steps."""
    if "toeplitz" not in factorization:
        return "rows" not in factorization and "tree" not in factorization
    ended = [*(Fraction(each) for each in factorization["toeplitz"]), Fraction(0)]
    return min(ended) >= 0 and all(after <= before for before, after in pairwise(ended))


def patterns(participation: Any, rounds: int) -> Iterator[Sequence[int]]:  # noqa: ANN401 (JSON)
    if isinstance(participation, list):
        yield from ([int(i) for i in each] for each in participation)
    elif "every" in participation:
        step = int(participation["every"])
        yield from (range(first, rounds, step) for first in range(min(step, rounds)))
    else:
        yield from apart(rounds, int(participation["most"]), int(participation["apart"]))


def apart(rounds: int, most: int, step: int, first: int = 0) -> Iterator[Sequence[int]]:
    for i in range(first, rounds):
        yield (i,)
        if most > 1:
            yield from ((i, *rest) for rest in apart(rounds, most - 1, step, i + step))


def above(x: Matrix, pattern: Sequence[int]) -> float:
    return sum(abs(x[i][j]) for i in pattern for j in pattern)


def below(x: Matrix, pattern: Sequence[int]) -> float:
    signed = ([*zip(pattern, s, strict=True)] for s in product((1, -1), repeat=len(pattern)))
    return max(sum(s * t * x[i][j] for i, s in each for j, t in each) for each in signed)
