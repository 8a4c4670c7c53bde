"""Hostile inputs: what careless and malicious users type, and what they are answered.

``python -m tests.cli.hostile`` prints the table as Markdown.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exactdp.errors import shorten
from tests.cli.running import Answer, exactdp

MILLION: Final = 10**6


@dataclass(frozen=True)
class Hostile:
    """An input, the exit code it must give, and words that must stand in the answer.

    ``files`` are made before; ``shown`` stands for the input in the table.
    """

    shown: str
    arguments: tuple[str, ...]
    code: int
    words: str
    stdin: bytes = b""
    files: tuple[tuple[str, bytes], ...] = ()
    slow: bool = False


def _inline(text: str, words: str, code: int = 2, shown: str = "") -> Hostile:
    arguments = ("compose", "-m", text, "--delta", "1e-6")
    return Hostile(f"-m {shown or text}", arguments, code, words)


def _option(option: str, value: str, words: str, code: int = 2, shown: str = "") -> Hostile:
    command = "profile" if option == "--epsilon" else "compose"
    delta = () if option in ("--delta", "--epsilon") else ("--delta", "1e-6")
    arguments = (command, "-m", "0.1*9", *delta, option, value)
    return Hostile(f"{option} {shown or value}", arguments, code, words)


def _ledger(
    data: bytes, words: str, code: int = 2, shown: str = "", *, slow: bool = False
) -> Hostile:
    text = shown or data.decode("utf-8", "backslashreplace").replace("\n", "⏎")
    arguments = ("compose", "-", "--delta", "1e-6")
    return Hostile(f"stdin: {text}", arguments, code, words, stdin=data, slow=slow)


def _mechanism(entry: str, words: str, code: int = 2, shown: str = "") -> Hostile:
    data = f'{{"mechanisms": [{entry}]}}'.encode()
    return _ledger(data, words, code, shown or entry)


def _command(*arguments: str, words: str, code: int = 2, shown: str = "") -> Hostile:
    return Hostile(shown or " ".join(arguments), arguments, code, words)


_CERTIFIED: Final = ("certify", "-m", "1", "--epsilon", "1", "--delta", "0", "-o")
_SEVEN_ROWS: Final = "".join(f"0.{number:03}\n" for number in range(1, 8))
_MANY_ROWS: Final = "epsilon\n" + (_SEVEN_ROWS * (MILLION // 7 + 1))[: len("0.001\n") * MILLION]
_MANY_BAD: Final = '{"mechanisms": [' + '{"epsilon": -1},' * (MILLION - 1) + '{"epsilon": -1}]}'


def _statistics(
    data: bytes, words: str, code: int = 2, shown: str = "", *more: str, slow: bool = False
) -> Hostile:
    """A file of statistics that share a budget."""
    text = shown or data.decode("utf-8", "backslashreplace").replace("\n", "⏎")
    arguments = ("budget", "--allocate", "-", "--epsilon", "1", "--delta", "1e-6", *more)
    return Hostile(f"statistics: {text}", arguments, code, words, stdin=data, slow=slow)


def _statistic(entry: str, words: str, code: int = 2) -> Hostile:
    return _statistics(f'{{"statistics": [{{"name": "a", {entry}}}]}}'.encode(), words, code, entry)


HOSTILE: Final = (
    # Numbers
    _inline("nan", "a number such as"),
    _inline("inf", "a number such as"),
    _inline("-0.1", "a number at least 0"),
    _inline("", "empty"),
    _inline("0.1.2", "a number such as"),
    _inline("1_000", "a number such as"),
    _inline("0x10", "a number such as"),
    _inline("1e5f", "a number such as"),
    _inline("½", "a number such as"),
    _inline("٠.١", "a number such as"),
    _inline("0,1", "decimals take a point"),
    _inline("1e999999999", "at most 65536 bits"),
    _inline("1e-999999999", "at most 65536 bits"),
    _inline("2^99999999999", "at most 65536 bits"),
    _inline("9^9^9", "a number such as"),
    _inline("9" * MILLION, "expected at most", shown="999… (10^6 digits)"),
    _inline("1/0", "a denominator other than 0"),
    _inline("ln(1/2)", "a number at least 0"),
    _inline("ln(0)", "a logarithm of a number above 0"),
    _inline("ln(-1)", "a number such as"),
    _inline("ln(3)*ln(3)", "*"),
    _inline("__import__('os').system('id')", "a number such as"),
    _inline("(" * 50_000, "a number such as", shown="((((… (50 000 times)"),
    _inline("1+" * 24_000 + "1", "beside ln(…) alone", shown="1+1+1+… (24 000 terms)"),
    _inline("0.1,1", "at least 0 and below 1"),
    _inline("0.1,-1e-9", "at least 0 and below 1"),
    _inline("0.1,ln(2)", "a rational number"),
    # Counts
    _inline("0.1*2*3", "one count, and it stands last"),
    _inline("0.1,0.1,0.1", "EPS[,DELTA][*COUNT]"),
    _inline("0.1*0", "a whole number from 1 to 10^18"),
    _inline("0.1*-1", "a whole number from 1 to 10^18"),
    _inline("0.1*1.5", "a whole number from 1 to 10^18"),
    _inline("0.1*1e3", "write 0.1*1000"),
    _inline("0.1*10000000000000000000", "a whole number from 1 to 10^18"),
    _inline("0.1*٣", "a whole number from 1 to 10^18"),
    _inline("0.1*1000000000000000000", "not optimal", 0),
    # Statistics that share a budget
    _statistics(b"", "names the columns", shown="nothing"),
    _statistics(b"\xff\xfe{\0", "UTF-16"),
    _statistics(b'{"statistics": 7}', "a list of 1 to 1000 statistics"),
    _statistics(b"[" * MILLION, "hundreds deep", shown="[[[[… (10^6 times)"),
    _statistics(b" " * (2 * MILLION), "at most 1048576 bytes", shown="2 MB of blanks"),
    _statistics(
        b'{"statistics": [' + b'{"name": 1},' * 50_000 + b"{}]}",
        "1 to 1000",
        shown="50 000 entries",
    ),
    _statistics(b"name,count\na,1e9\n", "in plain digits"),
    _statistics(b"name,epsilon\n=cmd(),nan\n", "a number such as"),
    _statistic('"weight": 1e-999', "0, or a rational from 1e-12 to 1e12"),
    _statistic('"weight": true', "how much the expected error"),
    _statistic('"sensitivity": "1e999999999"', "at most 65536 bits"),
    _statistic('"sensitivity": 1e300', "a rational from 1e-12"),
    _statistic('"epsilon": 1e-300', "a rational from 1e-12"),
    _statistic('"noise": "gaussian", "delta": "1e-9999"', "a rational from 1e-200"),
    _statistic('"noise": "discrete_gaussian", "delta": 1e-9, "sensitivity": 1e6', "σ at most", 3),
    _statistic('"noise": "discrete_gaussian", "delta": 1e-9, "epsilon": 1e-6', "σ at most", 3),
    _statistic('"expected": 1e-13', "keeps"),
    _statistic('"within": 1e9, "confidence": "0.9999"', "keeps the budget", 0),
    _statistic('"count": 1000000000000000000', "keeps the budget", 0),
    # Options
    _option("--delta", "1.5", "a rational from 0 to 1"),
    _option("--delta", "2", "a rational from 0 to 1"),
    _option("--delta", "-1e-9", "a rational from 0 to 1"),
    _option("--delta", "nan", "a number such as"),
    _option("--delta", "ln(2)", "a rational number"),
    _option("--tolerance", "0", "a rational at least 1e-10000"),
    _option("--tolerance", "-1", "a rational at least 1e-10000"),
    _option("--tolerance", "1e-19000", "a rational at least 1e-10000"),
    _option("--tolerance", "nan", "a number such as"),
    _option("--tolerance", "1e19000", "optimal composition", 0),
    _option("--epsilon", "every", "a number such as"),
    _option("--epsilon", "-1", "a number at least 0"),
    _option("--epsilon", "1e19000", "δ at most", 0),
    _option("--method", "foo", "method: foo: expected"),
    _option("--max-cost", "0", "a whole number from 1 to 1e30"),
    _option("--max-cost", "-1", "a whole number from 1 to 1e30"),
    _option("--max-cost", "9" * 5000, "a whole number from 1 to 1e30", shown="999… (5000 digits)"),
    _option("--max-cost", "1", "not optimal: the optimum was out of reach", 0),
    _option("--certificates", "/dev/null", "a place in a directory"),
    _command("compose", "-m", "0.1", words="the ledger states no target_delta"),
    _command("compose", words="mechanisms with -m"),
    _command("compose", "-m", "1", "x.json", "--delta", "0", words="not both"),
    # Ledgers as JSON
    _ledger(b"", "empty", shown="(nothing)"),
    _ledger(b"{}", "add the key mechanisms"),
    _ledger(b"[]", "a ledger: a JSON object"),
    _ledger(b"null", "a JSON object with the key mechanisms"),
    _ledger(b"{", "JSON ("),
    _ledger(b'{"mechanisms": []} x', "nothing after it"),
    _ledger(b'{"mechanisms": {}}', "an array"),
    _ledger(b'{"mechanisms": [], "mechanisms": []}', "a key that stands twice"),
    _ledger(b'{"mechanisms": [], "detla": 0}', "detla"),
    _ledger(b'{"mechanisms": [], "format": "exactdp-ledger/2"}', "exactdp-ledger/1"),
    _ledger(b'{"mechanisms": [], "neighbouring": "swap"}', "replace-one"),
    _ledger(b"[" * 100_000, "hundreds deep", shown="[[[[… (10^5 deep)"),
    _ledger(b'{"a":' * 100_000, "hundreds deep", shown='{"a":{"a":… (10^5 deep)'),
    _mechanism('{"epsilon": NaN}', "a number such as"),
    _mechanism('{"epsilon": -Infinity}', "a number such as"),
    _mechanism('{"epsilon": true}', "true"),
    _mechanism('{"epsilon": [0.1]}', "an array of 1"),
    _mechanism('{"epsilon": 1e999999999}', "at most 65536 bits"),
    _mechanism('{"epsilon": 0.1, "epsilon": 0.2}', "a key that stands twice"),
    _mechanism('{"eps": 0.1}', "did you mean epsilon?"),
    _mechanism('{"epsilon": 0.1, "count": 0}', "from 1 to 10^18"),
    _mechanism('{"epsilon": 0.1, "count": 1.5}', "from 1 to 10^18"),
    _mechanism('{"epsilon": 0.1, "count": 1e3}', "from 1 to 10^18"),
    _mechanism('{"epsilon": 0.1, "count": -1}', "from 1 to 10^18"),
    _mechanism('{"rho": -0.1}', "at least 0"),
    _mechanism('{"mu": "ln(2)"}', "a rational number"),
    _mechanism('{"sigma": 0, "sensitivity": 1}', "above 0"),
    _mechanism('{"sensitivity": 1}', "the key sigma"),
    _mechanism('{"epsilon": 0.1, "rho": 0.1}', "epsilon and rho"),
    _mechanism('{"epsilon": 1' + "0" * MILLION + "}", "at most", shown="ε of 10^6 digits"),
    _mechanism('{"epsilon": 1, "label": "\\ud800"}', "lone surrogates"),
    _mechanism('{"epsilon": 1, "label": "\\u001b[31m"}', "1 mechanism", 0),
    _ledger(
        b'{"name": "\\u001b[2J\\u009b2J", "mechanisms": [], "empty": true}',
        "\\x1b[2J\\x9b2J: 0 mechanisms",
        0,
    ),
    # Encodings
    _ledger('{"mechanisms": []}'.encode("utf-16"), "UTF-16", shown="{…} in UTF-16"),
    _ledger(b'\xef\xbb\xbf{"mechanisms": []}', "byte-order mark", shown="{…} after a BOM"),
    _ledger('{"name": "é"}'.encode("latin-1"), "text in UTF-8", shown='{"name": "é"} in Latin-1'),
    _ledger(bytes(range(256)), "expected", shown="the bytes 0 to 255"),
    # CSV
    _ledger(b"0.1,1e-9\n0.2,1e-9\n", "names the columns"),
    _ledger(b"epsilon\n", "at least one mechanism", 3),
    _ledger(b"epsilon,epsilon\n1,1\n", "each column once"),
    _ledger(b"epsilon,rho\n1,1\n", "a row for each mechanism"),
    _ledger(b"epsilon,delta\n0.1\n", "2 cells"),
    _ledger(b"epsilon;delta\n0,1;0\n", "(certified; not below", 0),
    _ledger(b'epsilon\n"0.1\n', "RFC 4180"),
    _ledger(b"epsilon\n0.1\0\n", "a NUL character"),
    _ledger("epsilon\n٠.١\n".encode(), "a number such as"),
    _ledger(b"epsilon\n=1+1\n", "a number such as"),
    _ledger(b"<html></html>", "expected"),
    # Files
    _command("compose", "/dev/null", "--delta", "0", words="empty"),
    _command("compose", ".", "--delta", "0", words="a folder with ledgers in it"),
    _command("compose", "missing.json", "--delta", "0", words="a file that exists"),
    _command("compose", "a\0b", "--delta", "0", words="a file that", shown="compose a␀b"),
    _command("compose", "n" * 5000, "--delta", "0", words="a file that", shown="compose nnn…"),
    _command("verify", ".", words="a folder with certificates in it"),
    _command("verify", "/dev/null", words="MALFORMED"),
    _command("verify", "missing.json", words="No such file"),
    _command("verify", "-", words="MALFORMED", shown="verify - < /dev/null"),
    _command("verify", "x", "--claim", "1", words="EPS,DELTA"),
    _command("verify", "x", "--claim", "nan,0", words="a number such as"),
    _command("verify", "x", "--ledger", "missing.json", words="a file that can be read"),
    _command("explain", ".", words="Is a directory"),
    _command("convert", "-m", "1", "/dev/null", "--to", "csv", words="a regular file"),
    _command("convert", "-m", "1", "/", "--to", "csv", words="not a directory"),
    _command(*_CERTIFIED, ".", words="not a directory"),
    _command(*_CERTIFIED, "/dev/null", words="not a device"),
    Hostile(
        "compose CERTIFICATE",
        ("compose", "c.json", "--delta", "0"),
        2,
        "this is a certificate",
        files=(
            (
                "c.json",
                b'{"derivation":[],"digest":"","format":"","statement":{}}',
            ),
        ),
    ),
    Hostile(
        "verify LEDGER",
        ("verify", "ledger.json"),
        2,
        "MALFORMED",
        files=(("ledger.json", b'{"mechanisms":[{"epsilon":"1"}]}'),),
    ),
    Hostile(
        "explain LEDGER",
        ("explain", "ledger.json"),
        2,
        "nothing to explain",
        files=(("ledger.json", b'{"mechanisms":[{"epsilon":"1"}]}'),),
    ),
    # Commands
    _command("\x1b[31m", words="\\x1b[31m", shown="␛[31m"),
    _command("compose", "--\x1b]0;x\x07", words="an option", shown="compose --␛]0;x␇"),
    _command("composse", words="did you mean compose?"),
    # Sizes
    _ledger(_MANY_ROWS.encode(), "1 000 000 mechanisms", 0, "CSV of 10^6 rows", slow=True),
    _ledger(
        _MANY_BAD.encode(),
        "$.mechanisms[0].epsilon",
        shown="JSON of 10^6 bad mechanisms",
        slow=True,
    ),
)


@contextlib.contextmanager
def _prepared(hostile: Hostile, place: Path) -> Iterator[None]:
    old = Path.cwd()
    os.chdir(place)
    try:
        for name, data in hostile.files:
            Path(name).write_bytes(data)
        yield
    finally:
        os.chdir(old)


def answer_to(hostile: Hostile, place: Path) -> Answer:
    """What the input is answered, in the empty directory ``place``."""
    with _prepared(hostile, place):
        return exactdp(*hostile.arguments, stdin=hostile.stdin)


def hostile_table(*, slow: bool = True) -> str:
    """The table as Markdown: input, exit code, message."""
    lines = ["| input | exit | message |", "|---|---|---|"]
    for hostile in HOSTILE:
        if hostile.slow and not slow:
            continue
        with tempfile.TemporaryDirectory() as name:
            answer = answer_to(hostile, Path(name))
        message = " ⏎ ".join((answer.err or answer.out).split("\n")).removesuffix(" ⏎ ")
        cells = (f"`{_shown(hostile.shown)}`", str(answer.code), message.replace("|", "\\|"))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _shown(text: str) -> str:
    return shorten(text).replace("|", "\\|").replace("`", "'")


if __name__ == "__main__":
    print(hostile_table(), end="")
