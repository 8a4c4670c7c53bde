r"""dp-accounting's events: writer of trees of ``DpEvent`` as named tuples in JSON.

Rules of this file: what is written leaks no less than the ledger says; what has no event is refused
by its name.

Theory of operation: numbers are rounded to so many digits that doubles have, each to the side where
more leaks. Where records are replaced, noise is relative to half of what one moves a sum by, as the
events of an accountant that is asked about such neighbours have it. Several shifts are written as
as many events: coordinates have noise of their own. A pure mechanism of which only ε is known is
written as randomized response, its worst case, and a discrete Gaussian as its ρ. Only classes of
dp-accounting 0.6.0 are written, so that whoever has the released package can read them: later ones,
such as that of (ε, δ), are read alone.
"""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    round_above,
    round_below,
    scientific_text,
    short_text,
)
from exactdp.arithmetic.enclosures import ball, lower_end, precision
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import UnsupportedError
from exactdp.ledger.formats.dp_events import MODULE, REACHES
from exactdp.ledger.formats.event_mechanisms import RESPONSE, SAMPLED
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    ConcentratedMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    Family,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
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
    if isinstance(entry, ConcentratedMechanism):
        return _of_rho(entry.rho)
    if isinstance(entry, GaussianMechanism):
        if not entry.mu_squared:
            return _head("NoOpDpEvent")
        noise = scientific_text(round_below(reach * entry.event()["sigma"], _DIGITS))
        return f'{_head("GaussianDpEvent")}, "noise_multiplier": {noise}'
    if not isinstance(entry, Mechanism):
        return _noise_fields(entry, reach)
    if entry.delta:
        raise _without_event("delta", short_text(entry.delta), "0: a mechanism")
    noise = scientific_text(round_below(_noise(entry.epsilon), _DIGITS))
    return f'{_head(RESPONSE)}, "noise_parameter": {noise}, "num_buckets": 2'


def _noise_fields(entry: Family, reach: int) -> str:
    """The event of a mechanism by its noise: what is rounded leaks more."""
    match entry:
        case SampledMechanism(
            base=GaussianMechanism() | LaplaceMechanism() | DiscreteLaplaceMechanism() as base,
            rate=rate,
        ):
            if reach != 1 and entry.clip is None:
                raise _without_event("rate", str(rate), _REPLACED)
            probability = scientific_text(min(mpq(1), round_above(rate, _DIGITS)))
            inner = f'"sampling_probability": {probability}, "event": {{{_fields(base, 1)}}}'
            return f"{_head(SAMPLED)}, {inner}"
        case LaplaceMechanism(scale=scale, sensitivity=sensitivity):
            noise = scientific_text(round_below(reach * scale / sensitivity, _DIGITS))
            return f'{_head("LaplaceDpEvent")}, "noise_multiplier": {noise}'
        case DiscreteGaussianMechanism(variance=variance, shifts=shifts):
            return _of_rho(sum(mpq(shift) ** 2 for shift in shifts) / (2 * variance))
        case DiscreteLaplaceMechanism(scale=scale, shifts=shifts):
            parts = [_of_shift(scale, shift, reach) for shift in shifts]
            if len(parts) == 1:
                return parts[0]
            listed = ", ".join(f"{{{part}}}" for part in parts)
            return f'{_head("ComposedDpEvent")}, "events": [{listed}]'
        case _:
            family = next(iter(entry.shape()))
            raise _without_event(family, entry.label or family, "a mechanism")


def _without_event(field: str, value: str, expected: str) -> UnsupportedError:
    return UnsupportedError(
        field=field,
        value=value,
        expected=f"{expected} that dp-accounting has an event for, in version 0.6.0",
        remedy="keep such mechanisms in a ledger of their own, or write this one with --to json",
    )


def _of_rho(rho: mpq) -> str:
    return f'{_head("ZCDpEvent")}, "rho": {scientific_text(round_above(rho, _DIGITS))}, "xi": 0.0'


_REPLACED: Final = "a mechanism between neighbours that differ by a replaced record,"


def _of_shift(scale: mpq, shift: int, reach: int) -> str:
    """The event of one coordinate; where a record is replaced, a shift is twice a whole number."""
    if shift % reach:
        raise _without_event("shifts", str(shift), _REPLACED)
    noise = scientific_text(round_above(1 / scale, _DIGITS))
    fields = f'"noise_parameter": {noise}, "sensitivity": {shift // reach}'
    return f"{_head('DiscreteLaplaceDpEvent')}, {fields}"


def _noise(epsilon: ExactNumber) -> mpq:
    """2/(1 + e^ε), or a rational below it and next to it."""
    odds = epsilon.rational_odds()
    if odds is not None:
        return 2 / (1 + odds)
    with precision(_BITS):
        return lower_end(2 / (1 + ball(epsilon).exp()))
