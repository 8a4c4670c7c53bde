"""Names: one idea, one name; one name, one idea. Generated from the tree, so that new files count.

The verifier is a world of its own here: it shares no code with the engine, and both speak of
certificates, statements and mechanisms in the field's terms.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources import ROOT, breaches, nodes, tree

ALL = sorted((ROOT / "exactdp").rglob("*.py"))
ENGINE = [path for path in ALL if "verifier" not in path.relative_to(ROOT).parts]
SHARED: dict[str, str] = {}
"""Public classes of different modules that may share a name, and why."""

PREPOSITIONS = frozenset(
    [
        "above",
        "after",
        "at",
        "before",
        "below",
        "beside",
        "between",
        "beyond",
        "by",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "over",
        "under",
        "with",
        "within",
        "without",
    ]
)
ABANDONED = {"gregarious", "said", "way", "words"}
"""Words that once named an idea and said nothing of it."""


def _public_types(module: ast.Module) -> Iterator[str]:
    """Classes, and aliases of types, that a module defines for others."""
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id


def _is_public_type(name: str) -> bool:
    return name[0].isupper() and not name.isupper()


def _homes() -> dict[str, list[str]]:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in ENGINE:
        for name in filter(_is_public_type, _public_types(tree(path))):
            homes[name].append(str(path.relative_to(ROOT)))
    return homes


def test_no_two_public_classes_share_a_name() -> None:
    shared = {name: homes for name, homes in _homes().items() if len(homes) > 1}
    assert {name: homes for name, homes in shared.items() if name not in SHARED} == {}
    assert SHARED.keys() <= shared.keys(), "an exception that nothing needs any more"


def test_a_second_class_of_the_same_name_would_be_found() -> None:
    assert "Composition" in _homes()
    assert list(_public_types(ast.parse("Ends = tuple[int, int]\nclass Budget: ..."))) == [
        "Ends",
        "Budget",
    ]


def _named_by_a_preposition(path: Path) -> Iterator[str]:
    """Public functions of a module, methods aside, whose first word is a preposition."""
    for node in tree(path).body:
        if isinstance(node, ast.FunctionDef) and node.name.split("_")[0] in PREPOSITIONS:
            yield node.name


def test_no_public_function_is_named_by_a_preposition() -> None:
    assert breaches(ENGINE, _named_by_a_preposition) == {}


def _defined(path: Path) -> Iterator[str]:
    """Functions, classes and variables of a file, wherever they are defined."""
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def test_no_definition_bears_an_abandoned_name() -> None:
    abandoned = breaches(
        ENGINE, lambda path: {name.lstrip("_") for name in _defined(path)} & ABANDONED
    )
    assert abandoned == {}


def _docstrings(path: Path) -> Iterator[str]:
    documented = ast.Module | ast.ClassDef | ast.FunctionDef
    for node in nodes(path):
        if isinstance(node, documented):
            yield ast.get_docstring(node) or ""


POINTING = re.compile(r"(?:That|Those|It|They)\b|The same(?:[,.:;]| with)")
"""How a docstring begins that needs another text to say what it is about."""


def test_a_docstring_names_what_it_is_about() -> None:
    assert breaches(ALL, lambda path: filter(POINTING.match, _docstrings(path))) == {}


def test_a_docstring_that_only_points_would_be_found() -> None:
    assert POINTING.match("The same, of one entry.")
    assert POINTING.match("That of alpha.")
    assert not POINTING.match("The same mechanism, so many times.")


BARE_THAT = re.compile(r"(^|[.:] )That ")


def test_no_sentence_begins_with_a_bare_that() -> None:
    assert breaches(ENGINE, lambda path: filter(BARE_THAT.search, _docstrings(path))) == {}


PRIVATE_IMPORT = re.compile(
    r"^ *from \S+ import (?:\([^)]*|[^(\n]*)(?<=[ (,])(_(?!_)\w+)", re.MULTILINE
)
"""A private name that is taken from another module; ``__version__`` and the like are none."""


@pytest.mark.parametrize("folder", ["exactdp", "tests", "tools", "bench"])
def test_no_module_imports_a_private_name(folder: str) -> None:
    files = (ROOT / folder).rglob("*.py")
    assert breaches(files, lambda path: PRIVATE_IMPORT.findall(path.read_text("utf-8"))) == {}


@pytest.mark.parametrize(
    "line", ["from .rule import Rule, _clause", "from .rule import (\n    Rule,\n    _clause,\n)"]
)
def test_a_private_name_that_is_imported_would_be_found(line: str) -> None:
    assert PRIVATE_IMPORT.findall(line) == ["_clause"]
