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

from tests.mutation.mutate import Mutant, checked, single_mutants
from tests.verifier.paying import paid

_EXPENSIVE: Final = 10**7
"""Paid for a check, in nanoseconds, about."""


def checked_singles(source: Path, run: pytest.TempPathFactory) -> list[Mutant]:
    """Every field changed alone, twins and rules together, each with its verdict.

    Of a certificate that is expensive to check, some of these, evenly.
    """
    kept = _folder_of_all_processes(run) / f"{source.stem}.singles.json"
    if not kept.exists():
        data = source.read_bytes()
        document, stride = json.loads(data), 1 + paid(data) // _EXPENSIVE
        made = [checked(mutant) for mutant in islice(single_mutants(document), 0, None, stride)]
        draft = kept.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(made))
        draft.replace(kept)
    return [Mutant(*each) for each in json.loads(kept.read_text())]


def _folder_of_all_processes(run: pytest.TempPathFactory) -> Path:
    """The run's temporary directory, in which each process of several has one of its own."""
    own = run.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
