"""Errors: one base class with structured fields.

Rules of this file: an error names what was wrong (``field``, ``value``, ``path``), what would
have been right (``expected``) and how to mend it (``remedy``); the sentence that a person reads
is made from these fields, so that the command line, ``--json`` and Python say the same thing.
Values from outside are shortened and escaped before they are shown.
"""

from __future__ import annotations

_SHOWN_CHARACTERS = 60


def shorten(value: object, most: int = _SHOWN_CHARACTERS) -> str:
    """A value from outside, safe to print: one line, escaped, at most so many characters."""
    text = value if isinstance(value, str) else repr(value)
    shown = "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in text[: most + 1]
    )
    if len(shown) <= most:
        return shown
    end = f"… ({len(text)} characters)"
    return shown[: most - len(end)] + end


class ExactDPError(Exception):
    """Base of all errors of exactdp.

    Attributes:
        code: a stable short name of the kind of error, for machines.
        field: the parameter, option or key at fault ("epsilon", "--delta").
        value: the offending value, as text; shortened when shown.
        path: where it stood ("$.mechanisms[3].epsilon", "ledger.csv, line 7"), or "".
        expected: what would have been right.
        remedy: how to mend it, or "".
    """

    code = "error"
    exit_code = 2

    def __init__(
        self,
        *,
        field: str,
        value: object,
        expected: str,
        path: str = "",
        remedy: str = "",
        code: str | None = None,
    ) -> None:
        self.field = field
        self.value = shorten(value)
        self.expected = expected
        self.path = path
        self.remedy = remedy
        if code is not None:
            self.code = code
        super().__init__(str(self))

    def __str__(self) -> str:
        place = f" at {self.path}" if self.path else ""
        cure = f"; {self.remedy}" if self.remedy else ""
        return f"{self.field}{place}: {self.value}: expected {self.expected}{cure}"

    def __reduce__(self) -> tuple[object, ...]:
        """As pickle takes it: an error of a worker is raised where its answer is waited for."""
        return _remade, (type(self), self.args, vars(self))

    def located(self, path: str) -> ExactDPError:
        """The same error, placed at ``path``."""
        return type(self)(
            field=self.field,
            value=self.value,
            expected=self.expected,
            path=path,
            remedy=self.remedy,
            code=self.code,
        )


def _remade(
    kind: type[ExactDPError], arguments: tuple[object, ...], fields: dict[str, object]
) -> ExactDPError:
    error = kind.__new__(kind, *arguments)
    vars(error).update(fields)
    return error


class InputError(ExactDPError):
    """Input that cannot be read or understood. Exit code 2."""

    code = "bad-input"


class DomainError(InputError):
    """A value outside the range in which the mathematics holds. Exit code 2."""

    code = "out-of-range"


class UnsupportedError(InputError):
    """Understood, and refused: another theorem would be needed. Exit code 2."""

    code = "not-yet-supported"


class CostLimitError(ExactDPError):
    """The work would exceed the limits; refused before it starts. Exit code 3."""

    code = "cost-limit"
    exit_code = 3


class NothingComposedError(ExactDPError):
    """A ledger of no mechanisms that does not say that it is meant to be empty. Exit code 3."""

    code = "nothing-composed"
    exit_code = 3


class BudgetExceeded(ExactDPError):  # noqa: N818 (the name that users meet in other libraries)
    """A spend that does not fit into what is left of a budget; nothing was spent. Exit code 1."""

    code = "budget-exceeded"
    exit_code = 1


class InternalError(ExactDPError):
    """A broken promise of our own, such as a certificate that the verifier rejects. Exit 70."""

    code = "internal-error"
    exit_code = 70
