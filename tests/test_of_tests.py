"""Every test can fail: what holds of the tests themselves.

That no set of parameters is empty is pytest's own check (``empty_parameter_set_mark``), and that an
error is expected for its reason is ruff's (PT011); for the exceptions that ruff cannot see, here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.sources import breaches, tree

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.rglob("*.py"))
SOURCE = re.compile(r"\b(?:19|20)\d\d\b.*?\b(?:Thm|Lemma|Cor|Prop|Def|Sect|Alg)\.? ?\d", re.DOTALL)


@cache
def _functions(path: Path) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef)]


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
    for call in _called(tree(path)):
        if _name(call) == "raises" and not any(each.arg == "match" for each in call.keywords):
            yield call.lineno


def test_every_error_is_expected_for_its_reason() -> None:
    assert breaches(FILES, _expected_for_any_reason) == {}


def _decided_by_a_clock(path: Path) -> Iterator[int]:
    clocks = {"monotonic", "perf_counter", "process_time"}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Assert) and clocks & {_name(call) for call in _called(node)}:
            yield node.lineno


def test_no_test_is_decided_by_a_clock() -> None:
    assert breaches(FILES, _decided_by_a_clock) == {}


def _skipped_in_silence(path: Path) -> Iterator[int]:
    for call in _called(tree(path)):
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
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and node.module
    }
    asking = {"CHECKER", "lines_of", "said_of"} & found.get("tools.checker_mutants", set())
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
