r"""The types of subjects that a statement can have, and what is asked about each.

Rules of this file: a type that is not in the table does not exist; it has its tag from its class.

Sources: certs/SPEC.md, sections 3, 7 to 10, 12 and 14.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from .question.ledger_file import check_ledger, refuse_file
from .question.outcome_file import check_outcome
from .question.spend_log import check_log
from .question.workload_file import check_workload
from .rules.budget import Budget
from .rules.experiment import Experiment
from .rules.ledger import Ledger
from .rules.trees import Trees
from .rules.workload import Workload
from .statement import Statement, Subject

COMPARED: Final[Mapping[type[Subject], Callable[[Any, Statement, bytes], None]]] = {
    Ledger: check_ledger,
    Workload: check_workload,
    Budget: check_log,
    Trees: refuse_file,
    Experiment: check_outcome,
}
"""The types, with the comparison of each with a file."""
SUBJECTS: Final = {each.type: each for each in COMPARED}
