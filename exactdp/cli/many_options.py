r"""Commands that take many inputs, and their options."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click


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
            "--input-timeout": self.timeout,
            "--worker-memory": self.memory,
        }
        return next((name for name, value in given.items() if value is not None), None)


class CommandOnInputs(click.Command):
    """A command whose first argument takes any number of inputs.

    The callback is given one name, or a tuple where ``takes_several``. Where ``without_inputs``
    says so of the parameters, nothing is asked of many: the callback is given the names as they
    are, and ``jobs``.
    """

    def __init__(
        self,
        *arguments: Any,  # noqa: ANN401 (click's own)
        takes_several: bool = False,
        reads_ledgers: bool = True,
        output_file: str | None = None,
        without_inputs: Callable[[Mapping[str, Any]], bool] | None = None,
        **others: Any,  # noqa: ANN401 (click's own)
    ) -> None:
        super().__init__(*arguments, **others)
        self.takes_several = takes_several
        self.reads_ledgers = reads_ledgers
        self.output_file = output_file
        self.without_inputs = without_inputs

    @property
    def source(self) -> str:
        """The parameter that takes the inputs."""
        return next(str(each.name) for each in self.params if isinstance(each, click.Argument))


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def take_many_options(params: dict[str, Any]) -> ManyOptions:
    """The options, which are taken out of ``params``."""
    return ManyOptions(
        jobs=params.pop("jobs"),
        store=params.pop("store"),
        timeout=params.pop("many_timeout"),
        memory=params.pop("worker_memory"),
        cluster=params.pop("cluster"),
    )
