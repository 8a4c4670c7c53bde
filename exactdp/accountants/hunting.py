r"""Hunt: search for a ledger on which an accountant under-reports, and make it small.

Rules of this file: the search knows nothing about any accountant; its seeds are given and printed,
so that it can be repeated; it ends in time; a case counts only if a certificate refutes it,
or a computation where no rule certifies it.

Theory of operation: first a fixed list of corners is asked, small questions on which accountants
have been found to fail, or at which a parameter is extreme. Then Hypothesis draws ledgers of a few
groups and a δ, and once one is refuted it draws simpler ones that still are. A group has a count of
one digit and up to four zeros, an ε of up to three digits with which the group adds up to between
10^-4 and about 90, and a δ_i that is 0 or a power of ten from 10^-6 to 10^-15; in every other
ledger all δ_i are 0. The global δ is a power of ten from 0.1 to 10^-20. All of these are drawn
independently of each other. DP-SGD is drawn instead where that is asked for, or where it is all
that an accountant knows (:mod:`exactdp.accountants.noise_hunting`). Every question is asked with
its numbers rounded against the accusation (:mod:`exactdp.accountants.doubles`).

Source: MacIver, Donaldson, "Test-Case Reduction via Test-Case Generation", ECOOP 2020 (shrinking).
"""

from __future__ import annotations

import contextlib
import math
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from secrets import randbelow
from typing import TYPE_CHECKING, Any, Final

from gmpy2 import mpq

from exactdp.accountants.accountants import Accountant, install_command
from exactdp.accountants.checking import Checked
from exactdp.accountants.hunted import Case, Hunted, Searched
from exactdp.accountants.noise_hunting import (
    BATCHES,
    BOUNDARY_CASES_OF_NOISE,
    KIND,
    Questions,
    drawn_noise,
    ledger_of_noise,
    settings_of,
)
from exactdp.accountants.partners import ask_partner
from exactdp.accountants.process import Conversation, Limits
from exactdp.accountants.protocol import AccountantQuestion
from exactdp.accountants.verdicts import AnswerOutcome, AnswerVerdict, Truth, judge
from exactdp.errors import InputError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Mechanism
from exactdp.timing.reading import seconds as read

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

SEEDS: Final = 5
_SEED_BELOW: Final = 2**32
_COST_OF_A_CASE: Final = 10**9
_MOST_GROUPS: Final = 3
_MOST_EXAMPLES: Final = 10**7


def fresh_seeds() -> tuple[int, ...]:
    """Five seeds that nobody has chosen."""
    return tuple(randbelow(_SEED_BELOW) for _ in range(SEEDS))


def hunt_each(
    accountants: Sequence[Accountant], seconds: float, search: Callable[[Accountant, float], Hunted]
) -> Hunted:
    """Hunt one accountant after the other, until there is a case; each has its share of the time.

    Raises:
        InputError: an accountant or Hypothesis is not installed.
    """
    end = read() + seconds
    searched: tuple[Searched, ...] = ()
    last = None
    for number, accountant in enumerate(accountants):
        share = max(0.0, end - read()) / (len(accountants) - number)
        hunted = search(accountant, share)
        searched += hunted.searched
        last = hunted.last or last
        if hunted.case is not None:
            return replace(hunted, searched=searched)
    return Hunted(None, searched, complete=True, last=last)


def hunt(
    accountant: Accountant,
    *,
    seeds: Sequence[int],
    seconds: float,
    limits: Limits,
    least_gap: mpq | None = None,
    jobs: int = 1,
    questions: Questions = "parameters",
) -> Hunted:
    """Search for at most so many ``seconds``, which the seeds share; stop at the first case.

    Args:
        accountant: whom to ask.
        seeds: of the searches that follow the corners, one after the other.
        seconds: for all of them and the shrinking.
        limits: of one answer.
        least_gap: how much too small the ε must be at least; relative where the gap is in δ. None
            stands for that from which on somebody is accused.
        jobs: how many processes share the seeds; the case is that of the first seed that has one.
        questions: what is drawn: mechanisms given by (ε, δ), DP-SGD ("noise"), or DP-SGD on
            batches of a fixed size alone ("batches").

    Raises:
        InputError: the accountant or Hypothesis is not installed.
    """
    end = read() + seconds
    with accountant.conversation(limits) as conversation:
        settings = settings_of(accountant.package, questions)
        search = _Search(accountant, conversation, least_gap, settings=settings)
        if search.try_corners(end):
            return search.found(complete=True)
        if jobs > 1:
            return _hunt_in_processes(search, seeds, limits, end, jobs)
        for number, seed in enumerate(seeds):
            share = (end - read()) / (len(seeds) - number)
            complete = search.run(seed, read() + share, end)
            if search.best is not None:
                return search.found(complete=complete)
    return Hunted(None, (search.searched,), complete=True, last=search.last)


@dataclass(frozen=True, slots=True)
class _SeedSearch:
    """A search with one seed, for a process of its own; what was asked before is not asked again.

    ``seconds`` end the search, and ``seconds_in_all`` the shrinking as well.
    """

    accountant: Accountant
    limits: Limits
    least_gap: mpq | None
    known: Mapping[tuple[object, ...], _Known]
    settings: tuple[str, ...]
    seconds: float
    seconds_in_all: float

    def __call__(self, seed: int) -> _SearchedSeed:
        """What the search has brought."""
        begin = read()
        with self.accountant.conversation(self.limits) as conversation:
            search = _Search(
                self.accountant, conversation, self.least_gap, self.known, settings=self.settings
            )
            complete = search.run(seed, begin + self.seconds, begin + self.seconds_in_all)
        return _SearchedSeed(search.best, search.last, search.known, complete)


@dataclass(frozen=True, slots=True)
class _SearchedSeed:
    """A case, the last doubt, all that was asked, and whether the search came to its end."""

    best: Case | None
    last: AnswerVerdict | None
    known: Mapping[tuple[object, ...], _Known]
    complete: bool


def _hunt_in_processes(
    search: _Search, seeds: Sequence[int], limits: Limits, end: float, jobs: int
) -> Hunted:
    """Go on with a search, its seeds in processes; the first seed with a case counts."""
    from exactdp.many.mapping import mapped  # noqa: PLC0415 (one process does without)

    left = end - read()
    share = left / math.ceil(len(seeds) / jobs)
    known = dict(search.known)
    work = _SeedSearch(
        search.accountant, limits, search.least_gap, known, search.settings, share, left
    )
    with contextlib.closing(mapped(work, seeds, jobs=jobs)) as searched:
        for each in searched:
            search.known.update(each.known)
            search.last = each.last or search.last
            if each.best is not None:
                search.best = each.best
                return search.found(complete=each.complete)
    return Hunted(None, (search.searched,), complete=True, last=search.last)


_Known = tuple[AnswerOutcome, bool]
"""What came of a question, and whether it is a case."""


class _TimeIsUp(BaseException):
    """Ends a search from within."""


class _CaseError(Exception):
    """Tells Hypothesis that a question is a case."""


class _Search:
    """Questions asked so far, and the smallest case among them."""

    def __init__(
        self,
        accountant: Accountant,
        conversation: Conversation,
        least_gap: mpq | None,
        known: Mapping[tuple[object, ...], _Known] | None = None,
        *,
        settings: tuple[str, ...],
    ) -> None:
        self.best: Case | None = None
        self.last: AnswerVerdict | None = None
        self.accountant = accountant
        self._conversation = conversation
        self.least_gap = least_gap
        self.known: dict[tuple[object, ...], _Known] = dict(known or {})
        self.settings = settings

    @property
    def searched(self) -> Searched:
        """What came of the different questions that were asked."""
        outcomes = Counter(outcome for outcome, _ in self.known.values())
        return Searched(self.accountant.name, dict(outcomes))

    def found(self, *, complete: bool) -> Hunted:
        """What the search has brought, with the case asked in its second form."""
        partner = None
        if self.best is not None:
            question, answer = self.best.question, self.best.checked.answer
            partner = ask_partner(self.accountant, self._conversation, question, answer)
        return Hunted(self.best, (self.searched,), complete, partner=partner)

    def try_corners(self, end: float) -> bool:
        """Ask the corners, the smallest first, until one is a case; whether one was."""
        noise = [corner for corner in BOUNDARY_CASES_OF_NOISE if corner[2] in self.settings]
        corners = noise if self.settings else BOUNDARY_CASES
        return any(read() <= end and self._is_case(corner, None) for corner in corners)

    def run(self, seed: int, end_of_search: float, end: float) -> bool:
        """Search with one seed; whether it came to its natural end."""

        def attempt(drawn: tuple[Any, ...]) -> None:
            if read() > (end_of_search if self.best is None else end):
                raise _TimeIsUp
            if self._is_case(drawn, seed):
                raise _CaseError

        try:
            noise = partial(drawn_noise, self.settings)
            _explore(attempt, seed, noise if self.settings else _questions)
        except _CaseError:
            return True
        except _TimeIsUp:
            return False
        return True

    def _is_case(self, drawn: tuple[Any, ...], seed: int | None) -> bool:
        if drawn not in self.known:
            question = question_of(drawn)
            answer = self.accountant.ask(question, self._conversation)
            verdict = judge(answer, Truth(question, max_cost=_COST_OF_A_CASE))
            if verdict.outcome == "not-installed":
                raise not_installed(self.accountant)
            case = Case(question, Checked(self.accountant.name, answer, verdict), seed)
            found = is_case(verdict, self.least_gap)
            self.known[drawn] = verdict.outcome, found
            if not found:
                self.last = self.last if verdict.outcome == "sound" else verdict
            elif self.best is None or _size(question) < _size(self.best.question):
                self.best = case
        return self.known[drawn][1]


def is_case(verdict: AnswerVerdict, least_gap: mpq | None) -> bool:
    """Whether a promise is refuted, by a gap that is wide enough."""
    if least_gap is None or not verdict.refutes or verdict.gap is None or verdict.delta is None:
        return verdict.accuses
    return verdict.gap >= least_gap * (verdict.delta if verdict.in_delta else 1)


def _explore(
    attempt: Callable[[tuple[Any, ...]], None],
    seed: int,
    questions: Callable[[], SearchStrategy[tuple[Any, ...]]],
) -> None:
    """Let Hypothesis draw, and shrink what fails; the last failure is raised."""
    try:
        import hypothesis  # noqa: PLC0415 (an extra)
        from hypothesis import configuration  # noqa: PLC0415 (an extra)
    except ModuleNotFoundError:
        raise InputError(
            field="hunt",
            value="hypothesis is not installed",
            expected="Hypothesis, which searches and shrinks",
            remedy="pip install 'exactdp[hunt]'",
            code="not-installed",
        ) from None
    settings = hypothesis.settings(
        max_examples=_MOST_EXAMPLES,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
    )
    test = hypothesis.seed(seed)(settings(hypothesis.given(questions())(attempt)))
    with tempfile.TemporaryDirectory() as home, contextlib.ExitStack() as leftovers:
        leftovers.callback(configuration.set_hypothesis_home_dir, None)
        configuration.set_hypothesis_home_dir(home)
        test()


def _questions() -> SearchStrategy[tuple[Any, ...]]:
    """Triples (groups, n, pure), where δ = 10^-n; see the theory of operation."""
    from hypothesis import strategies as st  # noqa: PLC0415 (an extra)

    epsilon = st.tuples(st.integers(1, 999), st.integers(2, 4))
    count = st.tuples(st.integers(1, 9), st.integers(0, 4))
    delta = st.one_of(st.just(0), st.integers(6, 15))
    groups = st.lists(st.tuples(epsilon, count, delta), min_size=1, max_size=_MOST_GROUPS)
    return st.tuples(groups.map(tuple), st.integers(1, 20), st.sampled_from((True, False)))


def question_of(drawn: tuple[Any, ...]) -> AccountantQuestion:
    """The question that was drawn.

    >>> ledger = question_of(((((5, 2), (1, 3), 0),), 12, True)).ledger
    >>> print(ledger.mechanisms[0].epsilon, ledger.size)
    1/20000 1000
    """
    if drawn[-1] == KIND:
        ledger = ledger_of_noise(drawn)
        fixed_size = BATCHES in drawn
        return AccountantQuestion(ledger, delta=ledger.target_delta, fixed_size=fixed_size)
    groups, exponent, pure = drawn
    mechanisms = tuple(
        Mechanism(
            mpq(digits, 10 ** (places + zeros)),
            mpq(1, 10**power) if power and not pure else 0,
            lead * 10**zeros,
        )
        for (digits, places), (lead, zeros), power in groups
    )
    delta = mpq(1, 10**exponent)
    return AccountantQuestion(Ledger(mechanisms, target_delta=delta), delta=delta)


def _group(digits: int, places: int, lead: int, zeros: int, power: int = 0) -> tuple[Any, ...]:
    """ε = digits·10^-places, lead·10^zeros times, with δ_i = 10^-power or 0, as it is drawn."""
    return (digits, places - zeros), (lead, zeros), power


BOUNDARY_CASES: Final[Sequence[tuple[Any, ...]]] = (
    ((_group(1, 0, 1, 0),), 5, True),
    ((_group(1, 0, 2, 0),), 5, True),
    ((_group(20, 0, 2, 0),), 5, True),
    ((_group(11, 1, 1, 1),), 6, True),
    ((_group(5, 0, 1, 1),), 5, True),
    ((_group(771, 2, 4, 0), _group(1, 2, 1, 0)), 3, True),
    ((_group(1, 1, 1, 2),), 9, True),
    ((_group(1, 0, 1, 2),), 5, True),
    ((_group(1, 1, 5, 1, 9),), 6, False),
    ((_group(1, 2, 1, 3),), 9, True),
    ((_group(1, 2, 1, 4),), 9, True),
    ((_group(5, 3, 1, 4),), 12, True),
    ((_group(1, 4, 1, 4),), 12, True),
)
"""Questions as they are drawn: few mechanisms of large ε, many of small ε, a small δ."""


def _size(question: AccountantQuestion) -> tuple[int, int, int]:
    """What a person reads: groups, mechanisms, and the characters of the parameters."""
    ledger = question.ledger
    texts = [str(m) for m in ledger.mechanisms]
    return len(texts), ledger.size, sum(map(len, texts)) + len(str(question.delta))


def not_installed(accountant: Accountant) -> InputError:
    """The error that says how to install an accountant."""
    return InputError(
        field="--accountant",
        value=accountant.name,
        expected="an accountant that is installed",
        remedy=install_command(accountant) if accountant.package else "check its command",
        code="not-installed",
    )
