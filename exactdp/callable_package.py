r"""Packages that can be called: ``exactdp.audit(ledger)`` asks what ``exactdp.audit`` is about.

Theory of operation: Python binds a package in its parent as soon as one of its modules is imported,
and a function of that name would be hidden from then on. So the package itself is called. Its class
is changed, as Python's data model provides for modules; the function is loaded by the first call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from inspect import Signature, signature
from types import ModuleType
from typing import Any


class CallablePackage(ModuleType):
    """A package that stands for one function of one of its modules."""

    home: tuple[str, str]
    """The module and the name of that function."""

    def __call__(self, *arguments: object, **named: object) -> Any:  # noqa: ANN401 (what it returns)
        """Call the function."""
        return self.function(*arguments, **named)

    @property
    def function(self) -> Callable[..., Any]:
        """The function."""
        module, name = self.home
        found: Callable[..., Any] = getattr(import_module(module), name)
        return found

    @property
    def __signature__(self) -> Signature:
        """The arguments of the function, for ``help`` and editors."""
        return signature(self.function)


def make_callable(package: str, module: str, function: str) -> None:
    """Let a package stand for a function of one of its modules."""
    found = sys.modules[package]
    found.__class__ = CallablePackage
    vars(found)["home"] = (f"{package}.{module}", function)
