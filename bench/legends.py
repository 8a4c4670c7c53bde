r"""What stands above the tables: what their columns mean.

Rules of this file: what depends on the problems or on a run is made from them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from bench.problems import EXACT, by_noise

HEAD: Final = (
    "# Benchmarks\n\n"
    "Written by `python -m bench` from one run; `--quick` repeats a part in less than a minute, "
    "`--only P4` one row. Raw results, with all versions: "
    "[bench/results.json](../bench/results.json)."
)

MATCHED: Final = (
    "dp-accounting at the coarsest of the meshes 5, 2, 1 times a power of ten whose error is at "
    "most 1e-3, or 1e-4, composed one by one, as its documentation does, or as a balanced tree, "
    "whichever is faster; *none in …*: the meshes that were tried in that time are too coarse. "
    "*×* is how many times exactdp's the call took. Rows that repeat a ledger are left out."
)

STARTING: Final = (
    "Whole processes that ask one small question, in processor time: medians. The limit that "
    "exactdp sets itself is 1.3 times what stands beside."
)

STEPS: Final = (
    "*digits* are certain ones of ε. *certify* makes both certificates after the composition, "
    "*verify* checks both with the standalone verifier, in plain Python, in a process of its own."
)

SERIES: Final = {
    "growth-k": "Mechanisms: P4 with k mechanisms, about 51·k cells, δ = 2^-40, to 1e-12",
    "growth-A": "Cells: 100 mechanisms on a grid of A cells, Σε ≈ 10, δ = 1e-9, to 1e-12",
    "growth-digits": "Digits: P4 to n digits",
    "growth-primes": "No common grid: the logarithms of the first k primes, δ = 1e-9, to 1e-40",
}


def of_rows(widths: Mapping[str, Fraction]) -> str:
    """The legend of the first table, by the widths of exactdp's intervals.

    >>> of_rows({"P1": Fraction("1e-13"), "P9": Fraction("7e-7")})[:78]
    "**Truth** is exactdp's interval, certified at both ends (1e-12 wide; P9: 1e-6)"
    """
    wider = [f"; {name}: {_power(width)}" for name, width in widths.items() if width > _exact()]
    return (
        f"**Truth** is exactdp's interval, certified at both ends ({EXACT} wide{''.join(wider)}). "
        "Of each program stands its ε minus the truth, and its time; **in bold** what is below "
        "the lower end, which is no bound on the privacy lost: UNSOUND. Times are processor time "
        "of the first call in a fresh process, after import; memory is exactdp's peak during it. A "
        "cell is empty where a program raised an exception, answered infinity, ran out of memory, "
        "or exceeded the time."
    )


def of_noise() -> str:
    """The legend of the table of mechanisms by their noise, by what was asked."""
    names: dict[str, list[str]] = {}
    for problem in by_noise():
        names.setdefault(problem.tolerance, []).append(problem.name)
    asked = ", ".join(f"{' and '.join(each)} to {tolerance}" for tolerance, each in names.items())
    return (
        f"DP-SGD and discrete Gaussian noise: {asked} in ε. All else as above, in the same run: of "
        "a program stands how far its ε is above the certified interval, or below it; *within*: "
        "between its ends."
    )


def _exact() -> Fraction:
    return Fraction(EXACT)


def _power(width: Fraction) -> str:
    """The least power of ten that is as wide."""
    return f"1e{math.ceil(math.log10(width))}"
