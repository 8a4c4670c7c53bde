r"""Build ``exactdp-verifier.pyz``: the verifier in one file, the same bytes every time.

Rules of this file: sources only, stored and not compressed (so that no version of zlib has a
say), in sorted order, with fixed times and permissions.

    python tools/build_verifier.py [-o FILE]
"""

from __future__ import annotations

import argparse
import io
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "exactdp" / "verifier"
PACKAGE = "exactdp_verifier"
LAUNCHER = f"import sys\n\nfrom {PACKAGE}.__main__ import main\n\nsys.exit(main())\n"
SHEBANG = b"#!/usr/bin/env python3\n"


def archive() -> bytes:
    """The bytes of the zipapp."""
    sources = ((source, source.relative_to(SOURCES)) for source in SOURCES.rglob("*.py"))
    contents = {f"{PACKAGE}/{path.as_posix()}": source.read_bytes() for source, path in sources}
    contents["__main__.py"] = LAUNCHER.encode()
    buffer = io.BytesIO()
    buffer.write(SHEBANG)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as target:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # Unix, whatever builds it
            entry.external_attr = 0o100644 << 16
            target.writestr(entry, contents[name])
    return buffer.getvalue()


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the zipapp; return the exit code."""
    parser = argparse.ArgumentParser(description="Build exactdp-verifier.pyz reproducibly.")
    parser.add_argument("-o", "--output", type=Path, default=Path("exactdp-verifier.pyz"))
    output: Path = parser.parse_args(arguments).output
    output.write_bytes(archive())
    output.chmod(0o755)
    return 0


if __name__ == "__main__":
    sys.exit(main())
