r"""What mechanisms by their noise are in ε, δ, ρ and μ, by the theorems of the field.

Theory of operation: a mechanism by its noise is read as pure where its losses are bounded (Laplace,
discrete Laplace, a range, a table), and as ρ or μ where they are not (discrete Gaussian:
ρ = Σ shift²/(2·variance)). A table with answers that one input alone gives has these as its δ. A
sampled one is read as what it is without sampling, but for those with an ε, which becomes
ln(1 + q(e^ε - 1)) as δ becomes qδ.

Sources: Canonne, Kamath & Steinke, NeurIPS 2020, Theorem 4 (discrete Gaussian); Cesar & Rogers, ALT
2021, Lemmas 3.2 and 3.4 of arXiv:2004.07223 (bounded range, ε²/8); Balle, Barthe & Gaboardi,
NeurIPS 2018, Theorem 8 (sampling).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    ZERO_OUT,
    ConcentratedMechanism,
    Entry,
    GaussianMechanism,
    Mechanism,
    Parametric,
)

AS_EPSILON: Final = "as ε"
AS_RHO: Final = "as ρ and μ"
AS_RHO_UNSAMPLED: Final = f"{AS_RHO}, unsampled"


@dataclass(frozen=True, slots=True)
class NoiseReading:
    """A ledger that a ledger by noise is at most, in words and as one.

    Attributes:
        title: what the mechanisms are read as.
        ledger: the reading.
    """

    title: str
    ledger: Ledger


def readings(ledger: Ledger) -> Iterator[NoiseReading]:
    """The readings that exist: as pure mechanisms, and as ρ or μ."""
    listed: list[tuple[Parametric, ...]] = []
    relation = "unspecified" if ledger.neighbouring == ZERO_OUT else ledger.neighbouring
    for title, entries in entries_read(ledger):
        known = tuple(each for each in entries if each is not None)
        if len(known) == len(entries) and known not in listed:
            listed.append(known)
            reading = replace(ledger, mechanisms=known, claims=(), neighbouring=relation)
            yield NoiseReading(title, reading)


def entries_read(ledger: Ledger) -> Iterator[tuple[str, list[Parametric | None]]]:
    """What is read, and what each mechanism is then; None where that is not known of it."""
    unsampled = any(
        entry.is_sampled and entry.implied_epsilon_delta() is None for entry in ledger.mechanisms
    )
    entries = [entry.with_known_batch(ledger.neighbouring) for entry in ledger.mechanisms]
    yield AS_EPSILON, [pure_reading(entry) for entry in entries]
    yield (
        (AS_RHO_UNSAMPLED if unsampled else AS_RHO),
        [concentrated_reading(entry) for entry in entries],
    )


def pure_reading(entry: Entry) -> Mechanism | None:
    """A mechanism by its ε, or as it is if that has one already; None if it has none.

    >>> pure_reading(GaussianMechanism(1)) is None
    True
    """
    known = entry.implied_epsilon_delta()
    return None if known is None else Mechanism(*known, entry.count, entry.label)


def concentrated_reading(entry: Entry) -> Parametric | None:
    """A mechanism by its ρ or μ, or by its ε where that is all; None if neither is known."""
    square, rho = entry.implied_mu_squared(), entry.implied_rho()
    if square is not None:
        return GaussianMechanism(None, entry.count, entry.label, mu_squared=square)
    if rho is not None:
        return ConcentratedMechanism(rho, entry.count, entry.label)
    return pure_reading(entry)
