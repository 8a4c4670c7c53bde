r"""dp-accounting's events: reader and writer of trees of ``DpEvent`` as named tuples in JSON.

Purpose: ``event.to_named_tuple()`` says of each event its module, its class and its fields. Read is
what ``json`` makes of ``_asdict()``, recursively: objects with ``module_name``, ``class_name`` and
the fields.

Rules of this file: an event becomes a mechanism only where (ε, δ), ρ or μ say no less about it than
a ledger must know; any other is refused by its name and its place in the tree, never dropped. What
is written leaks no less than the ledger says.

Theory of operation: with noise of multiplier s, Laplace is 1/s-DP and Gaussian is 1/s-GDP; discrete
Laplace with parameter a and sensitivity s is as-DP; randomized response over k buckets that
answers at random with probability p has odds 1 + k(1-p)/p; a ``ZCDpEvent`` with ξ = 0 is ρ-zCDP.
Laplace and Gaussian events are about adding or removing one record, randomized response about
replacing one. A sampled event is one Gaussian, Laplace or discrete Laplace mechanism on a Poisson
sample; one that is sampled at probability 1 is not sampled.

Sources: dp-accounting 0.6.0, ``dp_event.py``; for randomized response, Wang, Wu, Hu, "Using
randomized response for differential privacy preserving data collection", EDBT/ICDT workshops 2016.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_above, round_below, scientific_text
from exactdp.arithmetic.enclosures import ball, lower_end, precision
from exactdp.arithmetic.numbers import ExactNumber, as_rational
from exactdp.errors import DomainError, InputError, UnsupportedError
from exactdp.ledger.checks import MAX_COUNT
from exactdp.ledger.formats.fields import count_of
from exactdp.ledger.formats.strict_json import Document, json_path, parse
from exactdp.ledger.model import (
    ConcentratedMechanism,
    Entry,
    GaussianMechanism,
    Ledger,
    Mechanism,
    NoiseMechanism,
)
from exactdp.ledger.noise import (
    DiscreteLaplaceMechanism,
    LaplaceMechanism,
    SampledBase,
    SampledMechanism,
)

MODULE: Final = "dp_accounting.dp_event"
_REPLACED: Final = "RandomizedResponseDpEvent"
_SAMPLED: Final = "PoissonSampledDpEvent"
_BEGIN: Final = 200
_DIGITS: Final = 17
_BITS: Final = 128
_COVERED: Final = "an event that a ledger can hold"

Keys = list[str | int]


def recognises(tree: object) -> bool:
    """Whether a JSON tree is an event."""
    return isinstance(tree, dict) and "class_name" in tree


def recognises_begin(data: bytes) -> bool:
    """Whether the bytes begin as an event does."""
    return data.startswith(b"{") and b'"class_name"' in data[:_BEGIN]


def read(data: bytes) -> Ledger:
    """Read a tree of events.

    Raises:
        InputError: not JSON, or no event; the path is that of the tree.
        UnsupportedError: an event that no ledger can express.

    >>> event = b'{"module_name": "", "class_name": "LaplaceDpEvent", "noise_multiplier": 10.0}'
    >>> print(read(event).approximate()[0].epsilon)
    1/10
    """
    document = parse(data)
    reader = _Reader(document)
    reader.read(document.tree, [], 1)
    return Ledger(tuple(reader.entries), neighbouring=_neighbouring(reader.names))


def _neighbouring(names: set[str]) -> str:
    """What the events are about; randomized response is about replacing a record."""
    if not names or (_REPLACED in names and len(names) > 1) or names == {"ZCDpEvent"}:
        return "unspecified"
    return "replace-one" if _REPLACED in names else "add-remove-one"


def plain_tree(data: bytes) -> Any:  # noqa: ANN401 (a JSON tree)
    """The tree for dp-accounting itself, its numbers in doubles."""
    return json.loads(data)


def attains_its_parameters(tree: Mapping[str, Any]) -> bool:
    """Whether the ledger of a tree says all of it: the worst of its ε, or the noise itself.

    Randomized response is about replacing a record, and beside other events says less than its ε.
    """
    kinds = set(_kinds(tree)) - {"NoOpDpEvent"}
    return "" not in kinds and (len(kinds) < 2 or _REPLACED not in kinds)


def _kinds(tree: Mapping[str, Any]) -> Iterator[str]:
    """The names of the events that a ledger says all of; empty for any other."""
    name = tree["class_name"]
    if name in ("ComposedDpEvent", "SelfComposedDpEvent"):
        for each in tree.get("events", [tree.get("event")]):
            yield from _kinds(each)
    elif name == _REPLACED:
        yield name if tree.get("num_buckets") == 2 else ""
    elif name == _SAMPLED:
        yield name if recognises(tree["event"]) and tree["event"]["class_name"] in _BASES else ""
    else:
        yield name if name in ("GaussianDpEvent", "NoOpDpEvent") else ""


class _Reader:
    """The mechanisms found so far, in the order of the tree."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.entries: list[Entry] = []
        self.names: set[str] = set()

    def read(self, tree: Any, keys: Keys, count: int) -> None:  # noqa: ANN401 (a JSON tree)
        """Add what an event holds, ``count`` times."""
        if not recognises(tree):
            raise InputError(
                field="event",
                value=self.document.shown(tree),
                path=json_path(keys),
                expected="an object with module_name, class_name and the fields of an event",
            )
        name = str(tree["class_name"])
        if count > MAX_COUNT:
            raise DomainError(
                field="count", value=str(count), path=json_path(keys), expected="at most 10^18"
            )
        if name == "ComposedDpEvent":
            for index, event in enumerate(self._list(tree, "events", keys)):
                self.read(event, [*keys, "events", index], count)
        elif name == "SelfComposedDpEvent":
            times = count_of(self._text(tree, "count", keys))
            self.read(tree.get("event"), [*keys, "event"], count * times)
        elif name == _SAMPLED:
            self._sampled(tree, keys, count)
        elif name != "NoOpDpEvent":
            self._leaf(name, tree, keys, count)

    def _sampled(self, tree: Mapping[str, Any], keys: Keys, count: int) -> None:
        """Add a mechanism on a Poisson sample; nobody takes part with probability 0."""
        rate = self._number(tree, "sampling_probability", keys)
        inner: Any = tree.get("event")
        place = [*keys, "event"]
        if rate == 1 or (recognises(inner) and inner["class_name"] == "NoOpDpEvent"):
            self.read(inner, place, count)
            return
        name = str(inner["class_name"]) if recognises(inner) else self.document.shown(inner)
        if name not in _BASES:
            raise UnsupportedError(
                field="class_name",
                value=f"{name} on a sample",
                path=json_path(place),
                expected=f"{' or '.join(_BASES)}, sampled",
            )
        self.names |= {name, _SAMPLED}
        try:
            base = _BASES[name](lambda field: self._number(inner, field, place))
            if rate:
                self.entries.append(SampledMechanism(base, rate, count))
        except InputError as error:
            raise (error if error.path else error.located(json_path(keys))) from None

    def _leaf(self, name: str, tree: Mapping[str, Any], keys: Keys, count: int) -> None:
        make = _LEAVES.get(name)
        if make is None:
            raise UnsupportedError(
                field="class_name",
                value=name,
                path=json_path(keys),
                expected=_COVERED,
                remedy=_REASONS.get(name, ""),
            )
        try:
            entry = make(lambda field: self._number(tree, field, keys), count)
        except InputError as error:
            raise (error if error.path else error.located(json_path(keys))) from None
        self.names.add(name)
        if entry is not None:
            self.entries.append(entry)

    def _list(self, tree: Mapping[str, Any], field: str, keys: Keys) -> list[Any]:
        value = tree.get(field)
        if not isinstance(value, list):
            raise self._missing(field, value, keys, "a list of events")
        return value

    def _text(self, tree: Mapping[str, Any], field: str, keys: Keys) -> str:
        value = tree.get(field, _DEFAULTS.get(field))
        if value is None or isinstance(value, bool | dict | list):
            raise self._missing(field, value, keys, "a number")
        return self.document.text_of(value)

    def _number(self, tree: Mapping[str, Any], field: str, keys: Keys) -> mpq:
        try:
            return as_rational(self._text(tree, field, keys), field)
        except InputError as error:
            raise error.located(json_path([*keys, field])) from None

    def _missing(self, field: str, value: object, keys: Keys, expected: str) -> InputError:
        shown = "nothing" if value is None else self.document.shown(value)
        return InputError(
            field=field, value=shown, path=json_path([*keys, field]), expected=expected
        )


_Field = Callable[[str], mpq]


def _laplace(field: _Field, count: int) -> Entry:
    return Mechanism(1 / _positive(field("noise_multiplier"), "noise_multiplier"), 0, count)


def _discrete_laplace(field: _Field, count: int) -> Entry:
    parameter = _positive(field("noise_parameter"), "noise_parameter")
    return Mechanism(parameter * field("sensitivity"), 0, count)


def _gaussian(field: _Field, count: int) -> Entry:
    return GaussianMechanism(1 / _positive(field("noise_multiplier"), "noise_multiplier"), count)


def _sampled_laplace(field: _Field) -> LaplaceMechanism:
    return LaplaceMechanism(_positive(field("noise_multiplier"), "noise_multiplier"))


def _sampled_discrete_laplace(field: _Field) -> DiscreteLaplaceMechanism:
    parameter, shift = field("noise_parameter"), field("sensitivity")
    if shift.denominator != 1:
        raise DomainError(field="sensitivity", value=str(shift), expected="a whole number")
    scale = 1 / _positive(parameter, "noise_parameter")
    return DiscreteLaplaceMechanism(scale, (int(shift),))


def _sampled_gaussian(field: _Field) -> GaussianMechanism:
    return GaussianMechanism.of_noise(field("noise_multiplier"), 1)


def _randomized_response(field: _Field, count: int) -> Entry | None:
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


def _zcdp(field: _Field, count: int) -> Entry:
    if xi := field("xi"):
        raise UnsupportedError(field="xi", value=str(xi), expected="0: only then ρ says it all")
    return ConcentratedMechanism(field("rho"), count)


def _positive(value: mpq, field: str) -> mpq:
    if value <= 0:
        raise DomainError(
            field=field, value=str(value), expected="a number above 0: without noise, no privacy"
        )
    return value


_LEAVES: Final[Mapping[str, Callable[[_Field, int], Entry | None]]] = {
    "LaplaceDpEvent": _laplace,
    "DiscreteLaplaceDpEvent": _discrete_laplace,
    "GaussianDpEvent": _gaussian,
    _REPLACED: _randomized_response,
    "ZCDpEvent": _zcdp,
}
_BASES: Final[Mapping[str, Callable[[_Field], SampledBase]]] = {
    "GaussianDpEvent": _sampled_gaussian,
    "LaplaceDpEvent": _sampled_laplace,
    "DiscreteLaplaceDpEvent": _sampled_discrete_laplace,
}
_DEFAULTS: Final[Mapping[str, str]] = {"xi": "0"}
_OTHER_SAMPLE: Final = "Poisson sampling alone is implemented, and other samples amplify less"
_REASONS: Final[Mapping[str, str]] = {
    "NonPrivateDpEvent": "it has no finite parameters",
    "SampledWithReplacementDpEvent": _OTHER_SAMPLE,
    "SampledWithoutReplacementDpEvent": _OTHER_SAMPLE,
    "TruncatedSubsampledGaussianDpEvent": "a batch that is cut off is another mechanism",
    "MixtureOfGaussiansDpEvent": "a random sensitivity is another mechanism",
    "RepeatAndSelectDpEvent": "private selection is another theorem",
    "SingleEpochTreeAggregationDpEvent": "trees of sums are not implemented",
}


def write(ledger: Ledger) -> str:
    """The text of a ledger as events; a pure mechanism becomes its worst case.

    Raises:
        UnsupportedError: a mechanism with δ > 0, for which there is no event.

    >>> print(write(Ledger.of(["ln(3)"])), end="")
    {"module_name": "dp_accounting.dp_event", "class_name": "ComposedDpEvent", "events": [
     {"module_name": "dp_accounting.dp_event", "class_name": "RandomizedResponseDpEvent", \
"noise_parameter": 0.5, "num_buckets": 2}
    ]}
    """
    lines = [_line(entry, index) for index, entry in enumerate(ledger.mechanisms)]
    inner = "\n" + ",\n".join(f" {line}" for line in lines) + "\n" if lines else ""
    return f'{{{_head("ComposedDpEvent")}, "events": [{inner}]}}\n'


def _head(name: str) -> str:
    return f'"module_name": "{MODULE}", "class_name": "{name}"'


def _line(entry: Entry, index: int) -> str:
    try:
        event = f"{{{_fields(entry)}}}"
    except UnsupportedError as error:
        raise error.located(f"mechanisms[{index}].{error.field}") from None
    if entry.count == 1:
        return event
    return f'{{{_head("SelfComposedDpEvent")}, "event": {event}, "count": {entry.count}}}'


def _fields(entry: Entry) -> str:
    if isinstance(entry, NoiseMechanism):
        return _noise_fields(entry)
    if isinstance(entry, ConcentratedMechanism):
        rho = scientific_text(round_above(entry.rho, _DIGITS))
        return f'{_head("ZCDpEvent")}, "rho": {rho}, "xi": 0.0'
    if isinstance(entry, GaussianMechanism):
        if not entry.mu:
            return _head("NoOpDpEvent")
        noise = scientific_text(round_below(1 / entry.mu, _DIGITS))
        return f'{_head("GaussianDpEvent")}, "noise_multiplier": {noise}'
    if entry.delta:
        raise UnsupportedError(
            field="delta",
            value=str(entry.delta),
            expected="a mechanism with δ = 0: dp-accounting has no event for another",
        )
    noise = scientific_text(round_below(_noise(entry.epsilon), _DIGITS))
    return f'{_head(_REPLACED)}, "noise_parameter": {noise}, "num_buckets": 2'


def _noise_fields(entry: NoiseMechanism) -> str:
    """The event of a mechanism by its noise: what is rounded leaks more."""
    match entry:
        case SampledMechanism(base=GaussianMechanism() | NoiseMechanism() as base, rate=rate):
            probability = scientific_text(min(mpq(1), round_above(rate, _DIGITS)))
            inner = f'"sampling_probability": {probability}, "event": {{{_fields(base)}}}'
            return f"{_head(_SAMPLED)}, {inner}"
        case LaplaceMechanism(scale=scale, sensitivity=sensitivity):
            noise = scientific_text(round_below(scale / sensitivity, _DIGITS))
            return f'{_head("LaplaceDpEvent")}, "noise_multiplier": {noise}'
        case DiscreteLaplaceMechanism(scale=scale, shifts=(shift,)):
            noise = scientific_text(round_above(1 / scale, _DIGITS))
            fields = f'"noise_parameter": {noise}, "sensitivity": {shift}'
            return f"{_head('DiscreteLaplaceDpEvent')}, {fields}"
    family = next(iter(entry.shape()))
    raise UnsupportedError(
        field=family,
        value=entry.label or family,
        expected="a mechanism that dp-accounting has an event for",
    )


def _noise(epsilon: ExactNumber) -> mpq:
    """2/(1 + e^ε), or a rational below it and next to it."""
    odds = epsilon.rational_odds()
    if odds is not None:
        return 2 / (1 + odds)
    with precision(_BITS):
        return lower_end(2 / (1 + ball(epsilon).exp()))
