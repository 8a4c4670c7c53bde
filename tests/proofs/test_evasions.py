"""Whatever would make a falsehood look proved is found by ``make all chk``.

Each evasion changes an honest development, which is audited by the Makefile of the proofs: another
text of one of its files that compiles, or a file beside them.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

PROOFS: Final = Path(__file__).resolve().parents[2] / "proofs"
MAKE: Final = shutil.which("make")
COQC: Final = shutil.which("coqc")
AUDIT: Final = ("Makefile", "_CoqProject", "groups.awk", "closure.elpi", "guard.elpi")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        MAKE is None or COQC is None, reason="proofs/install.sh installs make and Coq"
    ),
]


def _deep(core: str) -> str:
    for _ in range(60):
        core = f"(True -> {core} /\\ True)"
    return f"Definition deep (n : nat) := {core}.\n"


HELPER: Final = "Definition is_two (n : nat) := n = 2.\n"
HONEST: Final = (
    """\
From ExactDP Require Import Helper.

Definition meaning (n : nat) := is_two n.
Theorem stated : meaning (1 + 1).
Proof. reflexivity. Qed.

Definition of_base {P : nat -> Prop} (base : P 0) (n : nat) := P n.
Definition even (n : nat) := exists k, n = k + k.
Lemma even_0 : even 0. Proof. exists 0; reflexivity. Qed.
Theorem implicit : of_base even_0 2.
Proof. exists 1; reflexivity. Qed.

Inductive answer := Yes | No.
Definition truth (a : answer) : Prop := a = Yes.
Coercion truth : answer >-> Sortclass.
Definition coerced (a : answer) : Prop := a.
Theorem by_coercion : coerced Yes.
Proof. reflexivity. Qed.

Structure order := Order { precedes : nat -> nat -> Prop }.
Definition below {o : order} := precedes o.
Definition usual := Order le.
Definition least (n : nat) := below (o := usual) n 0.
Theorem by_structure : least 0.
Proof. apply le_n. Qed.

"""
    + _deep("n = 2")
    + """\
Theorem far_below : deep (1 + 1).
Proof. repeat (split || intro || reflexivity). Qed.

Lemma stated_again : meaning (1 + 1). Proof. reflexivity. Qed.
Theorem stated_again' : meaning 2 /\\ meaning (0 + 2).
Proof. split; reflexivity. Qed.

Definition check (n : nat) : bool := Nat.eqb n 2.
Theorem check_sound n : check n = true -> meaning n.
Proof. destruct n as [|[|[|n]]]; try discriminate; reflexivity. Qed.

Fixpoint sum (l : list nat) : nat := match l with nil => 0 | cons n rest => n + sum rest end.

Definition last (n : nat) := n = 3.
Theorem stated_last : last (1 + 2).
Proof. first [exact I | reflexivity]. Qed.
"""
)
_STATED = "Theorem stated : meaning (1 + 1).\nProof. reflexivity. Qed.\n"
_MATCH_ON_MATCH = """\
Definition not_zero (n : nat) : Prop := match n with O => False | S _ => True end.
Definition not_one (n : nat) : Prop := match n with O => False | S n => not_zero n end.
Fixpoint bad (n : nat) {struct n} : not_zero n -> False.
  refine match n with
  | O => fun h => h
  | S below => fun h =>
    let f (b : bool) (e : b = true) (x : nat) (hx : not_one x) :=
      let arg := (match (if b then x else below) with O => below | S under => under end) in
      bad arg _ in f true (Logic.eq_refl true) 5%nat I
  end.
  subst b. destruct x; cbn in hx; [now exfalso|assumption].
Defined.
"""


def _before(declaration: str, proof: str = "Proof. destruct bad. Qed.") -> dict[str, str]:
    """Something before the first theorem, and another proof of it."""
    theorem = _STATED.replace("Proof. reflexivity. Qed.", proof)
    return _other(_STATED, f"{declaration}\n{theorem}")


def _other(old: str, new: str) -> dict[str, str]:
    assert HONEST.count(old) == 1
    return {"Only.v": HONEST.replace(old, new)}


def _flag(flag: str) -> dict[str, str]:
    return {"_CoqProject": f"-R . ExactDP\n-arg -q -arg {flag}\n"}


EVASIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "an axiom": _before("Axiom bad : False."),
    "axioms": _before("Axioms bad : False."),
    "a parameter": _before("Parameter bad : False."),
    "parameters": _before("Parameters bad : False."),
    "a context outside of sections": _before("Context (bad : False)."),
    "a proof that is admitted": _before("", "Proof. Admitted."),
    "an obligation that is admitted": _before(
        "From Coq Require Import Program.\nProgram Definition bad : False := _.\n"
        "Admit Obligations of bad."
    ),
    "recursion that does not end": _before(
        "Unset Guard Checking.\nFixpoint bad (n : nat) : False := bad n.\nSet Guard Checking.",
        "Proof. destruct (bad 0). Qed.",
    ),
    "recursion that is not checked": _before(
        "#[bypass_check(guard)] Fixpoint bad (n : nat) : False := bad n.",
        "Proof. destruct (bad 0). Qed.",
    ),
    "a match on a match, which this kernel takes for smaller": _before(
        _MATCH_ON_MATCH, "Proof. destruct (@bad 1 I). Qed."
    ),
    "a falsehood by recursion that no theorem uses": _before(
        _MATCH_ON_MATCH, "Proof. reflexivity. Qed."
    ),
    "recursion in a proof": _before(
        _MATCH_ON_MATCH.replace(
            "Fixpoint bad (n : nat) {struct n} : not_zero n -> False.",
            "Lemma bad : forall n : nat, not_zero n -> False.\n  fix bad 1. intro n.",
        ).replace("Defined.", "Qed."),
        "Proof. destruct (@bad 1 I). Qed.",
    ),
    "a type that is not positive": _before(
        "Unset Positivity Checking.\nInductive no : Prop := No_ : (no -> False) -> no.\n"
        "Set Positivity Checking.\n"
        "Definition self (x : no) : False := match x with No_ f => f x end.\n"
        "Definition bad : False := self (No_ self)."
    ),
    "types without universes": _before(
        "Unset Universe Checking.\nDefinition large : Set := Type.\nSet Universe Checking.",
        "Proof. reflexivity. Qed.",
    ),
    "an axiom that no theorem uses": _before("Axioms unused : False.", "Proof. reflexivity. Qed."),
    "an axiom in another file": {
        **_before("Load bad."),
        "bad.v": "Axiom bad : False.\n",
    },
    "an axiom behind a type of modules": _before(
        "Module Type T. Parameters bad : False. End T.\nDeclare Module M : T.",
        "Proof. destruct M.bad. Qed.",
    ),
    "universes that are switched off for all files": _flag("-type-in-type"),
    "another theory for all files": _flag("-impredicative-set"),
    "a definition that means less": _other(
        "Definition meaning (n : nat) := is_two n.", "Definition meaning (n : nat) := n = n."
    ),
    "a definition far below that means less": {
        "Helper.v": HELPER.replace("n = 2", "n = n"),
    },
    "a definition of the same name in a folder": {
        **_other("ExactDP Require Import Helper", "ExactDP.folder Require Import Helper"),
        "folder/Helper.v": HELPER.replace("n = 2", "n = n"),
    },
    "an implicit argument that means less": _other(
        "exists k, n = k + k.", "exists k, k + k = k + k."
    ),
    "a coercion that means less": _other(
        "Definition truth (a : answer) : Prop := a = Yes.",
        "Definition truth (a : answer) : Prop := a = a.",
    ),
    "another structure of the same type": _other(
        "Definition least (n : nat) := below (o := usual)",
        "Definition reverse := Order ge.\nDefinition least (n : nat) := below (o := reverse)",
    ),
    "a statement that means less far below": _other(_deep("n = 2"), _deep("n = n")),
    "a statement that is not printed to its end": _before(
        "#[global] Set Printing Depth 3.", "Proof. reflexivity. Qed."
    )
    | {"Helper.v": HELPER.replace("n = 2", "n = n")},
    "another meaning of the sign =": _other(
        "Definition last (n : nat)",
        'Definition same {A} (x y : A) := True.\nNotation "x = y" := (same x y) : type_scope.\n'
        "Definition last (n : nat)",
    ),
    "a statement that says less": _other(
        "Theorem stated : meaning (1 + 1).", "Theorem stated : meaning 3 -> meaning (1 + 1)."
    ),
    "a statement under a name with a prime that says less": _other(
        "Theorem stated_again' : meaning 2 /\\ meaning (0 + 2).\nProof. split; reflexivity. Qed.",
        "Theorem stated_again' : True.\nProof. exact I. Qed.",
    ),
    "a theorem that is a lemma now": _other("Theorem stated :", "Lemma stated :"),
    "a theorem that has gone": _other(_STATED, ""),
    "another program in the place of a check": _other(
        "Theorem check_sound",
        'From Coq Require Extraction.\nExtract Constant check => "(fun _ -> true)".\n'
        "Theorem check_sound",
    ),
    "another program in the place of what a check calls": _other(
        "Theorem check_sound",
        "From Coq Require Extraction.\n"
        'Extract Inlined Constant Nat.eqb => "(fun _ _ -> true)".\nTheorem check_sound',
    ),
    "another program where programs are named": {
        "Extract.v": "From Coq Require Import Extraction.\nFrom ExactDP Require Import Only.\n"
        'Extract Constant check => "(fun _ -> true)".\nExtraction "checks.ml" check.\n'
    },
    "another compiler": {"Makefile.coq.local": "COQC = ./other\n"},
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
    """A development of a few theorems, accepted as it is."""
    folder = tmp_path_factory.mktemp("honest")
    for name in AUDIT:
        shutil.copy(PROOFS / name, folder)
    (folder / "roots.txt").write_text("Only\n")
    (folder / "Helper.v").write_text(HELPER)
    (folder / "Only.v").write_text(HONEST)
    (folder / "Extract.v").write_text(
        "From Coq Require Import Extraction.\nFrom ExactDP Require Import Only.\n"
        'Extraction "checks.ml" check.\n'
    )
    made = _made(folder, "accept", "accept-chk")
    assert made.returncode == 0, made.stderr
    return folder


def test_an_honest_proof_passes(honest: Path) -> None:
    made = _made(honest, "all", "chk")
    assert made.returncode == 0, made.stderr
    assert "The statements are those of statements.txt." in made.stdout
    assert "Whatever printing leaves out is as in hashes.txt." in made.stdout
    assert "The axioms are those of assumptions.txt." in made.stdout
    assert "coqchk finds the axioms of checked.txt." in made.stdout


@pytest.mark.parametrize("evasion", EVASIONS)
def test_an_evasion_is_found(honest: Path, tmp_path: Path, evasion: str) -> None:
    folder = tmp_path / "evasive"
    shutil.copytree(honest, folder)
    files = EVASIONS[evasion]
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    sources = [name for name in files if name.endswith(".v") and name != "Extract.v"]
    for name in sorted(sources, reverse=True, key=lambda name: name != "Only.v"):
        compiled = _ran(folder, COQC, "-q", "-w", "none", "-R", ".", "ExactDP", name)
        assert compiled.returncode == 0, compiled.stderr
    assert _made(folder, "all", "chk").returncode != 0
