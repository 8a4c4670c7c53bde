r"""Files to begin with: a commented ledger or policy, and the ledgers of published deployments.

Rules of this file: what it holds is read by the same version without a change. The ledgers are
those of ``ledgers`` in the source; a wheel has them as data, in ``exactdp/examples``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path, PurePath
from typing import Final

from exactdp.errors import InputError

_CSV: Final = """\
# A ledger of exactdp: a line for each mechanism that was run on the same data. Lines that begin
# with # may stand here, above the names of the columns, and nowhere else.
#
# label    what it was; free text
# epsilon  its privacy parameter, in nats: 0.1, 1/10 or ln(3). Nothing is rounded
# delta    0 for a pure mechanism
# count    how many times it was run with these parameters
#
# In place of epsilon and delta: rho (zero-concentrated DP) or mu (Gaussian DP). Other columns, such
# as date, are kept as notes. Then: exactdp compose {name} --delta 1e-6
label,epsilon,delta,count
daily counts,0.1,0,31
yearly survey,1/2,1e-9,1
"""
_JSON: Final = """\
{
  "format": "exactdp-ledger/1",
  "name": "What was released, and from which data",
  "unit_of_privacy": "person",
  "neighbouring": "add-remove-one",
  "interaction": "adaptive",
  "target_delta": "1e-6",
  "mechanisms": [
    {"label": "daily counts", "epsilon": "0.1", "count": 31},
    {"label": "yearly survey", "epsilon": "1/2", "delta": "1e-9"}
  ],
  "claims": [
    {"epsilon": "3.6", "delta": "1e-9", "basis": "composition", "source": "who claims this, where"}
  ],
  "notes": "neighbouring: add-remove-one, replace-one or unspecified; interaction: adaptive or \
concurrent; a mechanism may have rho or mu in place of epsilon and delta"
}
"""
_POLICY: Final = """\
# What must hold of the ledgers in this folder; checked by: exactdp gate
format = "exactdp-policy/1"
ledgers = ["*.csv", "*.json"]

# What ledgers claim of themselves: "hold", "not-refuted" or "ignored".
claims = "hold"

# A budget for each ledger, or for all of them composed ("together"): epsilon and delta, rho or mu.
[[budgets]]
scope = "each"
epsilon = 4
delta = 1e-6

# An accountant that must not under-report, as exactdp crosscheck names it.
# [[accountants]]
# name = "dp-accounting/pld-1e-4"
# delta = 1e-6
"""
_FEW: Final = 4
_TEMPLATES: Final = {".csv": _CSV, ".json": _JSON, ".toml": _POLICY}


def init(name: str = "ledger.csv") -> str:
    """The text of a file to begin with; it can be used as it is.

    Args:
        name: of the file: a ledger (.csv or .json), or a policy (.toml).

    Raises:
        InputError: the name ends in nothing of these.

    >>> init("mine.toml").startswith("# What must hold")
    True
    """
    path = PurePath(name)
    if path.suffix not in _TEMPLATES:
        raise InputError(
            field="FILE",
            value=name,
            expected="a name that ends in .csv or .json (a ledger) or .toml (a policy)",
        )
    return _TEMPLATES[path.suffix].replace("{name}", path.name)


@cache
def shipped() -> Mapping[str, Path]:
    """The ledgers that come with exactdp, by their names, those of published deployments first."""
    here = Path(__file__).parent
    folder = next(each for each in (here / "examples", here.parent / "ledgers") if each.is_dir())
    files = sorted(folder.rglob("*.json"), key=lambda path: (len(path.parts), path))
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in files}


def title_of(name: str) -> str:
    """What a ledger that comes with exactdp calls itself."""
    return str(json.loads(shipped()[name].read_bytes()).get("name", name))


def named(name: str) -> str:
    """The name of the one ledger that comes with exactdp whose name begins so.

    Raises:
        InputError: there is none, or there are several.

    >>> named("rappor")
    'rappor_chrome_homepage_month'
    """
    asked = name.removeprefix("ledgers/").removesuffix(".json")
    found = (
        [asked] if asked in shipped() else [each for each in shipped() if each.startswith(asked)]
    )
    if len(found) != 1 or not asked:
        within = [each for each in shipped() if asked.casefold() in each]
        near = found or within or get_close_matches(asked, [*shipped()], _FEW) or [*shipped()]
        raise InputError(
            field="NAME",
            value=name,
            expected=f"the name of one ledger, such as {', '.join(near[:_FEW])}",
            remedy=f"exactdp example writes all {len(shipped())}, and lists them",
        )
    return found[0]


def example(name: str) -> str:
    """The text of a ledger that comes with exactdp, as ``exactdp example`` lists them.

    Args:
        name: its name, or the beginning of it, if there is no other.

    Raises:
        InputError: no ledger is called so, or several are.

    >>> '"unit_of_privacy": "device-month"' in example("rappor")
    True
    """
    return shipped()[named(name)].read_text(encoding="utf-8")
