r"""The verifier in one file: the same bytes every time.

Rules of this file: sources only, stored and not compressed (so that no version of zlib has a
say), in sorted order, with fixed times and permissions; nothing but the standard library is needed.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Final

from exactdp import verifier

NAME: Final = "exactdp-verifier.pyz"
_SOURCES: Final = Path(verifier.__file__).parent
_PACKAGE: Final = "exactdp_verifier"
_LAUNCHER: Final = f"import sys\n\nfrom {_PACKAGE}.__main__ import main\n\nsys.exit(main())\n"
_SHEBANG: Final = b"#!/usr/bin/env python3\n"


def archive() -> bytes:
    """The bytes of the zipapp."""
    sources = ((source, source.relative_to(_SOURCES)) for source in _SOURCES.rglob("*.py"))
    contents = {f"{_PACKAGE}/{path.as_posix()}": source.read_bytes() for source, path in sources}
    contents["__main__.py"] = _LAUNCHER.encode()
    buffer = io.BytesIO()
    buffer.write(_SHEBANG)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as target:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # Unix, whatever builds it
            entry.external_attr = 0o100644 << 16
            target.writestr(entry, contents[name])
    return buffer.getvalue()
