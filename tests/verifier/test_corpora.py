from __future__ import annotations

import hashlib
import json

import pytest

from exactdp.verifier import verify_bytes
from exactdp.verifier.rules import RULES
from tests.marking import each_case
from tests.verifier.format_cases import Case
from tests.verifier.make_rejects import CERTS, accepts, manifest, rejects

CASES = list(rejects())
FALSE = "95eb3392b41de1c95843104bd51d68d2c043a50a53fdda697bf47624381d416a"
"""The digest of the file that says that three queries of (1000, 1/2) are together (0, 0)-DP."""


FOLDERS = sorted({case.name.partition("/")[0] for case in CASES})


def fails_in_its_clause_alone(case: Case) -> bool:
    verdict = verify_bytes((CERTS / "reject" / case.name).read_bytes())
    code = 1 if case.verdict == "rejected" else 2
    return (
        (verdict.status, verdict.exit_code) == (case.verdict, code)
        and case.clause in verdict.reason
        and verify_bytes(case.repaired).status == "accepted"
    )


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_each_bad_file_of_a_folder_fails_in_its_clause_alone(folder: str) -> None:
    cases = [case for case in CASES if case.name.partition("/")[0] == folder]
    assert [case.name for case in cases if not fails_in_its_clause_alone(case)] == []


def test_the_bad_files_are_those_that_the_script_makes() -> None:
    root = CERTS / "reject"
    made = {case.name: case.data for case in CASES}
    assert len(made) == len(CASES)
    for name, data in made.items():
        assert (root / name).read_bytes() == data
    on_disk = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    assert on_disk >= {*made, "manifest.json"}


def test_the_certificate_that_was_accepted_though_it_is_false_stays_rejected() -> None:
    data = (CERTS / "reject" / "misfits" / "reduced-workload-post-processing.json").read_bytes()
    assert hashlib.sha256(data).hexdigest() == FALSE
    assert verify_bytes(data).status == "rejected"


@pytest.mark.slow
def test_the_manifest_names_the_bad_files_of_the_script() -> None:
    written = json.loads((CERTS / "reject" / "manifest.json").read_bytes())
    assert written.items() >= json.loads(manifest()).items()


def test_every_rule_and_both_bounds_have_bad_files() -> None:
    assert set(RULES) < set(FOLDERS)


def _is_long(name: str) -> bool:
    """Convolutions and sweeps over samples, of which the fast suite checks one from each side."""
    short = {"mesh-upper-mixed.json", "mesh-lower-rho.json"}
    return name.startswith(("mesh-", "noise-colouring-s", "noise-rows-s")) and name not in short


@each_case(
    ("name", "data"), [(name, data) for name, data in accepts().items() if not _is_long(name)]
)
def test_the_worked_examples_that_take_no_time_are_accepted(name: str, data: bytes) -> None:
    assert (CERTS / "accept" / name).read_bytes() == data
    assert verify_bytes(data).status == "accepted"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in accepts() if _is_long(name)])
def test_the_worked_examples_of_much_work_are_accepted(name: str) -> None:
    data = accepts()[name]
    assert (CERTS / "accept" / name).read_bytes() == data
    assert verify_bytes(data).status == "accepted"
