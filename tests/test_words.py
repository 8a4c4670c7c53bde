"""Words: pages, messages and help speak the field's language, not a private one.

What is retired is listed here with what the field says; CONTRIBUTING.md has the glossary. Code and
names of rules are not prose: they are left out, and so are the verifier and certificates, which
keep their texts as long as their format.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.sources import ROOT, breaches, tree

RETIRED: Final = {
    r"bells?": "discrete Gaussian noise",
    r"brothers?": "continuous Gaussian noise",
    r"corners?": "boundary case (of a polygon: vertex)",
    r"cures?": "remedy",
    r"dear(?:er|est)?": "expensive",
    r"dots": "connect-the-dots",
    r"gregarious": "the greatest parameters of a class",
    r"ladders?": "lattice",
    r"notions?": "privacy definition",
    r"reckon\w*": "compute, compose",
    r"rungs?": "point of a lattice",
    r"sag(?:s|ged)?": "interpolation error",
    r"squeez\w*": "contrast, enclosure",
    r"told": "known, revealed, stated",
    r"waves?": "characteristic function",
    r"wild": "incommensurable",
    r"by itself far out": "in the tail",
    r"be it the (?:coarsest|widest)": "even at the widest tolerance",
    r"for want of": "because there is no",
    r"no more is known against": "the lower bound is",
    r"calls no ε enough": "no certificate contradicts",
    r"is proved to be as it states": "verdict: proved",
    r"is kept by the mechanisms": "the mechanisms are not (ε, δ)-DP for any ε below",
    r"rounded (?:up|down) where it is none": "rounded to a multiple of",
    r"at which ε is asked for": "target δ",
    r"the budget gives no number": "budget exceeded",
    r"is a band between two certified ends": "the band lies between certified bounds",
    r"files that exactdp did not write, and links": "existing files",
    r"that is spent as one goes": "a privacy budget with a spend log",
    r"in the mean": "on average",
    r"which nothing changes (?:from now on|afterwards)": "which is fixed from now on",
}
PROSE: Final = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
)
MESSAGES: Final = [
    path
    for path in sorted((ROOT / "exactdp").rglob("*.py"))
    if "verifier" not in path.relative_to(ROOT).parts
]
GLOSSARY: Final = re.compile(r"(?<=^## Glossary\n\n)(?:- .*\n)+", re.MULTILINE)
MOST_TERMS: Final = 25
# A word that is part of a name, as in connect-the-dots, is none of prose.
_RETIRED: Final = {
    remedy: re.compile(rf"(?<![\w/-]){word}(?![\w/-])", re.IGNORECASE)
    for word, remedy in RETIRED.items()
}
_CODE: Final = re.compile(
    r"```.*?^```$|`[^`\n]*`|(?<=\])\([^)\n]*\)|<!--.*?-->", re.DOTALL | re.MULTILINE
)


def retired(text: str) -> list[str]:
    """The retired words of a text, each with what the field says."""
    return [
        f"{found[0]}: {remedy}"
        for remedy, word in _RETIRED.items()
        for found in word.finditer(text)
    ]


def _is_help(node: ast.AST) -> bool:
    """Whether the docstring of a definition is a help text."""
    return isinstance(node, ast.FunctionDef) and any(
        "command" in ast.unparse(each) for each in node.decorator_list
    )


def messages(module: ast.Module) -> Iterator[str]:
    """The texts with a blank in them that people may read: all but docstrings, help excepted."""
    nodes = [*ast.walk(module)]
    shown = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, ast.FunctionDef) and _is_help(node)
        if isinstance(node.body[0], ast.Expr)
    }
    silent = {id(node.value) for node in nodes if isinstance(node, ast.Expr)} - shown
    for node in nodes:
        text = node.value if isinstance(node, ast.Constant) and id(node) not in silent else None
        if isinstance(text, str) and " " in text:
            yield text


def _of_page(path: Path) -> list[str]:
    return retired(_CODE.sub(" ", path.read_text(encoding="utf-8")))


def test_no_page_uses_a_retired_word() -> None:
    assert breaches(PROSE, _of_page) == {}


def test_no_message_and_no_help_uses_a_retired_word() -> None:
    assert breaches(MESSAGES, lambda path: retired("\n".join(messages(tree(path))))) == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("This is dear.", ["dear: expensive"]),
        ("the rule `mesh-upper`", []),
        ("certs/denial-of-service and connect-the-dots", []),
        ("Of two Notions", ["Notions: privacy definition"]),
        ("[a](notions.md)", []),
    ],
)
def test_a_retired_word_is_found_where_it_is_prose(text: str, found: list[str]) -> None:
    assert retired(_CODE.sub(" ", text)) == found


def test_messages_and_help_are_read_and_docstrings_are_not() -> None:
    module = ast.parse(
        'def f():\n    """Told to nobody."""\n    raise ValueError("you are told")\n'
        '@click.command()\ndef g():\n    """What is told."""\n    "no text of it"\n    return "x"\n'
    )
    assert sorted(messages(module)) == ["What is told.", "you are told"]


def test_the_glossary_is_short_and_has_a_line_for_each_term() -> None:
    [terms] = GLOSSARY.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    lines = terms.splitlines()
    assert 15 <= len(lines) <= MOST_TERMS
    assert all(re.match(r"- \*\*[^*]+\*\*: ", line) for line in lines)
    assert retired(_CODE.sub(" ", terms)) == []
