r"""What the gate's work may take, and where the accountants are that it asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from exactdp.composition.planner import DEFAULT_MAX_COST

_GIB = 2**30


@dataclass(frozen=True, slots=True)
class GateLimits:
    """What the work may take.

    Attributes:
        max_cost: undecided is what is predicted to cost more.
        pythons: for each package of accountants, the interpreter that has it.
        programs: for each name, the command line of an accountant.
        seconds: for one answer of an accountant.
        memory: the bytes of address space that an accountant may use.
        remarks: the names of columns that hold no parameters, whatever is in them.
        budgets: whether Tumult's budgets were ``spent`` or ``remaining``.
        decimal: the decimal sign of CSV; None for what its numbers show.
        distance: the d_in of OpenDP's measurements.
    """

    max_cost: int = DEFAULT_MAX_COST
    pythons: Mapping[str, str] = field(default_factory=dict)
    programs: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 60.0
    memory: int = 8 * _GIB
    remarks: tuple[str, ...] = ()
    budgets: str | None = None
    decimal: str | None = None
    distance: str | None = None
