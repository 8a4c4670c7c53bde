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

ROOT = Path(__file__).resolve().parents[1]
ALL = sorted((ROOT / "exactdp").rglob("*.py"))
ENGINE = [path for path in ALL if "verifier" not in path.relative_to(ROOT).parts]
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in ENGINE}
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


def _public_types(tree: ast.Module) -> Iterator[str]:
    """Classes, and aliases of types, that a module defines for others."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id


def _is_public_type(name: str) -> bool:
    return name[0].isupper() and not name.isupper()


def _homes() -> dict[str, list[str]]:
    homes: dict[str, list[str]] = defaultdict(list)
    for path, tree in TREES.items():
        for name in filter(_is_public_type, _public_types(tree)):
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


def _functions(path: Path) -> list[ast.FunctionDef]:
    """Functions of a module that are not methods."""
    return [node for node in TREES[path].body if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_public_function_is_named_by_a_preposition(path: Path) -> None:
    names = [each.name for each in _functions(path) if not each.name.startswith("_")]
    assert [name for name in names if name.split("_")[0] in PREPOSITIONS] == []


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_definition_bears_an_abandoned_name(path: Path) -> None:
    names = {
        node.name
        for node in ast.walk(TREES[path])
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    variables = {
        node.id
        for node in ast.walk(TREES[path])
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    assert {name.lstrip("_") for name in names | variables} & ABANDONED == set()


def _docstrings(tree: ast.Module) -> Iterator[str]:
    documented = ast.Module | ast.ClassDef | ast.FunctionDef
    for node in ast.walk(tree):
        if isinstance(node, documented):
            yield ast.get_docstring(node) or ""


POINTING = re.compile(r"(?:That|Those|It|They)\b|The same(?:[,.:;]| with)")
"""How a docstring begins that needs another text to say what it is about."""


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_docstring_names_what_it_is_about(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [text for text in _docstrings(tree) if POINTING.match(text)] == []


def test_a_docstring_that_only_points_would_be_found() -> None:
    assert POINTING.match("The same, of one entry.")
    assert POINTING.match("That of alpha.")
    assert not POINTING.match("The same mechanism, so many times.")


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_sentence_begins_with_a_bare_that(path: Path) -> None:
    begun = [text for text in _docstrings(TREES[path]) if re.search(r"(^|[.:] )That ", text)]
    assert begun == []


PRIVATE_IMPORT = re.compile(
    r"^ *from \S+ import (?:\([^)]*|[^(\n]*)(?<=[ (,])(_(?!_)\w+)", re.MULTILINE
)
"""A private name that is taken from another module; ``__version__`` and the like are none."""


@pytest.mark.parametrize("folder", ["exactdp", "tests", "tools", "bench"])
def test_no_module_imports_a_private_name(folder: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        assert PRIVATE_IMPORT.findall(path.read_text(encoding="utf-8")) == [], path


@pytest.mark.parametrize(
    "line", ["from .rule import Rule, _clause", "from .rule import (\n    Rule,\n    _clause,\n)"]
)
def test_a_private_name_that_is_imported_would_be_found(line: str) -> None:
    assert PRIVATE_IMPORT.findall(line) == ["_clause"]
