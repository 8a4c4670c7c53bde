r"""``exactdp.report``: a page on ledgers that verifies itself, for Python callers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path

from exactdp.arithmetic.numbers import Number
from exactdp.composition.answers.arguments import LedgerLike, ledger_of
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.pages.findings import Findings, find
from exactdp.pages.gains import add_gains
from exactdp.pages.page import report_page
from exactdp.pages.sentences import Conclusion, conclude
from exactdp.readable import Readable


@dataclass(frozen=True)
class Report(Readable):
    """What a page says.

    Attributes:
        findings: what is known of each ledger, with its certificates.
    """

    findings: tuple[Findings, ...]

    @cached_property
    def page(self) -> bytes:
        """The page, one file of HTML that needs nothing else; write it where it should be."""
        return report_page(self.findings)

    @property
    def conclusions(self) -> tuple[Conclusion, ...]:
        """What is proved of each ledger, what is refuted, and what that does not mean."""
        return tuple(map(conclude, self.findings))

    def facts(self) -> list[tuple[str, str]]:
        """The first sentences of the page."""
        return [(each.headword, " ".join(each.sentences)) for each in self.conclusions]


def report(
    *ledgers: LedgerLike,
    delta: Number | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> Report:
    """A page on ledgers that proves what it says, for readers without this program.

    Args:
        *ledgers: each a Ledger, the path of one, or a list of mechanisms.
        delta: the global δ; None takes each ledger's ``target_delta``.
        max_cost: refuse work predicted to cost more.

    Raises:
        InputError: bad arguments.

    >>> report([("0.1", 0, 20)], delta="1e-6").page[:15]
    b'<!DOCTYPE html>'
    """
    return Report(
        tuple(
            add_gains(
                find(_name_of(each, number), ledger_of(each), delta=delta, max_cost=max_cost),
                max_cost,
            )
            for number, each in enumerate(ledgers, start=1)
        )
    )


def _name_of(ledger: LedgerLike, number: int) -> str:
    return Path(ledger).name if isinstance(ledger, PathLike) else f"ledger-{number}"
