"""Write ``certs/denial-of-service``: certificates that ask for much work, and what is said of each.

    python -m tools.denial_of_service
    python -m tools.denial_of_service --seconds [--random SEED]

The small ones of ``tools.adversaries``. ``manifest.json`` has, for each, what is said of it where
at most ``limit`` may be spent. ``--seconds`` shows what takes longest, and most memory, of all
attacks and of some that are drawn at random: in the verifier, and in the checker where it is built.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exactdp.verifier import verify_bytes
from exactdp.verifier.format.meter import metered
from tools.adversaries import Adversary, small_attacks
from tools.corners import attacks, random_adversaries

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "certs" / "denial-of-service"
MANIFEST: Final = FOLDER / "manifest.json"
LIMIT: Final = 10**9
_UNLIMITED: Final = 10**30
_CHECKER: Final = ROOT / "proofs" / "extracted" / "exactdp-check"
_OF_A_RULE: Final = 20
_SHOWN: Final = 5
_LETTERS: Final = {"ε": "epsilon", "μ": "mu", "α": "alpha", "δ": "delta"}
_LAUNCHER: Final = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL);"
    "spent = resource.getrusage(resource.RUSAGE_CHILDREN);"
    "print(spent.ru_utime + spent.ru_stime, spent.ru_maxrss / 1024)"
)


@dataclass(frozen=True)
class Spent:
    """What a program took for a certificate."""

    seconds: float
    mebibytes: float
    program: str
    name: str


def written() -> Iterator[tuple[str, bytes]]:
    """The files, by their names."""
    with metered(_UNLIMITED):
        for attack in small_attacks():
            yield f"{_name(attack)}.json", attack.data


def line(name: str, data: bytes) -> dict[str, str]:
    """What the manifest has of a file."""
    verdict = verify_bytes(data, max_cost=LIMIT)
    return {"file": name, "reason": verdict.reason, "verdict": verdict.status}


def _name(attack: Adversary) -> str:
    text = f"{attack.rule} {attack.name}"
    for letter, word in _LETTERS.items():
        text = text.replace(letter, word)
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-")


def programs() -> Iterator[tuple[str, list[str]]]:
    """Each verifier that is here, with its command."""
    yield "verifier", [sys.executable, "-m", "exactdp.verifier", "--max-cost", str(LIMIT)]
    if _CHECKER.exists():
        yield "checker", [str(_CHECKER), "--max-cost", str(LIMIT)]


def spent_on(name: str, data: bytes) -> Iterator[Spent]:
    """What each program takes for a certificate, start and all."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(data)
        file.flush()
        for program, command in programs():
            launched = [sys.executable, "-S", "-c", _LAUNCHER, *command, file.name]
            process = subprocess.run(  # noqa: S603 (a program of this repository)
                launched, capture_output=True, text=True, check=True, cwd=ROOT
            )
            seconds, mebibytes = map(float, process.stdout.split())
            yield Spent(seconds, mebibytes, program, name)


def show(seed: int) -> None:
    """Print what takes longest, and what takes most memory."""
    with metered(_UNLIMITED):
        generator = random.Random(seed)  # noqa: S311 (no secret)
        made = [*attacks(), *random_adversaries(generator, _OF_A_RULE)]
    found = [spent for each in made for spent in spent_on(f"{each.rule}: {each.name}", each.data)]
    for program, _ in programs():
        own = [each for each in found if each.program == program]
        for key in ("seconds", "mebibytes"):
            for each in sorted(own, key=lambda spent: -getattr(spent, key))[:_SHOWN]:
                print(f"{program:8} {each.seconds:6.2f} s {each.mebibytes:7.1f} MiB  {each.name}")


def main() -> None:
    """Write them all, and nothing else; or show what they take."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", action="store_true")
    parser.add_argument("--random", type=int, default=1, metavar="SEED")
    options = parser.parse_args()
    if options.seconds:
        show(options.random)
        return
    FOLDER.mkdir(exist_ok=True)
    for stale in FOLDER.glob("*.json"):
        stale.unlink()
    made = dict(written())
    for name, data in made.items():
        (FOLDER / name).write_bytes(data)
    manifest = {"limit": str(LIMIT), "certificates": [line(*each) for each in made.items()]}
    MANIFEST.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
