r"""Charges: what a mechanism counts against a budget.

Rules of this file: a charge is at least what the theorem of the budget says; what no theorem
counts is refused with the reason. A parameter that is no rational (an ε of ln 3, the ε of a sample)
is rounded up.

Theory of operation: a mechanism is asked what it implies: an ε, a ρ, a μ, Rényi divergences. Each
budget counts the least that follows from these:

- an ε counts as ρ = ε²/2 (Bun & Steinke, TCC 2016-B), and a μ as ρ = μ²/2; a ρ is a Rényi
  divergence of αρ at order α, and an ε one of at most ε;
- Poisson sampling at rate q takes ε to ln(1 + q·(e^ε − 1)) (Balle, Barthe & Gaboardi, NeurIPS 2018,
  Theorem 8), for pure mechanisms whose neighbours differ by one row, added or removed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import ceil_to, enclose_in_decimals
from exactdp.arithmetic.enclosures import ball_of_rational, precision, upper_end
from exactdp.errors import DomainError, UnsupportedError, shorten
from exactdp.mechanisms import Entry, Mechanism
from exactdp.mechanisms.keys import listed
from exactdp.spending.budget import Budget, Charge

_PLACES: Final = 30
_BITS: Final = 256
_MOST_EPSILON: Final = 10**4

SpendEntry = dict[str, object]


@dataclass(frozen=True, slots=True)
class Spend:
    """A spend as it was asked for.

    Attributes:
        document: its parameters in canonical texts.
        mechanism: so many of it; of a sample, one by the ε of that.
        delta: with what probability each fails.
        sampled: whether the mechanisms see a sample.
    """

    document: SpendEntry
    mechanism: Entry
    delta: mpq
    sampled: bool = False

    def charge(self, budget: Budget, neighbouring: str) -> Charge:
        """What it counts against a budget.

        Raises:
            UnsupportedError: no theorem counts it.
        """
        if self.sampled and neighbouring != "add-remove-one":
            raise UnsupportedError(
                field="rate",
                value=f"{neighbouring} neighbours",
                expected="a log about neighbours that differ by one row, added or removed",
                remedy="say so when the log is made: --neighbouring add-remove-one",
            )
        sizes, reason = _COUNTED[budget.kind]
        known = sizes(self.mechanism, budget.alpha or mpq(0))
        if not known:
            expected = f"what a budget of {budget.kind} can count"
            reason = reason.format(alpha=budget.alpha)
            raise uncounted("spend", self.document, expected, f"{reason}; {self._counting()}")
        count = self.mechanism.count
        return Charge(min(known) * count, self.delta * count)

    def _counting(self) -> str:
        """Which budgets can count it."""
        kinds = [kind for kind, (sizes, _) in _COUNTED.items() if sizes(self.mechanism, mpq(0))]
        return f"a budget of {listed(kinds)} counts it" if kinds else "no budget counts it"


def uncounted(field: str, document: SpendEntry, expected: str, remedy: str) -> UnsupportedError:
    """The error of a spend that no theorem counts."""
    return UnsupportedError(
        field=field,
        value=shorten(json.dumps(document)),
        expected=expected,
        remedy=remedy,
        code="not-counted",
    )


# --- what a budget counts -----------------------------------------------------------------------


def _epsilons(entry: Entry, _alpha: mpq) -> list[mpq]:
    known = entry.implied_epsilon_delta()
    if known is None:
        return []
    epsilon = known[0]
    exact = epsilon.is_rational
    return [epsilon.rational if exact else enclose_in_decimals(epsilon, _PLACES)[1]]


def _rhos(entry: Entry, alpha: mpq) -> list[mpq]:
    rho, square = entry.implied_rho(), entry.implied_mu_squared()
    squares = [*([] if square is None else [square])]
    squares += [size**2 for size in _epsilons(entry, alpha)]
    return [*([] if rho is None else [rho]), *(each / 2 for each in squares)]


def _divergences(entry: Entry, alpha: mpq) -> list[mpq]:
    bounds = entry.divergences()
    lists = () if bounds is None else bounds.listed
    stated = (size for orders, _ in lists for order, size in orders if order >= alpha)
    return [*stated, *_epsilons(entry, alpha), *(alpha * rho for rho in _rhos(entry, alpha))]


def _squares(entry: Entry, alpha: mpq) -> list[mpq]:
    square = entry.implied_mu_squared()
    if square is None:
        return [size for size in _epsilons(entry, alpha) if not size]
    return [square]


_COUNTED: Final[dict[str, tuple[Callable[[Entry, mpq], list[mpq]], str]]] = {
    "epsilon": (_epsilons, "it has no ε without a δ"),
    "rho": (_rhos, "it implies no ρ"),
    "renyi": (_divergences, "no divergence of order {alpha} or above is known of it"),
    "mu": (_squares, "a budget of mu counts Gaussian mechanisms alone"),
}
"""Bounds of what each budget adds up; and why there may be none."""


def sampled_pure(entry: Entry, rate: mpq) -> Mechanism | None:
    """A pure mechanism that sees a Poisson sample, by its ε; None if it has none, or fails.

    Raises:
        DomainError: its ε is too large.
    """
    known = [] if entry.failure() else _epsilons(entry, rate)
    if not known:
        return None
    [epsilon] = known
    if epsilon > _MOST_EPSILON:
        raise DomainError(
            field="epsilon", value=str(epsilon), expected=f"at most {_MOST_EPSILON} with a rate"
        )
    with precision(_BITS + 2 * int(epsilon)):
        grown = (ball_of_rational(epsilon).expm1() * ball_of_rational(rate)).log1p()
        return Mechanism(min(epsilon, ceil_to(upper_end(grown), _PLACES)), 0, entry.count)
