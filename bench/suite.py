r"""What is run: cells by problem and program, best of a few.

Rules of this file: a cell that fails is recorded with its error and does not stop the run.

Theory of operation: short cells are repeated and the one with the least processor time is kept,
because other work on a machine only ever adds; a cell is not repeated once the repetitions
have cost ``patience`` seconds. The load of the machine is recorded beside every number.
"""

from __future__ import annotations

import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Final

from bench import machine, starting
from bench.envs import Environment, environment
from bench.measuring import Cost
from bench.own import request_for
from bench.peers import (
    ABOUT_NOISE,
    DISCRETE_PEERS,
    MATCHED,
    MESH,
    NOISE_PEERS,
    OVER_MESHES,
    PEERS,
    QUESTION,
    SECONDS,
    Peer,
)
from bench.peers import MESHES as ASKED_MESHES
from bench.problems import (
    QUICK,
    Problem,
    by_noise,
    cells,
    growth_in_cells,
    growth_in_digits,
    growth_in_mechanisms,
    growth_without_a_grid,
    hard,
    large,
    problems,
    small_deltas,
)
from bench.protocol import Outcome, Request, ask
from bench.report import judge
from exactdp.accountants.accountants import chosen
from exactdp.accountants.protocol import AccountantQuestion as CrosscheckQuestion
from exactdp.accountants.protocol import question_line
from exactdp.arithmetic.numbers import as_rational
from exactdp.ledger.formats.inline import ledger_of_inline
from exactdp.ledger.model import Ledger

OWN: Final = "exactdp"
STEPS: Final = ("compose", "certify", "verify")
GROWING: Final = ("dp-accounting 1e-4", "prv-accountant 0.1")
SLOW: Final = ("prv-accountant 1e-3", "autodp AFA")
STARTS: Final = 21
PARSED_ROWS: Final = 100_000
OWN_PATIENCE: Final = 5
_YARDSTICK_BITS: Final = 2**33
_WITH_PEERS: Final = ("k", "A")
MATCHED_ERRORS: Final = ("1e-3", "1e-4")
MESHES: Final = tuple(f"{digit}e-{n}" for n in range(1, 7) for digit in (5, 2, 1))
"""From coarse to fine."""

Cell = Callable[[], Outcome]


@dataclass(frozen=True, slots=True)
class Plan:
    """How to measure.

    Attributes:
        quick: the small problems alone.
        only: names of problems, with or without their @; empty for all.
        peers: whether peers run as well.
        repeats: at most so many repetitions of a cell.
        patience: no further repetition after so many seconds.
        timeout: seconds after which a cell is given up.
    """

    quick: bool = False
    only: tuple[str, ...] = ()
    peers: bool = True
    repeats: int = 5
    patience: float = 10.0
    timeout: float = 60.0

    def wants(self, problem: Problem) -> bool:
        """Whether ``problem`` is to be run."""
        if self.only:
            return not {problem.name, problem.name.partition("@")[0]}.isdisjoint(self.only)
        return not self.quick or problem.name in QUICK


@dataclass(frozen=True, slots=True)
class Record:
    """One measured cell.

    Attributes:
        table: "rows", "noise", "matched", "hard", "large", "k", "A", "digits", "primes" or
            "reading".
        problem: its name. title: its parameters. size: what the series varies.
        program: "exactdp", or the name of a peer. step: "compose", "certify", ….
        outcome: the best one. runs: how many there were. load: of the machine, before.
    """

    table: str
    problem: str
    title: str
    size: int
    program: str
    step: str
    outcome: Outcome
    runs: int
    load: float


def run(plan: Plan) -> Iterator[dict[str, object]]:
    """The results so far, after each cell; the last are all of them. JSON can hold them."""
    environments = _environments(plan)
    records: list[object] = []
    results: dict[str, object] = {
        "format": "exactdp-bench/1",
        "machine": dict(machine.description()),
        "environments": {
            each.name: each.problem or each.versions for each in environments.values()
        },
        "timeout": plan.timeout,
        "records": records,
    }
    for record in _records(plan, environments):
        records.append(asdict(record))
        yield results


def _environments(plan: Plan) -> dict[str, Environment]:
    if not plan.peers:
        return {}
    names = dict.fromkeys(peer.environment for peer in (*PEERS, *NOISE_PEERS))
    return {name: environment(name) for name in names}


def _records(plan: Plan, environments: Mapping[str, Environment]) -> Iterator[Record]:
    fast = tuple(peer for peer in PEERS if peer.name not in SLOW)
    rows = [(problem, fast if plan.quick else PEERS) for problem in problems()]
    rows += [(problem, fast) for problem in small_deltas()]
    asked: set[str] = set()
    for problem, peers in rows:
        if plan.wants(problem):
            own = list(_own(plan, "rows", problem))
            yield from own
            yield from _yardstick(plan, problem)
            yield from _matched(plan, problem, environments, own[0], asked)
            yield from _peers(plan, "rows", problem, peers, environments)
    for problem in filter(plan.wants, by_noise()):
        yield from _own(plan, "noise", problem)
        is_discrete = problem.noise[0].startswith("discrete")
        known = DISCRETE_PEERS if is_discrete else NOISE_PEERS[:-1]
        yield from _peers(plan, "noise", problem, known, environments)
    growing = tuple(peer for peer in PEERS if peer.name in GROWING)
    for table, series in _series(plan):
        for problem in filter(plan.wants, series):
            own = list(_own(plan, table, problem))
            yield from own
            if table == "hard":
                yield from _matched(plan, problem, environments, own[0], asked)
            if table in _WITH_PEERS:
                yield from _peers(plan, table, problem, growing, environments)
    if not plan.only:
        yield from _reading(plan)
        yield from _starting(plan)


def _series(plan: Plan) -> Sequence[tuple[str, Sequence[Problem]]]:
    if plan.quick:
        return ()
    return (
        ("hard", hard()),
        ("large", large()),
        ("k", growth_in_mechanisms()),
        ("A", growth_in_cells()),
        ("digits", growth_in_digits()),
        ("primes", growth_without_a_grid()),
    )


def _own(plan: Plan, table: str, problem: Problem) -> Iterator[Record]:
    """Compose, both certificates, and their verification."""
    with tempfile.TemporaryDirectory() as directory:
        for step in STEPS:
            request = request_for(step, problem, directory=directory)
            record = _measure(plan, table, problem, (OWN, step), _own_cell(plan, request))
            yield record
            if record.outcome.error:
                return


def _yardstick(plan: Plan, problem: Problem) -> Iterator[Record]:
    grid = cells(problem)
    if grid is None or sum(a * n for a, n in grid) * problem.mechanisms > _YARDSTICK_BITS:
        return
    cell = _own_cell(plan, request_for("yardstick", problem))
    yield _measure(plan, "rows", problem, ("FLINT", "yardstick"), cell)


def _peers(
    plan: Plan,
    table: str,
    problem: Problem,
    peers: Sequence[Peer],
    environments: Mapping[str, Environment],
) -> Iterator[Record]:
    for peer in peers:
        if peer.environment in environments:
            cell = _peer_cell(plan, environments[peer.environment], peer_request(peer, problem))
            yield _measure(plan, table, problem, (peer.name, "compose"), cell)


def _matched(
    plan: Plan,
    problem: Problem,
    environments: Mapping[str, Environment],
    own: Record,
    asked: set[str],
) -> Iterator[Record]:
    """dp-accounting at the coarsest mesh whose error is small enough, in each way to compose.

    It is asked once about a ledger, whatever the tolerances and the δ that follow. The meshes are
    tried in one process; a time is that of a process of its own.
    """
    ledger = problem.name.partition("@")[0]
    home = environments.get("dp-accounting")
    if home is None or own.outcome.error or ledger in asked:
        return
    asked.add(ledger)
    once = replace(plan, repeats=1)
    for way in MATCHED:
        request = replace(peer_request(PEERS[0], problem), task=way)
        tried = _tried(plan, home, request)
        for error in MATCHED_ERRORS:
            who, step = way.replace("/", ", "), f"within {error}"
            mesh = _coarsest(tried.values, own, Fraction(error))
            if not mesh:
                ended = tried.values.keys() == set(MESHES)
                reason = "no mesh" if ended else f"none in {plan.timeout:g} s"
                cell = _failing(tried.error or reason)
                yield replace(_measure(once, "matched", problem, (who, ""), cell), step=step)
                continue
            at_mesh = replace(request, options={**request.options, MESH: mesh})
            cell = _peer_cell(plan, home, at_mesh)
            record = _measure(once, "matched", problem, (who, f"mesh {mesh}"), cell)
            found = replace(record.outcome, values={**record.outcome.values, MESH: mesh})
            yield replace(record, step=step, outcome=found)


def _tried(plan: Plan, home: Environment, request: Request) -> Outcome:
    """ε by mesh, from the coarsest on, as far as the time goes."""
    options = {ASKED_MESHES: " ".join(MESHES), SECONDS: str(plan.timeout)}
    over = replace(request, task=OVER_MESHES + request.task, options={**request.options, **options})
    return _peer_cell(plan, home, over)()


def _coarsest(tried: Mapping[str, str], own: Record, error: Fraction) -> str:
    """The first mesh whose ε misses the certified interval by at most ``error``; "" if none."""
    values = own.outcome.values
    lower, upper = Fraction(values["lower"]), Fraction(values["upper"])
    for mesh, epsilon in tried.items():
        missed = judge(asdict(Outcome({"epsilon": epsilon})), lower, upper).error
        if missed is not None and abs(missed) <= error:
            return mesh
    return ""


def _reading(plan: Plan) -> Iterator[Record]:
    rows = PARSED_ROWS // 100 if plan.quick else PARSED_ROWS
    for form in ("csv", "json"):
        ledger = Problem(form, f"{rows} rows", (), "0", size=rows)
        request = Request("read", options={"format": form, "rows": str(rows)})
        yield _measure(plan, "reading", ledger, (OWN, "read"), _own_cell(plan, request))


def _starting(plan: Plan) -> Iterator[Record]:
    load, repeats = machine.load(), 3 if plan.quick else STARTS
    for name, spent in starting.starts(repeats):
        outcome = Outcome(cost=Cost(spent, spent, 0), process=spent)
        yield Record(starting.TABLE, name, "", 0, name, "process", outcome, repeats, load)


def peer_request(peer: Peer, problem: Problem) -> Request:
    """The problem as crosscheck asks it: in doubles, each the nearest to the exact parameter.

    Raises:
        InputError: the peer cannot express it.
    """
    groups = [(group.epsilon, group.delta, group.count) for group in problem.groups]
    ledger = ledger_of_inline(problem.noise) if problem.noise else Ledger.of(groups)
    question = CrosscheckQuestion(ledger, as_rational(problem.delta, "delta"))
    [accountant] = chosen([peer.task])
    line = question_line(question, peer.task, pure=accountant.pure, against=False)
    task = ABOUT_NOISE + peer.task if problem.noise else peer.task
    return Request(task, options={QUESTION: line})


def _own_cell(plan: Plan, request: Request) -> Cell:
    return lambda: ask([sys.executable, "-m", "bench.own"], request, plan.timeout * OWN_PATIENCE)


def _failing(reason: str) -> Cell:
    return lambda: Outcome(error=reason)


def _peer_cell(plan: Plan, home: Environment, request: Request) -> Cell:
    if home.problem:
        return _failing(f"not installed: {home.problem}")
    return lambda: ask([str(home.python), "-m", "bench.peers"], request, plan.timeout)


def _measure(plan: Plan, table: str, problem: Problem, who: tuple[str, str], cell: Cell) -> Record:
    """The repetition that cost the least processor time."""
    load = machine.load()
    end = time.monotonic() + plan.patience
    outcomes = [cell()]
    while len(outcomes) < plan.repeats and time.monotonic() < end and not outcomes[0].error:
        outcomes.append(cell())
    best = min(outcomes, key=lambda outcome: outcome.cost.cpu if outcome.cost else math.inf)
    told = f"{best.cost.cpu:.4f} s" if best.cost else best.error
    print(f"{problem.name:12} {' '.join(who):28} {told}", file=sys.stderr, flush=True)
    return Record(table, problem.name, problem.title, problem.size, *who, best, len(outcomes), load)
