r"""Workers on a cluster: Dask's scheduler sends batches, and a process beside each worker answers.

Rules of this file: replies are those of :mod:`exactdp.many.processes`, which does the work on every
machine, with the same limits of time and memory; a scheduler that comes back is given again what it
had not answered.

Theory of operation: a task of Dask costs about a millisecond, so that units travel in batches, as
many as take a worker a quarter of a second. A
thread of a Dask worker keeps one process for its units: what takes too long is ended without ending
the worker. A future that fails for a reason of the cluster's own is lost, and sent again by the
run; one that was cancelled, as all are when a scheduler is started anew, is sent to the new one.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from importlib import metadata
from typing import Any, Final, Generic, TypeVar

from exactdp.errors import InputError
from exactdp.many.messages import Lost, Work
from exactdp.many.processes import Processes

LOCAL: Final = "local"
_WITH_PORTS: Final = ("tcp", "tls", "ws", "wss")
_PATIENCE: Final = 60
_BATCHES_AHEAD: Final = 3
_FIRST_BATCH: Final = 16
_MOST_TOGETHER: Final = 256
_BATCH_SECONDS: Final = 0.25
_INERTIA: Final = 0.8
_SECONDS_BETWEEN: Final = 5.0
_Unit = TypeVar("_Unit")
_Reply = TypeVar("_Reply")


class Cluster(Generic[_Unit, _Reply]):
    """Workers of a Dask cluster.

    Args:
        work: what is done with each unit.
        address: of the scheduler; "local" for one that is started here and ends with this pool.
        workers: how many the local one has.
        timeout: seconds for one unit; None for as long as it takes.
        memory: bytes of address space for each process; None for what there is.

    Raises:
        InputError: Dask is not installed, nobody answers, or workers have another version.
    """

    def __init__(
        self,
        work: Work[_Unit, _Reply],
        *,
        address: str,
        workers: int,
        timeout: float | None = None,
        memory: int | None = None,
    ) -> None:
        distributed = _distributed()
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self._settings = (work, timeout, memory)
        self._done: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
        self._open: dict[int, tuple[_Unit, ...]] = {}
        self._futures: dict[int, Any] = {}
        self._scratch = tempfile.mkdtemp(prefix="exactdp-")
        self._local = (
            _local_cluster(distributed, workers, self._scratch) if address == LOCAL else None
        )
        self._address = address if self._local is None else self._local.scheduler_address
        _check_address(self._address)
        self._client = self._connected(distributed)
        self._threads = 0
        self._pace = _BATCH_SECONDS / _FIRST_BATCH
        self._looked = 0.0

    @property
    def batch(self) -> int:
        """See :class:`Pool`."""
        return max(1, min(_MOST_TOGETHER, int(_BATCH_SECONDS / max(self._pace, 1e-6))))

    @property
    def wanted(self) -> int:
        """See :class:`Pool`."""
        now = time.monotonic()
        if now - self._looked > _SECONDS_BETWEEN:
            with contextlib.suppress(Exception):  # of a scheduler that is away: as before
                self._threads = sum(self._client.nthreads().values())
            self._looked = now
        return _BATCHES_AHEAD * max(_FIRST_BATCH, self.batch) * max(1, self._threads)

    def submit(self, number: int, units: Sequence[_Unit]) -> None:
        """See :class:`Pool`."""
        self._open[number] = tuple(units)
        self._send(number)

    def replies(self) -> list[tuple[int, list[_Reply | Lost]]]:
        """See :class:`Pool`."""
        found = [self._done.get()]
        while not self._done.empty():
            found.append(self._done.get())
        replies = []
        for number, future in found:
            if self._futures.get(number) is not future:
                continue  # it was sent again since
            got = self._replies_of(number, future)
            if got is not None:
                replies.append((number, got))
                del self._open[number], self._futures[number]
        return replies

    def close(self) -> None:
        """See :class:`Pool`."""
        with contextlib.suppress(Exception):  # whatever of the cluster has gone already
            self._client.cancel([*self._futures.values()], force=True)
        for each in (self._client, self._local):
            if each is not None:
                with contextlib.suppress(Exception):  # as above
                    each.close(timeout=_SECONDS_BETWEEN)
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _send(self, number: int) -> None:
        future = self._client.submit(
            answers_of, self._open[number], self._settings, pure=False, retries=0
        )
        self._futures[number] = future
        future.add_done_callback(lambda done: self._done.put((number, done)))

    def _replies_of(self, number: int, future: Any) -> list[_Reply | Lost] | None:  # noqa: ANN401 (Dask's)
        """The replies of a task; None if it was sent again."""
        if future.status == "finished":
            with contextlib.suppress(Exception):  # the result went with its worker: sent again
                seconds, replies = future.result(timeout=_PATIENCE)
                self._pace = _INERTIA * self._pace + (1 - _INERTIA) * seconds / len(replies)
                return list(replies)
        elif future.status == "error":
            return [Lost("ended")] * len(self._open[number])
        self._send_again(number)
        return None

    def _send_again(self, number: int) -> None:
        """Send a task again; all of them, to a scheduler that has been started anew."""
        if self._client.status == "running":
            self._send(number)
            return
        with contextlib.suppress(Exception):  # it is of no use any more
            self._client.close(timeout=1)
        self._client = self._connected(_distributed())
        for each in self._open:
            self._send(each)

    def _connected(self, distributed: Any) -> Any:  # noqa: ANN401 (Dask's)
        try:
            client = distributed.Client(self._address, timeout=_PATIENCE, set_as_default=False)
            client.wait_for_workers(1, timeout=_PATIENCE)
            versions = set(client.run(version).values())
        except (OSError, ValueError, TimeoutError) as error:
            raise InputError(
                field="--cluster",
                value=self._address,
                expected=f"the address of a Dask scheduler that has workers ({error})",
                remedy="start one with: dask scheduler, and: dask worker ADDRESS",
            ) from None
        if versions != {version()}:
            raise InputError(
                field="--cluster",
                value=f"workers with exactdp {', '.join(sorted(versions))}",
                expected=f"workers with exactdp {version()}",
            )
        return client


def _check_address(address: str) -> None:
    """Refuse at once what Dask would try again and again to reach.

    Raises:
        InputError: no address, or no way to it that Dask knows.
    """
    from distributed.comm.addressing import parse_address, parse_host_port  # noqa: PLC0415 (an extra)
    from distributed.comm.registry import get_backend  # noqa: PLC0415 (as above)

    try:
        scheme, place = parse_address(address)
        get_backend(scheme)
        if scheme in _WITH_PORTS:
            parse_host_port(place)  # which wants a port
    except ValueError as error:
        raise InputError(
            field="--cluster",
            value=address,
            expected=f"local, or an address such as tcp://HOST:8786 ({error})",
        ) from None


def version() -> str:
    """What is installed here; or, asked of a worker, there."""
    return metadata.version("exactdp")


_processes = threading.local()


def answers_of(
    units: tuple[_Unit, ...], settings: tuple[Work[_Unit, _Reply], float | None, int | None]
) -> tuple[float, list[_Reply | Lost]]:
    """How long a batch took on a worker, and the replies, by a process of its thread's own."""
    if getattr(_processes, "settings", None) != settings:
        if hasattr(_processes, "pool"):
            _processes.pool.close()
        work, timeout, memory = settings
        _processes.pool = Processes(work, jobs=1, timeout=timeout, memory=memory)
        _processes.settings = settings
    begin = time.monotonic()
    pool: Processes[_Unit, _Reply] = _processes.pool
    for number, unit in enumerate(units):
        pool.submit(number, [unit])
    found: dict[int, _Reply | Lost] = {}
    while len(found) < len(units):
        found.update((number, replies[0]) for number, replies in pool.replies())
    return time.monotonic() - begin, [found[number] for number in range(len(units))]


def _local_cluster(distributed: Any, workers: int, scratch: str) -> Any:  # noqa: ANN401 (Dask's)
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
        local_directory=scratch,
    )


def _distributed() -> Any:  # noqa: ANN401 (an extra)
    try:
        import distributed  # noqa: PLC0415 (an extra)
    except ImportError:
        raise InputError(
            field="--cluster",
            value="distributed is not installed",
            expected="Dask's scheduler and workers",
            remedy="pip install 'exactdp[cluster]'",
            code="not-installed",
        ) from None
    return distributed
