r"""Subjects: what a statement is about, reduced to its parameters.

Rules of this file: the format is that of ``certs/SPEC.md``; the same input gives the same order.

Theory of operation: equal pairs (ε, δ), equal μ and equal ρ are merged and sorted by their texts,
and every number becomes a string.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from gmpy2 import mpq

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import GaussianMechanism, Mechanism

CountedEpsilon = tuple[ExactNumber, int]
"""An ε and how many mechanisms have it."""

TYPE: Final = "mechanisms"
"""Of subjects about mechanisms."""

Epsilons = Sequence[CountedEpsilon]
"""Every ε > 0 of a composition, with its count."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The parameters of a ledger, merged and in the order of the format.

    Attributes:
        mechanisms: triples (ε, δ, count).
        gaussian: pairs (μ, count).
        concentrated: pairs (ρ, count).
    """

    mechanisms: tuple[tuple[ExactNumber, mpq, int], ...]
    neighbouring: str
    interaction: str
    gaussian: tuple[tuple[mpq, int], ...] = ()
    concentrated: tuple[tuple[mpq, int], ...] = ()

    @staticmethod
    def of(ledger: Ledger) -> Subject:
        """What a statement says of ``ledger``."""
        pairs: Counter[tuple[ExactNumber, mpq]] = Counter()
        gaussian: Counter[mpq] = Counter()
        concentrated: Counter[mpq] = Counter()
        for entry in ledger.parametric():
            if isinstance(entry, Mechanism):
                pairs[entry.epsilon, entry.delta] += entry.count
            elif isinstance(entry, GaussianMechanism):
                gaussian[entry.mu] += entry.count
            else:
                concentrated[entry.rho] += entry.count
        merged = [(epsilon, delta, count) for (epsilon, delta), count in pairs.items()]
        merged.sort(key=lambda triple: (str(triple[0]), str(triple[1])))
        return Subject(
            tuple(merged),
            ledger.neighbouring,
            ledger.interaction,
            _by_text(gaussian),
            _by_text(concentrated),
        )

    @property
    def size(self) -> int:
        """The number of entries."""
        return len(self.mechanisms) + len(self.gaussian) + len(self.concentrated)

    def entries(self) -> list[dict[str, str]]:
        """The array ``mechanisms`` of the format, in the order of what they say but for counts."""
        triples = sorted((str(d), str(e), str(count)) for e, d, count in self.mechanisms)
        return [
            *({"delta": d, "epsilon": e, "count": count} for d, e, count in triples),
            *({"mu": str(mu), "count": str(count)} for mu, count in self.gaussian),
            *({"rho": str(rho), "count": str(count)} for rho, count in self.concentrated),
        ]

    def document(self) -> dict[str, object]:
        """The subject as the format has it."""
        return {"type": TYPE, "mechanisms": self.entries()}

    def positive_epsilons(self) -> list[tuple[ExactNumber, int]]:
        """Distinct normal forms of an ε > 0 in value, with their counts."""
        counts: Counter[ExactNumber] = Counter()
        for epsilon, _, count in self.mechanisms:
            if sign(epsilon) > 0:
                counts[epsilon] += count
        return list(counts.items())


class Stated(Protocol):
    """What a statement may be about: a ledger, or what other packages define."""

    @property
    def neighbouring(self) -> str:
        """The neighbouring relation."""

    @property
    def interaction(self) -> str:
        """How the mechanisms are used."""

    def document(self) -> dict[str, object]:
        """The subject as the format has it."""


def _by_text(counts: Counter[mpq]) -> tuple[tuple[mpq, int], ...]:
    return tuple(sorted(counts.items(), key=lambda pair: str(pair[0])))
