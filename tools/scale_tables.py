r"""Write the table of ``docs/scale.md`` from ``bench/many.json``.

    python -m tools.scale_tables [--check]

With ``--check`` nothing is written: exit code 1 if the page differs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "scale.md"
RESULTS: Final = ROOT / "bench" / "many.json"
_BEGIN: Final = "<!-- rates, written by tools/scale_tables.py -->\n"
_END: Final = "<!-- end -->\n"


def refreshed(page: str, results: dict[str, Any]) -> str:
    """The page, with its table as it follows from the results."""
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    rows = "\n".join(_rates(results))
    return f"{before}{_BEGIN}{rows}\n{_END}{after}"


def _rates(results: dict[str, Any]) -> list[str]:
    ways, machine = results["ways"], results["machine"]
    one = next(each for each in ways if each["options"] == "--jobs 1")
    head = f"{ways[0]['ledgers']} ledgers on {machine['cores']} cores; the load was "
    rows = _head(
        "", "a second", "efficiency", "processor time for each", "of it the client",
        "MiB of the largest process, by tenths of the run",
    )  # fmt: skip
    rows += [
        _row(
            _name(each["options"]),
            f"{each['ledgers_per_second']:.1f}",
            _efficiency(each, one),
            f"{each['processor_milliseconds_per_ledger']:.2f} ms",
            f"{each['client_milliseconds_per_ledger']:.2f} ms",
            " ".join(f"{part:.0f}" for part in each["largest_process_mib"]),
        )
        for each in ways
    ]
    same = len({each["digest"] for each in ways}) == 1
    load = f"{head}{results['load'][0]:g} in the end."
    return [load, "", *rows, "", _verdict(same, "All printed the same bytes.")]


def _head(*names: str) -> list[str]:
    return [_row(*names), "|" + "---|" * len(names)]


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


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


def main() -> int:
    """Write the page, or compare it; return the exit code."""
    page = PAGE.read_text(encoding="utf-8")
    new = refreshed(page, json.loads(RESULTS.read_text(encoding="utf-8")))
    if "--check" in sys.argv[1:]:
        return int(page != new)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
