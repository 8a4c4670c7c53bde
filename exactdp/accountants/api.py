r"""``exactdp.crosscheck`` and ``exactdp.hunt``: accountants, named as the commands name them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from gmpy2 import mpq

from exactdp.accountants.accountants import Accountant, chosen
from exactdp.accountants.checking import Checked, checked_values
from exactdp.accountants.checking import crosscheck as ask_all
from exactdp.accountants.hunted import Hunted
from exactdp.accountants.hunting import fresh_seeds, hunt_each
from exactdp.accountants.hunting import hunt as hunt_one
from exactdp.accountants.noise_hunting import questions_of
from exactdp.accountants.process import Limits
from exactdp.accountants.protocol import AccountantQuestion
from exactdp.accountants.values import named_values
from exactdp.accountants.verdicts import Truth
from exactdp.arithmetic.numbers import Number, as_rational
from exactdp.composition.answers.arguments import (
    LedgerLike,
    ledger_of,
    nonnegative,
    target_of,
)
from exactdp.composition.answers.results import EvidenceKind
from exactdp.composition.answers.texts import INFEASIBLE, rounded_interval_text
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.readable import Readable

_SECONDS_OF_A_HUNT = 3.0


@dataclass(frozen=True, slots=True)
class Crosschecked(Readable):
    """Accountants beside the certified interval.

    Attributes:
        question: what they were asked.
        lower: the lower end of what is true, an ε or a δ; None if no finite ε is enough.
        upper: the upper end.
        evidence: what the ends rest on.
        accountants: each with its answer, and what becomes of it.
    """

    question: AccountantQuestion
    lower: mpq | None
    upper: mpq | None
    evidence: EvidenceKind
    accountants: tuple[Checked, ...]

    @property
    def refuted(self) -> tuple[Checked, ...]:
        """Accountants that promise what is false; by a certificate or by computation."""
        return tuple(each for each in self.accountants if each.verdict.accuses)

    def facts(self) -> list[tuple[str, str]]:
        """What is true, and the verdict on each accountant."""
        ends = INFEASIBLE
        if self.lower is not None and self.upper is not None:
            letter = "ε" if self.question.epsilon is None else "δ"
            ends = f"{letter} ∈ {rounded_interval_text(self.lower, self.upper)}"
        verdicts = [
            (each.accountant, ", ".join(f"{name} {text}" for name, text in each.verdict.facts()))
            for each in self.accountants
        ]
        title = "certified" if self.evidence == "certificate" else "computed"
        return [(title, ends), *verdicts]


def crosscheck(  # noqa: PLR0913 (one argument for each option)
    ledger: LedgerLike,
    *,
    delta: Number | None = None,
    epsilon: Number | None = None,
    accountants: Sequence[str] = (),
    values: Mapping[str, str] | None = None,
    pythons: Mapping[str, str] | None = None,
    programs: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    tolerance: Number | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> Crosschecked:
    """Ask accountants about a ledger, and judge what they say by the certified interval.

    Args:
        ledger: a Ledger, or mechanisms as :meth:`exactdp.Ledger.of` takes them.
        delta: ask for ε at this δ; None takes the ledger's ``target_delta``.
        epsilon: ask for δ at this ε instead.
        accountants: PACKAGE, PACKAGE/SETTING or the name of a program; none of them stands for all
            that are known, unless there are values.
        values: numbers that other tools have given, by the name of the tool: "EPS" or "EPS,DELTA".
        pythons: for each package, the interpreter that has it.
        programs: for each name, a command line of one's own.
        limits: of one answer.
        tolerance: the greatest width of the certified interval, where it costs little; None for
            10^-9, or 10^-4 with noise.
        max_cost: leave undecided what is predicted to cost more.

    Raises:
        InputError: bad arguments.

    >>> found = crosscheck([("0.1", 0, 100)], delta="1e-6", values={"a tool": "3"})
    >>> found.refuted[0].accountant
    'a tool'
    """
    checked = ledger_of(ledger)
    if epsilon is None:
        question = AccountantQuestion(checked, delta=target_of(checked, delta))
    else:
        question = AccountantQuestion(checked, epsilon=nonnegative(epsilon))
    truth = Truth(question, tolerance=tolerance, max_cost=max_cost)
    stated = named_values({} if values is None else values, question)
    asked: tuple[Accountant, ...] = ()
    if accountants or programs or not stated:
        asked = chosen(accountants, pythons=pythons, programs=programs)
    rows = (*ask_all(truth, asked, limits or Limits()), *checked_values(truth, stated))
    ends = _certified(truth)
    return Crosschecked(question, *ends, truth.evidence, rows)


def _certified(truth: Truth) -> tuple[mpq | None, mpq | None]:
    if truth.question.epsilon is not None:
        return truth.at_epsilon(truth.question.epsilon)
    composed = truth.at_delta(truth.question.delta or mpq(0))
    return composed.lower_end, composed.upper_end


def hunt(  # noqa: PLR0913 (one argument for each option)
    accountant: str = "",
    *,
    program: str = "",
    python: str = "",
    seeds: Sequence[int] = (),
    seconds: float = 300,
    gap: Number | None = None,
    limits: Limits | None = None,
    jobs: int = 1,
    noise: bool = False,
    batches: bool = False,
) -> Hunted:
    """Search for a small ledger on which an accountant promises what is false.

    Args:
        accountant: PACKAGE or PACKAGE/SETTING; of a package its settings, one after the other.
        program: the command line of an accountant of one's own, instead.
        python: the interpreter that has the package.
        seeds: of the searches; none of them stands for five fresh ones.
        seconds: for all of them.
        gap: by how much the ε must be too small; relative for δ. None stands for 1e-6, and 1e-3
            of δ.
        limits: of one answer.
        jobs: how many processes share the seeds.
        noise: draw DP-SGD, and not mechanisms given by (ε, δ); of Opacus nothing else is drawn.
        batches: draw DP-SGD on batches of a fixed size alone, where a record is replaced.

    Raises:
        InputError: bad arguments, or the accountant is not installed.
    """
    package = accountant.partition("/")[0]
    found = chosen(
        (accountant,) if accountant else (),
        pythons={package: python} if python else {},
        programs={"program": program} if program else {},
    )
    search = partial(
        hunt_one,
        seeds=tuple(seeds) or fresh_seeds(),
        limits=limits or Limits(_SECONDS_OF_A_HUNT),
        least_gap=None if gap is None else as_rational(gap, "gap"),
        jobs=jobs,
        questions=questions_of(noise=noise, batches=batches),
    )
    return hunt_each(found, seconds, lambda each, share: search(each, seconds=share))
