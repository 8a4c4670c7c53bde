r"""What a page is made of: its frame, style and script, and the verified checker.

Rules of this file: each is in the page as it is in the package, so that its digest says what it is.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import Final

from exactdp.certificate.rule_table import RULES

CHECKER: Final = "checker.js"
"""The extracted checker, compiled by js_of_ocaml: ``make -C proofs ship`` writes it."""


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
    return [rule for rule in RULES if not checker_knows(rule)]


def checker_knows(rule: str) -> bool:
    """Whether the verified checker has a rule of this name, which then stands in it as a text."""
    return f'"{rule}"' in checker()
