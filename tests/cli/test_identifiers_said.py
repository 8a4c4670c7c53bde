"""In text for people no identifier stands alone, without words or a link, and no retired word."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from exactdp.certificate.naming import rule_words, theorem_cited, theorem_named
from exactdp.certificate.rule_table import RULES, THEOREMS
from exactdp.certificate.theorems import CONCURRENT
from exactdp.composition.answers.results import GREATEST_LOSS
from tests.cli.running import exactdp
from tests.cli.test_sentences import answers_in
from tests.marking import each_case
from tests.test_words import retired

NAMES: Final = tuple(name for name in THEOREMS if name != "definition")
OF_RULES: Final = (*(rule for rule in RULES if "-" in rule), GREATEST_LOSS)
"""The identifiers that are no words of English: rules, and a method that is none."""
_ALONE: Final = re.compile(
    rf"(?<![\w/.-])(?:(?P<theorem>{'|'.join(map(re.escape, NAMES))})"
    rf"|(?P<rule>{'|'.join(map(re.escape, OF_RULES))}))(?![\w-])"
)


def alone(line: str) -> list[str]:
    """The identifiers of a line before which neither words nor a link stand."""
    return [
        found[0]
        for found in _ALONE.finditer(line)
        if not line[: found.start()].endswith("(" if found["rule"] else ", ")
        if not re.search(r"certs/reject|--theorem|-upper\.json", line)
    ]


@pytest.mark.slow
def test_no_answer_names_an_identifier_alone_or_uses_a_retired_word(place: Path) -> None:
    said = [
        (" ".join(arguments), line, found)
        for arguments, printed in answers_in(place)
        if arguments[0] != "verify"  # the verifier, which scripts read
        for line in printed.splitlines()
        if (found := alone(line) + retired(line))
    ]
    assert said == []


def test_an_identifier_alone_is_found() -> None:
    assert alone("by       gaussian-mesh (zhu-dong-wang-2022-theorem-10)") != []
    assert alone("interleaved, by   lyu-2022-renyi-dp") == ["lyu-2022-renyi-dp"]
    assert alone(f"by {rule_words('mesh-upper')}: on a mesh of 1/200") == []
    assert alone(f"by    {GREATEST_LOSS}") == [GREATEST_LOSS]


def test_an_answer_by_the_greatest_losses_says_so_in_words() -> None:
    answer = exactdp("compose", "-m", "laplace=2*3", "--delta", "0")
    said = f"by            the sum of the greatest privacy losses ({GREATEST_LOSS})"
    assert said in answer.lines


def test_words_before_an_identifier_are_enough() -> None:
    assert alone(f"interleaved, by {theorem_named('lyu-2022-renyi-dp')}") == []


@each_case("rule", sorted(RULES))
def test_every_rule_has_words(rule: str) -> None:
    words = rule_words(rule)
    assert words.endswith(f" ({rule})")
    of_noise = RULES[rule].of_noise
    assert of_noise is None or of_noise.name in THEOREMS


@each_case("name", NAMES)
def test_every_theorem_has_a_citation_and_a_link(name: str) -> None:
    link = r"https://(arxiv\.org/abs/\d{4}\.\d{5}|doi\.org/10\.\S+)"
    assert re.fullmatch(rf".*\d{{4}}.* {link}", theorem_cited(name))


@each_case("name", [theorem.name for theorem in CONCURRENT])
def test_what_an_option_names_is_called_by_its_authors_first(name: str) -> None:
    said = theorem_named(name)
    assert re.fullmatch(rf"[A-Z].* 20\d\d.* \(https://\S+, {re.escape(name)}\)", said)


def test_a_claim_is_certified_by_words_with_a_citation_and_a_link() -> None:
    answer = exactdp("certify", "-m", "mu=1", "--epsilon", "9", "--delta", "1e-6")
    assert "by        the curve of Gaussian noise (gaussian)" in answer.lines
    assert answer.lines[-1].endswith("arXiv:1905.02383. https://arxiv.org/abs/1905.02383")
