r"""What the commands that compose a ledger are asked: which ledger, and how.

Rules of this file: ``compose``, ``profile``, ``certify`` and ``bounds`` receive what they share as
one :class:`Request`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Final

from exactdp.asides import asides
from exactdp.certificate.theorems import CONCURRENT
from exactdp.cli.options import stem_of
from exactdp.errors import InputError
from exactdp.ledger.formats.inline import ledger_of_inline, parse_inline, taken_as_one
from exactdp.ledger.model import INTERACTION, Ledger
from exactdp.ledger.nothing import something_of
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
        begun: runs since before the ledger was read.
    """

    ledger: Ledger
    source: str | None
    theorem: str | None
    group: int
    method: str | None
    max_cost: int
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


def receive_request(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command what all commands that compose are asked as one :class:`Request`."""

    @wraps(command)
    def asked(
        *,
        source: str | None,
        inline: tuple[str, ...],
        interaction: str | None,
        theorem: str | None,
        group: int,
        method: str | None,
        max_cost: int,
        **others: Any,  # noqa: ANN401 (the command's own options, whatever they are)
    ) -> int:
        begun = Clock()
        ledger = scoped(find_ledger(source, inline), interaction, theorem)
        request = Request(ledger, source, theorem, group, method, max_cost, begun)
        return command(request, **others)

    return asked


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
        ledger = ledger_of_inline(inline)
        tell, sentence = asides().tell, taken_as_one(inline)
        if sentence and tell is not None:
            tell(sentence)
        return called(ledger)
    if source is None:
        raise InputError(
            field="LEDGER",
            value="nothing",
            expected="a file, - for standard input, or mechanisms with -m",
            remedy="for example: exactdp compose -m '0.1,1e-9*50' --delta 1e-6",
        )
    from exactdp.ledger.reading import read_ledger  # noqa: PLC0415 (-m needs no format of files)

    try:
        ledger = read_ledger(source, from_format)
    except InputError as error:
        raise _with_cure(error, source) from None
    return called(ledger if may_be_empty else something_of(ledger, source))


def called(ledger: Ledger) -> Ledger:
    """The ledger, under the name that it is given with --name."""
    name = asides().name
    return ledger if name is None else replace(ledger, name=name)


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
