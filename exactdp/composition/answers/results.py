r"""Results: what compose, profile and certify answer, for ledgers by any privacy definitions.

Rules of this file: every member means the same for every ledger; what proves an answer stays
behind :class:`Evidence`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from gmpy2 import mpq, mpz

from exactdp.arithmetic.decimal_text import decimal_text, floor_to, short_text, shortest_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.ends import IntervalEnd
from exactdp.composition.answers.texts import (
    delta_clause,
    epsilon_text,
    exact_decimal,
    exact_fraction,
    rounded_interval_text,
)
from exactdp.composition.engines.engine import Method
from exactdp.composition.problem import Problem, feasible_delta_text
from exactdp.errors import UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.readable import Readable

if TYPE_CHECKING:
    from exactdp.composition.routes import Derivation

EvidenceKind = Literal["certificate", "computed"]
"""What an answer rests on: certificates, or exact numbers for which there are none yet."""

GREATEST_LOSS: Final = "greatest-loss"
"""The method of answers that are computed from the greatest losses, without a certificate."""
UNDECIDED: Final = "claim"
"""The field of an error about a claim that the rules leave open."""
BESIDE_THE_OPTIMUM: Final = {"moments": "by moments", "sum": "by the sum"}
"""Methods that answer a ledger of (ε, δ) where its optimum is out of reach, in words."""
_RELATIVE: Final = mpq(1, mpz(10) ** 30)


class Proving(Protocol):
    """What proves an end of an answer."""

    def __call__(self, epsilon: ExactNumber, *, enough: bool) -> Certificate | None:
        """The proof that ε is enough, or that it is not; None if no rule shows it."""


class PredictedCosts(Protocol):
    """What was predicted of the work."""

    @property
    def predicted_cost(self) -> int | None:
        """Of the last effort; None where no engine was needed."""

    @property
    def predicted_costs(self) -> dict[Method, int | None]:
        """Of each engine that was considered; None where it does not fit."""


@dataclass(frozen=True, slots=True)
class _KnownCosts:
    """What was predicted, once and for all."""

    predicted_cost: int | None
    predicted_costs: dict[Method, int | None]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an answer rests on: why the ends hold, and what proves them.

    Attributes:
        problem: the mechanisms that are given by (ε, δ), or what fails of others.
        prove: the certificates.
        attained_by: by which mechanisms the lower end is attained, in words.
        open_because: why an interval may be wider than asked.
        computed_because: why there are no certificates; "" where there are.
        reaches_least_delta: whether a finite ε is enough at the least feasible δ.
        places: decimal places that are shown of an exact answer.
        costs: what was predicted.
        basic_epsilon: Σ ε_i; None if a mechanism has no ε.
    """

    problem: Problem
    prove: Proving
    attained_by: str
    open_because: str
    computed_because: str = ""
    reaches_least_delta: bool = False
    places: int = 0
    costs: PredictedCosts = _KnownCosts(None, {})
    basic_epsilon: ExactNumber | None = None


@dataclass(frozen=True, slots=True)
class _Made:
    """The proofs of an answer that was copied, or sent elsewhere."""

    upper: Certificate | None
    lower: Certificate | None

    def __call__(self, epsilon: ExactNumber, *, enough: bool) -> Certificate | None:
        """The one that was made before."""
        del epsilon
        return self.upper if enough else self.lower


@dataclass(frozen=True, slots=True)
class Composition(Readable):
    r"""The least ε that is known for a ledger at one δ: a certain interval, and its certificates.

    Attributes:
        ledger: what was composed.
        delta: the global δ.
        lower_end: :attr:`lower` as the rational that engines calculate with.
        upper_end: :attr:`upper` as such a rational.
        exact: the least ε in closed form, where it is known to have one.
        method: how ``upper`` was found: an engine, the rule of a conversion, or "closed-form".
        complete: whether the interval is as narrow as asked.
        derivations: what each conversion that applies gives, the best first; empty where (ε, δ)
            describes the ledger, as nothing needs to be converted.
    """

    ledger: Ledger
    delta: mpq
    lower_end: mpq | None
    upper_end: mpq | None
    exact: ExactNumber | None
    method: str
    complete: bool
    derivations: tuple[Derivation, ...]
    _evidence: Evidence = field(repr=False, compare=False)

    def __reduce__(self) -> tuple[object, ...]:
        """A copy takes its proofs with it, and nothing of the engine that found them."""
        costs = _KnownCosts(self.predicted_cost, self.predicted_costs)
        made = _Made(self.upper_certificate(), self.lower_certificate())
        sent = replace(self._evidence, prove=made, costs=costs)
        kept = [getattr(self, each.name) for each in fields(self)[:-1]]
        return Composition, (*kept, sent)

    def __str__(self) -> str:
        return (
            f"{epsilon_text(self.lower_end, self.upper_end, self.exact)} {delta_clause(self.delta)}"
        )

    def facts(self) -> list[tuple[str, str]]:
        """The answer, and how it was found."""
        rows = [
            ("mechanisms", str(self.ledger.size)),
            ("at δ", short_text(self.delta)),
            ("least ε", epsilon_text(self.lower_end, self.upper_end, self.exact)),
            ("found by", self.method),
        ]
        named = [("ledger", self.ledger.name)] if self.ledger.name else []
        return [*named, *rows]

    def decimals(self) -> tuple[Decimal, Decimal] | None:
        """Both ends as decimals, exactly; None if no finite ε is enough."""
        ends = self._ends()
        return None if ends is None else (exact_decimal(ends[0]), exact_decimal(ends[1]))

    def fractions(self) -> tuple[Fraction, Fraction] | None:
        """Both ends as fractions, exactly; None if no finite ε is enough."""
        ends = self._ends()
        return None if ends is None else (exact_fraction(ends[0]), exact_fraction(ends[1]))

    def as_dict(self) -> dict[str, object]:
        """The answer in texts and numbers that JSON holds, without loss."""
        ends = self._ends()
        return {
            "delta": short_text(self.delta),
            "feasible": self.feasible,
            "lower": None if ends is None else decimal_text(ends[0]),
            "upper": None if ends is None else decimal_text(ends[1]),
            "exact": None if self.exact is None else shortest_text(self.exact),
            "method": self.method,
            "mechanisms": self.ledger.size,
        }

    def _ends(self) -> tuple[mpq, mpq] | None:
        return (
            None
            if self.lower_end is None or self.upper_end is None
            else (self.lower_end, self.upper_end)
        )

    @property
    def lower(self) -> IntervalEnd | None:
        """A decimal; below it, some composition is not (ε, δ)-DP. None: no finite ε is enough."""
        return None if self.lower_end is None else IntervalEnd(self.lower_end, up=False)

    @property
    def upper(self) -> IntervalEnd | None:
        """A decimal that every composition keeps; None if no finite ε is enough."""
        return None if self.upper_end is None else IntervalEnd(self.upper_end, up=True)

    @property
    def epsilon(self) -> IntervalEnd | None:
        """The ε to state: ``upper``, which is certain; None if no finite ε is enough."""
        return self.upper

    def plot(self, axes: Any = None) -> Any:  # noqa: ANN401 (matplotlib's)
        """A figure of matplotlib: ε at other δ too, between its bounds; needs the extra plot.

        Args:
            axes: of matplotlib, to draw into; None makes a figure.

        Raises:
            InputError: matplotlib is not installed.
        """
        picture = import_module("exactdp.composition.answers.picture")  # which composes again
        return picture.plot_composition(self, axes)

    @property
    def feasible(self) -> bool:
        """Whether any finite ε is enough."""
        return self.upper_end is not None

    @property
    def attained_by(self) -> str:
        """By which mechanisms ``lower`` is attained, in words."""
        return self._evidence.attained_by

    @property
    def open_because(self) -> str:
        """Why the interval is wider than asked, in words; "" if it is not."""
        return "" if self.complete else self._evidence.open_because

    @property
    def evidence(self) -> EvidenceKind:
        """What the ends rest on: certificates, or numbers that were computed without any."""
        return "computed" if self.computed_because else "certificate"

    @property
    def computed_because(self) -> str:
        """Why there are no certificates, in words; "" where there are."""
        return self._evidence.computed_because

    @property
    def basic_epsilon(self) -> ExactNumber | None:
        """Σ ε_i: what basic composition gives at a feasible δ; None if a mechanism has no ε."""
        return self._evidence.basic_epsilon

    @property
    def least_feasible_delta(self) -> str:
        """1 - ∏(1 - δ_i), exactly, as text: a fraction, or a product where that is too long.

        Where mechanisms are given by their noise, their masses at infinity are among the δ_i.
        """
        return feasible_delta_text(self._evidence.problem)

    @property
    def reaches_least_delta(self) -> bool:
        """Whether a finite ε is enough at that δ: no loss is beyond every bound."""
        return self._evidence.reaches_least_delta

    @property
    def least_feasible_delta_ends(self) -> tuple[mpq, mpq]:
        """Rationals around 1 - ∏(1 - δ_i), equal where it is a fraction of few digits."""
        return self._evidence.problem.least_feasible_delta(_RELATIVE)

    @property
    def predicted_cost(self) -> int | None:
        """The predicted cost of the engine's last effort, in units of about a nanosecond.

        None where no engine was needed.
        """
        return self._evidence.costs.predicted_cost

    @property
    def predicted_costs(self) -> dict[Method, int | None]:
        """The predicted cost of each engine that was considered; None where it does not fit."""
        return self._evidence.costs.predicted_costs

    def upper_certificate(self) -> Certificate | None:
        """The proof that ``exact`` or else ``upper`` is enough; None if no finite ε is."""
        if self.upper_end is None:
            return None
        return self._evidence.prove(self.exact or ExactNumber(self.upper_end), enough=True)

    def lower_certificate(self) -> Certificate | None:
        """The proof that a little less is not enough; None if the least ε may be 0.

        An optimum that is attained has no lower certificate at that very ε: this one states an ε
        within the tolerance below it.
        """
        if self.lower_end is None:
            return self._evidence.prove(ExactNumber(mpq(0)), enough=False)
        below = self.lower_end
        if self.exact is not None:
            step = mpq(1, mpz(10) ** self._evidence.places)
            below = max(mpq(0), floor_to(below - step / 2, self._evidence.places))
        return self._evidence.prove(ExactNumber(below), enough=False) if below > 0 else None


@dataclass(frozen=True, slots=True)
class ProfilePoint(Readable):
    """The privacy profile at one ε: lower <= δ(ε) <= upper.

    Attributes:
        epsilon: ε, in nats.
        lower_end: :attr:`lower` as a rational of gmpy2, for calculations.
        upper_end: :attr:`upper` as such a rational.
        method: how ``upper`` was found: an engine, a rule of conversions, or "closed-form".
    """

    epsilon: ExactNumber
    lower_end: mpq
    upper_end: mpq
    method: str

    @property
    def lower(self) -> IntervalEnd:
        """A δ that is not enough, or just enough."""
        return IntervalEnd(self.lower_end, up=False)

    @property
    def upper(self) -> IntervalEnd:
        """A δ that every composition keeps."""
        return IntervalEnd(self.upper_end, up=True)

    @property
    def delta(self) -> IntervalEnd:
        """The δ to state: ``upper``, which is certain."""
        return self.upper

    @property
    def evidence(self) -> EvidenceKind:
        """What the ends rest on: rules of certificates, or numbers computed beside them."""
        return "computed" if self.method == GREATEST_LOSS else "certificate"

    def __str__(self) -> str:
        within = rounded_interval_text(self.lower_end, self.upper_end)
        return f"δ ∈ {within} at ε = {shortest_text(self.epsilon)}"

    def facts(self) -> list[tuple[str, str]]:
        """The point."""
        within = rounded_interval_text(self.lower_end, self.upper_end)
        return [("at ε", shortest_text(self.epsilon)), ("least δ", within)]

    def fractions(self) -> tuple[Fraction, Fraction]:
        """Both ends as fractions, exactly."""
        return exact_fraction(self.lower_end), exact_fraction(self.upper_end)

    def as_dict(self) -> dict[str, str]:
        """The point in texts that JSON holds, without loss."""
        return {
            "epsilon": shortest_text(self.epsilon),
            "lower": short_text(self.lower_end),
            "upper": short_text(self.upper_end),
            "method": self.method,
        }


@dataclass(frozen=True, slots=True)
class Computed:
    """A claim that was decided without a certificate.

    Attributes:
        epsilon: the claimed ε.
        delta: the claimed δ.
        rule: how it was decided.
        because: why there is no certificate, in words.
    """

    epsilon: ExactNumber
    delta: mpq
    rule: str
    because: str


@dataclass(frozen=True, slots=True)
class Certified(Readable):
    """A decided claim and its certificate: an upper one if it holds, else a lower one.

    Attributes:
        holds: whether every composition with these parameters is (ε, δ)-DP.
        equality: whether the claimed ε is known to be the least one.
        computed: what was decided without a certificate; None where there is one.
    """

    holds: bool
    equality: bool
    _made: Certificate | Callable[[], Certificate | None] | None = field(repr=False, compare=False)
    computed: Computed | None = None

    def __reduce__(self) -> tuple[object, ...]:
        """A copy takes its proof with it, and nothing of what makes it."""
        return Certified, (self.holds, self.equality, self.proof, self.computed)

    @property
    def proof(self) -> Certificate | None:
        """The certificate, which is made when it is first asked for; None where there is none."""
        return self._made() if callable(self._made) else self._made

    @property
    def certificate(self) -> Certificate:
        """The proof or the refutation.

        Raises:
            UnsupportedError: the claim was computed, and no rule of certificates says so yet.
        """
        proof = self.proof
        if proof is not None:
            return proof
        raise UnsupportedError(
            field="certificate",
            value="none",
            expected="a claim that a rule of certificates decides",
            remedy=f"take holds and computed instead: {self.computed and self.computed.because}",
        )

    @property
    def evidence(self) -> EvidenceKind:
        """What the decision rests on."""
        return "certificate" if self.computed is None else "computed"

    def __str__(self) -> str:
        claim = self.computed or self.certificate
        epsilon = "every ε" if claim.epsilon is None else f"ε = {shortest_text(claim.epsilon)}"
        verdict = _VERDICTS[self.evidence, self.holds]
        tight = "; no smaller ε is enough" if self.holds and self.equality else ""
        return f"{verdict}: {epsilon} {delta_clause(claim.delta)}{tight}"

    def facts(self) -> list[tuple[str, str]]:
        """The decision, and the theorem behind it."""
        by = self.certificate.theorem if self.computed is None else self.computed.rule
        why = [] if self.computed is None else [("no certificate", self.computed.because)]
        return [("claim", str(self)), ("by", by), *why]


_VERDICTS: Final[dict[tuple[EvidenceKind, bool], str]] = {
    ("certificate", True): "proved",
    ("certificate", False): "refuted",
    ("computed", True): "holds (computed)",
    ("computed", False): "does not hold (computed)",
}
