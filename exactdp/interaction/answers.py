r"""The privacy loss of interactive mechanisms, with the proof on either side.

Rules of this file: nothing is certified that has not been built and verified exactly; a
composition too large to write out keeps its privacy loss, and goes without certificates.

Theory of operation: the least odds E = e^ε are found by :mod:`privacy_loss`. At E the whole is a
post-processing of randomized response, which is the upper certificate; just below E an adversary
tells the inputs apart, which is the lower one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.decimal_text import enclose_in_decimals, short_text, shortest_text
from exactdp.arithmetic.numbers import ExactNumber, Number, as_rational
from exactdp.certificate.prediction import size_of
from exactdp.certificate.rules.row import Kind, Theorem
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.results import EvidenceKind
from exactdp.errors import CostLimitError, DomainError, InputError, InternalError
from exactdp.interaction.interleaving import interleaved
from exactdp.interaction.mechanism import Answer, InteractiveMechanism, Node
from exactdp.interaction.privacy_loss import least_odds
from exactdp.interaction.simulation import (
    Refutation,
    Simulation,
    largest_sum,
    refute_every,
    simulate,
)
from exactdp.readable import Readable

MOST_MECHANISMS: Final = 8
MOST_CERTIFIED: Final = 5_000
_MOST_VERIFIED_ROUNDS: Final = 64
_PLACES: Final = 12


@dataclass(frozen=True, slots=True)
class InteractiveSubject:
    """Interactive mechanisms, written out as a certificate states them."""

    mechanisms: tuple[InteractiveMechanism, ...]
    neighbouring: str = "unspecified"
    interaction: str = "concurrent"

    def document(self) -> dict[str, object]:
        """The subject as the format has it: probabilities without names."""
        return {
            "type": "interactive",
            "mechanisms": [_histories(each.root) for each in self.mechanisms],
        }

    def covered_by(self, _theorem: Theorem) -> bool:
        """What is written out is interleaved as it stands."""
        return True


@dataclass(frozen=True)
class Examination(Readable):
    """What is known of interleaved mechanisms at one δ.

    Attributes:
        mechanisms: the mechanisms, one or more.
        delta: δ.
        odds: e^PrivLoss exactly; None if no finite ε is enough.
        whole: the concurrent composition written out; None where that would be too much.
    """

    mechanisms: tuple[InteractiveMechanism, ...]
    delta: mpq
    odds: mpq | None
    whole: InteractiveMechanism | None

    @property
    def epsilon(self) -> ExactNumber | None:
        """The privacy loss; None if it is infinite."""
        return None if self.odds is None else ExactNumber.ln(self.odds)

    def facts(self) -> list[tuple[str, str]]:
        """The privacy loss of the whole."""
        loss = "infinite" if self.epsilon is None else f"ε = {shortest_text(self.epsilon)}"
        return [
            ("mechanisms", str(len(self.mechanisms))),
            ("privacy loss", f"{loss} at δ = {short_text(self.delta)}"),
        ]

    @cached_property
    def simulation(self) -> Simulation | None:
        """The post-processing of randomized response that the whole is."""
        if self.odds is None or self.whole is None:
            return None
        found = simulate(self.whole, self.odds, self.delta)
        if isinstance(found, Refutation):
            raise InternalError(
                field="simulation", value="none", expected="one at the privacy loss"
            )
        return found

    @property
    def certifiable(self) -> bool:
        """Whether the whole is small enough for certificates."""
        rounds = sum(each.root.rounds for each in self.mechanisms)
        return (
            self.whole is not None
            and self.whole.root.size <= MOST_CERTIFIED
            and rounds <= _MOST_VERIFIED_ROUNDS
        )

    @property
    def evidence(self) -> EvidenceKind:
        """What the privacy loss rests on."""
        return "certificate" if self.certifiable else "computed"

    def upper_certificate(self) -> Certificate | None:
        """The proof that ε is enough; None if none is, or the whole is too large."""
        if self.odds is None or self.simulation is None or not self.certifiable:
            return None
        rows = self.simulation.ends
        parameters = {"odds": str(self.odds), "simulation": [list(map(str, row)) for row in rows]}
        return self._certificate("upper", self.epsilon, self.odds, parameters)

    def lower_certificate(self) -> Certificate | None:
        """The proof that a little less is not; None if ε is 0, or the whole is too large."""
        if self.whole is None or not self.certifiable or self.odds == 1:
            return None
        if self.odds is None:
            found, epsilon, odds = refute_every(self.whole, self.delta), None, mpq(1)
        else:
            epsilon, odds = _just_below(self.odds)
            refuted = simulate(self.whole, odds, self.delta)
            found = refuted if isinstance(refuted, Refutation) else None
        if found is None:
            raise InternalError(
                field="adversary", value="none", expected="one below the privacy loss"
            )
        parameters = {
            "odds": str(odds),
            "input": "1" if found.swapped else "0",
            "choices": list(map(str, found.choices)),
        }
        return self._certificate("lower", epsilon, odds, parameters)

    def _certificate(
        self,
        bound: Kind,
        epsilon: ExactNumber | None,
        odds: mpq,
        parameters: Mapping[str, object],
    ) -> Certificate:
        sizes = [_sizes(each.root) for each in self.mechanisms]
        bits = self._bits(odds, sum(size for _, size in sizes), upper=bound == "upper")
        rule = "post-processing" if bound == "upper" else "distinguishing-adversary"
        stated = {**parameters, "bits": str(bits)}
        subject = InteractiveSubject(self.mechanisms)
        return Certificate(subject, bound, epsilon, self.delta, rule, stated)

    def _bits(self, odds: mpq, volume: int, *, upper: bool) -> int:
        """No rational that the verifier meets is larger.

        Probabilities of histories, and sums of them times 1 or E, have a common denominator: the
        product of all denominators of the mechanisms, times that of E. Rows add up otherwise.
        """
        bits = 2 * (volume + size_of(odds) + size_of(self.delta)) + self.whole_size.bit_length()
        if upper and self.simulation is not None and self.whole is not None:
            bits = max(bits, largest_sum(self.whole, self.simulation))
        return bits

    @property
    def whole_size(self) -> int:
        """The number of histories of the whole; 0 if it is not written out."""
        return 0 if self.whole is None else self.whole.root.size


def examine(mechanisms: Sequence[InteractiveMechanism], *, delta: Number) -> Examination:
    r"""The privacy loss of one mechanism, or of the concurrent composition of several.

    Args:
        mechanisms: one to eight.
        delta: a rational 0 <= δ <= 1, exact.

    Raises:
        InputError: no mechanism, or more than eight, or δ is not exact.
        DomainError: δ out of range.
        CostLimitError: the product of their numbers of histories exceeds 200 000.

    >>> from exactdp.interaction.mechanism import randomized_response
    >>> print(examine([randomized_response(mpq(3))] * 2, delta="1/10").epsilon)
    ln(37/5)
    """
    allowed = as_rational(delta, "delta")
    if not 0 <= allowed <= 1:
        raise DomainError(field="delta", value=delta, expected="a rational from 0 to 1")
    if not 1 <= len(mechanisms) <= MOST_MECHANISMS:
        raise InputError(
            field="mechanisms",
            value=f"{len(mechanisms)} mechanisms",
            expected=f"1 to {MOST_MECHANISMS} interactive mechanisms",
        )
    odds = least_odds(mechanisms, allowed)
    try:
        whole = interleaved(mechanisms)
    except CostLimitError:
        whole = None
    return Examination(tuple(mechanisms), allowed, odds, whole)


def _just_below(odds: mpq) -> tuple[ExactNumber, mpq]:
    """A decimal ε >= 0 at most 10^-12 below ln(odds), and odds' with e^ε <= odds' < odds."""
    lower, _ = enclose_in_decimals(ExactNumber.ln(odds), _PLACES)
    epsilon = ExactNumber(lower)
    fraction = mpq(1, 2)
    while True:
        below = odds - (odds - 1) * fraction
        if compare(ExactNumber.ln(below), epsilon) >= 0:
            return epsilon, below
        fraction /= 1024


def _sizes(node: Node) -> tuple[int, int]:
    """The number of histories with queries from a node on, and the bits of all probabilities."""
    answers = [answer for query in node.queries.values() for answer in query.values()]
    below = [_sizes(answer.then) for answer in answers]
    own = sum(size_of(answer.p) + size_of(answer.q) for answer in answers)
    histories = sum(each for each, _ in below) + bool(node.queries)
    return histories, own + sum(size for _, size in below)


def _histories(root: Node) -> list[object]:
    """The histories with queries, depth first."""
    found: list[object] = []

    def index_of(node: Node) -> str:
        index = len(found)
        found.append(None)  # its place is before those that follow
        found[index] = [answers_of(answers.values()) for answers in node.queries.values()]
        return str(index)

    def answers_of(answers: Iterable[Answer]) -> list[list[str]]:
        return [
            [str(a.p), str(a.q), *([index_of(a.then)] if a.then.queries else [])] for a in answers
        ]

    if root.queries:
        index_of(root)
    return found
