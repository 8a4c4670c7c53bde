r"""What is known for a group at a δ: an upper end, a lower one, and the ways they were found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.results import EvidenceKind
from exactdp.ledger.model import Ledger

GroupRule = Literal["group-privacy", "group-mechanisms", "group-noise", "group-path"]

_EXPLANATIONS: Final[dict[GroupRule, str]] = {
    "group-privacy": "the bound for neighbours, scaled by group privacy",
    "group-mechanisms": "the mechanisms, each scaled for the group, composed",
    "group-noise": "what each mechanism is for the group, composed",
    "group-path": "bounds for neighbours, one after the other along a path",
}


@dataclass(frozen=True, slots=True)
class GroupBound:
    """The least ε that is derived for a group at a δ, and what is certain from below.

    Attributes:
        ledger: what was composed.
        group: of how many the inputs may differ.
        delta: the δ for the group.
        lower: an ε that the group does not keep; None if no finite ε is enough.
        upper: an ε that every composition keeps for the group; None if none is derived.
        method: the rule by which ``upper`` was found; None without one.
        other: what the other way gives: "no less" or "nothing"; "" if no other was asked.
        of_neighbours: whether ``lower`` is that of neighbours.
    """

    ledger: Ledger
    group: int
    delta: mpq
    lower: mpq | None
    upper: ExactNumber | None
    method: GroupRule | None
    other: str
    of_neighbours: bool
    _upper: Callable[[], Certificate | None]
    _lower: Callable[[], Certificate | None]

    @property
    def evidence(self) -> EvidenceKind:
        """What ``upper`` rests on: a step along a path may lie too near its limits for a proof."""
        along = self.method == "group-path"
        return "computed" if along and self.upper_certificate() is None else "certificate"

    @property
    def explanation(self) -> str:
        """How the upper end was found, in words."""
        if self.method is None and not self.of_neighbours:
            return "no finite ε is derived: failures alone may exceed the δ"
        if self.method is None:
            return "no finite ε is derived: the δ that is left for neighbours is infeasible"
        return _EXPLANATIONS[self.method]

    def upper_certificate(self) -> Certificate | None:
        """The proof that ``upper`` is enough."""
        return self._upper()

    def lower_certificate(self) -> Certificate | None:
        """The proof that ``lower`` is not enough; None if it is 0."""
        return self._lower()
