r"""Policies: what must hold of the ledgers in a folder, as ``exactdp.toml`` says it.

Rules of this file: a policy names no program, so that whoever reads somebody else's runs nothing of
theirs; numbers are read as decimal text; a key that is not known is refused.

Theory of operation: patterns of files are relative to the policy, and what they match is found anew
each time. What a symbolic link leads to is found, and not read, as findings are published. A budget
is a claim about ledgers that did not make it: about each of them, or about all of them composed.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Literal

from gmpy2 import mpq

from exactdp.arithmetic.numbers import as_number, as_rational
from exactdp.errors import InputError, shorten
from exactdp.ledger.model import Claim
from exactdp.many.patterns import files_matching
from exactdp.regular_files import open_file

NAME: Final = "exactdp.toml"
FORMAT: Final = "exactdp-policy/1"
MAX_BYTES: Final = 2**20
_LEAST: Final = f'the smallest policy is: format = "{FORMAT}" and ledgers = ["*.json"]'

OwnClaims = Literal["hold", "not-refuted", "ignored"]
_OWN_CLAIMS: Final[dict[str, OwnClaims]] = {
    "hold": "hold",
    "not-refuted": "not-refuted",
    "ignored": "ignored",
}
_SCOPES: Final = {"each": False, "together": True}
_BUDGET_NUMBERS: Final = ("epsilon", "delta", "rho", "mu")


@dataclass(frozen=True, slots=True)
class RequiredBudget:
    """A claim that must hold of ledgers, whatever they claim themselves.

    Attributes:
        claim: the budget (ε, δ), ρ or μ.
        together: whether it is about all of the ledgers composed, or about each.
        patterns: which ledgers.
    """

    claim: Claim
    together: bool
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RequiredAccountant:
    """An accountant that must not under-report on ledgers.

    Attributes:
        name: a package, one of its settings, or a program that the caller knows by this name.
        delta: the δ to ask about; None for each ledger's own.
        patterns: which ledgers.
    """

    name: str
    delta: mpq | None
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """What must hold of the ledgers in a folder.

    Attributes:
        path: the file it was read from; patterns are relative to its folder.
        patterns: which ledgers.
        claims: what must be true of the claims that these ledgers make.
        budgets: what they must keep to.
        accountants: who must be sound on them.
    """

    path: Path
    patterns: tuple[str, ...]
    claims: OwnClaims = "hold"
    budgets: tuple[RequiredBudget, ...] = ()
    accountants: tuple[RequiredAccountant, ...] = ()

    def files(self, patterns: Sequence[str]) -> list[Path]:
        """The files that any of the patterns matches, each once, in order.

        Links that a pattern would enter, and what is no file, are among them, to be refused.
        """
        folder = self.path.parent
        found = {path for pattern in patterns for path in _matches(folder, pattern, self.path)}
        return sorted(found)


def find_policies(place: str) -> list[Path]:
    """The policy that ``place`` is, or those in the folder and below; hidden folders are left out.

    Those that are symbolic links, or directly behind one, are among them: who reads them refuses
    them (:func:`exactdp.many.inputs.require_no_link`).

    Raises:
        InputError: there is none.
    """
    path = Path(place)
    if "\0" in place or not path.is_dir():
        return [path]
    found: list[Path] = []
    for folder, below, names in os.walk(path):
        below[:] = sorted(name for name in below if not name.startswith("."))
        if NAME in names:
            found.append(Path(folder) / NAME)
        found += [each for name in below if _is_there(each := Path(folder, name, NAME))]
    if not found:
        raise InputError(
            field="policy",
            value=place,
            expected=f"a folder with a file {NAME}, in it or below",
            remedy=_LEAST,
            code="unreadable",
        )
    return found


def _is_there(policy: Path) -> bool:
    """Whether a linked folder, which is not entered, holds a policy."""
    return policy.parent.is_symlink() and os.path.lexists(policy)


def read_policy(path: Path) -> Policy:
    """The policy in a file.

    Raises:
        InputError: it cannot be read, or is none.
    """
    place = str(path)
    table = _Table(_parsed(_content(path), place), place, ("format", "claims", "ledgers", *_LISTS))
    form = table.text("format")
    if form != FORMAT:
        raise table.refused("format", form or "nothing", FORMAT, _LEAST)
    claims = table.text("claims") or "hold"
    if claims not in _OWN_CLAIMS:
        raise table.refused("claims", claims, " or ".join(_OWN_CLAIMS))
    patterns = table.texts("ledgers")
    if not patterns:
        raise table.refused("ledgers", "nothing", 'patterns of files, as in ledgers = ["*.json"]')
    return Policy(
        path,
        patterns,
        _OWN_CLAIMS[claims],
        tuple(_budget(each, patterns) for each in table.tables("budgets", _BUDGET_KEYS)),
        tuple(_accountant(each, patterns) for each in table.tables("accountants", _ASKED_KEYS)),
    )


_LISTS: Final = ("budgets", "accountants")
_BUDGET_KEYS: Final = (*_BUDGET_NUMBERS, "scope", "ledgers")
_ASKED_KEYS: Final = ("name", "delta", "ledgers")


class _Table:
    """A table of a policy: its values by key, each refused with its place."""

    def __init__(self, values: dict[str, Any], place: str, known: Sequence[str]) -> None:
        self._values = values
        self._place = place
        for key in values:
            if key not in known:
                close = get_close_matches(key, known, n=1, cutoff=0.6)
                raise InputError(
                    field=shorten(key),
                    value="an unknown key",
                    path=place,
                    expected=f"one of {', '.join(known)}",
                    remedy=f"did you mean {close[0]}?" if close else "",
                    code="unknown-key",
                )

    def refused(self, key: str, value: object, expected: str, remedy: str = "") -> InputError:
        """The error for a value."""
        return InputError(
            field=key, value=value, path=self._place, expected=expected, remedy=remedy
        )

    def text(self, key: str) -> str:
        """A text, or nothing."""
        value = self._values.get(key, "")
        if not isinstance(value, str):
            raise self.refused(key, value, "a text")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        values = self._values.get(key, [])
        if not isinstance(values, list) or not all(isinstance(v, str) and v for v in values):
            raise self.refused(key, values, "a list of texts")
        return tuple(values)

    def number(self, key: str) -> str | int | None:
        """A number as it stands, or None; decimals are texts already."""
        value = self._values.get(key)
        if value is None or (isinstance(value, str | int) and not isinstance(value, bool)):
            return value
        raise self.refused(key, value, 'a number, such as 3, 0.1 or "ln(3)"')

    def tables(self, key: str, known: Sequence[str]) -> Iterator[_Table]:
        """The tables ``[[key]]``."""
        values = self._values.get(key, [])
        if not isinstance(values, list) or not all(isinstance(v, dict) for v in values):
            raise self.refused(key, "something else", f"tables, each under [[{key}]]")
        for index, each in enumerate(values):
            yield _Table(each, f"{self._place}, {key}[{index}]", known)

    def located(self, error: InputError) -> InputError:
        """An error about a number, with its place."""
        located = error.located(self._place)
        assert isinstance(located, InputError)
        return located


def _budget(table: _Table, patterns: tuple[str, ...]) -> RequiredBudget:
    scope = table.text("scope")
    if scope not in _SCOPES:
        raise table.refused(
            "scope",
            scope or "nothing",
            " or ".join(_SCOPES),
            "say whether each ledger may spend the budget, or all of them composed",
        )
    try:
        claim = _claim(table)
    except InputError as error:
        raise error if error.path else table.located(error) from None
    return RequiredBudget(claim, _SCOPES[scope], table.texts("ledgers") or patterns)


def _claim(table: _Table) -> Claim:
    given = {key: value for key in _BUDGET_NUMBERS if (value := table.number(key)) is not None}
    if given.keys() not in ({"epsilon", "delta"}, {"epsilon"}, {"rho"}, {"mu"}):
        raise table.refused(
            "epsilon", ", ".join(given) or "nothing", "epsilon and delta, or rho, or mu"
        )
    epsilon, delta = given.get("epsilon"), given.get("delta")
    return Claim(
        epsilon=None if epsilon is None else as_number(epsilon, "epsilon"),
        delta=None if delta is None else as_rational(delta, "delta"),
        basis="composition",
        source="the policy",
        rho=_text_of(given.get("rho")),
        mu=_text_of(given.get("mu")),
    )


def _text_of(value: str | int | None) -> str | None:
    return None if value is None else str(value)


def _accountant(table: _Table, patterns: tuple[str, ...]) -> RequiredAccountant:
    name, delta = table.text("name"), table.number("delta")
    if not name:
        raise table.refused("name", "nothing", "the name of an accountant")
    try:
        asked = None if delta is None else as_rational(delta, "delta")
    except InputError as error:
        raise table.located(error) from None
    return RequiredAccountant(name, asked, table.texts("ledgers") or patterns)


def _content(path: Path) -> bytes:
    try:
        with open_file(path) as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "not a file name"
        raise _unreadable(path, f"a policy or a folder that can be read ({reason})") from None
    if len(data) > MAX_BYTES:
        raise _unreadable(path, f"at most {MAX_BYTES} bytes")
    return data


def _parsed(data: bytes, place: str) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode("utf-8"), parse_float=str)
    except (ValueError, RecursionError) as error:
        reason = "nested too deep" if isinstance(error, RecursionError) else shorten(str(error), 80)
        raise InputError(
            field="policy",
            value="not TOML",
            path=place,
            expected=f"TOML in UTF-8 ({reason})",
            remedy=_LEAST,
            code="bad-toml",
        ) from None


def _matches(folder: Path, pattern: str, place: Path) -> list[Path]:
    if Path(pattern).is_absolute() or ".." in Path(pattern).parts or not Path(pattern).parts:
        raise InputError(
            field="ledgers",
            value=pattern,
            path=str(place),
            expected="a pattern of files below the policy's folder, such as ledgers/*.json",
        )
    return [folder / name for name in files_matching(folder, pattern, strange=True)]


def _unreadable(path: Path, expected: str) -> InputError:
    return InputError(field="policy", value=str(path), expected=expected, code="unreadable")
