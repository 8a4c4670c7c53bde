r"""Writing files so that nothing partial is ever seen.

Rules of this file: a file appears whole or not at all, and several appear together or not at all;
whatever goes wrong, nothing is left behind, not even a directory that was made for them.

Theory of operation: content goes to a new file beside its destination, is flushed to the disk,
and is renamed over the destination once all are there. Signals are held meanwhile; one that
arrives before the renames stops them. They are held in Python, not in the kernel, for another
thread (that of the progress display) would take a signal that the main thread has blocked.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import stat
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from exactdp.errors import InputError

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


def check_file(path: Path, field: str) -> None:
    """Refuse early what could not be written later; nothing is touched.

    Raises:
        InputError: ``path`` is no regular file, or not in a directory that takes files.
    """
    with _refusals(path, field):
        mode = _mode(path)
        if mode is not None and not stat.S_ISREG(mode):
            what = "a directory" if stat.S_ISDIR(mode) else "a device, a pipe or a socket"
            raise _unwritable(path, f"a regular file, not {what}", field)
        directory = path.resolve().parent
        if _mode(directory) is None:
            raise _unwritable(path, "a file in a directory that exists", field)
        _check_writable(directory, path, field)


def keep_ledger(source: str | None, output: Path, field: str) -> None:
    """Refuse to write an answer over the ledger that it is about.

    Raises:
        InputError: they are the same file.
    """
    if source not in (None, "-") and output.exists() and output.samefile(str(source)):
        raise InputError(
            field=field,
            value=str(output),
            expected="a file other than the ledger",
            code="unwritable",
        )


def check_directory(path: Path, field: str) -> None:
    """Refuse early a directory in which nothing could be written; it need not exist yet.

    Raises:
        InputError: it is a file, or could not be made, or takes no files.
    """
    with _refusals(path, field):
        nearest, *_ = _existing_and_missing(path)
        _check_writable(nearest, path, field)


def _check_writable(directory: Path, path: Path, field: str) -> None:
    if not directory.is_dir():
        raise _unwritable(path, f"a place in a directory ({directory} is a file)", field)
    if not os.access(directory, os.W_OK | os.X_OK):
        raise _unwritable(path, f"a place to write ({directory} is write-protected)", field)


def write_together(contents: Mapping[Path, bytes], field: str) -> None:
    """Write several files, and the directories they need; none appears before all are on the disk.

    Raises:
        InputError: a destination cannot be written; nothing was.
        KeyboardInterrupt: a signal arrived before the end; nothing was written.
    """
    with _signals_held() as arrived, contextlib.ExitStack() as leftovers:
        staged = []
        for path, data in contents.items():
            with _refusals(path, field):
                _make_directory(path.parent, leftovers)
                check_file(path, field)
                staged.append((_stage(path, data, leftovers), path))
        if arrived():
            raise KeyboardInterrupt
        for temporary, path in staged:
            with _refusals(path, field):
                temporary.replace(path.resolve())
        leftovers.pop_all()


def _make_directory(directory: Path, leftovers: contextlib.ExitStack) -> None:
    _, *missing = _existing_and_missing(directory)
    for new in missing:
        new.mkdir(exist_ok=True)
        leftovers.callback(_attempt, new.rmdir)


def _stage(path: Path, data: bytes, leftovers: contextlib.ExitStack) -> Path:
    """A temporary file that holds ``data``."""
    # Beside the target of a link, as a rename must stay on one file system; short, as the
    # destination's name may be as long as names can be.
    temporary = path.resolve().parent / f".exactdp-{secrets.token_hex(8)}.tmp"
    leftovers.callback(_attempt, temporary.unlink)
    with temporary.open("xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    return temporary


def _existing_and_missing(path: Path) -> list[Path]:
    """The nearest ancestor of ``path`` that exists, then what is missing below it, in order."""
    steps = [path.resolve()]
    while _mode(steps[0]) is None:
        steps.insert(0, steps[0].parent)
    return steps


def _mode(path: Path) -> int | None:
    """The mode of what stands at ``path``, or None if nothing does."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None


def _attempt(action: Callable[[], None]) -> None:
    with contextlib.suppress(OSError):
        action()


@contextlib.contextmanager
def _signals_held() -> Iterator[Callable[[], bool]]:
    """Hold signals that would end the process; the function says whether one has arrived."""
    arrived: list[int] = []
    old = {}
    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)):
            if signal.getsignal(number) not in (signal.SIG_IGN, None):
                old[number] = signal.signal(number, lambda signum, _: arrived.append(signum))
    try:
        yield lambda: bool(arrived)
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
        if arrived:
            signal.raise_signal(arrived[0])


@contextlib.contextmanager
def _refusals(path: Path, field: str) -> Iterator[None]:
    """What the system refuses, as an error that names the path."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a file name"
        raise _unwritable(path, f"a place that can be written ({reason})", field) from None


def _unwritable(path: Path, expected: str, field: str) -> InputError:
    return InputError(field=field, value=str(path), expected=expected, code="unwritable")
