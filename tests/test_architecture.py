"""The house: which package may import which, and what no file may contain.

Every module of exactdp belongs to exactly one layer; a new package without one fails here. Imports
inside functions and under TYPE_CHECKING count like all others.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

import pytest

from exactdp import mechanisms
from tests.marking import each_case
from tests.sources import ROOT, breaches, calls, nodes, tree

FILES = sorted((ROOT / "exactdp").rglob("*.py"))
LAYERS = {
    "asides": 0,
    "errors": 0,
    "readable": 0,
    "regular_files": 0,
    "version": 0,
    "arithmetic": 1,
    "templates": 1,
    "timing": 1,
    "mechanisms": 2,
    "ledger": 3,
    "certificate": 4,
    "composition": 5,
    "interaction": 6,
    "attacks": 8,
    "budgets": 8,
    "group_privacy": 8,
    "hardness": 8,
    "literature": 8,
    "many": 8,
    "spending": 8,
    "training": 8,
    "accountants": 9,
    "allocation": 9,
    "claims": 9,
    "verification": 9,
    "workloads": 9,
    "attestation": 10,
    "pages": 10,
    "policies": 10,
    "cli": 11,
    "testing": 11,
}
FRONT = {"__init__", "__main__"}  # the package's own door: may open every room
ALONE = "verifier"
MAY_CALL_THE_VERIFIER = {"attestation", "cli", "pages", "verification", "__init__", ALONE}
LOADS_BY_NAME = {
    "exactdp",
    "exactdp.cli.usage",
    "exactdp.composition.answers.results",  # the picture of an answer, which composes again
}
"""Modules that load others on first use."""
MOST_LINES = 450


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _room(module: str) -> str:
    """The top-level name inside exactdp: ``exactdp.ledger.model`` is in ``ledger``."""
    _, _, rest = module.partition(".")
    return rest.partition(".")[0] or "__init__"


MODULES = {_module(path) for path in FILES}
ROOMS = {_room(module) for module in MODULES}


@cache
def _imports(path: Path) -> frozenset[tuple[int, str]]:
    """Line and module of everything that ``path`` imports, wherever the statement stands."""
    module = _module(path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    return frozenset(_imported(path, package))


def _imported(path: Path, package: str) -> Iterator[tuple[int, str]]:
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield node.lineno, full if full in MODULES else base


def _inside(path: Path) -> list[tuple[str, str]]:
    """Each import of exactdp by ``path``: where, and of which room."""
    place = path.relative_to(ROOT)
    return [
        (f"{place}:{line}", _room(name))
        for line, name in sorted(_imports(path))
        if name.partition(".")[0] == "exactdp"
    ]


def test_every_room_has_its_layer() -> None:
    assert ROOMS - LAYERS.keys() - FRONT == {ALONE}


def test_there_is_something_to_look_at() -> None:
    assert len(FILES) > 30
    assert {"cli", "ledger", ALONE} <= ROOMS
    assert sum(len(_inside(path)) for path in FILES) > 100


@each_case("room", sorted(ROOMS & LAYERS.keys()))
def test_imports_point_down(room: str) -> None:
    upward = [
        f"{place} imports {other}"
        for path in FILES
        if _room(_module(path)) == room
        for place, other in _inside(path)
        if not _points_down(room, other)
    ]
    assert upward == []


def _points_down(room: str, other: str) -> bool:
    if other == ALONE:  # test_only_the_front_calls_the_verifier
        return True
    if other == "__init__":  # the version
        return room == "cli"
    return other == room or LAYERS[other] < LAYERS[room]


def test_the_library_takes_nothing_of_the_command_line() -> None:
    front = ROOT / "exactdp" / "__init__.py"
    assert "exactdp.cli" not in front.read_text(encoding="utf-8")


def test_only_the_front_calls_the_verifier() -> None:
    callers = {
        _room(_module(path)) for path in FILES for _, other in _inside(path) if other == ALONE
    }
    assert callers <= MAY_CALL_THE_VERIFIER


def test_the_verifier_imports_the_standard_library_and_itself() -> None:
    strange = [
        f"{path.name}:{line} imports {name}"
        for path in FILES
        if _room(_module(path)) == ALONE
        for line, name in sorted(_imports(path))
        if name.partition(".")[0] not in sys.stdlib_module_names
        and not f"{name}.".startswith(f"exactdp.{ALONE}.")
    ]
    assert strange == []


VERIFIER_LAYERS = {
    "format": 0,
    "arithmetic": 1,
    "timing": 1,
    "statement": 2,
    "kernel": 3,
    "certificate": 4,
    "rules": 5,
    "question": 6,
    "subjects": 7,
    "verdicts": 8,
    "wording": 8,
    "__init__": 9,
    "__main__": 10,
}


def _verifier_room(module: str) -> str:
    """The name inside the verifier: ``exactdp.verifier.rules.grid`` is in ``rules``."""
    return module.split(".")[2] if module.startswith(f"exactdp.{ALONE}.") else "__init__"


def test_inside_the_verifier_imports_point_down() -> None:
    upward = []
    for path in FILES:
        module = _module(path)
        if _room(module) == ALONE:
            room = _verifier_room(module)
            for line, name in sorted(_imports(path)):
                if _room(name) == ALONE:
                    other = _verifier_room(name)
                    if other != room and VERIFIER_LAYERS[other] >= VERIFIER_LAYERS[room]:
                        upward.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
    assert upward == []


def test_every_module_opens_with_its_purpose() -> None:
    assert breaches(FILES, lambda path: [] if ast.get_docstring(tree(path)) else ["silent"]) == {}


def test_every_module_is_one_idea_long() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert {_module(path): length for path, length in lines.items() if length > MOST_LINES} == {}


def _text_to_code(path: Path) -> set[str]:
    """Names of called functions that turn text into code."""
    called = {
        node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for node in calls(path)
        if isinstance(node.func, ast.Name | ast.Attribute)
    }
    forbidden = {"eval", "exec", "sympify", "parse_expr", "__import__", "import_module"}
    return called & forbidden - ({"import_module"} if _module(path) in LOADS_BY_NAME else set())


def test_no_module_turns_text_into_code() -> None:
    assert breaches(FILES, _text_to_code) == {}


def _floats_and_assertions(path: Path) -> Iterator[int]:
    for node in nodes(path):
        if (
            (isinstance(node, ast.Constant) and isinstance(node.value, float | complex))
            or (isinstance(node, ast.Name) and node.id in {"float", "complex"})
            or isinstance(node, ast.Assert)
        ):
            yield node.lineno


def test_the_verifier_uses_neither_floats_nor_assertions() -> None:
    verifier = [path for path in FILES if _room(_module(path)) == ALONE]
    assert len(verifier) > 20
    assert breaches(verifier, _floats_and_assertions) == {}


def test_the_layers_are_those_that_the_guide_names() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {name: int(layer) for layer, name in re.findall(r"^ +(\d+) +(\w+)", text, re.MULTILINE)}
    assert named == {name: layer for name, layer in LAYERS.items() if name in ROOMS}


def _graph(paths: Iterable[Path]) -> dict[str, set[str]]:
    """Which module imports which, also under TYPE_CHECKING and inside functions."""
    names = {_module(path): path for path in paths}
    return {
        module: {name for _, name in _imports(path) if name in names and name != module}
        for module, path in names.items()
    }


def _circle(graph: dict[str, set[str]]) -> list[str]:
    """What is left after modules that import nothing, again and again; [] without a circle."""
    left = {module: set(imported) for module, imported in graph.items()}
    while leaves := {module for module, imported in left.items() if not imported}:
        left = {m: imported - leaves for m, imported in left.items() if m not in leaves}
    return sorted(left)


def test_no_imports_form_a_circle_not_even_those_for_types() -> None:
    assert _circle(_graph(FILES)) == []


def test_a_circle_would_be_found() -> None:
    assert _circle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]


READ_BY_ENGINES = ("exactdp.composition.problem", "exactdp.composition.dominating_pairs")


def test_the_engines_know_nothing_of_what_is_asked_of_them() -> None:
    room = "exactdp.composition.engines"
    outward = [
        f"{_module(path)} imports {name}"
        for path in FILES
        if _module(path).startswith(room)
        for _, name in sorted(_imports(path))
        if name.startswith("exactdp.composition") and not name.startswith((room, *READ_BY_ENGINES))
    ]
    assert outward == []


# --- who may ask of which family a mechanism is ---------------------------------------------------

FAMILIES = {family.__name__ for family in mechanisms.FAMILIES} | {"Sampleable", "OnIntegers"}
BY_PARAMETERS = {"Mechanism", "ConcentratedMechanism", "GaussianMechanism"}
ADAPTERS = {"exactdp.ledger.formats.dp_events", "exactdp.ledger.formats.dp_events_writer"}
"""Those who speak the language of an accountant: what they do not know they refuse."""
LISTED = {
    "exactdp.ledger.model",
    "exactdp.workloads.anytime",
    "exactdp.workloads.gains",
    "exactdp.workloads.parameters",
    "exactdp.workloads.tradeoff",
    "exactdp.workloads.workload",
}
"""Who may until ledgers of parameters and of noise are one subject; the list only shrinks."""


OF_ALL = {"is_noisy", "is_approximate"}
"""What was asked of whole ledgers: :attr:`given_by` says it, and the answer says what follows."""


def test_nobody_asks_whether_all_are_noisy_or_approximate() -> None:
    named = {_module(path): _names(nodes(path)) | _defined(path) for path in FILES}
    assert {module: names & OF_ALL for module, names in named.items() if names & OF_ALL} == {}


def _defined(path: Path) -> set[str]:
    """The names of functions in a file."""
    return {each.name for each in nodes(path) if isinstance(each, ast.FunctionDef)}


def _named(node: ast.AST) -> set[str]:
    """The names in an expression, of modules or not."""
    return _names(ast.walk(node))


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    return {
        each.id if isinstance(each, ast.Name) else each.attr
        for each in nodes
        if isinstance(each, ast.Name | ast.Attribute)
    }


def _groups(path: Path) -> dict[str, set[str]]:
    """The names in this file for tuples and unions of families."""
    return {
        target: _named(node.value) & FAMILIES
        for node in nodes(path)
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in _targets(node)
    }


def _targets(node: ast.Assign | ast.AnnAssign) -> list[str]:
    listed = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [each.id for each in listed if isinstance(each, ast.Name)]


def _is_type(node: ast.AST) -> bool:
    """Whether it is the class of something."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"
    ) or (isinstance(node, ast.Attribute) and node.attr == "__class__")


def _classes_asked(node: ast.AST) -> list[ast.expr]:
    """What a question of a class names: isinstance, issubclass, ``type(...) is``, a pattern."""
    if isinstance(node, ast.MatchClass):
        return [node.cls]
    if isinstance(node, ast.Compare):
        compared = [node.left, *node.comparators]
        others = [each for each in compared if not _is_type(each)]
        return others if len(others) < len(compared) else []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.args[1:] if node.func.id in {"isinstance", "issubclass"} else []
    return []


def _families_asked(path: Path) -> set[str]:
    """Families by whose name something outside asks of which family a mechanism is."""
    groups = _groups(path)
    found = {
        name for node in nodes(path) for asked in _classes_asked(node) for name in _named(asked)
    }
    return (found & FAMILIES).union(*(groups.get(name, ()) for name in found))


def _asking() -> dict[str, set[str]]:
    """The modules that ask, with the families by whose names they do."""
    apart = {"mechanisms", ALONE}
    outside = [path for path in FILES if _room(_module(path)) not in apart]
    found = {_module(path): _families_asked(path) for path in outside}
    return {module: names for module, names in found.items() if names and module not in ADAPTERS}


def test_nobody_asks_of_which_family_a_mechanism_is() -> None:
    assert {module: names - BY_PARAMETERS for module, names in _asking().items()} == {
        module: set() for module in LISTED
    }


@pytest.mark.parametrize(
    "asked",
    [
        "isinstance(entry, LaplaceMechanism)",
        "isinstance(entry, mechanisms.LaplaceMechanism | int)",
        "isinstance(entry, KNOWN)",
        "issubclass(kind, KNOWN)",
        "type(entry) is LaplaceMechanism",
        "type(entry) in (int, LaplaceMechanism)",
        "LaplaceMechanism == entry.__class__",
        "match entry:\n    case LaplaceMechanism(): pass",
        "match entry:\n    case [LaplaceMechanism(scale=1) | int()]: pass",
    ],
)
def test_a_question_of_the_family_would_be_found(asked: str, tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(f"KNOWN = (int, LaplaceMechanism)\n{asked}\n")
    assert _families_asked(path) == {"LaplaceMechanism"}


def test_a_mechanism_may_be_made_and_asked(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "made = LaplaceMechanism(1)\nassert type(made) in FAMILIES or made.is_sampled\n"
    )
    assert _families_asked(path) == set()
