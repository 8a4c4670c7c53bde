r"""The types of subjects that a statement can have, and what is asked about each.

Rules of this file: a type that is not in the table does not exist; it has its tag from its class.

Sources: certs/SPEC.md, sections 3, 7 to 10 and 12.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from .question.ledger_file import check_ledger, refuse_file
from .question.spend_log import check_log
from .question.workload_file import check_workload
from .rules.budget import Budget
from .rules.ledger import Ledger
from .rules.trees import Trees
from .rules.workload import Workload
from .statement import Statement, Subject


@dataclass(frozen=True)
class SubjectType:
    """A type of subject: its class, the comparison with a file, and what its parts are called."""

    subject: type[Subject]
    compare: Callable[[Any, Statement, bytes], None]
    nouns: tuple[str, str]


_TYPES: Final = (
    SubjectType(Ledger, check_ledger, ("mechanism", "mechanisms")),
    SubjectType(Workload, check_workload, ("query", "queries")),
    SubjectType(Budget, check_log, ("budget", "budgets")),
    SubjectType(Trees, refuse_file, ("interactive mechanism", "interactive mechanisms")),
)
SUBJECTS: Final = {row.subject.type: row for row in _TYPES}
