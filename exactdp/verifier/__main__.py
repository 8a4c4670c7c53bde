r"""The verifier's command line: ``python -I -m exactdp.verifier FILE...``.

Rules of this file: one line per file on standard output, or one JSON object; never a trace; the
exit code of the worst file (70 > 2 > 1 > 0).

Sources: certs/SPEC.md, sections 8 and 9.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from . import DEFAULT_MAX_COST, Verdict, verify_bytes
from .format.outcomes import MALFORMED, SHOWN_CHARACTERS, escaped, failure
from .format.strict_json import MAX_BYTES
from .statement import FORMAT

_INTERRUPTED: Final = 130
_MAX_COST_DIGITS: Final = 30


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads: stop quietly
        return 1


def _run(options: argparse.Namespace) -> int:
    ledger = None
    verdicts: list[tuple[str, Verdict]] = []
    if options.ledger is not None:
        ledger = _read(options.ledger)
    for name in options.files:
        data = _read(name)
        if isinstance(ledger, Verdict):
            verdict = ledger
        elif isinstance(data, Verdict):
            verdict = data
        else:
            verdict = verify_bytes(
                data, ledger=ledger, claim=options.claim, max_cost=options.max_cost
            )
        verdicts.append((name, verdict))
        if not options.json:
            _print_line(name, verdict, many=len(options.files) > 1)
    if options.json:
        _print_json(verdicts)
    sys.stdout.flush()
    return max(verdict.exit_code for _, verdict in verdicts)


def _read(name: str) -> bytes | Verdict:
    """The bytes of a file, or of standard input for ``-``; at most one more than is allowed."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with Path(name).open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a file name"
        return failure(MALFORMED, f"cannot read {escaped(name, SHOWN_CHARACTERS)}: {reason}", 2)


def _print_line(name: str, verdict: Verdict, *, many: bool) -> None:
    prefix = f"{escaped(name, SHOWN_CHARACTERS)}: " if many else ""
    _write(prefix + verdict.line)


def _print_json(verdicts: Sequence[tuple[str, Verdict]]) -> None:
    results = [{"file": name, **asdict(verdict)} for name, verdict in verdicts]
    output = {"format": "exactdp-output/1", "command": "verify", "result": {"files": results}}
    _write(json.dumps(output, indent=2))


def _write(text: str) -> None:
    """Print a line in UTF-8, whatever the locale says."""
    sys.stdout.buffer.write(f"{text}\n".encode())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="exactdp-verifier",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Check certificates of differential privacy composition.",
        epilog="exit codes: 0 all accepted, 1 some rejected, 2 some malformed or refused, 70 bug",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a certificate; - for stdin")
    parser.add_argument("--ledger", metavar="LEDGER", help="the ledger it must be about")
    parser.add_argument(
        "--claim", metavar="EPS,DELTA", type=_claim, help="the claim it must prove or refute"
    )
    parser.add_argument(
        "--max-cost",
        metavar="N",
        type=_cost,
        default=DEFAULT_MAX_COST,
        help="refuse work above this cost, about a nanosecond each (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--version", action="version", version=version())
    return parser


def _claim(text: str) -> tuple[str, str]:
    epsilon, comma, delta = text.rpartition(",")
    if not comma:
        raise argparse.ArgumentTypeError("expected EPS,DELTA")
    return epsilon, delta


def _cost(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_COST_DIGITS):
        raise argparse.ArgumentTypeError("expected a whole number")
    return int(text)


def version() -> str:
    """The version line, with a digest of the sources that run."""
    digest = hashlib.sha256()
    for name, source in sorted(_sources(files(__package__ or ""), ""), key=lambda pair: pair[0]):
        content = source.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return f"exactdp-verifier 1 (format {FORMAT}) sha256:{digest.hexdigest()}"


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    """The sources in a folder and below, with their paths from the package."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _sources(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(".py"):
            yield path + entry.name, entry


if __name__ == "__main__":
    sys.exit(main())
