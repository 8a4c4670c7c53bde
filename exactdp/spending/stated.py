r"""A spend as it is stated: as a ledger states a mechanism, and read by the reader of ledgers.

Rules of this file: what a ledger refuses is refused here, with the same words, for the reader of
ledgers is asked. What a budget counts beyond a ledger (a sample of a pure mechanism; failures
beside ρ and Rényi divergences) is checked as a ledger checks these parameters elsewhere; what no
budget counts is refused by its name. A sample is counted where a record is added or removed alone,
and so a clip is what a removal moves the sum by.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number, as_number, as_rational
from exactdp.errors import InputError, UnsupportedError, shorten
from exactdp.ledger.formats import json_ledger
from exactdp.ledger.formats.inline import entry_of_inline, parse_inline
from exactdp.mechanisms import Entry
from exactdp.mechanisms.checks import checked_rate, delta_of_mechanism
from exactdp.mechanisms.clip import removal_of
from exactdp.mechanisms.entries import KEYS, NOTIONS
from exactdp.mechanisms.keys import IN_BATCHES, SHUFFLED_REPORTS
from exactdp.mechanisms.sampled import REACHES
from exactdp.spending.charges import Spend, SpendEntry, sampled_pure, uncounted

_UNCOUNTED: Final = ("pair", "constraints", "selection", SHUFFLED_REPORTS, *IN_BATCHES)
_DISTINCT: Final = 4096


SpendParameter: TypeAlias = Number | Sequence["SpendParameter"] | Mapping[str, "SpendParameter"]
"""A parameter of a mechanism, as a ledger's entry has it: a number, several, or numbers by name."""


def parse_spend(text: str) -> dict[str, SpendParameter]:
    """The parameters of a spend as the option ``-m`` states it, as for every other command.

    Raises:
        InputError: as for :func:`~exactdp.ledger.formats.inline.parse_inline`, with that path; or
            no budget counts it.

    >>> parse_spend("laplace=2,sensitivity=1,rate=1/10")
    {'laplace': {'scale': '2', 'sensitivity': '1'}, 'rate': '1/10'}
    >>> parse_spend("0.1,1e-9*3")
    {'epsilon': '0.1', 'delta': '1e-9', 'count': 3}
    """
    entry = entry_of_inline(text)
    if not _beyond_ledgers(entry):
        parse_inline(text)
    try:
        _refuse_uncounted(entry)
        _read(json.dumps(entry))
    except InputError as error:
        raise error.located(f"-m {shorten(text)}") from None
    return entry


def spend_of(parameters: Mapping[str, object]) -> Spend:
    """The spend with these parameters.

    Raises:
        InputError: no ledger could hold such a mechanism, or no budget counts it.

    >>> spend_of({"laplace": {"scale": 2}}).document
    {'laplace': {'scale': '2', 'sensitivity': '1'}}
    """
    entry: Mapping[str, Any] = {key: _texts(value, key) for key, value in parameters.items()}
    _refuse_uncounted(entry)
    stated, failures = _read(json.dumps(entry))
    if "clip" in entry:
        entry = removal_of(entry, REACHES)
    mechanism = stated.sampled_base().without_label(stated.count)
    document = _document(entry, mechanism)
    if "rate" not in entry:
        return Spend(document, mechanism, failures + mechanism.failure())
    counted = None if failures else sampled_pure(mechanism, as_rational(entry["rate"], "rate"))
    if counted is None:
        raise uncounted(
            "rate",
            document,
            "a mechanism with a pure ε, whose sample a theorem of adaptive budgets counts",
            "state the Rényi divergence of the whole step as renyi instead",
        )
    return Spend(document, counted, failures, sampled=True)


def _document(entry: Mapping[str, Any], mechanism: Entry) -> SpendEntry:
    """The entry with what it leaves out, all numbers in lowest terms."""
    given = {key: _texts(value, key, canonical=True) for key, value in entry.items()}
    told = mechanism.shape()
    if mechanism.name not in given:
        told = {**next(KEYS[key].further for key in given if key in NOTIONS), **given}
    told = {key: _texts(value, key, canonical=True) for key, value in told.items()}
    parts = {key: {**told[key], **own} for key, own in given.items() if isinstance(own, dict)}
    without = {"count": "1", **({} if "epsilon" in given else {"delta": "0"})}
    known = {**given, **told, **parts}
    return {key: value for key, value in known.items() if without.get(key) != value}


def _texts(value: object, key: str, *, canonical: bool = False) -> Any:  # noqa: ANN401 (a JSON value)
    """A value with texts for its numbers; a binary fraction is refused."""
    if isinstance(value, Mapping):
        return {
            str(name): _texts(part, str(name), canonical=canonical) for name, part in value.items()
        }
    if isinstance(value, list | tuple):
        return [_texts(part, key, canonical=canonical) for part in value]
    return value if isinstance(value, str) and not canonical else str(as_number(value, key))


def _refuse_uncounted(entry: Mapping[str, Any]) -> None:
    for key in _UNCOUNTED:
        if key in entry:
            raise UnsupportedError(
                field=key,
                value="given",
                expected="what a budget with a spend log can count",
                remedy="state its Rényi divergences as renyi, in a table or in Python",
                code="not-counted",
            )


def _beyond_ledgers(entry: Mapping[str, Any]) -> list[str]:
    """The parameters that a budget counts and a ledger does not know there."""
    sampled = any(key in entry for key in ("epsilon", "rho", "renyi"))
    failing = "rho" in entry or "renyi" in entry
    return ["rate"] * (sampled and "rate" in entry) + ["delta"] * (failing and "delta" in entry)


@lru_cache(maxsize=_DISTINCT)
def _read(text: str) -> tuple[Entry, mpq]:
    """The mechanism that the reader of ledgers makes of an entry, and failures beside it."""
    entry: dict[str, Any] = json.loads(text)
    failures = mpq(0)
    for key in _beyond_ledgers(entry):
        value = as_rational(entry.pop(key), key)
        if key == "rate":
            checked_rate(value)
        else:
            failures = delta_of_mechanism(value)
    relation = "add-remove-one" if "rate" in entry else "unspecified"
    document = {"neighbouring": relation, "mechanisms": [entry]}
    try:
        return json_ledger.read(json.dumps(document).encode()).mechanisms[0], failures
    except InputError as error:
        raise error.located("") from None
