"""Arguments of a wrong type, which are refused at run time too."""

from __future__ import annotations

from typing import Any


def untyped(value: object) -> Any:  # noqa: ANN401 (what type checkers are not to see)
    """The value, for a function whose types do not take it."""
    return value
