r"""Configurations of the Census Bureau's programs: how much of a budget each table spends.

Rules of this file: every number below ``privacy_budget``, or whose key begins so, is a
mechanism's, in the privacy definition that ``privacy_defn`` names; where that is another, the file
is refused. How a budget is divided between stages is not read: the stages add up to it. Which
tables are about different people is not said there, so that all of them are composed.

Sources: U.S. Census Bureau, privacy budget files of 2020: the Supplemental Demographic and Housing
Characteristics File (S-DHC), and the Detailed ones (Detailed DHC-A and B, SafeTab-P and H).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from exactdp.errors import InputError
from exactdp.ledger.formats.strict_json import nodes, parse
from exactdp.ledger.model import Ledger
from exactdp.ledger.rows import ledger_of_rows

_BUDGET: Final = "privacy_budget"
_DEFINITION: Final = "privacy_defn"
_PARAMETERS: Final[Mapping[str, str]] = {"zcdp": "rho", "puredp": "epsilon"}
_DIVIDED: Final = "_fraction"
_BEGIN: Final = 200


def recognises(data: bytes) -> bool:
    """Whether the bytes begin as a configuration."""
    begin = data[:_BEGIN]
    return begin.startswith(b"{") and f'"{_BUDGET}'.encode() in begin


def read(data: bytes) -> Ledger:
    """Read the budget of each table.

    Raises:
        InputError: no such configuration, or another privacy definition.

    >>> read(b'{"privacy_budget": {"PH2": {"usa": 0.25}}, "privacy_defn": "zcdp"}').size
    1
    """
    document = parse(data)
    stated = document.tree.get(_DEFINITION)
    if not isinstance(stated, str) or stated not in _PARAMETERS:
        raise InputError(
            field=_DEFINITION,
            value="nothing" if stated is None else document.shown(stated),
            path=f"$.{_DEFINITION}",
            expected=" or ".join(_PARAMETERS),
        )
    parameter = _PARAMETERS[stated]
    budgets = {
        key: value
        for key, value in document.tree.items()
        if key.startswith(_BUDGET) and not key.endswith(_DIVIDED)
    }
    rows = [
        {
            "label": " ".join(map(str, keys)).removeprefix(_BUDGET).lstrip("_ "),
            parameter: document.text_of(value),
        }
        for keys, value in nodes(budgets)
        if not isinstance(value, dict | list)
    ]
    others = [key for key in document.tree if key not in (*budgets, _DEFINITION)]
    ledger = ledger_of_rows(rows)
    sentence = f"{len(rows)} numbers of {_BUDGET}, each read as {parameter} of its own"
    unread = f"; not read: {', '.join(others)}" if others else ""
    return Ledger(ledger.mechanisms, reading=(f"{sentence}{unread}",))
