"""No byte of a file that a terminal obeys is in what the program around the proofs prints."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.cli.test_said_letters import LINE

ROOT: Final = Path(__file__).resolve().parents[2]
DRIVER: Final = ROOT / "proofs" / "checker"
CONTROLS: Final = ("\x1b[2J", "\x9b2J", "\x85", "\x00", "\r", "\x7f", "\u202e", "\u2028", LINE)
CHECKS: Final = """
type 'a planned =
  Planned of 'a | Rejected of char list | Malformed of char list | Refused of char list
type question = { the_ledger : char list option; the_claim : (char list * char list) option }
let accepts_as_asked _ _ _ = function
  | 'M' :: why -> Malformed why | 'R' :: why -> Refused why | why -> Rejected why
"""
"""In the place of the proofs: the file itself is the reason."""
MODULES: Final = ("integer.ml", "checks.ml", "sha256.ml", "verdict.ml", "main.ml")


def said(program: Path, files: list[Path]) -> list[bytes]:
    """The lines about files."""
    command = [str(program), *map(str, files)]
    run = subprocess.run(command, capture_output=True, check=False)
    assert run.returncode in (1, 2)
    return run.stdout.splitlines(keepends=True)


def assert_one_line_each(lines: list[bytes], number: int) -> None:
    assert len(lines) == number
    for line in lines:
        assert line.endswith(b"\n")
        assert all(32 <= byte < 127 for byte in line[:-1]), line


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that is written by hand, around checks that say what the file says."""
    if shutil.which("ocamlfind") is None:
        pytest.skip("proofs/install.sh installs OCaml")
    folder = tmp_path_factory.mktemp("driver")
    for source in DRIVER.glob("*.ml"):
        shutil.copy(source, folder)
    (folder / "checks.ml").write_text(CHECKS)
    command = f"ocamlfind ocamlopt -package zarith,unix -linkpkg {' '.join(MODULES)} -o driver"
    subprocess.run(command.split(), cwd=folder, check=True)
    return folder / "driver"


@pytest.mark.slow
def test_whatever_the_checks_say_the_program_prints_a_line_of_ascii(
    driver: Path, tmp_path: Path
) -> None:
    files = []
    for kind in (b"", b"M", b"R"):
        for byte in range(256):
            files.append(tmp_path / f"{kind.decode()}{byte}.json")
            files[-1].write_bytes(kind + bytes([byte]) + b"2J\ncert.json  ACCEPTED")
    assert_one_line_each(said(driver, files), len(files))


def test_the_name_of_a_file_is_printed_in_ascii(driver: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"{control}x".replace("\0", "").replace("/", "") for control in CONTROLS]
    assert_one_line_each(said(driver, files), len(files))  # of files that are not there
    for file in files:
        file.write_bytes(b"why")
    assert_one_line_each(said(driver, files), len(files))
