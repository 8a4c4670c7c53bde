"""What the rules of the verifier declare, as tests ask for it."""

from __future__ import annotations

from dataclasses import fields

from exactdp.verifier.kernel import AnyRule
from exactdp.verifier.rules.rule import BoundRule


def parameters_of(rule: type[AnyRule]) -> tuple[str, ...]:
    """The names of its parameters besides those that every bound has, in order."""
    own = {each.name for each in fields(rule) if each.metadata}
    if issubclass(rule, BoundRule):
        own |= set(rule.keys) - set(BoundRule.keys)
    return tuple(sorted(own))
