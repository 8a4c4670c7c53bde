r"""A run: one question about many inputs, their answers in the order of the inputs.

Rules of this file: every input has one answer, none two; an answer depends on the content of its
input, the question and the version alone, whatever became of workers on the way; memory does not
grow with the number of inputs.

Theory of operation: inputs are read by workers, in groups, which gives each its key. A key that the
store or a recent answer knows is not asked again, and one that is being asked is waited for:
identical contents are answered once. What is lost with a worker goes to another, alone; a content
whose workers end again and again is given up with an error of its own, as is one that takes too
long. Inputs are taken up only so far ahead of the first that is still open.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Final, Literal

from exactdp.errors import InputError
from exactdp.many.inputs import Input
from exactdp.many.messages import Answered, Content, Lost, Pool, Unit, UnitReply, Unread
from exactdp.many.store import Store

_WINDOW: Final = 4096
_WINDOW_OF_WANTED: Final = 4
_GROUP: Final = 16
_MOST_TOGETHER: Final = 64
_MOST_ATTEMPTS: Final = 5
_RECENT_BYTES: Final = 16 * 2**20
_OVERHEAD: Final = 500

Origin = Literal["computed", "kept", "same"]


@dataclass(frozen=True, slots=True)
class AnsweredInput:
    """An input with its answer.

    Attributes:
        origin: "computed" for it, "kept" in the store, or the "same" as another of this run.
    """

    source: Input
    answered: Answered
    origin: Origin


@dataclass(slots=True)
class _Task:
    """What was sent under one number: units, and for which input or key each of them is."""

    units: list[Unit]
    owners: list[int | str]
    attempts: int = 0


class _Recent:
    """The last answers, as many as so many bytes hold, for runs without a store."""

    def __init__(self, most_bytes: int = _RECENT_BYTES) -> None:
        self._answers: OrderedDict[str, Answered] = OrderedDict()
        self._left = most_bytes

    def get(self, key: str) -> Answered | None:
        return self._answers.get(key)

    def put(self, key: str, answered: Answered) -> None:
        self._answers[key] = answered
        self._left -= _size_of(answered)
        while self._left < 0:
            self._left += _size_of(self._answers.popitem(last=False)[1])


def _size_of(answered: Answered) -> int:
    return _OVERHEAD + len(answered.text) + sum(map(len, answered.files.values()))


@dataclass(slots=True)
class Run:
    """A question to a pool about inputs.

    Attributes:
        inputs: in the order in which they are to be answered.
        pool: who answers.
        refusal: the answer about a content that was lost for good.
        store: where answers are kept; None for nowhere.
        troubles: what could not be kept, once for each reason.
    """

    inputs: Iterator[Input]
    pool: Pool[Unit, UnitReply]
    refusal: Callable[[Lost], Answered]
    store: Store | None = None
    troubles: list[InputError] = field(default_factory=list)
    _recent: _Recent = field(default_factory=_Recent)
    _open: dict[int, Input] = field(default_factory=dict)
    _ready: dict[int, AnsweredInput] = field(default_factory=dict)
    _asked: dict[str, list[int]] = field(default_factory=dict)
    _tasks: dict[int, _Task] = field(default_factory=dict)
    _taken: int = 0
    _given: int = 0
    _sent: int = 0
    _units: int = 0

    def answers(self) -> Iterator[AnsweredInput]:
        """Every input with its answer, in order, each as soon as it is its turn."""
        return chain.from_iterable(self.groups())

    def groups(self) -> Iterator[list[AnsweredInput]]:
        """The answers whose turn it is, a few together: as many as are there already."""
        while True:
            self._take_up()
            while self._given in self._ready:
                yield self._next()
            if not self._tasks:
                if self._given == self._taken:
                    return
                continue
            for number, replies in self.pool.replies():
                self._handle(self._tasks.pop(number), replies)

    def _next(self) -> list[AnsweredInput]:
        group: list[AnsweredInput] = []
        while self._given in self._ready and len(group) < _MOST_TOGETHER:
            group.append(self._ready.pop(self._given))
            self._given += 1
        return group

    def _take_up(self) -> None:
        """Have further inputs read, as long as workers want more and the window is not full."""
        wanted = self.pool.wanted
        window = max(_WINDOW, _WINDOW_OF_WANTED * wanted)
        while self._units < wanted and self._taken - self._given < window:
            group = [*islice(self.inputs, max(_GROUP, self.pool.batch))]
            if not group:
                return
            numbers = range(self._taken, self._taken + len(group))
            self._open.update(zip(numbers, group, strict=True))
            self._taken += len(group)
            self._send(_Task([Unread(each.source) for each in group], [*numbers]))

    def _send(self, task: _Task) -> None:
        self._tasks[self._sent] = task
        self._units += len(task.units)
        self.pool.submit(self._sent, task.units)
        self._sent += 1

    def _handle(self, task: _Task, replies: list[UnitReply | Lost]) -> None:
        self._units -= len(task.units)
        to_ask: list[Content] = []
        for unit, owner, reply in zip(task.units, task.owners, replies, strict=True):
            if isinstance(reply, Lost):
                self._lose(task, unit, owner, reply)
            elif isinstance(owner, str):
                assert isinstance(reply, Answered)
                self._answer(owner, reply)
            elif isinstance(reply, Answered):
                self._give(owner, reply, "computed")
            elif self._is_new(owner, reply):
                to_ask.append(reply)
        for start in range(0, len(to_ask), self.pool.batch):
            some = to_ask[start : start + self.pool.batch]
            self._send(_Task([*some], [content.key for content in some]))

    def _is_new(self, number: int, content: Content) -> bool:
        """Whether a content must be asked about; an input with a known one has its answer."""
        key = content.key
        self._keep(lambda store: store.name(self._open[number].name, key))
        if key in self._asked:
            self._asked[key].append(number)
            return False
        if (recent := self._recent.get(key)) is not None:
            self._give(number, recent, "same")
            return False
        kept = self.store.get(key) if self.store is not None else None
        if kept is not None:
            self._give(number, kept, "kept")
            return False
        self._asked[key] = [number]
        return True

    def _answer(self, key: str, answered: Answered) -> None:
        if answered.is_lasting:
            self._recent.put(key, answered)
            self._keep(lambda store: store.put(key, answered))
        for place, number in enumerate(self._asked.pop(key)):
            self._give(number, answered, "same" if place else "computed")

    def _lose(self, task: _Task, unit: Unit, owner: int | str, lost: Lost) -> None:
        """Send a lost unit again, alone; or give it up."""
        attempts = task.attempts + (len(task.units) == 1)
        if len(task.units) > 1 or (lost.reason == "ended" and attempts < _MOST_ATTEMPTS):
            self._send(_Task([unit], [owner], attempts))
        elif isinstance(owner, str):
            self._answer(owner, self.refusal(lost))
        else:
            self._give(owner, self.refusal(lost), "computed")

    def _give(self, number: int, answered: Answered, origin: Origin) -> None:
        self._ready[number] = AnsweredInput(self._open.pop(number), answered, origin)

    def commit(self) -> None:
        """Keep for good what was answered; one that fails is among the troubles."""
        self._keep(Store.commit)

    def _keep(self, action: Callable[[Store], None]) -> None:
        """Do something with the store; one that takes nothing more is given up, not the run."""
        if self.store is None:
            return
        try:
            action(self.store)
        except InputError as error:
            self.troubles.append(error)
            self.store = None
