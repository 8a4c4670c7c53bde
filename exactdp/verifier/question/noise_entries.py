r"""Mechanisms by their noise in a ledger file: each as a statement writes it, but for its count.

Rules of this file: shapes are checked, and no range: what is out of range stands in no statement
that could be read, and so is equal to none.

Sources: certs/SPEC.md, section 12.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cmp_to_key
from typing import Final

from ..arithmetic.signs import sign
from ..format.numbers import Number, canonical, parse, parse_integer, rational_text
from ..format.outcomes import MalformedError
from ..format.shapes import array, members, string
from ..format.strict_json import Json, Numeral
from ..rules.discrete_noise import ON_INTEGERS
from ..rules.entries import root
from ..rules.records_of_person import MOST_RECORDS
from .factorized_entries import factorized_entry

_PARTS: Final[Mapping[str, tuple[str, str]]] = {
    **{key: (family.amount, "shifts") for key, family in ON_INTEGERS.items()},
    "laplace": ("scale", "sensitivity"),
    "pair": ("p", "q"),
}
_SUMS: Final = (*ON_INTEGERS, "laplace")
FAMILIES: Final = (
    *("bounded_range", "constraints", "gaussian_rho", "mu", "mu_squared", "renyi", "selection"),
    *_PARTS,
)
"""The keys that name a family by themselves."""
OF_GAUSSIAN: Final = ("sigma", "variance")
"""Those of Gaussian noise with a sensitivity."""
_DEFAULTS: Final[Mapping[str, Json]] = {"sensitivity": "1", "shifts": ["1"]}
"""What may be left out."""
_BATCHES: Final[Mapping[str, tuple[str, ...]]] = {
    "allocated": ("epochs",),
    "fixed_size": (),
    "shuffled": ("batch", "epochs", "order", "records"),
}
"""How records come into batches, with what may be left out."""
_NEEDED: Final = {"fixed_size": ("batch", "records")}
"""What may not, where it is not the number of batches."""
_OF_RUNS: Final = {"negative_binomial": ("eta", "gamma"), "poisson": ("mean",)}
"""The parameters of how often something is run."""
_REPORTS: Final = "shuffled_reports"
_WHOLE_OF_REPORTS: Final = ("reports", "values")
_PERSON: Final = "records_per_person"
_MAX_INTEGER: Final = 10**20


def is_noise(value: Json) -> bool:
    """Whether a ledger's mechanism is given by its noise, or by what it is compared with."""
    known = ("clip", "factorization", "rate", _REPORTS, *OF_GAUSSIAN, *FAMILIES, *_BATCHES)
    return isinstance(value, dict) and not value.keys().isdisjoint(known)


def noise_entry(value: Json, *, replaced: bool = False) -> tuple[dict[str, Json], Json]:
    """What a statement says of a mechanism, and its count as it stands.

    A clip is a sensitivity, unless a record is ``replaced``.
    """
    listed = value if isinstance(value, dict) else {}
    if "factorization" in listed:
        return factorized_entry(value)
    if "selection" in listed:
        return _selected(listed, replaced=replaced)
    if _REPORTS in listed:
        return _reports(listed)
    if "clip" in listed or _PERSON in listed:
        return _clipped(listed, replaced=replaced) if "clip" in listed else _of_person(listed)
    for key in _BATCHES.keys() & listed.keys():
        return _in_batches(listed, key, _BATCHES[key])
    family = next((key for key in (*FAMILIES, "variance") if key in listed), "sigma")
    optional = ("count", "label", "rate", *(("sensitivity",) if family in OF_GAUSSIAN else ()))
    parts = members(value, (family,), "mechanism", optional)
    string(parts.get("label", ""), "label")
    shape = _shape(family, parts)
    rate = _number(parts.get("rate", "1"), "rate")
    if rate != "1" and shape != {"mu": "0"}:
        shape["rate"] = rate
    return shape, parts.get("count", "1")


def _of_person(value: Mapping[str, Json]) -> tuple[dict[str, Json], Json]:
    """Several records of a person: of one it is a sample, and where all are in it they add up."""
    records = parse_integer(plain_text(value[_PERSON], _PERSON), 1, MOST_RECORDS, _PERSON)
    one = {key: part for key, part in value.items() if key != _PERSON}
    shape, count = noise_entry(one)
    key = "mu_squared" if "mu_squared" in shape else "mu"
    if key not in shape or "rate" not in value:
        raise MalformedError(f"{_PERSON} beside what is no sampled Gaussian noise")
    if records != 1 and "rate" in shape:
        return {**shape, _PERSON: str(records)}, count
    size = _rational(shape[key], key) * records ** (2 if key == "mu_squared" else 1)
    return {**shape, key: rational_text(size)}, count


def _clipped(value: Mapping[str, Json], *, replaced: bool) -> tuple[dict[str, Json], Json]:
    """Noise on a sampled sum, by the most that one record moves it."""
    family = next((key for key in (*_SUMS, "variance") if key in value), "sigma")
    parts = members(dict(value), ("clip", family, "rate"), "mechanism", ("count", "label"))
    if family in OF_GAUSSIAN:
        noise = {family: parts[family]}
        moved: dict[str, Json] = {**noise, "sensitivity": parts["clip"]}
    else:
        (first, reach) = _PARTS[family]
        noise = members(parts[family], (first,), family)
        clip = [parts["clip"]] if reach == "shifts" else parts["clip"]
        moved = {family: {**noise, reach: clip}}
    if not replaced:
        others = {key: part for key, part in parts.items() if key not in ("clip", family)}
        return noise_entry({**others, **moved}, replaced=False)
    string(parts.get("label", ""), "label")
    shape: dict[str, Json] = {key: _number(parts[key], key) for key in ("clip", "rate")}
    if family == "variance":
        known = _by_root(_positive(parts[family], family), "sigma", family)
    else:
        known = {key: _number(part, key) for key, part in noise.items()}
    alone = family in OF_GAUSSIAN
    return {**shape, **(known if alone else {family: known})}, parts.get("count", "1")


def _selected(value: Json, *, replaced: bool) -> tuple[dict[str, Json], Json]:
    """What is run, as it would stand alone, and how often."""
    parts = members(value, ("selection",), "mechanism", ("count", "label"))
    string(parts.get("label", ""), "label")
    selection = members(parts["selection"], ("of", "repetitions"), "selection")
    of = selection["of"]
    if isinstance(of, dict) and "epsilon" in of:
        own = members(of, ("epsilon",), "of", ("count", "delta"))
        shape: dict[str, Json] = {
            "delta": _number(own.get("delta", "0"), "delta"),
            "epsilon": _number(own["epsilon"], "epsilon"),
        }
        count = own.get("count", "1")
    elif isinstance(of, dict) and "rho" in of:
        own = members(of, ("rho",), "of", ("count",))
        shape, count = {"rho": _number(own["rho"], "rho")}, own.get("count", "1")
    else:
        shape, count = noise_entry(of, replaced=replaced)
    inner: dict[str, Json] = {**shape, "count": _integer(count, "count")}
    laws = members(selection["repetitions"], (), "repetitions", (*_OF_RUNS,))
    runs: dict[str, Json] = {
        key: {name: _number(part, name) for name, part in members(law, _OF_RUNS[key], key).items()}
        for key, law in laws.items()
    }
    return {"selection": {"of": inner, "repetitions": runs}}, parts.get("count", "1")


def _in_batches(value: Json, key: str, further: Sequence[str]) -> tuple[dict[str, Json], Json]:
    """Records in batches; a sensitivity beside them can only be 1."""
    parts = members(value, (key, "sigma"), "mechanism", ("count", "label", "sensitivity"))
    string(parts.get("label", ""), "label")
    if _number(parts.get("sensitivity", "1"), "sensitivity") != "1":
        raise MalformedError(f"a sensitivity beside {key} is not 1")
    plan = members(parts[key], _NEEDED.get(key, ("batches",)), key, further)
    numbers = (name for name in plan if name != "order")
    shape: dict[str, Json] = {name: _integer(plan[name], name) for name in numbers}
    if further:
        shape.setdefault("epochs", "1")
    if "order" in further:
        shape["order"] = string(plan.get("order", "fresh"), "order")
    return {key: shape, "sigma": _number(parts["sigma"], "sigma")}, parts.get("count", "1")


def _reports(value: Mapping[str, Json]) -> tuple[dict[str, Json], Json]:
    """Shuffled reports, whose number of values may be left out."""
    parts = members(dict(value), (_REPORTS,), "mechanism", ("count", "label"))
    string(parts.get("label", ""), "label")
    plan = members(parts[_REPORTS], ("reports",), _REPORTS, ("local_epsilon", "odds", "values"))
    shape: dict[str, Json] = {
        name: _integer(part, name) if name in _WHOLE_OF_REPORTS else _number(part, name)
        for name, part in plan.items()
    }
    return {_REPORTS: shape}, parts.get("count", "1")


def _shape(family: str, parts: Mapping[str, Json]) -> dict[str, Json]:
    if family in ("gaussian_rho", "mu_squared", *OF_GAUSSIAN):
        return _by_root(_mu_squared(family, parts), "mu", "mu_squared")
    if family == "renyi":
        return {family: _orders(parts[family])}
    if family == "constraints":
        return {family: _constraints(parts[family])}
    if family not in _PARTS:
        return {family: _number(parts[family], family)}
    keys = _PARTS[family]
    required = keys if family == "pair" else keys[:1]
    inner = {**_DEFAULTS, **members(parts[family], required, family, keys[len(required) :])}
    return {family: {key: _READERS.get(key, _number)(inner[key], key) for key in keys}}


def _orders(value: Json) -> Json:
    """Pairs of an order and a divergence by rising order; their order in a file says nothing."""
    pairs = [array(each, "renyi") for each in array(value, "renyi")]
    numbers = [[parse(plain_text(each, "renyi")) for each in pair] for pair in pairs]
    numbers.sort(key=lambda pair: [number.rational for number in pair])
    return [[canonical(number) for number in pair] for pair in numbers]


def _constraints(value: Json) -> Json:
    """Pairs of an epsilon and a delta by rising epsilon; their order in a file says nothing."""
    pairs = [array(each, "constraint") for each in array(value, "constraints")]
    numbers = [[parse(plain_text(each, "constraint")) for each in pair] for pair in pairs]
    if not all(numbers):
        raise MalformedError("a constraint is empty")
    numbers.sort(key=cmp_to_key(_by_the_first))
    return [[canonical(number) for number in pair] for pair in numbers]


def _by_the_first(one: list[Number], other: list[Number]) -> int:
    return sign(one[0] - other[0])


def _number(value: Json, what: str) -> Json:
    return canonical(parse(plain_text(value, what)))


def _numbers(value: Json, what: str) -> Json:
    return [_number(each, what) for each in array(value, what)]


def _shifts(value: Json, what: str) -> Json:
    """Integers in their order, which says nothing in a file."""
    texts = [_integer(each, what) for each in array(value, what)]
    return [*sorted(texts, key=int)]


def _integer(value: Json, what: str) -> str:
    return str(parse_integer(plain_text(value, what), -_MAX_INTEGER, _MAX_INTEGER, what))


_READERS: Final = {"p": _numbers, "q": _numbers, "shifts": _shifts}


def _mu_squared(family: str, parts: Mapping[str, Json]) -> Fraction:
    """μ² of Gaussian noise: sensitivity²/sigma², sensitivity²/variance, or 2ρ."""
    if family not in OF_GAUSSIAN:
        return _rational(parts[family], family) * (2 if family == "gaussian_rho" else 1)
    sensitivity = _rational({**_DEFAULTS, **parts}["sensitivity"], "sensitivity")
    noise = _positive(parts[family], family)
    return sensitivity**2 / (noise**2 if family == "sigma" else noise)


def _by_root(square: Fraction, key: str, squared: str) -> dict[str, Json]:
    """A number by its root where that is rational, else by its square."""
    known = root(square)
    return {squared: rational_text(square)} if known is None else {key: rational_text(known)}


def _positive(value: Json, what: str) -> Fraction:
    number = _rational(value, what)
    if not number:
        raise MalformedError(f"a mechanism's {what} is not a rational in its range")
    return number


def _rational(value: Json, what: str) -> Fraction:
    number = parse(plain_text(value, what))
    if number.logs or number.rational < 0:
        raise MalformedError(f"a mechanism's {what} is not a rational in its range")
    return number.rational


def plain_text(value: Json, what: str) -> str:
    """The text of a number that may be a JSON number or a string."""
    return value.text if isinstance(value, Numeral) else string(value, what)
