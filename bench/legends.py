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
    "[bench/results.json](results.json)."
)

MATCHED: Final = (
    "*to*: how wide exactdp's interval is, and its method. dp-accounting was asked at the coarsest "
    "of the meshes 5, 2, 1 times a power of ten whose error is at most 1e-4, or else 1e-3, one by "
    "one, as its documentation does, or as a balanced tree, whichever is faster. *×*: how many "
    "times exactdp's the call took; *none in …*: the meshes that were tried in that time are too "
    "coarse. Of a ledger that is repeated it was asked once."
)

STARTING: Final = (
    "Whole processes that ask one small question: medians of processor time. The limit that "
    "exactdp sets itself is 1.3 times what stands beside."
)

SERIES: Final = {
    "growth-k": "Mechanisms: P4 with k mechanisms, about 51·k cells, δ = 2^-40, to 1e-12",
    "growth-A": "Cells: 100 mechanisms on a grid of A cells, Σε ≈ 10, δ = 1e-9, to 1e-12",
    "growth-digits": "Digits: P4 to n digits",
    "growth-primes": "No common grid: the logarithms of the first k primes, δ = 1e-9, to 1e-40",
}


def of_rows(widths: Mapping[str, Fraction]) -> str:
    """The legend of the first table, by the widths of exactdp's intervals.

    >>> of_rows({"P1": Fraction("1e-13"), "P9": Fraction("7e-7")})[:93]
    '**ε** is the lower bound of exactdp, certified as the upper one is (1e-12 above it; P9: 1e-6)'
    """
    wider = [f"; {name}: {_power(width)}" for name, width in widths.items() if width > _exact()]
    return (
        f"**ε** is the lower bound of exactdp, certified as the upper one is ({EXACT} above it"
        f"{''.join(wider)}). *certify* makes both certificates after *compose*; *verify* checks "
        "both in plain Python, in a process of its own; memory is the peak of *compose*. Of each "
        "other program: its ε minus exactdp's, and its time; **in bold** what is below the lower "
        "bound, which is no bound on the privacy lost: UNSOUND. Times are processor time of the "
        "first call in a fresh process, after import. A cell is empty where a program raised an "
        "exception, answered infinity, ran out of memory, or exceeded the time."
    )


def of_noise() -> str:
    """The legend of the table of mechanisms by their noise, by what was asked."""
    names: dict[str, list[str]] = {}
    for problem in by_noise():
        names.setdefault(problem.tolerance, []).append(problem.name)
    asked = ", ".join(f"{' and '.join(each)} to {tolerance}" for tolerance, each in names.items())
    return (
        f"DP-SGD and discrete Gaussian noise: {asked} in ε, in the same run. Of a program: how far "
        "its ε is above or below the certified interval; *within*: in it."
    )


def _exact() -> Fraction:
    return Fraction(EXACT)


def _power(width: Fraction) -> str:
    """The least power of ten that is as wide."""
    return f"1e{math.ceil(math.log10(width))}"
