r"""exactdp: optimal composition of differential privacy, in exact arithmetic, with certificates.

Every command is a function here. Public names are loaded on first use, so that importing
:mod:`exactdp.verifier` loads neither the engine nor any dependency.

>>> import exactdp
>>> answer = exactdp.compose([("0.1", "1e-9", 50)], delta="1e-6")
>>> answer.feasible
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from exactdp.version import __version__

if TYPE_CHECKING:
    from exactdp.accountants.api import crosscheck, hunt
    from exactdp.accountants.guarding import guard
    from exactdp.allocation.allocate import allocate
    from exactdp.allocation.reading import read_statistics
    from exactdp.allocation.statistics import AccuracyTarget, Statistic
    from exactdp.arithmetic.numbers import ExactNumber, Number
    from exactdp.attacks.attack import attack
    from exactdp.attacks.risk import risk
    from exactdp.attestation.api import attest
    from exactdp.budgets.api import budget
    from exactdp.certificate.statement import Certificate
    from exactdp.claims.verdicts import audit
    from exactdp.composition.answers.certify import certify
    from exactdp.composition.answers.compose import compose
    from exactdp.composition.answers.profile import profile
    from exactdp.composition.answers.results import Certified, Composition, ProfilePoint
    from exactdp.composition.closed_forms.bounds import bounds
    from exactdp.errors import (
        CostLimitError,
        DomainError,
        ExactDPError,
        InputError,
        UnsupportedError,
    )
    from exactdp.hardness.reductions import count_partitions as partition
    from exactdp.interaction.api import interactive
    from exactdp.ledger.formats.jax_privacy import ledger_of_jax_privacy as from_jax_privacy
    from exactdp.ledger.formats.opacus import ledger_of_opacus as from_opacus
    from exactdp.ledger.formats.opendp import ledger_of_opendp as from_opendp
    from exactdp.ledger.model import Claim, Ledger
    from exactdp.ledger.reading import convert, read_ledger, write_ledger
    from exactdp.ledger.written import written
    from exactdp.literature.running import papers
    from exactdp.many.reading_store import results
    from exactdp.mechanisms import ConcentratedMechanism, GaussianMechanism, Mechanism
    from exactdp.pages.api import report
    from exactdp.pages.explanation import explain
    from exactdp.policies.checks import gate
    from exactdp.spending.filter import filter as filter  # noqa: A004 (not under import *)
    from exactdp.templates import example, init
    from exactdp.training.promises import dpsgd
    from exactdp.verification import verify
    from exactdp.verifier import Verdict
    from exactdp.workloads.api import parallel


_HOMES = {
    "AccuracyTarget": "exactdp.allocation.statistics",
    "Certificate": "exactdp.certificate.statement",
    "Certified": "exactdp.composition.answers.results",
    "Claim": "exactdp.ledger.model",
    "Composition": "exactdp.composition.answers.results",
    "ConcentratedMechanism": "exactdp.mechanisms",
    "CostLimitError": "exactdp.errors",
    "DomainError": "exactdp.errors",
    "ExactDPError": "exactdp.errors",
    "ExactNumber": "exactdp.arithmetic.numbers",
    "GaussianMechanism": "exactdp.mechanisms",
    "InputError": "exactdp.errors",
    "Ledger": "exactdp.ledger.model",
    "Mechanism": "exactdp.mechanisms",
    "Number": "exactdp.arithmetic.numbers",
    "ProfilePoint": "exactdp.composition.answers.results",
    "Statistic": "exactdp.allocation.statistics",
    "UnsupportedError": "exactdp.errors",
    "Verdict": "exactdp.verifier",
    "allocate": "exactdp.allocation.allocate",
    "attack": "exactdp.attacks.attack",
    "attest": "exactdp.attestation.api",
    "audit": "exactdp.claims.verdicts",
    "bounds": "exactdp.composition.closed_forms.bounds",
    "budget": "exactdp.budgets.api",
    "certify": "exactdp.composition.answers.certify",
    "compose": "exactdp.composition.answers.compose",
    "convert": "exactdp.ledger.reading",
    "crosscheck": "exactdp.accountants.api",
    "dpsgd": "exactdp.training.promises",
    "example": "exactdp.templates",
    "explain": "exactdp.pages.explanation",
    "filter": "exactdp.spending.filter",
    "from_jax_privacy": "exactdp.ledger.formats.jax_privacy:ledger_of_jax_privacy",
    "from_opacus": "exactdp.ledger.formats.opacus:ledger_of_opacus",
    "from_opendp": "exactdp.ledger.formats.opendp:ledger_of_opendp",
    "gate": "exactdp.policies.checks",
    "guard": "exactdp.accountants.guarding",
    "hunt": "exactdp.accountants.api",
    "init": "exactdp.templates",
    "interactive": "exactdp.interaction.api",
    "papers": "exactdp.literature.running",
    "parallel": "exactdp.workloads.api",
    "partition": "exactdp.hardness.reductions:count_partitions",
    "profile": "exactdp.composition.answers.profile",
    "read_ledger": "exactdp.ledger.reading",
    "read_statistics": "exactdp.allocation.reading",
    "report": "exactdp.pages.api",
    "results": "exactdp.many.reading_store",
    "risk": "exactdp.attacks.risk",
    "verify": "exactdp.verification",
    "write_ledger": "exactdp.ledger.reading",
    "written": "exactdp.ledger.written",
}

__all__ = [
    "AccuracyTarget",
    "Certificate",
    "Certified",
    "Claim",
    "Composition",
    "ConcentratedMechanism",
    "CostLimitError",
    "DomainError",
    "ExactDPError",
    "ExactNumber",
    "GaussianMechanism",
    "InputError",
    "Ledger",
    "Mechanism",
    "Number",
    "ProfilePoint",
    "Statistic",
    "UnsupportedError",
    "Verdict",
    "__version__",
    "allocate",
    "attack",
    "attest",
    "audit",
    "bounds",
    "budget",
    "certify",
    "compose",
    "convert",
    "crosscheck",
    "dpsgd",
    "example",
    "explain",
    "from_jax_privacy",
    "from_opacus",
    "from_opendp",
    "gate",
    "guard",
    "hunt",
    "init",
    "interactive",
    "papers",
    "parallel",
    "partition",
    "profile",
    "read_ledger",
    "read_statistics",
    "report",
    "results",
    "risk",
    "verify",
    "write_ledger",
    "written",
]
"""What ``from exactdp import *`` gives: all public names but ``filter``, which is Python's own."""


def home_of(name: str) -> tuple[str, str]:
    """The module of a public name, and what it is called there."""
    module, _, other = _HOMES[name].partition(":")
    return module, other or name


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name == "accountants":  # exactdp.accountants.ExactAccountant, after import exactdp alone
        return import_module("exactdp.accountants")
    if name not in _HOMES:
        message = f"module 'exactdp' has no attribute {name!r}"
        raise AttributeError(message)
    module, other = home_of(name)
    found = globals()[name] = getattr(import_module(module), other)
    return found


def __dir__() -> list[str]:
    return sorted((*_HOMES, "__version__"))
