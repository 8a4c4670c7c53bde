r"""A spend as it is stated: as a ledger states a mechanism, and under the rules of ledgers.

Rules of this file: what a ledger refuses is refused here, with the same words, for the reader of
ledgers is asked. What a budget counts beyond a ledger (a sample of a pure mechanism; failures
beside ρ and Rényi divergences) is checked as a ledger checks these parameters elsewhere; what no
budget counts is refused by its name. A sample is counted where a record is added or removed alone,
and so a clip is what a removal moves the sum by. The lines of a log that exists are not read here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from exactdp.arithmetic.numbers import as_number, as_rational
from exactdp.errors import InputError, UnsupportedError, shorten
from exactdp.ledger.formats import json_ledger
from exactdp.ledger.formats.inline import entry_of_inline, parse_inline
from exactdp.mechanisms.checks import checked_rate, delta_of_mechanism
from exactdp.mechanisms.clip import removal_of
from exactdp.mechanisms.sampled import REACHES
from exactdp.spending.charges import Spend, spend_of

_UNCOUNTED: Final = ("pair", "shuffled")
_DISTINCT: Final = 4096


def parse_spend(text: str) -> dict[str, object]:
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
        _check(entry)
    except InputError as error:
        raise error.located(f"-m {shorten(text)}") from None
    return entry


def stated_spend(parameters: Mapping[str, object]) -> Spend:
    """The spend that a caller states.

    Raises:
        InputError: no ledger could hold such a mechanism, or no budget counts it.

    >>> stated_spend({"laplace": {"scale": 2}}).loss.epsilon
    mpq(1,2)
    """
    entry = {key: _texts(value, key) for key, value in parameters.items()}
    _check(entry)
    return spend_of(removal_of(entry, REACHES) if "clip" in entry else entry)


def _texts(value: object, key: str) -> Any:  # noqa: ANN401 (a JSON value)
    """A value with texts for its numbers; a binary fraction is refused."""
    if isinstance(value, Mapping):
        return {str(name): _texts(part, str(name)) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_texts(part, key) for part in value]
    return value if isinstance(value, str) else str(as_number(value, key))


def _check(entry: Mapping[str, Any]) -> None:
    """Read the entry as a ledger's."""
    for key in _UNCOUNTED:
        if key in entry:
            raise UnsupportedError(
                field=key,
                value="given",
                expected="what a budget that is spent as one goes can count",
                remedy="state its Rényi divergences as renyi, in a table or in Python",
                code="not-counted",
            )
    _check_text(json.dumps(entry))


def _beyond_ledgers(entry: Mapping[str, Any]) -> list[str]:
    """The parameters that a budget counts and a ledger does not know there."""
    sampled = any(key in entry for key in ("epsilon", "rho", "renyi"))
    failing = "rho" in entry or "renyi" in entry
    return ["rate"] * (sampled and "rate" in entry) + ["delta"] * (failing and "delta" in entry)


@lru_cache(maxsize=_DISTINCT)
def _check_text(text: str) -> None:
    entry: dict[str, Any] = json.loads(text)
    for key in _beyond_ledgers(entry):
        value = as_rational(entry.pop(key), key)
        _ = checked_rate(value) if key == "rate" else delta_of_mechanism(value)
    relation = "add-remove-one" if "rate" in entry else "unspecified"
    document = {"neighbouring": relation, "mechanisms": [entry]}
    try:
        json_ledger.read(json.dumps(document).encode())
    except InputError as error:
        raise error.located("") from None
