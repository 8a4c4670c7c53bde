r"""What commands print: one JSON object for machines, plain sentences for people.

Rules of this file: answers go to standard output, everything else to standard error; what comes
from outside is escaped before it can steer a terminal; nothing here computes.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Mapping
from typing import Final, TextIO

import click

from exactdp.cli.commands import COMMANDS
from exactdp.errors import ExactDPError, InputError
from exactdp.readable import escaped, printable

FORMAT: Final = "exactdp-output/1"
JSON: Final = "exactdp.json"
"""Under which a context remembers that JSON is asked for."""
_OUTPUT: Final = "standard output"


def remember_json(context: click.Context, _: click.Parameter, value: object) -> None:
    """Let the command print one JSON object, or text."""
    context.meta[JSON] = bool(value)


def wants_json() -> bool:
    """Whether the command prints one JSON object, or text."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(JSON))


def print_json(result: Mapping[str, object]) -> None:
    """The answer of a command, as its one JSON object, with what was heard of its input."""
    context = click.get_current_context()
    while context.parent is not None and context.parent.parent is not None:
        context = context.parent  # of a command within a group, the group
    heard = _heard()
    reading = {"reading": heard} if heard else {}
    name = context.command.name
    write(_json_text({"format": FORMAT, "command": name, **reading, "result": result}))


def hear(sentence: str) -> None:
    """Say what was not read of an input, once, and keep it for the answer in JSON."""
    heard = _heard()
    if sentence not in heard:
        heard.append(sentence)
        say(sentence)


def _heard() -> list[str]:
    """What was heard since the command began."""
    context = click.get_current_context(silent=True)
    found: list[str] = [] if context is None else context.meta.setdefault("exactdp.heard", [])
    return found


def report_error(error: ExactDPError, *, command: str, as_json: bool) -> None:
    """Why a command could not answer."""
    if not as_json or error.field == _OUTPUT:
        say(str(error))
        return
    known = command if command in COMMANDS else ""
    try:
        write(_json_text({"format": FORMAT, "command": known, "error": error_details(error)}))
    except InputError as unwritten:
        say(str(unwritten))


def error_details(error: ExactDPError) -> dict[str, str]:
    """The six fields of an error."""
    return {
        "code": error.code,
        "field": error.field,
        "value": error.value,
        "path": error.path,
        "expected": error.expected,
        "remedy": error.remedy,
    }


def write(text: str) -> None:
    """Print an answer, and see to it that it has left.

    Raises:
        InputError: standard output takes nothing more.
        BrokenPipeError: its reader has gone.
    """
    if sys.stdout is None:
        raise _unwritable("closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        raise _unwritable(error.strerror or "no reason given") from None


def is_terminal() -> bool:
    """Whether a person reads standard output as it is written."""
    return sys.stdout is not None and sys.stdout.isatty()


def say(sentence: str) -> None:
    """A sentence on standard error; if that fails, there is nobody to tell."""
    try:
        sys.stderr.write(f"exactdp: {printable(sentence)}\n")
        sys.stderr.flush()
    except OSError:
        _discard(sys.stderr)


def discard_output() -> None:
    """Forget what standard output could not take."""
    _discard(sys.stdout)


def _discard(stream: TextIO) -> None:
    """Send what is still buffered nowhere, so that the interpreter does not fail on it at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _json_text(document: Mapping[str, object]) -> str:
    text = json.dumps(document, ensure_ascii=False, indent=1)
    lines = (escaped(line, _in_json) for line in text.split("\n"))
    return "\n".join(lines) + "\n"


def compact_json(value: object) -> str:
    """A value of JSON without line breaks, and escaped as in all answers."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return escaped(text, _in_json)


def _in_json(letter: str) -> str:
    r"""A character within a text of JSON; a byte of a file's name that is not UTF-8 becomes \xff.

    A lone surrogate, by which Python stands for such a byte, is refused by many readers of JSON.
    """
    if "\ud800" <= letter <= "\udfff":
        byte = "\udc80" <= letter <= "\udcff"
        return f"\\\\x{ord(letter) - 0xDC00:02x}" if byte else f"\\\\u{ord(letter):04x}"
    return json.dumps(letter)[1:-1]


def _unwritable(reason: str) -> InputError:
    return InputError(
        field=_OUTPUT,
        value=reason,
        expected="a place that takes the answer",
        code="unwritable",
    )
