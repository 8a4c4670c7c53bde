"""Every citation of a proof names a lemma that exists, and no proof is left open.

These tests read the sources; ``make -C proofs`` is what compiles them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from exactdp.verifier.rules import RULES
from tests.marking import each_case
from tests.proofs.unproved import WITHOUT_LEMMA

ROOT = Path(__file__).resolve().parents[2]
PROOFS = ROOT / "proofs"
_STATED = re.compile(
    r"^\s*(?:Theorem|Lemma|Corollary|Definition|Fixpoint|Inductive|Record)\s+(\w+)", re.MULTILINE
)
_THEOREM = re.compile(r"^Theorem (\w+)", re.MULTILINE)
_OPEN = re.compile(r"\b(?:Admitted|admit|Axioms?|Parameters?|Conjecture|Variables?\s+\w+_axiom)\b")
_CITED = re.compile(r"Proved:\s+`?proofs/(\w+\.v)`?,\s+`?(\w+)`?(?:\s+and\s+`?(\w+)`?)?")
_TABLE = "## The rules of certs/SPEC.md"
_ROW = re.compile(r"^\| ([^|]+) \| ((?:`[\w.]+`(?:, )?)+) \|$", re.MULTILINE)
"""A rule, or a section of the specification, and its theorems."""
_ASSUMED = re.compile(r"^Definition (\w+) : Prop :=", re.MULTILINE)
"""A statement without parameters is a premise of some lemma; two more are about interleaving."""
_MAPPED = re.compile(r"`(\w+\.v)`[^`|]*\|[^|]*?((?:`\w+`[, ]*)+)")


@cache
def _stated(file: Path) -> frozenset[str]:
    return frozenset(_STATED.findall(_without_comments(file.read_text(encoding="utf-8"))))


def _theorems() -> list[tuple[Path, str]]:
    """What the sources state as a theorem, in the order in which it is audited."""
    files = sorted(PROOFS.glob("*.v"), key=lambda file: file.stem)
    return [(file, name) for file in files for name in _THEOREM.findall(file.read_text("utf-8"))]


def _without_comments(text: str) -> str:
    """Coq's comments nest; innermost first until none is left."""
    while (shorter := re.sub(r"\(\*(?:(?!\(\*|\*\)).)*\*\)", " ", text, flags=re.DOTALL)) != text:
        text = shorter
    return text


def _citing() -> Iterator[Path]:
    yield from sorted((ROOT / "exactdp").rglob("*.py"))
    yield from sorted((ROOT / "docs").glob("*.md"))


def _tabled() -> dict[str, list[str]]:
    """The theorems that the map names, by the first cell of their row."""
    page = (PROOFS / "paper_mapping.md").read_text(encoding="utf-8")
    _, _, rest = page.partition(_TABLE)
    section, _, _ = rest.partition("\n## ")
    rows = _ROW.findall(section)
    assert len(rows) == section.count("\n| ") - 1  # but for the head
    table = {about: re.findall(r"`([\w.]+)`", names) for about, names in rows}
    assert len(table) == len(rows)
    return table


def _citations() -> list[tuple[str, str, str]]:
    return [
        (str(path.relative_to(ROOT)), file, name)
        for path in _citing()
        for file, *names in _CITED.findall(path.read_text(encoding="utf-8"))
        for name in filter(None, names)
    ]


@each_case(("place", "file", "name"), _citations())
def test_a_cited_lemma_exists(place: str, file: str, name: str) -> None:
    assert (PROOFS / file).is_file(), f"{place} cites proofs/{file}"
    assert name in _stated(PROOFS / file), f"{place} cites {name} of proofs/{file}"


def test_every_citation_is_written_so_that_it_can_be_checked() -> None:
    for path in _citing():
        text = path.read_text(encoding="utf-8")
        assert text.count("Proved: ") == len(_CITED.findall(text)), path


def test_every_rule_has_a_lemma() -> None:
    rules = {about.strip("`") for about in _tabled() if about.startswith("`")}
    assert set(RULES) - rules == WITHOUT_LEMMA
    assert rules <= set(RULES)


def test_the_specification_leaves_theorems_to_the_map() -> None:
    assert "Proved:" not in (ROOT / "certs/SPEC.md").read_text(encoding="utf-8")


def test_every_assumption_that_a_lemma_rests_on_is_on_the_page_for_auditors() -> None:
    page = (ROOT / "docs/proofs.md").read_text(encoding="utf-8")
    assumed: dict[str, list[str]] = {}
    for file in PROOFS.glob("*.v"):
        for name in _ASSUMED.findall(file.read_text(encoding="utf-8")):
            assumed.setdefault(file.name, []).append(name)
    assert assumed
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


def test_the_map_of_the_paper_names_modules_that_exist() -> None:
    page = (PROOFS / "paper_mapping.md").read_text(encoding="utf-8")
    modules = set(re.findall(r"\| `([a-z_]+(?:\.[a-z_]+)+)` \|$", page, re.MULTILINE))
    assert "literature.references" in modules
    assert [name for name in modules if find_spec(f"exactdp.{name}") is None] == []


def test_every_theorem_is_audited() -> None:
    compared = (PROOFS / "assumptions.txt").read_text(encoding="utf-8")
    audited = re.findall(r"^(\w+)\.([\w']+):$", compared, re.MULTILINE)
    assert sorted(audited) == sorted((file.stem, name) for file, name in _theorems())


def test_the_statement_of_every_theorem_is_pinned() -> None:
    pinned = (PROOFS / "statements.txt").read_text(encoding="utf-8")
    theorems = [(file.stem, name) for file, name in _theorems()]
    stated = re.findall(r"^(\w+)\.(\w+)\n     : ", pinned, re.MULTILINE)
    assert [each for each in stated if each in theorems] == theorems  # lemmas of definitions too


def test_the_definitions_that_an_auditor_reads_are_pinned() -> None:
    page = (ROOT / "docs/proofs.md").read_text(encoding="utf-8")
    hashed = (PROOFS / "hashes.txt").read_text(encoding="utf-8")
    pinned = set(re.findall(r"^[0-9a-f]{64}  ExactDP\.(\S+)$", hashed, re.MULTILINE))
    assert {f"{file.stem}.{name}" for file, name in _theorems()} <= pinned
    shown = re.findall(r"((?:`\w+`(?: and )?)+) in `proofs/(\w+)\.v`", page)
    assert shown
    for names, place in shown:
        assert {f"{place}.{name}" for name in re.findall(r"`(\w+)`", names)} <= pinned


def test_what_is_proved_is_stated_in_one_short_file() -> None:
    assert len((PROOFS / "Main.v").read_text(encoding="utf-8").splitlines()) <= 360


def test_what_is_named_as_proved_of_a_rule_is_one_theorem() -> None:
    stated = [each for file, name in _theorems() for each in (name, f"{file.stem}.{name}")]
    named = [name for names in _tabled().values() for name in names]
    assert len(named) > len(RULES)
    assert [name for name in named if stated.count(name) != 1] == []


def test_what_the_checker_calls_has_a_theorem_that_says_it_is_sound() -> None:
    sources = [*PROOFS.glob("checker/*.ml"), *PROOFS.glob("browser/*.ml")]
    driver = "".join(file.read_text(encoding="utf-8") for file in sources)
    called = set(re.findall(r"\bChecks\.([a-z]\w*)", driver)) - {"known_rules", "the_ledger"}
    assert called == {"accepts_as_asked"}
    assert {f"{name}_sound" for name in called} <= {name for _, name in _theorems()}


def _cases(file: str, function: str, without: str) -> set[str]:
    """The constructors for which a function by cases gives anything but this."""
    _, _, text = (PROOFS / file).read_text(encoding="utf-8").partition(f"Definition {function} ")
    cases, _, _ = text.partition("\n  end.")
    _, _, listed = cases.partition(" with\n")
    found = re.findall(r"^ *\| ([^=]*(?:\n[^=]*)?) => (.*(?:\n {4}.*)*)", listed, re.MULTILINE)
    kept = " | ".join(names for names, given in found if given.strip() != without)
    return {each.split()[0] for each in kept.split("|")} - {"_"}


def test_what_shows_an_upper_bound_of_a_ledger_shows_it_of_a_workload_too() -> None:
    shown = _cases("CertificateChecks.v", "shows_upper", "false")
    assert {"Sum", "FourierAbove"} < shown
    assert "Test" not in shown
    assert _cases("CertificateWorkloads.v", "in_any_order", "false") == shown


def test_what_is_not_proved_of_the_checker_is_few_lines() -> None:
    driver, digests, browser = map(_lines, ("checker/*.ml", "checker/sha256.ml", "browser/*.*"))
    assert driver < 200
    page = (ROOT / "docs/proofs.md").read_text(encoding="utf-8")
    assert f"{driver} lines written by hand in `proofs/checker`, {digests} of which" in page
    assert f"In a browser {browser} lines more" in page


def _lines(pattern: str) -> int:
    return sum(len(file.read_text("utf-8").splitlines()) for file in PROOFS.glob(pattern))


@each_case("file", sorted(PROOFS.glob("*.v")))
def test_no_proof_is_left_open_and_no_axiom_is_added(file: Path) -> None:
    found = _OPEN.search(_without_comments(file.read_text(encoding="utf-8")))
    assert found is None, found
