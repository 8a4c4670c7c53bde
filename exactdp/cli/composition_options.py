r"""Options of the commands that compose a ledger: which ledger, what is asked of it, and how.

Rules of this file: each option is declared here once; ``compose``, ``profile``, ``certify`` and
``bounds`` receive those that they share as one :class:`Request`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Final

import click

from exactdp.answers.arguments import DEFAULT_TOLERANCE, NOISE_TOLERANCE
from exactdp.certificate.theorems import CONCURRENT
from exactdp.cli.asides import aside_options
from exactdp.cli.options import inline_option, json_option, max_cost_option, stem_of
from exactdp.cli.replacing import Command
from exactdp.composition.engines.engine import METHODS
from exactdp.composition.engines.planner import DEFAULT_MAX_COST
from exactdp.errors import InputError
from exactdp.ledger.formats.inline import ledger_of_inline, parse_inline
from exactdp.ledger.model import INTERACTION, Ledger
from exactdp.ledger.nothing import something_of
from exactdp.ledger.reading import read_ledger
from exactdp.literature import ALGORITHMS
from exactdp.timing.clock import Clock

_CERTIFICATE_KEYS: Final = ("derivation", "digest", "statement")
_NAMES: Final = tuple(theorem.name for theorem in CONCURRENT)
_THEOREMS: Final = ", ".join(_NAMES)


@dataclass(frozen=True, slots=True)
class Request:
    """What the commands that compose a ledger are all asked.

    Attributes:
        ledger: what to compose, with the interaction that was asked for.
        source: the file that it was read from; None for mechanisms on the command line.
        theorem: the theorem of concurrent composition to rest on; None for the strongest.
        group: of how many the inputs may differ.
        method: the engine; None for the cheapest.
        max_cost: the limit of work.
        as_json: whether one JSON object is printed, or text.
        begun: runs since before the ledger was read.
    """

    ledger: Ledger
    source: str | None
    theorem: str | None
    group: int
    method: str | None
    max_cost: int
    as_json: bool
    begun: Clock

    def clock_of(self, time_limit: int | None) -> Clock:
        """A time limit that has begun to run already."""
        return Clock(None if time_limit is None else time_limit - self.begun.elapsed)

    @property
    def stem(self) -> str:
        """What files made from the ledger are called."""
        return stem_of(self.source)

    def refuse_beside_group(self, **others: object) -> None:
        """Refuse options that have no meaning for groups.

        Raises:
            InputError: one of them was given.
        """
        for name, value in others.items():
            if value not in (None, False):
                raise InputError(
                    field=f"--{name.replace('_', '-')}",
                    value=str(value),
                    expected=f"not to be given with --group {self.group}",
                    remedy="leave out one of the two; --certificates and --json know groups",
                )


def request_options(command: Callable[..., int]) -> Callable[..., int]:
    """The options of a :class:`Request`, LEDGER and -m excepted (:func:`ledger_options`)."""

    @wraps(command)
    def with_request(  # noqa: PLR0913 (one argument for each option)
        *,
        source: str | None,
        inline: tuple[str, ...],
        interaction: str | None,
        theorem: str | None,
        group: int,
        method: str | None,
        max_cost: int,
        as_json: bool,
        **others: Any,  # noqa: ANN401 (the command's own options, whatever they are)
    ) -> int:
        begun = Clock()
        ledger = scoped(find_ledger(source, inline), interaction, theorem)
        request = Request(ledger, source, theorem, group, method, max_cost, as_json, begun)
        return command(request, **others)

    for option in (
        json_option,
        engine_options,
        group_option("For inputs that differ in up to G places (group privacy)."),
        click.option(
            "--theorem",
            metavar="NAME",
            help=f"For concurrent composition: {_THEOREMS} (default: the strongest).",
        ),
        interaction_option,
    ):
        with_request = option(with_request)
    return with_request


def ledger_options(command: Command) -> Command:
    """LEDGER, or mechanisms on the command line."""
    command = inline_option("A mechanism, instead of LEDGER; may be repeated.")(command)
    command = aside_options(command)
    return click.argument("source", metavar="LEDGER", required=False)(command)


def many_ledgers_options(command: Command) -> Command:
    """LEDGER…, or mechanisms on the command line, for a :class:`ManyCommand`."""
    command = inline_option("A mechanism, instead of LEDGER; may be repeated.")(command)
    command = aside_options(command)
    return click.argument("source", metavar="LEDGER…", nargs=-1)(command)


def engine_options(command: Command) -> Command:
    """How to compose, and within which limit."""
    command = click.option(
        "--method",
        metavar="|".join(METHODS),
        callback=_refuse_algorithm,
        help="Force an engine (default: the cheapest).",
    )(command)
    return composition_cost_option("Refuse work predicted to cost more")(command)


def _refuse_algorithm(
    _context: click.Context, _option: click.Parameter, method: str | None
) -> str | None:
    """The engine; an algorithm of the papers is none.

    Raises:
        InputError: the name is that of an algorithm of the papers.
    """
    if method in ALGORITHMS:
        raise InputError(
            field="--method",
            value=method,
            expected=" or ".join(METHODS),
            remedy=f"the papers' algorithms have a command of their own: exactdp papers {method}",
        )
    return method


def composition_cost_option(meaning: str) -> Callable[[Command], Command]:
    """The limit of work for compositions."""
    return max_cost_option(DEFAULT_MAX_COST, meaning)


def tolerance_option(
    meaning: str, default: str | None = DEFAULT_TOLERANCE
) -> Callable[[Command], Command]:
    """The width of the printed interval; None as the default leaves it to the ledger."""
    shown = default or f"{DEFAULT_TOLERANCE}, or {NOISE_TOLERANCE} with noise"
    return click.option(
        "--tolerance", default=default, show_default=shown, metavar="T", help=meaning
    )


def time_limit_option(meaning: str) -> Callable[[Command], Command]:
    """How long to refine what is certain already."""
    return click.option("--time-limit", type=click.IntRange(min=1), metavar="SECONDS", help=meaning)


def delta_option(command: Command) -> Command:
    """The global δ."""
    return click.option(
        "--delta", metavar="D", help="The global δ (default: the ledger's target_delta)."
    )(command)


def interaction_option(command: Command) -> Command:
    """One after the other, or interleaved."""
    return click.option(
        "--interaction",
        metavar="|".join(INTERACTION),
        help="How the mechanisms are composed (default: as the ledger says).",
    )(command)


def group_option(meaning: str) -> Callable[[Command], Command]:
    """Of how many the inputs may differ."""
    return click.option(
        "--group", type=click.IntRange(1, 10**18), default=1, metavar="G", help=meaning
    )


def scoped(ledger: Ledger, interaction: str | None, theorem: str | None = None) -> Ledger:
    """The ledger with the interaction that was asked for.

    Raises:
        InputError: there is no such interaction or theorem, or the theorem is not about it.
    """
    if interaction is not None:
        if interaction not in INTERACTION:
            raise InputError(
                field="--interaction", value=interaction, expected=" or ".join(INTERACTION)
            )
        ledger = replace(ledger, interaction=interaction)
    if theorem is not None and theorem not in _NAMES:
        raise InputError(field="--theorem", value=theorem, expected=f"one of {_THEOREMS}")
    if theorem is not None and ledger.interaction != "concurrent":
        raise InputError(
            field="--theorem",
            value=theorem,
            expected="a ledger of mechanisms that are interleaved",
            remedy="add --interaction concurrent",
        )
    return ledger


def find_ledger(
    source: str | None,
    inline: tuple[str, ...],
    from_format: str | None = None,
    distance: str | None = None,
    *,
    may_be_empty: bool = False,
) -> Ledger:
    """The ledger that LEDGER, in the format named or in one it shows, or the options -m state.

    Raises:
        InputError: neither or both are given, or they cannot be read.
        NothingComposedError: it has no mechanisms, does not say that it is meant to be empty, and
            may not be.
    """
    if source is not None and inline:
        raise InputError(
            field="LEDGER",
            value=source,
            expected="either LEDGER or -m, not both",
            remedy="write the mechanisms of -m into the ledger",
        )
    if inline:
        return ledger_of_inline(inline)
    if source is None:
        raise InputError(
            field="LEDGER",
            value="nothing",
            expected="a file, - for standard input, or mechanisms with -m",
            remedy="for example: exactdp compose -m '0.1,1e-9*50' --delta 1e-6",
        )
    try:
        ledger = read_ledger(source, from_format, distance=distance)
    except InputError as error:
        raise _with_cure(error, source) from None
    return ledger if may_be_empty else something_of(ledger, source)


def _with_cure(error: InputError, source: str) -> InputError:
    """The error, with what the user probably meant."""
    if error.code == "unknown-key" and error.field in _CERTIFICATE_KEYS:
        expected, cure = "a ledger", "this is a certificate: see exactdp verify and exactdp explain"
    elif error.code == "unreadable" and "exists" in error.expected and _is_mechanism(source):
        expected, cure = error.expected, f"a mechanism is given with -m: -m '{source}'"
    else:
        return error
    return InputError(
        field=error.field,
        value=error.value,
        path=error.path,
        expected=expected,
        remedy=cure,
        code=error.code,
    )


def _is_mechanism(text: str) -> bool:
    try:
        parse_inline(text)
    except InputError:
        return False
    return True
