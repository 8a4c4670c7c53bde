r"""An accountant that is a Python function, asked in this process.

Rules of this file: it is asked with the doubles that another program would be asked with, and what
it answers is read in its favour; whatever it raises is an answer too. Nothing limits its time.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from exactdp.accountants.accountants import Accountant
from exactdp.accountants.process import Conversation
from exactdp.accountants.protocol import (
    AccountantAnswer,
    AccountantQuestion,
    finite_or_text,
    question_line,
)
from exactdp.errors import InputError

AccountantFunction: TypeAlias = Callable[[list[tuple[float, float, int]], float], float]
"""The ε of mechanisms (ε, δ, count) at a δ."""


@dataclass(frozen=True, slots=True)
class CalledAccountant(Accountant):
    """A function that answers questions about mechanisms given by (ε, δ).

    Attributes:
        function: what is called.
    """

    function: AccountantFunction = lambda _, __: 0.0

    def ask(
        self, question: AccountantQuestion, conversation: Conversation, *, against: bool = True
    ) -> AccountantAnswer:
        """What the function says of a question; no program is started."""
        del conversation
        try:
            line = question_line(question, self.name, pure=False, against=against, noise=False)
        except InputError as error:
            return AccountantAnswer("unsupported", str(error))
        asked = json.loads(line)
        mechanisms = [
            (each["epsilon"], each["delta"], each["count"]) for each in asked["mechanisms"]
        ]
        try:
            answer = finite_or_text(repr(float(self.function(mechanisms, asked["delta"]))))
        except Exception as error:  # noqa: BLE001 (a function of anybody's)
            return AccountantAnswer("error", f"{type(error).__name__}: {error}")
        return AccountantAnswer("answered", epsilon=answer)
