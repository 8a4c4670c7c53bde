"""Every clause of the verifier is needed: without it, a file of ``certs/reject`` fails its test.

Clauses that no file can reach, as they need a ledger or a claim, or a file too large to keep, are
reached by questions made here. A question without an end, once its clause is gone, is stopped.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from exactdp.verifier import DEFAULT_MAX_COST, Verdict
from exactdp.verifier.format.numbers import integer_text
from exactdp.verifier.question.claim import Claimed
from tests.mutation.clauses import Clause, clauses, watched, without
from tests.verifier import (
    budget_cases,
    conversion_cases,
    experiment_cases,
    handmade,
    interactive_cases,
    noise_workload_cases,
    notion_cases,
    parallel_cases,
    replacing_cases,
)
from tests.verifier.chains import PAIRS, SUM
from tests.verifier.format_cases import BASE, written
from tests.verifier.make_rejects import rejects
from tests.verifier.optimum_cases import TWELVE

SECONDS = 2  # of the processor
NOT_NEEDED = {
    "rules/replaced.py: replaced: 'a clip beside what is no noise on a sum'": (
        "what is read of an entry has a clip beside noise on a sum alone; a law of any other kind "
        "that came here would be an error all the same"
    ),
    "kernel.py: _conclude: f'is not about {subject.relation} neighbours'": (
        "each subject rejects neighbours under which it has no meaning, and every rule is about "
        "all that are left; a rule that is about fewer says so, and this clause hears it"
    ),
    "format/numbers.py: _integer: 'too large a number'": (
        "the bits of the fraction are counted next, and say the same; this one spares the integer"
    ),
    "rules/shares.py: require: 'is not about mechanisms given by noise'": (
        "the entry that no other of a class exceeds is rejected next where that is not known"
    ),
    "rules/group_path.py: _read_steps: f'steps are not 1 to {_MOST}'": (
        "other numbers of steps than of premises, and than of the group, are rejected next; "
        "tests/verifier/test_edges_of_families.py reads none"
    ),
    **dict.fromkeys(
        (
            "rules/constraints.py: _steepness: 'it is open which of the constraints comes first'",
            (
                "rules/three_laws.py: _against_all: "
                "'an output is not on the side of those that are best'"
            ),
        ),
        "precision is enough for every entry that is read; that no number is guessed where it is "
        "not, tests/verifier asks of the functions themselves",
    ),
    **dict.fromkeys(
        (
            "arithmetic/waves.py: height: 'too few digits for so large a scale'",
            "arithmetic/waves.py: inner: 'too few digits for so large a scale'",
        ),
        "the rules allow a scale of at most 2^40, and digits that tell it from infinity; the "
        "bounds of errors rest on that, which is said where they are",
    ),
}
"""Clauses without which every verdict is the same, and what they are for."""

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="an endless question cannot be stopped here"
)


@dataclass(frozen=True)
class Question:
    """What the verifier is asked, and what it must say."""

    name: str
    data: bytes
    status: str
    reason: str
    ledger: bytes | None = None
    claim: Claimed | None = None
    max_cost: int = DEFAULT_MAX_COST
    files: tuple[bytes, ...] | None = None
    """Certificates that are asked about together, in the place of one."""

    def is_answered(self, verifier: ModuleType) -> bool:
        """Whether it says so. The corpus test asks the same of a file."""
        verify: Callable[..., Verdict] = verifier.verify_bytes
        if self.files is None:
            verdict = verify(
                self.data, ledger=self.ledger, claim=self.claim, max_cost=self.max_cost
            )
        else:
            verdict = verifier.verify_together(self.files, claim=self.claim)
        return verdict.status == self.status and self.reason in verdict.reason


def questions() -> Iterator[Question]:
    for case in rejects():
        yield Question(case.name, case.data, case.verdict, case.clause)
    yield from about_ledgers()
    yield from about_claims()
    yield from about_several()
    yield from about_workloads()
    yield from about_logs()
    yield from about_outcomes()
    yield from beyond_files()
    yield from about_work()


def about_ledgers() -> Iterator[Question]:
    twelve = {"count": "12", "epsilon": "1/10"}
    noise = {"sensitivity": "1", "sigma": "0"}
    shuffled = {"sensitivity": "2", "shuffled": {"batches": "9"}, "sigma": "1"}
    ledgers = {
        "other mechanisms": {"mechanisms": [{**twelve, "count": "13"}]},
        "another neighbouring relation": {
            "mechanisms": [twelve],
            "neighbouring": "replace-one",
        },
        "another interaction": {"mechanisms": [twelve], "interaction": "concurrent"},
        "sigma is not a rational": {"mechanisms": [noise]},
        "mu_squared is not a rational": {"mechanisms": [{"mu_squared": "-1"}]},
        "a constraint is empty": {"mechanisms": [{"constraints": [[]]}]},
        "a sensitivity beside shuffled": {"mechanisms": [shuffled]},
        "records_per_person beside": {
            "mechanisms": [{"bounded_range": "1", "rate": "1/2", "records_per_person": "2"}]
        },
    }
    for reason, ledger in ledgers.items():
        status = "rejected" if reason.startswith(("another", "other")) else "malformed"
        data = json.dumps(ledger).encode()
        yield Question(f"ledger: {reason}", written(BASE), status, reason, ledger=data)
    full = json.dumps({"mechanisms": [twelve], "empty": True}).encode()
    yield Question("full", written(BASE), "malformed", "empty is neither", ledger=full)
    nothing = {"mechanisms": [twelve], "claims": [{"basis": "composition", "source": ""}]}
    data = json.dumps(nothing).encode()
    yield Question("claim of nothing", written(BASE), "malformed", "claim: nothing", ledger=data)
    trees = written(interactive_cases.accepts()["post-processing"])
    empty = json.dumps({"mechanisms": [], "interaction": "concurrent"}).encode()
    yield Question("no ledger", trees, "rejected", "but interactive mechanisms", ledger=empty)
    claim = ("1", "0")
    yield Question("claim", written(BASE), "rejected", "does not settle", claim=claim)
    formula = written(conversion_cases.accepts()["formula"])
    yield Question("formula", formula, "rejected", "settles no claim", claim=claim)
    rho = written(notion_cases.RHO)
    yield Question("rho", rho, "rejected", "settles no such claim", claim=claim)


def about_claims() -> Iterator[Question]:
    texts = {
        "not a number": ("x", "1 + ", "1 1", "2*3"),
        "a sum without a logarithm": ("1 + 2",),
        "a division by 0": ("1/0", "0^-1"),
        "ln(0)": ("ln(0)",),
        "too large a number": (
            "1e" + "9" * 5_000,
            "9^99999999999",
            "2^65536",
            "1e-19700" + " + 1e-19700" * 3,
        ),
        "more than 50000 characters": ("1" * 50_001,),
        "more than 1000 logarithms": (" + ".join(f"ln({n})" for n in range(2, 1_003)),),
    }
    for reason, wrong in texts.items():
        for text in wrong:
            claim = (text, "0")
            yield Question(f"claim: {text[:20]}", written(BASE), "malformed", reason, claim=claim)

    forms: dict[str, dict[str, str]] = {
        "the claim is none of": {"epsilon": "1"},
        "the claim's fpr is not between 0 and 1": {"fpr": "0", "tpr": "0"},
    }
    for reason, form in forms.items():
        yield Question(reason, written(BASE), "malformed", reason, claim=form)


def about_several() -> Iterator[Question]:
    """Statements about what attacks find, which are asked about together."""
    third = handmade.simple("sum", "lower", [("ln(3)", "0", 1)], "ln(2)", "0")
    lower, rates = written(third), {"fpr": "1/10", "tpr": "1/2"}
    asked: dict[str, tuple[tuple[bytes, ...], Claimed]] = {
        "there are no statements": ((), rates),
        "the statements are not about one thing": ((lower, written(BASE)), rates),
        "groups of different sizes": ((written(SUM), written(PAIRS)), rates),
        "only a claim of true positives": ((lower,), ("1", "0")),
        "an epsilon is not the logarithm": ((written(BASE),), rates),
        "the statements do not settle the claim": ((lower,), rates),
    }
    for reason, (files, claim) in asked.items():
        yield Question(reason, b"", "rejected", reason, claim=claim, files=files)


def about_workloads() -> Iterator[Question]:
    for status, files in (
        ("rejected", parallel_cases.OTHER_FILES),
        ("malformed", parallel_cases.BAD_FILES),
    ):
        for changes, reason in files:
            file = json.dumps({**parallel_cases.FILE, **changes}).encode()
            data = parallel_cases.CERTIFICATE
            yield Question(f"workload: {reason}", data, status, reason, ledger=file)
    data = written(noise_workload_cases.CLASSES)
    for changes in noise_workload_cases.OTHER_NOISE_FILES:
        file = json.dumps({**noise_workload_cases.NOISE_FILE, **changes}).encode()
        yield Question("workload of noise", data, "rejected", "about this workload", ledger=file)
    reason = "another neighbouring relation"
    for data, changed in replacing_cases.ANOTHER_RELATION:
        file = json.dumps(changed).encode()
        yield Question(f"workload: {reason}", data, "rejected", reason, ledger=file)


def about_logs() -> Iterator[Question]:
    for reason, certificate, log in budget_cases.questions():
        yield Question(f"log: {reason}", written(certificate), "rejected", reason, ledger=log)


def about_outcomes() -> Iterator[Question]:
    reason = "the statement is not about this outcome"
    for good, other in experiment_cases.OTHER_OUTCOMES:
        data = json.dumps(other).encode()
        yield Question("outcome", written(good), "rejected", reason, ledger=data)


def beyond_files() -> Iterator[Question]:
    good = written(BASE)
    yield Question("16 MiB", good + b" " * 2**24, "malformed", "more than 16777216 bytes")
    yield Question("deep", b"[" * 10**5, "malformed", "nested deeper")
    ledger = b'{"mechanisms":[]}'
    yield Question("a ledger", ledger, "malformed", "a ledger, not a certificate")
    long = handmade.simple("sum", "upper", TWELVE, "6/5" + " " * 50_000, "0")
    yield Question("long number", written(long), "malformed", "more than 50000 characters")
    logs = " + ".join(f"ln({n})" for n in range(2, 1_003))
    basis = handmade.simple("sum", "upper", [(logs, "0", 1)], "1", "1/10")
    name, clause = "many logarithms", "more than 1000 logarithms"
    yield Question(name, written(basis), "malformed", clause, max_cost=10**40)
    many: list[handmade.Entry] = [("1", "0", 10**15)]
    claim = handmade.grid("upper", many, "1", "0", unit="1", digits=1)
    yield Question("long grid", written(claim), "rejected", "too long", max_cost=10**40)
    meshed = json.loads(
        (Path(__file__).resolve().parents[2] / "certs/accept/gaussian-mesh-upper.json").read_bytes()
    )
    for name, unit, clause in (
        ("long mesh", f"1/{10**15}", "the grid is too long"),
        ("logarithmic mesh", "ln(2)", "the unit is not rational"),
    ):
        bad = handmade.changed(meshed, "derivation.0.parameters.unit", unit)
        yield Question(name, written(bad), "rejected", clause, max_cost=10**40)


def about_work() -> Iterator[Question]:
    """What is not done, though it could be: the price of reading, and signs of near ties."""
    long_file = written(BASE) + b" " * 1000
    yield Question("price", long_file, "refused", "is spent", max_cost=0)
    one, other = 3**1300, 5**900
    tie = f"ln({integer_text(one)}) + ln({integer_text(other)}) - ln({integer_text(one * other)})"
    near = written(handmade.simple("sum", "upper", TWELVE, tie, "0"))
    yield Question("long tie", near, "rejected", "too many logarithms to compare", max_cost=10**40)
    primes = [p for p in range(3, 1300) if all(p % d for d in range(2, p))][:200]
    pairs = sorted(zip(primes[::2], primes[1::2], strict=True))
    entries: list[handmade.Entry] = [(f"ln({p}) + ln({q})", "0", 1) for p, q in pairs]
    products = " + ".join(f"ln({p * q})" for p, q in pairs)
    almost = handmade.simple(
        "sum", "upper", sorted(entries), f"1/{integer_text(2**3000)} + {products}", "0"
    )
    reason = "a sign cannot be decided within the limits"
    yield Question("near tie", written(almost), "rejected", reason, max_cost=10**40)


@cache
def reaching() -> dict[tuple[str, int], list[Question]]:
    """The questions that each clause is reached by."""
    package, reached = watched()
    found: dict[tuple[str, int], list[Question]] = {}
    for question in questions():
        reached.clear()
        assert question.is_answered(package), question.name
        assert reached, f"{question.name} fails in no clause"
        for place in set(reached):
            found.setdefault(place, []).append(question)
    return found


@contextmanager
def limited() -> Iterator[None]:
    """Stop after a while, which the verifier takes for an error of its own."""

    def stop(_signal: int, _frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def fails_without(clause: Clause) -> bool:
    """Whether a question that the clause answers gets another answer without it."""
    verifier = without(clause)
    for question in reaching()[clause.file, clause.line]:
        with limited():
            if not question.is_answered(verifier):
                return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize(
    "clause", [clause for clause in clauses() if str(clause) not in NOT_NEEDED], ids=str
)
def test_a_clause_is_needed(clause: Clause) -> None:
    assert fails_without(clause)


def test_the_clauses_that_are_not_needed_exist() -> None:
    assert set(NOT_NEEDED) <= {str(clause) for clause in clauses()}
