r"""``exactdp attack``: what the outcome of an attack rejects.

Rules of this file: it renders what the library answered and computes nothing; exit code 1 means
rejected, and 0 says nothing in favour of a claim.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from exactdp.attacks.attack import attack
from exactdp.attacks.experiment import read_experiment
from exactdp.attacks.rejections import rejection_certificates
from exactdp.cli.composition_options import find_ledger
from exactdp.cli.options import command, stem_of
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import REFUTED, answer
from exactdp.errors import InputError
from exactdp.ledger.model import Ledger
from exactdp.pages.accepted import certificate_files
from exactdp.pages.facts import listed
from exactdp.pages.facts.attack import attack_facts, attack_sentence

_PAIR: Final = re.compile(r"([^,]+),([^,]+)")


def _claimed_ledger(against: str) -> Ledger:
    if against == "-" or Path(against).exists():
        return find_ledger(against, ())
    raise InputError(
        field="--against",
        value=against,
        expected="the file of a ledger, or a pair EPS,DELTA",
        remedy=f"name a file that is there, or write {against},0 for (ε, 0)",
        code="usage",
    )


@command("attack")
def attack_command(
    file: str,
    *,
    against: str | None,
    delta: str | None,
    level: str,
    certificates: Path | None,
    plot: Path | None,
    max_cost: int,
) -> int:
    """Whether the outcome of an attack rejects a claim at a level; exit code 1 if it does.

    OUTCOME is JSON. Many runs: {"members": {"runs": N, "found": A}, "others": {"runs": N, "found":
    B}}, with a test that was fixed before; "thresholds": M if it is the best of M. One run:
    {"canaries": M, "guesses": R, "right": V}, each canary in with probability 1/2, independently,
    and R fixed before; "guess_counts": J if it is the best of J.
    """
    read = [file, *([against] if against and Path(against).exists() else [])]
    check_places(read, certificates=certificates, stem=stem_of(file), plot=plot)
    experiment = read_experiment(file)
    claim: dict[str, Any] = {"delta": delta}
    ledger = pair = None
    if against is not None:
        pair = None if Path(against).exists() else _PAIR.fullmatch(against)
        if pair is None:
            ledger = against
            claim |= {"ledger": _claimed_ledger(against)}
        elif delta is not None:
            raise InputError(
                field="--delta",
                value=delta,
                expected="no --delta beside a pair, which has its own",
                remedy=f"leave out --delta, or ask --against {pair[1]},{delta}",
                code="usage",
            )
        else:
            claim = {"epsilon": pair[1], "delta": pair[2]}
    with working("judging"):
        found = attack(experiment, level=level, max_cost=max_cost, **claim)
        made = {} if certificates is None else rejection_certificates(found, max_cost)
        files: dict[Path, bytes] = {}
        if certificates is not None and made:
            files = certificate_files(certificates, stem_of(file), made)
        written = listed("certificates", "certificates", [*files])
        if plot is not None:
            from exactdp.cli.attack_picture import attack_picture  # noqa: PLC0415 (few ask)

            files[plot] = attack_picture(found, stem_of(file), plot.suffix, max_cost)
    return answer(
        [*attack_facts(found, ledger, certified=bool(made)), *written],
        attack_sentence(found),
        files=files,
        field="--plot" if certificates is None else "--certificates",
        plot=plot,
        code=REFUTED if found.rejected else 0,
    )
