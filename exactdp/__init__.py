r"""exactdp: optimal composition of differential privacy, in exact arithmetic, with certificates.

The public names are loaded on first use, so that importing :mod:`exactdp.verifier` loads neither
the engine nor any dependency.

>>> import exactdp
>>> answer = exactdp.compose([("0.1", "1e-9", 50)], delta="1e-6")
>>> answer.feasible
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exactdp.answers.certify import certify
    from exactdp.answers.compose import compose
    from exactdp.answers.profile import profile
    from exactdp.answers.results import Certified, Composition, ProfilePoint
    from exactdp.arithmetic.numbers import ExactNumber
    from exactdp.certificate.statement import Certificate
    from exactdp.closed_forms.bounds import bounds
    from exactdp.errors import (
        CostLimitError,
        DomainError,
        ExactDPError,
        InputError,
        UnsupportedError,
    )
    from exactdp.ledger.model import (
        Claim,
        ConcentratedMechanism,
        GaussianMechanism,
        Ledger,
        Mechanism,
    )
    from exactdp.ledger.reading import read_ledger, write_ledger
    from exactdp.spending.filter import filter  # noqa: A004 (exactdp.filter)
    from exactdp.verification import verify
    from exactdp.verifier import Verdict

__version__ = "0.1.0"

_HOMES = {
    "Certificate": "exactdp.certificate.statement",
    "Certified": "exactdp.answers.results",
    "Claim": "exactdp.ledger.model",
    "Composition": "exactdp.answers.results",
    "ConcentratedMechanism": "exactdp.ledger.model",
    "CostLimitError": "exactdp.errors",
    "DomainError": "exactdp.errors",
    "ExactDPError": "exactdp.errors",
    "ExactNumber": "exactdp.arithmetic.numbers",
    "GaussianMechanism": "exactdp.ledger.model",
    "InputError": "exactdp.errors",
    "Ledger": "exactdp.ledger.model",
    "Mechanism": "exactdp.ledger.model",
    "ProfilePoint": "exactdp.answers.results",
    "UnsupportedError": "exactdp.errors",
    "Verdict": "exactdp.verifier",
    "bounds": "exactdp.closed_forms.bounds",
    "certify": "exactdp.answers.certify",
    "compose": "exactdp.answers.compose",
    "filter": "exactdp.spending.filter",
    "profile": "exactdp.answers.profile",
    "read_ledger": "exactdp.ledger.reading",
    "verify": "exactdp.verification",
    "write_ledger": "exactdp.ledger.reading",
}

__all__ = [
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
    "ProfilePoint",
    "UnsupportedError",
    "Verdict",
    "__version__",
    "bounds",
    "certify",
    "compose",
    "filter",
    "profile",
    "read_ledger",
    "verify",
    "write_ledger",
]


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name not in _HOMES:
        message = f"module 'exactdp' has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
