r"""What mechanisms by their noise are in ε, δ, ρ and μ, by the theorems of the field.

Theory of operation: a mechanism by its noise is read as pure where its losses are bounded (Laplace,
discrete Laplace, a range, a table), and as ρ or μ where they are not (discrete Gaussian:
ρ = Σ shift²/(2·variance)). A table with answers that one input alone gives has these as its δ. A
sampled one is read as what it is without sampling, but for those with an ε, which becomes
ln(1 + q(e^ε - 1)) as δ becomes qδ.

Sources: Canonne, Kamath & Steinke, NeurIPS 2020, Theorem 4 (discrete Gaussian); Cesar & Rogers, ALT
2021, Lemmas 3.2 and 3.4 of arXiv:2004.07223 (bounded range, ε²/8); Balle, Barthe & Gaboardi,
NeurIPS 2018, Theorem 8 (sampling).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, assert_never

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import ceil_to
from exactdp.arithmetic.enclosures import ball, ball_of_rational, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.ledger.model import (
    ZERO_OUT,
    ConcentratedMechanism,
    Entry,
    GaussianMechanism,
    Ledger,
    Mechanism,
    Parametric,
    entry_between,
)
from exactdp.ledger.noise import (
    BoundedRangeMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    LaplaceMechanism,
    PairMechanism,
    RenyiMechanism,
    SampledMechanism,
    ShuffledGaussianMechanism,
    whole_base,
)

_BITS: Final = 256
_PLACES: Final = 20
AS_EPSILON: Final = "as ε"
AS_RHO: Final = "as ρ and μ"
AS_RHO_UNSAMPLED: Final = f"{AS_RHO}, unsampled"


@dataclass(frozen=True, slots=True)
class NoiseReading:
    """A ledger that a ledger by noise is at most, in words and as one.

    Attributes:
        title: what the mechanisms are read as.
        ledger: the reading.
    """

    title: str
    ledger: Ledger


def readings(ledger: Ledger) -> Iterator[NoiseReading]:
    """The readings that exist: as pure mechanisms, and as ρ or μ."""
    listed: list[tuple[Parametric, ...]] = []
    relation = "unspecified" if ledger.neighbouring == ZERO_OUT else ledger.neighbouring
    for title, entries in entries_read(ledger):
        known = tuple(each for each in entries if each is not None)
        if len(known) == len(entries) and known not in listed:
            listed.append(known)
            reading = replace(ledger, mechanisms=known, claims=(), neighbouring=relation)
            yield NoiseReading(title, reading)


def entries_read(ledger: Ledger) -> Iterator[tuple[str, list[Parametric | None]]]:
    """What is read, and what each mechanism is then; None where that is not known of it."""
    unsampled = any(
        isinstance(entry, SampledMechanism) and _approximate(entry) is None
        for entry in ledger.mechanisms
    )
    told = [_known_batch(entry, ledger.neighbouring) for entry in ledger.mechanisms]
    yield AS_EPSILON, [pure_reading(entry) for entry in told]
    yield (
        (AS_RHO_UNSAMPLED if unsampled else AS_RHO),
        [concentrated_reading(entry) for entry in told],
    )


def _known_batch(entry: Entry, neighbouring: str) -> Entry:
    if isinstance(entry, ShuffledGaussianMechanism):
        return entry.known_batch(neighbouring)
    return entry_between(entry, neighbouring)


def pure_reading(entry: Entry) -> Mechanism | None:
    """A mechanism by its ε, or as it is if that has one already; None if it has none.

    >>> pure_reading(LaplaceMechanism(4, 2)).epsilon
    ExactNumber(rational=mpq(1,2), logs=())
    """
    if isinstance(entry, Mechanism):
        return entry
    known = _approximate(entry)
    return None if known is None else Mechanism(*known, entry.count, entry.label)


def _approximate(entry: Entry) -> tuple[ExactNumber, mpq] | None:
    """The (ε, δ) that the noise implies, δ < 1."""
    match entry:
        case LaplaceMechanism(scale=scale, sensitivity=sensitivity):
            return ExactNumber(sensitivity / scale), mpq(0)
        case DiscreteLaplaceMechanism(scale=scale, shifts=shifts):
            return ExactNumber(sum(shifts) / scale), mpq(0)
        case BoundedRangeMechanism(epsilon=size):
            return ExactNumber(size), mpq(0)
        case PairMechanism(p=p, q=q):
            return _of_table(p, q)
        case SampledMechanism(base=base, rate=rate, clip=clip):
            amplified = _amplified if clip is None else _replaced
            known = _approximate(base)
            return known and (amplified(known[0], rate), rate * known[1])
        case (
            Mechanism()
            | ConcentratedMechanism()
            | GaussianMechanism()
            | DiscreteGaussianMechanism()
            | ShuffledGaussianMechanism()
            | RenyiMechanism()
        ):
            return None
        case _:
            assert_never(entry)


def _of_table(p: tuple[mpq, ...], q: tuple[mpq, ...]) -> tuple[ExactNumber, mpq] | None:
    """The greatest ratio of answers that both inputs give, and what the others weigh."""
    rows = list(zip(p, q, strict=True))
    ratios = [max(a / b, b / a) for a, b in rows if a and b]
    if not ratios:
        return None
    apart = (
        sum((a for a, b in rows if not b), mpq(0)),
        sum((b for a, b in rows if not a), mpq(0)),
    )
    return ExactNumber.ln(max(ratios)), max(apart)


def _amplified(epsilon: ExactNumber, rate: mpq) -> ExactNumber:
    """A decimal at least ln(1 + q(e^ε - 1))."""
    with precision(_BITS):
        size = (ball_of_rational(rate) * ball(epsilon).expm1()).log1p()
        return ExactNumber(ceil_to(upper_end(size), _PLACES))


def _replaced(epsilon: ExactNumber, rate: mpq) -> ExactNumber:
    """A decimal at least ln((1 + q(e^ε - 1))/(1 + q(e^-ε - 1))): where one gives way to another."""
    with precision(_BITS):
        share = ball_of_rational(rate)
        ends = ((share * size.expm1()).log1p() for size in (ball(epsilon), -ball(epsilon)))
        return ExactNumber(ceil_to(upper_end(next(ends) - next(ends)), _PLACES))


def concentrated_reading(entry: Entry) -> Parametric | None:
    """A mechanism by its ρ or μ, or by its ε where that is all; None if neither is known."""
    count, label = entry.count, entry.label
    match entry:
        case Mechanism() | ConcentratedMechanism() | GaussianMechanism():
            return entry
        case DiscreteGaussianMechanism(variance=variance, shifts=shifts):
            rho = sum((mpq(shift) ** 2 for shift in shifts), mpq(0)) / (2 * variance)
            return ConcentratedMechanism(rho, count, label)
        case BoundedRangeMechanism(epsilon=size):
            return ConcentratedMechanism(size**2 / 8, count, label)
        case SampledMechanism(base=GaussianMechanism() | DiscreteGaussianMechanism()):
            known = concentrated_reading(whole_base(entry))
            return None if known is None else replace(known, count=count, label=label)
        case (
            LaplaceMechanism()
            | DiscreteLaplaceMechanism()
            | PairMechanism()
            | SampledMechanism()
            | ShuffledGaussianMechanism()
            | RenyiMechanism()
        ):
            return pure_reading(entry)
        case _:
            assert_never(entry)
