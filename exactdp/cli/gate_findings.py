r"""What becomes of policies: of those of places, or of one that judges each ledger alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

from exactdp.cli.composition_options import find_ledger
from exactdp.cli.many_options import cores
from exactdp.policies.checks import check_alone, check_task, tasks_in
from exactdp.policies.findings import Finding
from exactdp.policies.limits import GateLimits
from exactdp.policies.policy import read_policy

_MANY: Final = 100


def found_alone(policy: str, places: Sequence[str], limits: GateLimits) -> list[Finding]:
    """The findings on ledgers, each by itself."""
    required = read_policy(Path(policy))
    return [
        finding
        for place in places
        for finding in check_alone(required, place, find_ledger(place, ()), limits)
    ]


def found_in_places(places: Sequence[str], limits: GateLimits, jobs: int | None) -> list[Finding]:
    """The findings of all policies of these places, in the order of their ledgers."""
    tasks = tasks_in(places)
    check = partial(check_task, limits=limits)
    if jobs is None:
        jobs = cores() if len(tasks) >= _MANY else 1
    if jobs == 1:
        return [*chain.from_iterable(map(check, tasks))]
    from exactdp.many.mapping import mapped  # noqa: PLC0415 (one process does without)

    return [*chain.from_iterable(mapped(check, tasks, jobs=jobs))]
