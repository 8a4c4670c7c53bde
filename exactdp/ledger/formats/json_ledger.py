r"""JSON ledgers: reader and writer of ``exactdp-ledger/1``.

Rules of this file: what is written can be read, and is then equal; keys stand in the order of
the schema, one mechanism to a line, so that two ledgers can be compared line by line; numbers
are written as strings, for most JSON readers would make binary fractions of them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from exactdp.arithmetic.numbers import as_number, as_rational
from exactdp.errors import InputError
from exactdp.ledger.formats.fields import Texts
from exactdp.ledger.formats.strict_json import Document, json_path, parse
from exactdp.ledger.model import Claim, Ledger
from exactdp.ledger.schema import FORMAT, validate
from exactdp.mechanisms import Entry
from exactdp.mechanisms.entries import mechanism_of
from exactdp.mechanisms.keys import each_leaf

if TYPE_CHECKING:
    from collections.abc import Mapping

_LARGEST_EXACT_DOUBLE: Final = 2**53 - 1


def read(data: bytes) -> Ledger:
    """Read the bytes of a JSON ledger.

    Raises:
        InputError: not strict JSON in UTF-8, or not a ledger; the path is a JSON path, or a line
            and column where the JSON itself is at fault.

    >>> read(b'{"mechanisms": [{"epsilon": 0.1, "count": 3}]}').size
    3
    """
    document = parse(data)
    validate(document)
    tree: dict[str, Any] = document.tree
    mechanisms = _mechanisms(document, tree["mechanisms"])
    if tree.get("empty") and mechanisms:
        raise InputError(
            field="empty",
            value=f"true, beside {len(mechanisms)} mechanisms",
            path="$.empty",
            expected="true only where there are none",
        )
    claims = tuple(
        _claim(document, entry, ["claims", index])
        for index, entry in enumerate(tree.get("claims", ()))
    )
    texts = {key: tree[key] for key in _TEXTS if key in tree}
    try:
        delta = tree.get("target_delta")
        ledger = Ledger(
            mechanisms,
            claims=claims,
            target_delta=None
            if delta is None
            else as_rational(document.text_of(delta), "target_delta"),
            reading=tuple(tree.get("reading", ())),
            empty=tree.get("empty", False),
            **texts,
        )
    except InputError as error:
        raise error.located(f"$.{error.path or error.field}") from None
    if ledger.neighbouring != tree.get("neighbouring", "unspecified"):
        raise InputError(
            field="neighbouring",
            value="unspecified",
            path="$.neighbouring",
            expected="the relation that sampling at a rate or shuffling is about",
            remedy=f'add "neighbouring": "{ledger.neighbouring}" if that is what holds',
        )
    return ledger


_RATIONAL: Final = ("delta", "fpr", "tpr", "prior", "success")
_CLAIMED: Final = ("epsilon", "delta", "rho", "mu", "fpr", "tpr", "prior", "success")
_TEXTS: Final = ("name", "neighbouring", "interaction", "unit_of_privacy", "source", "notes")


def _mechanisms(document: Document, entries: list[dict[str, Any]]) -> tuple[Entry, ...]:
    mechanisms = []
    for index, entry in enumerate(entries):
        try:
            mechanisms.append(mechanism_of(entry, document.text_of))
        except InputError as error:
            raise error.located(
                json_path(["mechanisms", index, *place_in(entry, error.field)])
            ) from None
    return tuple(mechanisms)


def place_in(entry: Mapping[str, Any], field: str) -> list[str | int]:
    """The keys that lead to a field of a mechanism."""
    nested = (key for key, part in entry.items() if isinstance(part, dict) and field in part)
    family = None if field in entry else next(nested, None)
    return [field] if family is None else [family, field]


def _claim(document: Document, entry: Mapping[str, Any], keys: list[str | int]) -> Claim:
    texts = {key: document.text_of(entry[key]) for key in (*_CLAIMED, "places") if key in entry}
    try:
        known = {key: as_rational(texts[key], key) for key in _RATIONAL if key in texts}
        return Claim(
            epsilon=as_number(texts["epsilon"], "epsilon") if "epsilon" in texts else None,
            delta=known.pop("delta", None),
            basis=entry["basis"],
            source=entry["source"],
            rho=texts.get("rho"),
            mu=texts.get("mu"),
            **known,
            places=int(texts["places"]) if "places" in texts else None,
        )
    except InputError as error:
        raise error.located(json_path([*keys, error.field])) from None


def write(ledger: Ledger) -> str:
    """The text of a ledger as JSON: the same text for equal ledgers.

    >>> print(write(Ledger.of([("0.1", "1e-9", 3)])), end="")
    {
      "format": "exactdp-ledger/1",
      "neighbouring": "unspecified",
      "interaction": "adaptive",
      "mechanisms": [
        {"epsilon": "0.1", "delta": "1e-9", "count": 3}
      ]
    }
    """
    texts = Texts()
    entries: dict[str, Any] = {"format": FORMAT}
    entries |= _present(name=ledger.name, unit_of_privacy=ledger.unit_of_privacy)
    entries |= {"neighbouring": ledger.neighbouring, "interaction": ledger.interaction}
    entries["mechanisms"] = [mechanism_entry(mechanism, texts) for mechanism in ledger.mechanisms]
    if ledger.target_delta is not None:
        entries["target_delta"] = texts[ledger.target_delta]
    source = dict(ledger.source) if isinstance(ledger.source, tuple) else ledger.source
    claims = [_claim_entry(claim, texts) for claim in ledger.claims]
    entries |= _present(claims=claims, source=source, notes=ledger.notes)
    entries |= _present(reading=list(ledger.reading), empty=ledger.empty)
    lines = ",\n".join(f"  {_compact(key)}: {_block(value)}" for key, value in entries.items())
    return f"{{\n{lines}\n}}\n"


def mechanism_entry(mechanism: Entry, texts: Texts) -> dict[str, Any]:
    """The JSON object that states a mechanism."""
    entry: dict[str, Any] = {"label": mechanism.label} if mechanism.label else {}
    told = {key: value for key, value in mechanism.shape().items() if key != "delta" or value}
    entry |= each_leaf(told, lambda leaf: leaf if isinstance(leaf, int | str) else texts[leaf])
    if mechanism.count != 1:
        exact = mechanism.count <= _LARGEST_EXACT_DOUBLE
        entry["count"] = mechanism.count if exact else str(mechanism.count)
    return entry


def _claim_entry(claim: Claim, texts: Texts) -> dict[str, Any]:
    stated = {key: value for key in _CLAIMED if (value := getattr(claim, key)) is not None}
    entry = {
        key: value if isinstance(value, str) else texts[value] for key, value in stated.items()
    }
    places = {} if claim.places is None else {"places": claim.places}
    return {**entry, **places, "basis": claim.basis, "source": claim.source}


def _present(**entries: object) -> dict[str, Any]:
    """The entries that say something: neither empty text nor an empty list."""
    return {key: value for key, value in entries.items() if value}


def _block(value: object) -> str:
    """A value on lines of its own: a list or object as one entry to a line."""
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"    {_compact(entry)}" for entry in value) + "\n  ]"
    if isinstance(value, dict):
        lines = (f"    {_compact(key)}: {_compact(entry)}" for key, entry in value.items())
        return "{\n" + ",\n".join(lines) + "\n  }"
    return _compact(value)


_compact: Final = json.JSONEncoder(ensure_ascii=False).encode
