"""Every citation of a proof names a lemma that exists, and no proof is left open.

These tests read the sources; ``make -C proofs`` is what compiles them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from exactdp.verifier.rules import RULES
from tests.proofs.unproved import UNPROVED

ROOT = Path(__file__).resolve().parents[2]
PROOFS = ROOT / "proofs"
_STATED = re.compile(
    r"^\s*(?:Theorem|Lemma|Corollary|Definition|Fixpoint|Inductive|Record)\s+(\w+)", re.MULTILINE
)
_OPEN = re.compile(r"\b(?:Admitted|admit|Axioms?|Parameters?|Conjecture|Variables?\s+\w+_axiom)\b")
_CITED = re.compile(r"Proved:\s+`?proofs/(\w+\.v)`?,\s+`?(\w+)`?(?:\s+and\s+`?(\w+)`?)?")
_RULE = re.compile(r"### 7\.\d+ `([\w.-]+)`|\*\*1[01]\.\d `([\w.-]+)`\.\*\*")
_SAME = {"kairouz-oh-viswanath-heterogeneous": "kairouz-oh-viswanath-homogeneous"}
"""A rule that is another, for fewer ledgers."""
_ASSUMED = re.compile(r"^Definition (\w+) : Prop :=", re.MULTILINE)
"""A statement without parameters is a premise of some lemma; two more are about interleaving."""
_MAPPED = re.compile(r"`(\w+\.v)`[^`|]*\|[^|]*?((?:`\w+`[, ]*)+)")


@cache
def _stated(file: Path) -> frozenset[str]:
    return frozenset(_STATED.findall(_without_comments(file.read_text(encoding="utf-8"))))


def _without_comments(text: str) -> str:
    """Coq's comments nest; innermost first until none is left."""
    while (shorter := re.sub(r"\(\*(?:(?!\(\*|\*\)).)*\*\)", " ", text, flags=re.DOTALL)) != text:
        text = shorter
    return text


def _citing() -> Iterator[Path]:
    yield from sorted((ROOT / "exactdp").rglob("*.py"))
    yield ROOT / "certs/SPEC.md"
    yield from sorted((ROOT / "docs").glob("*.md"))


def _citations() -> list[tuple[str, str, str]]:
    return [
        (str(path.relative_to(ROOT)), file, name)
        for path in _citing()
        for file, *names in _CITED.findall(path.read_text(encoding="utf-8"))
        for name in filter(None, names)
    ]


@pytest.mark.parametrize(("place", "file", "name"), _citations())
def test_a_cited_lemma_exists(place: str, file: str, name: str) -> None:
    assert (PROOFS / file).is_file(), f"{place} cites proofs/{file}"
    assert name in _stated(PROOFS / file), f"{place} cites {name} of proofs/{file}"


def test_every_citation_is_written_so_that_it_can_be_checked() -> None:
    for path in _citing():
        text = path.read_text(encoding="utf-8")
        assert text.count("Proved: ") == len(_CITED.findall(text)), path


def test_every_rule_has_a_lemma() -> None:
    proved, rule = set(), ""
    for line in (ROOT / "certs/SPEC.md").read_text(encoding="utf-8").splitlines():
        if heading := _RULE.match(line):
            rule = heading[1] or heading[2]
        elif line.startswith("Proved: "):
            proved.add(rule)
    proved |= {_SAME[rule] for rule in proved if rule in _SAME}
    assert set(RULES) - proved == UNPROVED


def test_every_assumption_that_a_lemma_rests_on_is_on_the_page_for_auditors() -> None:
    page = (ROOT / "docs/proofs.md").read_text(encoding="utf-8")
    interleaving = ["vadhan_wang_theorem_4_1", "interleaving_gains_nothing"]
    assumed = {"RulesGroups.v": interleaving}
    for file in PROOFS.glob("*.v"):
        for name in _ASSUMED.findall(file.read_text(encoding="utf-8")):
            assumed.setdefault(file.name, []).append(name)
    assert len(assumed) > 1
    for place, names in assumed.items():
        for name in names:
            assert name in _stated(PROOFS / place)
            assert f"`{name}` in `proofs/{place}`" in page, name


def test_the_map_of_the_paper_names_lemmas_that_exist() -> None:
    rows = _MAPPED.findall((PROOFS / "paper_mapping.md").read_text(encoding="utf-8"))
    assert rows
    for file, names in rows:
        for name in re.findall(r"\w+", names):
            assert name in _stated(PROOFS / file), f"{name} of {file}"


def test_every_headline_theorem_of_the_audit_is_stated_and_compared() -> None:
    audit = (PROOFS / "Audit.v").read_text(encoding="utf-8")
    audited = re.findall(r"^Print Assumptions (\w+)\.", audit, re.MULTILINE)
    stated = frozenset[str]().union(*map(_stated, PROOFS.glob("*.v")))
    compared = (PROOFS / "assumptions.txt").read_text(encoding="utf-8")
    assert audited
    for name in audited:
        assert name in stated
        assert re.search(rf"^{name}:$", compared, re.MULTILINE)


@pytest.mark.parametrize("file", sorted(PROOFS.glob("*.v")), ids=lambda file: file.name)
def test_no_proof_is_left_open_and_no_axiom_is_added(file: Path) -> None:
    found = _OPEN.search(_without_comments(file.read_text(encoding="utf-8")))
    assert found is None, found
