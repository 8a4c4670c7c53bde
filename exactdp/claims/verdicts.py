r"""A verdict for each rule on each claim of a ledger.

Rules of this file: a claim is judged at its own δ and on its own basis; "this rule does not give
it" is said of a rule, "refuted" of the claim, and the two are never confused; a line that rests on
an assumption says which, and settles nothing.

Theory of operation: what applies depends on the notions of the ledger and on what is claimed.

- (ε, δ) from mechanisms given by (ε, δ): optimal composition decides; the field's closed forms,
  and for interleaved mechanisms the first theorem, are asked beside it.
- (ε, δ) from ρ or μ: the conversions of zCDP, each for itself, then the best derivation that there
  is and what Gaussian noise attains. Where all mechanisms are zCDP, what Gaussian noise with these
  ρ would do is a line of its own: noise of another kind, discrete Gaussian noise among it, need not
  do the same.
- (ε, δ) from noise: privacy losses on a mesh decide, whatever the claim rests on, for nothing finer
  is left; for discrete Gaussian noise the conversion of its ρ is a line of its own.
- ρ and μ themselves: exact sums (:mod:`exactdp.claims.sums`).

A claim on another basis than composition is not assessable from a ledger of parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.decimal_text import (
    decimal_text,
    enclose_in_decimals,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.enclosures import ball_of_rational, precision
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.naming import rule_words
from exactdp.claims.attacks import decide_about_attacks
from exactdp.claims.noise import decide_by_noise, rho_of_noise
from exactdp.claims.outcomes import DECIDED, OUTCOMES, ClaimOutcome, RuleVerdict, as_rounded
from exactdp.claims.sums import verdict_on_sum
from exactdp.claims.tautologies import tautology
from exactdp.claims.texts import claim_text
from exactdp.composition.answers.arguments import LedgerLike, ledger_of
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.conversions import certify_conversion
from exactdp.composition.closed_forms.concurrent import NAME as INTERLEAVED_BASIC_NAME
from exactdp.composition.closed_forms.concurrent import interleaved_basic
from exactdp.composition.closed_forms.rows import formulas
from exactdp.composition.engines.gaussian.curve import least_epsilon_of, profile
from exactdp.composition.engines.moments.zcdp import bun_steinke_epsilon
from exactdp.composition.engines.moments.zcdp import least_epsilon as canonne_kamath_steinke_epsilon
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.composition.problem import Problem
from exactdp.errors import CostLimitError
from exactdp.group_privacy.answers import certify_for_groups, compose_for_groups
from exactdp.ledger.model import Claim, Ledger
from exactdp.mechanisms import ConcentratedMechanism
from exactdp.readable import Readable

BEYOND_LIMITS: Final = "within the limits; raise --max-cost"
IF_GAUSSIAN: Final = "if the noise were Gaussian with these ρ"
BY_ATTACKS: Final = "what an attack gains"
BY_NOISE: Final = "composition of the noise"
_CONVERSIONS: Final = {
    "zcdp-bun-steinke": bun_steinke_epsilon,
    "zcdp-canonne-kamath-steinke": canonne_kamath_steinke_epsilon,
}
_TOLERANCE: Final = mpq(1, 10**12)
_PLACES: Final = 12
_BITS: Final = 256


@dataclass(frozen=True, slots=True)
class Audited(Readable):
    """A claim with the verdicts on it.

    Attributes:
        claim: what is claimed.
        verdicts: one for each rule; those with an assumption last.
        tautology: why the claim could not fail of this ledger; "" if it could.
    """

    claim: Claim
    verdicts: tuple[RuleVerdict, ...]
    tautology: str = ""

    @property
    def outcome(self) -> ClaimOutcome:
        """What is true of the claim: by the best of the rules, assumptions apart."""
        outcomes = [each.outcome for each in self.verdicts if not each.assumption]
        order: tuple[ClaimOutcome, ...] = (
            "refuted",
            "holds-with-equality",
            "holds",
            "undecided",
            "not-derivable",
        )
        return next((each for each in order if each in outcomes), "not-assessable")

    def facts(self) -> list[tuple[str, str]]:
        """What is claimed, what is true of it, and what each rule says."""
        claimed = claim_text(self.claim, shortest_text, short_text)
        first = ("claim", claimed), ("outcome", OUTCOMES[self.outcome])
        tautology = [("tautology", self.tautology)] if self.tautology else []
        return [
            *first,
            *tautology,
            *(fact for verdict in self.verdicts for fact in verdict.facts()),
        ]

    @property
    def claimed(self) -> ExactNumber | None:
        """The number that is claimed: an ε, a ρ or a μ."""
        return self.claim.within_rounding.number

    @property
    def is_computed(self) -> bool:
        """Whether what is true of the claim was computed, without a certificate."""
        settling = [each for each in self.verdicts if not each.assumption]
        shown = [each.evidence for each in settling if each.outcome == self.outcome]
        return self.outcome in DECIDED and "certificate" not in shown

    def gap(self, verdict: RuleVerdict) -> tuple[mpq, mpq] | None:
        """Rationals around what the least of a rule exceeds the claim by, where it does."""
        claimed = self.claimed
        if verdict.least is None or claimed is None:
            return None
        low, high = enclose_in_decimals(claimed, _PLACES + 20)
        gap = verdict.least[0] - high, verdict.least[1] - low
        return gap if gap[0] > 0 else None


def audit(
    ledger: LedgerLike, *, max_cost: int = DEFAULT_MAX_COST, group: int = 1
) -> tuple[Audited, ...]:
    """Every claim of ``ledger`` under every rule that applies.

    Args:
        ledger: a Ledger, or the path of one; what is judged are the claims that it states.
        max_cost: leave undecided what is predicted to cost more.
        group: read the claims as claims about groups of so many.

    Raises:
        InputError: it is no ledger.

    >>> from exactdp import Claim, Ledger, Mechanism
    >>> claim = Claim("1", "1e-6", "composition", "a paper")
    >>> [audited] = audit(Ledger((Mechanism("0.1", count=100),), claims=(claim,)))
    >>> audited.outcome
    'refuted'
    """
    found = ledger_of(ledger)
    return tuple(
        Audited(
            claim,
            tuple(_verdicts_on(found, claim, max_cost, group)),
            tautology(found, claim) if group == 1 else "",
        )
        for claim in found.claims
    )


def _verdicts_on(ledger: Ledger, claim: Claim, max_cost: int, group: int) -> Iterator[RuleVerdict]:
    for each in _verdicts(ledger, claim.within_rounding, max_cost, group):
        outcome, reason = as_rounded(each.outcome, each.reason, claim)
        yield replace(each, outcome=outcome, reason=reason)


def _verdicts(ledger: Ledger, claim: Claim, max_cost: int, group: int) -> Iterator[RuleVerdict]:
    by_noise = ledger.given_by == "noise"
    if claim.is_about_attacks and (by_noise or claim.basis == "composition"):
        yield _about_attacks(ledger, claim, max_cost, group)
        return
    if by_noise:
        yield from _of_noise(ledger, claim, max_cost, group)
        return
    problem = Problem.of_parameters(ledger)
    if claim.basis != "composition":
        reason = f"it rests on {claim.basis.replace('-', ' ')}"
        yield RuleVerdict("composition", "not-assessable", reason=reason)
        if claim.basis == "finer-structure" and group == 1:
            yield from _if_gaussian(problem, claim)
    elif claim.epsilon is None:
        yield verdict_on_sum(ledger, claim, group)
    elif group > 1:
        yield _for_groups(ledger, claim.epsilon, claim.delta or mpq(0), group, max_cost)
    elif ledger.given_by == "epsilon-delta":
        yield from _of_pairs(ledger, claim.epsilon, claim.delta or mpq(0), max_cost)
    else:
        yield from _of_notions(ledger, problem, claim, claim.epsilon, claim.delta or mpq(0))


def _about_attacks(ledger: Ledger, claim: Claim, max_cost: int, group: int) -> RuleVerdict:
    if group > 1:
        reason = "what an attack gains is about neighbours"
        return RuleVerdict(BY_ATTACKS, "not-assessable", reason=reason)
    found = decide_about_attacks(ledger, claim, max_cost)
    return RuleVerdict(
        BY_ATTACKS,
        found.outcome,
        found.least,
        found.reason,
        found.certificate,
        beside=found.beside,
    )


# --- (ε, δ) from mechanisms given by (ε, δ) -----------------------------------------------------


def _of_pairs(
    ledger: Ledger, epsilon: ExactNumber, delta: mpq, max_cost: int
) -> Iterator[RuleVerdict]:
    yield _optimal(ledger, epsilon, delta, max_cost)
    if ledger.interaction == "concurrent":
        basic = interleaved_basic(ledger)
        proof = basic.certificate(epsilon, delta)
        outcome: ClaimOutcome = "not-derivable" if proof is None else "holds"
        yield RuleVerdict(INTERLEAVED_BASIC_NAME, outcome, certificate=proof)
    if delta >= 1:
        return
    for row in formulas(ledger, delta=delta, places=_PLACES):
        if row.epsilon is None:
            yield RuleVerdict(row.formula, "not-derivable", reason=row.reason)
        else:
            holds = compare(row.epsilon, epsilon) <= 0
            least = enclose_in_decimals(row.epsilon, _PLACES)
            below = min(least[0], row.lower if row.lower is not None else least[0])
            proof = row.certificate() if holds else None
            yield RuleVerdict(
                row.formula,
                "holds" if holds else "not-derivable",
                (below, least[1]),
                certificate=proof,
            )


def _optimal(ledger: Ledger, epsilon: ExactNumber, delta: mpq, max_cost: int) -> RuleVerdict:
    name = "optimal composition"
    try:
        decided = certify(ledger, epsilon=epsilon, delta=delta, max_cost=max_cost)
        least = _least(ledger, delta, max_cost)
    except CostLimitError:
        return RuleVerdict(name, "undecided", reason=BEYOND_LIMITS)
    outcome: ClaimOutcome = "refuted"
    if decided.holds:
        outcome = "holds-with-equality" if decided.equality else "holds"
    return RuleVerdict(name, outcome, least, certificate=decided.certificate)


def _least(ledger: Ledger, delta: mpq, max_cost: int) -> tuple[mpq, mpq] | None:
    answer = compose(ledger, delta=delta, tolerance=_TOLERANCE, max_cost=max_cost)
    if answer.lower_end is None or answer.upper_end is None:
        return None
    return answer.lower_end, answer.upper_end


# --- (ε, δ) from ρ or μ -------------------------------------------------------------------------


def _of_notions(
    ledger: Ledger, problem: Problem, claim: Claim, epsilon: ExactNumber, delta: mpq
) -> Iterator[RuleVerdict]:
    if 0 < delta < 1 and problem.allowed(delta).sign > 0 and _is_concentrated(problem):
        for rule in _CONVERSIONS:
            yield _conversion(ledger, problem, rule, epsilon, delta)
    yield _best(ledger, epsilon, delta)
    yield from _if_gaussian(problem, claim)


def _is_concentrated(problem: Problem) -> bool:
    """Whether every mechanism is given by ρ."""
    return bool(problem.rho) and not problem.square and not problem.mechanisms


def _conversion(
    ledger: Ledger, problem: Problem, rule: str, epsilon: ExactNumber, delta: mpq
) -> RuleVerdict:
    """One conversion of the sum of all ρ; with the ε that it gives, where that is another."""
    found = _CONVERSIONS[rule](problem.rho, delta, _TOLERANCE)
    least = (found.lower, found.upper)
    try:
        converted = certify_conversion(ledger, epsilon=epsilon, delta=delta, rule=rule)
    except CostLimitError:
        return RuleVerdict(rule, "undecided", least, "too close to tell")
    if converted.derivable:
        return RuleVerdict(rule, "holds", least, certificate=converted.certificate)
    mended = certify_conversion(
        ledger, epsilon=ExactNumber(found.upper + _TOLERANCE), delta=delta, rule=rule
    )
    return RuleVerdict(
        rule,
        "not-derivable",
        least,
        certificate=converted.certificate,
        mended=mended.certificate,
    )


def _best(ledger: Ledger, epsilon: ExactNumber, delta: mpq) -> RuleVerdict:
    """The best derivation, and what Gaussian noise with these parameters attains."""
    name = "best derivation"
    answer = compose(ledger, delta=delta, tolerance=_TOLERANCE)
    if answer.upper_end is None or answer.lower_end is None:
        decided = certify(ledger, epsilon=epsilon, delta=delta)
        return RuleVerdict(name, "refuted", certificate=decided.certificate)
    given = f"by {rule_words(answer.method)} ε ≤ {decimal_text(answer.upper_end)}"
    try:
        decided = certify(ledger, epsilon=epsilon, delta=delta)
    except CostLimitError:
        attained = f"no ε below {decimal_text(answer.lower_end)} is true of all mechanisms"
        return RuleVerdict(name, "not-derivable", reason=f"{given}; {attained}")
    if decided.holds:
        return RuleVerdict(name, "holds", reason=given, certificate=decided.certificate)
    return RuleVerdict(
        name, "refuted", (answer.lower_end, answer.upper_end), certificate=decided.certificate
    )


def _if_gaussian(problem: Problem, claim: Claim) -> Iterator[RuleVerdict]:
    """What Gaussian noise with μ² = 2ρ would do; for ledgers of ρ alone."""
    if not _is_concentrated(problem):
        return
    square = 2 * problem.rho
    rule = "gaussian curve"
    if claim.epsilon is None:
        if claim.mu is not None:
            size = ExactNumber.parse(claim.mu)
            holds = size.is_rational and size.rational**2 >= square
            yield RuleVerdict(rule, "would-hold" if holds else "would-fail", assumption=IF_GAUSSIAN)
        return
    delta = claim.delta or mpq(0)
    if not 0 < delta < 1:
        return
    with precision(_BITS):
        least = least_epsilon_of(square, ball_of_rational(delta), _TOLERANCE)
    low, high = profile(square, claim.epsilon, _TOLERANCE)
    outcome: ClaimOutcome = "would-hold" if high <= delta else "would-fail"
    if low <= delta < high:
        outcome = "undecided"
    yield RuleVerdict(rule, outcome, least, assumption=IF_GAUSSIAN)


# --- noise --------------------------------------------------------------------------------------


def _of_noise(ledger: Ledger, claim: Claim, max_cost: int, group: int) -> Iterator[RuleVerdict]:
    rho, delta = rho_of_noise(ledger), claim.delta or mpq(0)
    if group > 1:
        reason = "groups of people speak of parameters, not of noise"
        yield RuleVerdict(BY_NOISE, "not-assessable", reason=reason)
    elif claim.epsilon is None:
        yield verdict_on_sum(ledger, claim)
    else:
        decided = decide_by_noise(ledger, claim.epsilon, delta, max_cost)
        found = decided.least, decided.reason, decided.certificate
        yield RuleVerdict(BY_NOISE, decided.outcome, *found)
        if rho is not None and 0 < delta < 1 and not _has_gaussian_noise(ledger):
            own, rule = Ledger((ConcentratedMechanism(rho),)), "zcdp-canonne-kamath-steinke"
            of_rho = _conversion(own, Problem.of_parameters(own), rule, claim.epsilon, delta)
            yield replace(of_rho, certificate=None, mended=None, reason="of the ρ of the noise")


def _has_gaussian_noise(ledger: Ledger) -> bool:
    """Whether some noise is Gaussian, sampled or not, beside whose curve its ρ says little."""
    return any(each.implied_mu_squared() is not None for each in ledger.mechanisms)


# --- groups -------------------------------------------------------------------------------------


def _for_groups(
    ledger: Ledger, epsilon: ExactNumber, delta: mpq, group: int, max_cost: int
) -> RuleVerdict:
    rule, least = f"group privacy for groups of {group}", None
    try:
        bound = compose_for_groups(
            ledger, group, delta=delta, tolerance=_TOLERANCE, max_cost=max_cost
        )
        least = None if bound.upper is None else enclose_in_decimals(bound.upper, _PLACES)
        decided = certify_for_groups(ledger, group, epsilon=epsilon, delta=delta, max_cost=max_cost)
    except CostLimitError as error:
        if error.field == "claim":
            return RuleVerdict(rule, "not-derivable", least, "neither derived nor refuted")
        return RuleVerdict(rule, "undecided", reason=BEYOND_LIMITS)
    outcome: ClaimOutcome = "holds" if decided.holds else "refuted"
    return RuleVerdict(rule, outcome, least, certificate=decided.certificate)
