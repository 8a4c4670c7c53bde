r"""Options of the commands that take many inputs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any


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
