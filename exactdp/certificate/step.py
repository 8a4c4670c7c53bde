r"""A step of a derivation, as the formulas of its cost see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import Stated


class Step(Protocol):
    """A step of a derivation, with what it is about."""

    @property
    def subject(self) -> Stated:
        """The mechanisms."""

    @property
    def bound(self) -> str:
        """The kind of bound."""

    @property
    def epsilon(self) -> ExactNumber | None:
        """None for every one."""

    @property
    def delta(self) -> mpq:
        """δ."""

    @property
    def parameters(self) -> Mapping[str, object]:
        """What stands in the step besides the bound."""

    @property
    def premise(self) -> Step | None:
        """What it is drawn from."""


def parameter(step: Step, name: str) -> str:
    """What stands in the step, as text."""
    return str(step.parameters[name])
