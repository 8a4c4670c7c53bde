r"""Which question about a budget is asked; two at once, and options without a use, are refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import click
from click.core import ParameterSource

from exactdp.errors import InputError

_WITHOUT: Final[Mapping[str, Mapping[str, str]]] = {
    "allocate": {
        "source": "the statistics are in the file after --allocate",
        "inline": "the statistics are in the file after --allocate",
        "hold": "a statistic keeps its ε with --fix NAME=E",
        "method": "each split has the engine that fits it",
    },
    "count_of": {
        "hold": "a count leaves every mechanism as it is",
        "tolerance": "a count is a whole number",
    },
    "noise_of": {"hold": "the others stay as they are"},
    "rate_of": {"hold": "the others stay as they are"},
}


_SHOWN: Final = {"source": "LEDGER", "inline": "-m"}


def _is_given(name: str) -> bool:
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def _refuse_words_of_statistics() -> None:
    """Refuse options that speak of statistics where there are none."""
    for name in ("fix", "without", "confidence"):
        if _is_given(name):
            raise InputError(
                field=f"--{name}",
                value="given",
                expected=f"--allocate FILE beside --{name}",
                code="usage",
            )


def one_budget(epsilon: str | None, deltas: tuple[str, ...]) -> tuple[str, str | None]:
    """The one ε and the one δ of a budget for a ledger."""
    if epsilon is None:
        raise _bad_budget("--epsilon", "nothing", "a value, which exactdp budget needs")
    if len(deltas) > 1:
        raise _bad_budget("--delta", f"given {len(deltas)} times", "one value")
    return epsilon, deltas[0] if deltas else None


def _bad_budget(option: str, value: str, expected: str) -> InputError:
    return InputError(
        field=option,
        value=value,
        expected=expected,
        remedy="see exactdp budget --help",
        code="usage",
    )


def check_question(**labels: str | None) -> None:
    """Refuse two questions at once, and one beside an option that it has no use for."""
    given = [name for name, label in labels.items() if label is not None]
    if "allocate" not in given:
        _refuse_words_of_statistics()
    if not given:
        return
    option = f"--{given[0].replace('_', '-')}"
    if len(given) > 1:
        raise InputError(
            field=option,
            value=labels[given[0]],
            expected=f"one of {option} and --{given[1].replace('_', '-')}",
            code="usage",
        )
    for name, reason in _WITHOUT[given[0]].items():
        if _is_given(name):
            shown = _SHOWN.get(name, f"--{name}")
            raise InputError(
                field=shown,
                value="given",
                expected=f"no {shown} beside {option}",
                remedy=reason,
                code="usage",
            )
