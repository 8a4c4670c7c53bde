"""Every test can fail: what holds of the tests themselves.

That no set of parameters is empty is pytest's own check (``empty_parameter_set_mark``), and that an
error is expected for its reason is ruff's (PT011); for the exceptions that ruff cannot see, here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from tests.sources import ROOT, breaches, calls, nodes, tree

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.rglob("*.py"))
SOURCE = re.compile(r"\b(?:19|20)\d\d\b.*?\b(?:Thm|Lemma|Cor|Prop|Def|Sect|Alg)\.? ?\d", re.DOTALL)


@cache
def _functions(path: Path) -> list[ast.FunctionDef]:
    return [node for node in nodes(path) if isinstance(node, ast.FunctionDef)]


def _tests(path: Path) -> list[ast.FunctionDef]:
    return [each for each in _functions(path) if each.name.startswith("test_")]


def _called(node: ast.AST) -> Iterator[ast.Call]:
    return (each for each in ast.walk(node) if isinstance(each, ast.Call))


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)


def _claims_something(node: ast.AST) -> bool:
    """Whether there is an assertion that is no constant, or an expected error."""
    return any(
        (isinstance(each, ast.Assert) and not isinstance(each.test, ast.Constant))
        or (isinstance(each, ast.Call) and _name(each) == "raises")
        for each in ast.walk(node)
    )


@cache
def _asserting() -> frozenset[str]:
    """The functions of all tests' files that assert, or call one that does."""
    functions = [each for path in FILES for each in _functions(path)]
    known = {each.name for each in functions if _claims_something(each)}
    calls = [(each.name, {_name(call) for call in _called(each)}) for each in functions]
    while more := {name for name, called in calls if called & known} - known:
        known |= more
    return frozenset(known)


@cache
def _with_tests() -> list[Path]:
    return [path for path in FILES if _tests(path)]


def test_there_are_tests_to_look_at() -> None:
    assert sum(len(_tests(path)) for path in _with_tests()) > 1000


def test_every_test_asserts_something() -> None:
    claimless = breaches(
        _with_tests(), lambda path: {each.name for each in _tests(path)} - _asserting()
    )
    assert claimless == {}


def _expected_for_any_reason(path: Path) -> Iterator[int]:
    for call in calls(path):
        if _name(call) == "raises" and not any(each.arg == "match" for each in call.keywords):
            yield call.lineno


def test_every_error_is_expected_for_its_reason() -> None:
    assert breaches(FILES, _expected_for_any_reason) == {}


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function, but not in functions within."""
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, ast.FunctionDef | ast.Lambda):
            yield each
            yield from _own(each)


def _left_in_silence(path: Path) -> Iterator[int]:
    for test in _tests(path):
        nodes = (each for each in _own(test) if isinstance(each, ast.Return))
        yield from (each.lineno for each in nodes if each.value is None)


def test_no_test_is_left_in_silence() -> None:
    """Examples are rejected and counted by Hypothesis, and all else has a verdict in each case."""
    assert breaches(FILES, _left_in_silence) == {}


CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time"}
ASKING_A_CLOCK = {"tests/cli/test_interrupts.py": "how long a run lasts, to draw instants from"}
"""Where a test reads the machine's clock, and why no verdict rests on what it says."""


def _asking_a_clock(path: Path) -> Iterator[int]:
    for call in calls(path):
        if _name(call) in CLOCKS or ast.unparse(call.func) == "time.time":
            yield call.lineno


def test_no_test_asks_a_clock_for_its_verdict() -> None:
    assert set(breaches(FILES, _asking_a_clock)) == set(ASKING_A_CLOCK)


LIMITS = {"time_limit", "--time-limit", "seconds", "--seconds", "timeout", "--timeout"}
LIMITED = {"Clock", "stop_after", "made_within"}
PATIENCE = 600
"""Seconds after which a test that hangs is given up: no test that works takes nearly as long."""
OTHER_CLOCKS = {"reading", "PatientClock", "passing", "asked"}
"""What lets time pass by being asked, or by steps."""
NEVER_ENDING = {
    "tests/accountants/test_checking.py": "an accountant hangs, whatever the time",
    "tests/accountants/test_hunting.py": "processes search until the end of any time",
    "tests/accountants/test_process.py": "a program hangs, whatever the time",
    "tests/test_bench.py": "a program hangs, or is given a minute to start",
    "tests/many/test_running.py": "a content is never answered",
    "tests/cli/commands/test_crosscheck.py": "a hunt finds its ledger at once, or never",
    "tests/cli/test_many.py": "a ledger is never answered",
    "tests/cli/test_many_faults.py": "processes are waited for, and one is never answered",
}
"""Where a limit is reached, or is not, on every machine."""
SLEEPING = {
    "tests/cli/pages/browsers.py": "asks a browser again and again whether it is there",
    "tests/cli/test_interrupts.py": "the instants of signals, of which any is right",
    "tests/cli/test_many_faults.py": "asks again and again whether a file is there",
    "tests/cli/test_many_scheduler.py": "a scheduler is away for a while, of any length",
    "tests/accountants/fake.py": "hangs",
    "tests/accountants/test_process.py": "asks again and again who is running",
    "tests/many/working.py": "hangs",
    "tests/spending/test_faults.py": "the instants of kills, of which any is right",
}
"""Where a test or its helper waits by the machine's clock, and why nothing rests on how long."""


def _number(node: ast.AST) -> float:
    """A positive number of seconds that stands there, or 0."""
    value = node.value if isinstance(node, ast.Constant) else 0
    if isinstance(value, str):
        return float(value) if value.isdigit() else 0
    return float(value) if isinstance(value, int | float) else 0


def _limits(call: ast.Call) -> Iterator[float]:
    """The seconds that a call names as a limit."""
    yield from (_number(each.value) for each in call.keywords if each.arg in LIMITS)
    for one, other in pairwise(call.args):
        if isinstance(one, ast.Constant) and one.value in LIMITS:
            yield _number(other)
    if _name(call) in LIMITED and call.args:
        yield _number(call.args[0])


def _names(node: ast.AST) -> set[str]:
    named = (each for each in ast.walk(node) if isinstance(each, ast.Name | ast.arg))
    return {each.id if isinstance(each, ast.Name) else each.arg for each in named}


def _limited_by_the_machine(path: Path) -> Iterator[int]:
    if str(path.relative_to(ROOT)) in NEVER_ENDING:
        return
    for each in _functions(path):
        limited = [
            call.lineno
            for call in _called(each)
            if any(0 < seconds < PATIENCE for seconds in _limits(call))
        ]
        if limited and not OTHER_CLOCKS & _names(each):
            yield from limited


def test_no_test_is_limited_by_the_clock_of_the_machine() -> None:
    """A limit that a busy machine may reach is one of a clock that the test lets pass."""
    assert breaches(FILES, _limited_by_the_machine) == {}


def _sleeping(path: Path) -> Iterator[int]:
    yield from (each.lineno for each in calls(path) if _name(each) == "sleep")


def test_a_test_that_sleeps_says_why_nothing_rests_on_how_long() -> None:
    assert set(breaches(FILES, _sleeping)) == set(SLEEPING)


def _skipped_in_silence(path: Path) -> Iterator[int]:
    for call in calls(path):
        if _name(call) in {"skipif", "importorskip", "xfail"} and not any(
            each.arg == "reason" for each in call.keywords
        ):
            yield call.lineno


def test_every_skipped_test_says_why() -> None:
    assert breaches(FILES, _skipped_in_silence) == {}


def _asks_the_checker(path: Path) -> bool:
    """Whether a file imports what runs the extracted checker."""
    found = {
        node.module: {name.name for name in node.names}
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and node.module
    }
    asking = {"CHECKER", "lines_of", "said_of"} & found.get("tests.proofs.checker", set())
    return bool(asking) or "tests.proofs.agreement" in found


def test_whatever_asks_the_extracted_checker_is_skipped_where_it_is_not_built() -> None:
    """A clone has none: only ``make -C proofs checker`` makes it."""
    asking = [path for path in _with_tests() if _asks_the_checker(path)]
    assert len(asking) > 3
    unmarked = [
        str(path)
        for path in asking
        if "pytestmark = pytest.mark.usefixtures('checker')"
        not in {ast.unparse(node) for node in tree(path).body}
    ]
    assert unmarked == []


def _nameless_laws(path: Path) -> Iterator[str]:
    for each in _tests(path):
        if not SOURCE.search(ast.get_docstring(each) or ""):
            yield each.name


def test_every_law_names_its_source() -> None:
    laws = [path for path in _with_tests() if path.parent.name == "property"]
    assert len(laws) > 5
    assert breaches(laws, _nameless_laws) == {}
