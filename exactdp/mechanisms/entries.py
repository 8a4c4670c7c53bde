r"""Entries of every family: the tables of their keys, and the mechanism of an entry.

Rules of this file: everything here is derived from the keys that the families declare.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from exactdp.errors import InputError
from exactdp.mechanisms import FAMILIES, Family
from exactdp.mechanisms.keys import IN_BATCHES, JsonEntry, Key, TextOf, listed

_DECLARED: Final = {key.name: (key, family) for family in FAMILIES for key in family.KEYS}
KEYS: Final[Mapping[str, Key]] = {name: key for name, (key, _) in _DECLARED.items()}
"""All keys that name a family or join others, in the order of the families."""
JOINING: Final = tuple(key for key in KEYS.values() if key.joins)
"""Those beside others: a clip, a rate, and how records are shuffled."""
NOTIONS: Final = tuple(name for name, key in KEYS.items() if not key.joins)
"""Those of which an entry has exactly one."""
SHUFFLED: Final = KEYS["shuffled"]
"""The one whose cells exclude all others beside a deviation."""
BESIDE: Final[Mapping[str, tuple[str, ...]]] = {
    name: (
        *KEYS[name].further,
        *(column for key in JOINING if name in key.joins for column in key.columns),
    )
    for name in NOTIONS
    if KEYS[name].in_cells
}
"""Of flat cells, which may stand beside the one that names the family."""
FLAT: Final = tuple(dict.fromkeys(name for names in BESIDE.values() for name in names))
"""The cells beside others, once."""
DEFAULTS: Final[Mapping[str, Any]] = {
    name: default
    for key in KEYS.values()
    for name, default in (*key.further.items(), (key.name, key.default))
    if default is not None
} | {"count": 1}
"""What a parameter is where it is left out: of every family, and in every reader."""


def mechanism_of(entry: JsonEntry, text_of: TextOf = str) -> Family:
    """The mechanism of an entry whose shape the schema has checked.

    Raises:
        InputError: its keys name no family, a value is out of range, or a rate stands beside what
            cannot be sampled.

    >>> mechanism_of({"mu": "1/2", "count": 3})
    <GaussianMechanism: mu=0.5, count=3>
    """
    names = [name for name in NOTIONS if name in entry]
    if len(names) != 1:
        raise InputError(
            field="mechanism",
            value=", ".join(entry) or "nothing",
            expected=f"exactly one of {listed(NOTIONS, 'and')}",
        )
    batched = [name for name in IN_BATCHES if name in entry]
    if len(batched) > 1:
        raise InputError(
            field=batched[0],
            value=f"beside {batched[1]}",
            expected="one way in which records come into batches",
            remedy="write the epochs of each way as a mechanism of their own",
        )
    name = next((key.name for key in JOINING if key.name in entry), names[0])
    return _DECLARED[name][1].from_entry(entry, text_of)
