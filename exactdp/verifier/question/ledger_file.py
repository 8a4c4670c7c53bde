r"""Whether a statement is about the ledger in a file.

Rules of this file: a ledger is about the same multiset of parameters if its merged entries are
equal in canonical text, whatever notions and families they are of. Every key of the format is
known here; another is refused.

Sources: certs/SPEC.md, section 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..format.numbers import canonical, parse_integer, rational_text
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, members, one_of, string
from ..format.strict_json import Json, Numeral, canonical_bytes, read
from ..rules.ledger import MAX_COUNT, NOTIONS, Ledger, Texts, notion_of
from ..rules.noise_ledger import RELATIONS, REPLACED, NoiseLedger
from ..statement import INTERACTIONS, Statement, Subject
from .grammar import parse
from .noise_entries import is_noise, noise_entry, noise_parameter, plain_text

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
_CLAIMED: Final = ("delta", "epsilon", "mu", "rho")
_BASES: Final = ("composition", "amplification", "finer-structure")


def check_ledger(subject: Ledger | NoiseLedger, statement: Statement, data: bytes) -> None:
    """Reject a statement that is not about the ledger in this file."""
    ledger = members(read(data, flags=("empty",)), ("mechanisms",), "ledger", _KEYS)
    one_of(ledger.get("format", _FORMAT), (_FORMAT,), "ledger format")
    _check_remarks(ledger)
    replaced = ledger.get("neighbouring") == REPLACED
    entries = _merged(array(ledger["mechanisms"], "mechanisms"), replaced=replaced)
    if ledger.get("empty", _FALSE) != _FALSE and (ledger["empty"] != _TRUE or entries):
        raise MalformedError("ledger: empty is neither false, nor true beside no mechanisms")
    _check_agreement(ledger, statement)
    said = subject.texts if isinstance(subject, NoiseLedger) else _entries(subject)
    if entries != said:
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
        parts = members(claim, ("basis", "source"), "claim", _CLAIMED)
        one_of(parts["basis"], _BASES, "basis")
        string(parts["source"], "source")
        for key in parts.keys() & _CLAIMED:
            plain_text(parts[key], key)
        if parts.keys().isdisjoint(_CLAIMED[1:]) or ("delta" in parts and "epsilon" not in parts):
            raise MalformedError("claim: not epsilon, with or without delta, nor mu, nor rho")


def _check_agreement(ledger: Mapping[str, Json], statement: Statement) -> None:
    neighbouring = one_of(ledger.get("neighbouring", "unspecified"), RELATIONS, "neighbouring")
    interaction = one_of(ledger.get("interaction", "adaptive"), INTERACTIONS, "interaction")
    if neighbouring != statement.neighbouring:
        raise RejectedError("the statement is not about this ledger: another neighbouring relation")
    if interaction != statement.interaction:
        raise RejectedError("the statement is not about this ledger: another interaction")


def _entries(ledger: Ledger) -> dict[bytes, int]:
    """The counts of a statement's ledger by what it says of each mechanism."""
    entries: dict[bytes, int] = {}
    for m in ledger.mechanisms:
        entries[key_of((0, (canonical(m.epsilon), rational_text(m.delta))))] = m.count
    for notion, scaled in ((1, ledger.gaussian), (2, ledger.concentrated)):
        for each in scaled:
            entries[key_of((notion, (rational_text(each.parameter),)))] = each.count
    return entries


def _merged(values: list[Json], *, replaced: bool) -> dict[bytes, int]:
    counts: dict[bytes, int] = {}
    for value in values:
        entry, count_value = any_entry(value, replaced=replaced)
        count = parse_integer(plain_text(count_value, "count"), 1, MAX_COUNT, "count")
        counts[entry] = counts.get(entry, 0) + count
    return counts


def any_entry(value: Json, *, replaced: bool = False) -> tuple[bytes, Json]:
    """The canonical bytes of a mechanism, and its count as it stands; whether one is replaced."""
    if is_noise(value):
        shape, count = noise_entry(value, replaced=replaced)
        return canonical_bytes(shape), count
    texts, count = _ledger_entry(value)
    return key_of(texts), count


def key_of(texts: Texts) -> bytes:
    """The canonical bytes of an entry without its count."""
    notion, numbers = texts
    return canonical_bytes(dict(zip(NOTIONS[notion], numbers, strict=True)))


def _ledger_entry(value: Json) -> tuple[Texts, Json]:
    """The notion and canonical texts of a ledger's mechanism, and its count as it stands."""
    noise = isinstance(value, dict) and "sigma" in value
    notion = 1 if noise else notion_of(value)
    required = "sigma" if noise else ("epsilon", "mu", "rho")[notion]
    further = () if notion else ("delta",)
    optional = ("count", "label", *(("sensitivity",) if noise else further))
    parts = members(value, (required,), "mechanism", optional)
    string(parts.get("label", ""), "label")
    if noise:
        texts: tuple[str, ...] = (rational_text(noise_parameter(parts)),)
    else:
        texts = (canonical(parse(plain_text(parts[required], required))),)
    if notion == 0:
        texts += (canonical(parse(plain_text(parts.get("delta", "0"), "delta"))),)
    return (notion, texts), parts.get("count", "1")
