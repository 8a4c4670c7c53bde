r"""What may be written over: files that exactdp wrote, and whatever else ``--force`` gives up.

Rules of this file: a symbolic link is never followed; a file of another kind, or one that nobody
can make again, stays unless the caller says otherwise.

Theory of operation: a certificate may take the place of a certificate. A ledger or workload that
is written exactly as exactdp writes it may be replaced by one; one that was written by hand is
not. Text whose first line names exactdp, such as a script of ``exactdp hunt``, gives way to text
with the same first line. Equal bytes are no loss.
"""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Final

import click

from exactdp.asides import Asides, saying
from exactdp.errors import InputError

_MOST_BYTES: Final = 2**24
CERTIFICATE: Final = b'{"format":"exactdp-certificate/1"}'
"""The least that looks like a certificate."""
_FORCE: Final = "exactdp.force"


def remember_force(context: click.Context, _: click.Parameter, value: object) -> None:
    """Let the command replace what exactdp did not write."""
    context.meta[_FORCE] = bool(value)


def _forced() -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_FORCE))


def require_replaceable(path: Path, data: bytes | None, field: str) -> None:
    """Refuse to write over what is not ours; ``data`` is what would be written, None if unknown.

    Raises:
        InputError: a link, or a file that exactdp did not write, without ``--force``.
        OSError: it cannot be looked at.
    """
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if _forced():
        return
    if stat.S_ISLNK(mode):
        raise _refused(path, field, "a place of its own, not a symbolic link")
    if data is not None and stat.S_ISREG(mode) and not _gives_way(path, data):
        raise _refused(path, field, "a new file, or one that exactdp wrote")


def require_new(path: Path, data: bytes, field: str) -> None:
    """Refuse to write over a file that says anything else, even one that exactdp wrote.

    Raises:
        InputError: there is such a file, without ``--force``.
    """
    if _forced() or not path.exists():
        return
    if not path.is_file() or path.read_bytes() != data:
        raise _refused(path, field, "a new file, or the same ledger")


def _gives_way(path: Path, new: bytes) -> bool:
    with path.open("rb") as stream:
        old = stream.read(_MOST_BYTES + 1)
    if old == new or not old or (_is_verifier(old) and _is_verifier(new)):
        return True
    if _is_certificate(new):
        return _is_certificate(old)
    if _is_as_written(old):
        return old[:1] == new[:1] == b"{" or _is_as_written(new)
    first = new.partition(b"\n")[0]
    return b"exactdp" in first and old.partition(b"\n")[0] == first


def _is_certificate(data: bytes) -> bool:
    return data.startswith(b"{") and CERTIFICATE[1:-1] in data and not data.endswith(b"\n")


def _is_verifier(data: bytes) -> bool:
    """Whether the bytes are those of the verifier in one file, of whatever version."""
    return data.startswith(b"#!/usr/bin/env python3\nPK") and b"exactdp_verifier/" in data


def _is_as_written(data: bytes) -> bool:
    """Whether the bytes are those of a ledger or workload as exactdp writes it."""
    from exactdp.ledger.reading import read_ledger, write_ledger  # noqa: PLC0415 (rarely needed)
    from exactdp.workloads.reading import read_workload, write_workload  # noqa: PLC0415 (as above)

    try:
        if b'"exactdp-workload/1"' in data:
            return write_workload(read_workload(data)).encode() == data
        form = "json" if data.startswith(b"{") else "csv"
        with saying(Asides()):  # this file is none of the question
            return write_ledger(read_ledger(data), form).encode() == data
    except InputError:
        return False


def _refused(path: Path, field: str, expected: str) -> InputError:
    return InputError(
        field=field,
        value=str(path),
        expected=expected,
        remedy="name another place, or replace it with --force",
        code="exists",
    )
