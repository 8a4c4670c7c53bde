r"""Read every entry of a copy of the OpenDP deployments registry, and say which cannot be read.

Rules of this file: an entry that is refused is printed with its reason, and is no error: some state
no variant, or no number. Exit code 1 where not one entry can be read, as when its schema changed.

    python tools/check_registry.py FOLDER
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from exactdp.errors import InputError
from exactdp.ledger.reading import read_ledger, write_ledger

FORMAT = "deployments-registry"


def refusals(folder: Path) -> dict[str, str]:
    """For each entry of a folder why it cannot be read, and written and read again; "" if it can.

    >>> refusals(Path("no such folder"))
    {}
    """
    return {path.name: _refusal(path) for path in sorted(folder.rglob("*.yaml"))}


def _refusal(path: Path) -> str:
    try:
        ledger = read_ledger(path, FORMAT)
        again = read_ledger(write_ledger(ledger, FORMAT).encode())
    except InputError as error:
        return str(error)
    return "" if again.mechanisms == ledger.mechanisms else "another ledger when written and read"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each entry that is refused, and how many are read."""
    parser = argparse.ArgumentParser(description="Read a copy of the deployments registry.")
    parser.add_argument("folder", type=Path, help="the registry's folder of deployments")
    found = refusals(parser.parse_args(arguments).folder)
    for name, reason in found.items():
        if reason:
            print(f"{name}: {reason}")
    read = sum(not reason for reason in found.values())
    print(f"{read} of {len(found)} entries read")
    return 0 if read else 1


if __name__ == "__main__":
    sys.exit(main())
