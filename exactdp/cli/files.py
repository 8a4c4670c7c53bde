r"""Writing files so that nothing partial is ever seen.

Theory of operation: content goes to a new file beside its destination, is flushed to the disk,
checked if there is a check, and renamed over the destination. Whatever interrupts this, the
temporary file is removed.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path

from exactdp.errors import InputError


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write several files; none appears before all are safely on the disk.

    Raises:
        InputError: a destination cannot be written.
    """
    with contextlib.ExitStack() as stack:
        staged = {path: stack.enter_context(_staged(path, data)) for path, data in contents.items()}
        with _signals_held():
            for path, temporary in staged.items():
                try:
                    temporary.replace(path)
                except OSError as error:
                    raise _unwritable(path, error) from None


@contextlib.contextmanager
def _staged(path: Path, data: bytes) -> Iterator[Path]:
    """A temporary file beside ``path`` that holds ``data``; removed unless it was renamed."""
    # The name is chosen before the file exists, so that no interrupt can leave it behind.
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        try:
            with temporary.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise _unwritable(path, error) from None
        yield temporary
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """Hold interrupts until all renames are done, so that files appear together or not at all."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    held = {signal.SIGINT, signal.SIGTERM}
    old = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(
        field="output",
        value=str(path),
        expected=f"a file that can be written ({error.strerror})",
        remedy="check that the directory exists and may be written",
    )
