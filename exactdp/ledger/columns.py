r"""The columns of tables: one policy for every reader of one.

Purpose: CSV, workbooks, tables of pandas, polars and Arrow, rows by name, and records of spends
mean the same by the same names.

Rules of this file: a name that is known, or a synonym of one, is a parameter. Any other column is
one of remarks if none of its cells states a number and its name is none of parameters, or if the
user says so; otherwise it is refused, with both cures. A word that may mean two things is no
synonym. No two columns are the same parameter. Nothing is dropped in silence: what was not read is
named.

Theory of operation: a name is compared in compatibility form (NFKC), in lower case, with blanks for
``_``, ``-`` and ``.``, and without the unit ``(nats)``. A Greek capital stays one: Δ is a
sensitivity in some tables and a δ in others, and Σ is a sum.

Sources: Unicode Standard Annex 15 (NFKC).
"""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from exactdp.errors import InputError, shorten
from exactdp.ledger.remarks import states_number
from exactdp.mechanisms.entries import BESIDE, FLAT

NOTIONS: Final = tuple(BESIDE)
"""The columns that a mechanism can be given by."""
COLUMNS: Final = tuple(dict.fromkeys(("label", "epsilon", "delta", *BESIDE, *FLAT, "count")))

_REPEATED: Final = (
    *("count", "counts", "n", "runs", "steps", "iterations"),
    *("repetitions", "repeats", "reps", "times", "quantity", "qty"),
    *("anzahl", "wiederholungen"),
)
"""Words that say how often the mechanism of a row ran, and nothing else.

A ``run`` may be its number; its parameters may be about all its ``weeks`` or ``queries`` already.
"""
_NUMBER_OF: Final = re.compile(r"(?:#|no|number|num|nr)(?: of)? ?|n (?=\w\w)")
NOISE_MULTIPLIER: Final = "noise multiplier"
_SYNONYMS: Final[Mapping[str, str]] = {
    **{name.replace("_", " "): name for name in COLUMNS},
    **dict.fromkeys(("eps", "ε", "ɛ", "privacy loss"), "epsilon"),
    **dict.fromkeys(("δ", "failure probability"), "delta"),
    **dict.fromkeys(("ρ", "ϱ"), "rho"),
    "μ": "mu",
    **dict.fromkeys(("sens", "sensitivität"), "sensitivity"),
    **dict.fromkeys(("σ", NOISE_MULTIPLIER), "sigma"),
    **dict.fromkeys(
        ("q", "sample rate", "sampling rate", "sampling probability", "subsampling rate"), "rate"
    ),
    **dict.fromkeys(_REPEATED, "count"),
}
_OF_RECORDS: Final = frozenset(
    ("timestamp", "time stamp", "created at", "uuid", "job id", "query id", "request id", "run id")
)
"""When something ran, and by what name: numbers below these are no parameters."""
RESULTS: Final = ("epsilon", "delta")
"""What another tool gives for a row of DP-SGD, beside :data:`OF_DPSGD`."""
OF_DPSGD: Final = frozenset(("sigma", "rate", "count"))
_OTHERWISE: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("sigma2", "sigma^2", "sigma squared", "σ2", "σ^2"),
        "if these are variances of Gaussian noise, call the column variance",
    ),
    **dict.fromkeys(
        ("batch size", "dataset size", "lot size"),
        "of Poisson samples write one column rate, the batch size over the size of the dataset, "
        "such as 256/60000",
    ),
    **dict.fromkeys(("epsilon (bits)", "ε (bits)"), "ε is in nats here: multiply it by ln(2)"),
}
"""What is understood and cannot be read as it stands, each with its cure."""
_OF_PARAMETERS: Final = frozenset(
    (
        *("frequency", "freq", "per", "times", "repeat", "repeats", "repeated", "repetition"),
        *("repetitions", "runs", "iterations", "rounds", "weeks", "queries", "count", "counts"),
        *("relation", "neighbouring", "neighboring", "neighbours", "neighbors", "adjacency"),
        *("params", "parameter", "parameters"),
        *("sampling", "sampler", "sample", "subsampling", "loader", "batching", "replacement"),
    )
)
"""Words of a name by which even a column of words may say how often, of whom, or between whom."""
_LIKE_A_COLUMN: Final = 0.6


_OF_NAMES: Final = (
    *("name", "release", "query", "mechanism", "statistic", "table", "title", "description"),
    *("bezeichnung", "veröffentlichung", "abfrage", "tabelle", "titel", "beschreibung"),
)
"""What the column is called that names the rows, where none is called label."""


@dataclass(frozen=True, slots=True)
class TableHeader:
    """The names of a table's columns, and what they are.

    Attributes:
        names: as they stand.
        keys: for each the parameter that it is; empty for a remark, and where there is no name.
        free: the places of columns that may hold numbers all the same, as the user says so.
        is_multiplier: whether σ is a noise multiplier, so that the sensitivity is 1.
        where: the place of each parameter, in the order of :data:`COLUMNS`.
    """

    names: tuple[str, ...]
    keys: tuple[str, ...]
    free: frozenset[int]
    is_multiplier: bool
    where: Mapping[str, int]

    @property
    def label(self) -> int:
        """The place of the column that names the rows; -1 if there is none.

        A column of remarks that names them is one of remarks still: a number in it is refused.
        """
        if "label" in self.where:
            return self.where["label"]
        named = [
            _plain(name) if not key else "" for name, key in zip(self.names, self.keys, strict=True)
        ]
        return next((named.index(each) for each in _OF_NAMES if each in named), -1)

    @property
    def unread(self) -> tuple[str, ...]:
        """The names of the columns as messages have them that list what is no parameter."""
        return tuple(
            f"{name} (the label)" if at == self.label and not key else name
            for at, (name, key) in enumerate(zip(self.names, self.keys, strict=True))
        )

    def refuse_number(self, place: int, cell: str, path: str) -> None:
        """Refuse a cell of no parameter if it states a number, or if its column may be one.

        So is any cell below no name.

        Raises:
            InputError: it may be a parameter.
        """
        name = self.names[place]
        if not name:
            raise InputError(
                field="cell",
                value=cell.strip(),
                path=path,
                expected="cells below the name of a column",
                remedy="name the column in the first row, or clear the cell",
            )
        if place not in self.free and (_may_be_parameter(name) or states_number(cell)):
            raise InputError(
                field=shorten(name),
                value=cell.strip(),
                path=f"{path}, column {shorten(name)}",
                expected="a column whose meaning is known, or one of remarks, which has no numbers",
                remedy=_cures(name),
                code="unknown-key",
            )


def header_of(
    names: Iterable[str], path: str, remarks: Sequence[str] = (), more: Sequence[str] = ()
) -> TableHeader:
    """The columns with these names.

    Args:
        names: as the table has them.
        path: where they stand, for errors.
        remarks: the names of columns that hold no parameters, as the user says.
        more: further columns that this reader knows.

    Raises:
        InputError: two of them are the same parameter or have the same name.

    >>> header_of(["Release", "ε", "# of runs"], "line 1").keys
    ('', 'epsilon', 'count')
    """
    shown = tuple(name.strip() for name in names)
    free = frozenset(
        place
        for place, name in enumerate(shown)
        if _plain(name) in _OF_RECORDS - {*more} or _is_named(name, shown, remarks)
    )
    keys = tuple(
        "" if place in free else key_of(name, more) or "" for place, name in enumerate(shown)
    )
    _refuse_twice(shown, keys, path)
    multiplied = any(
        key == "sigma" and _plain(name) == NOISE_MULTIPLIER
        for name, key in zip(shown, keys, strict=True)
    )
    for key in ("sensitivity", "clip"):
        if multiplied and key in keys:
            raise InputError(
                field=key,
                value=f"{NOISE_MULTIPLIER} and {shorten(shown[keys.index(key)])}",
                path=path,
                expected=f"one of the two: a noise multiplier is σ over the {key}",
                remedy=f"call the column sigma if it is σ, or leave the {key} out",
            )
    where = {key: keys.index(key) for key in (*more, *COLUMNS) if key in keys}
    return TableHeader(shown, keys, free, multiplied, where)


def key_of(name: str, more: Sequence[str] = ()) -> str | None:
    """The parameter that a column of this name holds; None if the name is not known.

    >>> [key_of(name) for name in ("Epsilon (nats)", "sample_rate", "# of runs", "Δ", "users")]
    ['epsilon', 'rate', 'count', None, None]
    """
    plain = _plain(name)
    if plain in more:
        return plain
    known = _SYNONYMS.get(plain)
    if known is None and (counted := _NUMBER_OF.match(plain)):
        known = "count" if plain[counted.end() :] in _REPEATED else None
    return known


def names_a_notion(header: Iterable[str], more: Sequence[str] = ()) -> bool:
    """Whether a row names a column that a mechanism can be given by."""
    return any(key_of(cell, more) in (*NOTIONS, *more) for cell in header)


def strip_format(text: str) -> str:
    r"""A text in compatibility form, without characters that only format it.

    >>> strip_format("ｅp\u200bs")
    'eps'
    """
    plain = unicodedata.normalize("NFKC", text)
    return "".join(each for each in plain if unicodedata.category(each) != "Cf")


def _plain(name: str) -> str:
    """A name as names are compared."""
    letters = strip_format(name)
    lower = "".join(each if "Α" <= each <= "Ω" else each.casefold() for each in letters)
    return " ".join(re.sub(r"[\s_.\-]+", " ", lower.replace("(nats)", " ")).split())


def _may_be_parameter(name: str) -> bool:
    """Whether the name of a column says that it holds parameters, even in words."""
    return not _OF_PARAMETERS.isdisjoint(re.findall(r"\w+", _plain(name)))


def _is_named(name: str, names: Sequence[str], remarks: Sequence[str]) -> bool:
    """Whether the user calls a column one of remarks: as it stands, or as names are compared."""
    wanted = [each.strip() for each in remarks]
    alike = {_plain(each) for each in wanted if each not in names}
    return bool(name) and (name in wanted or _plain(name) in alike)


def _refuse_twice(names: Sequence[str], keys: Sequence[str], path: str) -> None:
    seen: dict[str, str] = {}
    for name, key in zip(names, keys, strict=True):
        same = key or _plain(name)
        if name and same in seen:
            other = shorten(seen[same])
            raise InputError(
                field=shorten(same),
                value=f"{other} and {shorten(name)}: a column that stands twice",
                path=f"{path}, column {shorten(name)}",
                expected="each column once",
                remedy="remove one of the two"
                + ("" if name == seen[same] else f", or say {_as_remark(name)}"),
                code="duplicate-key",
            )
        seen[same] = name


def _cures(name: str) -> str:
    """How to go on with a column whose meaning is not known."""
    own = _OTHERWISE.get(_plain(name))
    if own is not None:
        return f"{own}; {_as_remark(name)} if it is no parameter"
    close = get_close_matches(name.casefold(), COLUMNS, n=1, cutoff=_LIKE_A_COLUMN)
    meant = close[0] if close else "count if the row ran so often, or epsilon, delta, rate, …"
    guess = f"did you mean {close[0]}? " if close else ""
    return f"{guess}call the column {meant}, or say {_as_remark(name)} if it is no parameter"


def _as_remark(name: str) -> str:
    """How the user says that a column is one of remarks."""
    return f"{option_of_remark(name)} (in Python remarks=[{shorten(name)!r}])"


def option_of_remark(name: str) -> str:
    """The option that says that a column is one of remarks.

    >>> option_of_remark("privacy budget")
    "--remark 'privacy budget'"
    """
    shown = shorten(name)
    return f"--remark {shown if shown.isidentifier() else shlex.quote(shown)}"
