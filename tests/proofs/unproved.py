"""The rules and families of mechanisms that the extracted checker does not know yet."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.families import NOISE_ON_INTEGERS

WITHOUT_LEMMA: frozenset[str] = frozenset(
    {"gdp-sum", "group-noise", "group-path", "shares", "zcdp-sum"}
)
WITHOUT_CHECK = WITHOUT_LEMMA
UNKNOWN_FAMILIES: tuple[str, ...] = (
    "clip",
    "mu_squared",
    *(noise.key for noise in NOISE_ON_INTEGERS if not noise.is_checked),
    "allocated",
    "fixed_size",
    "factorization",
    "shuffled_reports",
    "constraints",
    "selection",
    "records",
    "records_per_person",
)
"""What mechanisms are given by that the checker refuses to judge, or some of which it does."""
KNOWN_IN_PART: Final = frozenset(
    {
        "clip",
        "constraints",
        "factorization",
        "fixed_size",
        "mu_squared",
        "records",
        "records_per_person",
        "selection",
        "shuffled_reports",
    }
)
"""Those of which it judges some; a batch of a fixed size has its records too."""

_BY_ONE_THEOREM: Final = re.compile(rb'"rho":"(?!0")|"rule":"(moments|zcdp-pair)"')
"""What the checker knows no theorem for where it is interleaved with others."""
_BY_NOISE: Final = re.compile(
    rb'"(laplace|discrete_\w+|skellam|bounded_range|pair|renyi|rate|shuffled)":'
)
"""What it does not take for interactive, and of what it does not know two rules."""
_BY_LOSSES: Final = re.compile(rb'"rule":"(sum|trivial)"')
_OF_NO_LIST: Final = re.compile(rb'"type":"(budget|interactive)"')
"""A subject that lists no mechanisms by their noise."""
MORE_THAN_CLONES: Final = {"mesh-upper-blanket", "mesh-upper-local-epsilon"}
"""Randomized response of three values, which it takes for any local randomizer."""

_OF_ANOTHER_NOTION: Final = re.compile(rb'"kind":"[a-z]+",("mu":|"neighbouring":"[a-z-]+","rho":)')
"""A statement in μ or ρ, which is none that it reads."""


def is_known_in_part(file: Path) -> bool:
    """Whether the checker may refuse what holds, and may also accept it."""
    whole = [family for family in UNKNOWN_FAMILIES if family not in KNOWN_IN_PART]
    return is_beyond_the_checker(file) and not is_beyond_the_checker(file, whole)


def is_beyond_the_checker(file: Path, families: Iterable[str] = UNKNOWN_FAMILIES) -> bool:
    """Whether the checker, which knows not all rules and families, may refuse what holds."""
    data = file.read_bytes()
    unknown = [f'"rule":"{rule}"' for rule in WITHOUT_CHECK]
    is_of_losses = _BY_LOSSES.search(data) and not _OF_NO_LIST.search(data)
    if _OF_ANOTHER_NOTION.search(data) or (is_of_losses and _BY_NOISE.search(data)):
        return True
    if b'"interaction":"concurrent"' in data and b'"type":"mechanisms"' in data:
        by_one_theorem = b'"vadhan-zhang-2023-f-dp"' in data and _BY_ONE_THEOREM.search(data)
        if by_one_theorem or _BY_NOISE.search(data):
            return True
    if b'"type":"mechanisms"' in data or b'"type":"workload"' in data:
        unknown += [f'"{family}":' for family in families]
    return any(text.encode() in data for text in unknown)
