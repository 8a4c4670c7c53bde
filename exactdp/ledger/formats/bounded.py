r"""Reading a file of limited size, with the two sentences that refuse one.

Rules of this file: one byte more than is allowed is read, and no more, whatever the file says of
itself; what the system objects to becomes an error of ours.
"""

from __future__ import annotations

import sys
from pathlib import Path

from exactdp.errors import InputError
from exactdp.regular_files import open_file


def read_bounded(source: str | Path, most: int, field: str, remedy: str = "") -> bytes:
    """The bytes of a file; ``-`` is standard input.

    Args:
        source: its path.
        most: how many bytes it may have.
        field: what errors call it.
        remedy: what may be done about one that is too large.

    Raises:
        InputError: it cannot be read, or is larger.
    """
    try:
        if str(source) == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with open_file(source) as stream:
                data = stream.read(most + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a file name"
        raise InputError(
            field=field,
            value=str(source),
            expected=f"a file that can be read ({reason})",
            code="unreadable",
        ) from None
    if len(data) > most:
        expected = f"a file of at most {most} bytes"
        raise InputError(field=field, value=str(source), expected=expected, remedy=remedy)
    return data
