"""Certificates of the rules about ρ and μ, by hand from certs/SPEC.md, as in ``handmade``."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from tests.verifier import handmade
from tests.verifier.handmade import Entry, bits, block_bound, groups, transcendental

THEOREMS = {
    "zcdp-bun-steinke": "bun-steinke-2016-proposition-1.3",
    "zcdp-canonne-kamath-steinke": "canonne-kamath-steinke-2020-corollary-13",
    "renyi": "canonne-kamath-steinke-2020-proposition-12",
    "gaussian": "dong-roth-su-2022-corollary-2.13",
    "gaussian-mixture": "dong-roth-su-2022-theorem-3.2",
    "gaussian-mesh": "dong-roth-su-2022-theorem-3.2",
    "zcdp-pair": "dong-roth-su-2022-theorem-3.2",
    "infeasible": handmade.MURTAGH_VADHAN,
    "sum": handmade.MURTAGH_VADHAN,
}


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
            for epsilon, delta, count in sorted(self.pairs)
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
    cost: int,
    **parameters: str,
) -> dict[str, Any]:
    claim = handmade.statement(kind, [], epsilon, delta, THEOREMS[rule])
    claim["subject"]["mechanisms"] = subject.entries()
    step = {
        "rule": rule,
        "premises": [],
        "parameters": {"bound": kind, "epsilon": epsilon, "delta": delta, **parameters},
    }
    return handmade.sealed(claim, [step], cost)


def profile(digits: int) -> int:
    return 300_000 + 50 * digits**2


def formula(
    rule: str,
    kind: str,
    subject: Subject,
    epsilon: str,
    delta: str,
    *,
    digits: int = 30,
    **parameters: str,
) -> dict[str, Any]:
    count = len(groups(list(subject.pairs)))
    cost = 1000 * (subject.size + 1) + (3 * count + 6) * transcendental(digits)
    return certificate(
        rule, kind, subject, epsilon, delta, cost=cost, digits=str(digits), **parameters
    )


def gaussian(
    kind: str, subject: Subject, epsilon: str, delta: str, *, digits: int = 30
) -> dict[str, Any]:
    cost = 1000 * (subject.size + 1) + profile(digits)
    return certificate("gaussian", kind, subject, epsilon, delta, cost=cost, digits=str(digits))


def mixture(
    kind: str, subject: Subject, epsilon: str, delta: str, *, digits: int = 30
) -> dict[str, Any]:
    counts = groups(list(subject.pairs)).values()
    atoms = prod(block_bound(count, digits) + 1 for count in counts)
    cost = (
        1000 * (subject.size + 1) + len(counts) * transcendental(digits) + atoms * profile(digits)
    )
    return certificate(
        "gaussian-mixture", kind, subject, epsilon, delta, cost=cost, digits=str(digits)
    )


def stretch(entries: list[Entry], unit: str, digits: int, *, both_signs: bool) -> int:
    """S of ``connect-the-dots``, or of ``grid``; for rational epsilons."""
    total = 0
    for epsilon, count in groups(entries).items():
        multiple = -(-Fraction(epsilon) // Fraction(unit))
        cells = 2 * (multiple + 1) if both_signs else multiple
        total += cells * block_bound(count, digits) + 1
    return total


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
        cost=_mesh_cost(kind, list(subject.pairs), unit, sums, digits),
        digits=str(digits),
        sums=str(sums),
        unit=unit,
    )


def _mesh_cost(kind: str, pairs: list[Entry], unit: str, sums: int, digits: int) -> int:
    rational = unit if "ln" not in unit else "1"
    if kind == "upper":
        cells = stretch(pairs, rational, digits, both_signs=True)
        cost = handmade.bracket_cost(pairs, rational, digits, sums)
    else:
        cells = stretch(pairs, rational, digits, both_signs=False)
        counts = groups(pairs)
        cost = (
            1000 * (len(pairs) + 1)
            + len(counts) * transcendental(digits)
            + 20 * cells * (digits + 30) * (bits(len(counts)) + 2)
        )
    return cost + (cells + 1) * profile(digits)


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
    pairs = [*subject.pairs, (pair, "1/2", 1)]
    cost = _pair_cost(pairs, unit, sums, digits)
    return certificate(
        "zcdp-pair",
        kind,
        subject,
        epsilon,
        delta,
        cost=cost,
        alpha=alpha,
        digits=str(digits),
        pair=pair,
        sums=str(sums),
        unit=unit,
    )


def _pair_cost(pairs: list[Entry], unit: str, sums: int, digits: int) -> int:
    """The pair stands last; ``handmade.bracket_cost`` sorts, so its groups are counted here."""
    counts: dict[str, int] = {}
    for epsilon, _, count in [*sorted(pairs[:-1]), pairs[-1]]:
        if epsilon != "0":
            counts[epsilon] = counts.get(epsilon, 0) + count
    leaves: list[list[int]] = []
    for count in counts.values():
        if leaves and prod(c + 1 for c in leaves[-1]) * (count + 1) <= sums:
            leaves[-1].append(count)
        else:
            leaves.append([count])
    atoms = sum(prod(block_bound(c, digits) + 1 for c in leaf) for leaf in leaves)
    cells = stretch(pairs, unit, digits, both_signs=True)
    return (
        1000 * (len(pairs) + 1)
        + len(counts) * transcendental(digits)
        + atoms * (transcendental(digits) // 5)
        + 20 * cells * (digits + 30) * (bits(len(counts)) + 2)
        + (cells + 1) * profile(digits)
        + 6 * transcendental(digits)
    )
