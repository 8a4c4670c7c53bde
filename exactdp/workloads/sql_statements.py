r"""SQL logs, statement by statement: their tokens, and the parameters that comments give them.

Rules of this file: a comment that seems to state a parameter is read, or refused with its line and
column; none is passed over, for a parameter passed over is privacy loss that nobody counts. What
some database takes for a comment and another for a part of the statement is refused.

Theory of operation: sqlglot cuts the text into tokens; what lies between them is white space and
comments. A comment that begins above a statement, on a line of its own or after the line on which
the statement before it ended, belongs to it. One within a statement, or after it on its line, may
be prose but no parameter: some readers would take it for the next statement's. MySQL executes what
stands in /*! … */, and takes -- for two signs of subtraction unless a space follows it; PostgreSQL
knows comments within comments, and ends a line at a carriage return.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exactdp.errors import InputError, shorten
from exactdp.ledger.columns import COLUMNS
from exactdp.mechanisms.entries import SHUFFLED
from exactdp.workloads.comment_names import may_state, may_state_in_label

if TYPE_CHECKING:
    from sqlglot import Token

KEYS: Final = (*(key for key in COLUMNS if key not in (*SHUFFLED.further, "count")), "scale")
_FORM: Final = (
    "epsilon: E, delta: D, label: TEXT; or rho: R; or mu: M; or scale: B; or noise as in a ledger "
    "of columns, sigma: S, rate: Q; each once, above a statement"
)
_EXECUTED: Final = re.compile(r"/\*[A-Za-z]?!")
_COMMENT: Final = re.compile(r"--(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/", re.DOTALL)
_LABEL: Final = re.compile(r"\s*label\s*:")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a log.

    Attributes:
        tokens: its tokens, without the semicolon; not empty.
        notes: what comments above it state, by key.
        noted: the place of the first of them.
    """

    tokens: tuple[Token, ...]
    notes: dict[str, str]
    noted: str

    @property
    def start(self) -> int:
        """The position of its first character."""
        return int(self.tokens[0].start)


@dataclass(frozen=True, slots=True)
class _Comment:
    """Text between tokens: a comment, or what is neither comment nor white space."""

    start: int
    text: str
    readable: bool


def place_of(text: str, position: int) -> str:
    """The line and column of a position."""
    line = text.count("\n", 0, position) + 1
    return f"line {line}, column {position - text.rfind(chr(10), 0, position)}"


def statements(text: str) -> Iterator[Statement]:
    """The statements of a log, in order.

    Raises:
        InputError: a comment that seems to state a parameter, but not in the form or at the place
            in which it would be read.
        sqlglot.errors.TokenError: not SQL.
    """
    import sqlglot  # noqa: PLC0415 (an extra)

    tokens: list[Token] = []
    above: list[_Comment] = []
    end, ended_here = 0, False
    for token in sqlglot.tokenize(text):
        if token.token_type is sqlglot.TokenType.COMMAND:
            raise InputError(
                field="query",
                value=str(token.text),
                path=place_of(text, int(token.start)),
                expected="a statement that counts or sums, beginning with SELECT",
                remedy="leave the command out",
            )
        between = list(_comments(text, end, int(token.start)))
        _require_comments_everywhere(text, between, within=bool(tokens))
        if tokens:
            _require_prose(text, between)
        else:
            first, later = _after_the_line(text, end, between) if ended_here else ([], between)
            _require_prose(text, first)
            above += later
        end = int(token.end) + 1
        ended_here = token.token_type is sqlglot.TokenType.SEMICOLON
        if not ended_here:
            tokens.append(token)
            continue
        if tokens:
            yield _statement(text, tokens, above)
        else:
            _require_prose(text, above)
        tokens, above = [], []
    after = list(_comments(text, end, len(text)))
    _require_comments_everywhere(text, after, within=bool(tokens))
    if tokens:
        yield _statement(text, tokens, above)
        above = []
    _require_prose(text, [*above, *after])


def _comments(text: str, start: int, end: int) -> Iterator[_Comment]:
    """What lies between two tokens."""
    position = start
    for found in _COMMENT.finditer(text, start, end):
        yield from _leftover(text, position, found.start())
        body = found["line"] if found["line"] is not None else found["block"]
        yield _Comment(found.start(), body, readable="/*" not in body)
        position = found.end()
    yield from _leftover(text, position, end)


def _leftover(text: str, start: int, end: int) -> Iterator[_Comment]:
    """What sqlglot passes over and is no comment as we know it, such as comments in comments."""
    between = text[start:end].lstrip()
    if between:
        yield _Comment(end - len(between), between, readable=False)


def _require_comments_everywhere(text: str, comments: Sequence[_Comment], *, within: bool) -> None:
    """Refuse what is no comment in every database, within a statement or between two."""
    for comment in comments:
        start = text[comment.start : comment.start + len("--x")]
        is_line = start.startswith("--")
        if _EXECUTED.match(text, comment.start):
            reason = "a comment: MySQL and its kin execute what stands in /*! … */"
        elif not comment.readable:
            reason = "one comment: whether there may be another in it differs between databases"
        elif is_line and _goes_on(text, comment):
            reason = "a comment that ends with its line: there is a carriage return within it"
        elif is_line and within and start[len("--") :].strip():
            reason = "a space after --, without which MySQL subtracts"
        else:
            continue
        raise _refused(text, comment, reason, "write it as -- prose, on a line of its own")


def _goes_on(text: str, comment: _Comment) -> bool:
    """Whether a comment has a carriage return before the end of its line."""
    end = comment.start + len("--") + len(comment.text)
    return "\r" in comment.text[:-1] or (
        comment.text.endswith("\r") and text[end : end + 1] != "\n"
    )


def _after_the_line(
    text: str, end: int, comments: Sequence[_Comment]
) -> tuple[list[_Comment], list[_Comment]]:
    """The comments that begin on the line of position ``end``, and those that begin below it."""
    first = [comment for comment in comments if "\n" not in text[end : comment.start]]
    return first, list(comments[len(first) :])


def _require_prose(text: str, comments: Sequence[_Comment]) -> None:
    for comment in comments:
        if may_state(comment.text):
            raise _refused(
                text,
                comment,
                "parameters in a comment above the statement",
                "move it to a line above the statement, or reword it if it states none",
            )


def _statement(text: str, tokens: Sequence[Token], above: Sequence[_Comment]) -> Statement:
    notes: dict[str, str] = {}
    noted = ""
    for comment in above:
        if not (may_state(comment.text) or _LABEL.match(comment.text)):
            continue
        for key, value in _parts(text, comment):
            if key in notes:
                raise _refused(
                    text, comment, f"{key} once for a statement", "remove one of the two"
                )
            notes[key] = value
        noted = noted or place_of(text, comment.start)
    return Statement(tuple(tokens), notes, noted)


def _parts(text: str, comment: _Comment) -> Iterator[tuple[str, str]]:
    """What a comment states: keys and the texts of their values."""
    for part in comment.text.split(","):
        key, colon, value = part.partition(":")
        known = key.strip() in KEYS and colon and value.strip() and comment.readable
        if not known or may_state_in_label(value):
            raise _refused(
                text,
                comment,
                _FORM,
                "for example: -- epsilon: 0.1, delta: 1e-9; write a statement as often as it ran; "
                "reword the comment if it states no parameters",
            )
        yield key.strip(), value.strip()


def _refused(text: str, comment: _Comment, expected: str, remedy: str) -> InputError:
    return InputError(
        field="comment",
        value=shorten(comment.text.strip()),
        path=place_of(text, comment.start),
        expected=expected,
        remedy=remedy,
    )
