r"""The verifier's command line: ``python -I -m exactdp.verifier FILE...``.

Rules of this file: one line per file on standard output, or one JSON object; never a trace; the
exit code of the worst file (70 > 2 > 1 > 0), unless a verdict was lost on its way: 2, or 141 if
the reader of a pipe has gone.

Sources: certs/SPEC.md, sections 12 and 13.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, TextIO

from . import DEFAULT_MAX_COST, Verdict, verify_bytes, verify_together
from .certificate import FORMAT
from .format.outcomes import SHOWN_CHARACTERS
from .format.strict_json import MAX_BYTES
from .question.claim import CLAIMS, Claimed, texts_of_claim
from .verdicts import MALFORMED, escaped, failure

_UNWRITABLE: Final = 2
_INTERRUPTED: Final = 130
_READER_GONE: Final = 141
_MAX_COST_DIGITS: Final = 30


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    if sys.stdout is None:
        return _lost("closed")
    try:
        return _run(_options(arguments))
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        _discard(sys.stdout)
        return _READER_GONE
    except OSError as error:  # what cannot be read is a verdict, so this is about writing
        _discard(sys.stdout)
        return _lost(error.strerror or "no reason given")


def _lost(reason: str) -> int:
    """Say that standard output takes no verdict; if that fails, there is nobody to tell."""
    try:
        if sys.stderr is not None:
            sys.stderr.write(f"exactdp-verifier: cannot write to standard output: {reason}\n")
            sys.stderr.flush()
    except OSError:
        _discard(sys.stderr)
    return _UNWRITABLE


def _discard(stream: TextIO) -> None:
    """Send what is still buffered nowhere, so that the interpreter does not fail on it at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    try:
        return _parser().parse_args(arguments)
    except SystemExit:
        sys.stdout.flush()  # a page of help, or the version
        raise


def _run(options: argparse.Namespace) -> int:
    ledger = None
    verdicts: list[tuple[str, Verdict]] = []
    if options.ledger is not None:
        ledger = _read(options.ledger)
    if options.together:
        return _run_together(options, ledger)
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
    return max(verdict.exit_code for _, verdict in verdicts)


def _run_together(options: argparse.Namespace, ledger: bytes | Verdict | None) -> int:
    """One verdict on all files: whether they refute the claim together."""
    read = [_read(name) for name in options.files]
    failed = [each for each in (ledger, *read) if isinstance(each, Verdict)]
    if options.claim is None:
        failed = [failure(MALFORMED, "--together is about a --claim", 2)]
    if failed or isinstance(ledger, Verdict):
        verdict = failed[0]
    else:
        verdict = verify_together(
            [each for each in read if isinstance(each, bytes)],
            claim=options.claim,
            ledger=ledger,
            max_cost=options.max_cost,
        )
    name = ", ".join(options.files)
    if options.json:
        _print_json([(name, verdict)])
    else:
        _print_line(name, verdict, many=False)
    return verdict.exit_code


def _read(name: str) -> bytes | Verdict:
    """The bytes of a file, or of standard input for ``-``; at most one more than is allowed."""
    try:
        if name == "-" and sys.stdin is None:
            return failure(MALFORMED, "cannot read -: closed", 2)
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
    results = [{**_named(name), **asdict(verdict)} for name, verdict in verdicts]
    output = {"format": "exactdp-output/1", "command": "verify", "result": {"files": results}}
    _write(json.dumps(output, indent=2))


def _named(name: str) -> dict[str, str]:
    r"""A file's name for JSON: as text, and in hexadecimal as well if its bytes are not UTF-8.

    Bytes that are not UTF-8 are written ``\xff`` in the text: JSON has no way to hold them.
    """
    data = os.fsencode(name)
    text = data.decode("utf-8", "backslashreplace")
    return {"file": text} if text.encode() == data else {"file": text, "file_bytes": data.hex()}


def _write(text: str) -> None:
    """Print a line in UTF-8, whatever the locale says, and see to it that it has left."""
    sys.stdout.buffer.write(f"{text}\n".encode())
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="exactdp-verifier",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Check certificates of differential privacy composition.",
        epilog="exit codes: 0 all accepted, 1 some rejected, 2 some malformed or refused, or "
        "output lost, 70 bug",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a certificate; - for stdin")
    parser.add_argument("--ledger", metavar="LEDGER", help="the ledger it must be about")
    parser.add_argument(
        "--claim", metavar="CLAIM", type=_claim, help=f"what it must prove or refute: {CLAIMS}"
    )
    parser.add_argument(
        "--together", action="store_true", help="check that all files refute the claim together"
    )
    parser.add_argument(
        "--max-cost",
        metavar="N",
        type=_cost,
        default=DEFAULT_MAX_COST,
        help="stop after so many units of work, about a nanosecond each (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--version", action="version", version=version())
    return parser


def _claim(text: str) -> Claimed:
    claim = texts_of_claim(text)
    if claim is None:
        raise argparse.ArgumentTypeError(f"expected one of {CLAIMS}")
    return claim


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
