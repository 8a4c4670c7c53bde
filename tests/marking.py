"""Values of parameters: few of them in the fast suite and all in CI, or all of them in one test."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar, cast

import pytest

Test = TypeVar("Test", bound=Callable[..., None])


def slow_after(number: int, values: Iterable[Any]) -> list[Any]:
    """Values for ``parametrize``, of which all but the first ``number`` are marked slow."""
    return [
        value if position < number else pytest.param(value, marks=pytest.mark.slow)
        for position, value in enumerate(values)
    ]


def slow_among(slow: Collection[Any], values: Iterable[Any]) -> list[Any]:
    """Values for ``parametrize``, of which these are marked slow."""
    return [
        pytest.param(value, marks=pytest.mark.slow) if value in slow else value for value in values
    ]


def each_case(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Parametrise as ``parametrize`` does, in one test: for many small cases.

    The case that fails is named beside the error. Fixtures are made once for all cases.
    """
    arguments = names.replace(" ", "").split(",") if isinstance(names, str) else [*names]
    listed = [*cases]
    assert listed, "no cases"

    def decorated(test: Test) -> Test:
        signature = inspect.signature(test)
        others = [each for name, each in signature.parameters.items() if name not in arguments]

        @functools.wraps(test)
        def every_case(**fixtures: object) -> None:
            for case in listed:
                values = [case] if len(arguments) == 1 else case
                try:
                    test(**dict(zip(arguments, values, strict=True)), **fixtures)
                except BaseException as error:
                    error.add_note(f"The case: {case!r}")
                    raise

        vars(every_case)["__signature__"] = signature.replace(parameters=others)
        return cast("Test", every_case)

    return decorated
