r"""Multisets: what is equal counted once, and what adds up added.

Rules of this file: the order is that of ``certs/SPEC.md``, section 7.4: randomized responses by
their texts, Gaussian noise without sampling as one, and the others as they stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from gmpy2 import mpq

from exactdp.mechanisms.approximate import RandomizedResponse
from exactdp.mechanisms.family import Family
from exactdp.mechanisms.gaussian import GaussianPair
from exactdp.mechanisms.pairs import CountedPair

_F = TypeVar("_F", bound=Family)


def merged(entries: Iterable[_F]) -> tuple[_F, ...]:
    """Equal parameters as one entry with a count, without labels, in the order of the first."""
    counts: dict[_F, int] = {}
    for entry in entries:
        unlabelled = entry.without_label()
        counts[unlabelled] = counts.get(unlabelled, 0) + entry.count
    return tuple(entry.without_label(count) for entry, count in counts.items())


def gathered(pairs: Iterable[CountedPair]) -> tuple[CountedPair, ...]:
    """Pairs in the order of the format: responses of one text and Gaussian noise added up."""
    responses: Counter[str] = Counter()
    known: dict[str, RandomizedResponse] = {}
    square = mpq(0)
    others: list[CountedPair] = []
    for pair, count in pairs:
        if isinstance(pair, RandomizedResponse):
            text = str(pair.epsilon)
            known[text] = pair
            responses[text] += count
        elif isinstance(pair, GaussianPair):
            square += count * pair.square
        else:
            others.append((pair, count))
    gaussian = ((GaussianPair(square), 1),) if square else ()
    return (*((known[text], responses[text]) for text in sorted(responses)), *gaussian, *others)
