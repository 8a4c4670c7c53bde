"""The engine's parser of numbers, the verifier's and the specification's grammar are one.

The specification's grammar is not recursive: its text becomes a regular expression here. What a
number denotes is computed again, in mpmath, from the text as it stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Final

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest

from exactdp.arithmetic.number_grammar import MAX_BITS, MAX_CHARACTERS, MAX_LOGARITHMS
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import InputError
from exactdp.ledger.reading import read_ledger
from exactdp.verifier.format.numbers import canonical, integer_text, parse, parse_integer
from exactdp.verifier.format.outcomes import MalformedError
from exactdp.verifier.format.strict_json import read as read_json
from exactdp.verifier.question.ledger_file import any_entry
from exactdp.verifier.question.noise_entries import plain_text
from exactdp.verifier.rules.entries import MAX_COUNT
from tests.marking import each_case

SPEC: Final = Path(__file__).parents[2] / "certs" / "SPEC.md"
ATOMS: Final = ("decimal", "whole", "digits")
"""The tokens within which no white space may stand."""
TOKENS: Final = (
    *("0", "1", "01", "2", "10", "1.5", ".5", "1.", "0.05", "1e3", "1E-09", "0e9"),
    *("/", "*", "+", "-", "^", "ln", "(", ")", "ln(3)", " ", "\t", "%", "e"),
)


# --- the three readers --------------------------------------------------------------------------


def engine(text: str) -> str | None:
    try:
        return str(ExactNumber.parse(text))
    except InputError:
        return None


def verifier(text: str) -> str | None:
    try:
        return canonical(parse(text))
    except MalformedError:
        return None


@cache
def grammar() -> re.Pattern[str]:
    """The regular expression of the grammar that stands in the specification."""
    text = SPEC.read_text(encoding="utf-8")
    block = text[text.index("    number    =") : text.index("\n\nA sum has at least one logarithm")]
    rules: dict[str, str] = {}
    last = ""
    for line in block.splitlines():
        name, _, rest = line.strip().partition(" = " if " = " in line else "| ")
        body = re.split(r"\s{3,}", rest.strip())[0]
        if name.strip():
            last = name.strip()
            rules[last] = body
        else:
            rules[last] += f" | {body}"
    return re.compile(f"{pattern_of('number', rules, spaced=True)}[ \t]*")


def pattern_of(name: str, rules: dict[str, str], *, spaced: bool) -> str:
    """The pattern of a rule; with white space before each token where it may stand."""
    before = "[ \t]*" if spaced else ""
    inside = spaced and name not in ATOMS
    parts: list[str] = []
    for word in re.findall(r'"[^"]*"|[a-z]+|\S', rules[name]):
        if word[0] == '"':
            parts.append(("[ \t]*" if inside else "") + re.escape(word[1:-1]))
        elif word.isalpha():
            parts.append(pattern_of(word, rules, spaced=inside))
        else:
            parts.append({"[": "(?:", "]": ")?", "{": "(?:", "}": ")*", "(": "(?:"}.get(word, word))
    return f"{before if name in ATOMS else ''}(?:{''.join(parts)})"


# --- what a text denotes ------------------------------------------------------------------------


def value_of(text: str) -> mpmath.mpf:
    """The value of a text of the grammar, by its operators."""
    python = re.sub(
        r"(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", r"mpf('\g<0>')", text.strip()
    ).replace("^", "**")
    return eval(python, {"mpf": mpmath.mpf, "ln": mpmath.log})  # noqa: S307 (of this file's tokens)


def value_of_number(text: str) -> mpmath.mpf:
    number = ExactNumber.parse(text)
    total = quotient(number.rational.numerator, number.rational.denominator)
    for c, r in number.logs:
        total += quotient(c.numerator, c.denominator) * mpmath.log(
            quotient(r.numerator, r.denominator)
        )
    return total


def quotient(above: object, below: object) -> mpmath.mpf:
    return mpmath.mpf(str(above)) / mpmath.mpf(str(below))


# --- the corpus ---------------------------------------------------------------------------------


def short_texts() -> Iterator[str]:
    """Every sequence of at most three tokens."""
    for length in range(4):
        yield from map("".join, product(TOKENS, repeat=length))


def long_texts(count: int) -> Iterator[str]:
    """Random ones of more, of numbers and operators in turn so that many are read."""
    random = Random(30)  # noqa: S311 (no secret)
    operands = ("1", "0.5", "2/3", "1/0.11", "ln(3)", "2*ln(1.5)", ".5e-2", "2^-3", "01", "0")
    for _ in range(count):
        parts = [random.choice(operands)]
        for _ in range(random.randrange(5)):
            parts += [random.choice(("+", "-", " + ", "*", "/", "^", " ")), random.choice(operands)]
        yield "".join([random.choice(("", "-", "+", " ")), *parts])


def large_texts() -> Iterator[str]:
    """Numbers at the limits, and beyond them by one."""
    for bits in (MAX_BITS - 1, MAX_BITS):
        yield from (f"2^{bits}", f"2^-{bits}", integer_text(2**bits), f"1/{integer_text(2**bits)}")
    for digits in (19_728, 19_729, 19_730):
        yield from ("9" * digits, f"1e{digits}", f"1e-{digits}", f"1/1e{digits}")
        yield from (f"0.{'0' * digits}1", f"1.5/0.{'3' * digits}", f"ln(1e{digits})")
    yield from (f"1e{n}/1e-{m}" for n, m in ((9_000, 9_000), (9_864, 9_864), (9_865, 9_865)))
    yield from (f"1e-{n}/1e{n}" for n in (9_864, 9_865, 19_728, 19_729))
    yield from (
        "1e00000000000005",
        "1e-" + "0" * 5_000 + "5",
        "2^" + "0" * 5_000 + "5",
        "0e99999999",
    )
    for terms in (MAX_LOGARITHMS, MAX_LOGARITHMS + 1):
        yield "+".join(f"ln({n})" for n in range(2, terms + 2))
        yield "+".join(["ln(2)"] * terms)
    other = integer_text(5**14_000)
    for below in map(integer_text, (3**20_000, 3**41_000)):
        yield f"1/{below} + ln(2)"
        yield f"1/{below} + 1/{other} + ln(2)"
        yield f"1/{below}*ln(2) + 1/{other}*ln(2)"
    yield from (f"{' ' * MAX_CHARACTERS}1", f"{' ' * (MAX_CHARACTERS - 1)}1")


# --- the laws -----------------------------------------------------------------------------------


def check(text: str) -> bool:
    """Whether all three read the text; they must agree."""
    read, again = engine(text), verifier(text)
    assert read == again, text
    return read is not None


def is_refused_for_its_value(text: str) -> bool:
    """Whether it divides by 0, is too large, or holds a logarithm of what is not positive."""
    try:
        ExactNumber.parse(text)
    except InputError as error:
        return error.code == "too-large" or error.expected.startswith(
            ("a denominator other than 0", "a base other than 0", "a logarithm of")
        )
    return False


def is_of_the_grammar(text: str) -> bool:
    return grammar().fullmatch(text) is not None


@pytest.mark.slow
@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.slow), 13])
def test_engine_verifier_and_specification_read_the_same_short_texts(every: int) -> None:
    texts = [*short_texts()][::every]
    accepted = [text for text in texts if check(text)]
    refused = [
        text for text in texts if engine(text) is None and not is_refused_for_its_value(text)
    ]
    assert [text for text in refused if is_of_the_grammar(text)] == []
    assert all(map(is_of_the_grammar, accepted))
    assert len(accepted) > 50


@pytest.mark.slow
def test_engine_verifier_and_specification_read_the_same_long_texts() -> None:
    texts = [*long_texts(1_500)]
    accepted = [text for text in texts if check(text)]
    assert all(map(is_of_the_grammar, accepted))
    assert 100 < len(accepted) < len(texts) - 100


@pytest.mark.slow
def test_engine_and_verifier_agree_on_what_is_too_large() -> None:
    accepted = [text for text in large_texts() if check(text)]
    assert 10 < len(accepted) < len([*large_texts()]) - 10


@pytest.mark.slow
def test_a_number_is_what_its_operators_say() -> None:
    texts = {
        text for text in [*[*short_texts()][::7], *long_texts(500)] if engine(text) is not None
    }
    texts = {text for text in texts if not re.search(r"[0-9]{4}", text)}
    assert len(texts) > 100
    with mpmath.workdps(40):
        for text in texts:
            difference = abs(value_of(text) - value_of_number(text))
            assert difference < mpmath.mpf(10) ** -25 * (1 + abs(value_of(text))), text


JSON_NUMBERS: Final = (
    *("1", "52", "0.1", "1e3", "52.0", "1E-2", "1e+2", "0", "-1", "0.10", "1.50e1", "1e0"),
    *('"52"', '"52.0"', '"1e3"', '"052"', '"1/0.5"', '"0.5-0.1"', '" 3"', '"1 000"', '"10%"'),
)
"""Numbers as a JSON file holds them, in quotes and without."""


TOO_GREAT: Final = tuple(
    each for each in JSON_NUMBERS if each.strip('"') not in ("0", "0.1", "0.10", "1E-2")
)
"""What is no δ of a mechanism; the verifier leaves ranges to the statement."""


def in_a_file(key: str, text: str) -> bytes:
    entry = {"epsilon": "1", "count": "1", "delta": "0"} | {key: "?"}
    return json.dumps({"mechanisms": [entry]}).replace('"?"', text).encode()


def engine_of_file(data: bytes) -> tuple[str, ...] | None:
    try:
        [entry] = read_ledger(data).approximate()
    except InputError:
        return None
    return str(entry.epsilon), str(entry.delta), str(entry.count)


def verifier_of_file(data: bytes) -> tuple[str, ...] | None:
    """What the verifier reads of the file's one mechanism, ranges left to its statement."""
    try:
        ledger = read_json(data)
        assert isinstance(ledger, dict)
        listed = ledger["mechanisms"]
        assert isinstance(listed, list)
        entry, counted = any_entry(listed[0])
        count = parse_integer(plain_text(counted, "count"), 1, MAX_COUNT, "count")
    except MalformedError:
        return None
    parts = json.loads(entry)
    return parts["epsilon"], parts["delta"], str(count)


@each_case("key", ["epsilon", "delta", "count"])
@each_case("text", JSON_NUMBERS)
def test_both_read_the_same_numbers_of_json_in_quotes_and_without(key: str, text: str) -> None:
    data = in_a_file(key, text)
    read, again = engine_of_file(data), verifier_of_file(data)
    out_of_range = (key, text) in {("epsilon", "-1"), *(("delta", each) for each in TOO_GREAT)}
    assert (read, out_of_range) == (None, True) or read == again


@pytest.mark.parametrize("text", ["2026-01-05", "0.5-0.1", "0.1-0.2", "1+1", "01", "00", "-007"])
def test_neither_makes_a_number_of_a_date_a_range_or_leading_zeros(text: str) -> None:
    assert engine(text) is None
    assert verifier(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/0.11", "100/11"),
        ("0.1/2", "1/20"),
        ("1e3/2e-1", "5000"),
        (".5 / .25", "2"),
        ("1 - 2 + ln(3)", "-1 + ln(3)"),
        ("ln(1/0.5)", "ln(2)"),
        ("1/0.5*ln(3)", "2*ln(3)"),
        ("1e-09", "1/1000000000"),
        ("0^-0", "1"),
    ],
)
def test_both_read_quotients_of_decimals_and_sums_beside_a_logarithm(text: str, value: str) -> None:
    assert engine(text) == verifier(text) == value
