r"""The accountants that crosscheck knows, and those that a user names.

Rules of this file: an accountant is a name, a command that speaks the protocol, and whether it
takes pure mechanisms alone; what is installed is found out by asking, never by importing.

Theory of operation: a name is PACKAGE/SETTING, and a package alone stands for all of its settings.
The accountants of one package run in one interpreter: this one, unless the user names another.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from exactdp.accountants.noise_peers import NOISE_TASKS
from exactdp.accountants.process import Conversation, Limits, NoAnswerError
from exactdp.accountants.protocol import (
    ABOUT_EVENTS,
    AccountantAnswer,
    AccountantQuestion,
    answer_of,
    question_line,
)
from exactdp.errors import InputError

_SCRIPT: Final = Path(__file__).with_name("peers.py")


@dataclass(frozen=True, slots=True)
class Accountant:
    """A program that answers questions.

    Attributes:
        name: what users and tables call it.
        command: the program and its arguments.
        pure: whether it takes pure mechanisms alone.
        package: the package that it belongs to, or "" for a user's own program.
        noise: whether it is asked about mechanisms that (ε, δ) do not describe.
    """

    name: str
    command: tuple[str, ...]
    pure: bool = False
    package: str = ""
    noise: bool = True

    def conversation(self, limits: Limits) -> Conversation:
        """The program, started at the first question."""
        return Conversation(self.command, limits)

    def ask(
        self, question: AccountantQuestion, conversation: Conversation, *, against: bool = True
    ) -> AccountantAnswer:
        """What it says of a question; whatever goes wrong is an answer too.

        ``against`` is that of :func:`exactdp.accountants.protocol.question_line`.
        """
        try:
            line = question_line(
                question, self.name, pure=self.pure, against=against, noise=self.noise
            )
        except InputError as error:
            return AccountantAnswer("unsupported", str(error))
        try:
            answer = conversation.ask(line)
        except NoAnswerError as error:
            return AccountantAnswer("silent", str(error))
        return answer_of(
            answer, question, pure=self.pure and question.ledger.given_by == "epsilon-delta"
        )


# The first setting of each is what its documentation shows; those that work on randomized responses
# take pure mechanisms alone.
KNOWN: Final[Mapping[str, Mapping[str, bool]]] = {
    "dp-accounting": {
        "pld-1e-4": False, "pld-1e-3": False, "pld-1e-5": False, "rdp": True, "events": True,
    },
    "prv-accountant": {"0.1": False, "1e-3": False},
    "autodp": {"kov": False, "rdp": True, "afa": True},
    "diffprivlib": {"total": False},
    "opendp": {"basic": False, "zcdp": True},
    "smartnoise-sql": {"odometer": False, "heterogeneous": False},
    "opacus": {"prv": False, "rdp": False, "gdp": False},
}  # fmt: skip
ABOUT_NOISE: Final = frozenset({*NOISE_TASKS, ABOUT_EVENTS})
"""The accountants that are asked about mechanisms by their noise."""


def install_command(accountant: Accountant) -> str:
    """How to install what an accountant needs."""
    package = accountant.package
    return f"pip install 'exactdp[{package}]', or --python {package}=PATH of one that has it"


def chosen(
    names: Iterable[str],
    *,
    pythons: Mapping[str, str] | None = None,
    programs: Mapping[str, str] | None = None,
) -> tuple[Accountant, ...]:
    """The accountants with these names; all of them where there are no names.

    Args:
        names: PACKAGE, PACKAGE/SETTING, or the name of a program.
        pythons: for each package, the interpreter that has it.
        programs: for each name, a command line of the user's own, split as a shell splits words.

    Raises:
        InputError: an unknown name, or an empty command.
    """
    pythons, programs = pythons or {}, programs or {}
    for package in pythons:
        if package not in KNOWN:
            raise _unknown("--python", package, list(KNOWN))
    own = {name: _program(name, command) for name, command in programs.items()}
    known = {
        each.name: each
        for package, settings in KNOWN.items()
        for each in _settings(package, settings, pythons.get(package, sys.executable))
    }
    every = own | known
    wanted: dict[str, Accountant] = {}
    for name in names or (own or every):
        found = {key: each for key, each in every.items() if name in (key, each.package)}
        if not found:
            raise _unknown("--accountant", name, [*KNOWN, *every])
        wanted |= found
    return tuple(wanted.values())


def _settings(package: str, settings: Mapping[str, bool], python: str) -> Sequence[Accountant]:
    command = (python, "-I", "-W", "ignore", str(_SCRIPT))
    return [
        Accountant(name, command, pure, package, name in ABOUT_NOISE)
        for name, pure in ((f"{package}/{setting}", pure) for setting, pure in settings.items())
    ]


def _program(name: str, command: str) -> Accountant:
    try:
        arguments = shlex.split(command)
    except ValueError:
        arguments = []
    if not arguments or not name:
        raise InputError(
            field="--program",
            value=f"{name}={command}",
            expected="NAME=COMMAND, its words split as a shell splits them",
        )
    return Accountant(name, tuple(arguments))


def _unknown(field: str, name: str, known: list[str]) -> InputError:
    close = get_close_matches(name, known, n=1, cutoff=0.5)
    return InputError(
        field=field,
        value=name,
        expected=f"one of {', '.join(KNOWN)}, or one of their settings",
        remedy=f"did you mean {close[0]}?" if close else "a program of your own needs --program",
        code="unknown-accountant",
    )
