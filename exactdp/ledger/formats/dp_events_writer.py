r"""dp-accounting's events: writer of trees of ``DpEvent`` as named tuples in JSON.

Rules of this file: what is written leaks no less than the ledger says; what has no event is refused
by its name.

Theory of operation: numbers are rounded to so many digits that doubles have, each to the side where
more leaks. Where records are replaced, noise is relative to half of what one moves a sum by, as the
events of an accountant that is asked about such neighbours have it. Several shifts are written as
as many events: coordinates have noise of their own. A pure mechanism of which only ε is known is
written as randomized response, its worst case. Events with a discrete Gaussian, an exponential
mechanism, and (ε, δ) are those of dp-accounting after 0.6.0.
"""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_above, round_below, scientific_text
from exactdp.arithmetic.enclosures import ball, ball_of_rational, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import UnsupportedError
from exactdp.ledger.formats.dp_events import DISCRETE, MODULE, REACHES, RESPONSE, SAMPLED
from exactdp.ledger.model import (
    ConcentratedMechanism,
    Entry,
    GaussianMechanism,
    Ledger,
    NoiseMechanism,
)
from exactdp.ledger.noise import (
    BoundedRangeMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    LaplaceMechanism,
    SampledMechanism,
)

_DIGITS: Final = 17
_BITS: Final = 128


def write(ledger: Ledger, relation: str = "") -> str:
    """The text of a ledger as events; a pure mechanism becomes its worst case.

    Args:
        ledger: what to write.
        relation: that of the accountant which is to read them; without it noise is relative to what
            neighbours differ by, whoever they are.

    Raises:
        UnsupportedError: a mechanism for which there is no event.

    >>> print(write(Ledger.of(["ln(3)"])), end="")
    {"module_name": "dp_accounting.dp_event", "class_name": "ComposedDpEvent", "events": [
     {"module_name": "dp_accounting.dp_event", "class_name": "RandomizedResponseDpEvent", \
"noise_parameter": 0.5, "num_buckets": 2}
    ]}
    """
    reach = REACHES.get(relation, 1)
    lines = [_line(entry, index, reach) for index, entry in enumerate(ledger.mechanisms)]
    inner = "\n" + ",\n".join(f" {line}" for line in lines) + "\n" if lines else ""
    return f'{{{_head("ComposedDpEvent")}, "events": [{inner}]}}\n'


def _head(name: str) -> str:
    return f'"module_name": "{MODULE}", "class_name": "{name}"'


def _line(entry: Entry, index: int, reach: int) -> str:
    try:
        event = f"{{{_fields(entry, reach)}}}"
    except UnsupportedError as error:
        raise error.located(f"mechanisms[{index}].{error.field}") from None
    if entry.count == 1:
        return event
    return f'{{{_head("SelfComposedDpEvent")}, "event": {event}, "count": {entry.count}}}'


def _fields(entry: Entry, reach: int) -> str:
    if isinstance(entry, NoiseMechanism):
        return _noise_fields(entry, reach)
    if isinstance(entry, ConcentratedMechanism):
        rho = scientific_text(round_above(entry.rho, _DIGITS))
        return f'{_head("ZCDpEvent")}, "rho": {rho}, "xi": 0.0'
    if isinstance(entry, GaussianMechanism):
        if not entry.mu:
            return _head("NoOpDpEvent")
        noise = scientific_text(round_below(reach / entry.mu, _DIGITS))
        return f'{_head("GaussianDpEvent")}, "noise_multiplier": {noise}'
    if entry.delta:
        epsilon = scientific_text(round_above(_upper_rational(entry.epsilon), _DIGITS))
        delta = scientific_text(min(mpq(1), round_above(entry.delta, _DIGITS)))
        return f'{_head("EpsilonDeltaDpEvent")}, "epsilon": {epsilon}, "delta": {delta}'
    noise = scientific_text(round_below(_noise(entry.epsilon), _DIGITS))
    return f'{_head(RESPONSE)}, "noise_parameter": {noise}, "num_buckets": 2'


def _noise_fields(entry: NoiseMechanism, reach: int) -> str:
    """The event of a mechanism by its noise: what is rounded leaks more."""
    match entry:
        case SampledMechanism(base=GaussianMechanism() | NoiseMechanism() as base, rate=rate):
            if reach != 1 and entry.clip is None:
                raise _without_event("rate", str(rate), "a record that is replaced")
            probability = scientific_text(min(mpq(1), round_above(rate, _DIGITS)))
            inner = f'"sampling_probability": {probability}, "event": {{{_fields(base, 1)}}}'
            return f"{_head(SAMPLED)}, {inner}"
        case LaplaceMechanism(scale=scale, sensitivity=sensitivity):
            noise = scientific_text(round_below(reach * scale / sensitivity, _DIGITS))
            return f'{_head("LaplaceDpEvent")}, "noise_multiplier": {noise}'
        case BoundedRangeMechanism(epsilon=size):
            epsilon = scientific_text(round_above(size, _DIGITS))
            return f'{_head("ExponentialMechanismDpEvent")}, "epsilon": {epsilon}'
        case DiscreteLaplaceMechanism(shifts=shifts) | DiscreteGaussianMechanism(shifts=shifts):
            parts = [_of_shift(entry, shift, reach) for shift in shifts]
            if len(parts) == 1:
                return parts[0]
            listed = ", ".join(f"{{{part}}}" for part in parts)
            return f'{_head("ComposedDpEvent")}, "events": [{listed}]'
    family = next(iter(entry.shape()))
    raise _without_event(family, entry.label or family)


def _without_event(field: str, value: str, where: str = "") -> UnsupportedError:
    between = f", between neighbours that differ by {where}" if where else ""
    return UnsupportedError(
        field=field,
        value=value,
        expected=f"a mechanism that dp-accounting has an event for{between}",
    )


def _of_shift(
    entry: DiscreteLaplaceMechanism | DiscreteGaussianMechanism, shift: int, reach: int
) -> str:
    """The event of one coordinate; where one is replaced, a shift is twice a whole number."""
    if isinstance(entry, DiscreteLaplaceMechanism) and not shift % reach:
        noise = scientific_text(round_above(1 / entry.scale, _DIGITS))
        fields = f'"noise_parameter": {noise}, "sensitivity": {shift // reach}'
        return f"{_head('DiscreteLaplaceDpEvent')}, {fields}"
    if isinstance(entry, DiscreteLaplaceMechanism) or reach != 1:
        raise _without_event("shifts", str(shift), "a record that is replaced")
    sigma = scientific_text(round_below(_root_below(entry.variance), _DIGITS))
    return f'{_head(DISCRETE)}, "sigma": {sigma}, "sensitivity": {shift}.0, "dimension": 1'


def _root_below(value: mpq) -> mpq:
    with precision(_BITS):
        return lower_end(ball_of_rational(value).sqrt())


def _upper_rational(number: ExactNumber) -> mpq:
    """The number, or a rational above it and next to it."""
    if number.is_rational:
        return number.rational
    with precision(_BITS):
        return upper_end(ball(number))


def _noise(epsilon: ExactNumber) -> mpq:
    """2/(1 + e^ε), or a rational below it and next to it."""
    odds = epsilon.rational_odds()
    if odds is not None:
        return 2 / (1 + odds)
    with precision(_BITS):
        return lower_end(2 / (1 + ball(epsilon).exp()))
