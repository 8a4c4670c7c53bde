"""Good certificates about each family of noise on whole numbers, both ends, for the corpora.

Rules of this file: what is claimed follows from the masses of ``tests.families`` alone, by plain
sums over all outputs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import exp
from typing import Final

from tests.families import NOISE_ON_INTEGERS, Noise
from tests.verifier.noise_cases import Certificate, Entry, dots, entry, plan, score

Law = Sequence[tuple[float, float]]

DELTA: Final = "1/1000"
UNIT: Final = "1/20"
_STEPS: Final = 20
_CLIP: Final = 2
_RATE: Final = Fraction(1, 4)
_REPLACED: Final = {"relation": "replace-one"}
_WINDOW: Final = (-160, 160)
_FAR: Final = 40


def accepts() -> dict[str, Certificate]:
    """Two coordinates, and a sample of which a record is replaced."""
    found: dict[str, Certificate] = {}
    for noise in NOISE_ON_INTEGERS:
        amount = str(noise.usual)
        two = entry(**noise.written(amount, 1, 2))
        parts = {noise.key: {noise.amount: amount}}
        clipped: Entry = {"count": "1", **parts, "clip": str(_CLIP), "rate": str(_RATE)}
        found |= _ends(noise.key, two, _two_coordinates(noise))
        found |= _ends(f"{noise.key}-replaced", clipped, _replaced(noise), **_REPLACED)
    return found


def _ends(name: str, of: Entry, law: Law, **relation: str) -> dict[str, Certificate]:
    """The least ε of the mesh that holds by a fifth of δ, and the greatest that is as far off."""
    delta, wide = float(Fraction(DELTA)), plan([_WINDOW] * (1 if relation else 2))
    above = _first(lambda j: hockey_stick(law, j / _STEPS) <= delta / 1.2)
    below = _first(lambda j: hockey_stick(law, j / _STEPS) < delta * 1.2) - 1
    upper = dots([of], f"{above}/{_STEPS}", UNIT, wide, delta=DELTA, **relation)
    lower = score([of], f"{below}/{_STEPS}", UNIT, wide, below, delta=DELTA, **relation)
    return {f"mesh-upper-{name}": upper, f"mesh-lower-{name}": lower}


def _first(holds: Callable[[int], bool]) -> int:
    """The least number of steps for which it holds, of what holds from there on."""
    return bisect_left(range(20 * _STEPS), True, key=holds)


def hockey_stick(law: Law, epsilon: float) -> float:
    """The sum of P - y·Q where that is above 0, for y = e^ε."""
    odds = exp(epsilon)
    return sum(max(0.0, p - odds * q) for p, q in law)


def shifted(noise: Noise, *at: int) -> list[list[float]]:
    """Usual noise around each of these, on one range of whole numbers."""
    most = _FAR + max(map(abs, at))
    law = [float(mass) for mass in noise.law(Fraction(noise.usual), 2 * most)]
    return [law[most - each : 3 * most - each + 1] for each in at]


def _two_coordinates(noise: Noise) -> Law:
    """Both laws of all pairs of outputs, the one coordinate moved by 1 and the other by 2."""
    without, one, two = shifted(noise, 0, 1, 2)
    pairs = product(zip(without, one, strict=True), zip(without, two, strict=True))
    return [(p * r, q * s) for (p, q), (r, s) in pairs]


def _replaced(noise: Noise) -> Law:
    """A sum of a sample, whose record contributes the clip, or its opposite instead."""
    without, own, other = shifted(noise, 0, _CLIP, -_CLIP)
    rate = float(_RATE)
    listed = zip(without, own, other, strict=True)
    return [((1 - rate) * n + rate * m, (1 - rate) * n + rate * o) for n, m, o in listed]
