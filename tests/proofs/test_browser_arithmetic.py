"""The integers of the checker in browsers are integers: BigInt for Zarith's, and guarded ints.

In JavaScript an int of OCaml has 32 bits, and Firefox's BigInt at most 2^20.
"""

from __future__ import annotations

import itertools
import json
import math
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.cli.pages.browsers import Browser, Look, opened

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("arithmetic.ml")
MODULES: Final = ("checked.ml", "z.ml")
JS_OF_OCAML = shutil.which("js_of_ocaml")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(JS_OF_OCAML is None, reason="proofs/install.sh installs js_of_ocaml"),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with the operations, compiled as the checker is."""
    folder = tmp_path_factory.mktemp("arithmetic")
    sources = [*(ROOT / "proofs/browser").iterdir(), PROGRAM]
    for source in sources:
        shutil.copy(source, folder)
    names = " ".join((*MODULES, PROGRAM.name))
    commands = (
        "{ ocamlrun -p; grep -oh 'exactdp_[a-z_]*' z.ml arithmetic.ml; } > primitives",
        f"ocamlc -use-prims primitives {names} -o arithmetic.byte",
        "js_of_ocaml --opt 3 bigint.js arithmetic.byte -o arithmetic.js",
    )
    subprocess.run(["/bin/sh", "-ec", "\n".join(commands)], cwd=folder, check=True)
    path = folder / "arithmetic.html"
    path.write_text('<!DOCTYPE html><meta charset="utf-8"><script src="arithmetic.js"></script>')
    return path


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def browser(
    request: pytest.FixtureRequest, page: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """A browser with that page."""
    with opened(request.param, tmp_path_factory.mktemp("browser"), Look()) as browser:
        browser.go(page.as_uri())
        yield browser


def answers(browser: Browser, lines: list[str]) -> list[str]:
    text = json.dumps("\n".join(lines))
    answered: str = browser.evaluate(f"exactdpChecker.verdict({text})")
    return answered.split("\n")


EDGES = sorted(
    {
        sign * (2**bits + off)
        for bits in (0, 1, 30, 31, 32, 53, 64, 300)
        for off in (-1, 0, 1)
        for sign in (1, -1)
    }
    | {0, 7, -7, 10**40, 3**200}
)
BINARY: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "gcd": math.gcd,
    "compare": lambda a, b: (a > b) - (a < b),
    "structural": lambda a, b: (a > b) - (a < b),
    "equal": lambda a, b: int(a == b),
}
DIVIDING: dict[str, Callable[[int, int], int]] = {
    "fdiv": lambda a, b: a // b,
    "erem": lambda a, b: a % abs(b),
}


@pytest.mark.parametrize("name", [*BINARY, *DIVIDING])
def test_integers_of_any_size_and_sign(browser: Browser, name: str) -> None:
    function = (BINARY | DIVIDING)[name]
    pairs = [(a, b) for a, b in itertools.product(EDGES, EDGES) if b or name in BINARY]
    found = answers(browser, [f"{name} {a} {b}" for a, b in pairs])
    assert found == [str(function(a, b)) for a, b in pairs]


def test_bits_shifts_and_powers(browser: Browser) -> None:
    expected = {f"numbits {a}": a.bit_length() for a in EDGES}
    expected |= {f"odd {a}": a & 1 for a in EDGES}
    expected |= {f"shift_left {a} {n}": a << n for a in EDGES for n in (0, 1, 31, 33, 100)}
    expected |= {f"shift_right {a} {n}": a >> n for a in EDGES for n in (0, 1, 31, 33, 400)}
    expected |= {f"pow {a} {n}": a**n for a in EDGES for n in (0, 1, 2, 5)}
    expected |= {f"root {a} 2": math.isqrt(a) for a in EDGES if a >= 0}
    assert answers(browser, list(expected)) == list(map(str, expected.values()))


def test_roots_are_the_greatest_whose_powers_fit(browser: Browser) -> None:
    values = [a for a in EDGES if a >= 0]
    for value, text in zip(values, answers(browser, [f"root {a} 3" for a in values]), strict=True):
        assert int(text) ** 3 <= value < (int(text) + 1) ** 3


LEAST, MOST = -(2**31), 2**31 - 1
SMALL = (LEAST, LEAST + 1, -65536, -2, -1, 0, 1, 2, 3, 46340, 46341, 65536, MOST - 1, MOST)
GUARDED: dict[str, Callable[[int, int], int]] = {
    "int_add": lambda a, b: a + b,
    "int_sub": lambda a, b: a - b,
    "int_mul": lambda a, b: a * b,
}


@pytest.mark.parametrize("name", GUARDED)
def test_an_int_of_32_bits_is_right_or_raises(browser: Browser, name: str) -> None:
    pairs = list(itertools.product(SMALL, SMALL))
    for (a, b), text in zip(
        pairs, answers(browser, [f"{name} {a} {b}" for a, b in pairs]), strict=True
    ):
        exact = GUARDED[name](a, b)
        assert text == (str(exact) if LEAST <= exact <= MOST else "Checked.Beyond_int"), (a, b)


def test_what_32_bits_do_not_hold_is_no_int(browser: Browser) -> None:
    lines = [f"to_int {a}" for a in (LEAST, MOST, LEAST - 1, MOST + 1, 2**32, 10**18)]
    assert answers(browser, lines) == [str(LEAST), str(MOST), *["Z.Overflow"] * 4]
    assert answers(browser, [f"int_succ {MOST}"]) == ["Checked.Beyond_int"]


def test_a_bigint_beyond_the_browsers_cap_is_said_to_be_too_long(browser: Browser) -> None:
    lines = ["longer 1000000", "product 500000", "longer 1100000", "product 600000"]
    within, product, *beyond = answers(browser, lines)
    assert (within, product) == ("1", "1000001")
    assert beyond in (["1", "1200001"], ["Z.Too_long", "Z.Too_long"])
    is_firefox = "Firefox" in browser.evaluate("navigator.userAgent")
    assert (beyond[0] == "Z.Too_long") == is_firefox
