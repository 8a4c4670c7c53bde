"""Budgets of ledgers in ρ, μ and by noise: ends that are certified on both sides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number
from exactdp.budgets import turning
from exactdp.budgets.answers import BudgetAnswer, CountAnswer
from exactdp.budgets.api import budget
from exactdp.budgets.budget import largest_count, largest_scale
from exactdp.budgets.notions import largest_rate, least_noise
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.engines.mesh.upper_bracket import UpperBracket
from exactdp.errors import CostLimitError, DomainError, InputError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.ledger.scaling import scale_noise
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    ConcentratedMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    PairMechanism,
    RenyiMechanism,
    SampledMechanism,
    ShuffledGaussianMechanism,
    sampled,
)
from exactdp.verifier import verify_bytes

SAMPLED = SampledMechanism(LaplaceMechanism("2"), "1/10", 3, "sampled")


def are_proved(answer: BudgetAnswer) -> bool:
    """Whether the verifier accepts what proves both ends."""
    made = answer.upper_certificate(), answer.lower_certificate()
    verdicts = [verify_bytes(each.to_bytes(), max_cost=10**13) for each in made if each is not None]
    return [each.status for each in verdicts] == ["accepted"] * 2


def test_the_least_noise_of_one_gaussian_release_is_that_of_its_curve() -> None:
    answer = least_noise([GaussianMechanism(1)], label="#1", epsilon=1, delta="1e-5")
    assert (answer.fits, answer.exceeds) == (mpq("3.731"), mpq("3.730"))  # Balle & Wang, ICML 2018
    assert are_proved(answer)


def test_noise_is_calibrated_by_few_decisions_and_certificates_are_made_when_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    decided, proved = [], []
    asked, made = certify, UpperBracket.certificate

    def counting(*given: Any, **named: Any) -> Any:  # noqa: ANN401 (whatever certify takes)
        decided.append(given)
        return asked(*given, **named)

    def proving(*given: Any) -> Any:  # noqa: ANN401 (whatever a certificate is made of)
        proved.append(given)
        return made(*given)

    monkeypatch.setattr(turning, "certify", counting)
    monkeypatch.setattr(UpperBracket, "certificate", proving)
    step = SampledMechanism(GaussianMechanism(1), "1/10", 20)
    answer = least_noise([step], label="#1", epsilon=1, delta="1e-5")
    assert (answer.fits, len(decided), proved) == (mpq("2.103"), 2, [])
    assert answer.upper_certificate() is answer.upper_certificate()
    assert len(proved) == 1


def test_the_greatest_rate_is_certified_on_both_sides() -> None:
    answer = largest_rate([SAMPLED], label="sampled", epsilon="1/2", delta="1e-4", tolerance="1e-2")
    assert answer.fits is not None
    assert answer.exceeds is not None
    assert mpq(1, 10) < answer.fits < answer.exceeds <= answer.fits * mpq("1.02")
    assert are_proved(answer)


@pytest.mark.slow
@pytest.mark.parametrize(
    "entry",
    [
        ConcentratedMechanism("1/800", 4, "x"),
        GaussianMechanism("1/10", 4, "x"),
        LaplaceMechanism(10, 1, 4, "x"),
        BoundedRangeMechanism("1/10", 4, "x"),
    ],
)
def test_a_count_is_one_that_fits_beside_one_that_does_not(entry: Entry) -> None:
    answer = largest_count([entry], label="x", epsilon="3/4", delta="1e-3")
    assert are_proved(answer)
    assert answer.fits is not None
    assert answer.exceeds is not None
    is_open = not isinstance(entry, GaussianMechanism | LaplaceMechanism)
    assert (answer.exceeds > answer.fits + 1) <= is_open
    assert answer.reason == ("neither proved nor refuted between them" if is_open else "")


def test_a_scale_divides_noise_and_multiplies_the_rest() -> None:
    ledger = Ledger.of(
        [
            Mechanism("1/10", "1e-9"),
            ConcentratedMechanism("1/10"),
            GaussianMechanism("1/2"),
            BoundedRangeMechanism("1/4"),
            DiscreteLaplaceMechanism(4),
            DiscreteGaussianMechanism(4),
            SampledMechanism(LaplaceMechanism(2), "1/2"),
            Mechanism(1, 0, 1, "held"),
        ]
    )
    scaled = scale_noise(ledger, mpq(2), ["held"]).mechanisms
    assert scaled == (
        Mechanism("1/5", "1e-9"),
        ConcentratedMechanism("2/5"),
        GaussianMechanism(1),
        BoundedRangeMechanism("1/2"),
        DiscreteLaplaceMechanism(2),
        DiscreteGaussianMechanism(1),
        SampledMechanism(LaplaceMechanism(1), "1/2"),
        Mechanism(1, 0, 1, "held"),
    )


def test_the_scale_of_noise_is_certified_on_both_sides() -> None:
    answer = largest_scale([LaplaceMechanism(10, 1, 4)], epsilon=2, delta="1e-6")
    assert answer.lower == 5  # 4·5/10 = 2, but for δ
    assert answer.upper == mpq("5.001")
    assert are_proved(answer)


@pytest.mark.slow
def test_one_who_holds_too_much_is_told_so() -> None:
    held = [LaplaceMechanism(1, 1, 4, "held"), LaplaceMechanism(10)]
    answer = largest_scale(held, epsilon="1/10", delta="1e-6", hold=["held"])
    assert (answer.outcome, answer.upper_certificate()) == ("none", None)


def test_what_every_number_keeps_is_unbounded() -> None:
    answer = largest_rate([SAMPLED], label="sampled", epsilon=9, delta="1e-6")
    assert (answer.outcome, answer.exceeds) == ("unbounded", None)
    assert answer.fits == 1
    assert answer.lower_certificate() is None
    nothing = largest_count([SAMPLED], label="sampled", epsilon="1/1000", delta="1e-6")
    assert (nothing.outcome, nothing.fits) == ("none", None)


@pytest.mark.parametrize(
    ("entry", "noise"),
    [
        (GaussianMechanism("1/2"), "1/3"),
        (DiscreteLaplaceMechanism(5, (1, 2)), "3"),
        (DiscreteGaussianMechanism(5, (1, 2)), "3"),
        (ShuffledGaussianMechanism(2, 10), "3"),
        (SAMPLED, "3"),
    ],
)
def test_noise_that_is_put_in_is_what_is_read_off(entry: Entry, noise: str) -> None:
    changed = entry.with_noise(mpq(noise))
    assert changed.noise() == (entry.noise()[0], mpq(noise))
    assert changed.with_noise(entry.noise()[1]) == entry


PAIR = PairMechanism(["1/2", "1/2"], ["1/4", "3/4"])
LISTED = RenyiMechanism([["2", "1/50"], ["8", "1/10"]])
RHO = ConcentratedMechanism("1/8")


@pytest.mark.slow
@pytest.mark.parametrize("table", [PAIR, LISTED])
def test_a_table_beside_noise_is_held(table: Entry) -> None:
    answer = largest_scale([LaplaceMechanism(10), table], epsilon=2, delta="1e-3", tolerance="1/10")
    assert answer.held == ("#2",)
    assert are_proved(answer)
    assert answer.fitting is not None
    assert answer.lower is not None
    assert answer.fitting.mechanisms == (LaplaceMechanism(10 / answer.lower), table)


def test_a_table_alone_is_asked_for_its_count() -> None:
    answer = budget([PAIR], epsilon=4, delta="1e-3")
    assert answer == largest_count([PAIR], label="#1", epsilon=4, delta="1e-3")
    assert are_proved(answer)


def test_several_tables_are_run_together() -> None:
    tables = [PAIR, PairMechanism(["1/5", "4/5"], ["1/4", "3/4"], 2)]
    answer = budget(tables, epsilon=4, delta="1e-3")
    assert isinstance(answer, CountAnswer)
    assert (answer.label, answer.exceeds) == ("the whole ledger", (answer.fits or 0) + 1)
    assert answer.fitting is not None
    runs = (answer.fits or 0) + 1
    assert [each.count for each in answer.fitting.mechanisms] == [runs, 2 * runs]
    assert are_proved(answer)


@pytest.mark.parametrize(("epsilon", "outcome"), [(9, "unbounded"), ("1/100", "none")])
def test_where_all_are_held_the_ledger_fits_or_not(epsilon: Number, outcome: str) -> None:
    answer = largest_scale([PAIR], epsilon=epsilon, delta="1e-6", hold=["#1"])
    assert (answer.outcome, answer.reason) == (outcome, "no mechanism is left to scale")
    proof = answer.upper_certificate() or answer.lower_certificate()
    assert proof is not None
    assert verify_bytes(proof.to_bytes(), max_cost=10**13).status == "accepted"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entry", "name"),
    [
        (Mechanism("ln(3)", "1e-9"), "epsilon"),
        (ConcentratedMechanism(0), "rho"),
        (BoundedRangeMechanism("1/3"), "range"),
        (SampledMechanism(BoundedRangeMechanism("1/3"), "1/2"), "range"),
    ],
)
def test_what_a_mechanism_may_reveal_is_turned_up_to_the_budget(entry: Entry, name: str) -> None:
    ledger = [entry, LaplaceMechanism(2)]
    answer = least_noise(ledger, label="#1", epsilon=2, delta="1e-3", tolerance="1/10")
    assert answer.name == name
    assert answer.fits is not None
    assert answer.exceeds is not None
    assert answer.fits < answer.exceeds
    assert are_proved(answer)


@pytest.mark.parametrize("base", [PAIR, LaplaceMechanism(1), GaussianMechanism(2)])
def test_a_rate_is_found_for_what_is_not_sampled_yet(base: Entry) -> None:
    answer = largest_rate([base], label="#1", epsilon="1/2", delta="1e-3", tolerance="1/10")
    assert answer.fits is not None
    assert 0 < answer.fits < 1
    assert are_proved(answer)


@pytest.mark.parametrize(
    "entry", [Mechanism(1, "1e-9", 2, "x"), RHO, SampledMechanism(BoundedRangeMechanism(1), "1/2")]
)
def test_a_promise_that_is_put_in_is_what_is_read_off(entry: Entry) -> None:
    before, changed = entry.promise(), entry.with_promise(mpq(1, 3))
    assert before is not None
    assert changed.promise() == (before[0], mpq(1, 3))
    assert changed.with_promise(before[1]) == entry


def test_noise_promises_no_number() -> None:
    assert SAMPLED.promise() is None
    with pytest.raises(UnsupportedError, match="by how much noise"):
        SAMPLED.with_promise(mpq(1))


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: largest_rate([RHO], label="#1", epsilon=1, delta="1e-6"), "sample amplifies"),
        (
            lambda: least_noise([PAIR], label="#1", epsilon=1, delta="1e-6"),
            "by how much noise",
        ),
        (lambda: PAIR.with_noise(mpq(1)), "by how much noise"),
    ],
)
def test_what_cannot_be_turned_is_refused(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        ask()


def test_a_budget_of_pure_noise_has_certificates() -> None:
    answer = largest_scale([LaplaceMechanism(4, 1, 8)], epsilon=1, delta=0)
    assert (answer.lower, answer.evidence) == (mpq(1, 2), "certificate")
    for made in (answer.upper_certificate(), answer.lower_certificate()):
        assert made is not None
        assert verify_bytes(made.to_bytes()).status == "accepted"


def test_a_budget_of_pure_noise_on_sampled_sums_is_searched_without_certificates() -> None:
    sampled = SampledMechanism(LaplaceMechanism(4), "1/2", 8, clip=1)
    answer = largest_scale(Ledger((sampled,), neighbouring="replace-one"), epsilon=1, delta=0)
    assert answer.evidence == "computed"
    assert (answer.upper_certificate(), answer.lower_certificate()) == (None, None)


def test_a_budget_that_says_nothing_and_a_label_that_is_none_are_refused() -> None:
    with pytest.raises(DomainError, match="a δ of at least 0 and below 1"):
        largest_scale([LaplaceMechanism(1)], epsilon=1, delta=1)
    with pytest.raises(InputError, match="#1 is the first"):
        largest_count([LaplaceMechanism(1)], label="#2", epsilon=1, delta="1e-6")
    with pytest.raises(InputError, match="no method"):
        largest_scale([LaplaceMechanism(1)], epsilon=1, delta="1e-6", method="grid")


@pytest.mark.slow
def test_the_ledger_that_fits_composes_to_the_budget() -> None:
    answer = largest_count([SAMPLED], label="sampled", epsilon=1, delta="1e-4")
    assert answer.fitting is not None
    upper = compose(answer.fitting, delta="1e-4", tolerance="1e-5").upper
    assert upper is not None
    assert upper <= 1


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The limit of each claim that a search asks about, in order."""
    limits: list[int] = []

    def counted(*given: Any, **named: Any) -> Any:  # noqa: ANN401 (as it is)
        limits.append(named["max_cost"])
        return certify(*given, **named)

    monkeypatch.setattr(turning, "certify", counted)
    return limits


def test_what_costs_too_much_everywhere_is_refused_after_few_tries(tried: list[int]) -> None:
    many = sampled(GaussianMechanism(20), mpq(1, 2), 10**18, "")
    with pytest.raises(CostLimitError, match="a predicted cost"):
        largest_scale([many], epsilon=1, delta="1e-6", max_cost=10**7)
    assert 1 <= len(tried) <= 6


@pytest.mark.parametrize(("sigma", "count"), [("1e-9", 1), ("1", 10**12)])
def test_a_search_begins_near_its_end(tried: list[int], sigma: str, count: int) -> None:
    noise = [GaussianMechanism.of_noise(sigma, 1, count)]
    scale = largest_scale(noise, epsilon=1, delta="1e-6", tolerance="1e-3")
    assert scale.lower is not None
    mu = scale.lower / mpq(sigma)
    assert abs(mu**2 * count * mpq("4.22467914") ** 2 - 1) < mpq(1, 100)
    assert 1 <= len(tried) <= 20
