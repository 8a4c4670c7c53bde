"""What the verifier lists of noise on whole numbers, against the masses of the families."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, Final

import pytest
from mpmath import mp  # type: ignore[import-untyped]

from exactdp.verifier.arithmetic.dots import Mesh
from exactdp.verifier.rules.discrete_noise import ON_INTEGERS
from exactdp.verifier.rules.tables import Atom
from tests.families import DIGITS, NOISE_ON_INTEGERS, Noise, real
from tests.marking import slow_after

MESH: Final = Mesh(Fraction(1, 100), 20, 90)
AMOUNTS: Final = (Fraction(1, 3), Fraction(2), Fraction(13, 2))
SHIFTS: Final = (1, 4)
EPSILONS: Final = (-2, 0, 1, 2)
NAMES: Final = [noise.key for noise in NOISE_ON_INTEGERS]
EXACT: Final = 10.0**-40
"""What the masses of the tests are off by at most."""
CLOSE: Final = 10.0**-18


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    with mp.workdps(DIGITS):
        yield


def profile(pairs: list[tuple[Any, Any]], epsilon: int) -> Any:  # noqa: ANN401 (mpmath)
    odds = mp.exp(epsilon)
    return mp.fsum(max(p - odds * q, 0) for p, q in pairs)


def laws(noise: Noise, amount: Fraction, shift: int) -> list[tuple[Any, Any]]:
    """Both probabilities of all outputs that weigh 10^-30 or more, and of some more."""
    most = 2 * noise.reach(float(amount)) + 2 * shift + 60
    law = noise.law(amount, most)
    return [*zip(law[shift:], law, strict=False)]


def probability(weight: int) -> Any:  # noqa: ANN401 (mpmath)
    return real(Fraction(weight, 2**MESH.bits))


def test_the_verifier_knows_these_families_and_no_others() -> None:
    assert {noise.key for noise in NOISE_ON_INTEGERS} == {*ON_INTEGERS}
    assert all(ON_INTEGERS[noise.key].amount == noise.amount for noise in NOISE_ON_INTEGERS)


@pytest.mark.parametrize("noise", slow_after(2, NOISE_ON_INTEGERS), ids=NAMES)
def test_the_outputs_of_a_shift_have_nearly_its_profile_and_losses_that_it_has(
    noise: Noise,
) -> None:
    for amount, shift in product(AMOUNTS, SHIFTS):
        table = ON_INTEGERS[noise.key].of(amount, shift)
        atoms = table.atoms(MESH)
        assert len(atoms) == noise.outputs(amount, shift, 20)
        pairs = laws(noise, amount, shift)
        _check(atoms, pairs)
        losses = sorted(mp.log(p / q) for p, q in pairs)
        for low, high in (atom.loss for atom in atoms if atom.loss):
            at = bisect_left(losses, real(low) - EXACT)
            assert losses[at] <= real(high) + EXACT
            assert high - low < CLOSE


def _check(atoms: list[Atom], pairs: list[tuple[Any, Any]]) -> None:
    """See that probabilities are from below, by little in all."""
    listed = [(probability(atom.p), probability(atom.q)) for atom in atoms]
    for at in (0, 1):
        missing = mp.fsum(pair[at] for pair in pairs) - mp.fsum(pair[at] for pair in listed)
        assert -EXACT < missing < CLOSE
    for epsilon in EPSILONS:
        assert abs(profile(listed, epsilon) - profile(pairs, epsilon)) < 10 * CLOSE
    for atom, (p, q) in zip(atoms, listed, strict=True):
        if atom.loss and min(p, q) > CLOSE**0.5:
            assert abs(mp.log(p / q) - real(atom.loss[0])) < CLOSE**0.4


@pytest.mark.parametrize("noise", slow_after(2, NOISE_ON_INTEGERS), ids=NAMES)
def test_the_outputs_where_a_record_is_replaced_have_the_three_laws(noise: Noise) -> None:
    for amount, shift in product(AMOUNTS, SHIFTS):
        table = ON_INTEGERS[noise.key].of(amount, shift)
        without, own, logs = table.three(MESH)
        pairs = laws(noise, amount, shift)
        symmetric = [Atom(n, m, None) for n, m in zip(without, own, strict=True)]
        _check(symmetric, [(q, p) for p, q in pairs])
        for n, m, (low, high) in zip(without, own, logs, strict=True):
            assert high - low < CLOSE
            if min(probability(n), probability(m)) > CLOSE**0.5:
                assert abs(mp.log(real(Fraction(m, n))) - real(low)) < CLOSE**0.4


@pytest.mark.parametrize("noise", slow_after(2, NOISE_ON_INTEGERS), ids=NAMES)
def test_what_is_below_another_has_no_greater_profile_anywhere(noise: Noise) -> None:
    kind, found = ON_INTEGERS[noise.key], set()
    tables = [kind.of(amount, shift) for amount, shift in product(AMOUNTS, SHIFTS)]
    profiles = [
        [profile(laws(noise, amount, shift), epsilon) for epsilon in range(-4, 5)]
        for amount, shift in product(AMOUNTS, SHIFTS)
    ]
    for (one, its), (other, those) in product(zip(tables, profiles, strict=True), repeat=2):
        if one.is_below(other):
            assert all(p <= q + EXACT for p, q in zip(its, those, strict=True))
            found.add((one, other))
    assert len(found) == (18 if noise.more_is_less else 9)
