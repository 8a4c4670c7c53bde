r"""The keys by which entries name a family, and what stands beside them: one declaration for all.

Rules of this file: JSON, the columns of tables, the option ``-m``, schemas and the documentation
say what is declared here; a parameter that is left out is what its key says, wherever it is left
out.

Theory of operation: in JSON a key has a value, or nests an object of parameters; flat cells put the
further parameters beside the first, in any order. Keys that *join* others name no mechanism by
themselves: a rate, a clip, and how records are shuffled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import short_text, shortest_text
from exactdp.arithmetic.number_grammar import number_cure
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import InputError
from exactdp.mechanisms.checks import MAX_COUNT

JsonEntry = Mapping[str, Any]
"""A mechanism as ``exactdp-ledger/1`` has it, whose shape the schema has checked."""
TextOf = Callable[[object], str]
"""The text of a number, as it stood in a file."""

IN_BATCHES: Final = ("allocated", "factorization", "fixed_size", "records_per_person", "shuffled")
"""The keys that say how records come into batches, or how many of one person do."""
SHUFFLED_REPORTS: Final = "shuffled_reports"
"""The key of reports of all records, each by a local randomizer."""
_WHOLE: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,19})")


@dataclass(frozen=True, slots=True)
class Key:
    """A key of entries.

    Attributes:
        name: the key.
        first: what JSON calls its value where it nests that with the further parameters; empty
            where it nests those alone, None where nothing is nested.
        further: those, with what each is where it is left out; None if it is never left out.
        implies: the parameters of privacy that follow from it, as an entry has them.
        joins: the keys beside which it stands; empty for one that names a mechanism by itself.
        default: what it is where it is left out, if it joins others.
        in_cells: whether its parameters fit into flat cells.
        others: further parameters in JSON, by which it names another family.
        means: for schemas what it is, and what each parameter is, by their names.
    """

    name: str
    first: str | None = None
    further: Mapping[str, Any] = field(default_factory=dict)
    implies: str = "an ε, ρ or μ, as this alone has no rule there"
    joins: tuple[str, ...] = ()
    default: str | None = None
    in_cells: bool = True
    others: tuple[str, ...] = ()
    means: Mapping[str, str] = field(default_factory=dict)

    @property
    def nests(self) -> bool:
        """Whether JSON has an object for it."""
        return self.first is not None

    @property
    def columns(self) -> tuple[str, ...]:
        """The flat cells that it has."""
        own = () if self.first == "" else (self.name,)
        return (*own, *self.further) if self.in_cells else ()

    def read(self, entry: JsonEntry, text_of: TextOf) -> list[Any]:
        """The texts of its value and of the further parameters, in their order."""
        parts = entry[self.name] if self.nests else entry
        first = self.name if self.first is None else self.first
        read = [each_leaf(parts[first], text_of)] if first else []
        for name, default in self.further.items():
            read.append(each_leaf(parts.get(name, default), text_of))
        return read

    def shape_of(self, mechanism: object) -> dict[str, Any]:
        """What an entry has of a mechanism whose attributes are called as its parameters are."""
        further = {name: getattr(mechanism, name) for name in self.further}
        if self.first is None:
            return {self.name: getattr(mechanism, self.name), **further}
        own = {self.first: getattr(mechanism, self.first)} if self.first else {}
        return {self.name: {**own, **further}}


def each_leaf(value: object, change: Callable[[Any], object]) -> Any:  # noqa: ANN401 (a JSON value)
    """A value of JSON with each of its leaves changed.

    >>> each_leaf({"pair": {"p": [1, 0]}}, str)
    {'pair': {'p': ['1', '0']}}
    """
    if isinstance(value, Mapping):
        return {str(key): each_leaf(part, change) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [each_leaf(part, change) for part in value]
    return change(value)


def parameter_texts(shape: Mapping[str, Any]) -> Iterator[str]:
    """The parameters of an entry, each with its name; of what is nested, the parts.

    >>> [*parameter_texts({"laplace": {"scale": mpq(1, 2), "sensitivity": mpq(1)}})]
    ['scale=0.5', 'sensitivity=1']
    """
    for name, value in shape.items():
        if isinstance(value, Mapping):
            yield from parameter_texts(value)
        elif isinstance(value, list | tuple):
            yield f"{name}=[{', '.join(str(each_leaf(part, _short)) for part in value)}]"
        else:
            yield f"{name}={_short(value)}"


def _short(value: object) -> str:
    if isinstance(value, ExactNumber):
        return shortest_text(value)
    return short_text(value) if isinstance(value, mpq) else str(value)


def counted(entry: JsonEntry) -> tuple[int, str]:
    """The count and the label of an entry."""
    return int(entry.get("count", 1)), entry.get("label", "")


def whole_of(text: str, field: str) -> int:
    """A whole number in plain digits.

    Raises:
        InputError: another notation, or no number.
    """
    if not _WHOLE.fullmatch(text):
        raise InputError(
            field=field,
            value=text or "nothing",
            expected="a whole number in plain digits",
            remedy=count_cure(text),
        )
    return int(text)


def count_cure(text: str) -> str:
    """What to write instead of a count in another notation; empty where nobody can know.

    >>> count_cure("1e3"), count_cure("52.0"), count_cure("052"), count_cure("1 000")
    ('write 1000', 'write 52', 'write 52', 'write 1000')
    """
    for written in (text, *number_cure(text).split()):
        try:
            number = ExactNumber.parse(written, "count")
        except InputError:
            continue
        if number.is_rational and number.rational.denominator == 1:
            return f"write {number}" if 1 <= number.rational <= MAX_COUNT else ""
    return ""


def listed(names: Iterable[str], last: str = "or") -> str:
    """Names in words.

    >>> listed(["mu", "sigma", "pair"])
    'mu, sigma or pair'
    """
    *others, end = names
    return f"{', '.join(others)} {last} {end}" if others else end
