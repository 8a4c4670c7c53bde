"""Write ``certs/dear``: attacks on the cost of checking, what is said of each, and at which price.

    python -m tools.dear_certificates

The small ones of ``tools.adversaries``. A file states the cost that is asked of it.
``manifest.json`` has, for each, the cost and what is said of it where at most ``limit`` may be
spent; with a lower limit than the cost every one of them is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exactdp.verifier import verify_bytes
from tools.adversaries import Adversary, small_attacks
from tools.measure_costs import priced

DEAR: Final = Path(__file__).resolve().parents[1] / "certs" / "dear"
MANIFEST: Final = DEAR / "manifest.json"
LIMIT: Final = 6 * 10**8
_LETTERS: Final = {"ε": "epsilon", "μ": "mu", "α": "alpha", "δ": "delta"}


@dataclass(frozen=True)
class Dear:
    """A certificate, its cost, and what is said of it."""

    name: str
    data: bytes
    cost: int
    verdict: str
    reason: str

    @property
    def line(self) -> dict[str, str]:
        """What the manifest has of it."""
        return {
            "cost": str(self.cost),
            "file": f"{self.name}.json",
            "reason": self.reason,
            "verdict": self.verdict,
        }


def dear() -> Iterator[Dear]:
    """The small ones."""
    for attack in small_attacks():
        data, cost = priced(attack)
        verdict = verify_bytes(data, max_cost=LIMIT)
        yield Dear(_name(attack), data, cost, verdict.status, verdict.reason)


def _name(attack: Adversary) -> str:
    text = f"{attack.rule} {attack.name}"
    for letter, word in _LETTERS.items():
        text = text.replace(letter, word)
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-")


def main() -> None:
    """Write them all, and nothing else."""
    DEAR.mkdir(exist_ok=True)
    for stale in DEAR.glob("*.json"):
        stale.unlink()
    made = list(dear())
    for each in made:
        (DEAR / f"{each.name}.json").write_bytes(each.data)
    manifest = {"limit": str(LIMIT), "certificates": [each.line for each in made]}
    MANIFEST.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
