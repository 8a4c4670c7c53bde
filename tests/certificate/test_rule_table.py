"""The table of rules says what the verifier's says, and what the specification says."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from string import Formatter
from typing import Final

import pytest

from exactdp.certificate.rule_table import RULES, THEOREMS
from exactdp.certificate.rules.row import Rule
from exactdp.certificate.theorems import CONCURRENT
from exactdp.verifier.rules import RULES as VERIFIED
from exactdp.verifier.rules.ledger import BY_PAIRS
from exactdp.verifier.rules.reduction import Reduction
from exactdp.verifier.rules.rule import BoundRule
from tests.verifier.declared import parameters_of
from tests.verifier.handmade import theorem_of

SPEC: Final = (Path(__file__).resolve().parents[2] / "certs" / "SPEC.md").read_text("utf-8")
FILLED_IN: Final = {
    *("for_group", "sorted"),
    *("masses_rounding", "nothing_left", "excess", "formula"),
}


def test_both_tables_have_the_same_rules() -> None:
    assert set(RULES) == set(VERIFIED)


@pytest.mark.parametrize("name", VERIFIED)
def test_both_tables_say_the_same_of_a_rule(name: str) -> None:
    row, verified = RULES[name], VERIFIED[name]
    assert row.parameters == parameters_of(verified)
    assert row.theorem.name == verified.theorem
    assert {theorem.name for theorem in row.interleaved} == {t.name for t in verified.interleaved}
    assert row.premises == len(verified.premises)
    about = verified.form.subject
    assert about is not None
    assert ("mechanisms" if row.about == "pairs" else row.about) == about.type
    assert (row.about == "pairs") == (verified.families == BY_PAIRS)
    assert issubclass(verified, BoundRule | Reduction)
    assert set(row.kinds) == set(verified.kinds)


def section_of(heading: str) -> str:
    """What the specification says of a rule, with the sections that its opening refers to."""
    found = re.search(rf"^### {heading}\n(.*?)(?=^#)", SPEC, re.MULTILINE | re.DOTALL)
    assert found is not None
    opening, _, _ = found[1].partition("\n\n")
    names = re.findall(r"\bas for `([^`]+)`", opening)
    headings = [rf"11\.\d+ `{re.escape(each)}`" for each in names]
    return "\n".join([found[1], *map(section_of, headings)])


@pytest.mark.parametrize("rule", RULES)
def test_the_specification_names_the_theorem_and_the_parameters_of_a_rule(rule: str) -> None:
    section, row = section_of(rf"11\.\d+ `{re.escape(rule)}`"), RULES[rule]
    if row.about in ("pairs", "mechanisms", "interactive") and not row.premises:
        assert theorem_of(rule) == row.theorem.name
    assert [name for name in row.parameters if f"`{name}`" not in section] == []


def test_theorems_have_one_citation_each() -> None:
    cited = [*(row.theorem for row in RULES.values()), *CONCURRENT]
    assert all(THEOREMS[theorem.name] == theorem for theorem in cited)
    assert all(theorem.citation.endswith(".") for theorem in cited)


@pytest.mark.parametrize("row", RULES.values(), ids=RULES)
def test_a_row_is_explained_by_its_own_parameters(row: Rule) -> None:
    names = {
        name for text in row.kinds.values() for _, name, _, _ in Formatter().parse(text) if name
    }
    assert names <= {*row.parameters, *FILLED_IN}


_INTERLEAVED: Final = re.compile(r"^\| `([\w.-]+)` \| ([^|]+) \| [^|]+ \| [^|]+ \|$", re.MULTILINE)
"""A theorem by which interleaving gains nothing, and the rules that it carries over."""


def test_the_specification_says_which_rules_a_theorem_carries_over() -> None:
    section = SPEC[SPEC.index("**Theorems.**") : SPEC.index("## 4. ")]
    rows = _INTERLEAVED.findall(section)
    assert len(rows) == section.count("\n| `")
    for theorem, cell in rows:
        carried = {
            name
            for name, rule in VERIFIED.items()
            if issubclass(rule, BoundRule) and "upper" in rule.kinds
            if any(each.name == theorem for each in rule.interleaved)
        }
        pure = {name for name in carried if VERIFIED[name].families == {"epsilon"}}
        assert ("of (ε, δ) alone" in cell) == bool(pure)
        assert set(re.findall(r"`([\w.-]+)`", cell)) == carried - pure, theorem


def test_every_rule_has_a_section_and_every_section_a_rule() -> None:
    headings = re.findall(r"^### 11\.(\d+) `([\w.-]+)`$", SPEC, re.MULTILINE)
    assert {name for _, name in headings} == set(VERIFIED)
    assert [int(number) for number, _ in headings] == [*range(1, len(VERIFIED) + 1)]


def test_sections_are_numbered_without_gaps() -> None:
    numbers = re.findall(r"^(?:#{2,3} |\*\*)(\d+)(?:\.(\d+))?\.? ", SPEC, re.MULTILINE)
    parts = [(int(section), int(part or "0")) for section, part in numbers]
    assert len(parts) > len(VERIFIED)
    assert all(
        after in ((section, part + 1), (section + 1, 0))
        for (section, part), after in pairwise(parts)
    )
