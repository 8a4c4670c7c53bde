r"""Whether a statement is about the ledger in a file.

Rules of this file: a ledger is about the same multiset of parameters if its merged entries are
equal in canonical text, whatever notions and families they are of. Every key of the format is
known here; another is refused.

Sources: certs/SPEC.md, section 12.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..format.numbers import canonical, parse, parse_integer
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, members, one_of, string
from ..format.strict_json import Json, Numeral, canonical_bytes, read
from ..rules.by_noise import REPLACED
from ..rules.entries import MAX_COUNT
from ..rules.ledger import Ledger
from ..statement import INTERACTIONS, RELATIONS, UNSPECIFIED, Statement, Subject
from .noise_entries import is_noise, noise_entry, plain_text

_FORMAT: Final = "exactdp-ledger/1"
_KEYS: Final = (
    "claims",
    "empty",
    "format",
    "interaction",
    "name",
    "neighbouring",
    "notes",
    "reading",
    "source",
    "target_delta",
    "unit_of_privacy",
)
_FALSE, _TRUE = Numeral("false"), Numeral("true")
_CLAIMED: Final = ("epsilon", "mu", "rho", "tpr", "success")
_BESIDE: Final = (
    ("delta", "epsilon"),
    ("fpr", "tpr"),
    ("tpr", "fpr"),
    ("prior", "success"),
    ("success", "prior"),
)
_NUMBERS: Final = (*_CLAIMED, "delta", "fpr", "prior", "places")
_BASES: Final = ("composition", "amplification", "finer-structure")


def check_ledger(subject: Ledger, statement: Statement, data: bytes) -> None:
    """Reject a statement that is not about the ledger in this file."""
    ledger = members(read(data, flags=("empty",)), ("mechanisms",), "ledger", _KEYS)
    one_of(ledger.get("format", _FORMAT), (_FORMAT,), "ledger format")
    neighbouring = one_of(ledger.get("neighbouring", UNSPECIFIED), RELATIONS, "neighbouring")
    interaction = one_of(ledger.get("interaction", INTERACTIONS[0]), INTERACTIONS, "interaction")
    _check_remarks(ledger)
    counts: dict[bytes, int] = {}
    for value in array(ledger["mechanisms"], "mechanisms"):
        entry, said = any_entry(value, replaced=neighbouring == REPLACED)
        count = parse_integer(plain_text(said, "count"), 1, MAX_COUNT, "count")
        counts[entry] = counts.get(entry, 0) + count
    if ledger.get("empty", _FALSE) != _FALSE and (ledger["empty"] != _TRUE or counts):
        raise MalformedError("ledger: empty is neither false, nor true beside no mechanisms")
    if neighbouring != statement.neighbouring:
        raise RejectedError("the statement is not about this ledger: another neighbouring relation")
    if interaction != statement.interaction:
        raise RejectedError("the statement is not about this ledger: another interaction")
    if counts != subject.counts:
        raise RejectedError("the statement is not about this ledger: other mechanisms")


def refuse_file(_subject: Subject, _statement: Statement, _data: bytes) -> None:
    """Reject a statement that is about no ledger."""
    raise RejectedError("the statement is not about a ledger, but interactive mechanisms")


def _check_remarks(ledger: Mapping[str, Json]) -> None:
    """What a ledger says besides its mechanisms is compared with nothing, but must be of its form.

    Numbers here are not read: nothing rests on them.
    """
    for key in ("name", "notes", "unit_of_privacy"):
        string(ledger.get(key, ""), key)
    for text in array(ledger.get("reading", []), "reading"):
        string(text, "reading")
    source = ledger.get("source", "")
    for text in source.values() if isinstance(source, dict) else (source,):
        string(text, "source")
    plain_text(ledger.get("target_delta", ""), "target_delta")
    for claim in array(ledger.get("claims", []), "claims"):
        parts = members(claim, ("basis", "source"), "claim", _NUMBERS)
        one_of(parts["basis"], _BASES, "basis")
        string(parts["source"], "source")
        for key in parts.keys() & _NUMBERS:
            plain_text(parts[key], key)
        alone = any(key in parts and other not in parts for key, other in _BESIDE)
        if alone or parts.keys().isdisjoint(_CLAIMED):
            raise MalformedError("claim: nothing is claimed, or a number lacks its other")


def any_entry(value: Json, *, replaced: bool = False) -> tuple[bytes, Json]:
    """The canonical bytes of a mechanism, and its count as it stands; whether one is replaced."""
    if is_noise(value):
        shape, count = noise_entry(value, replaced=replaced)
    else:
        shape, count = _by_parameters(value)
    return canonical_bytes(shape), count


def _by_parameters(value: Json) -> tuple[dict[str, Json], Json]:
    """The same of a mechanism given by (ε, δ) or by ρ."""
    keys = ("rho",) if isinstance(value, dict) and "rho" in value else ("epsilon", "delta")
    parts = members(value, keys[:1], "mechanism", ("count", "label", *keys[1:]))
    string(parts.get("label", ""), "label")
    texts = {key: plain_text(parts.get(key, "0"), key) for key in keys}
    return {key: canonical(parse(text)) for key, text in texts.items()}, parts.get("count", "1")
