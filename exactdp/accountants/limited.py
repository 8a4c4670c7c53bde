r"""Start a program within limits: ``python -I limited.py BYTES SECONDS PROGRAM [ARGUMENT…]``.

Rules of this file: the standard library only, and nothing of exactdp; it becomes the program, so
that whoever started it waits for, and ends, the program itself.

Theory of operation: limits that a process sets for itself hold for what it becomes. The address
space is limited to BYTES and the processor time to SECONDS; where the system can, the program ends
together with the process that started it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
from typing import Final, NoReturn

_PR_SET_PDEATHSIG: Final = 1


def main(arguments: list[str]) -> NoReturn:
    """Set the limits and become the program."""
    memory, seconds = int(arguments[0]), int(arguments[1])
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    for limit, value in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds)):
        with contextlib.suppress(OSError, ValueError):  # a lower one is in force
            resource.setrlimit(limit, (value, value))
    program = arguments[2:]
    try:
        os.execvp(program[0], program)  # noqa: S606 (a program that the user named, no shell)
    except OSError as error:
        sys.exit(f"{program[0]}: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1:])
