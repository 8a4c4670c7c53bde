r"""The subject of statements about mechanisms, however these are given.

Rules of this file: the format is that of ``certs/SPEC.md``, section 7.1; one multiset of parameters
has one writing.

Theory of operation: entries are written as in a ledger file, every number in canonical text; equal
ones are merged, and they are sorted by the canonical bytes of what they say besides their counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from gmpy2 import mpq

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.canonical import canonical_bytes
from exactdp.certificate.rules.row import Theorem
from exactdp.certificate.theorems import COVERS
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Entry
from exactdp.mechanisms.keys import each_leaf

Written: TypeAlias = "str | list[Written] | dict[str, Written]"
"""A value of a statement: every number is a string."""

CountedEpsilon = tuple[ExactNumber, int]
"""An ε and how many mechanisms have it."""

Epsilons = Sequence[CountedEpsilon]
"""Every ε > 0 of a composition, with its count."""

_TYPE: Final = "mechanisms"


@dataclass(frozen=True, slots=True)
class Subject:
    """The mechanisms of a ledger, merged and in the order of the format.

    Attributes:
        mechanisms: each distinct mechanism as it is between the neighbours, and how many there are.
    """

    mechanisms: tuple[tuple[Entry, int], ...]
    neighbouring: str
    interaction: str

    @staticmethod
    def of(ledger: Ledger) -> Subject:
        """What a statement says of ``ledger``."""
        alike: Counter[tuple[object, ...]] = Counter()
        stated: dict[tuple[object, ...], Entry] = {}
        for entry in ledger.mechanisms:
            own = entry.between(ledger.neighbouring)
            parameters = own.parameters()
            stated.setdefault(parameters, own)
            alike[parameters] += entry.count
        counts: Counter[bytes] = Counter()
        known: dict[bytes, Entry] = {}
        for parameters, own in stated.items():
            key = canonical_bytes(_written(own))
            known.setdefault(key, own)
            counts[key] += alike[parameters]
        ordered = tuple((known[key], counts[key]) for key in sorted(counts))
        return Subject(ordered, ledger.neighbouring, ledger.interaction)

    @property
    def size(self) -> int:
        """The number of entries."""
        return len(self.mechanisms)

    def entries(self) -> list[dict[str, Written]]:
        """The array ``mechanisms`` of the format."""
        return [{**_written(entry), "count": str(count)} for entry, count in self.mechanisms]

    def document(self) -> dict[str, object]:
        """The subject as the format has it."""
        return {"type": _TYPE, "mechanisms": self.entries()}

    def covered_by(self, theorem: Theorem) -> bool:
        """Whether a theorem of concurrent composition is about such mechanisms."""
        covers = COVERS.get(theorem)
        return covers is None or all(covers(entry) for entry, _ in self.mechanisms)

    @property
    def pairs(self) -> list[tuple[ExactNumber, mpq, int]]:
        """Every (ε, δ) that mechanisms are given by, with its count; in the order of the texts."""
        given = [each for each in self.mechanisms if each[0].given_by == "epsilon-delta"]
        known = ((entry.implied_epsilon_delta(), count) for entry, count in given)
        found = [(*pair, count) for pair, count in known if pair is not None]
        return sorted(found, key=lambda triple: (str(triple[0]), str(triple[1])))

    def positive_epsilons(self) -> list[CountedEpsilon]:
        """Distinct normal forms of an ε > 0 in value, with their counts."""
        counts: Counter[ExactNumber] = Counter()
        for epsilon, _, count in self.pairs:
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

    def covered_by(self, theorem: Theorem) -> bool:
        """Whether a theorem of concurrent composition is about such mechanisms."""


def parameters_of(entry: Entry, neighbouring: str = "") -> dict[str, Written]:
    """A mechanism as it stands in a statement about such neighbours, but for its count."""
    return _written(entry.between(neighbouring))


def _written(entry: Entry) -> dict[str, Written]:
    written: dict[str, Written] = each_leaf(entry.shape(), str)
    return written
