r"""Certificates about budgets.

Rules of this file: the format is that of ``certs/SPEC.md``, section 9; nothing is checked here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.rules.row import Kind, Theorem
from exactdp.certificate.statement import Certificate, sealed_bytes
from exactdp.certificate.subject import Subject
from exactdp.certificate.theorems import (
    FILTER_OF_EPSILON,
    FILTER_OF_MU,
    FILTER_OF_RENYI,
    FILTER_OF_RHO,
)
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Mechanism
from exactdp.spending.budget import Budget, Charge
from exactdp.spending.lines import Head
from exactdp.spending.promises import Promise

_THEOREMS = {
    "epsilon": FILTER_OF_EPSILON,
    "rho": FILTER_OF_RHO,
    "renyi": FILTER_OF_RENYI,
    "mu": FILTER_OF_MU,
}
_DIGITS = "40"


@dataclass(frozen=True, slots=True)
class BudgetSubject:
    """A budget, and a line of its log, as what a statement is about."""

    budget: Budget
    neighbouring: str
    head: Head | None = None
    interaction: str = "fully-adaptive"

    def document(self) -> dict[str, object]:
        """The subject as the format has it."""
        document: dict[str, object] = {"type": "budget", **self.budget.document()}
        if self.head is not None:
            spent: Charge = self.head.spent
            document["log"] = {
                "digest": self.head.digest,
                "size": str(spent.size),
                "delta": str(spent.delta),
            }
        return document

    def covered_by(self, _theorem: Theorem) -> bool:
        """Whoever spends a budget asks mechanisms one after the other."""
        return False


@dataclass(frozen=True, slots=True)
class BudgetCertificate:
    """A claim about a budget, and the steps that prove it.

    Attributes:
        subject: the budget.
        bound: "upper" or "lower".
        theorem: the theorem that it names.
        steps: the steps of the derivation.
    """

    subject: BudgetSubject
    bound: Kind
    epsilon: ExactNumber | None
    delta: mpq
    theorem: str
    steps: tuple[Mapping[str, object], ...]

    def to_bytes(self) -> bytes:
        """The canonical bytes of the certificate."""
        statement = {
            "kind": self.bound,
            "subject": self.subject.document(),
            "group": "1",
            "neighbouring": self.subject.neighbouring,
            "interaction": self.subject.interaction,
            "theorem": self.theorem,
            "epsilon": "every" if self.epsilon is None else str(self.epsilon),
            "delta": str(self.delta),
        }
        return sealed_bytes(statement, list(self.steps))


def certificates_of_promise(
    promise: Promise, subject: BudgetSubject
) -> dict[str, BudgetCertificate]:
    """The certificates of both ends, as far as there are any."""
    made = {
        "upper": upper_certificate(promise, subject),
        "lower": lower_certificate(promise, subject),
    }
    return {name: each for name, each in made.items() if each is not None}


def upper_certificate(promise: Promise, subject: BudgetSubject) -> BudgetCertificate | None:
    """The proof that the upper end is enough; None if no finite ε is."""
    if promise.upper is None:
        return None
    budget, theorem = promise.budget, _THEOREMS[promise.budget.kind].name
    if promise.whole is not None:
        about = promise.whole.upper_certificate()
        return None if about is None else _by_ledger(subject, about, theorem, {})
    parameters = {} if budget.alpha is None else {"alpha": str(budget.alpha), "digits": _DIGITS}
    rule = "sum" if budget.alpha is None else "moments"
    epsilon = ExactNumber(promise.upper)
    about = Certificate(subject, "upper", epsilon, promise.delta, rule, parameters)
    return _by_ledger(subject, about, theorem, {})


def lower_certificate(promise: Promise, subject: BudgetSubject) -> BudgetCertificate | None:
    """The proof that a little less is not enough; None if none is known."""
    if promise.whole is None:
        return _lower_of_sum(promise, subject) if promise.budget.kind == "epsilon" else None
    about = promise.whole.lower_certificate()
    if about is None:
        return None
    entries = {"mechanisms": about.subject.document()["mechanisms"]}
    return _by_ledger(subject, about, about.theorem, entries)


def _lower_of_sum(promise: Promise, subject: BudgetSubject) -> BudgetCertificate | None:
    """One mechanism that spends all is not better than it is, at the budget's own δ."""
    budget = promise.budget
    if promise.delta != budget.delta or not budget.size:
        return None
    below = ExactNumber(budget.size * (1 - mpq(1, 10**9)))
    whole = Subject.of(Ledger((Mechanism(budget.size, budget.delta),)))
    about = Certificate(whole, "lower", below, promise.delta, "sum", {})
    entries = {"mechanisms": whole.entries()}
    return _by_ledger(subject, about, about.theorem, entries)


def _by_ledger(
    subject: BudgetSubject,
    about: Certificate,
    theorem: str,
    parameters: Mapping[str, object],
) -> BudgetCertificate:
    first = {"rule": "filter", "premises": [], "parameters": parameters}
    return BudgetCertificate(
        subject,
        about.bound,
        about.epsilon,
        about.delta,
        theorem,
        (first, about.step(0)),
    )
