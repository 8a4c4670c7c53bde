r"""Many inputs on the command line: JSON Lines in their order, files beside them, a summary.

Rules of this file: one line for each input, whatever becomes of it, as soon as it is its turn;
standard output holds the lines alone. The files of an answer are written before its line.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Final

import exactdp
from exactdp.asides import asides
from exactdp.cli.answering import PLACE, Answering, line_of, places_of, refused
from exactdp.cli.files import check_directory, write_together
from exactdp.cli.many_options import CommandOnInputs, ManyOptions, cores
from exactdp.cli.output import is_terminal, say, write
from exactdp.cli.progress import Counting
from exactdp.errors import CostLimitError, InputError
from exactdp.many.inputs import ENDINGS, Input, inputs_of, lines_of, named_files
from exactdp.many.messages import Answered, Lost, Pool, Unit, UnitReply
from exactdp.many.processes import Processes
from exactdp.many.running import AnsweredInput, Run
from exactdp.many.store import Asked, Store
from exactdp.pages.number_text import grouped

_OUTPUTS: Final = ("certificates", "output")
_FILES: Final = ("ledger", "values", "attestation", "public_key", "policy")
_REPORTS: Final = {"--junit": "junit_file", "--sarif": "sarif_file"}
_BESIDE: Final = (".ledger.json", ".workload.json")
_BELOW: Final = "what is below it is named by a pattern, such as 'weeks/**/*.json'"
_WITHOUT_LINKS: Final = "gate"
"""A command that runs on other people's folders, and whose findings are published."""
_ORIGINS: Final = ("computed", "kept", "same")
_SEVERITY: Final = (0, 3, 1, 2, 70)


def stream(
    command: CommandOnInputs,
    sources: tuple[str, ...],
    params: dict[str, Any],
    options: ManyOptions,
) -> int:
    """Answer many inputs; return the exit code of the worst."""
    _refuse_picture(params)
    directory = _directory(params)
    inputs, total = _inputs(sources, command)
    jobs = options.jobs or cores()
    each = max(1, jobs // total) if total and options.cluster is None else 1
    work = replace(_work(command, params, directory), cores=each)
    counts: Counter[str] = Counter()
    finished: set[Path] = set()
    counting = Counting(total)
    begin = time.monotonic()
    with _store(options, work) as store, _pool(work, options) as pool:
        run = Run(inputs, pool, lambda lost: refused(_lost(lost, options), is_lasting=False), store)
        for answered, written in _all_written(run, directory, counts, finished):
            if is_terminal():
                counting.clear()
            write(line_of(str(command.name), answered.source.name, written[0], written[1]))
            counts[answered.origin] += 1
            counts[f"exit {written[0].code}"] += 1
            counting.advance(sum(counts[origin] for origin in _ORIGINS))
        run.commit()
        troubles = run.troubles
        remarks = _remarks(store)
    counting.clear()
    for error in troubles:
        say(f"{error}; what was answered from then on is not kept")
    for remark in remarks:
        say(remark)
    say(_summary(counts, time.monotonic() - begin))
    codes = [code for code in _SEVERITY if counts[f"exit {code}"]]
    return max([*codes, 2 if troubles else 0], key=_SEVERITY.index)


def _refuse_picture(params: Mapping[str, Any]) -> None:
    if params.get("plot") is not None:
        raise InputError(
            field="--plot",
            value=str(params["plot"]),
            expected="one ledger, which a picture is of",
            remedy="name one, and none of the options for many",
        )


def _directory(params: Mapping[str, Any]) -> Path | None:
    for name in _OUTPUTS:
        if params.get(name) is not None:
            check_directory(params[name], f"--{name}")
            return Path(params[name])
    return None


def _inputs(
    sources: tuple[str, ...], command: CommandOnInputs
) -> tuple[Iterator[Input], int | None]:
    """The inputs, and how many they are if that is known."""
    if not sources:
        raise _nothing(
            "nothing",
            "files, folders, patterns, or - for JSON Lines on standard input",
            "mechanisms of -m are one ledger: leave out --jobs and --store",
        )
    if "-" in sources:
        if len(sources) > 1:
            raise InputError(
                field="-", value=" ".join(sources), expected="standard input alone, or files"
            )
        return lines_of(sys.stdin.buffer), None
    but = () if command.reads_ledgers else _BESIDE
    files = named_files(sources, but=but, links=str(command.name) != _WITHOUT_LINKS)
    if not files:
        kinds = "ledgers" if command.reads_ledgers else "certificates"
        named = " ".join(sources)
        raise _nothing(named, f"a folder with {kinds} in it ({', '.join(ENDINGS)})", _BELOW)
    return inputs_of(files), len(files)


def _nothing(value: str, expected: str, remedy: str) -> InputError:
    return InputError(field="FILE…", value=value, expected=expected, remedy=remedy)


def _work(command: CommandOnInputs, params: dict[str, Any], directory: Path | None) -> Answering:
    for option, name in _REPORTS.items():
        if params.get(name) is not None:
            raise InputError(
                field=option,
                value=str(params[name]),
                expected="a line of JSON for each input, where there are many",
                remedy="reports are made of a policy's folder: leave out --policy",
                code="usage",
            )
    given = dict(params)
    stated = {name: str(value) for name, value in params.items() if name not in _OUTPUTS}
    for name in _OUTPUTS:
        if given.get(name) is not None:
            given[name] = PLACE / "ledger.json" if name == command.output_file else PLACE
    for name in _FILES:
        if given.get(name) is not None:
            stated[name] = _digest_of(given[name])
    asked = [str(command.name), exactdp.__version__, stated, directory is not None]
    question = json.dumps(asked, sort_keys=True, ensure_ascii=True)
    return Answering(str(command.name), given, question, aside=replace(asides(), tell=None))


def _digest_of(path: str) -> str:
    with contextlib.suppress(OSError, ValueError):  # the command has the word
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    return ""


@contextlib.contextmanager
def _store(options: ManyOptions, work: Answering) -> Iterator[Store | None]:
    if options.store is None:
        yield None
        return
    check_directory(options.store, "--store")
    store = Store(options.store, Asked(work.command, exactdp.__version__, work.question))
    try:
        yield store
    finally:
        with contextlib.suppress(InputError):  # the run has said so when it committed
            store.close()


def _remarks(store: Store | None) -> list[str]:
    """What is said of a store: answers in it that were not believed, and whether these will be."""
    if store is None:
        return []
    number = store.disbelieved
    what = f"{grouped(number)} answer{' was' if number == 1 else 's were'}"
    changed = f"{what} not written with this user's key, or changed since, and computed again"
    return [*([f"--store: {changed}"] if number else []), *([store.remark] if store.remark else [])]


@contextlib.contextmanager
def _pool(work: Answering, options: ManyOptions) -> Iterator[Pool[Unit, UnitReply]]:
    jobs = options.jobs or cores()
    pool: Pool[Unit, UnitReply]
    if options.cluster is None:
        pool = Processes(work, jobs=jobs, timeout=options.timeout, memory=options.memory)
    else:
        from exactdp.many.cluster import Cluster  # noqa: PLC0415 (an extra)

        pool = Cluster(
            work,
            address=options.cluster,
            workers=jobs,
            timeout=options.timeout,
            memory=options.memory,
        )
    try:
        yield pool
    finally:
        pool.close()


def _lost(lost: Lost, options: ManyOptions) -> CostLimitError:
    if lost.reason == "timeout":
        return CostLimitError(
            field="time",
            value=f"more than {options.timeout:g} s",
            expected="an answer within the time limit for each input",
            remedy="allow more time, or ask for this input alone",
            code="timeout",
        )
    return CostLimitError(
        field="worker",
        value="ended again and again at this input",
        expected="an input that does not end its worker, such as by too much memory",
        remedy="ask for this input alone",
        code="worker-ended",
    )


def _all_written(
    run: Run, directory: Path | None, counts: Counter[str], finished: set[Path]
) -> Iterator[tuple[AnsweredInput, tuple[Answered, dict[str, Path]]]]:
    """Every input, and its answer with its files written; or, if they cannot be, why.

    Files of answers that are there at one time are written together, which a disk does sooner.
    """
    for group in run.groups():
        places = [places_of(each.answered, directory, each.source.place) for each in group]
        missing = list(map(_missing, group, places))
        together = dict(chain.from_iterable(map(dict.items, missing)))
        at_once = _refusal(together, finished) is None
        for answered, where, files in zip(group, places, missing, strict=True):
            refusal = None if at_once else _refusal(files, finished)
            if refusal is None:
                counts["files"] += len(files)
                yield answered, (answered.answered, where)
            else:
                yield answered, (refused(refusal), {})


def _missing(answered: AnsweredInput, places: dict[str, Path]) -> dict[Path, bytes]:
    """The files of an answer that are not there yet."""
    files = answered.answered.files
    return {
        path: files[name]
        for name, path in places.items()
        if answered.origin == "computed" or not _is_there(path, files[name])
    }


def _refusal(files: dict[Path, bytes], finished: set[Path]) -> InputError | None:
    """Why files could not be written, none of them; None where they were."""
    try:
        if files:
            write_together(files, "--certificates", finished)
    except InputError as error:
        return error
    return None


def _is_there(path: Path, data: bytes) -> bool:
    with contextlib.suppress(OSError):
        return path.read_bytes() == data
    return False


def _summary(counts: Counter[str], seconds: float) -> str:
    total = sum(counts[origin] for origin in _ORIGINS)
    failed = counts["exit 2"] + counts["exit 70"]
    parts = [
        f"{grouped(total)} input{'' if total == 1 else 's'}",
        f"{grouped(counts['computed'])} computed",
        f"{grouped(counts['kept'])} from the store",
        f"{grouped(counts['same'])} the same as another",
        f"{grouped(failed)} in error",
    ]
    if counts["exit 3"]:
        parts.append(f"{grouped(counts['exit 3'])} undecided")
    if counts["exit 1"]:
        parts.append(f"{grouped(counts['exit 1'])} refuted or rejected")
    rate = total / max(seconds, 1e-9)
    return f"{', '.join(parts)}; {seconds:.1f} s, {rate:.1f} a second"
