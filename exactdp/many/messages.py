r"""What a run and its workers say to each other.

Rules of this file: values alone, that can be pickled; a key names a content under a question, so
that equal keys have equal answers, wherever and whenever they are found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias, TypeVar


@dataclass(frozen=True, slots=True)
class Unread:
    """An input as it was given: the name of a file, or its bytes."""

    source: str | bytes


@dataclass(frozen=True, slots=True)
class Content:
    """An input that was read.

    Attributes:
        key: SHA-256 of the question, the version and the content.
        data: the content, in canonical form.
    """

    key: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, which holds of every input of this content.

    Attributes:
        text: ``"result":…`` or ``"error":…``, as it stands in a line of JSON.
        code: the exit code that the command alone would have.
        files: what the command writes, by the name of the file.
        is_lasting: whether asking again would give the same; a limit of time or memory may not.
    """

    text: str
    code: int
    files: Mapping[str, bytes] = field(default_factory=dict)
    is_lasting: bool = True


@dataclass(frozen=True, slots=True)
class Lost:
    """No answer: the time was up, or the worker has ended."""

    reason: Literal["timeout", "ended"]


Unit: TypeAlias = Unread | Content
"""What workers of a run are given: an input to be read, or a content to be answered."""
UnitReply: TypeAlias = Content | Answered
"""What they give back: the content of an input, or an answer."""
_Asked_contra = TypeVar("_Asked_contra", contravariant=True)
_Given = TypeVar("_Given")
_Given_co = TypeVar("_Given_co", covariant=True)


class Work(Protocol[_Asked_contra, _Given_co]):
    """What a worker does with each unit; values of both kinds can be pickled."""

    def prepare(self) -> None:
        """Import what it needs, before the clock of a time limit runs."""

    def __call__(self, unit: _Asked_contra, /) -> _Given_co:
        """The reply; nothing is raised."""


class Pool(Protocol[_Asked_contra, _Given]):
    """Workers, wherever they are."""

    @property
    def batch(self) -> int:
        """How many units are best sent together."""

    @property
    def wanted(self) -> int:
        """How many units keep every worker busy for a moment."""

    def submit(self, number: int, units: Sequence[_Asked_contra]) -> None:
        """Have units worked on; ``number`` is what their replies are called."""

    def replies(self) -> list[tuple[int, list[_Given | Lost]]]:
        """Wait for replies: for each number that is done, one for each unit in order."""

    def close(self) -> None:
        """End every worker."""


_SEPARATOR: Final = b"\0"


def key_of(question: str, data: bytes) -> str:
    r"""The name of a content under a question.

    >>> key_of("{}", b"") == key_of("{}", b"") != key_of("{}", b"\0")
    True
    """
    return hashlib.sha256(question.encode() + _SEPARATOR + data).hexdigest()
