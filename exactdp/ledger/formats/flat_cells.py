r"""Mechanisms in flat cells: from them to the object that JSON has, and back.

Rules of this file: CSV and the option ``-m`` name a family by its first parameter and put the
others beside it, in any order, as :mod:`exactdp.mechanisms.keys` declares. One function makes a
mechanism of the object. What is a table of its own stands in JSON alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from exactdp.errors import InputError, UnsupportedError, shorten
from exactdp.mechanisms.entries import BESIDE, DEFAULTS, KEYS, SHUFFLED, mechanism_of
from exactdp.mechanisms.keys import Key
from exactdp.mechanisms.sampled import not_sampled

if TYPE_CHECKING:
    from exactdp.ledger.formats.fields import Texts
    from exactdp.mechanisms import Family


Beside = Mapping[str, Sequence[str]]


def mechanism_of_cells(cells: Mapping[str, str], count: int = 1, label: str = "") -> Family:
    """The mechanism of flat cells, one of which names its family.

    Raises:
        InputError: a cell that does not belong there, or a value out of range.
    """
    return mechanism_of({**entry_of_cells(cells), "count": count, "label": label})


def entry_of_cells(cells: Mapping[str, str], beside: Beside = BESIDE) -> dict[str, Any]:
    """Flat cells as the object that JSON has for them.

    Args:
        cells: the cells, one of which names a family.
        beside: for each family, which others may stand beside it.

    Raises:
        InputError: a cell that does not belong there.

    >>> entry_of_cells({"rate": "1/10", "discrete_gaussian": "4", "shifts": "1+1"})
    {'discrete_gaussian': {'variance': '4', 'shifts': ['1', '1']}, 'rate': '1/10'}
    """
    family = next(key for key in cells if key in beside)
    _check_beside(family, cells, beside[family])
    given = {key: _value(key, cell) for key, cell in cells.items()}
    entry: dict[str, Any] = {family: given.pop(family)}
    for key in filter(lambda each: each.nests, (KEYS[family], SHUFFLED)):
        own = {name: given.pop(name) for name in key.further if name in given}
        if key.first:
            entry[family] = {key.first: entry[family], **own}
        elif own:
            entry[key.name] = own
    return {**entry, **given}


def _value(key: str, cell: str) -> str | list[str]:
    """A cell; of several parts, where it is left out as a list."""
    if isinstance(DEFAULTS.get(key), list):
        return [each.strip() for each in cell.split("+")]
    return cell.strip()


def _check_beside(family: str, cells: Mapping[str, str], known: Sequence[str]) -> None:
    """Refuse a cell that does not belong to the family, or not beside another."""
    batches, *others = SHUFFLED.further
    for key, cell in cells.items():
        if key == family:
            continue
        if key not in known:
            if key == "rate":
                raise not_sampled(f"{shorten(cell)} beside {family}")
            shown = ", ".join(known) or "nothing"
            raise InputError(field=key, value=cell, expected=f"beside {family}: {shown}")
        if batches in cells and key not in SHUFFLED.further:
            raise InputError(
                field=key, value=cell, expected=f"beside {batches}: {' and '.join(others)} alone"
            )
        if key in others and batches not in cells:
            raise InputError(field=key, value=cell, expected=f"{batches} beside it")


def cells_of(mechanism: Family, texts: Texts) -> dict[str, str]:
    """The flat cells of a mechanism, the one that names its family first.

    Raises:
        UnsupportedError: it is a table of its own.
    """
    cells: dict[str, str] = {}
    for name, value in mechanism.shape().items():
        key = KEYS.get(name, Key(name))
        if not key.in_cells:
            raise UnsupportedError(
                field=name, value="a table", expected="mechanisms whose parameters fit into cells"
            )
        for part, each in value.items() if key.nests else ((name, value),):
            cells[name if part == key.first else part] = _cell(each, texts)
    return cells


def _cell(value: object, texts: Texts) -> str:
    if isinstance(value, tuple):
        return "+".join(map(str, value))
    return str(value) if isinstance(value, int | str) else texts[value]
