r"""Compare the verified checker with the verifier on every certificate of ``certs``, with times.

For each rule that the checker knows: how many certificates end in it, how many the verifier
accepts, how many the checker alone accepts as another certificate proves them too, whether the two
agree about all others, and how long each takes. Prints a table; needs ``make -C proofs checker``.
Times are of whole processes for the checker, of calls for the verifier.

    python -m tools.checker_table
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exactdp.verifier import verify_bytes
from exactdp.verifier.rules import RULES
from tests.proofs.otherwise import is_proved_otherwise
from tests.proofs.unproved import is_beyond_the_checker
from tools.checker_mutants import CHECKER, disagree

ROOT: Final = Path(__file__).resolve().parent.parent
OTHER: Final = "other"


@dataclass
class Row:
    """What is known of the certificates of one rule."""

    files: int = 0
    accepted: int = 0
    disagreements: int = 0
    otherwise: int = 0
    verifier: float = 0.0
    checker: float = 0.0

    def add(self, file: Path) -> None:
        """Ask both about a file."""
        begin = time.perf_counter()
        said = verify_bytes(file.read_bytes()).status.upper()
        middle = time.perf_counter()
        run = subprocess.run(  # noqa: S603 (the checker of this tree)
            [CHECKER, file], capture_output=True, text=True, check=False
        )
        self.verifier += middle - begin
        self.checker += time.perf_counter() - middle
        self.files += 1
        self.accepted += said == "ACCEPTED"
        checker = run.stdout.removeprefix(str(file)).split()[0]
        if disagree(said, checker):
            explained = checker == "ACCEPTED" and is_proved_otherwise(file.read_bytes())
            self.otherwise += explained
            self.disagreements += not explained


def rule_of(file: Path) -> str | None:
    """The last rule of a certificate's derivation; None if the file is about something else."""
    try:
        rule = json.loads(file.read_bytes())["derivation"][-1]["rule"]
    except KeyError:
        return None if file.parent.name == "crosscheck" else OTHER
    except (ValueError, LookupError, TypeError):
        return OTHER
    return rule if isinstance(rule, str) and rule in RULES else OTHER


def rows() -> Iterator[tuple[str, Row]]:
    """One for each rule, in the order of their names, and their sum."""
    table: dict[str, Row] = {}
    whole = Row()
    for file in sorted((ROOT / "certs").rglob("*.json")):
        rule = rule_of(file)
        if rule is not None and not is_beyond_the_checker(file):
            table.setdefault(rule, Row()).add(file)
    for name in sorted(table):
        row = table[name]
        for field in vars(whole):
            setattr(whole, field, getattr(whole, field) + getattr(row, field))
        yield name, row
    yield "all", whole


def main() -> None:
    """Print the table."""
    print("| rule | certificates | accepted | otherwise | disagreements | verifier | checker |")
    print("|---|---|---|---|---|---|---|")
    for name, row in rows():
        shown = f"`{name}`" if name in RULES else name
        print(
            f"| {shown} | {row.files} | {row.accepted} | {row.otherwise} | {row.disagreements} "
            f"| {row.verifier:.2f} s | {row.checker:.2f} s |"
        )


if __name__ == "__main__":
    main()
