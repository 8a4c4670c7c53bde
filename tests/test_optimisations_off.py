"""Every way to compose, one at a time and with nothing that hastens it: no two contradict.

Theory of operation: each answer is a certain interval about one number. So the lower end of none is
above the upper end of another, whatever found them; where one is, one of the two is false. A way
that is for other ledgers, or would take too long, refuses, and refusals are counted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import permutations
from random import Random
from typing import Final

import pytest
from gmpy2 import mpq

from bench.problems import Problem, problems
from exactdp.composition.answers.arguments import probability
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.noise import bound_by_noise, compose_by_noise, has_divergences
from exactdp.composition.answers.results import Composition
from exactdp.composition.answers.rounded import compose_rounded
from exactdp.composition.engines.engine import METHODS
from exactdp.composition.engines.mesh.cells import Points
from exactdp.composition.engines.sharing import share_work
from exactdp.errors import CostLimitError, InputError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import Mechanism
from exactdp.workloads.costliest import exceeds
from tests.golden.drawing import FAMILIES, Question, questions
from tests.marking import slow_after, slow_among

MAX_COST: Final = 10**9


def _refuse(*_: object) -> None:
    raise CostLimitError(field="method", value="a mesh", expected="a characteristic function")


PLAIN: Final[Mapping[str, object]] = {
    "exactdp.composition.noise.solve.solved_by_fourier": lambda *_: None,
    "exactdp.composition.noise.solve.SingleMechanism.of": lambda _: None,
    "exactdp.composition.noise.solve.aligned_unit": lambda _laws, unit, _tolerance: unit,
    "exactdp.composition.noise.solve._Question._nothing": lambda *_: None,
    "exactdp.composition.engines.mesh.either_side.are_few": lambda *_: True,
    "exactdp.composition.dominating_pairs.DominatingPairs.converts": False,
    "exactdp.composition.engines.mesh.sides.adaptive_mesh": lambda _laws, windows, *_, **__: tuple(
        map(Points.of, windows)
    ),
}
"""What hastens mechanisms by their noise, and what stands for it: whole numbers on an even mesh,
with no characteristic function, no closed form of a single mechanism, and no Rényi divergences."""
FOURIER: Final[Mapping[str, object]] = {
    "exactdp.composition.noise.fourier.SingleMechanism.of": lambda _: None,
    "exactdp.composition.noise.fourier.prefers_fourier": lambda *_: True,
    "exactdp.composition.noise.solve.refuse_many": _refuse,
}
"""What lets characteristic functions answer wherever all mechanisms have one, and nothing else."""


@dataclass(frozen=True)
class Asked:
    """A ledger at a δ, to a tolerance."""

    ledger: Ledger
    delta: mpq
    tolerance: str

    def by(self, method: str | None = None) -> Composition:
        """The answer, by one engine."""
        return compose(
            self.ledger,
            delta=self.delta,
            tolerance=self.tolerance,
            method=method,
            max_cost=MAX_COST,
        )

    def with_changes(self, changes: Mapping[str, object]) -> Composition:
        """The answer, with these in place of what hastens it."""
        with pytest.MonkeyPatch.context() as patch:
            for name, other in changes.items():
                patch.setattr(name, other)
            return self.by()

    def twice(self) -> Composition:
        """The answer of a process that keeps what it has worked out."""
        with _sharing():
            self.by()
            return self.by()

    def rounded(self) -> Composition:
        """The answer, each ε rounded to one of two."""
        return compose_rounded(
            self.ledger,
            levels=2,
            delta=self.delta,
            tolerance=self.tolerance,
            max_cost=MAX_COST,
        )

    def as_noise(self) -> Composition:
        """The answer, each mechanism taken by its pair of laws."""
        return compose_by_noise(self.ledger, delta=self.delta, tolerance="1/100", max_cost=MAX_COST)

    def by_divergences(self) -> Composition:
        """The upper end of Rényi divergences."""
        if not has_divergences(self.ledger, max_cost=MAX_COST):
            raise InputError(field="ledger", value="no divergences", expected="some that are known")
        return bound_by_noise(self.ledger, self.ledger, delta=self.delta, max_cost=MAX_COST)


@contextmanager
def _sharing() -> Iterator[None]:
    share_work(2**24)
    try:
        yield
    finally:
        share_work(0)


Way = Callable[[Asked], Composition]
DEFAULT: Final = "default"
OF_NOISE: Final[Mapping[str, Way]] = {
    "even mesh": lambda asked: asked.with_changes(PLAIN),
    "characteristic functions": lambda asked: asked.with_changes(FOURIER),
    "Rényi divergences": Asked.by_divergences,
}
OF_CONVERSIONS: Final[Mapping[str, Way]] = {"as noise": Asked.as_noise}
OF_EPSILONS: Final[Mapping[str, Way]] = {
    **{method: partial(Asked.by, method=method) for method in METHODS},
    "shared": Asked.twice,
    "rounded": Asked.rounded,
    **OF_CONVERSIONS,
}


def _ways(ledger: Ledger) -> Mapping[str, Way]:
    """The ways that are for such ledgers, beside the one that the program chooses."""
    return {"epsilon-delta": OF_EPSILONS, "rho-mu": OF_CONVERSIONS, "noise": OF_NOISE}[
        ledger.given_by
    ]


@dataclass
class Tally:
    """What was found: ledgers, answers and refusals by way, and pairs that contradict."""

    ledgers: int = 0
    answered: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    alone: list[str] = field(default_factory=list)
    contradictions: list[str] = field(default_factory=list)

    def ask(self, name: str, asked: Asked) -> None:
        """Compose a ledger in each way, and compare each two answers."""
        found: dict[str, Composition] = {}
        for way, answer in {DEFAULT: Asked.by, **_ways(asked.ledger)}.items():
            try:
                found[way] = answer(asked)
            except (InputError, CostLimitError):
                self.refused[way] += 1
        self.ledgers += 1
        self.answered.update(found.keys())
        if found.keys() == {DEFAULT}:
            self.alone.append(name)
        self.compare(name, found)

    def compare(self, name: str, found: Mapping[str, Composition]) -> None:
        """Note each answer that is above another."""
        for one, other in permutations(found, 2):
            if exceeds(found[one].lower_end, found[other].upper_end):
                self.contradictions.append(f"{name}: {one} from below, {other} from above")


WITH_CHARACTERISTICS: Final = ("pure", "logarithm", "Gaussian", "Laplace", "discrete Laplace")


def _mixed(seed: int, tolerance: str) -> Tally:
    """Mechanisms that all have a characteristic function, one of them Laplace noise."""
    random, tally = Random(seed), Tally()  # noqa: S311 (draws, no secrets)
    others = random.sample(WITH_CHARACTERISTICS, random.randint(1, 3))
    mechanisms = [
        {**FAMILIES[each](random), "count": random.randint(1, 40)} for each in ("Laplace", *others)
    ]
    relation = random.choice(("add-remove-one", "replace-one"))
    ledger = read_ledger(json.dumps({"mechanisms": mechanisms, "neighbouring": relation}).encode())
    tally.ask(str(seed), Asked(ledger, mpq(1, 10 ** random.randint(2, 9)), tolerance))
    return tally


def _measured(problem: Problem) -> Tally:
    """A problem that is measured, to six places."""
    tally = Tally()
    mechanisms = [Mechanism(each.epsilon, each.delta, each.count) for each in problem.groups]
    tally.ask(problem.name, Asked(Ledger(tuple(mechanisms)), probability(problem.delta), "1e-6"))
    return tally


def _read(question: Question) -> Ledger | None:
    """The ledger; None where it is none, for a family has no meaning under a relation."""
    try:
        return read_ledger(json.dumps(question.ledger).encode())
    except InputError:
        return None


def _drawn(
    command: str, family: str, tolerances: tuple[str, str], before: Tally | None = None
) -> Tally:
    """The ledgers that are drawn for a command and a family, to one of two tolerances each."""
    tally = before or Tally()
    for question in questions():
        if (question.command, question.family) == (command, family):
            ledger = _read(question)
            if ledger is not None:
                tolerance = tolerances[ledger.given_by == "epsilon-delta"]
                delta = ledger.target_delta
                assert delta is not None
                tally.ask(question.name, Asked(ledger, delta, tolerance))
    return tally


COARSE: Final = ("1/100", "1e-6")
"""Tolerances: of mechanisms by their noise, by ρ and by μ; and of mechanisms by (ε, δ)."""
FINE: Final = ("1/1000", "1e-9")
MOST_REFUSED: Final[Mapping[str, tuple[str, str]]] = {
    DEFAULT: ("1/4", "no theorem on interleaving them, or answers of one input weigh more than δ"),
    "atoms": ("1/4", "too many sums"),
    "grid": ("1/4", "an ε that is no decimal"),
    "bracket": ("1/2", "too fine a mesh for the tolerance"),
    "fourier": ("1", "few mechanisms, whose characteristic function falls slowly"),
    "shared": ("0", ""),
    "rounded": ("0", ""),
    "as noise": ("1/3", "no theorem on interleaving noise"),
    "even mesh": ("1/2", "as by default, or too fine a mesh"),
    "characteristic functions": ("1", "a mechanism that has none in closed form"),
    "Rényi divergences": ("1/2", "as by default, or divergences that are not known"),
}
"""At most which part of the ledgers that a way is for it refuses, and why."""


ASKED: Final = Asked(Ledger((Mechanism("1/10", 0, 30),)), mpq(1, 1000), "1e-6")


@pytest.mark.parametrize(
    "family",
    slow_among({"bounded range", "discrete Laplace", "logarithm", "shuffled Gaussian"}, FAMILIES),
)
def test_no_two_ways_contradict_each_other(family: str) -> None:
    tally = _drawn("compose", family, COARSE)
    assert tally.contradictions == []
    assert len(tally.alone) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("command", ["profile", "audit"])
def test_of_more_ledgers_no_two_ways_contradict_each_other_and_few_are_refused(
    command: str,
) -> None:
    tally = Tally()
    for family in FAMILIES:
        tally = _drawn(command, family, FINE, tally)
    assert tally.contradictions == []
    assert tally.ledgers > 30
    for way, refused in tally.refused.items():
        most, why = MOST_REFUSED[way]
        assert refused <= mpq(most) * (refused + tally.answered[way]), f"{way}: {why}"


@pytest.mark.parametrize("seed", slow_after(1, [8, 13, 39]))
def test_no_two_ways_contradict_where_characteristic_functions_are_known(seed: int) -> None:
    tally = _mixed(seed, "1/100")
    assert (tally.contradictions, tally.refused) == ([], {})


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_no_two_ways_contradict_closely_where_characteristic_functions_are_known(
    seed: int,
) -> None:
    tally = _mixed(seed, "1/1000")
    assert tally.contradictions == []
    assert {**tally.refused} in ({}, {"even mesh": 1})  # it may need more cells than there may be


@pytest.mark.slow
@pytest.mark.parametrize("problem", problems(), ids=lambda each: each.name)
def test_no_two_ways_contradict_about_what_is_measured(problem: Problem) -> None:
    tally = _measured(problem)
    assert tally.contradictions == []
    assert tally.answered.total() >= len(METHODS), tally.refused


@pytest.mark.slow
def test_a_contradiction_is_found() -> None:
    """An answer to a question about another δ is one."""
    other = replace(ASKED, delta=mpq(1, 10**9))
    tally = Tally()
    tally.ask("the same", ASKED)
    assert tally.contradictions == []
    tally.compare("another", {"its own": ASKED.by(), "another's": other.by()})
    assert tally.contradictions == ["another: another's from below, its own from above"]
