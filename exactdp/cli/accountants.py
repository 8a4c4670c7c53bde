r"""The accountants that options name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from exactdp.accountants.accountants import Accountant, chosen
from exactdp.accountants.process import Limits
from exactdp.cli.accountant_options import programs_of, pythons_of

_GIB: Final = 2**30


def accountants_of(
    names: Iterable[str], pythons: Iterable[str], programs: Iterable[str]
) -> tuple[Accountant, ...]:
    """The accountants that the options name.

    Raises:
        InputError: an unknown name, or an option that is no pair.
    """
    return chosen(tuple(names), pythons=pythons_of(pythons), programs=programs_of(programs))


def limits_of(timeout: float, memory: float) -> Limits:
    """What an accountant may use."""
    return Limits(timeout, int(memory * _GIB))
