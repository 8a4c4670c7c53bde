r"""What rules that lead from a subject to a ledger have in common.

Sources: certs/SPEC.md, sections 8 and 9.
"""

from __future__ import annotations

from typing import ClassVar, Never, Self

from ..format.strict_json import Json
from ..kernel import Rule, S
from .rule import read_parameters


class Reduction(Rule[S, Never]):
    """A rule that concludes that a ledger stands in for what it is about, for a kind of bound."""

    kinds: ClassVar[tuple[str, ...]]

    @property
    def kind(self) -> str:
        """The kind of bound that is carried over."""
        return self.kinds[0]

    @classmethod
    def read(cls, value: Json) -> Self:
        """The step, from its parameters."""
        return cls(**read_parameters(cls, value)[1])
