"""All single mutants of a certificate with their verdicts, asked for once in a run of the tests.

Whether they are true and whether the checker says the same are two questions about one list, which
are asked by two tests, perhaps in two processes; the list lies among the run's temporary files.
"""

from __future__ import annotations

import json
import os
from itertools import islice
from pathlib import Path
from typing import Final

import pytest

from tests.mutation.mutate import Mended, mended, single_mutants

_EXPENSIVE: Final = 10**8
"""Nanoseconds of a check."""


def mended_singles(source: Path, run: pytest.TempPathFactory) -> list[Mended]:
    """Every field changed alone, twins and rules together, each with its cost and its verdict.

    Of a certificate that is expensive to check, some of these, evenly.
    """
    kept = _folder_of_all_processes(run) / f"{source.stem}.singles.json"
    if not kept.exists():
        document = json.loads(source.read_bytes())
        stride = 1 + int(document["cost"]) // _EXPENSIVE
        made = [mended(mutant) for mutant in islice(single_mutants(document), 0, None, stride)]
        draft = kept.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(made))
        draft.replace(kept)
    return [Mended(*each) for each in json.loads(kept.read_text())]


def _folder_of_all_processes(run: pytest.TempPathFactory) -> Path:
    """The run's temporary directory, in which each process of several has one of its own."""
    own = run.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
