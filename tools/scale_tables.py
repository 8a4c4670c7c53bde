r"""Write the tables of ``docs/scale.md`` from ``bench/many.json``.

    python -m tools.scale_tables [--check]

With ``--check`` nothing is written: exit code 1 if the page differs.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "scale.md"
RESULTS: Final = ROOT / "bench" / "many.json"
_BLOCK: Final = re.compile(
    r"<!-- (\w+), written by tools/scale_tables\.py -->\n.*?<!-- end -->\n", re.DOTALL
)
_THOUSAND: Final = 10**3
_SLOW_LEDGER: Final = 100.0


def refreshed(page: str, results: dict[str, Any]) -> str:
    """The page, with its tables as they follow from the results."""
    tables = {"rates": _rates, "certificates": _certificates, "split": _split, "model": _model}

    def table(found: re.Match[str]) -> str:
        name = found[1]
        rows = "\n".join(tables[name](results))
        return f"<!-- {name}, written by tools/scale_tables.py -->\n{rows}\n<!-- end -->\n"

    return _BLOCK.sub(table, page)


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


def _certificates(results: dict[str, Any]) -> list[str]:
    ways, killed = results["certified"], results["killed"]
    rows = _head("", "a second", "processor time for each", "certificates")
    named: set[str] = set()
    for each in ways:
        name = _name(each["options"])
        rows.append(
            _row(
                f"{name}, again" if name in named else name,
                f"{each['ledgers_per_second']:.1f}",
                f"{each['processor_milliseconds_per_ledger']:.2f} ms",
                str(each["certificates"]),
            )
        )
        named.add(name)
    same = len({each["digest_of_certificates"] for each in ways}) == 1
    kills = f"{killed['killed']} times (`kill -9` after every 50th line)"
    return [
        f"{ways[0]['ledgers']} ledgers, with both certificates:",
        "",
        *rows,
        "",
        _verdict(same, "All certificates are equal, byte for byte."),
        f"A run over {killed['ledgers']} ledgers, a worker killed {kills}:",
        f"{killed['summary']}; in the bytes of one process.",
    ]


def _verdict(same: bool, sentence: str) -> str:
    return sentence if same else "THEY DIFFER."


def _split(results: dict[str, Any]) -> list[str]:
    rows = _head("problem", "one core", f"{results['split'][0]['cores']} cores", "gain")
    rows += [
        _row(
            each["problem"],
            f"{each['seconds_on_one']:.2f} s",
            f"{each['seconds_on_all']:.2f} s",
            f"{each['seconds_on_one'] / max(each['seconds_on_all'], 0.01):.2f}",
        )
        for each in results["split"]
    ]
    same = all(each["same"] for each in results["split"])
    return [*rows, "", _verdict(same, "All answers are the same to the last digit.")]


def _model(results: dict[str, Any]) -> list[str]:
    """A million ledgers and a thousand workers, from the measured parts."""
    plain = next(each for each in results["ways"] if each["options"] == "--jobs 1")
    certified = results["certified"][0]
    cluster = next((each for each in results["ways"] if "--cluster" in each["options"]), plain)
    client = plain["client_milliseconds_per_ledger"]
    dask = max(0.0, cluster["client_milliseconds_per_ledger"] - client)
    work = plain["processor_milliseconds_per_ledger"] - client
    client_certified = certified["client_milliseconds_per_ledger"]
    work_certified = certified["processor_milliseconds_per_ledger"] - client_certified
    sent = (results["bytes_per_ledger"] * 3 + plain["bytes_per_answer"]) / _THOUSAND
    files = certified["bytes_of_certificates"] / certified["ledgers"] / _THOUSAND
    busy, busy_slow = work / (client + dask), _SLOW_LEDGER / (client + dask)
    rows = _head("part", "for each", "a million", "for each, with certificates", "a million")
    rows.append(_row("a thousand workers", *_times(work, 1000), *_times(work_certified, 1000)))
    rows.append(_row("the client, one process", *_times(client, 1), *_times(client_certified, 1)))
    rows.append(_row("Dask's client and scheduler", *_times(dask, 1), *_times(dask, 1)))
    rows.append(_row("bytes through the client", *_sizes(sent), *_sizes(sent + files)))
    last = f"One client keeps {busy:.1f} workers of a cluster busy with ledgers as small as these"
    return [*rows, "", f"{last}, and {busy_slow:.0f} where a ledger takes 0.1 s."]


def _times(milliseconds: float, workers: int) -> tuple[str, str]:
    return f"{milliseconds:.2f} ms", f"{milliseconds * _THOUSAND / workers:.1f} s"


def _sizes(kilobytes: float) -> tuple[str, str]:
    return f"{kilobytes:.1f} kB", f"{kilobytes:.1f} GB"


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
