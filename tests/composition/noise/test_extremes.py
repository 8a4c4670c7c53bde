"""The greatest losses and the mass at infinity, against sums over all answers in rationals.

The judge knows a mechanism by the probabilities of its answers alone: it multiplies them out, and
finds the least ε of each direction among all events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any, Final

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.answers.results import Composition
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.extremes import extremes_of
from exactdp.errors import UnsupportedError
from exactdp.ledger.model import Ledger
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
)
from exactdp.mechanisms.family import Sampleable
from exactdp.mechanisms.pairs import SampledLoss
from exactdp.verifier import verify_bytes
from tests.marking import each_case

Rows = list[tuple[Fraction, Fraction]]
Real = Any  # of mpmath
GRID: Final = 5


# --- tables with zeros, samples and failures, in rationals --------------------------------------


def _law(random: Random, size: int) -> list[Fraction]:
    weights = [random.choice((0, 0, 1, 2, 5)) for _ in range(size)]
    weights[random.randrange(size)] += 1
    return [Fraction(weight, sum(weights)) for weight in weights]


def _table(random: Random) -> tuple[Entry, Rows]:
    """A table, or one on a sample, or a randomized response that may fail; and its answers."""
    kind = random.choice(("table", "sampled", "failing"))
    if kind == "failing":
        odds, delta = random.randint(1, 4), Fraction(random.randint(0, 2), 10)
        kept = (1 - delta) / (odds + 1)
        rows = [
            (delta, Fraction(0)),
            (kept * odds, kept),
            (kept, kept * odds),
            (Fraction(0), delta),
        ]
        return Mechanism(f"ln({odds})", delta), rows
    p, q = _law(random, 3), _law(random, 3)
    table = PairMechanism(p, q)
    if kind == "table":
        return table, list(zip(p, q, strict=True))
    rate = Fraction(random.randint(1, 3), 4)
    rows = [((1 - rate) * b + rate * a, b) for a, b in zip(p, q, strict=True)]
    return SampledMechanism(table, rate), rows


def _multiplied(tables: Sequence[Rows]) -> Rows:
    """The probabilities of all answers together."""
    return [
        (prod((p for p, _ in row), start=Fraction(1)), prod((q for _, q in row), start=Fraction(1)))
        for row in product(*tables)
    ]


def _directions(rows: Rows) -> tuple[Rows, Rows]:
    return rows, [(q, p) for p, q in rows]


def _mass(rows: Rows) -> Fraction:
    return sum((p for p, q in rows if not q), Fraction(0))


def _least_odds(rows: Rows, delta: Fraction) -> Fraction:
    """The least y >= 1 with P(S) - y·Q(S) <= δ for every event S, where one is enough."""
    left, right, most = _mass(rows) - delta, Fraction(0), Fraction(1)
    finite = ((p, q) for p, q in rows if q)
    for p, q in sorted(finite, key=lambda row: row[0] / row[1], reverse=True):
        left, right = left + p, right + q
        most = max(most, left / right)
    return most


def _cases() -> Iterator[Any]:
    random = Random(20261127)  # noqa: S311 (cases for tests)
    for number in range(60):
        parts = [_table(random) for _ in range(random.randint(1, 3))]
        if any(isinstance(entry, PairMechanism | SampledMechanism) for entry, _ in parts):
            yield pytest.param([e for e, _ in parts], [rows for _, rows in parts], id=str(number))


CASES: Final = list(_cases())


@each_case(("entries", "tables"), [each.values for each in CASES])
def test_below_the_mass_at_infinity_no_epsilon_is_enough(
    entries: list[Entry], tables: list[Rows]
) -> None:
    mass = max(map(_mass, _directions(_multiplied(tables))))
    ledger = Ledger(tuple(entries))
    for delta in (mass / 2, mass * Fraction(999999, 1000000)) if mass else ():
        answer = compose(ledger, delta=delta)
        assert not answer.feasible
        assert answer.least_feasible_delta_ends == (mpq(mass), mpq(mass))
        assert not certify(ledger, epsilon=1000, delta=delta).holds


@pytest.mark.slow
@each_case(
    ("entries", "tables"),
    [
        each.values
        for each in CASES
        if max(map(_mass, _directions(_multiplied(each.values[1])))) < 1
    ],
)
def test_at_the_mass_at_infinity_the_least_epsilon_is_that_of_all_events(
    entries: list[Entry], tables: list[Rows]
) -> None:
    directions = _directions(_multiplied(tables))
    mass = max(map(_mass, directions))
    odds = max(_least_odds(rows, mass) for rows in directions)
    ledger = Ledger(tuple(entries))
    answer = compose(ledger, delta=mass)
    assert _holds(answer, odds)
    for made in (answer.upper_certificate(), answer.lower_certificate()):
        assert made is None or verify_bytes(made.to_bytes()).status == "accepted"
    if answer.exact is not None:
        assert answer.exact.rational_odds() == mpq(odds)
        decided = certify(ledger, epsilon=answer.exact, delta=mass)
        assert (decided.holds, decided.equality) == (True, True)
    assert answer.upper_end is not None
    assert certify(ledger, epsilon=answer.upper_end + mpq(1, 1000), delta=mass).holds
    if odds > 1 and answer.lower_end:
        assert not certify(ledger, epsilon=answer.lower_end / 2, delta=mass).holds


def _holds(answer: Composition, odds: Fraction) -> bool:
    """Whether ln y lies within the ends."""
    with mpmath.workdps(40):
        size = mpmath.log(mpmath.mpf(odds.numerator) / odds.denominator)
        low, high = (
            mpmath.mpf(int(end.numerator)) / int(end.denominator)
            for end in (answer.lower_end, answer.upper_end)
            if end is not None
        )
        return bool(low <= size <= high <= low + mpmath.mpf("1e-4"))


@pytest.mark.parametrize(("entries", "tables"), CASES[::4])
def test_the_profile_beyond_all_losses_is_the_mass_at_infinity(
    entries: list[Entry], tables: list[Rows]
) -> None:
    mass = max(map(_mass, _directions(_multiplied(tables))))
    [point] = profile(Ledger(tuple(entries)), epsilon=[100])
    assert (point.lower_end, point.upper_end) == (mpq(mass), mpq(mass))


# --- families with bounded losses, by their densities -------------------------------------------


def _laplace(scale: Fraction, shift: int) -> list[tuple[Real, Real]]:
    """Densities, or probabilities, of answers that lie evenly, for two inputs."""
    size = mpmath.mpf(scale.numerator) / scale.denominator
    return [
        (mpmath.exp(-abs(x) / size), mpmath.exp(-abs(x - shift) / size))
        for x in range(-GRID, GRID + 1)
    ]


def _ranged(epsilon: Fraction) -> list[tuple[Real, Real]]:
    """Generalized randomized responses whose greater loss is nearly the range, or nearly 0."""
    rows = []
    size = mpmath.mpf(epsilon.numerator) / epsilon.denominator
    for t in (size * (1 - mpmath.mpf(10) ** -30), size * mpmath.mpf(10) ** -30):
        p = mpmath.expm1(-(size - t)) / mpmath.expm1(-size)
        q = p * mpmath.exp(-t)
        rows += [(p, q), (1 - p, 1 - q)]
    return rows


EXAMPLES: Final[list[tuple[Entry, Callable[[], list[tuple[Real, Real]]]]]] = [
    (LaplaceMechanism("5/2", 3), lambda: _laplace(Fraction(5, 2), 3)),
    (DiscreteLaplaceMechanism("5/2", (2,)), lambda: _laplace(Fraction(5, 2), 2)),
    (BoundedRangeMechanism("3/4"), lambda: _ranged(Fraction(3, 4))),
    (Mechanism("ln(3)"), lambda: [(mpmath.mpf(3), mpmath.mpf(1)), (mpmath.mpf(1), mpmath.mpf(3))]),
    (
        PairMechanism(["1/2", "1/3", "1/6"], ["1/3", "1/3", "1/3"]),
        lambda: [(mpmath.mpf(3), mpmath.mpf(2)), (mpmath.mpf(1), mpmath.mpf(2))],
    ),
]
RATE: Final = Fraction(1, 5)


def _removed(rows: list[tuple[Real, Real]]) -> list[tuple[Real, Real]]:
    rate = mpmath.mpf(RATE.numerator) / RATE.denominator
    return [((1 - rate) * q + rate * p, q) for p, q in rows]


def _of(entry: Entry) -> Entry:
    """The mechanism on a sample, if it may be run on one."""
    if isinstance(entry, Mechanism):
        return entry
    return SampledMechanism(entry, RATE)  # type: ignore[arg-type] # none of ρ or μ is here


def _greatest(tables: Sequence[list[tuple[Real, Real]]]) -> Real:
    """The greatest loss among all answers together, in either direction."""
    ratios = [[(p / q) for p, q in rows] for rows in tables]
    most = max(mpmath.fprod(each) for each in product(*ratios))
    least = min(mpmath.fprod(each) for each in product(*ratios))
    return max(mpmath.log(most), -mpmath.log(least))


def _is_within(answer: Composition, size: Real, spare: str = "1e-20") -> bool:
    assert answer.lower_end is not None
    assert answer.upper_end is not None
    low, high = (
        mpmath.mpf(int(each.numerator)) / int(each.denominator)
        for each in (answer.lower_end, answer.upper_end)
    )
    near = mpmath.mpf(spare)
    return bool(low - near <= size <= high + near and high - low <= mpmath.mpf("1e-9"))


@pytest.mark.parametrize("sample", [False, True], ids=["whole", "sample"])
@each_case("second", range(len(EXAMPLES)))
@each_case("first", range(len(EXAMPLES)))
def test_at_delta_0_bounded_losses_add_up_to_the_least_epsilon(
    first: int, second: int, sample: bool
) -> None:
    with mpmath.workdps(60):
        chosen = [EXAMPLES[first], EXAMPLES[second], EXAMPLES[first]]
        entries = tuple(_of(entry) if sample else entry for entry, _ in chosen)
        tables = [
            _removed(rows()) if sample and not isinstance(entry, Mechanism) else rows()
            for entry, rows in chosen
        ]
        ledger = Ledger(entries, neighbouring="add-remove-one")
        answer = compose(ledger, delta=0, tolerance="1e-9")
        assert _is_within(answer, _greatest(tables), "1e-25")
        assert answer.evidence == "certificate"
        for made in (answer.upper_certificate(), answer.lower_certificate()):
            if made is not None:
                assert verify_bytes(made.to_bytes()).status == "accepted"


@pytest.mark.parametrize("relation", ["add-remove-one", "replace-one"])
def test_a_sample_of_bounded_range_has_the_same_pure_epsilon_between_all_neighbours(
    relation: str,
) -> None:
    """Where a record gives way to one without influence, the pair is that of its removal."""
    step = SampledMechanism(BoundedRangeMechanism("6/5"), RATE, 4)
    answer = compose(Ledger((step,), neighbouring=relation), delta=0, tolerance="1e-9")
    with mpmath.workdps(60):
        rate = mpmath.mpf(RATE.numerator) / RATE.denominator
        assert _is_within(answer, 4 * mpmath.log(1 + rate * mpmath.expm1(mpmath.mpf("1.2"))))


# --- noise on a sampled sum, of which a record is replaced --------------------------------------


SUMS: Final[list[tuple[LaplaceMechanism | DiscreteLaplaceMechanism, Fraction, int]]] = [
    (LaplaceMechanism("5/2", 3), Fraction(5, 2), 3),
    (DiscreteLaplaceMechanism("5/2", (2,)), Fraction(5, 2), 2),
]


def _replaced(scale: Fraction, clip: int, rate: Fraction) -> list[tuple[Real, Real]]:
    """Densities, or probabilities, where the sum is moved by the clip, by its opposite, or not."""
    share = mpmath.mpf(rate.numerator) / rate.denominator
    moved, opposed = _laplace(scale, clip), _laplace(scale, -clip)
    return [
        ((1 - share) * n + share * m, (1 - share) * n + share * other)
        for (n, m), (_, other) in zip(moved, opposed, strict=True)
    ]


@pytest.mark.parametrize(
    "rates",
    [("1/5", "1/5"), ("1/5", "4/5"), ("1/5", "1/2"), ("1/2", "1/2"), ("3/4", "1/3")],
    ids="+".join,
)
@pytest.mark.parametrize("second", range(len(SUMS)))
@pytest.mark.parametrize("first", range(len(SUMS)))
def test_at_delta_0_noise_on_clipped_sums_adds_up_to_the_least_epsilon(
    first: int, second: int, rates: tuple[str, str]
) -> None:
    """Judged by all answers together; beside a mechanism by its ε."""
    with mpmath.workdps(60):
        entries, tables = list[Entry]([Mechanism("ln(3)")]), [EXAMPLES[3][1]()]
        for (base, scale, clip), rate in zip((SUMS[first], SUMS[second]), rates, strict=True):
            entries.append(SampledMechanism(base, rate, clip=clip))
            tables.append(_replaced(scale, clip, Fraction(rate)))
        ledger = Ledger(tuple(entries), neighbouring="replace-one")
        answer = compose(ledger, delta=0, tolerance="1e-9")
        assert _is_within(answer, _greatest(tables), "1e-25")


@pytest.mark.parametrize(
    ("rates", "times"), [(("1/2",), 1), (("1/5", "4/5"), 2), (("1/3", "2/3", "1/2"), 3)]
)
@pytest.mark.parametrize(("base", "scale", "clip"), SUMS, ids=repr)
def test_rates_that_add_up_to_one_have_the_loss_of_a_removal_each_and_it_is_exact(
    base: LaplaceMechanism | DiscreteLaplaceMechanism,
    scale: Fraction,
    clip: int,
    rates: tuple[str, ...],
    times: int,
) -> None:
    """(1 - q + q·E)/(1 - q + q/E) is E times 1 - q + q·E over q + (1 - q)·E."""
    steps = tuple(SampledMechanism(base, rate, clip=clip) for rate in rates)
    ledger, least = Ledger(steps, neighbouring="replace-one"), mpq(times * clip / scale)
    answer = compose(ledger, delta=0)
    assert (answer.lower_end, answer.upper_end) == (least, least)
    assert answer.exact == ExactNumber(least)
    for epsilon, holds in ((least, True), (least * mpq(999, 1000), False)):
        assert certify(ledger, epsilon=epsilon, delta=0).holds is holds
    with mpmath.workdps(60):
        tables = [_replaced(scale, clip, Fraction(rate)) for rate in rates]
        assert _is_within(answer, _greatest(tables))


@pytest.mark.parametrize("base", [GaussianMechanism("1/100"), DiscreteGaussianMechanism(100)])
def test_the_losses_of_gaussian_noise_on_a_clipped_sum_have_no_end(
    base: GaussianMechanism | DiscreteGaussianMechanism,
) -> None:
    """Far out the answers of one record exceed those of the other as much as one likes."""
    steps = (SampledMechanism(base, "1/100", clip=1), Mechanism("1/2", "1/50"))
    ledger = Ledger(steps, neighbouring="replace-one")
    for delta in (mpq(0), mpq(1, 50)):
        assert not compose(ledger, delta=delta).feasible
        assert not certify(ledger, epsilon=10**6, delta=delta).holds
    with mpmath.workdps(60):
        share, square = mpmath.mpf("0.01"), mpmath.mpf("0.0001")
        for far in map(mpmath.mpf, (10, 100, 1000)):
            own, other = (1 - share + share * mpmath.exp(each - square / 2) for each in (far, -far))
            assert mpmath.log(own / other) > far - 5


UNBOUNDED: Final[list[Entry]] = [
    GaussianMechanism("1/100"),
    ConcentratedMechanism("1/1000"),
    DiscreteGaussianMechanism(100),
    SampledMechanism(GaussianMechanism("1/100"), "1/100"),
    SampledMechanism(DiscreteGaussianMechanism(100), "1/100"),
    ShuffledGaussianMechanism(100, 10),
    RenyiMechanism([(2, "1/1000")]),
]


@pytest.mark.parametrize("failure", ["0", "1/50"])
@pytest.mark.parametrize("entry", UNBOUNDED, ids=lambda entry: type(entry).__name__)
def test_beside_unbounded_losses_the_mass_at_infinity_is_never_reached(
    entry: Entry, failure: str
) -> None:
    relation = "zero-out" if isinstance(entry, ShuffledGaussianMechanism) else "add-remove-one"
    ledger = Ledger(
        (entry, LaplaceMechanism(1), Mechanism("1/2", failure, 2)), neighbouring=relation
    )
    mass = 1 - (1 - mpq(failure)) ** 2
    answer = compose(ledger, delta=mass)
    assert (answer.feasible, answer.reaches_least_delta) == (False, False)
    assert answer.least_feasible_delta_ends == (mass, mass)
    assert not certify(ledger, epsilon=10**6, delta=mass).holds


@pytest.mark.slow
@pytest.mark.parametrize("entry", UNBOUNDED, ids=lambda entry: type(entry).__name__)
def test_no_profile_falls_below_the_mass_at_infinity(entry: Entry) -> None:
    relation = "zero-out" if isinstance(entry, ShuffledGaussianMechanism) else "add-remove-one"
    ledger = Ledger((entry, LaplaceMechanism(1), Mechanism("1/2", "1/50")), neighbouring=relation)
    [point] = profile(ledger, epsilon=[30])
    assert mpq(1, 50) <= point.lower_end <= point.upper_end


# --- what is said -------------------------------------------------------------------------------


def test_a_claim_without_a_certificate_is_called_neither_proved_nor_refuted() -> None:
    clipped = SampledMechanism(LaplaceMechanism(10), "1/2", 10, clip=1)
    ledger = Ledger((clipped,), neighbouring="replace-one")
    for epsilon, holds in (("2", True), ("0.1", False)):
        decided = certify(ledger, epsilon=epsilon, delta=0)
        assert (decided.holds, decided.evidence, decided.proof) == (holds, "computed", None)
        assert not any(word in f"{decided}" for word in ("proved", "refuted"))
        with pytest.raises(UnsupportedError, match="a claim that a rule of certificates decides"):
            _ = decided.certificate


def test_a_claim_that_no_mesh_decides_holds_where_no_loss_exceeds_it() -> None:
    decided = certify(Ledger((LaplaceMechanism(10, 1, 100),)), epsilon=10, delta="1e-200")
    assert decided.holds


def test_a_sum_of_samples_is_told_from_what_is_near_it() -> None:
    loss = SampledLoss(mpq(1), mpq(1, 2))
    near = mpq(62011450695827752463, 10**20)  # ln((1 + e)/2), to twenty digits
    laws = DominatingPairs(Subject.of(Ledger((SampledMechanism(LaplaceMechanism(1), "1/2"),))))
    forward = extremes_of(laws)[0]
    assert forward.sampled == ((loss, 1),)
    assert forward.compared(ExactNumber(near)) != forward.compared(
        ExactNumber(near + mpq(1, 10**19))
    )


@pytest.mark.parametrize("rate", ["1/10", "1/2", "2/3"])
@pytest.mark.parametrize(
    "base",
    [LaplaceMechanism(2), DiscreteLaplaceMechanism(3), BoundedRangeMechanism("1/5")],
    ids=lambda each: type(each).__name__,
)
def test_decimals_around_the_greatest_loss_of_a_sample_are_below_and_above_it(
    base: Sampleable, rate: str
) -> None:
    """Neither end is equal to it, for the loss is transcendental."""
    laws = DominatingPairs(Subject.of(Ledger((SampledMechanism(base, rate, 3),))))
    removed, added = extremes_of(laws)
    for extreme in (removed, added):
        low, high = extreme.ends(12)
        assert extreme.compared(ExactNumber(low)) == -1
        assert extreme.compared(ExactNumber(high)) == 1
        assert extreme.compared(ExactNumber(mpq(100))) == 1
