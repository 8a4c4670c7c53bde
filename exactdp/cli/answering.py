r"""One answer of many: what a worker does with an input, for every command that takes many.

Rules of this file: an answer is what the command alone prints with ``--json``, from the same code;
it depends on the content, the question and the version alone, so that names of files are put into
it only afterwards (:func:`line_of`).

Theory of operation: the worker reads an input and gives back its canonical form. A command then
finds that on its standard input, and what it writes is collected under a name that stands for the
input's own.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import click

from exactdp.asides import Asides, saying
from exactdp.cli.files import diverted
from exactdp.cli.many_options import CommandOnInputs
from exactdp.cli.missing import known_error
from exactdp.cli.output import FORMAT, JSON, compact_json, error_details, hear
from exactdp.composition.engines.splitting import use_cores
from exactdp.errors import ExactDPError, InternalError
from exactdp.many.messages import Answered, Content, Unit, Unread, key_of

PLACE: Final = Path("@")
"""Stands for the directory of an input's files."""
_STEM: Final = f"{PLACE}/ledger"
_COLLECTED: Final = re.compile(rf"{_STEM}((?:\.[^/\0]+)?(?:/[^./\0][^/\0]*)*)", re.DOTALL)
_NAMED: Final = ("file", "ledger")
"""Keys under which answers name their input."""
_SHARED_BYTES: Final = 32 * 2**20


@dataclass(frozen=True, slots=True)
class Answering:
    """The work of one command with one set of options.

    Attributes:
        command: its name.
        options: its other parameters.
        question: what of them decides the answer, and the version.
        cores: how many each worker may use: more than one where there are fewer inputs.
        aside: what the user says of the inputs.
    """

    command: str
    options: Mapping[str, object]
    question: str
    cores: int = 1
    aside: Asides = field(default_factory=Asides)

    def prepare(self) -> None:
        """Import the command, and keep what ledgers share."""
        if self._asked().reads_ledgers:
            from exactdp.composition.engines.sharing import share_work  # noqa: PLC0415 (as below)

            share_work(_SHARED_BYTES)

    def __call__(self, unit: Unit) -> Content | Answered:
        """See :class:`Work`."""
        try:
            if isinstance(unit, Unread):
                data = self._canonical(unit.source)
                return Content(key_of(self.question, data), data)
            return self._answer(unit.data)
        except Exception as error:  # noqa: BLE001 (as in exactdp.cli.main: a bug becomes a sentence)
            return refused(known_error(error), is_lasting=isinstance(error, ExactDPError))

    def _canonical(self, source: str | bytes) -> bytes:
        if not self._asked().reads_ledgers:
            from exactdp.cli.verification import read_file  # noqa: PLC0415 (verify alone)

            return source if isinstance(source, bytes) else read_file(source, "certificate")
        from exactdp.cli.composition_options import find_ledger  # noqa: PLC0415 (verify does without)
        from exactdp.ledger.reading import read_ledger, write_ledger  # noqa: PLC0415 (as above)

        with saying(self.aside):
            if isinstance(source, bytes):
                found = read_ledger(source)
            else:
                found = find_ledger(source, (), may_be_empty=True)
        return write_ledger(found).encode()

    def _answer(self, data: bytes) -> Answered:
        command = self._asked()
        assert command.callback is not None
        source = ("-",) if command.takes_several else "-"
        with (
            click.Context(command) as context,
            saying(replace(self.aside, tell=hear)),
            use_cores(self.cores),
            _given(data) as printed,
            diverted() as files,
        ):
            context.meta[JSON] = True
            code = command.callback(**self.options, **{command.source: source})
        document = json.loads(printed.getvalue())
        result = document["result"]
        # a hunt that time has ended would find more; an interval that ρ leaves wide stays as wide
        is_lasting = self.command != "hunt" or result["complete"]
        reading = f'"reading":{compact_json(heard)},' if (heard := document.get("reading")) else ""
        text = f'{reading}"result":{compact_json(result)}'
        return Answered(text, int(code or 0), files, is_lasting)

    def _asked(self) -> CommandOnInputs:
        from exactdp.cli.application import exactdp_command  # noqa: PLC0415 (a worker alone)

        command = exactdp_command.get_command(click.Context(exactdp_command), self.command)
        assert isinstance(command, CommandOnInputs)
        return command


def refused(error: ExactDPError, *, is_lasting: bool = True) -> Answered:
    """An answer that says why there is none."""
    text = f'"error":{compact_json(error_details(error))}'
    return Answered(text, error.exit_code, is_lasting=is_lasting)


def line_of(command: str, name: str, answered: Answered, files: Mapping[str, Path]) -> str:
    """The line of an input: its answer, with its own name, and where its files are."""
    text = answered.text
    for key in _NAMED:
        text = text.replace(f'"{key}":"-"', f'"{key}":{compact_json(name)}')
    for collected, path in files.items():
        text = text.replace(compact_json(collected), compact_json(str(path)))
    head = f'"format":"{FORMAT}","command":"{command}","file":{compact_json(name)}'
    return f"{{{head},{text}}}\n"


def places_of(answered: Answered, directory: Path | None, place: str) -> dict[str, Path]:
    """Where the files of an answer go, by the names under which they were collected.

    Raises:
        InternalError: a name is none that an answer is collected under.
    """
    if directory is None:
        return {}
    return {name: directory / f"{place}{_ending_of(name)}" for name in answered.files}


def _ending_of(name: str) -> str:
    found = _COLLECTED.fullmatch(name)
    if found is None:
        raise InternalError(field="file", value=name, expected=f"{_STEM} and an ending")
    return found[1]


@contextlib.contextmanager
def _given(data: bytes) -> Iterator[io.StringIO]:
    """Standard input that holds ``data``; what the block prints is collected."""
    printed = io.StringIO()
    old: Any = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            yield printed
    finally:
        sys.stdin = old
