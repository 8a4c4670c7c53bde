r"""Writing files so that nothing partial is ever seen.

Rules of this file: a file appears whole or not at all, and several appear together or not at all;
whatever goes wrong, nothing is left behind, not even a directory that was made for them; nothing
that exactdp did not write is written over (:mod:`exactdp.cli.replacing`).

Theory of operation: content goes to new files, which are flushed to the disk, and one rename
publishes them. Files in a new directory stand in it before it gets its name. A single file is
renamed over its destination. Several files in a directory that exists are named in a journal
beside them; once the journal has its name they count as written. They are then renamed one by one,
and the journal goes. Who is killed in between leaves the journal: :func:`unfinished` tells a
reader that what it lists is not of one answer yet, and the next command that writes there finishes
the work first, unless somebody has changed the files since. A journal is finished only if it is a
regular file of this user's, and moves nothing but the temporaries that were written with it. Who is
killed before that leaves temporaries, whose names tell the machine and the process: once that has
ended, the next command that writes there removes them.

Signals are held meanwhile; one that arrives before the files are published stops them. They are
held in Python, not in the kernel, for another thread (that of the progress display) would take a
signal that the main thread has blocked.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import stat
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import cache, partial
from pathlib import Path
from typing import Final

from exactdp.cli.replacing import CERTIFICATE, require_replaceable
from exactdp.errors import InputError

_PREFIX: Final = ".exactdp-"
_JOURNAL: Final = ".journal"
_OWN: Final = re.compile(r"\.exactdp-[0-9a-f]{16}\.journal", re.ASCII)
_LEFT_BEHIND: Final = re.compile(r"\.exactdp-([0-9a-f]{4})([0-9a-f]{8})[0-9a-f]{4}(?:\.\d+)?\.tmp")
_MOST_BYTES: Final = 2**26
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


_DIVERTED: ContextVar[dict[str, bytes] | None] = ContextVar("diverted", default=None)


@contextlib.contextmanager
def diverted() -> Iterator[dict[str, bytes]]:
    """Collect what the block would write, by path, for whoever will write it; nothing is checked.

    A worker may be on another machine, and does not know what the file is to be called.
    """
    collected: dict[str, bytes] = {}
    token = _DIVERTED.set(collected)
    try:
        yield collected
    finally:
        _DIVERTED.reset(token)


def check_certificate(path: Path, field: str) -> None:
    """As :func:`check_file`, for a certificate: one may be replaced, and nothing else."""
    check_place(path, CERTIFICATE, field)


def check_place(path: Path, like: bytes, field: str) -> None:
    """As :func:`check_file`; what stands there must also give way to content that is ``like``."""
    check_file(path, field)
    if _DIVERTED.get() is not None:
        return
    with _refusals(path, field):
        require_replaceable(path, like, field)


def check_file(path: Path, field: str) -> None:
    """Refuse early what could not be written later; nothing is touched.

    Raises:
        InputError: ``path`` is no regular file, or not in a directory that takes files.
    """
    if _DIVERTED.get() is not None:
        return
    with _refusals(path, field):
        require_replaceable(path, None, field)
        mode = None if path.is_symlink() else _mode(path)
        if mode is not None and not stat.S_ISREG(mode):
            what = "a directory" if stat.S_ISDIR(mode) else "a device, a pipe or a socket"
            raise _unwritable(path, f"a regular file, not {what}", field)
        directory = path.parent.resolve()
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


def check_directory(path: Path, field: str, stem: str | None = None) -> None:
    """Refuse early a directory in which nothing could be written; it need not exist yet.

    If the certificates' ``stem`` is known, what stands in their places must give way to them.

    Raises:
        InputError: it is a file, or could not be made, or takes no files.
    """
    if _DIVERTED.get() is not None:
        return
    with _refusals(path, field):
        nearest, *missing = _existing_and_missing(path)
        _check_writable(nearest, path, field)
    for bound in () if stem is None or missing else ("upper", "lower"):
        check_certificate(path / f"{stem}.{bound}.json", field)


def _check_writable(directory: Path, path: Path, field: str) -> None:
    if not directory.is_dir():
        raise _unwritable(path, f"a place in a directory ({directory} is a file)", field)
    if not os.access(directory, os.W_OK | os.X_OK):
        raise _unwritable(path, f"a place to write ({directory} is write-protected)", field)


def write_together(
    contents: Mapping[Path, bytes], field: str, finished: set[Path] | None = None
) -> None:
    """Write several files, and the directories they need; none appears before all are on the disk.

    Files of one directory appear together even if the process is killed.

    Args:
        contents: the files.
        field: which option they are written for.
        finished: directories where what others left unfinished was finished already, and that are
            not listed again; those that are listed now are added.

    Raises:
        InputError: a destination cannot be written; nothing was.
        KeyboardInterrupt: a signal arrived before the end; nothing was written.
    """
    if (elsewhere := _DIVERTED.get()) is not None:
        elsewhere.update((str(path), data) for path, data in contents.items())
        return
    known = set() if finished is None else finished
    with _signals_held() as arrived, contextlib.ExitStack() as leftovers:
        staged = [
            _stage(root, files, field, leftovers)
            for root, files in _by_root(contents, field, known).items()
        ]
        if arrived():
            raise KeyboardInterrupt
        for publish in staged:
            publish()
        leftovers.pop_all()


def unfinished(directory: Path) -> list[str]:
    """The names of files in a directory whose writing was cut short after it had been decided."""
    names: list[str] = []
    with contextlib.suppress(OSError, InputError):
        for journal in _journals(directory):
            names += [entry["name"] for entry in _entries(journal)]
    return names


def torn_pairs(names: Sequence[str]) -> Iterator[str]:
    """Of which files the writing was cut short, so that they may be of two answers."""
    paths = [Path(name) for name in names if name != "-" and "\0" not in name]
    for directory in dict.fromkeys(path.parent for path in paths):
        left = unfinished(directory)
        torn = [str(path) for path in paths if path.parent == directory and path.name in left]
        if torn:
            yield (
                f"{' and '.join(torn)}: writing was cut short, and may have left files of two "
                f"answers; the next command that writes to {directory} finishes it"
            )


def _by_root(
    contents: Mapping[Path, bytes], field: str, finished: set[Path]
) -> dict[Path, dict[Path, bytes]]:
    """Files by what must be published for them: a new directory, or places in one that exists."""
    roots: dict[Path, dict[Path, bytes]] = {}
    for path, data in contents.items():
        with _refusals(path, field):
            nearest, *missing = _existing_and_missing(path.parent)
            _check_writable(nearest, path, field)
            root = missing[0] if missing else nearest
            if not missing:
                if root not in finished:
                    _finish_all(root)
                    finished.add(root)
                check_file(path, field)
                require_replaceable(path, data, field)
            roots.setdefault(root, {})[path] = data
    return roots


def _stage(
    root: Path, files: Mapping[Path, bytes], field: str, leftovers: contextlib.ExitStack
) -> Callable[[], None]:
    """Write files under other names; the function that is returned publishes them."""
    token = f"{_PREFIX}{_machine()}{os.getpid() & 0xFFFFFFFF:08x}{os.urandom(2).hex()}"
    is_new = _mode(root) is None
    name = next(iter(files))
    placed: dict[Path, Path] = {}
    if is_new:
        tree = root.parent / f"{token}.tmp"
        leftovers.callback(shutil.rmtree, tree, ignore_errors=True)
        for path, data in files.items():
            with _refusals(path, field):
                place = tree / path.parent.resolve().relative_to(root) / path.name
                place.parent.mkdir(parents=True, exist_ok=True)
                placed[path] = _write_new(place, data, leftovers)
        _flush_all(placed, field)
        return lambda: _rename(tree, root, name, field)
    entries = []
    for number, (path, data) in enumerate(files.items()):
        with _refusals(path, field):
            temporary = root / f"{token}.{number}.tmp"
            placed[path] = _write_new(temporary, data, leftovers)
            old = _digest_of(root / path.name)
            digest = hashlib.sha256(data).hexdigest()
            entries.append({"from": temporary.name, "name": path.name, "old": old, "new": digest})
    _flush_all(placed, field)
    if len(files) == 1:
        return lambda: _rename(root / f"{token}.0.tmp", root / name.name, name, field)
    journal = root / f"{token}.tmp"
    with _refusals(name, field):
        _flush(_write_new(journal, json.dumps(entries).encode(), leftovers))
    published = root / f"{token}{_JOURNAL}"
    return lambda: _rename(journal, published, name, field, then=lambda: _finish(published))


def _rename(
    source: Path, target: Path, path: Path, field: str, then: Callable[[], None] | None = None
) -> None:
    with _refusals(path, field):
        source.replace(target)
        _flush_names(target.parent)
        if then is not None:
            then()


def _write_new(place: Path, data: bytes, leftovers: contextlib.ExitStack) -> Path:
    # The name is short, as the destination's may be as long as names can be.
    leftovers.callback(_attempt, place.unlink)
    with place.open("xb") as stream:
        stream.write(data)
    return place


def _flush_all(placed: Mapping[Path, Path], field: str) -> None:
    """Have files survive a loss of power, once all are written: a disk then takes them together."""
    for path, place in placed.items():
        with _refusals(path, field):
            _flush(place)


def _finish_all(directory: Path) -> None:
    for journal in _journals(directory):
        if journal.lstat().st_uid == os.geteuid():
            _finish(journal)
    for path in directory.glob(f"{_PREFIX}*.tmp"):
        if _is_left_behind(path):
            _attempt(path.unlink)


def _is_left_behind(path: Path) -> bool:
    """Whether it is a temporary of this user, of a process of this machine that has ended."""
    named = _LEFT_BEHIND.fullmatch(path.name)
    if named is None or named[1] != _machine() or not _is_regular(path):
        return False
    return path.lstat().st_uid == os.geteuid() and not _is_alive(int(named[2], 16))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


@cache
def _machine() -> str:
    """Four digits of this machine's name."""
    return hashlib.sha256(os.fsencode(os.uname().nodename)).hexdigest()[:4]


def _journals(directory: Path) -> list[Path]:
    """The journals in a directory: regular files, named as this file names them."""
    found = sorted(directory.glob(f"{_PREFIX}*{_JOURNAL}"))
    return [path for path in found if _OWN.fullmatch(path.name) and _is_regular(path)]


def _finish(journal: Path) -> None:
    """Do what a journal says; a file that somebody has changed since is left as it is."""
    for entry in _entries(journal):
        temporary, place = journal.parent / entry["from"], journal.parent / entry["name"]
        if not _is_regular(temporary) or _digest_of(temporary) != entry["new"]:
            continue  # done already, or not what was to be put there
        if _digest_of(place) in (entry["old"], entry["new"]):
            with contextlib.suppress(FileNotFoundError):  # by another process, meanwhile
                temporary.replace(place)
        else:
            temporary.unlink(missing_ok=True)
    _flush_names(journal.parent)
    journal.unlink(missing_ok=True)


def _entries(journal: Path) -> list[dict[str, str]]:
    """What a journal lists: temporaries of its own, for names within its directory alone."""
    try:
        with journal.open("rb") as stream:
            text = stream.read(_MOST_BYTES)
        entries = [
            {key: str(entry[key]) for key in ("from", "name", "old", "new")}
            for entry in json.loads(text)
        ]
    except FileNotFoundError:  # another process has finished it
        return []
    except (ValueError, LookupError, TypeError, RecursionError):
        raise _unwritable(journal, "a journal of exactdp (remove it)", "journal") from None
    token = journal.name.removesuffix(_JOURNAL)
    for number, entry in enumerate(entries):
        name = entry["name"]
        if entry["from"] != f"{token}.{number}.tmp" or not name or Path(name).name != name:
            raise _unwritable(journal, "a journal of exactdp (remove it)", "journal")
    return entries


def _is_regular(path: Path) -> bool:
    """Whether a regular file stands there, and no link to one."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _digest_of(path: Path) -> str:
    """The SHA-256 of a file, or of a link's target name, or nothing if there is neither."""
    try:
        if not path.is_symlink() and not stat.S_ISREG(path.stat().st_mode):
            return "of no file"
        data = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
    except FileNotFoundError:
        return ""
    return hashlib.sha256(data).hexdigest()


def _flush_names(directory: Path) -> None:
    """Have the names in a directory survive a loss of power, where the system can."""
    _attempt(partial(_flush, directory))


def _flush(place: Path) -> None:
    descriptor = os.open(place, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
