r"""The subject of statements about mechanisms given by their noise.

Rules of this file: the format is that of ``certs/SPEC.md``, section 3; one multiset of parameters
has one writing.

Theory of operation: entries are written as in a ledger file, every number in canonical text; equal
ones are merged, and they are sorted by the canonical bytes of what they say besides their counts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TypeAlias

from exactdp.certificate.statement import canonical_bytes
from exactdp.certificate.subject import TYPE, Subject
from exactdp.errors import UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Entry
from exactdp.mechanisms.keys import each_leaf

Written: TypeAlias = "str | list[Written] | dict[str, Written]"
"""A value of a statement: every number is a string."""


@dataclass(frozen=True, slots=True)
class NoiseSubject:
    """A ledger with mechanisms given by their noise, merged and in the order of the format.

    Attributes:
        mechanisms: each distinct mechanism as it is between the neighbours, and how many there are.
    """

    mechanisms: tuple[tuple[Entry, int], ...]
    neighbouring: str
    interaction: str

    @staticmethod
    def of(ledger: Ledger) -> NoiseSubject:
        """What a statement says of ``ledger``.

        Raises:
            UnsupportedError: the mechanisms are interleaved.
        """
        if ledger.interaction != "adaptive":
            raise UnsupportedError(
                field="interaction",
                value=ledger.interaction,
                expected="adaptive, for mechanisms given by their noise",
            )
        counts: Counter[bytes] = Counter()
        known: dict[bytes, Entry] = {}
        for entry in ledger.mechanisms:
            own = entry.between(ledger.neighbouring)
            key = canonical_bytes(_parameters(own))
            known.setdefault(key, own)
            counts[key] += entry.count
        ordered = tuple((known[key], counts[key]) for key in sorted(counts))
        return NoiseSubject(ordered, ledger.neighbouring, ledger.interaction)

    @property
    def size(self) -> int:
        """The number of entries."""
        return len(self.mechanisms)

    def entries(self) -> list[dict[str, Written]]:
        """The array ``mechanisms`` of the format."""
        return [{**_parameters(entry), "count": str(count)} for entry, count in self.mechanisms]

    def document(self) -> dict[str, object]:
        """The subject as the format has it."""
        return {"type": TYPE, "mechanisms": self.entries()}


def subject_of(ledger: Ledger) -> Subject | NoiseSubject:
    """What a statement says of ``ledger``, of the type that its mechanisms need."""
    return NoiseSubject.of(ledger) if ledger.is_noisy else Subject.of(ledger)


def parameters_of(entry: Entry, neighbouring: str = "") -> dict[str, Written]:
    """A mechanism as it stands in a statement about such neighbours, but for its count."""
    return _parameters(entry.between(neighbouring))


def _parameters(entry: Entry) -> dict[str, Written]:
    written: dict[str, Written] = each_leaf(entry.shape(), str)
    return written
