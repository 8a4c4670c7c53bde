"""How the extracted checker is held to the verifier: what one accepts, so does the other.

Or another certificate of the same statement is accepted by both.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from exactdp.verifier import verify_bytes
from tests.mutation.mutate import MAX_COST, Mutant, seal
from tests.proofs.checker import lines_of, said_of
from tests.proofs.otherwise import MOST_COST, is_proved_otherwise, with_wide_levels
from tests.proofs.unproved import is_beyond_the_checker, is_known_in_part

COORDINATED: Final = 20
"""How many coordinated mutants of a certificate are compared."""
ACCEPTED: Final = "ACCEPTED  "
NOT_PROVED: Final = "REJECTED  not proved"
_TOO_LONG: Final = "REJECTED  rule grid-fourier: the grid is too long for as many digits"
_GATHERED: Final = ": randomized responses are gathered beside noise"
_TOO_MANY: Final = "REFUSED  there are more points than this checker looks at"
_MASSES: Final = "REFUSED  there are more masses than this checker multiplies"


def written(certificates: Iterable[bytes], folder: Path) -> list[Path]:
    files = []
    for number, data in enumerate(certificates):
        files.append(folder / f"{number}.json")
        files[-1].write_bytes(data)
    return files


def assert_agreement(files: list[Path], max_cost: int) -> None:
    known = [file for file in files if _is_judged(file)]
    verdicts = {file: verify_bytes(file.read_bytes(), max_cost=max_cost) for file in known}
    said = _assert_said(files, max_cost, {file: each.status for file, each in verdicts.items()})
    for file, line in said.items():
        if line.startswith(ACCEPTED) and verdicts[file].status == "accepted":
            assert line == verdicts[file].line, file


def assert_agreement_on(mutants: list[Mutant], folder: Path) -> None:
    files = written((mutant.text.encode() for mutant in mutants), folder)
    made = zip(files, mutants, strict=True)
    statuses = {file: each.status for file, each in made if _is_judged(file)}
    _assert_said(files, MAX_COST, statuses)


def _is_judged(file: Path) -> bool:
    return not is_beyond_the_checker(file) or is_known_in_part(file)


def _assert_said(files: list[Path], max_cost: int, statuses: dict[Path, str]) -> dict[Path, str]:
    """What one accepts, so does the other, or another certificate of the same statement.

    What has no status is beyond the checker, which does not accept it. Returned is what it says.
    """
    said = dict(zip(files, lines_of(files, max_cost), strict=True))
    for file, line in said.items():
        accepted = line.startswith(ACCEPTED)
        if file not in statuses:
            assert not accepted, file
        elif statuses[file] != "accepted":
            assert not accepted or is_proved_otherwise(file.read_bytes()), file
        elif is_known_in_part(file):
            continue
        elif line == NOT_PROVED:
            _assert_that_levels_decide(file)
        else:
            limits = line in (_TOO_LONG, _TOO_MANY, _MASSES) or line.endswith(_GATHERED)
            assert accepted or limits, (line, file)
    return said


def _assert_that_levels_decide(file: Path) -> None:
    """The checker accepts the statement with wide levels.

    Entries of one ε are multiplied apart, so that levels cut a profile in other places.
    """
    with TemporaryDirectory() as folder:
        other = Path(folder) / "wide.json"
        other.write_bytes(seal(with_wide_levels(json.loads(file.read_bytes()))))
        assert said_of([other], MOST_COST) == ["ACCEPTED"], file
