r"""Build ``exactdp-verifier.pyz``: the verifier in one file, the same bytes every time.

It needs nothing but Python, and takes the sources that stand beside it.

    python tools/build_verifier.py [-o FILE]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from exactdp.pages.verifier_file import NAME, archive


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the zipapp; return the exit code."""
    parser = argparse.ArgumentParser(description=f"Build {NAME} reproducibly.")
    parser.add_argument("-o", "--output", type=Path, default=Path(NAME))
    output: Path = parser.parse_args(arguments).output
    output.write_bytes(archive())
    output.chmod(0o755)
    return 0


if __name__ == "__main__":
    sys.exit(main())
