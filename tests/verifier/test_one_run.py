"""What one run rejects is rejected as rarely as is said: by the worst mechanism, law by law."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb

from exactdp.verifier import verify_bytes
from tests.marking import each_case
from tests.verifier.experiment_cases import one
from tests.verifier.format_cases import written

Law = dict[tuple[tuple[int, ...], tuple[int, ...]], Fraction]
"""The chance of each output: which canaries are guessed, and as what."""
Sizes = tuple[int, int, int]
"""Canaries, guesses, and how many of them are right, or more."""


def binomial(guesses: int, odds: Fraction) -> list[Fraction]:
    q = odds / (1 + odds)
    return [comb(guesses, k) * q**k * (1 - q) ** (guesses - k) for k in range(guesses + 1)]


def number_of_right_guesses(sizes: Sizes, odds: Fraction, delta: Fraction) -> list[Fraction]:
    """The binomial law, weighed more from ``right`` on, as much as delta allows, and less below."""
    canaries, guesses, right = sizes
    law = binomial(guesses, odds)
    tail = sum(law[right:], Fraction(0))
    moved = min(1 / tail, canaries * delta / (right * law[right]))
    return [
        weight * (1 + (1 - tail) * moved if k >= right else 1 - tail * moved)
        for k, weight in enumerate(law)
    ]


def law_of(canaries: tuple[int, ...], law: list[Fraction]) -> Law:
    """Canaries drawn evenly, and of all guesses with as many right ones one, evenly too."""
    guesses = len(law) - 1
    chosen = [*combinations(range(len(canaries)), guesses)]
    found = Law()
    for which, told in product(chosen, product((0, 1), repeat=guesses)):
        right = sum(canaries[i] == bit for i, bit in zip(which, told, strict=True))
        found[which, told] = law[right] / comb(guesses, right) / len(chosen)
    return found


def least_delta(laws: dict[tuple[int, ...], Law], odds: Fraction) -> Fraction:
    """With which one canary more or less is hidden, whatever the others are."""
    return max(
        sum(
            (max(Fraction(0), p - odds * laws[other][at]) for at, p in laws[own].items()),
            Fraction(0),
        )
        for own in laws
        for i in range(len(own))
        for other in [(*own[:i], 1 - own[i], *own[i + 1 :])]
    )


def chance_of_right(laws: dict[tuple[int, ...], Law], right: int) -> Fraction:
    """Where each canary is in by a fair coin."""
    often = (
        p
        for own, law in laws.items()
        for (which, told), p in law.items()
        if sum(own[i] == bit for i, bit in zip(which, told, strict=True)) >= right
    )
    return sum(often, Fraction(0)) / len(laws)


def status(sizes: Sizes, odds: Fraction, delta: Fraction, level: Fraction) -> str:
    """What the verifier says of so many right guesses at a level."""
    names = ("canaries", "guesses", "right")
    outcome = dict(zip(names, map(str, sizes), strict=True)) | {"guess_counts": "1"}
    epsilon = f"ln({odds})" if odds > 1 else "0"
    shown = one(outcome, epsilon, delta=str(delta), odds=str(odds), level=str(level))
    return verify_bytes(written(shown)).status


def designs() -> Iterator[tuple[Sizes, Fraction, Fraction]]:
    for canaries, guesses in ((1, 1), (2, 1), (2, 2), (3, 2), (3, 3)):
        for right in range(1, guesses + 1):
            for odds, delta in product(("1", "3/2", "4"), ("0", "1/1000", "1/9")):
                yield (canaries, guesses, right), Fraction(odds), Fraction(delta)
    for right in range(1, 6):
        yield (5, 5, right), Fraction(3, 2), Fraction(1, 1000)


@each_case(("sizes", "odds", "delta"), list(designs()))
def test_no_level_is_accepted_below_the_chance_of_what_is_as_private(
    sizes: Sizes, odds: Fraction, delta: Fraction
) -> None:
    law = number_of_right_guesses(sizes, odds, delta)
    laws = {own: law_of(own, law) for own in product((0, 1), repeat=sizes[0])}
    assert min(law) >= 0
    assert sum(law) == 1
    assert least_delta(laws, odds) <= delta
    truth = chance_of_right(laws, sizes[2])
    for share in (Fraction(1, 2), 1 - Fraction(1, 10**4), 1 - Fraction(1, 10**9)):
        assert status(sizes, odds, delta, share * truth) == "rejected"
