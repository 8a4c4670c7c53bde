r"""Write the tables of the documentation that follow from code, ledgers and measurements.

A page holds a table between ``<!-- NAME, written by tools/tables.py -->`` and ``<!-- end -->``:

- *deployments*: what is published of each ledger in ``ledgers``, what is certified at the same δ
  (at the ledger's ``target_delta`` where nothing is), rounded up, and the verdict of ``audit``;
- *trainings*: the same of ``ledgers/training``, published models that were trained with DP-SGD;
- *modelled deployments*: the same of ``ledgers/modelled``, with what is certified at their δ;
- *entries of the registry*: what each ledger in ``ledgers/registry`` states, and the verdict,
  on a page beside them;
- *closed forms*, and *keys* of mechanisms, as the code declares them;
- *rates*: many ledgers at once, from ``bench/many.json``;
- *older copies* of a spend log, and which of them are found, by trying each.

    python -m tools.tables [--check]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from gmpy2 import mpq

import exactdp
from bench import tasks
from exactdp.arithmetic.decimal_text import scientific_above, short_text
from exactdp.claims.outcomes import OUTCOMES, ClaimOutcome
from exactdp.claims.texts import claim_text
from exactdp.claims.verdicts import Audited, audit
from exactdp.composition.closed_forms.table import CLOSED_FORMS
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.ledger import Ledger
from exactdp.mechanisms.entries import DEFAULTS, JOINING, KEYS
from exactdp.mechanisms.keys import Key
from tests.spending.older_copies import table as older_copies

ROOT: Final = Path(__file__).resolve().parent.parent
DOCS: Final = ROOT / "docs"
BESIDE_LEDGERS: Final = tuple(
    ROOT / "ledgers" / folder / "README.md" for folder in ("", "registry", "training")
)
RESULTS: Final = ROOT / "bench" / "many.json"
_BLOCK: Final = re.compile(
    r"(<!-- ([\w ]+), written by tools/tables\.py -->\n).*?(<!-- end -->\n)", re.DOTALL
)
_DIGITS: Final = 12
_DIGITS_OF_NOISE: Final = 6


def _head(*names: str) -> list[str]:
    return [_row(*names), "|" + "---|" * len(names)]


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


# --- published deployments ----------------------------------------------------------------------


def deployments() -> list[str]:
    """The rows of all ledgers."""
    rows = _head("deployment", "year", "published", "certified", "verdict")
    for path in sorted((ROOT / "ledgers").glob("*.json")):
        rows += [_row(*cells) for cells in _deployment(path)]
    return rows


def _deployment(path: Path) -> Iterator[tuple[str, ...]]:
    ledger = exactdp.read_ledger(path)
    year = dict(ledger.source)["year"] if isinstance(ledger.source, tuple) else ""
    about = (f"[{ledger.name}]({path.name})", year)
    claims = audit(ledger, max_cost=DEFAULT_MAX_COST)
    if not claims:
        assert ledger.target_delta is not None
        certified = _certified(ledger, ledger.target_delta)
        yield (*about, "nothing", f"{certified} at δ = {short_text(ledger.target_delta)}", "")
    for place, each in enumerate(claims):
        yield (*(about if not place else ("", "")), *_claim(ledger, each))


def modelled() -> list[str]:
    """The rows of deployments in their parts."""
    rows = _head("deployment", "published", "certified", "verdict", "at the ledger's δ")
    for path in sorted((ROOT / "ledgers" / "modelled").glob("*.json")):
        ledger = exactdp.read_ledger(path)
        assert ledger.target_delta is not None
        delta = ledger.target_delta
        name = f"[{ledger.name}](modelled/{path.name})"
        at = f"{_certified(ledger, delta)} at δ = {short_text(delta)}"
        for place, each in enumerate(audit(ledger, max_cost=DEFAULT_MAX_COST)):
            first, last = ("", "") if place else (name, at)
            rows.append(_row(first, *_claim(ledger, each), last))
    return rows


def trainings() -> list[str]:
    """The rows of published models that were trained with DP-SGD."""
    rows = _head("training", "published", "certified", "verdict", "source")
    for path in sorted((ROOT / "ledgers" / "training").glob("*.json")):
        ledger = exactdp.read_ledger(path)
        name = f"[{ledger.name}]({path.name})"
        source = f"[{ledger.said_of_source('title')}]({ledger.said_of_source('url')})"
        found = exactdp.compose(ledger, tolerance="1e-3")
        assert found.lower is not None
        assert found.upper is not None
        ends = f"{float(found.lower) - 5e-4:.3f} to {float(found.upper) + 5e-4:.3f}"
        for place, each in enumerate(audit(ledger, max_cost=DEFAULT_MAX_COST)):
            published = f"ε = {claim_text(each.claim, _number, short_text)}"
            first, last = ("", "") if place else (name, source)
            rows.append(_row(first, published, "" if place else ends, _outcome(each), last))
    return rows


def registry() -> list[str]:
    """The rows of the registry's entries."""
    rows = _head("entry", "year", "states", "verdict", "names what is not protected")
    for path in sorted((ROOT / "ledgers" / "registry").glob("*.json")):
        ledger = exactdp.read_ledger(path)
        about = f"[{ledger.name}]({path.name})", ledger.said_of_source("year")
        unprotected = "yes" if ledger.unprotected_quantities else ""
        for place, each in enumerate(audit(ledger, max_cost=DEFAULT_MAX_COST)):
            first = ("", "") if place else about
            published = _claim(ledger, each)[0]
            rows.append(_row(*first, published, _outcome(each), "" if place else unprotected))
    return rows


def _claim(ledger: Ledger, audited: Audited) -> tuple[str, str, str]:
    claim = audited.claim
    published = claim_text(claim, _number, short_text)
    if claim.epsilon is not None:
        published = f"ε = {published}"
        certified = _certified(ledger, claim.delta or mpq(0))
    else:
        sums = [each.least for each in audited.verdicts if each.least is not None]
        certified = f"Σρ = {short_text(sums[0][0])}" if claim.rho is not None and sums else ""
    return published, certified, _outcome(audited)


def _outcome(audited: Audited) -> str:
    words = _short_outcome(audited.outcome)
    if audited.tautology:
        words += " (tautology)"
    if audited.outcome == "not-assessable":
        words += f": {audited.claim.basis.replace('-', ' ')}"
    for each in audited.verdicts:
        gap = audited.gap(each)
        if each.rule == "zcdp-canonne-kamath-steinke" and gap is not None:
            words += f" by CKS, which gives {scientific_above(gap[1], 2)} more"
        elif each.assumption:
            words += f"; if Gaussian: {_short_outcome(each.outcome)}"
    return words


def _short_outcome(outcome: ClaimOutcome) -> str:
    """A verdict without what the page says of it once, for all rows."""
    return OUTCOMES[outcome].partition(":")[0].removesuffix(" from this ledger")


def _certified(ledger: Ledger, delta: mpq) -> str:
    by_noise = ledger.given_by == "noise"
    answer = exactdp.compose(ledger, delta=delta, tolerance="1e-4" if by_noise else "1e-12")
    if answer.upper_end is None:
        return "no finite ε"
    name = " (CKS)" if answer.method == "moments" else ""
    equal = "=" if answer.exact is not None else "≤"
    epsilon = scientific_above(answer.upper_end, _DIGITS_OF_NOISE if by_noise else _DIGITS)
    return f"ε {equal} {epsilon}{name}"


def _number(value: exactdp.ExactNumber) -> str:
    return (
        str(value)
        if len(str(value)) < len(short_text(value.rational))
        else short_text(value.rational)
    )


# --- what the code declares -----------------------------------------------------------------------


def closed_forms() -> list[str]:
    """A row for each closed form."""
    rows = _head("row", "name", "ε is at most", "theorem")
    above = ""
    for rule, form in CLOSED_FORMS.items():
        formula = "the same" if form.formula == above else form.formula
        rows.append(_row(form.name, f"`{rule}`", formula, form.published))
        above = form.formula
    return rows


def keys() -> list[str]:
    """A row for each key of a mechanism, and one for each parameter that may be left out."""
    rows = _head("key", "in JSON", "in cells and with `-m`", "beside it")
    rows += [
        f"| `{key.name}` | `{json.dumps(_shape(key), ensure_ascii=False)}` | "
        f"{_cells(key)} | {_codes(_beside(key))} |"
        for key in KEYS.values()
    ]
    rows += ["", *_head("left out", "means")]
    return rows + [_row(f"`{name}`", f"`{_value(value)}`") for name, value in DEFAULTS.items()]


def _shape(key: Key) -> dict[str, Any]:
    """An entry with the key and its further parameters."""
    further: dict[str, Any] = {
        name: ["…"] if isinstance(default, list) else "…" for name, default in key.further.items()
    }
    if key.first is None:
        return {key.name: "…", **further}
    return {key.name: {key.first: "…", **further} if key.first else further}


def _cells(key: Key) -> str:
    """The cells of a key: its own, others, or none."""
    return "the key" if key.columns == (key.name,) else _codes(key.columns) or "none"


def _beside(key: Key) -> list[str]:
    return [other.name for other in JOINING if key.name in other.joins]


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _value(value: Any) -> str:  # noqa: ANN401 (a text, a number or a list of texts)
    return f"[{', '.join(value)}]" if isinstance(value, list) else str(value)


# --- many ledgers at once -------------------------------------------------------------------------


def _rates(results: dict[str, Any]) -> list[str]:
    ways, machine = results["ways"], results["machine"]
    one = next(each for each in ways if each["options"] == "--jobs 1")
    head = f"{ways[0]['ledgers']} ledgers on {machine['cores']} cores; the load was "
    rows = _head(
        "", "a second", "efficiency", "processor time for each", "of it the client", "at most MiB"
    )
    rows += [
        _row(
            _name(each["options"]),
            f"{each['ledgers_per_second']:.1f}",
            _efficiency(each, one),
            f"{each['processor_milliseconds_per_ledger']:.2f} ms",
            f"{each['client_milliseconds_per_ledger']:.2f} ms",
            f"{max(each['largest_process_mib']):.0f}",
        )
        for each in ways
    ]
    same = len({each["digest"] for each in ways}) == 1
    load = f"{head}{results['load'][0]:g} in the end."
    return [load, "", *rows, "", _verdict(same, "All printed the same bytes.")]


def _efficiency(way: dict[str, Any], one: dict[str, Any]) -> str:
    processes = int(way["options"].rpartition(" ")[2])
    share = way["ledgers_per_second"] / one["ledgers_per_second"] / processes
    return f"{share:.3f}"


def _verdict(same: bool, sentence: str) -> str:
    return sentence if same else "THEY DIFFER."


def _name(options: str) -> str:
    words = options.split(" --certificates", maxsplit=1)[0].split()
    number = words[words.index("--jobs") + 1]
    kind = "worker" if "--cluster" in words else "process"
    many = kind + ("" if number == "1" else "s" if kind == "worker" else "es")
    local = "local cluster of " if "--cluster" in words else ""
    kept = ", into a store" if "--store" in words else ""
    return f"{local}{number} {many}{kept}"


# --- pages --------------------------------------------------------------------------------------


def tables(measured: dict[str, Any]) -> dict[str, Callable[[], list[str]]]:
    """The lines of each table, by its name; that of rates from what was measured."""
    return {
        "closed forms": closed_forms,
        "deployments": deployments,
        "entries of the registry": registry,
        "keys": keys,
        "modelled deployments": modelled,
        "older copies": older_copies,
        "rates": partial(_rates, measured),
        "tasks": tasks.table,
        "trainings": trainings,
    }


def refreshed(page: str, measured: dict[str, Any] | None = None) -> str:
    """A page with its tables as they are now."""
    known = tables(measured or json.loads(RESULTS.read_text(encoding="utf-8")))
    return _BLOCK.sub(
        lambda found: found[1] + "".join(f"{line}\n" for line in known[found[2]]()) + found[3],
        page,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages, or only name those that would change; return the exit code."""
    parser = argparse.ArgumentParser(description="Write the tables of the documentation.")
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if something would")
    check: bool = parser.parse_args(arguments).check
    stale = False
    for path in (*sorted(DOCS.glob("*.md")), *BESIDE_LEDGERS):
        before = path.read_text(encoding="utf-8")
        after = refreshed(before)
        if after != before:
            stale = True
            print(path.relative_to(ROOT))
            if not check:
                path.write_text(after, encoding="utf-8")
    return int(check and stale)


if __name__ == "__main__":
    sys.exit(main())
