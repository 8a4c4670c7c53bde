r"""Write the table of audited deployments into ``docs/audit.md``.

For every ledger in ``ledgers``: what is published, what is certified at the same δ (at the ledger's
``target_delta`` where nothing is), and the verdict of ``exactdp audit``. Certified numbers are
rounded up; the certificates behind them are those of ``exactdp audit --certificates`` and of
``certs/deployments``.

    python tools/audit_table.py [--check]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from gmpy2 import mpq

import exactdp
from exactdp.arithmetic.decimal_text import scientific_above, short_text
from exactdp.audit.texts import claim_text
from exactdp.audit.verdicts import OUTCOMES, Audited, audit
from exactdp.composition.engines.planner import DEFAULT_MAX_COST
from exactdp.ledger import Ledger
from exactdp.mechanisms import ConcentratedMechanism

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "audit.md"
BEGIN, END = "<!-- table -->", "<!-- end of table -->"
TITLES = ("deployment", "year", "definition", "published", "certified", "verdict")
_DIGITS = 12


def table() -> str:
    """The table of all ledgers."""
    rows = [TITLES, ("---",) * len(TITLES)]
    for path in sorted((ROOT / "ledgers").glob("*.json")):
        rows += _rows(path)
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _rows(path: Path) -> Iterator[tuple[str, ...]]:
    ledger = exactdp.read_ledger(path)
    concentrated = any(isinstance(each, ConcentratedMechanism) for each in ledger)
    year = dict(ledger.source)["year"] if isinstance(ledger.source, tuple) else ""
    about = (
        f"[{ledger.name}](../ledgers/{path.name})",
        year,
        "ρ" if concentrated else "(ε, δ)",
    )
    claims = audit(ledger, max_cost=DEFAULT_MAX_COST)
    if not claims:
        assert ledger.target_delta is not None
        yield (*about, "nothing", _certified(ledger, ledger.target_delta), "")
    for place, each in enumerate(claims):
        yield (*(about if not place else ("", "", "")), *_claim(ledger, each))


def _claim(ledger: Ledger, audited: Audited) -> tuple[str, str, str]:
    claim = audited.claim
    published = claim_text(claim, _number, short_text)
    if claim.epsilon is not None:
        published = f"ε = {published}"
        certified = _certified(ledger, claim.delta or mpq(0))
    else:
        sums = [each.least for each in audited.verdicts if each.least is not None]
        certified = f"Σρ = {_short(sums[0][0])}" if claim.rho is not None and sums else ""
    return published, certified, _verdict(audited)


def _verdict(audited: Audited) -> str:
    words = OUTCOMES[audited.outcome]
    if audited.outcome == "not-assessable":
        words += f": it rests on {audited.claim.basis.replace('-', ' ')}"
    for each in audited.verdicts:
        gap = audited.gap(each)
        if each.rule == "zcdp-canonne-kamath-steinke" and gap is not None:
            words += f" by that conversion, which gives {scientific_above(gap[1], 2)} more"
        elif each.assumption:
            words += f"; {OUTCOMES[each.outcome]} {each.assumption}"
        elif each.reason.startswith("the claim is the sum"):
            words += f" ({each.reason})"
    return words


def _certified(ledger: Ledger, delta: mpq) -> str:
    answer = exactdp.compose(ledger, delta=delta, tolerance="1e-12")
    if answer.upper_end is None:
        return "no finite ε"
    name = {"zcdp-canonne-kamath-steinke": "CKS"}.get(answer.method, "optimum")
    equal = "=" if answer.exact is not None else "≤"
    epsilon = scientific_above(answer.upper_end, _DIGITS)
    return f"ε {equal} {epsilon} at δ = {short_text(delta)} ({name})"


def _number(value: exactdp.ExactNumber) -> str:
    return (
        str(value) if len(str(value)) < len(short_text(value.rational)) else _short(value.rational)
    )


def _short(value: mpq) -> str:
    return short_text(value)


def page() -> str:
    """The page with its table written anew."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table()}\n{END}{after}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or compare; return the exit code."""
    parser = argparse.ArgumentParser(description="Write the table of audited deployments.")
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if something would")
    check: bool = parser.parse_args(arguments).check
    new = page()
    stale = new != PAGE.read_text(encoding="utf-8")
    if stale and not check:
        PAGE.write_text(new, encoding="utf-8")
    if stale:
        sys.stdout.write(f"{PAGE.relative_to(ROOT)}\n")
    return int(stale and check)


if __name__ == "__main__":
    sys.exit(main())
