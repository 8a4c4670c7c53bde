r"""A plugin for pytest: a fixture that judges the answers of an accountant.

Purpose: those who write an accountant test it by ``pytest_plugins = ["exactdp.testing"]`` in their
``conftest.py``, and the fixture ``accountant_judge``.

Rules of this file: a test fails only if an answer is refuted, or if nothing could be judged; a
certificate is written only if the verifier accepts it.

Theory of operation: an answer is judged as ``exactdp crosscheck`` judges it, and a function is
searched as ``exactdp hunt`` searches a program, with seeds that do not change. What refutes it is
written beside the test's other files: the ledger, and the certificate that its ε is not enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, isnan
from pathlib import Path
from typing import Final

import pytest
from gmpy2 import mpq

from exactdp.accountants.api import crosscheck
from exactdp.accountants.called import AccountantFunction, CalledAccountant
from exactdp.accountants.checking import Checked
from exactdp.accountants.hunted import Hunted
from exactdp.accountants.hunting import hunt
from exactdp.accountants.process import Limits
from exactdp.arithmetic.decimal_text import scientific_below, short_text, shortest_text
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.composition.answers.arguments import LedgerLike, ledger_of
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import write_ledger
from exactdp.ledger.written import written
from exactdp.verification import verify

SEEDS: Final = (1, 2, 3)
_LEDGER: Final = "counterexample.json"
_CERTIFICATE: Final = "counterexample.certificate.json"
_DIGITS: Final = 6


@pytest.fixture
def accountant_judge(tmp_path: Path) -> AccountantJudge:
    """A judge of accountants, who writes counterexamples into ``tmp_path``."""
    return AccountantJudge(tmp_path)


@dataclass(frozen=True, slots=True)
class AccountantJudge:
    """Fails a test where an accountant promises what is false.

    Attributes:
        directory: where counterexamples are written.
    """

    directory: Path

    def answer(self, ledger: LedgerLike, *, delta: Number | float, epsilon: float) -> None:
        """Judge an ε that an accountant gave for a ledger at a δ; of a float, the decimal counts.

        Raises:
            InputError: bad arguments.
        """
        checked = ledger_of(ledger)
        if isnan(epsilon):
            pytest.fail("the answer: ε = nan, which promises nothing", pytrace=False)
        answers = {"the answer": "inf" if epsilon == inf else written(float(epsilon))}
        found = crosscheck(checked, delta=written(delta), values=answers)
        self._judge(found.accountants[0], checked)

    def hunt(
        self,
        epsilon_of: AccountantFunction,
        *,
        seconds: float = 10,
        seeds: Sequence[int] = SEEDS,
    ) -> Hunted:
        """Search for a ledger on which a function gives an ε that is too small.

        Args:
            epsilon_of: takes a list of mechanisms (ε, δ, count) and a δ, and gives ε.
            seconds: for the whole search; what was not found by then is not there.
            seeds: of the searches.

        Returns: what was asked, where nothing was refuted.

        Raises:
            InputError: Hypothesis is not installed (the extra hunt).
        """
        name = getattr(epsilon_of, "__name__", "the accountant")
        accountant = CalledAccountant(name, (), function=epsilon_of)
        found = hunt(accountant, seeds=tuple(seeds), seconds=seconds, limits=Limits())
        if found.case is not None:
            self._judge(found.case.checked, found.case.question.ledger)
        if not found.judged:
            why = "" if found.last is None else f": {found.last.message}"
            pytest.fail(f"no answer of {name} could be judged{why}", pytrace=False)
        return found

    def _judge(self, checked: Checked, ledger: Ledger) -> None:
        """Fail if the answer is refuted, with what refutes it in files."""
        verdict = checked.verdict
        if not verdict.accuses or verdict.epsilon is None or verdict.delta is None:
            return
        place = self.directory / _LEDGER
        place.write_text(
            write_ledger(replace(ledger, target_delta=verdict.delta)), encoding="utf-8"
        )
        gap = (
            "" if verdict.gap is None else f" by at least {scientific_below(verdict.gap, _DIGITS)}"
        )
        claimed = f"ε = {shown_epsilon(verdict.epsilon)} at δ = {short_text(verdict.delta)}"
        lines = [f"{checked.accountant}: {claimed} is too small{gap}", f"counterexample: {place}"]
        if verdict.certificate is not None:
            claim = (max(verdict.epsilon.rational, mpq(0)), max(verdict.delta, mpq(0)))
            if verify(verdict.certificate, ledger=ledger, claim=claim).status == "accepted":
                proof = self.directory / _CERTIFICATE
                proof.write_bytes(verdict.certificate.to_bytes())
                lines.append(f"proof: exactdp verify {proof} --ledger {place}")
        pytest.fail("\n".join(lines), pytrace=False)


def shown_epsilon(epsilon: ExactNumber) -> str:
    """An ε, as Python prints the double that it is, else exactly."""
    exact = shortest_text(epsilon)
    fraction = Fraction(exact) if epsilon.is_rational else 0
    return repr(float(fraction)) if "/" in exact and fraction else exact
