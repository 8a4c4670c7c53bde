"""Whatever would make a falsehood look proved is found by ``make all chk``.

Each evasion takes the place of an honest proof, in a small development of its own that is audited
by the Makefile of the proofs.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

PROOFS: Final = Path(__file__).resolve().parents[2] / "proofs"
MAKE: Final = shutil.which("make")
COQC: Final = shutil.which("coqc")
HONEST: Final = """\
Definition meaning (n : nat) := n = 2.
Theorem stated : meaning (1 + 1).
Proof. reflexivity. Qed.
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        MAKE is None or COQC is None, reason="proofs/install.sh installs make and Coq"
    ),
]

_FROM_FALSE = "Definition meaning (n : nat) := n = 2.\n{}\nTheorem stated : meaning (1 + 1).\n{}\n"
EVASIONS: Final = {
    "an axiom": _FROM_FALSE.format("Axiom bad : False.", "Proof. destruct bad. Qed."),
    "axioms": _FROM_FALSE.format("Axioms bad : False.", "Proof. destruct bad. Qed."),
    "a parameter": _FROM_FALSE.format("Parameter bad : False.", "Proof. destruct bad. Qed."),
    "parameters": _FROM_FALSE.format("Parameters bad : False.", "Proof. destruct bad. Qed."),
    "a context outside of sections": _FROM_FALSE.format(
        "Context (bad : False).", "Proof. destruct bad. Qed."
    ),
    "a proof that is admitted": _FROM_FALSE.format("", "Proof. Admitted."),
    "an obligation that is admitted": _FROM_FALSE.format(
        "From Coq Require Import Program.\nProgram Definition bad : False := _.\n"
        "Admit Obligations of bad.",
        "Proof. destruct bad. Qed.",
    ),
    "recursion that does not end": _FROM_FALSE.format(
        "Unset Guard Checking.\nFixpoint bad (n : nat) : False := bad n.\nSet Guard Checking.",
        "Proof. destruct (bad 0). Qed.",
    ),
    "a type that is not positive": _FROM_FALSE.format(
        "Unset Positivity Checking.\nInductive no : Prop := No : (no -> False) -> no.\n"
        "Set Positivity Checking.\n"
        "Definition self (x : no) : False := match x with No f => f x end.\n"
        "Definition bad : False := self (No self).",
        "Proof. destruct bad. Qed.",
    ),
    "types without universes": _FROM_FALSE.format(
        "Unset Universe Checking.\nDefinition large : Set := Type.\nSet Universe Checking.",
        "Proof. reflexivity. Qed.",
    ),
    "an axiom that no theorem uses": _FROM_FALSE.format(
        "Axioms unused : False.", "Proof. reflexivity. Qed."
    ),
    "a definition that means less": (
        "Definition meaning (n : nat) := True.\n"
        "Theorem stated : meaning (1 + 1).\nProof. exact I. Qed.\n"
    ),
    "a statement that says less": (
        "Definition meaning (n : nat) := n = 2.\n"
        "Theorem stated : meaning 3 -> meaning (1 + 1).\nProof. reflexivity. Qed.\n"
    ),
    "a theorem that is a lemma now": HONEST.replace("Theorem", "Lemma"),
    "a theorem that has gone": "Definition meaning (n : nat) := n = 2.\n",
}


def _made(folder: Path, *targets: str) -> subprocess.CompletedProcess[str]:
    return _ran(folder, MAKE, "--no-print-directory", *targets)


def _ran(folder: Path, program: str | None, *arguments: str) -> subprocess.CompletedProcess[str]:
    assert program is not None
    return subprocess.run(
        [program, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A development of one theorem, accepted as it is."""
    folder = tmp_path_factory.mktemp("honest")
    for name in ("Makefile", "_CoqProject", "groups.awk"):
        shutil.copy(PROOFS / name, folder)
    (folder / "definitions.txt").write_text("Only.meaning\n")
    (folder / "Only.v").write_text(HONEST)
    made = _made(folder, "accept", "accept-chk")
    assert made.returncode == 0, made.stderr
    return folder


def test_an_honest_proof_passes(honest: Path) -> None:
    made = _made(honest, "all", "chk")
    assert made.returncode == 0, made.stderr
    assert "The statements are those of statements.txt." in made.stdout
    assert "The axioms are those of assumptions.txt." in made.stdout
    assert "coqchk finds the axioms of checked.txt." in made.stdout


@pytest.mark.parametrize("evasion", EVASIONS)
def test_an_evasion_is_found(honest: Path, tmp_path: Path, evasion: str) -> None:
    folder = tmp_path / "evasive"
    shutil.copytree(honest, folder)
    (folder / "Only.v").write_text(EVASIONS[evasion])
    compiled = _ran(folder, COQC, "-q", "-w", "+default", "-R", ".", "ExactDP", "Only.v")
    assert compiled.returncode == 0, compiled.stderr
    assert _made(folder, "all", "chk").returncode != 0
