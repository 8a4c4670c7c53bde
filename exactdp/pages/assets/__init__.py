r"""What a page is made of: its frame, style and script, and the verified checker.

Rules of this file: each is in the page as it is in the package, so that its digest says what it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from exactdp.certificate.rule_table import RULES
from exactdp.mechanisms import FAMILIES

CHECKER: Final = "checker.js"
"""The extracted checker, compiled by js_of_ocaml: ``make -C proofs ship`` writes it."""
UNKNOWN_RULES: Final[tuple[str, ...]] = (
    "gdp-sum",
    "group-noise",
    "group-path",
    "shares",
    "zcdp-sum",
)
"""The rules that the verified checker does not know; tests ask it about certificates by all."""
UNKNOWN_OF_NOISE: Final[tuple[str, ...]] = ("sum", "trivial")
"""Rules that it knows of mechanisms by their parameters alone."""
PARAMETERS: Final = ("count", "delta", "epsilon", "mu", "rho", "where")
"""The keys of these mechanisms; any other is one of noise, which the two rules are not known of."""
UNKNOWN_FAMILIES: Final = (
    "clip",
    "mu_squared",
    *(key.name for family in FAMILIES if not family.HAS_LEMMA for key in family.KEYS[:1]),
    "records",
)
"""What mechanisms may be given by that the verified checker refuses to judge."""


@cache
def asset(name: str) -> str:
    """A file of the page, as it is in the package."""
    return (files(__name__) / name).read_text(encoding="utf-8")


def checker() -> str:
    """The verified checker."""
    return asset(CHECKER)


def digest_of_checker() -> str:
    """SHA-256 of the verified checker."""
    return hashlib.sha256(checker().encode()).hexdigest()


def unknown_rules() -> list[str]:
    """The rules that the verified checker does not know."""
    return [*UNKNOWN_RULES]


def checker_knows(rule: str) -> bool:
    """Whether the verified checker has a rule of this name."""
    return rule in RULES and rule not in UNKNOWN_RULES


def is_by_noise(entries: Iterable[Mapping[str, object]]) -> bool:
    """Whether some of the mechanisms are given by their noise."""
    return any(each.keys() - {*PARAMETERS} for each in entries)


def unknown_families(entries: Iterable[Mapping[str, object]]) -> list[str]:
    """What some of the mechanisms are given by that the verified checker does not know."""
    keys = {key for entry in entries for key in (*entry, *_within(entry))}
    return [family for family in UNKNOWN_FAMILIES if family in keys]


def _within(entry: Mapping[str, object]) -> Iterator[str]:
    """The parameters that are nested in an entry."""
    for value in entry.values():
        yield from value if isinstance(value, Mapping) else ()
