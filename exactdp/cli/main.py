r"""The entry point: run a command, turn every ending into the right exit code.

Rules of this file: it imports nothing heavy before the guard stands; a user sees a sentence, never
a trace; standard output holds the answer alone, in ``--json`` exactly one object.

Theory of operation: a signal ends the process at once, from its handler. Nothing has to be unwound
for that: all that commands change outside the process is files, and these are written while
signals are held (:mod:`exactdp.cli.files`). So no import, destructor or ``except`` can swallow an
interrupt or print a trace of it. Callers of :func:`run` keep their own handlers.

Exit codes: 0 done · 1 refuted, rejected or unsound · 2 bad input, or output that cannot be
written · 3 undecided within limits · 70 internal error · 128 + n ended by signal n: 130
interrupted, 141 the reader of a pipe has gone, 143 terminated.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

_INTERRUPTED = 128 + 2
_READER_GONE = 128 + 13
_SHOW_CURSOR = b"\x1b[?25h"


def main() -> NoReturn:
    """Run the command line of this process, then exit."""
    _on_signals(_end_at_once)
    try:
        _prepare_streams()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = _INTERRUPTED
    except BrokenPipeError:
        code = _READER_GONE
        _discard_output()
    _on_signals(signal.SIG_IGN)  # the answer has been given; nothing may change the exit code
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code.

    Raises:
        KeyboardInterrupt: interrupted; nothing partial has been written.
        BrokenPipeError: the reader of standard output has gone.
    """
    try:
        from exactdp.cli.output import report_error  # noqa: PLC0415 (guard)
    except ImportError as error:
        return _without_a_command_line(error)

    as_json = "--json" in arguments
    command = next((word for word in arguments if not word.startswith("-")), "")
    try:
        from exactdp.cli.application import invoke  # noqa: PLC0415 (guard)

        return invoke(list(arguments))
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except Exception as error:  # noqa: BLE001 (the last resort: a bug becomes a sentence)
        from exactdp.cli.missing import known_error  # noqa: PLC0415 (guard)

        known = known_error(error)
        report_error(known, command=command, as_json=as_json)
        return known.exit_code


def _without_a_command_line(error: ImportError) -> int:
    """Say which package is missing, where it is one that errors are written with."""
    from exactdp.cli.missing import lack_of  # noqa: PLC0415 (guard)

    lack = lack_of(error)
    if lack is None:
        raise error
    sys.stderr.write(f"exactdp: {lack}\n")
    return lack.exit_code


def _on_signals(action: object) -> None:
    """Answer the signals that ask a process to end; one that is ignored stays ignored (nohup)."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, action)  # type: ignore[arg-type]  # a handler or SIG_IGN


def _end_at_once(number: int, _frame: object) -> NoReturn:
    try:
        if os.isatty(2):  # a progress display may have hidden the cursor
            word = b"interrupted" if number == signal.SIGINT else b"terminated"
            os.write(2, _SHOW_CURSOR + b"\n" + word + b"\n")
    finally:
        os._exit(128 + number)


def _prepare_streams() -> None:
    """UTF-8 out, whatever the locale says; standard input and error exist even if closed."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123 (for good)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 (for good)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]


def _discard_output() -> None:
    from exactdp.cli.output import discard_output  # noqa: PLC0415 (guard)

    discard_output()


if __name__ == "__main__":
    main()
