"""The extracted checker: what it says of files, and mutants that only the rules can tell apart."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Final

from tests.mutation.mutate import Document, Mutant, checked, drawn_pair_mutants

CHECKER: Final = Path(__file__).resolve().parents[2] / "proofs/extracted/exactdp-check"


def coordinated_mutants(document: Document, chance: Random, number: int) -> Iterator[Mutant]:
    """So many of a certificate, each with its digest and its verdict."""
    return map(checked, drawn_pair_mutants(document, chance, number))


def lines_of(files: Iterable[Path], max_cost: int, *asked: str) -> list[str]:
    """What the checker says of each file; ``asked`` are further options."""
    paths = [str(file) for file in files]
    command = [str(CHECKER), "--max-cost", str(max_cost), *asked, *paths]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    lines = run.stdout.splitlines()
    return [line.removeprefix(path).strip() for path, line in zip(paths, lines, strict=True)]


def said_of(files: Iterable[Path], max_cost: int) -> list[str]:
    """The first word that the checker says of each file."""
    return [line.split()[0] for line in lines_of(files, max_cost)]
