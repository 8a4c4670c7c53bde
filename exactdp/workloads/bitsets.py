r"""Sets of small integers as Python integers: bit i stands for i.

Rules of this file: no step is taken for each bit of a set but where its members are listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Bitset = int
"""A set of small integers."""


def bitset(indices: Iterable[int]) -> Bitset:
    """The set of these integers."""
    places = list(indices)
    octets = bytearray(max(places, default=-1) // 8 + 1)
    for i in places:
        octets[i >> 3] |= 1 << (i & 7)
    return int.from_bytes(octets, "little")


def members(queries: Bitset) -> Iterator[int]:
    """The integers of a set, in increasing order.

    >>> list(members(0b10110))
    [1, 2, 4]
    """
    if queries.bit_count() << 5 < queries.bit_length():
        while queries:
            low = queries & -queries
            yield low.bit_length() - 1
            queries ^= low
        return
    octets = queries.to_bytes((queries.bit_length() + 7) // 8, "little")
    for place, octet in enumerate(octets):
        if octet:
            for digit in range(8):
                if octet >> digit & 1:
                    yield 8 * place + digit


def union(sets: Iterable[Bitset]) -> Bitset:
    """The union of sets."""
    everything = 0
    for each in sets:
        everything |= each
    return everything
