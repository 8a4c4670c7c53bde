r"""Options that name accountants; what they mean is said in :mod:`exactdp.cli.accountants`.

Rules of this file: it imports no accountants, as not everyone who may name them does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from exactdp.errors import InputError


def pythons_of(texts: Iterable[str]) -> Mapping[str, str]:
    """What ``--python`` says: for each package, the interpreter that has it."""
    return _pairs(texts, "--python", "PACKAGE=PATH")


def programs_of(texts: Iterable[str]) -> Mapping[str, str]:
    """What ``--program`` says: for each name, a command line."""
    return _pairs(texts, "--program", "NAME=COMMAND")


def _pairs(texts: Iterable[str], option: str, expected: str) -> Mapping[str, str]:
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise InputError(field=option, value=text, expected=expected)
        pairs[name] = value
    return pairs
