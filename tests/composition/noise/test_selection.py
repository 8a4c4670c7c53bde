"""Private selection: small mechanisms under the law of their runs, against the bounds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, pairwise, product
from math import exp, log
from typing import Final

import pytest
from gmpy2 import mpq

from exactdp.composition.answers.compose import compose
from exactdp.errors import DomainError, InputError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import (
    Family,
    GaussianMechanism,
    Mechanism,
    RenyiMechanism,
    SampledMechanism,
    SelectionMechanism,
)
from exactdp.mechanisms.selection import NegativeBinomialRuns, PoissonRuns, Runs, orders_of
from exactdp.verifier import verify_bytes
from tests.marking import each_case

Law = tuple[float, ...]
RUNS: Final[list[Runs]] = [
    NegativeBinomialRuns(1, "1/10"),
    NegativeBinomialRuns(0, "1/5"),
    NegativeBinomialRuns("-1/2", "1/3"),
    NegativeBinomialRuns(3, "1/2"),
    PoissonRuns(5),
    PoissonRuns("1/2"),
]
PAIRS: Final[list[tuple[Law, Law]]] = [
    ((0.5, 0.5), (0.4, 0.6)),
    ((0.9, 0.1), (0.7, 0.3)),
    ((0.3, 0.4, 0.3), (0.35, 0.25, 0.4)),
    ((0.05, 0.9, 0.05), (0.1, 0.8, 0.1)),
    ((0.25, 0.25, 0.25, 0.25), (0.1, 0.2, 0.3, 0.4)),
]
"""Of the answers by rising score."""


def probabilities(runs: Runs) -> list[float]:
    """Of each number of runs, from 0, to where nothing is left."""
    if isinstance(runs, PoissonRuns):
        mean = about(runs.mean)
        return [*accumulate(range(1, 200), lambda p, k: p * mean / k, initial=exp(-mean))]
    eta, gamma = about(runs.eta), about(runs.gamma)
    first = (1 - gamma) / -log(gamma) if not eta else eta * (1 - gamma) / (gamma**-eta - 1)
    ratios = ((1 - gamma) * (k - 1 + eta) / k for k in range(2, 900))
    return [0.0, *accumulate(ratios, lambda p, ratio: p * ratio, initial=first)]


def about(value: mpq) -> float:
    return int(value.numerator) / int(value.denominator)


def kept(law: Law, runs: Runs) -> Law:
    """Of no answer, and of each answer as the best of all runs, counted run by run."""
    known = probabilities(runs)
    assert sum(known) == pytest.approx(1, abs=1e-9)
    below = [0.0, *accumulate(law)]
    none = known[0]
    return (
        none,
        *(
            sum(p * (above**k - under**k) for k, p in enumerate(known) if k)
            for under, above in pairwise(below)
        ),
    )


def divergence(p: Law, q: Law, alpha: float) -> float:
    return log(sum(b * (a / b) ** alpha for a, b in zip(p, q, strict=True) if a and b)) / (
        alpha - 1
    )


def of_both(p: Law, q: Law, alpha: float) -> float:
    return max(divergence(p, q, alpha), divergence(q, p, alpha))


@each_case("runs, laws", product(RUNS, PAIRS))
def test_what_is_kept_has_no_greater_divergence_than_is_said(
    runs: Runs, laws: tuple[Law, Law]
) -> None:
    p, q = laws
    orders = [mpq(each) for each in ("9/8", "3/2", 2, 3, 5, 8, 16, 32)]
    run = RenyiMechanism(
        [(each, mpq(int(of_both(p, q, about(each)) * 10**12) + 1, 10**12)) for each in orders]
    )
    said = SelectionMechanism(run, runs).divergences()
    assert said is not None
    best, other = kept(p, runs), kept(q, runs)
    for order, bound in said.listed[0][0]:
        assert of_both(best, other, about(order)) <= about(bound) + 1e-9


@each_case("runs, laws", product(RUNS[:4], PAIRS))
def test_what_is_kept_of_pure_runs_is_pure(runs: Runs, laws: tuple[Law, Law]) -> None:
    p, q = laws
    assert isinstance(runs, NegativeBinomialRuns)
    epsilon = max(abs(log(a / b)) for a, b in zip(p, q, strict=True))
    most = (2 + about(runs.eta)) * epsilon
    best, other = kept(p, runs), kept(q, runs)
    losses = [abs(log(a / b)) for a, b in zip(best, other, strict=True) if a]
    assert max(losses) <= most + 1e-9


@each_case(
    "run, neighbouring",
    [
        (Mechanism("1/10"), "unspecified"),
        (GaussianMechanism("1/2", 3), "unspecified"),
        (SampledMechanism(GaussianMechanism(1), "1/100", 1000), "add-remove-one"),
        (RenyiMechanism([[2, "1/50"], [8, "1/10"], [32, "1/2"]]), "unspecified"),
    ],
)
def test_both_ends_are_certified_alone_and_beside_others(run: Family, neighbouring: str) -> None:
    for runs, beside in product((RUNS[0], RUNS[4]), ((), (Mechanism("1/10"),))):
        ledger = Ledger((SelectionMechanism(run, runs), *beside), neighbouring=neighbouring)
        answer = compose(ledger, delta="1e-6", tolerance="1e-2")
        for certificate in (answer.upper_certificate(), answer.lower_certificate()):
            if certificate is not None:
                assert verify_bytes(certificate.to_bytes()).status == "accepted"
        assert answer.upper is not None
        assert answer.upper_certificate() is not None


def test_runs_of_one_mechanism_are_read_from_events() -> None:
    """A shape of 1 is a geometric number, an infinite one a Poisson number."""
    event = (
        '{"class_name": "RepeatAndSelectDpEvent", "event": {"class_name": "GaussianDpEvent", '
        '"noise_multiplier": 1.0}, "mean": 10, "shape": %s}'
    )
    ledger = read_ledger((event % "1").encode())
    assert ledger.mechanisms == (SelectionMechanism(GaussianMechanism(1), RUNS[0]),)
    endless = read_ledger((event % "Infinity").encode())
    assert endless.mechanisms == (SelectionMechanism(GaussianMechanism(1), PoissonRuns(10)),)
    with pytest.raises(UnsupportedError, match="eta and gamma"):
        read_ledger((event % "0").encode())


@each_case(
    "make, error, match",
    [
        (lambda: PoissonRuns(0), DomainError, "mean"),
        (lambda: NegativeBinomialRuns(-1, "1/2"), DomainError, "eta"),
        (lambda: NegativeBinomialRuns("1e-9", "1/2"), DomainError, "eta"),
        (lambda: NegativeBinomialRuns(1, 1), DomainError, "gamma"),
        (lambda: SelectionMechanism(Mechanism(1, "1e-9"), RUNS[0]), UnsupportedError, "delta"),
        (lambda: SelectionMechanism(Mechanism(0), RUNS[0]), InputError, "reveal nothing"),
    ],
)
def test_what_is_not_known_of_a_selection_is_refused(
    make: Callable[[], object], error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        make()


def test_nothing_is_claimed_to_be_tight_at_a_delta_of_zero() -> None:
    for run, runs in product((Mechanism("1/10"), GaussianMechanism(1)), (RUNS[0], RUNS[4])):
        with pytest.raises(UnsupportedError, match="private selection"):
            compose(Ledger((SelectionMechanism(run, runs),)), delta=0)


def test_orders_are_those_of_the_specification() -> None:
    assert len(orders_of(sampled=False)) == 84
    assert orders_of(sampled=False)[-1] == 4096
    assert orders_of(sampled=True)[-1] == 256
