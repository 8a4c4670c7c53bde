r"""Options of the commands that take many inputs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from exactdp.cli.options import PLACE
from exactdp.cli.replacing import Command

MOST_JOBS: Final = 1024
_GIB: Final = 2**30


@dataclass(frozen=True, slots=True)
class ManyOptions:
    """How many inputs are answered.

    Attributes:
        jobs: how many processes; None for one on each core.
        store: where answers are kept; None for nowhere.
        timeout: seconds for one input; None for as long as it takes.
        memory: bytes for each worker; None for what there is.
        cluster: the address of a scheduler, or "local"; None for processes of this machine.
    """

    jobs: int | None
    store: Path | None
    timeout: float | None
    memory: int | None
    cluster: str | None

    @property
    def are_given(self) -> bool:
        """Whether many are asked for, whatever the inputs."""
        return any(each is not None for each in (self.jobs, self.store, self.cluster))

    @property
    def beside_jobs(self) -> str | None:
        """An option that is given and makes sense for many inputs alone; None if there is none."""
        given = {
            "--cluster": self.cluster,
            "--store": self.store,
            "--ledger-timeout": self.timeout,
            "--worker-memory": self.memory,
        }
        return next((name for name, value in given.items() if value is not None), None)


def many_options(
    *,
    timeout: str = "--timeout",
    jobs: str = "Answer many inputs in N processes (default: one for each core).",
) -> Callable[[Command], Command]:
    """How to answer many inputs.

    Args:
        timeout: what that option is called; otherwise where the name is taken.
        jobs: what ``--jobs`` means.
    """
    options: Sequence[Callable[[Command], Command]] = (
        click.option(
            "--jobs",
            type=click.IntRange(1, MOST_JOBS),
            metavar="N",
            help=jobs,
        ),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Answer them on a Dask cluster, or a new one of N processes here: local.",
        ),
        click.option(
            "--store", type=PLACE, metavar="DIR", help="Keep answers here, and ask none twice."
        ),
        click.option(
            timeout,
            "many_timeout",
            type=click.FloatRange(min=0.01),
            metavar="SECONDS",
            help="Give up an input of many after so long.",
        ),
        click.option(
            "--worker-memory",
            type=click.FloatRange(min=0.1),
            metavar="GIB",
            help="Address space that each process may use.",
        ),
    )

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def take_many_options(params: dict[str, Any]) -> ManyOptions:
    """The options, which are taken out of ``params``."""
    memory = params.pop("worker_memory")
    return ManyOptions(
        jobs=params.pop("jobs"),
        store=params.pop("store"),
        timeout=params.pop("many_timeout"),
        memory=None if memory is None else int(memory * _GIB),
        cluster=params.pop("cluster"),
    )
