r"""Write the Census's ledgers by noise: ``ledgers/by_noise``.

The production code of the 2020 Census draws discrete Gaussian noise of variance 1/ρ for each query,
and a person who is replaced moves two cells by one. So a mechanism with ρ is written as discrete
Gaussian noise of variance 1/ρ and shifts [1, 1]; claims, source and notes are those of the ledger.

    python tools/noise_ledgers.py [--check]
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import exactdp
from exactdp.ledger import Ledger
from exactdp.mechanisms import ConcentratedMechanism, DiscreteGaussianMechanism

ROOT = Path(__file__).resolve().parent.parent
LEDGERS = ROOT / "ledgers"
BY_NOISE = LEDGERS / "by_noise"
NAMES = (
    "census_2020_dhc_us_persons",
    "census_2020_dhc_us_units",
    "census_2020_pl94_pr_units",
    "census_2020_pl94_us_persons",
    "census_2020_pl94_us_units",
)
SHIFTS = (1, 1)


def by_noise(ledger: Ledger) -> Ledger:
    """The ledger with the noise that has these ρ."""
    entries = tuple(
        DiscreteGaussianMechanism(1 / each.rho, SHIFTS, each.count, each.label)
        for each in ledger.mechanisms
        if isinstance(each, ConcentratedMechanism)
    )
    assert len(entries) == len(ledger.mechanisms)
    return replace(ledger, mechanisms=entries, name=f"{ledger.name}, by noise")


def texts() -> dict[Path, str]:
    """The text of each file."""
    read = {name: exactdp.read_ledger(LEDGERS / f"{name}.json") for name in NAMES}
    return {
        BY_NOISE / f"{name}.json": exactdp.write_ledger(by_noise(ledger))
        for name, ledger in read.items()
    }


def main() -> int:
    """Write the files, or only compare; return the exit code."""
    parser = argparse.ArgumentParser(description="Write the Census's ledgers by noise.")
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if something would")
    options = parser.parse_args()
    changed = 0
    for path, text in texts().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            changed += 1
            if not options.check:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
    return 1 if changed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
