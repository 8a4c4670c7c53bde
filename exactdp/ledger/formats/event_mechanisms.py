r"""The mechanism of each event of dp-accounting that holds no other event, and of a selection.

Rules of this file: what an event does not say is refused, never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import comb
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber, as_rational
from exactdp.errors import DomainError, InputError, UnsupportedError
from exactdp.mechanisms import (
    ZERO_OUT,
    BoundedRangeMechanism,
    ConcentratedMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    PersonInSampleMechanism,
    Sampleable,
    SampledMechanism,
    SelectionMechanism,
)
from exactdp.mechanisms.selection import NegativeBinomialRuns, PoissonRuns, Runs

Field = Callable[[str], mpq]
DISCRETE: Final = "DiscreteGaussianDpEvent"
RESPONSE: Final = "RandomizedResponseDpEvent"
SAMPLED: Final = "PoissonSampledDpEvent"
SELECTED: Final = "RepeatAndSelectDpEvent"
FIXED_SIZE: Final = "SampledWithoutReplacementDpEvent"
ALLOCATED: Final = "RandomAllocationDpEvent"
MIXTURE: Final = "MixtureOfGaussiansDpEvent"
TREES: Final = "SingleEpochTreeAggregationDpEvent"
_SHOWN_LAWS: Final = 3
_SQUARE_OF_TWO_COORDINATES: Final = 2
_ENDLESS: Final = ("Infinity", "inf")


def runs_of(shape: str, mean: str) -> Runs:
    """How often something is run: Poisson for an infinite shape, geometric for 1."""
    if shape in _ENDLESS:
        return PoissonRuns(mean)
    eta, times = as_rational(shape, "shape"), as_rational(mean, "mean")
    if eta != 1 or times <= 1:
        raise UnsupportedError(
            field="shape",
            value=f"{eta} with a mean of {times}",
            expected="1, with a mean above 1, or infinity",
            remedy="write the entry selection, with eta and gamma",
        )
    return NegativeBinomialRuns(eta, 1 / times)


def best_of(entries: Sequence[Entry], runs: Runs, count: int) -> SelectionMechanism:
    """The best of so many runs of one mechanism, which may be composed of several alike."""
    if len(entries) != 1:
        raise UnsupportedError(
            field="event",
            value=f"{len(entries)} mechanisms",
            expected="runs of one mechanism, any number of times",
            remedy="state the Rényi divergences of a run, as renyi",
        )
    return SelectionMechanism(entries[0], runs, count)


def tree_sums(noise: mpq, nodes: int, reach: int) -> GaussianMechanism:
    """Gaussian noise on so many sums, each of which a record moves by ``reach``."""
    variance = _positive(noise, "noise_multiplier") ** 2
    return GaussianMechanism(mu_squared=nodes * reach**2 / variance)


def records_in_sample(
    noise: mpq, sensitivities: Sequence[mpq], probabilities: Sequence[mpq], count: int
) -> Entry:
    """A mixture of Gaussians whose weights are binomial: a person's records in a Poisson sample.

    Args:
        noise: its deviation.
        sensitivities: by how much the sum moves: 0, c, 2c, …, for as many records as are drawn.
        probabilities: of each.
        count: how many there are.

    Raises:
        InputError: there are not as many probabilities.
        UnsupportedError: no person with records moves a sum so.
    """
    if len(sensitivities) != len(probabilities):
        raise InputError(
            field="sampling_probs",
            value=str(len(probabilities)),
            expected=f"{len(sensitivities)} probabilities, one of each sensitivity",
        )
    laws = sorted(zip(sensitivities, probabilities, strict=True))
    records = len(laws) - 1
    if records >= 1 and (none := laws[0][1]) > 0 and laws[0][0] == 0 < laws[1][0]:
        one, reach = laws[1][1], laws[1][0]
        rate = one / (records * none + one)
        drawn = [
            (reach * k, comb(records, k) * rate**k * (1 - rate) ** (records - k))
            for k in range(records + 1)
        ]
        if drawn == laws and rate > 0:
            base = GaussianMechanism.of_noise(_positive(noise, "standard_deviation"), reach)
            if records == 1:
                return SampledMechanism(base, rate, count)
            return PersonInSampleMechanism(base.mu_squared, rate, records, count)
    raise UnsupportedError(
        field="sampling_probs",
        value=", ".join(str(each) for _, each in laws[:_SHOWN_LAWS]),
        expected="for the sensitivities 0, c, 2c, … exactly the probabilities with which so many "
        "of a person's records are in a Poisson sample, such as 0.9801, 0.0198 and 0.0001 of 2 at "
        "the rate 0.01",
        remedy="where doubles were rounded, write the entry with sigma, rate and "
        "records_per_person; other mixtures have no entry",
    )


def _laplace(field: Field, reach: int) -> LaplaceMechanism:
    return LaplaceMechanism(_positive(field("noise_multiplier"), "noise_multiplier"), reach)


def _discrete_laplace(field: Field, reach: int) -> DiscreteLaplaceMechanism:
    parameter, shift = field("noise_parameter"), field("sensitivity")
    if shift.denominator != 1:
        raise DomainError(field="sensitivity", value=str(shift), expected="a whole number")
    scale = 1 / _positive(parameter, "noise_parameter")
    return DiscreteLaplaceMechanism(scale, (reach * int(shift),))


def _gaussian(field: Field, reach: int) -> GaussianMechanism:
    noise = _positive(field("noise_multiplier"), "noise_multiplier")
    return GaussianMechanism.of_noise(noise, reach)


def _exponential(field: Field, _reach: int) -> BoundedRangeMechanism:
    """Its ε is the range between any neighbours."""
    return BoundedRangeMechanism(field("epsilon"))


def _discrete_gaussian(field: Field, _reach: int) -> DiscreteGaussianMechanism:
    reach, variance = _reach_and_variance(field)
    if field("dimension") != 1 and reach**2 >= _SQUARE_OF_TWO_COORDINATES:
        raise UnsupportedError(
            field="dimension",
            value="none, or above 1",
            expected="1 for a sensitivity of √2 or more, on a sample",
        )
    return DiscreteGaussianMechanism(variance, (int(reach),))


def _discrete_gaussian_or_rho(field: Field, count: int) -> Entry:
    """The noise in one dimension; in more, of which the shifts are not known, its ρ."""
    reach, variance = _reach_and_variance(field)
    if field("dimension") != 1 and reach**2 >= _SQUARE_OF_TWO_COORDINATES:
        return ConcentratedMechanism(reach**2 / (2 * variance), count)
    return _discrete_gaussian(field, 1).times(count)


def _reach_and_variance(field: Field) -> tuple[mpq, mpq]:
    reach = field("sensitivity")
    if reach < 1:
        raise DomainError(
            field="sensitivity",
            value=str(reach),
            expected="at least 1: whole numbers that move, move by 1",
        )
    return reach, _positive(field("sigma"), "sigma") ** 2


def _pair(field: Field, count: int) -> Entry:
    return Mechanism(field("epsilon"), field("delta"), count)


def _permute_and_flip(field: Field, count: int) -> Entry:
    return Mechanism(field("epsilon"), 0, count)


def _randomized_response(field: Field, count: int) -> Entry | None:
    noise, buckets = field("noise_parameter"), field("num_buckets")
    if buckets.denominator != 1 or buckets < 1 or not 0 <= noise <= 1:
        raise DomainError(
            field="noise_parameter",
            value=f"{noise} over {buckets} buckets",
            expected="a probability, over one bucket or more",
        )
    if buckets == 1:
        return None
    odds = 1 + buckets * (1 - noise) / _positive(noise, "noise_parameter")
    return Mechanism(ExactNumber.ln(odds), 0, count)


def _zcdp(field: Field, count: int) -> Entry:
    if xi := field("xi"):
        raise UnsupportedError(field="xi", value=str(xi), expected="0: only then ρ says it all")
    return ConcentratedMechanism(field("rho"), count)


def _positive(value: mpq, field: str) -> mpq:
    if value <= 0:
        raise DomainError(
            field=field, value=str(value), expected="a number above 0: without noise, no privacy"
        )
    return value


LEAVES: Final[Mapping[str, Callable[[Field, int], Entry | None]]] = {
    DISCRETE: _discrete_gaussian_or_rho,
    "EpsilonDeltaDpEvent": _pair,
    "PermuteAndFlipDpEvent": _permute_and_flip,
    RESPONSE: _randomized_response,
    "ZCDpEvent": _zcdp,
}
BASES: Final[Mapping[str, Callable[[Field, int], Sampleable]]] = {
    "GaussianDpEvent": _gaussian,
    "LaplaceDpEvent": _laplace,
    "DiscreteLaplaceDpEvent": _discrete_laplace,
    DISCRETE: _discrete_gaussian,
    "ExponentialMechanismDpEvent": _exponential,
}
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "ComposedDpEvent": ("events",),
    "SelfComposedDpEvent": ("event", "count"),
    SAMPLED: ("sampling_probability", "event"),
    SELECTED: ("event", "mean", "shape"),
    FIXED_SIZE: ("source_dataset_size", "sample_size", "event"),
    TREES: ("noise_multiplier", "step_counts"),
    ALLOCATED: ("event", "num_selected", "num_steps"),
    MIXTURE: ("standard_deviation", "sensitivities", "sampling_probs"),
    "NoOpDpEvent": (),
    "GaussianDpEvent": ("noise_multiplier",),
    "LaplaceDpEvent": ("noise_multiplier",),
    "DiscreteLaplaceDpEvent": ("noise_parameter", "sensitivity"),
    DISCRETE: ("sigma", "sensitivity", "dimension"),
    "ExponentialMechanismDpEvent": ("epsilon",),
    "PermuteAndFlipDpEvent": ("epsilon",),
    "EpsilonDeltaDpEvent": ("epsilon", "delta"),
    RESPONSE: ("noise_parameter", "num_buckets"),
    "ZCDpEvent": ("rho", "xi"),
}
"""The fields of each event that is read."""
UNFIT: Final[Mapping[tuple[str, str], str]] = {
    (RESPONSE, "add-remove-one"): "replace-one: it answers for a record that is there",
    (RESPONSE, ZERO_OUT): "replace-one: no ledger holds what a special record answers",
    (DISCRETE, "replace-one"): "add-remove-one: it bounds a sensitivity, and not what one record "
    "contributes",
    (MIXTURE, "replace-one"): "add-remove-one: it moves a sum by what a person adds to it",
    (ALLOCATED, "replace-one"): "add-remove-one: an example is in one batch, or in none",
    (FIXED_SIZE, "add-remove-one"): "replace-one: a batch of a fixed size has one record for "
    "another",
}
"""Of which neighbours an event says nothing that a ledger can hold, and of which it does."""
