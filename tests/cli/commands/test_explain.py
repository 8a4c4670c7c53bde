"""``exactdp explain``: what a certificate says, in words that stay true."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest

from exactdp.certificate.rule_table import RULES
from exactdp.composition.closed_forms.table import CLOSED_FORMS
from tests.cli.running import LEDGERS, Answer, exactdp
from tests.marking import each_case

ACCEPT: Final = Path(__file__).resolve().parents[3] / "certs" / "accept"
ACCEPTED: Final = sorted(ACCEPT.glob("*.json"))
OFF_GRID: Final = ("-m", "0.1234567*10", "-m", "0.237771*5", "--method", "bracket")
ODDS: Final = ("-m", "ln(3)*2", "--method", "atoms")
LATTICE: Final = ("-m", "1/4+ln(2)*3", "-m", "0.3", "--method", "atoms")
CASES: Final = {
    ("trivial", "upper"): ("-m", "1", "--epsilon", "0", "--delta", "1"),
    ("sum", "upper"): ("-m", "0.1*20", "--epsilon", "2", "--delta", "0"),
    ("sum", "lower"): ("-m", "0.1*20", "--epsilon", "1.9", "--delta", "0"),
    ("trivial", "lower"): ("-m", "1,1/10*2", "--epsilon", "5", "--delta", "18/100"),
    ("atoms", "upper"): (*ODDS, "--epsilon", "ln(37/5)", "--delta", "1/10"),
    ("atoms", "lower"): (*ODDS, "--epsilon", "2", "--delta", "1/10"),
    ("grid", "upper"): ("-m", "0.1,1e-9*20", "--epsilon", "1.99", "--delta", "1e-6"),
    ("grid", "lower"): ("-m", "0.1,1e-9*20", "--epsilon", "1/3", "--delta", "1e-6"),
    ("mesh-upper", "upper"): (*OFF_GRID, "--epsilon", "2.3", "--delta", "1e-3"),
    ("mesh-lower", "lower"): (*OFF_GRID, "--epsilon", "0.5", "--delta", "1e-3"),
}
PLAYED: Final = {"upper": "post-processing", "lower": "distinguishing-adversary"}


def _explained(*arguments: str, options: tuple[str, ...] = ()) -> Answer:
    Path("c.json").unlink(missing_ok=True)
    assert exactdp("certify", *arguments, "-o", "c.json").code in (0, 1)
    return exactdp("explain", "c.json", *options)


@pytest.mark.slow
@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_every_accepted_certificate_is_explained_without_a_gap(path: Path) -> None:
    answer = exactdp("explain", str(path), "--json")
    assert answer.code == 0
    shown = answer.result["check"].replace("{i − 1}", "").replace("{(g−1)ε}", "")
    assert shown
    assert not {"{", "}"} & set(shown)


def test_every_sentence_of_the_table_is_shown_for_an_accepted_certificate() -> None:
    steps = [step for path in ACCEPTED for step in json.loads(path.read_bytes())["derivation"]]
    shown = {(step["rule"], step["parameters"].get("bound")) for step in steps}
    about_one = {rule for rule, bound in shown if bound is None}
    reductions = {rule for rule, row in RULES.items() if "workload" in row.about}
    reductions |= {"filter"}
    assert about_one == reductions
    for rule, row in RULES.items():
        assert rule in about_one or {(rule, kind) for kind in row.kinds} <= shown


@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_what_a_closed_form_gives_is_explained_by_the_rule_that_proves_it(name: str) -> None:
    arguments = ("-m", "0.01,1e-9*1000", "--delta", "1e-5", "--certificates", "made")
    assert exactdp("bounds", *arguments).code == 0
    answer = exactdp("explain", f"made/ledger.{name}.json", "--json")
    (step,) = json.loads(Path(f"made/ledger.{name}.json").read_bytes())["derivation"]
    rule = step["rule"]
    assert answer.result["theorem"] == RULES[rule].theorem.citation
    assert answer.result["check"].startswith(RULES[rule].kinds["upper"].partition("{")[0])


ABOUT_CHAINS: Final = sorted((*ACCEPT.glob("concurrent-*"), *ACCEPT.glob("group-*")))


@pytest.mark.parametrize("path", ABOUT_CHAINS, ids=lambda path: path.stem)
def test_a_certificate_about_groups_or_interleaving_is_explained(path: Path) -> None:
    answer = exactdp("explain", str(path))
    assert (answer.code, answer.err) == (0, "")
    words = " ".join(answer.out.split())
    assert ("an adversary interleaves its questions" in words) == ("concurrent" in path.stem)
    assert ("for groups of up to" in words) == ("group" in path.stem)
    assert "section 7" not in words
    assert "see certs/SPEC.md" not in words


@pytest.mark.parametrize(("bound", "rule"), PLAYED.items())
@pytest.mark.parametrize("delta", ["0", "1/10"])
def test_a_certificate_about_interactive_mechanisms_is_explained(
    bound: str, rule: str, delta: str
) -> None:
    sources = [str(LEDGERS / "interactive" / "randomized_response.json")] * 2
    assert exactdp("interactive", *sources, "--delta", delta, "--certificates", ".").code == 0
    answer = exactdp("explain", f"randomized_response-randomized_response.{bound}.json")
    assert (answer.code, answer.err) == (0, "")
    assert "2 interactive mechanisms, written out" in " ".join(answer.out.split())
    assert "(see certs/SPEC.md)" not in answer.out
    words = "never sees the input" if rule == "post-processing" else "what to ask after each"
    assert words in " ".join(answer.out.split())
    assert answer.details[-1].startswith("ACCEPTED  ")


def test_an_infinite_loss_is_explained() -> None:
    source = str(LEDGERS / "interactive" / "second_question.json")
    assert exactdp("interactive", source, "--certificates", ".").code == 0
    answer = " ".join(exactdp("explain", "second_question.lower.json").out.split())
    assert "outcomes that one input excludes" in answer
    assert "whatever the finite ε" in answer


CONVERSIONS: Final = ("zcdp", "renyi", "gaussian")
ABOUT_CONVERSIONS: Final = [path for path in ACCEPTED if path.stem.startswith(CONVERSIONS)]


@pytest.mark.parametrize("path", ABOUT_CONVERSIONS, ids=lambda path: path.stem)
def test_a_certificate_about_rho_or_mu_is_explained(path: Path) -> None:
    answer = exactdp("explain", str(path))
    assert (answer.code, answer.err) == (0, "")
    words = " ".join(answer.out.split())
    said = {
        "upper": "However these mechanisms are composed",
        "lower": "nobody may promise that, or anything stronger",
        "underivable": "That is about the formula alone: it refutes no promise",
    }
    kinds = [json.loads(path.read_bytes())["statement"]["kind"]]
    assert [kind for kind, text in said.items() if text in words] == kinds
    assert answer.details[-1].startswith("ACCEPTED  ")
    assert "arXiv" in words or "TCC 2016-B" in words


def test_noise_without_any_delta_is_explained() -> None:
    answer = exactdp("explain", str(ACCEPT / "trivial-noise-lower.json"))
    assert "leaves nothing to Gaussian noise" in " ".join(answer.out.split())


@each_case(("rule", "bound"), CASES)
def test_an_accepted_certificate_is_explained(rule: str, bound: str) -> None:
    answer = _explained(*CASES[rule, bound])
    assert (answer.code, answer.err) == (0, "")
    assert f'"rule":"{rule}"' in Path("c.json").read_text()
    words = " ".join(answer.out.split())
    if bound == "upper":
        assert "However these mechanisms are composed, the whole is (ε, δ)-differentially" in words
    else:
        assert "Some composition of these mechanisms is not (ε, δ)-differentially" in words
        assert "nobody may promise that, or anything stronger" in words
    assert answer.details[-1].startswith("ACCEPTED  ")
    assert max(map(len, answer.details[:-1])) <= 88
    for name in ("claimed", "of", "by", "checked", "not checked", "digest"):
        assert re.search(f"^{name}  ", answer.out, re.MULTILINE)


def test_the_whole_page_reads_like_this() -> None:
    assert (
        _explained(*CASES["grid", "upper"]).out
        == """\
The verifier accepts this certificate, and so what it claims is proved.

claimed       However these mechanisms are composed, the whole is (ε, δ)-differentially
              private with ε = 1.99 and δ = 1e-6.
of            20 mechanisms with the parameters below, fixed in advance, run one after
              the other, each free to depend on the answers before it. Neighbouring
              inputs are those of the mechanisms, whatever they are.
              ε     δ      count
              0.1   1e-9   20
by            The optimal composition theorem: Murtagh and Vadhan, Theory of Computing
              14(8), 2018, Theorem 1.5; for adaptive composition, Theorem 3.4 of the TCC
              2016 version.
checked       Each ε was rounded up to a multiple of 0.1. The distribution of the
              privacy loss was then computed anew, in whole numbers of 12 decimal
              digits, rounded down. What rounding lost was counted against the claim,
              and still the theorem's sum does not exceed what δ allows.
not checked   That the mechanisms are private with these parameters, and that the
              parameters were fixed in advance, is taken as given: no certificate of
              composition can show it.
digest        SHA-256 87ad72707a026d792526a4f6542ea78e7c89be7a966c364c4ba4672356885c93

ACCEPTED  ε ≤ 1.99 at δ = 1e-6 for 20 mechanisms (upper, adaptive)
"""
    )


def test_infeasible_is_about_every_epsilon() -> None:
    words = " ".join(_explained(*CASES["trivial", "lower"]).out.split())
    assert "private with δ = 0.18, whatever the finite ε." in words


def test_long_numbers_are_rounded_so_that_the_sentence_stays_true() -> None:
    digits = "3" * 50
    for epsilon, delta, end in (("1." + digits, "1e-6", "up"), ("0." + digits, "1/3000001", "low")):
        answer = _explained("-m", "0.1*10", "--epsilon", epsilon, "--delta", delta)
        shown = re.search(r"with ε = (\S+) and δ = (\S+)\.", " ".join(answer.out.split()))
        assert shown is not None
        said = Fraction(shown[1]), Fraction(shown[2])
        stated = Fraction(epsilon), Fraction(delta)
        assert len(shown[1]) < 30
        assert said >= stated if end == "up" else said <= stated


def test_json_holds_the_sentences() -> None:
    result = _explained(*CASES["sum", "upper"], options=("--json",)).result
    assert set(result) == {
        "status", "claim", "subject", "theorem", "check", "limits", "digest", "verdict",
    }  # fmt: skip
    assert result["status"] == "accepted"


def test_many_mechanisms_are_not_all_listed() -> None:
    inline = [part for i in range(1, 41) for part in ("-m", f"0.0{i:02}")]
    answer = _explained(*inline, "--epsilon", "9", "--delta", "0")
    assert re.search(r"^ +… +and 20 more kinds$", answer.out, re.MULTILINE)


def test_what_is_not_accepted_is_not_explained(place: Path) -> None:
    _explained(*CASES["sum", "upper"])
    text = Path("c.json").read_text().replace('"20"', '"21"')
    Path("c.json").write_text(text)
    answer = exactdp("explain", "c.json")
    assert answer.code == 1
    assert answer.details[0].startswith("REJECTED  reason: ")
    assert answer.details[1] == "It proves nothing, so there is nothing to explain."
    assert exactdp("explain", "c.json", "--json").result["status"] == "rejected"
    Path("c.json").write_text(text[:-1])
    assert exactdp("explain", "c.json").code == 2
    del place


def test_a_certificate_about_another_ledger_is_not_explained() -> None:
    options = ("-m", "0.1*19")
    answer = _explained(*CASES["sum", "upper"], options=options)
    assert (answer.code, answer.details[0].split()[0]) == (1, "REJECTED")


def test_what_was_too_costly_to_check_is_not_explained() -> None:
    answer = _explained(*CASES["sum", "upper"], options=("--max-cost", "1"))
    assert (answer.code, answer.details[0].split()[0]) == (2, "REFUSED")
    assert answer.details[1].startswith("It was not checked")


def test_shuffled_reports_are_explained_in_words() -> None:
    path = ACCEPT / "mesh-lower-any-randomizer.json"
    text = " ".join(exactdp("explain", str(path)).out.split())
    assert "2 × 60 shuffled reports of any randomizer, with odds at most 3" in text
