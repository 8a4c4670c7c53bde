r"""The entry point: run a command, turn every ending into the right exit code.

Rules of this file: it imports nothing heavy before the interrupt guard stands; a user sees a
sentence, never a trace; standard output holds the answer alone, in ``--json`` exactly one object.

Exit codes: 0 done · 1 refuted, rejected or unsound · 2 bad input · 3 undecided within limits ·
70 internal error · 130 interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

_INTERRUPTED = 130
_INTERNAL = 70


def main() -> NoReturn:
    """Run the command line of this process, then exit."""
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        code = _interrupted()
    except BrokenPipeError:
        # The reader has gone: nothing to say, and nothing to flush at shutdown either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    from exactdp.cli.output import report_error, report_internal_error  # noqa: PLC0415 (guard)
    from exactdp.errors import ExactDPError  # noqa: PLC0415 (guard)

    as_json = "--json" in arguments
    command = next((word for word in arguments if not word.startswith("-")), "")
    try:
        from exactdp.cli.commands import invoke  # noqa: PLC0415 (guard)

        return invoke(list(arguments))
    except ExactDPError as error:
        report_error(error, command=command, as_json=as_json)
        return error.exit_code
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except MemoryError:
        report_internal_error("out of memory", command=command, as_json=as_json)
        return _INTERNAL
    except Exception as error:  # noqa: BLE001 (the last resort: a bug becomes a sentence)
        report_internal_error(f"{type(error).__name__}: {error}", command=command, as_json=as_json)
        return _INTERNAL


def _interrupted() -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.stderr.isatty():
        sys.stderr.write("\ninterrupted; nothing was written\n")
    return _INTERRUPTED


if __name__ == "__main__":
    main()
