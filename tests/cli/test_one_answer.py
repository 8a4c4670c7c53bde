"""What people read, programs are told: each number of a text is in its JSON, and on its page.

A number is a decimal, a fraction or a power, or a whole number that nothing is counted with. It may
have more digits in one than in the other, three at least, and is then rounded. Left aside are names
with a number in them, times, which no two runs share, and what an equation is called.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Final

import pytest

from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.cli.commands import COMMANDS
from exactdp.errors import ExactDPError
from tests.attestation.signing import OTHER_PUBLIC, PRIVATE, PUBLIC
from tests.cli.pages.pages import Page
from tests.cli.running import exactdp
from tests.cli.test_json_contract import ANSWERS, ATTEST
from tests.cli.test_sentences import MORE
from tests.marking import slow_among

NUMBER: Final = re.compile(
    r"(?<![\w.])(?<!\w-)(?<!Eq\. )"
    r"(?:2\^-\d+|\d+/\d+|\d+(?: \d{3})*(?:\.\d+)?(?:e[+-]?\d+)?)"
    r"(?![\w/]|\.\d)"
)
COUNTED: Final = re.compile(r" (?:of \d+ )?[a-zα-ω]")
"""What follows a number with which things are counted, or seconds."""
PLACES: Final = range(-12, 70)
QUICK: Final = ("example", "explain", "filter", "init", "papers", "partition")
OTHERS: Final = tuple(name for name in COMMANDS if name not in QUICK)


def value_of(token: str) -> Fraction:
    if token.startswith("2^-"):
        return Fraction(1, 2 ** int(token[3:]))
    return Fraction(token.replace(" ", ""))


def numbers_in(line: str) -> Iterator[Fraction]:
    for found in NUMBER.finditer(line):
        is_whole = found[0].replace(" ", "").isdigit()
        if not COUNTED.match(line, found.end()) if is_whole else line[found.end() :][:2] != " s":
            yield value_of(found[0])


def told_in(value: object) -> Iterator[Fraction]:
    """The numbers of JSON: also those that texts name, and how many lists have together."""
    if isinstance(value, dict):
        for each in value.values():
            yield from told_in(each)
    elif isinstance(value, list):
        yield Fraction(len(value))
        sizes: Counter[str] = Counter()
        for each in value:
            parts = each.items() if isinstance(each, dict) else ()
            sizes.update({key: len(part) for key, part in parts if isinstance(part, list)})
        yield from map(Fraction, sizes.values())
        for each in value:
            yield from told_in(each)
    elif isinstance(value, str):
        yield from map(value_of, NUMBER.findall(value))
        try:
            ends = enclose_in_decimals(ExactNumber.parse(value), 40)
        except ExactDPError:
            return
        yield from (Fraction(int(end.numerator), int(end.denominator)) for end in ends)
    elif isinstance(value, int):
        yield Fraction(value)


def is_rounded(exact: Fraction, shown: Fraction) -> bool:
    """Whether one is the other, rounded up or down to three digits or more."""
    return any(
        shown in (floor(exact * scale) / scale, ceil(exact * scale) / scale)
        for scale in (Fraction(10) ** place for place in PLACES)
        if abs(exact) * scale >= 100
    )


def missing(text: str, known: set[Fraction]) -> list[tuple[Fraction, str]]:
    percent = {100 * each for each in known}
    return [
        (number, line)
        for line in text.splitlines()
        for number in numbers_in(line)
        if number not in known | percent
        and not any(is_rounded(each, number) for each in known)
        and not (is_endless(number) and any(is_rounded(number, each) for each in known))
    ]


def is_endless(number: Fraction) -> bool:
    """Whether no decimal is the number, so that JSON may have one that is near."""
    return 10**100 % number.denominator != 0


def in_folder(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a new folder that has what the commands are about."""
    folder = Path(name).absolute()
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("one.csv").write_text("epsilon\n1\n")
    for file, key in (("key.pem", PRIVATE), ("key.pub", PUBLIC), ("other.pub", OTHER_PUBLIC)):
        Path(file).write_bytes(key)
    if name.startswith("results"):
        exactdp("compose", "one.csv", "--delta", "0", "--store", "kept")
    exactdp("certify", "-m", "1", "--epsilon", "1", "--delta", "0", "-o", "upper.json")
    exactdp("convert", "-m", "0.1*2", "steps.json", "--to", "smartnoise-sql")
    exactdp(*ATTEST, "--ledger", "one.csv", "--key", "key.pem", "-o", "envelope.json")


ASKED: Final = (*ANSWERS, *MORE)
_CITED: Final = re.compile(
    r"[A-Z]\w+(?: and [A-Z]\w+)?, \w+ \d{4}(?:, Theorem [\d.]+)?|\(https://[^)]*\)"
)
"""Where a theorem stands: its year and its number are no part of an answer."""


@pytest.mark.parametrize(
    "command", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]
)
def test_each_number_of_a_text_is_in_its_json(
    command: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [each for each in ASKED if each[0] == command]
    assert asked
    in_folder(f"{command}-text", monkeypatch)
    texts = [exactdp(*each).out for each in asked]
    monkeypatch.chdir(place)
    in_folder(f"{command}-json", monkeypatch)
    for arguments, text in zip(asked, texts, strict=True):
        answer = exactdp(*arguments, "--json")
        known = {*told_in(answer.result), *told_in([*arguments])}
        said = (line for line in text.splitlines() if not line.startswith("theorem"))
        uncited = (_CITED.sub("", line) for line in said)
        assert missing("\n".join(uncited), known) == [], arguments


PAGES: Final[dict[str, tuple[str, ...]]] = {
    "audit": ("audit", "ledger.json"),
    "compose": ("compose", "-m", "0.1,1e-9*50", "--delta", "1e-6"),
    "compose by noise": ("compose", "-m", "sigma=2*3", "--delta", "1e-6"),
    "compose none": ("compose", "-m", "1,1/10*2", "--delta", "18/100"),
    "certify": ("certify", "-m", "0.1,1e-9*50", "--epsilon", "4", "--delta", "1e-6"),
    "crosscheck": ("crosscheck", "-m", "0.1*50", "--delta", "1e-6", "--value", "2"),
    "dpsgd": (
        *("dpsgd", "--batch", "5", "--examples", "9", "--noise", "2"),
        *("--epochs", "1", "--delta", "1e-5"),
    ),
    "filter": ("filter", "status", "week.log"),
    "parallel": ("parallel", "two.json", "--delta", "1e-6"),
}


@pytest.mark.parametrize("name", slow_among(PAGES.keys() - {"compose"}, PAGES))
def test_each_number_of_a_text_is_on_its_page(name: str) -> None:
    claims = [{"epsilon": "3", "delta": "1e-6", "basis": "composition", "source": "a test"}]
    mechanisms = [{"epsilon": "0.1", "delta": "1e-9", "count": 50}]
    Path("ledger.json").write_text(json.dumps({"mechanisms": mechanisms, "claims": claims}))
    queries = [{"epsilon": "1/2"}, {"epsilon": "1/4"}]
    Path("two.json").write_text(json.dumps({"domain": {"age": {"size": 9}}, "queries": queries}))
    exactdp("filter", "init", "week.log", "--budget", "rho=1/2", "--delta", "1e-6")
    exactdp("filter", "spend", "week.log", "-m", "rho=1/8")
    answer = exactdp(*PAGES[name], "--report", "page.html")
    assert answer.code in (0, 1)
    page = Page(Path("page.html").read_bytes())
    texts = [each.text for each in page.elements if not each.inside]
    texts += [each.text for each in page.all("body")]
    known = {value_of(token) for text in texts for token in NUMBER.findall(text)}
    before_gains = answer.out.partition(" saved")[0]  # a page has no time for them
    assert missing(before_gains, known) == []
