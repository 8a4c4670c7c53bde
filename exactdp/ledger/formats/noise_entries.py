r"""Mechanisms by their noise: from the keys of an object, or from flat cells, and back.

Rules of this file: JSON nests a family's parameters, as ``exactdp-ledger/1`` has it; CSV and the
option ``-m`` name the family by its first parameter and put the others beside it, in any order.
Flat cells become the object that JSON would have, and one function makes a mechanism of that: a
parameter that is left out is what :data:`DEFAULTS` says, wherever it is left out. A ``pair`` and
``renyi`` are tables of their own, and stand in JSON alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from exactdp.errors import InputError, UnsupportedError, shorten
from exactdp.ledger.formats.fields import count_cure
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    PairMechanism,
    RenyiMechanism,
    Sampleable,
    ShuffledGaussianMechanism,
    sampled,
)
from exactdp.mechanisms.checks import positive

if TYPE_CHECKING:
    from exactdp.ledger.formats.fields import Texts
    from exactdp.mechanisms import Entry, EntryShape, Family

FAMILIES: Final = (
    "laplace",
    "discrete_laplace",
    "discrete_gaussian",
    "bounded_range",
    "pair",
    "renyi",
)
"""The keys that name a family by themselves; ``sigma`` and ``mu`` need ``rate`` or ``shuffled``."""

BESIDE: Final[Mapping[str, tuple[str, ...]]] = {
    "laplace": ("sensitivity", "clip", "rate"),
    "discrete_laplace": ("shifts", "clip", "rate"),
    "discrete_gaussian": ("shifts", "clip", "rate"),
    "bounded_range": ("rate",),
    "sigma": ("sensitivity", "clip", "rate", "batches", "epochs", "order"),
    "mu": ("rate",),
    "rho": (),
}
"""Of flat cells, which may stand beside the one that names the family."""
FIRST: Final[Mapping[str, str]] = {
    "laplace": "scale",
    "discrete_laplace": "scale",
    "discrete_gaussian": "variance",
}
"""What JSON calls the parameter that names the family in flat cells, where it nests it."""
DEFAULTS: Final[Mapping[str, Any]] = {
    "delta": "0",
    "sensitivity": "1",
    "shifts": ["1"],
    "rate": "1",
    "epochs": "1",
    "order": "fresh",
    "count": 1,
}
"""What a parameter is where it is left out: of every family, and in every reader."""
FLAT: Final = tuple(dict.fromkeys(key for keys in BESIDE.values() for key in keys))

_WHOLE: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,19})")
_SAMPLED_ALONE: Final = (
    "a rate beside mu, sigma, laplace, discrete_laplace, discrete_gaussian, bounded_range or pair: "
    "amplification by sampling is not known of others"
)


def is_noise(entry: Mapping[str, Any]) -> bool:
    """Whether the keys are those of a family, and not of (ε, δ), ρ or a plain Gaussian."""
    return any(key in entry for key in (*FAMILIES, "clip", "rate", "shuffled"))


# --- JSON ---------------------------------------------------------------------------------------


def noise_of(
    entry: Mapping[str, Any], text_of: Callable[[object], str], count: int, label: str
) -> Entry:
    """The mechanism of a JSON object whose shape the schema has checked.

    Raises:
        InputError: a value out of range, or a rate beside what cannot be sampled.
    """
    for notion in ("shuffled", "renyi"):
        if notion in entry and "rate" in entry:
            raise _not_sampled(text_of(entry["rate"]), notion)
    if "shuffled" in entry:
        plan = entry["shuffled"]
        if text_of(entry.get("sensitivity", "1")) != "1":
            raise InputError(
                field="sensitivity",
                value=text_of(entry["sensitivity"]),
                expected="1: divide sigma by the sensitivity",
            )
        batches, epochs = (
            _integer(text_of(_part(plan, key)), key) for key in ("batches", "epochs")
        )
        sigma, order = text_of(entry["sigma"]), _part(plan, "order")
        return ShuffledGaussianMechanism(sigma, batches, epochs, order, count, label)
    if "renyi" in entry:
        orders = [[text_of(number) for number in pair] for pair in entry["renyi"]]
        return RenyiMechanism(orders, count, label)
    if "clip" not in entry:
        return sampled(_base_of(entry, text_of), text_of(_part(entry, "rate")), count, label)
    removal, clip = removal_of(entry, text_of), text_of(entry["clip"])
    positive(clip, "clip")
    try:
        base = _base_of(removal, text_of)
    except InputError as error:
        raise _about_the_clip(error) from None
    return sampled(base, text_of(entry["rate"]), count, label, clip)


def _part(entry: Mapping[str, Any], key: str) -> Any:  # noqa: ANN401 (a JSON value)
    """The value of a key, or what it is where it is left out."""
    return entry[key] if key in entry else DEFAULTS[key]


def gaussian_of(
    entry: Mapping[str, Any], text_of: Callable[[object], str], count: int = 1, label: str = ""
) -> GaussianMechanism:
    """The Gaussian mechanism of a JSON object with sigma."""
    sensitivity = text_of(_part(entry, "sensitivity"))
    return GaussianMechanism.of_noise(text_of(entry["sigma"]), sensitivity, count, label)


_SUMS: Final[Mapping[str, str]] = {
    "sigma": "sensitivity",
    "laplace": "sensitivity",
    "discrete_laplace": "shifts",
    "discrete_gaussian": "shifts",
}
"""Noise on a sum, with what may stand in the place of a clip."""


def removal_of(
    entry: Mapping[str, Any], text_of: Callable[[object], str] = str
) -> Mapping[str, Any]:
    """The entry with what a removal moves the sum by in the place of its clip.

    Raises:
        InputError: a clip does not belong there.

    >>> removal_of({"laplace": {"scale": "2"}, "clip": "3", "rate": "1/10"})
    {'laplace': {'scale': '2', 'sensitivity': '3'}, 'rate': '1/10'}
    """
    family = next((key for key in _SUMS if key in entry), "")
    parts = entry[family] if isinstance(entry.get(family), Mapping) else entry
    clip = text_of(entry["clip"])
    _check_clip(family, [*parts, *entry], clip)
    moved: dict[str, Any] = {_SUMS[family]: clip if _SUMS[family] != "shifts" else [clip]}
    others = {key: value for key, value in entry.items() if key != "clip"}
    return {**others, **(moved if parts is entry else {family: {**parts, **moved}})}


def _about_the_clip(error: InputError) -> InputError:
    """An error about what a removal moves the sum by, as one about the clip that says it."""
    if error.field not in _SUMS.values():
        return error
    return type(error)(field="clip", value=error.value, expected=error.expected, code=error.code)


def _check_clip(family: str, keys: Sequence[str], clip: str) -> None:
    """See that a clip stands beside noise on a sum and a rate, and beside no sensitivity."""
    if not family or "shuffled" in keys or "batches" in keys:
        raise UnsupportedError(
            field="clip", value=clip, expected=f"a rate and one of {', '.join(_SUMS)} beside it"
        )
    if _SUMS[family] in keys:
        raise InputError(
            field=_SUMS[family],
            value="beside clip",
            expected="one of the two: a clip is what a removal moves the sum by",
            remedy=f"leave {_SUMS[family]} out",
        )
    if "rate" not in keys:
        raise InputError(
            field="clip",
            value=clip,
            expected="a rate beside it: a clip is of records that are sampled",
            remedy=f"write {_SUMS[family]} in its place: by how much neighbours differ, twice the "
            "clip where a record is replaced",
        )


def _base_of(entry: Mapping[str, Any], text_of: Callable[[object], str]) -> Sampleable:
    for key in ("laplace", "discrete_laplace", "discrete_gaussian", "pair"):
        if key in entry:
            return _NESTED[key](entry[key], text_of)
    if "bounded_range" in entry:
        return BoundedRangeMechanism(text_of(entry["bounded_range"]))
    if "mu" in entry:
        return GaussianMechanism(text_of(entry["mu"]))
    if "sigma" in entry:
        return gaussian_of(entry, text_of)
    notion = next(key for key in ("epsilon", "rho") if key in entry)
    raise _not_sampled(text_of(entry["rate"]), notion)


def _shifts_of(values: list[object], text_of: Callable[[object], str]) -> list[int]:
    return [_integer(text_of(each), "shifts") for each in values]


_Texts = Callable[[object], str]
_NESTED: Final[Mapping[str, Callable[[Mapping[str, Any], _Texts], Sampleable]]] = {
    "laplace": lambda part, text_of: LaplaceMechanism(
        text_of(part["scale"]), text_of(_part(part, "sensitivity"))
    ),
    "discrete_laplace": lambda part, text_of: DiscreteLaplaceMechanism(
        text_of(part["scale"]), _shifts_of(_part(part, "shifts"), text_of)
    ),
    "discrete_gaussian": lambda part, text_of: DiscreteGaussianMechanism(
        text_of(part["variance"]), _shifts_of(_part(part, "shifts"), text_of)
    ),
    "pair": lambda part, text_of: PairMechanism(map(text_of, part["p"]), map(text_of, part["q"])),
}


def _not_sampled(text: str, notion: str) -> UnsupportedError:
    return UnsupportedError(
        field="rate",
        value=f"{shorten(text)} beside {notion}",
        expected=_SAMPLED_ALONE,
    )


def _integer(text: str, field: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise InputError(
            field=field,
            value=text or "nothing",
            expected="a whole number in plain digits",
            remedy=count_cure(text),
        )
    return int(text)


# --- flat cells ---------------------------------------------------------------------------------


def noise_of_cells(cells: Mapping[str, str], count: int, label: str = "") -> Entry:
    """The mechanism of flat cells, one of which names its family.

    Raises:
        InputError: a cell that does not belong there, or a value out of range.
    """
    return noise_of(entry_of_cells(cells), str, count, label)


def entry_of_cells(cells: Mapping[str, str]) -> dict[str, Any]:
    """Flat cells as the object that JSON has for them.

    Raises:
        InputError: a cell that does not belong there.

    >>> entry_of_cells({"rate": "1/10", "discrete_gaussian": "4", "shifts": "1+1"})
    {'discrete_gaussian': {'variance': '4', 'shifts': ['1', '1']}, 'rate': '1/10'}
    """
    family = next(key for key in cells if key in BESIDE)
    given = {key: cell.strip() for key, cell in cells.items()}
    _check_beside(family, given)
    entry: dict[str, Any] = {family: given.pop(family)}
    if "batches" in given:
        return {**entry, "shuffled": given}
    if "shifts" in given:
        given["shifts"] = [each.strip() for each in given["shifts"].split("+")]  # type: ignore[assignment]  # JSON has a list
    if family in FIRST:
        own = {key: given.pop(key) for key in ("sensitivity", "shifts") if key in given}
        entry = {family: {FIRST[family]: entry[family], **own}}
    return {**entry, **given}


def _check_beside(family: str, cells: Mapping[str, str]) -> None:
    """Refuse a cell that does not belong to the family, or not beside another."""
    for key, cell in cells.items():
        if key == family:
            continue
        if key not in BESIDE[family]:
            if key == "rate":
                raise _not_sampled(cell, family)
            known = ", ".join(BESIDE[family]) or "nothing"
            raise InputError(field=key, value=cell, expected=f"beside {family}: {known}")
        if key in ("sensitivity", "rate", "clip") and "batches" in cells:
            raise InputError(
                field=key, value=cell, expected="beside batches: epochs and order alone"
            )
        if key in ("epochs", "order") and "batches" not in cells:
            raise InputError(field=key, value=cell, expected="batches beside it")


def cells_of(mechanism: Family, texts: Texts) -> dict[str, str]:
    """The flat cells of a mechanism, the one that names its family first.

    Raises:
        UnsupportedError: it is a table of its own.
    """
    cells: dict[str, str] = {}
    for key, value in mechanism.shape().items():
        if key in ("pair", "renyi"):
            raise UnsupportedError(
                field=key, value="a table", expected="mechanisms whose parameters fit into cells"
            )
        if not isinstance(value, dict):
            cells[key] = texts[value]
        elif key == "shuffled":
            cells |= {name: str(part) for name, part in value.items()}
        else:
            (_, first), *others = value.items()
            cells[key] = texts[first]
            cells |= {name: _cell(part, texts) for name, part in others}
    return cells


def _cell(value: object, texts: Texts) -> str:
    return "+".join(map(str, value)) if isinstance(value, list) else texts[value]


# --- the whole shape, as JSON -------------------------------------------------------------------


def json_of(shape: EntryShape, texts: Texts) -> dict[str, Any]:
    """The JSON of a mechanism's shape: numbers as their shortest texts, integers as they are."""
    written: dict[str, Any] = {key: _json(value, texts) for key, value in shape.items()}
    return written


def _json(value: object, texts: Texts) -> object:
    if isinstance(value, dict):
        return {key: _json(each, texts) for key, each in value.items()}
    if isinstance(value, list):
        return [_json(each, texts) for each in value]
    return value if isinstance(value, int | str) else texts[value]
