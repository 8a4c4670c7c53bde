"""The page that leads an auditor through the verifier: its files, their order, their sizes."""

from __future__ import annotations

import ast
import json
import re
from importlib.util import resolve_name
from pathlib import Path

from exactdp.verifier.rules import RULES
from tools.tables import counted, lines, lines_of_code

ROOT = Path(__file__).resolve().parents[2]
VERIFIER = ROOT / "exactdp" / "verifier"
PAGE = (ROOT / "docs" / "reading-the-verifier.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| \[`([\w/]+\.py)`\]\((\S+)\) \| (\d+) \| (\d+) \|", re.MULTILINE)
LISTED = ROW.findall(PAGE)
READ, _, REST = PAGE.partition("**Not needed for these certificates**")
FILES = [file for file, *_ in ROW.findall(READ)]
NOT_NEEDED = {file for file, *_ in ROW.findall(REST)}
MOST_LINES_OF_THE_KERNEL = 300
MOST_LINES = 3000
MOST_LINES_OF_CODE = 2050  # with what decides nothing here


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


def test_the_page_says_how_long_each_file_is_and_all_together() -> None:
    assert len(LISTED) > 20
    for file, link, *_ in LISTED:
        assert (ROOT / "docs" / link).resolve() == VERIFIER / file
    assert counted(PAGE) == PAGE, "python -m tools.tables writes it"


def test_a_wrong_number_of_lines_is_found_out() -> None:
    [stated] = re.findall(r"Together (\d+) lines", PAGE)
    for number in (stated, LISTED[0][2]):
        assert counted(PAGE.replace(number, f"{number}1", 1)) == PAGE


def test_what_is_to_be_read_is_short() -> None:
    assert sum(map(lines, FILES)) <= MOST_LINES
    assert sum(map(lines_of_code, [*FILES, *NOT_NEEDED])) <= MOST_LINES_OF_CODE


def test_only_lines_of_code_are_counted_as_code() -> None:
    assert lines_of_code("arithmetic/__init__.py") == 0
    assert lines_of_code("format/outcomes.py") == 15


def test_no_file_needs_one_that_stands_after_it() -> None:
    for position, file in enumerate(FILES):
        if file != "rules/__init__.py":  # the table, which names the rules that are not read too
            assert imported(file) <= {*FILES[:position], *NOT_NEEDED}, file


def test_only_theorems_and_noise_need_not_be_read() -> None:
    assert {"rules/by_noise.py", "rules/theorems.py"} == NOT_NEEDED


def test_no_rule_that_is_read_is_about_noise() -> None:
    read = {f"exactdp.verifier.{file.removesuffix('.py').replace('/', '.')}" for file in FILES}
    about = {name for name, rule in RULES.items() if rule.__module__ in read}
    assert about
    assert not any("noise" in RULES[name].families for name in about)


def test_the_certificates_of_deployments_are_about_adaptive_composition() -> None:
    for path in (ROOT / "certs" / "deployments").glob("*.json"):
        statement = json.loads(path.read_bytes()).get("statement", {})
        assert statement.get("interaction", "adaptive") == "adaptive", path


def test_the_certificates_of_deployments_need_no_other_rule() -> None:
    used = set()
    for path in (ROOT / "certs" / "deployments").glob("*.json"):
        certificate = json.loads(path.read_bytes())
        used |= {step["rule"] for step in certificate.get("derivation", ())}
    assert used
    modules = {RULES[rule].__module__.removeprefix("exactdp.verifier.") for rule in used}
    assert {f"{module.replace('.', '/')}.py" for module in modules} <= set(FILES)
    assert used <= set(re.findall(r"`([\w-]+)`", PAGE))


def test_the_kernel_is_short_and_names_no_rule_and_no_type_of_subject() -> None:
    assert lines("kernel.py") <= MOST_LINES_OF_THE_KERNEL
    text = (VERIFIER / "kernel.py").read_text(encoding="utf-8")
    assert not [rule for rule in RULES if f'"{rule}"' in text]
    assert imported("kernel.py") <= {file for file in FILES if not file.startswith("rules/")}
