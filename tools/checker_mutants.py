"""Compares the checker of the proofs with the verifier on coordinated mutants.

Each mutant changes what a certificate claims, in its statement and in its step alike, and another
field as well; its digest and its cost are recomputed, so that only the rules can tell it from an
honest certificate. ``python -m tools.checker_mutants [--number 10000] [--seed 1]`` prints what both
say, and every mutant of which they say different things.
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

from exactdp.verifier import verify_bytes
from tests.mutation.mutate import MAX_COST, Document, drawn_pair_mutants, with_its_cost
from tests.proofs.unproved import is_beyond_the_checker

ROOT: Final = Path(__file__).resolve().parents[1]
CHECKER: Final = ROOT / "proofs/extracted/exactdp-check"
AT_ONCE: Final = 200


def main() -> int:
    """Print the table of verdicts; the exit code is 1 if the two programs disagree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    seen: Counter[tuple[str, str]] = Counter()
    for batch in _batches(arguments.number, Random(arguments.seed)):  # noqa: S311 (a seed, so that draws repeat)
        for data, verifier, checker in _verdicts(batch):
            seen[verifier, checker] += 1
            if verifier != checker:
                sys.stdout.write(f"{verifier} {checker} {data.decode()}\n")
    for (verifier, checker), number in sorted(seen.items()):
        sys.stdout.write(f"verifier {verifier}, checker {checker}: {number}\n")
    return int(any(verifier != checker for verifier, checker in seen))


def coordinated_mutants(document: Document, chance: Random, number: int) -> Iterator[bytes]:
    """So many of a certificate, each with its digest and its cost."""
    return map(with_its_cost, drawn_pair_mutants(document, chance, number))


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


def _batches(number: int, chance: Random) -> Iterator[list[bytes]]:
    """Mutants of accepted certificates in turn, until there are so many."""
    files = [
        file
        for file in sorted((ROOT / "certs/accept").glob("*.json"))
        if not is_beyond_the_checker(file)
    ]
    each = -(-number // len(files))
    batch: list[bytes] = []
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


def _verdicts(batch: list[bytes]) -> Iterator[tuple[bytes, str, str]]:
    """Each mutant that the checker knows the rules of, with what the two say."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for index, data in enumerate(batch):
            files.append(Path(folder) / f"{index}.json")
            files[-1].write_bytes(data)
        known = [file for file in files if not is_beyond_the_checker(file)]
        for file, checker in zip(known, said_of(known, MAX_COST), strict=True):
            data = file.read_bytes()
            yield data, verify_bytes(data, max_cost=MAX_COST).status.upper(), checker


if __name__ == "__main__":
    sys.exit(main())
