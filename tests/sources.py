"""The project's own source files, parsed and walked once in a process, for the laws about all."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[1]
Found = TypeVar("Found")


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a file; nobody changes it."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file's tree, in the order of ``ast.walk``."""
    return tuple(ast.walk(tree(path)))


@cache
def calls(path: Path) -> tuple[ast.Call, ...]:
    """All calls that stand in a file."""
    return tuple(node for node in nodes(path) if isinstance(node, ast.Call))


def breaches(
    paths: Iterable[Path], search: Callable[[Path], Iterable[Found]]
) -> dict[str, list[Found]]:
    """What a search finds in each file, by the file's name; a file that keeps the law is absent."""
    found = {str(path.relative_to(ROOT)): list(search(path)) for path in paths}
    return {name: each for name, each in found.items() if each}
