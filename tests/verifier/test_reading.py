"""The page that leads three auditors through the verifier: its files, their order, their sizes."""

from __future__ import annotations

import ast
import json
import re
from importlib.util import resolve_name
from pathlib import Path
from typing import Final

import pytest

from exactdp.verifier.rules import RULES
from tools.reading import (
    PAGE,
    PATHS,
    ROOT,
    ROW,
    TABLES,
    VERIFIER,
    counted,
    functions,
    lines,
    listed,
    main,
    of_deployments,
    read_by,
    to_read,
)

TEXT: Final = PAGE.read_text(encoding="utf-8")
MOST_LINES: Final = {"ε": 1308, "SGD": 1845, "rows": 1521}
MOST_LINES_OF_THE_KERNEL: Final = 300


def imported(file: str) -> set[str]:
    """The files of the verifier that a file imports from."""
    module = ".".join(["verifier", *Path(file).with_suffix("").parts])
    package = module.removesuffix(".__init__") if file.endswith("__init__.py") else ""
    package = package or module.rpartition(".")[0]
    found = set()
    for node in ast.walk(ast.parse((VERIFIER / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = resolve_name("." * node.level + (node.module or ""), package)
            for name in (base, *(f"{base}.{alias.name}" for alias in node.names)):
                path = "/".join(name.split(".")[1:])
                if (VERIFIER / f"{path}.py").is_file():
                    found.add(f"{path}.py")
    return found


# --- the paths ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
def test_the_page_has_every_file_of_which_verifying_runs_something(path: str) -> None:
    ran = set(read_by()[path])
    assert len(ran) > 20
    assert ran <= set(listed(TEXT))


@pytest.mark.slow
def test_the_page_has_no_file_that_nobody_reads() -> None:
    for file in listed(TEXT):
        assert file in TABLES or any(file in read_by()[path] for path in PATHS), file


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
def test_no_file_needs_one_that_stands_after_it(path: str) -> None:
    files = [file for file in listed(TEXT) if to_read(path, file)]
    for position, file in enumerate(files):
        if file not in TABLES:  # tables name what is not read too
            assert (imported(file) & set(files)) <= set(files[:position]), file


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
def test_what_is_to_be_read_does_not_grow(path: str) -> None:
    assert sum(to_read(path, file) for file in listed(TEXT)) <= MOST_LINES[path]


# --- the page -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_page_says_how_much_is_to_be_read_of_each_file_and_all_together() -> None:
    links = re.findall(r"^\| \[`([\w/]+\.py)`\]\((\S+)\)", TEXT, re.MULTILINE)
    assert len(links) == len(ROW.findall(TEXT)) > 30
    for file, link in links:
        assert (ROOT / "docs" / link).resolve() == VERIFIER / file
    assert counted(TEXT) == TEXT, "python -m tools.reading writes it"


@pytest.mark.slow
def test_a_wrong_number_of_lines_is_found_out() -> None:
    for stated in (*re.findall(r"\d+ files, \d+ functions, \d+ lines", TEXT), "| 43 | 43 |"):
        wrong = re.sub("[0-8]", lambda digit: str(int(digit[0]) + 1), stated)
        assert wrong != stated
        assert counted(TEXT.replace(stated, wrong, 1)) == TEXT


def test_the_lines_of_a_function_are_those_from_its_decorator_to_its_end() -> None:
    written = (VERIFIER / "format" / "meter.py").read_text(encoding="utf-8").splitlines()
    [(_, body)] = [each for each in functions("format/meter.py").items() if "metered" in each[0]]
    assert written[body.start - 1] == "@contextmanager"
    assert written[body.start].startswith("def metered(")
    assert written[body.stop - 2].strip()


@pytest.mark.slow
def test_the_tool_names_what_a_reader_reads_and_changes_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["ε"]) == 0
    named = capsys.readouterr().out.splitlines()
    assert len(named) == sum(map(len, read_by()["ε"].values()))
    assert main(["--check"]) == 0


def test_the_certificates_of_deployments_are_about_adaptive_composition() -> None:
    for path in (ROOT / "certs" / "deployments").glob("*.json"):
        statement = json.loads(path.read_bytes()).get("statement", {})
        assert statement.get("interaction", "adaptive") == "adaptive", path


def test_the_page_names_the_rules_of_the_first_reader() -> None:
    used = {
        step["rule"]
        for certificate, *_ in of_deployments()
        for step in json.loads(Path(certificate).read_bytes())["derivation"]
    }
    assert used
    assert used <= set(re.findall(r"`([\w-]+)`", TEXT))


def test_the_kernel_is_short_and_names_no_rule_and_no_type_of_subject() -> None:
    assert lines("kernel.py") <= MOST_LINES_OF_THE_KERNEL
    text = (VERIFIER / "kernel.py").read_text(encoding="utf-8")
    assert not [rule for rule in RULES if f'"{rule}"' in text]
    assert not [file for file in imported("kernel.py") if file.startswith("rules/")]
