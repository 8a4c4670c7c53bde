"""Compares the checker of the proofs with the verifier on coordinated mutants.

Each mutant changes what a certificate claims, in its statement and in its step alike, and another
field as well; its digest and its cost are recomputed, so that only the rules can tell it from an
honest certificate. ``python -m tools.checker_mutants [--number 10000] [--seed 1]`` prints what both
say, and every mutant that one accepts and the other does not.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Final

from tests.mutation.mutate import MAX_COST, Document, Mended, drawn_pair_mutants, mended
from tests.proofs.otherwise import is_proved_otherwise
from tests.proofs.unproved import is_beyond_the_checker

ROOT: Final = Path(__file__).resolve().parents[1]
CHECKER: Final = ROOT / "proofs/extracted/exactdp-check"
AT_ONCE: Final = 200
OTHERWISE: Final = "ACCEPTED, as another certificate proves it too"


def main() -> int:
    """Print the table of verdicts; exit code 1 where the two disagree unexplained."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    seen: Counter[tuple[str, str]] = Counter()
    for batch in _batches(arguments.number, Random(arguments.seed)):  # noqa: S311 (a seed, so that draws repeat)
        for text, verifier, checker in _verdicts(batch):
            seen[verifier, checker] += 1
            if disagree(verifier, checker):
                sys.stdout.write(f"{verifier} {checker} {text}\n")
    for (verifier, checker), number in sorted(seen.items()):
        sys.stdout.write(f"verifier {verifier}, checker {checker}: {number}\n")
    return int(any(disagree(verifier, checker) for verifier, checker in seen))


def disagree(verifier: str, checker: str) -> bool:
    """Whether one accepts and the other does not: why a mutant is refused may differ."""
    return checker != OTHERWISE and (verifier == "ACCEPTED") != (checker == "ACCEPTED")


def coordinated_mutants(document: Document, chance: Random, number: int) -> Iterator[Mended]:
    """So many of a certificate, each with its digest, its cost and its verdict."""
    return map(mended, drawn_pair_mutants(document, chance, number))


def lines_of(files: Iterable[Path], max_cost: int) -> list[str]:
    """What the checker says of each file."""
    paths = [str(file) for file in files]
    command = [str(CHECKER), "--max-cost", str(max_cost), *paths]
    run = subprocess.run(  # noqa: S603 (the checker of this tree)
        command, capture_output=True, text=True, check=False
    )
    lines = run.stdout.splitlines()
    return [line.removeprefix(path).strip() for path, line in zip(paths, lines, strict=True)]


def said_of(files: Iterable[Path], max_cost: int) -> list[str]:
    """The first word that the checker says of each file."""
    return [line.split()[0] for line in lines_of(files, max_cost)]


def _batches(number: int, chance: Random) -> Iterator[list[Mended]]:
    """Mutants of accepted certificates in turn, until there are so many."""
    files = [
        file
        for file in sorted((ROOT / "certs/accept").glob("*.json"))
        if not is_beyond_the_checker(file)
    ]
    each = -(-number // len(files))
    batch: list[Mended] = []
    for file in files:
        wanted = min(each, number)
        number -= wanted
        document = json.loads(file.read_bytes())
        batch += coordinated_mutants(document, chance, wanted)
        while len(batch) >= AT_ONCE:
            yield batch[:AT_ONCE]
            batch = batch[AT_ONCE:]
    if batch:
        yield batch


def _verdicts(batch: list[Mended]) -> Iterator[tuple[str, str, str]]:
    """Each mutant that the checker knows the rules of, with what the two say."""
    with tempfile.TemporaryDirectory() as folder:
        known = {}
        for index, mutant in enumerate(batch):
            file = Path(folder) / f"{index}.json"
            file.write_text(mutant.text)
            if not is_beyond_the_checker(file):
                known[file] = mutant
        for mutant, checker in zip(known.values(), said_of(known, MAX_COST), strict=True):
            verifier = mutant.status.upper()
            doubtful = checker == "ACCEPTED" and disagree(verifier, checker)
            explained = doubtful and is_proved_otherwise(mutant.text.encode())
            yield mutant.text, verifier, OTHERWISE if explained else checker


if __name__ == "__main__":
    sys.exit(main())
