"""The clauses of the verifier, and copies of it in which some are disabled.

A clause is a ``raise`` of one of the verifier's own errors. Disabled, it is replaced by ``pass``:
what it refused goes on to whatever stands behind it. A copy is a package of its own, compiled from
the altered syntax trees and imported under another name.
"""

from __future__ import annotations

import ast
import copy
import importlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType

from exactdp import verifier

COPY = "altered_verifier"
_PACKAGE = Path(verifier.__file__).parent
_ERRORS = {"MalformedError", "RefusedError", "RejectedError", "_error", "_misfit"}
_REACHED = "_reached"


@dataclass(frozen=True, order=True)
class Clause:
    """Where the verifier stops: the file and the line, the function, and what it says there."""

    file: str
    line: int
    function: str
    words: str

    def __str__(self) -> str:
        return f"{self.file}: {self.function}: {self.words}"


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse((_PACKAGE / file).read_text(encoding="utf-8"))


def _words(node: ast.AST) -> str | None:
    """What a clause says, or None for what is no clause."""
    if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)):
        return None
    error = node.exc.func
    name = error.attr if isinstance(error, ast.Attribute) else ast.unparse(error)
    return ast.unparse(node.exc.args[0]) if name in _ERRORS else None


@cache
def clauses() -> tuple[Clause, ...]:
    """Every clause of every file of the verifier."""
    return tuple(_clauses())


def _clauses() -> Iterator[Clause]:
    for path in sorted(_PACKAGE.rglob("*.py")):
        file = path.relative_to(_PACKAGE).as_posix()
        for function in ast.walk(_tree(file)):
            if isinstance(function, ast.FunctionDef):
                for node in ast.walk(function):
                    words = _words(node)
                    if isinstance(node, ast.Raise) and words is not None:
                        yield Clause(file, node.lineno, function.name, words)


class _Watched(ast.NodeTransformer):
    """Every clause says that it was reached before it raises."""

    def visit_Raise(self, node: ast.Raise) -> list[ast.stmt]:
        if _words(node) is None:
            return [node]
        call = ast.parse(f"{_REACHED}(__file__, {node.lineno})").body[0]
        return [ast.copy_location(call, node), node]


class _Disabled(ast.NodeTransformer):
    """The clauses of some lines do nothing."""

    def __init__(self, lines: set[int]) -> None:
        self._lines = lines

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        return ast.copy_location(ast.Pass(), node) if node.lineno in self._lines else node


@cache
def _unaltered(file: str) -> CodeType:
    return compile(_tree(file), file, "exec")


def _compiled(file: str, change: ast.NodeTransformer) -> CodeType:
    tree = change.visit(copy.deepcopy(_tree(file)))
    return compile(ast.fix_missing_locations(tree), file, "exec")


def _file(fullname: str) -> str:
    """The file of a module of a copy, from the package."""
    path = "/".join(fullname.split(".")[1:])
    if (_PACKAGE / path).is_dir():
        return f"{path}/__init__.py".lstrip("/")
    return f"{path}.py"


class _Copy(MetaPathFinder, Loader):
    """Finds and runs the modules of a copy; ``reached`` collects the lines of watched clauses."""

    def __init__(self, altered: dict[str, CodeType]) -> None:
        self._altered = altered
        self.reached: list[tuple[str, int]] = []

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        if fullname.partition(".")[0] != COPY:
            return None
        return spec_from_loader(fullname, self, is_package=_file(fullname).endswith("__init__.py"))

    def exec_module(self, module: ModuleType) -> None:
        file = _file(module.__name__)
        module.__dict__[_REACHED] = lambda *place: self.reached.append(place)
        module.__file__ = file
        exec(self._altered.get(file) or _unaltered(file), module.__dict__)  # noqa: S102 (our own)

    def imported(self) -> ModuleType:
        """The copy; the one before it is forgotten."""
        for name in [name for name in sys.modules if name.partition(".")[0] == COPY]:
            del sys.modules[name]
        sys.meta_path.insert(0, self)
        try:
            return importlib.import_module(COPY)
        finally:
            sys.meta_path.remove(self)


def watched() -> tuple[ModuleType, list[tuple[str, int]]]:
    """The verifier, and a list to which it adds the file and line of each clause it reaches."""
    files = {clause.file for clause in clauses()}
    package = _Copy({file: _compiled(file, _Watched()) for file in files})
    return package.imported(), package.reached


def without(*disabled: Clause) -> ModuleType:
    """The verifier without these clauses, which are of one file."""
    [file] = {clause.file for clause in disabled}
    lines = {clause.line for clause in disabled}
    return _Copy({file: _compiled(file, _Disabled(lines))}).imported()
