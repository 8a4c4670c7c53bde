"""The rules about ρ and μ against mpmath and brute force: true claims pass, false ones fail."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest

from exactdp.verifier import Verdict, verify_bytes
from tests.marking import each_case, slow_after
from tests.verifier import handmade, oracles
from tests.verifier import handmade_conversions as made
from tests.verifier.handmade_conversions import Subject

NEAR = Fraction(1, 10**9)


def verdict_on(value: dict[str, Any], **question: Any) -> Verdict:  # noqa: ANN401 (as verify_bytes)
    return verify_bytes(handmade.canonical_bytes(value), max_cost=10**13, **question)


def accepted(value: dict[str, Any]) -> bool:
    verdict = verdict_on(value)
    assert verdict.status in ("accepted", "rejected"), verdict.line
    return verdict.status == "accepted"


def real(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


def parameter(chance: random.Random) -> Fraction:
    return Fraction(chance.randint(1, 400), 100)


@each_case("seed", range(20))
def test_one_alpha_shows_what_the_conversion_gives_and_what_it_does_not(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 (examples, not secrets)
    rho, delta = parameter(chance), Fraction(1, 10 ** chance.randint(1, 30))
    subject = Subject(concentrated=((str(rho), 1),))

    def epsilon_of(alpha: mpmath.mpf) -> mpmath.mpf:
        rest = alpha * mpmath.log(1 - 1 / alpha) - mpmath.log(alpha - 1) - mpmath.log(real(delta))
        return alpha * real(rho) + rest / (alpha - 1)

    with mpmath.workdps(50):
        best = mpmath.findroot(
            lambda a: mpmath.diff(epsilon_of, a),
            mpmath.sqrt(-mpmath.log(real(delta)) / real(rho)) + 1,
        )
        least, alpha = epsilon_of(best), str(Fraction(int(best * 10**12), 10**12))
    found = Fraction(int(least * 10**15), 10**15)
    assert found > NEAR

    def claim(kind: str, epsilon: Fraction) -> dict[str, Any]:
        return made.conversion(kind, subject, str(epsilon), str(delta), alpha=alpha, digits=60)

    assert accepted(claim("upper", found + NEAR))
    assert not accepted(claim("upper", found - NEAR))
    assert accepted(claim("underivable", found - NEAR))
    assert not accepted(claim("underivable", found + NEAR))


@pytest.mark.parametrize("seed", range(10))
def test_what_bun_and_steinkes_formula_does_not_give_is_proved_below_it_alone(
    seed: int,
) -> None:
    chance = random.Random(seed)  # noqa: S311 (as above)
    rho, delta = parameter(chance), Fraction(1, 10 ** chance.randint(1, 30))
    subject = Subject(gaussian=((str(rho), 2),), pairs=((f"{rho}", "0", 1),))
    whole = real(rho**2 + rho**2 / 2)
    with mpmath.workdps(50):
        truth = whole + 2 * mpmath.sqrt(whole * -mpmath.log(real(delta)))
    found = Fraction(int(truth * 10**15), 10**15)
    for epsilon, kind, holds in (
        (found - NEAR, "underivable", True),
        (Fraction(0), "underivable", True),
        (found + NEAR, "underivable", False),
    ):
        claim = made.formula(kind, subject, str(epsilon), str(delta), alpha="best", digits=60)
        assert accepted(claim) == holds


def renyi_log_delta(subject: Subject, alpha: mpmath.mpf, epsilon: mpmath.mpf) -> mpmath.mpf:
    """ln δ' of the proposition, with Rényi divergences summed from their definition."""
    total = sum((alpha * real(Fraction(rho)) * n for rho, n in subject.concentrated), mpmath.mpf(0))
    total += sum(alpha * real(Fraction(mu)) ** 2 / 2 * n for mu, n in subject.gaussian)
    for text, _, n in subject.pairs:
        truthful = 1 / (1 + mpmath.exp(-real(Fraction(text))))
        moments = truthful**alpha * (1 - truthful) ** (1 - alpha)
        moments += (1 - truthful) ** alpha * truthful ** (1 - alpha)
        total += n * mpmath.log(moments) / (alpha - 1)
    factor = alpha * mpmath.log(1 - 1 / alpha) - mpmath.log(alpha - 1)
    return (alpha - 1) * (total - epsilon) + factor


@pytest.mark.parametrize("seed", range(10))
def test_renyi_divergences_are_those_of_their_definition(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 (as above)
    alpha = 1 + parameter(chance)
    subject = Subject(
        pairs=((str(parameter(chance)), "1/1000", 2), ("0", "0", 5)),
        gaussian=((str(parameter(chance)), 1),),
        concentrated=((str(parameter(chance)), 3),),
    )
    with mpmath.workdps(60):
        at_zero = renyi_log_delta(subject, real(alpha), mpmath.mpf(0))
        depth = mpmath.mpf(chance.randint(1, 30))
        epsilon = Fraction(max(0, int((at_zero + depth) / real(alpha - 1)) + 1))
        log_delta = renyi_log_delta(subject, real(alpha), real(epsilon))
        assert log_delta < -1
        failure = 1 - (1 - mpmath.exp(log_delta)) * mpmath.mpf("0.999") ** 2
        delta = Fraction(int(failure * 10**30), 10**30)
    for shift, holds in ((Fraction(1, 10**12), True), (-Fraction(1, 10**12), False)):
        claim = made.moments(subject, str(epsilon), str(delta + shift), alpha=str(alpha), digits=60)
        assert accepted(claim) == holds


def mixture_divergence(subject: Subject, epsilon: Fraction) -> Any:  # noqa: ANN401 (mpmath)
    """D(e^ε), one randomized response after the other, at 50 digits."""
    square = sum((Fraction(mu) ** 2 * n for mu, n in subject.gaussian), Fraction(0))
    square += sum((2 * Fraction(rho) * n for rho, n in subject.concentrated), Fraction(0))
    mu = mpmath.sqrt(real(square))
    atoms = [(mpmath.mpf(1), mpmath.mpf(0))]
    for text, _, n in subject.pairs:
        size = real(Fraction(text))
        for _ in range(n):
            truthful = 1 / (1 + mpmath.exp(-size))
            atoms = [(w * truthful, loss + size) for w, loss in atoms] + [
                (w * (1 - truthful), loss - size) for w, loss in atoms
            ]

    def profile(rest: Any) -> Any:  # noqa: ANN401 (mpmath)
        if not mu:
            return max(0, 1 - mpmath.exp(rest))
        return mpmath.ncdf(mu / 2 - rest / mu) - mpmath.exp(rest) * mpmath.ncdf(-mu / 2 - rest / mu)

    return sum(w * profile(real(epsilon) - loss) for w, loss in atoms)


def delta_around(subject: Subject, epsilon: Fraction) -> tuple[str, str]:
    """A δ a little above that of randomized responses and Gaussian noise at ε, and one below."""
    with mpmath.workdps(50):
        kept = 1 - real(oracles.forced_delta(list(subject.pairs), "0"))  # 1/∏(1 - δ_i)
        truth = 1 - (1 - mixture_divergence(subject, epsilon)) / kept
        found = Fraction(int(truth * 10**30), 10**30)
    return str(min(Fraction(1), found + NEAR / 1000)), str(max(Fraction(0), found - NEAR / 1000))


def mixed_subject(seed: int) -> tuple[Subject, Fraction]:
    chance = random.Random(seed)  # noqa: S311 (as above)
    epsilons = chance.sample(["1/10", "1/5", "3/10", "7/10", "3/2"], 2)
    pairs = tuple((e, chance.choice(["0", "1/1000"]), chance.randint(1, 3)) for e in epsilons)
    gaussian = ((str(Fraction(chance.randint(1, 30), 10)), chance.randint(1, 3)),)
    return Subject(pairs=pairs, gaussian=gaussian), Fraction(chance.randint(0, 40), 10)


@pytest.mark.parametrize("seed", slow_after(4, range(12)))
def test_a_mixture_agrees_with_brute_force_listed_or_on_a_mesh(seed: int) -> None:
    subject, epsilon = mixed_subject(seed)
    above, below = delta_around(subject, epsilon)

    def mesh(kind: str, subject: Subject, epsilon: str, delta: str) -> dict[str, Any]:
        return made.mesh(kind, subject, epsilon, delta, unit="1/10")

    for make in (made.mixture, mesh):
        assert accepted(make("upper", subject, str(epsilon), above))
        assert accepted(make("lower", subject, str(epsilon), below))
        assert not accepted(make("upper", subject, str(epsilon), below))
        assert not accepted(make("lower", subject, str(epsilon), above))


@pytest.mark.parametrize("seed", range(8))
def test_noise_alone_agrees_with_the_formula_and_stands_for_rho_from_below(seed: int) -> None:
    mixed, epsilon = mixed_subject(seed)
    noise = Subject(pairs=(("0", "1/1000", 2),), gaussian=mixed.gaussian)
    above, below = delta_around(noise, epsilon)
    assert accepted(made.gaussian("upper", noise, str(epsilon), above))
    assert accepted(made.gaussian("lower", noise, str(epsilon), below))
    assert not accepted(made.gaussian("upper", noise, str(epsilon), below))
    assert not accepted(made.gaussian("lower", noise, str(epsilon), above))
    concentrated = Subject(concentrated=(("1/8", 3),), gaussian=noise.gaussian)
    above, below = delta_around(concentrated, epsilon)
    assert accepted(made.gaussian("lower", concentrated, str(epsilon), below))
    assert not accepted(made.gaussian("lower", concentrated, str(epsilon), above))


def test_a_mesh_without_noise_is_plain_composition() -> None:
    subject = Subject(pairs=(("1/10", "0", 6), ("3/10", "0", 2)))
    above, below = delta_around(subject, Fraction(1, 2))
    assert accepted(made.mesh("upper", subject, "1/2", above, unit="1/10"))
    assert accepted(made.mesh("lower", subject, "1/2", below, unit="1/10"))
    assert not accepted(made.mesh("upper", subject, "1/2", below, unit="1/10"))
    assert not accepted(made.mesh("lower", subject, "1/2", above, unit="1/10"))


@pytest.mark.parametrize("pair", ["0", "1/2", "6/5"])
def test_a_pair_is_one_more_mechanism(pair: str) -> None:
    """The same ledger with (ε', δ') in place of ρ, at a δ between what both would round."""
    subject = Subject(pairs=(("3/10", "1/1000", 3),), concentrated=(("1/50", 2),))
    alpha = Fraction(5)
    with mpmath.workdps(50):
        only_rho = Subject(concentrated=subject.concentrated)
        log_failure = renyi_log_delta(only_rho, real(alpha), real(Fraction(pair)))
        failure = Fraction(int(mpmath.exp(log_failure) * 10**40), 10**40)
    replaced = Subject(pairs=(*subject.pairs, (pair, str(failure), 1)))
    above, below = delta_around(replaced, Fraction(1))
    for delta, holds in ((above, True), (below, False)):
        claim = made.pair(subject, "1", delta, pair=pair, alpha=str(alpha), unit="1/10")
        assert accepted(claim) == holds


@pytest.mark.parametrize("claim", [("1", "1e-10"), ("100", "1"), ("17.14355073", "1e-10")])
def test_a_statement_about_a_formula_settles_no_claim(claim: tuple[str, str]) -> None:
    value = made.formula(
        "underivable",
        Subject(concentrated=(("293764/114921", 1),)),
        "17849145/1041158",
        "1/10000000000",
        alpha="39110531/10000000",
        digits=40,
    )
    verdict = verdict_on(value)
    assert verdict.line == (
        "ACCEPTED  canonne-kamath-steinke-2020-corollary-13 gives no ε ≤ 17.143550738 at "
        "δ = 1e-10 for 1 mechanism (underivable, adaptive); a formula only"
    )
    refused = verdict_on(value, claim=claim)
    assert (refused.status, refused.exit_code) == ("rejected", 1)
    assert "underivable settles no claim" in refused.reason


def test_a_certificate_is_about_the_ledger_with_its_noise() -> None:
    subject = Subject(gaussian=(("1/2", 4),))
    claim = made.gaussian("upper", subject, "10943/2500", "1/100000")
    right = b'{"mechanisms":[{"sigma":"2","sensitivity":1,"count":4}]}'
    wrong = b'{"mechanisms":[{"sigma":"3","sensitivity":1,"count":4}]}'
    assert verdict_on(claim, ledger=right, claim=("4.4", "1e-5")).status == "accepted"
    assert verdict_on(claim, ledger=wrong).status == "rejected"
