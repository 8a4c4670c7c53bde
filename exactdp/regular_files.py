r"""Opening what a user names as a file, and waiting for nobody.

Rules of this file: a pipe that stands in a folder is refused, since whoever opens it waits for a
writer that may never come; what the shell gives in the place of a file is read.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from typing import BinaryIO, Final

_OF_THE_SHELL: Final = re.compile(r"/dev/(stdin|fd/[0-9]+)|/proc/(self|[0-9]+)/fd/[0-9]+", re.ASCII)
_PIPE: Final = "a pipe or a socket, not a file"


def open_file(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for its bytes.

    Raises:
        OSError: it cannot be opened, or is a pipe.
        ValueError: it is no name of a file.
    """
    name = os.fspath(path)
    given = _OF_THE_SHELL.fullmatch(str(name)) is not None
    descriptor = os.open(name, os.O_RDONLY | (0 if given else getattr(os, "O_NONBLOCK", 0)))
    try:
        require_file(descriptor, pipes=given)
        os.set_blocking(descriptor, True)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def require_file(descriptor: int, *, pipes: bool = False) -> None:
    """Refuse an open file that is none.

    Raises:
        OSError: it is a directory, or a pipe where those are refused.
    """
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)) and not pipes:
        raise OSError(errno.EINVAL, _PIPE)
