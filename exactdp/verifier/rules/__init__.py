r"""The rules: a file for each family, and the table of them all.

Rules of this file: a rule that is not in the table does not exist. The table holds the classes of
rules that one of the families below defines and gives a name, and no others.

Sources: certs/SPEC.md, sections 7 to 11.
"""

from __future__ import annotations

from types import ModuleType
from typing import Final

from ..kernel import AnyRule, Rule
from . import (
    atoms,
    cases,
    exact,
    filters,
    formula,
    fourier,
    gaussian,
    grid,
    groups,
    interactive,
    large_grids,
    mesh,
    mixtures,
    moments,
    parallel,
    trivial,
)

_FAMILIES: Final = (
    *(trivial, exact, atoms, grid, large_grids, fourier, moments, formula),
    *(gaussian, mixtures, groups, parallel, cases, interactive, filters, mesh),
)


def _rules_of(family: ModuleType) -> list[type[AnyRule]]:
    """The rules that a file defines: those that it imports stand in files of their own."""
    classes = (each for each in vars(family).values() if isinstance(each, type))
    own = (each for each in classes if each.__module__ == family.__name__)
    return [each for each in own if issubclass(each, Rule) and "name" in vars(each)]


RULES: Final = {rule.name: rule for family in _FAMILIES for rule in _rules_of(family)}
