r"""Mechanisms by their noise as accountants are asked about them: entries in doubles.

Rules of this file: as in :mod:`exactdp.crosscheck.doubles`; noise and variances are rounded down,
rates and ρ up, so that the question is at least as hard as the ledger's. Sensitivities are 1: noise
is divided by them first.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.crosscheck.doubles import double_near
from exactdp.errors import UnsupportedError
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
    Sampleable,
    SampledMechanism,
)

NumberText: TypeAlias = Callable[[ExactNumber, int, str], str]
"""The text of a double at least (1) or at most (-1) a number of a field."""


def entry_text(entry: Entry, text: NumberText) -> str | None:
    """The JSON of an entry; None for Gaussian noise without end.

    Raises:
        UnsupportedError: no accountant speaks of such a mechanism, or no doubles say what it is.
    """
    if isinstance(entry, GaussianMechanism) and not entry.mu:
        return None
    return f'{{{_fields(entry, text)}, "count": {entry.count}}}'


def fixed_size_text(entry: Entry, text: NumberText) -> str:
    """The JSON of a step on batches of a fixed size, of which an entry is one pair of inputs."""
    noise, batch, examples = fixed_size_step(entry)
    sigma = text(ExactNumber(noise), -1, "sigma")
    step = f'{{"sigma": {sigma}, "clip": 1.0, "examples": {examples}, "batch": {batch}}}'
    return f'{{"fixed_size": {step}, "count": {entry.count}}}'


def fixed_size_step(entry: Entry) -> tuple[mpq, int, int]:
    """Noise relative to the bound on one record, and how many records of how many are in a batch.

    A replaced record moves a sum by twice that bound, and is in a batch at the rate of the entry.

    Raises:
        UnsupportedError: it is that of no such step.
    """
    base, rate = (
        (entry.base, entry.rate) if isinstance(entry, SampledMechanism) else (entry, mpq(1))
    )
    if not isinstance(base, GaussianMechanism) or not base.mu:
        raise UnsupportedError(
            field="mechanism", value=type(base).__name__, expected="Gaussian noise on batches"
        )
    return 2 / base.mu, int(rate.numerator), int(rate.denominator)


def _fields(entry: Entry, text: NumberText) -> str:
    if isinstance(entry, SampledMechanism):
        told = _fields if entry.clip is None else _clipped
        return f'{told(entry.base, text)}, "rate": {text(ExactNumber(entry.rate), 1, "rate")}'
    if isinstance(entry, DiscreteLaplaceMechanism | DiscreteGaussianMechanism):
        return _on_integers(entry, text)
    if isinstance(entry, Mechanism):
        delta = text(ExactNumber(entry.delta), 1, "delta")
        return f'"epsilon": {text(entry.epsilon, 1, "epsilon")}, "delta": {delta}'
    match entry:
        case ConcentratedMechanism(rho=rho):
            return f'"rho": {text(ExactNumber(rho), 1, "rho")}'
        case BoundedRangeMechanism(epsilon=size):
            return f'"bounded_range": {text(ExactNumber(size), 1, "bounded_range")}'
        case _:
            return _on_numbers(entry, text)


def _clipped(base: Sampleable, text: NumberText) -> str:
    """Noise on a sum, and the most that one record moves it."""
    match base:
        case GaussianMechanism(mu=mu):
            return f'"sigma": {text(ExactNumber(1 / mu), -1, "sigma")}, "clip": 1.0'
        case LaplaceMechanism(scale=scale, sensitivity=reach):
            size = text(ExactNumber(scale / reach), -1, "scale")
            return f'"laplace": {{"scale": {size}}}, "clip": 1.0'
        case DiscreteLaplaceMechanism(scale=scale, shifts=(shift,)):
            size = text(ExactNumber(scale), -1, "scale")
            return f'"discrete_laplace": {{"scale": {size}}}, "clip": {shift}'
        case DiscreteGaussianMechanism(variance=variance, shifts=(shift,)):
            size = text(ExactNumber(variance), -1, "variance")
            return f'"discrete_gaussian": {{"variance": {size}}}, "clip": {shift}'
        case _:
            raise UnsupportedError(
                field="clip", value=type(base).__name__, expected="noise on a sum, beside a clip"
            )


def _on_numbers(entry: Entry, text: NumberText) -> str:
    match entry:
        case GaussianMechanism(mu=mu):
            return f'"sigma": {text(ExactNumber(1 / mu), -1, "sigma")}, "sensitivity": 1.0'
        case LaplaceMechanism(scale=scale, sensitivity=reach):
            size = text(ExactNumber(scale / reach), -1, "scale")
            return f'"laplace": {{"scale": {size}, "sensitivity": 1.0}}'
        case PairMechanism(p=p, q=q):
            return f'"pair": {{"p": {_law(p)}, "q": {_law(q)}}}'
        case _:
            raise UnsupportedError(
                field="mechanism",
                value=entry.label or type(entry).__name__,
                expected="mechanisms that accountants speak about",
            )


def _on_integers(
    entry: DiscreteLaplaceMechanism | DiscreteGaussianMechanism, text: NumberText
) -> str:
    shifts = f'"shifts": {json.dumps(entry.shifts)}'
    if isinstance(entry, DiscreteLaplaceMechanism):
        scale = text(ExactNumber(entry.scale), -1, "scale")
        return f'"discrete_laplace": {{"scale": {scale}, {shifts}}}'
    variance = text(ExactNumber(entry.variance), -1, "variance")
    return f'"discrete_gaussian": {{"variance": {variance}, {shifts}}}'


def _law(law: tuple[mpq, ...]) -> str:
    """The probabilities, each of which a double holds exactly.

    Raises:
        UnsupportedError: one that none does: rounded, a table is that of another mechanism.
    """
    doubles = [double_near(ExactNumber(each)) for each in law]
    for exact, double in zip(law, doubles, strict=True):
        if mpq(Fraction(double)) != exact:
            raise UnsupportedError(
                field="pair",
                value=str(exact),
                expected="probabilities that doubles hold exactly, to ask an accountant",
            )
    return json.dumps(doubles)
