r"""OpenDP's descriptions of a privacy filter, and of the measurements that it was asked.

Rules of this file: what a description does not say (a transformation's stability, the privacy map
of noise on a mesh of its own) is refused, never guessed, and so are a key that no description has
and an argument that the function has not.

Theory of operation: a chain of transformations moves neighbours further apart by the product of
their stabilities. A sum of whole numbers, of which nobody says how many there are, is as stable as
the greatest of them in absolute value, as its clamp bounds them: a record that is added or removed
changes the sum by no more. Sums of floats move further, by their rounding, and are refused. Noisy
max is the exponential mechanism under max divergence, and is bounded through it under zCDP; scores
that are not monotonic count twice.

Sources: OpenDP 0.14.2, ``serialize``, and the privacy maps of its transformations and measurements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number, as_rational
from exactdp.errors import InputError, UnsupportedError, shorten
from exactdp.ledger.formats.recorded import Record, RecordedSpend, ledger_of_record
from exactdp.ledger.formats.strict_json import Document, check_keys, nodes, parse

if TYPE_CHECKING:
    from exactdp.ledger.model import Ledger


def recognises(begin: bytes) -> bool:
    """Whether the bytes begin with a description."""
    return begin[:1] in (b"{", b"[") and b'"__function__"' in begin[:_BEGIN]


def read_opendp(data: bytes, distance: str | None) -> Record:
    """Read descriptions by ``serialize``, in an array or one a line; that of a filter comes first.

    Args:
        data: the bytes of the file.
        distance: the d_in of all measurements, where no filter is described.

    Raises:
        InputError: not such descriptions, or ones that say too little.
    """
    described = list(_descriptions(data))
    budget = None
    if distance is not None:
        _check_distance(distance, "--d-in", "")
    if described and described[0].function == "make_privacy_filter":
        first, *described = described
        budget = _budget(first)
        own = first.text("d_in")
        _check_distance(own, "d_in", first.place)
        if distance is not None and as_rational(distance, "--d-in") != as_rational(own, "d_in"):
            raise InputError(
                field="--d-in", value=distance, expected=f"{own}, the d_in of the filter"
            )
        distance = own
    return Record([_spend(each, distance) for each in described], budget)


def ledger_of_opendp(measurements: Any, d_in: Number | None = None) -> Ledger:  # noqa: ANN401 (OpenDP's)
    """The ledger of measurements of OpenDP, by their privacy maps at one distance of neighbours.

    Args:
        measurements: a measurement, or a list of some; a privacy filter in the first place states
            the distance and the budget. A text is taken for what ``opendp.mod.serialize`` gave.
        d_in: the distance of neighbours in the input metric, where no filter states it: 1 if they
            differ by one record that is added or removed.

    Raises:
        InputError: there is no distance, or a measurement of which too little is known.

    >>> response = '{"__function__": "make_randomized_response_bool", "__kwargs__": {"prob": 0.75}}'
    >>> print(ledger_of_opendp(response).mechanisms[0].epsilon)
    ln(3)
    """
    listed = measurements if isinstance(measurements, list | tuple) else [measurements]
    texts = [each if isinstance(each, str) else _serialized(each) for each in listed]
    distance = None if d_in is None else str(as_rational(d_in, "d_in"))
    return ledger_of_record(read_opendp("\n".join(texts).encode(), distance))


def _serialized(measurement: Any) -> str:  # noqa: ANN401 (OpenDP's)
    """What OpenDP says of an object of its own."""
    module = type(measurement).__module__
    if module.partition(".")[0] != "opendp":
        raise InputError(
            field="measurements",
            value=shorten(type(measurement).__name__),
            expected="measurements of OpenDP, such as dp.m.make_laplace(…)",
        )
    from opendp.mod import serialize  # noqa: PLC0415 (whose object it is)

    try:
        return str(serialize(measurement))
    except Exception as error:  # noqa: BLE001 (OpenDP raises no class of its own)
        raise InputError(
            field="measurements",
            value=shorten(str(error)),
            expected="a measurement that opendp.mod.serialize can describe",
            remedy=_BY_HAND,
        ) from None


def _check_distance(distance: str, field: str, place: str) -> None:
    """Refuse a distance of 0: neighbours that are the same person's data tell nothing apart."""
    if as_rational(distance, field) <= 0:
        raise InputError(
            field=field,
            value=distance,
            path=place,
            expected="a distance of neighbours, above 0",
            remedy="neighbours that differ by one record are at distance 1 or more",
        )


@dataclass(frozen=True, slots=True)
class _Description:
    """What OpenDP's ``serialize`` says of one object."""

    document: Document
    function: str
    arguments: Mapping[str, Any]
    place: str

    def text(self, key: str) -> str:
        """The number of an argument, as it stands in the file."""
        value = self.arguments.get(key)
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise InputError(
                field=key,
                value=self.document.shown(value),
                path=self.place,
                expected=f"a number among the arguments of {self.function}",
            )
        return self.document.text_of(value)


def _descriptions(data: bytes) -> Iterator[_Description]:
    if data.lstrip()[:1] == b"[":
        document = parse(data)
        for number, tree in enumerate(document.tree):
            _check_description(document, tree, [number])
            yield _description(document, tree, f"$[{number}]")
        return
    lines = data.strip().splitlines()
    if lines and lines[0].strip() == b"{":  # one object, printed over several lines
        lines = [data]
    for number, line in enumerate(lines, 1):
        if line.strip():
            document = parse(line)
            try:
                _check_description(document, document.tree, [])
            except InputError as error:
                raise error.located(f"line {number}, {error.path}") from None
            yield _description(document, document.tree, f"line {number}")


def _check_description(document: Document, tree: object, keys: list[str | int]) -> None:
    """Refuse what no description has, at whatever depth."""
    for more, value in nodes(tree):
        if isinstance(value, dict) and "__function__" in value:
            place, name = [*keys, *more], str(value["__function__"])
            check_keys(value, _KEYS, document, place, of="a description")
            arguments = value.get("__kwargs__")
            if name in _ARGUMENTS and isinstance(arguments, dict):
                known = _ARGUMENTS[name]
                check_keys(arguments, known, document, [*place, "__kwargs__"], of=name)


def _description(document: Document, tree: object, place: str) -> _Description:
    if (
        not isinstance(tree, dict)
        or not isinstance(tree.get("__function__"), str)
        or not isinstance(tree.get("__kwargs__"), dict)
    ):
        raise InputError(
            field="record",
            value=document.shown(tree),
            path=place,
            expected="what opendp.serialize gives: an object with __function__ and __kwargs__",
        )
    return _Description(document, tree["__function__"], tree["__kwargs__"], place)


def _budget(described: _Description) -> Mapping[str, str]:
    """The budget of a privacy filter: its odometer's measure, and d_out."""
    measure = _inner(_inner(described.arguments.get("odometer")).get("output_measure"))
    name = measure.get("function")
    approximate = name == "approximate"
    if approximate:
        name = _inner(measure.get("measure")).get("function")
    kind = {"max_divergence": "epsilon", "zero_concentrated_divergence": "rho"}.get(str(name))
    if kind is None:
        raise UnsupportedError(
            field="output_measure",
            value=str(name),
            path=described.place,
            expected="max_divergence or zero_concentrated_divergence, approximate or not",
            remedy="leave the filter's description out, and name its d_in and budget by options",
        )
    if not approximate:
        return {kind: described.text("d_out")}
    pair = described.arguments.get("d_out")
    both = pair.get("__tuple__") if isinstance(pair, dict) else None
    if not isinstance(both, list) or len(both) != 2:
        raise InputError(
            field="d_out",
            value=described.document.shown(pair),
            path=described.place,
            expected="two numbers, of an approximate measure",
        )
    size, delta = map(described.document.text_of, both)
    return {kind: size, "delta": delta}


def _inner(tree: object) -> dict[str, Any]:
    """The arguments of a nested description, and its name as ``function``."""
    if not isinstance(tree, dict):
        return {}
    arguments = tree.get("__kwargs__")
    return {
        **(arguments if isinstance(arguments, dict) else {}),
        "function": tree.get("__function__"),
    }


def _spend(described: _Description, distance: str | None) -> RecordedSpend:
    """A measurement, perhaps behind transformations that move no two inputs further apart."""
    described, stability = _behind_transformations(described, mpq(1))
    read = _MEASUREMENTS.get(described.function)
    measure = _measure_of(described)
    if read is None or measure not in read[0] or described.arguments.get("k") is not None:
        raise UnsupportedError(
            field="__function__",
            value=f"{described.function} under {measure}",
            path=described.place,
            expected="make_laplace or make_geometric under MaxDivergence, make_gaussian under "
            "ZeroConcentratedDivergence (without k), make_noisy_max, or "
            "make_randomized_response_bool",
            remedy=_BY_HAND,
        )
    if distance is None and described.function != "make_randomized_response_bool":
        raise InputError(
            field="d_in",
            value="nothing",
            path=described.place,
            expected="the distance of neighbours, as no filter is described that states it",
            remedy="add --d-in 1 if neighbours differ by one record that is added or removed (in "
            "Python exactdp.from_opendp(measurement, 1))",
        )
    moved = str(as_rational(distance or "1", "d_in") * stability)
    return RecordedSpend(read[1](described, moved), described.function, described.place)


def _measure_of(described: _Description) -> str:
    """The name of the measure that a measurement is under, in either way of naming it."""
    named = _inner(described.arguments.get("output_measure")).get("function")
    return _MEASURES.get(str(named), str(described.arguments.get("MO")))


def _behind_transformations(described: _Description, stability: mpq) -> tuple[_Description, mpq]:
    """The measurement of a chain, and how much further apart its transformations move inputs."""
    arguments: object = described.arguments
    if described.function != "make_chain_mt" or not isinstance(arguments, dict):
        return described, stability
    for parts in _transformations(arguments.get("transformation0")):
        own = _greatest_summand(described.document, parts)
        if own is None and parts.get("function") not in _STABLE:
            raise UnsupportedError(
                field="__function__",
                value=str(parts.get("function")),
                path=described.place,
                expected=f"a transformation that is 1-stable: {', '.join(_STABLE)}; or make_sum of "
                "whole numbers that are clamped, and of which size is null",
                remedy=_BY_HAND,
            )
        stability *= mpq(1) if own is None else own
    inner = _description(described.document, arguments.get("measurement1"), described.place)
    return _behind_transformations(inner, stability)


def _transformations(tree: object) -> Iterator[Mapping[str, Any]]:
    """The transformations of a chain, each by its arguments and its name."""
    parts = _inner(tree)
    if parts.get("function") != "make_chain_tt":
        yield parts
        return
    for key in ("transformation0", "transformation1"):
        yield from _transformations(parts.get(key))


def _greatest_summand(document: Document, parts: Mapping[str, Any]) -> mpq | None:
    """The greatest absolute value of what is summed; None of anything but such a sum."""
    clamp = _inner(_inner(parts.get("input_domain")).get("this"))
    if parts.get("function") != "make_sum" or clamp.get("function") != "make_clamp":
        return None
    domain, bounds = _inner(clamp.get("input_domain")), clamp.get("bounds")
    ends = bounds.get("__tuple__") if isinstance(bounds, dict) else None
    atom, metric = _inner(domain.get("atom_domain")), _inner(clamp.get("input_metric"))
    if (
        domain.get("function") != "vector_domain"
        or domain.get("size") is not None
        or atom.get("T") not in _WHOLE_NUMBERS
        or metric.get("function") not in _UNORDERED
        or not isinstance(ends, list)
        or len(ends) != 2
    ):
        return None
    return max(abs(as_rational(document.text_of(each), "bounds")) for each in ends)


def _noisy_max(described: _Description, distance: str) -> Mapping[str, object]:
    """Its range is that of an exponential mechanism, of which ρ is an eighth of the square."""
    scale = as_rational(described.text("scale"), "scale")
    metric = _inner(described.arguments.get("input_metric"))
    if scale <= 0 or metric.get("function") != "linf_distance":
        raise InputError(
            field="make_noisy_max",
            value=f"scale {scale} and {metric.get('function')}",
            path=described.place,
            expected="a scale above 0, and linf_distance",
        )
    reach = as_rational(distance, "d_in") * (1 if metric.get("monotonic") is True else 2) / scale
    pure = _measure_of(described) == "MaxDivergence"
    return {"epsilon": str(reach)} if pure else {"rho": reach**2 / 8}


def _laplace(described: _Description, distance: str) -> Mapping[str, object]:
    return {"laplace": {"scale": described.text("scale"), "sensitivity": distance}}


def _gaussian(described: _Description, distance: str) -> Mapping[str, object]:
    """OpenDP's noise is discrete, so that it has a ρ and no μ."""
    scale = as_rational(described.text("scale"), "scale")
    if scale <= 0:
        raise InputError(
            field="scale", value=str(scale), path=described.place, expected="a number above 0"
        )
    return {"rho": (as_rational(distance, "d_in") / scale) ** 2 / 2}


def _response(described: _Description, _distance: str) -> Mapping[str, object]:
    truth = as_rational(described.text("prob"), "prob")
    if not 0 < truth < 1:
        raise InputError(
            field="prob", value=str(truth), path=described.place, expected="between 0 and 1"
        )
    odds = max(truth, 1 - truth) / min(truth, 1 - truth)
    return {"epsilon": f"ln({odds})"}


_BEGIN: Final = 100
_KEYS: Final = ("__function__", "__module__", "__kwargs__", "__version__")
_SPACE: Final = ("input_domain", "input_metric")
_ARGUMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "make_privacy_filter": ("odometer", "d_in", "d_out"),
    "make_fully_adaptive_composition": (*_SPACE, "output_measure"),
    "approximate": ("measure",),
    "max_divergence": (),
    "zero_concentrated_divergence": (),
    "make_laplace": (*_SPACE, "scale", "k", "MO"),
    "make_gaussian": (*_SPACE, "scale", "k", "MO"),
    "make_geometric": (*_SPACE, "scale", "bounds", "MO"),
    "make_randomized_response_bool": ("prob", "constant_time", "MO"),
    "make_chain_mt": ("measurement1", "transformation0"),
    "make_chain_tt": ("transformation1", "transformation0"),
    "make_noisy_max": (*_SPACE, "output_measure", "scale", "negate"),
    "linf_distance": ("monotonic", "T"),
    "make_sum": _SPACE,
    "vector_domain": ("atom_domain", "size"),
    "atom_domain": ("bounds", "nan", "T"),
    "make_count": (*_SPACE, "TO"),
    "make_count_distinct": (*_SPACE, "TO"),
    "make_clamp": (*_SPACE, "bounds"),
    "make_identity": ("domain", "metric"),
}
"""The arguments of the functions that are read; any other function is refused by its name."""
_BY_HAND: Final = "write what map(d_in) says into a CSV with columns label,epsilon,delta or rho"
_STABLE: Final = ("make_count", "make_count_distinct", "make_clamp", "make_identity")
_MEASURES: Final = {
    "max_divergence": "MaxDivergence",
    "zero_concentrated_divergence": "ZeroConcentratedDivergence",
}
_WHOLE_NUMBERS: Final = tuple(f"{sign}{bits}" for sign in "iu" for bits in (8, 16, 32, 64, 128))
_UNORDERED: Final = ("symmetric_distance", "insert_delete_distance")
_Measurement = tuple[tuple[str, ...], Callable[[_Description, str], Mapping[str, object]]]
_MEASUREMENTS: Final[Mapping[str, _Measurement]] = {
    "make_laplace": (("MaxDivergence",), _laplace),
    "make_geometric": (("MaxDivergence", "None"), _laplace),
    "make_gaussian": (("ZeroConcentratedDivergence",), _gaussian),
    "make_noisy_max": (("MaxDivergence", "ZeroConcentratedDivergence"), _noisy_max),
    "make_randomized_response_bool": (("MaxDivergence", "None"), _response),
}
