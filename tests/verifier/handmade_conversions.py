"""Certificates of the rules about ρ and μ, by hand from certs/SPEC.md, as in ``handmade``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.verifier import handmade
from tests.verifier.handmade import Entry

THEOREMS = {
    "moments": "canonne-kamath-steinke-2020-proposition-12",
    "gaussian": "dong-roth-su-2022-corollary-2.13",
    "gaussian-mixture": "dong-roth-su-2022-theorem-3.2",
    "gaussian-mesh": "dong-roth-su-2022-theorem-3.2",
    "zcdp-pair": "dong-roth-su-2022-theorem-3.2",
    "fourier-upper": "zhu-dong-wang-2022-theorem-10",
    "fourier-lower": "definition",
    "trivial": "definition",
    "sum": handmade.MURTAGH_VADHAN,
}


FORMULAS = (
    "bun-steinke-2016-proposition-1.3",
    "canonne-kamath-steinke-2020-corollary-13",
)
"""What the rule ``formula`` is about: at the best order already, and at one that is named."""


@dataclass(frozen=True)
class Subject:
    """Mechanisms by notion: (ε, δ, count), (μ, count), (ρ, count)."""

    pairs: tuple[Entry, ...] = ()
    gaussian: tuple[tuple[str, int], ...] = ()
    concentrated: tuple[tuple[str, int], ...] = ()

    @property
    def size(self) -> int:
        return len(self.pairs) + len(self.gaussian) + len(self.concentrated)

    def entries(self) -> list[dict[str, str]]:
        written = [
            {"count": str(count), "delta": delta, "epsilon": epsilon}
            for delta, epsilon, count in sorted((d, e, count) for e, d, count in self.pairs)
        ]
        for key, values in (("mu", self.gaussian), ("rho", self.concentrated)):
            written += [{"count": str(count), key: text} for text, count in sorted(values)]
        return written


def certificate(
    rule: str,
    kind: str,
    subject: Subject,
    epsilon: str,
    delta: str,
    *,
    theorem: str = "",
    **parameters: Any,  # noqa: ANN401 (texts, or a list of texts)
) -> dict[str, Any]:
    claim = handmade.statement(kind, [], epsilon, delta, theorem or THEOREMS[rule])
    claim["subject"]["mechanisms"] = subject.entries()
    step = {
        "rule": rule,
        "premises": [],
        "parameters": {"bound": kind, "epsilon": epsilon, "delta": delta, **parameters},
    }
    return handmade.sealed(claim, [step])


def moments(
    subject: Subject,
    epsilon: str,
    delta: str,
    *,
    alpha: str,
    kind: str = "upper",
    digits: int = 30,
) -> dict[str, Any]:
    return certificate("moments", kind, subject, epsilon, delta, alpha=alpha, digits=str(digits))


def formula(
    kind: str,
    subject: Subject,
    epsilon: str,
    delta: str,
    *,
    alpha: str = "2",
    digits: int = 30,
) -> dict[str, Any]:
    more = {"theorem": FORMULAS[alpha != "best"], "alpha": alpha, "digits": str(digits)}
    return certificate("formula", kind, subject, epsilon, delta, **more)


def conversion(
    kind: str, subject: Subject, epsilon: str, delta: str, *, alpha: str, digits: int
) -> dict[str, Any]:
    """What an order gives, or what no order does."""
    if kind == "underivable":
        return formula(kind, subject, epsilon, delta, alpha=alpha, digits=digits)
    return moments(subject, epsilon, delta, alpha=alpha, kind=kind, digits=digits)


def gaussian(
    kind: str, subject: Subject, epsilon: str, delta: str, *, digits: int = 30
) -> dict[str, Any]:
    return certificate("gaussian", kind, subject, epsilon, delta, digits=str(digits))


def mixture(
    kind: str, subject: Subject, epsilon: str, delta: str, *, digits: int = 30
) -> dict[str, Any]:
    return certificate("gaussian-mixture", kind, subject, epsilon, delta, digits=str(digits))


def mesh(
    kind: str,
    subject: Subject,
    epsilon: str,
    delta: str,
    *,
    unit: str,
    sums: int = 64,
    digits: int = 30,
) -> dict[str, Any]:
    return certificate(
        "gaussian-mesh",
        kind,
        subject,
        epsilon,
        delta,
        digits=str(digits),
        sums=str(sums),
        unit=unit,
    )


def pair(  # noqa: PLR0913 (as above)
    subject: Subject,
    epsilon: str,
    delta: str,
    *,
    pair: str,
    alpha: str,
    unit: str,
    sums: int = 64,
    digits: int = 30,
    kind: str = "upper",
) -> dict[str, Any]:
    return certificate(
        "zcdp-pair",
        kind,
        subject,
        epsilon,
        delta,
        alpha=alpha,
        digits=str(digits),
        pair=pair,
        sums=str(sums),
        unit=unit,
    )
