r"""``exactdp.written``: floats as the decimals that were written for them.

Rules of this file: a float becomes the shortest decimal that reads back as the same float, and
everything else stays what it is; no library of arrays or tables is imported.

Theory of operation: a float is refused everywhere else, as 0.1 may mean one tenth or the double
nearest to it. Who calls this function says that the decimal was meant. Python prints a double by
its shortest decimal (Gay's algorithm, since 3.1), and so do numpy's floats of other widths.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from numbers import Integral, Rational, Real
from typing import Any, Final, overload

from exactdp.errors import InputError
from exactdp.ledger.rows import is_missing, rows_of_table

_AS_THEY_ARE: Final = (str, bytes, bool, Integral, Rational, type(None))


@overload
def written(value: float) -> str: ...
@overload
def written(value: object) -> Any: ...  # noqa: ANN401 (what it holds, with texts for floats)
def written(value: Any) -> Any:
    """The shortest decimal that reads back as the same float, as a text.

    Args:
        value: a number; or a list, a tuple, a mapping, an array, or a table of pandas, polars or
            Arrow that holds some. An array becomes lists, a table its rows by name; what is no
            float stays as it is.

    Raises:
        InputError: a NaN or an infinity, which no decimal stands for. In a table NaN is an empty
            cell.

    >>> written(0.1)
    '0.1'
    >>> written([(0.1, 1e-9, 50)])
    [('0.1', '1e-09', 50)]
    """
    rows = None if isinstance(value, list | tuple) else rows_of_table(value)
    if rows is not None:
        return [{str(name): _cell(each, name) for name, each in row.items()} for row in rows]
    return _written(value, "")


def _cell(value: object, name: object) -> object:
    return None if is_missing(value) else _written(value, f"column {name}")


def _written(value: Any, place: str) -> Any:  # noqa: ANN401 (whatever holds numbers)
    if isinstance(value, float):
        return _decimal(float.__repr__(value), value, place)
    if isinstance(value, _AS_THEY_ARE):
        return value
    if isinstance(value, Real):
        return _decimal(str(value), float(value), place)  # of numpy, in another width
    return _each(value._asdict() if hasattr(value, "_asdict") else value, place)


def _each(value: Any, place: str) -> Any:  # noqa: ANN401 (as above)
    if isinstance(value, Mapping):
        return {key: _written(each, f"{place}[{key!r}]") for key, each in value.items()}
    if hasattr(value, "__array__"):
        array = value.__array__()
        if not array.ndim:
            return _written(array[()] if isinstance(array[()], Real) else array.item(), place)
        value = list(array)
    if isinstance(value, list | tuple):
        return type(value)(_written(each, f"{place}[{at}]") for at, each in enumerate(value))
    return value


def _decimal(text: str, value: float, place: str) -> str:
    if isfinite(value):
        return text
    raise InputError(
        field="value", value=text, path=place, expected="a finite number: no decimal stands for it"
    )
