r"""The rules ``clopper-pearson`` and ``one-run``: an outcome is rejected at a level.

Rules of this file: nothing is said of a mechanism, only how often a test rejects what is true. A
tail is 1 less weights from below, and so from above; e^ε is compared by an exact sign.

Theory of operation: of many runs, a rate ``tpr`` with which as many as were found have a chance of
at most half the level is below the true one but with that chance; a rate ``fpr`` is above the true
one likewise. If (ε, δ) does not allow the one at the other, either of two events of half the level
has happened. In one run, v right guesses or more are at most as likely as f·(1 + mδ/(v·w)): f is
the tail of Bin(r, y/(1 + y)) from v on, and w its weight at v, for any y ≥ e^ε.

Sources: certs/SPEC.md, sections 11.26, 11.27 and 14; Clopper & Pearson, Biometrika 26(4), 1934;
Steinke, Nasr & Jagielski, NeurIPS 2023, for the design; ``chance_of_right`` in proofs/OneRun.v.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from ..arithmetic.binomial import Row, binomial
from ..arithmetic.signs import sign
from ..format.meter import of_division, pay
from ..format.numbers import Number, normal_form, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.strict_json import Json
from ..kernel import Form
from .experiment import Experiment, ManyRuns, OneRun, short
from .rule import Axiom, parameter

_BITS: Final = 256
_ONE: Final = 1 << _BITS


def _read_rate(value: Json) -> Fraction:
    rate = short(value, "rate")
    if not 0 < rate < 1:
        raise MalformedError("a rate is not between 0 and 1")
    return rate


def _read_odds(value: Json) -> Fraction:
    odds = short(value, "odds")
    if odds < 1:
        raise MalformedError("odds are below 1")
    return odds


class Rejection(Axiom[Experiment]):
    """A rule about the outcome of an experiment."""

    form: ClassVar[Form] = Form(Experiment)
    kinds: ClassVar[tuple[str, ...]] = ("rejected",)


@dataclass(frozen=True)
class ClopperPearson(Rejection):
    """Many runs: (epsilon, delta) does not allow ``tpr`` at ``fpr``."""

    name: ClassVar[str] = "clopper-pearson"
    theorem: ClassVar[str] = "clopper-pearson-1934"

    tpr: Fraction = parameter(_read_rate)
    fpr: Fraction = parameter(_read_rate)

    def check(self, experiment: Experiment) -> None:
        """Both rates hold but with half the level, and contradict the claim."""
        outcome = experiment.outcome
        if not isinstance(outcome, ManyRuns):
            raise RejectedError("is about many runs")
        pay(8 * of_division(2 * _BITS + size(experiment.level)))
        most = experiment.level * _ONE / (2 * outcome.choices)
        found, others = outcome.members.found, outcome.others
        if _from(binomial(outcome.members.runs, self.tpr, _BITS), found) > most:
            raise RejectedError("more than half the level: so many members found")
        if _from(binomial(others.runs, 1 - self.fpr, _BITS), others.runs - others.found) > most:
            raise RejectedError("more than half the level: so few others found")
        self._contradicted()

    def _contradicted(self) -> None:
        """The rates are too far apart in one of two directions."""
        pay(20 * of_division(size(self.tpr) + size(self.fpr) + size(self.bound.delta)))
        left = 1 - self.bound.delta
        ratios = (self.tpr - self.bound.delta) / self.fpr, (left - self.fpr) / (1 - self.tpr)
        if all(ratio <= 1 or _beyond(ratio, self.bound.finite()) <= 0 for ratio in ratios):
            raise RejectedError("the claim allows these rates")


@dataclass(frozen=True)
class OneRunRule(Rejection):
    """One run: so many right guesses have at most the level's chance."""

    name: ClassVar[str] = "one-run"
    theorem: ClassVar[str] = "right-guesses-in-one-run"

    odds: Fraction = parameter(_read_odds)

    def check(self, experiment: Experiment) -> None:
        """The bound on the chance of so many right guesses, against the level."""
        outcome = experiment.outcome
        if not isinstance(outcome, OneRun):
            raise RejectedError("is about one run")
        if _beyond(self.odds, self.bound.finite()) < 0:
            raise RejectedError("odds are below e^epsilon")
        pay(8 * of_division(2 * _BITS + size(experiment.level) + size(self.bound.delta)))
        row = binomial(outcome.guesses, self.odds / (1 + self.odds), _BITS)
        most = experiment.level * _ONE / outcome.choices
        tail, weight = _from(row, outcome.right), _at(row, outcome.right)
        fails = tail * outcome.canaries * self.bound.delta * _ONE
        if tail > most or fails > (most - tail) * outcome.right * weight:
            raise RejectedError("more than the level: so many right guesses")


def _beyond(odds: Fraction, epsilon: Number) -> int:
    """The sign of ln(odds) - epsilon."""
    pay(1000)
    return sign(normal_form([Fraction(0)], [(Fraction(1), odds)]) - epsilon)


def _from(row: Row, least: int) -> int:
    """P[X >= ``least``] from above, times 2^bits."""
    pay(300 * len(row.weights))
    return _ONE - sum(row.weights[: max(0, least - row.first)])


def _at(row: Row, number: int) -> int:
    """P[X = ``number``] from below, times 2^bits."""
    place = number - row.first
    return row.weights[place] if 0 <= place < len(row.weights) else 0
