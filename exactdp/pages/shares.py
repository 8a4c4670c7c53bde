r"""Who spends the budget: each mechanism's share of what adds up.

Rules of this file: shares are of sums that every reader can form again: of the ε (basic
composition), or of the ρ, to which μ counts as μ²/2; they are for the eye, and rounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Entry, Parametric
from exactdp.pages.markup import Markup, foreign, joined, tag
from exactdp.pages.number_text import exact_text, float_of, grouped, rational_text

_PLACES: Final = 40
_BAR: Final = 120
_LEAST: Final = mpq(1, 1000)
_LETTERS: Final = {
    "delta": "δ",
    "epsilon": "ε",
    "eta": "η",
    "gamma": "γ",
    "mu": "μ",
    "mu_squared": "μ²",
    "rho": "ρ",
    "sigma": "σ",
}
_MOST_LISTED: Final = 12


@dataclass(frozen=True, slots=True)
class Share:
    """An entry of a ledger, and what part of its notion's sum it has."""

    entry: Parametric
    part: mpq

    @property
    def percent(self) -> str:
        """The part as a rounded percentage."""
        return f"{float_of(100 * self.part):.1f} %" if self.part >= _LEAST else "below 0.1 %"


def shares_of(ledger: Ledger) -> list[Share]:
    """One for each entry, in the ledger's order; none beside noise, with which nothing adds up."""
    if ledger.given_by == "noise":
        return []
    entries = ledger.parametric()
    sizes = [entry.count * _size(entry) for entry in entries]
    sums = {True: mpq(0), False: mpq(0)}
    for entry, size in zip(entries, sizes, strict=True):
        sums[_has_epsilon(entry)] += size
    return [
        Share(entry, size / (sums[_has_epsilon(entry)] or 1))
        for entry, size in zip(entries, sizes, strict=True)
    ]


def _has_epsilon(entry: Entry) -> bool:
    return entry.implied_epsilon_delta() is not None


def _size(entry: Entry) -> mpq:
    known = entry.implied_epsilon_delta()
    return entry.rho_estimate() if known is None else enclose_in_decimals(known[0], _PLACES)[1]


def named(entry: Entry, number: int) -> Markup:
    """What an entry is called: its label, or its place in the ledger."""
    return foreign(entry.label) if entry.label else tag("span", f"no. {number}")


def parameters_of(entry: Entry) -> str:
    """The parameters of one mechanism, as text."""
    shape = entry.shape()
    return f"{_stated(entry, shape)}{_noise_multiplier(shape)}"


def _noise_multiplier(shape: Mapping[str, Any]) -> str:
    """What μ is as noise, which papers state: σ over the sensitivity."""
    mu = shape.get("mu")
    return f" (noise multiplier {rational_text(1 / mu)})" if isinstance(mu, mpq) and mu else ""


def _stated(entry: Entry, shape: Mapping[str, Any]) -> str:
    if entry.given_by == "noise":
        return noise_text(shape)
    return ", ".join(
        f"{_SYMBOLS[key]} = {exact_text(value if key == 'epsilon' else ExactNumber(value))}"
        for key, value in shape.items()
        if key != "delta" or value
    )


_SYMBOLS: Final = {"epsilon": "ε", "delta": "δ", "rho": "ρ", "mu": "μ", "mu_squared": "μ²"}


def noise_text(shape: Mapping[str, Any]) -> str:
    """Noise as a ledger writes it, its numbers rounded by nobody.

    >>> noise_text({"laplace": {"scale": mpq(2), "sensitivity": mpq(1)}, "rate": mpq(1, 4)})
    'laplace (scale = 2, sensitivity = 1), rate = 0.25'
    """
    return ", ".join(
        f"{name.replace('_', ' ')} ({noise_text(value)})"
        if isinstance(value, Mapping)
        else f"{_LETTERS.get(name, name.replace('_', ' '))} = {_value_text(value)}"
        for name, value in shape.items()
    )


def _value_text(value: object) -> str:
    if isinstance(value, list | tuple):
        more = f", … ({grouped(len(value))} in all)" if len(value) > _MOST_LISTED else ""
        return f"[{', '.join(map(_value_text, value[:_MOST_LISTED]))}{more}]"
    return rational_text(value) if isinstance(value, mpq) else str(value)


def sums_text(ledger: Ledger) -> str:
    """Of what the shares are."""
    kinds = {_has_epsilon(entry) for entry in ledger.parametric()}
    texts = {True: "the sum of the ε", False: "the sum of the ρ (μ counted as μ²/2)"}
    return " and ".join(texts[kind] for kind in (True, False) if kind in kinds)


def bar(share: Share) -> Markup:
    """A share as a bar, for the eye."""
    width = round(_BAR * float_of(share.part), 2)
    bars = joined(
        (
            tag("rect", class_="empty", width=_BAR, height=10),
            tag("rect", class_="full", width=width, height=10),
        )
    )
    return tag("svg", bars, class_="bar", viewBox=f"0 0 {_BAR} 10", aria_hidden="true")
