"""The checker and the verifier say the same sentence, and the same of what is asked besides."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from exactdp.verifier import DEFAULT_MAX_COST, verify_bytes
from exactdp.verifier.format.numbers import canonical, parse
from tests.mutation.mutate import Document, seal
from tests.proofs.agreement import written
from tests.proofs.checker import lines_of
from tests.proofs.unproved import is_beyond_the_checker
from tests.verifier import handmade, interactive_cases, noise_cases

ROOT = Path(__file__).resolve().parents[2]
DEPLOYMENTS = [
    file
    for file in sorted(ROOT.glob("certs/deployments/*.json"))
    if not is_beyond_the_checker(file)
]
LEDGERS = ROOT / "ledgers"

pytestmark = pytest.mark.usefixtures("checker")


def assert_same_answer(
    file: Path, ledger: bytes | None = None, claim: tuple[str, str] | None = None
) -> str:
    """The verdict of both: an accepted one in the same words."""
    asked = [] if claim is None else ["--claim", ",".join(claim)]
    if ledger is not None:
        path = file.with_suffix(".ledger")
        path.write_bytes(ledger)
        asked += ["--ledger", str(path)]
    [line] = lines_of([file], DEFAULT_MAX_COST, *asked)
    verdict = verify_bytes(file.read_bytes(), ledger=ledger, claim=claim)
    assert line.split()[0].lower() == verdict.status, (line, verdict.line)
    if verdict.status == "accepted":
        assert line == verdict.line
    return line


# --- sentences ----------------------------------------------------------------------------------

ODD_NUMBERS = (
    "0",
    "1/3",
    "ln(37/5)",
    "1/4 + ln(2)",
    f"ln({'7' * 40})",
    f"ln(1{'0' * 90}1) - 91*ln(10)",
    f"1{'0' * 33}",
    f"1{'0' * 40}",
    f"1/1{'0' * 300}",
    "1234567890123456789/1000",
    "0.1*ln(3/2) + 2^-70",
)


def at_random(chance: Random, number: int) -> list[str]:
    """Rationals of all sizes, and some times a logarithm."""
    made = []
    for _ in range(number):
        above = chance.randrange(1, 10 ** chance.randrange(1, 40))
        below = chance.choice((1, 10 ** chance.randrange(40), above + 7, 2 ** chance.randrange(90)))
        made.append(str(Fraction(above, below)))
        made.append(
            f"{made[-1]} + 3/11*ln({chance.randrange(2, 10 ** chance.randrange(1, 30)) + 1})"
        )
    return made


def test_both_show_every_number_alike(tmp_path: Path) -> None:
    chance = Random(3)  # noqa: S311 (a fixed sample)
    made = []
    for text in [*ODD_NUMBERS, *at_random(chance, 40)]:
        epsilon = canonical(parse(text))
        delta = str(Fraction(1, chance.randrange(2, 10**20)))
        made.append(seal(handmade.simple("sum", "upper", [(epsilon, delta, 1)], epsilon, delta)))
    files = written(made, tmp_path)
    lines = lines_of(files, DEFAULT_MAX_COST)
    assert lines == [verify_bytes(data).line for data in made]
    assert all(line.startswith("ACCEPTED  ε ≤ ") for line in lines)


# --- ledgers ------------------------------------------------------------------------------------


def ledgers_of(certificate: Path) -> list[Path]:
    name = f"{certificate.name.split('.')[0]}.json"
    return [path for path in (LEDGERS / name, LEDGERS / "by_noise" / name) if path.exists()]


@pytest.mark.slow
def test_a_deployment_is_about_its_ledger_and_about_no_other(tmp_path: Path) -> None:
    accepted = 0
    for number, certificate in enumerate(DEPLOYMENTS):
        copy = tmp_path / certificate.name
        copy.write_bytes(certificate.read_bytes())
        for path in {*ledgers_of(certificate), *ledgers_of(DEPLOYMENTS[number - 2])}:
            line = assert_same_answer(copy, path.read_bytes())
            accepted += line.startswith("ACCEPTED")
    assert accepted >= len(DEPLOYMENTS)


ENTRIES = [("1/10", "0", 12), ("1/2", "1/1000", 1)]
UPPER = handmade.simple("sum", "upper", ENTRIES, "17/10", "1/1000")
LOWER = handmade.simple("sum", "lower", ENTRIES, "8/5", "1/1000")
NEVER = handmade.simple("trivial", "lower", ENTRIES, "every", "1/2000")
HALF: dict[str, object] = {"epsilon": "1/2", "delta": "1e-3"}
SAME: list[dict[str, object]] = [
    {"epsilon": 0.1, "count": 5},
    HALF,
    {"epsilon": "0.1", "count": "7", "delta": 0},
]


@pytest.mark.parametrize(
    ("ledger", "verdict"),
    [
        ({"mechanisms": SAME, "name": "\u00e9", "notes": "n", "empty": False}, "ACCEPTED"),
        ({"mechanisms": SAME, "format": "exactdp-ledger/1"}, "ACCEPTED"),
        ({"mechanisms": [{**each, "label": "x"} for each in SAME]}, "ACCEPTED"),
        ({"mechanisms": SAME[:2]}, "REJECTED"),
        ({"mechanisms": [*SAME, {"epsilon": 0}]}, "REJECTED"),
        ({"mechanisms": SAME, "neighbouring": "add-remove-one"}, "REJECTED"),
        ({"mechanisms": SAME, "interaction": "concurrent"}, "REJECTED"),
        ({"mechanisms": [{"laplace": {"scale": 10}, "count": 12}, HALF]}, "REJECTED"),
        ({"mechanisms": SAME, "format": "exactdp-ledger/2"}, "MALFORMED"),
        ({"mechanisms": SAME, "weight": 1}, "MALFORMED"),
        ({"mechanisms": [{"epsilon": "0.1", "weight": 1}]}, "MALFORMED"),
        ({"mechanisms": [{"epsilon": "0.1", "count": 1.5}]}, "MALFORMED"),
        ({"mechanisms": [{"epsilon": "1 2"}]}, "MALFORMED"),
        ({"mechanisms": [{"epsilon": None}]}, "MALFORMED"),
        ({"queries": []}, "MALFORMED"),
    ],
)
def test_a_ledger_is_compared_by_its_mechanisms(
    ledger: object, verdict: str, tmp_path: Path
) -> None:
    [file] = written([seal(UPPER)], tmp_path)
    line = assert_same_answer(file, json.dumps(ledger, indent=1).encode())
    assert line.startswith(verdict)


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff", b"[" * 10**4, b'{"mechanisms":[],"mechanisms":[]}', b"{} {}", b'{"a":1,}'],
)
def test_what_is_no_ledger_is_malformed(data: bytes, tmp_path: Path) -> None:
    [file] = written([seal(UPPER)], tmp_path)
    assert assert_same_answer(file, data).startswith("MALFORMED")


BY_NOISE: Sequence[tuple[Document, object]] = (
    (noise_cases.entry(mu="10/11", rate="1/2"), {"sigma": "1.1", "sensitivity": 1, "rate": 0.5}),
    (noise_cases.entry(mu="1/2", rate="1/2"), {"sigma": 2, "clip": 1.0, "rate": 0.5}),
    (noise_cases.entry(mu="1/2"), {"sigma": 2, "rate": "2/2", "label": "x"}),
    (noise_cases.entry(laplace={"scale": "4", "sensitivity": "1"}), {"laplace": {"scale": 4}}),
    (
        noise_cases.entry(discrete_gaussian={"shifts": ["1", "9", "10"], "variance": "25/4"}),
        {"discrete_gaussian": {"variance": 6.25, "shifts": [10, "9", 1]}},
    ),
    (
        noise_cases.entry(2, pair={"p": ["3/4", "1/4"], "q": ["1/4", "3/4"]}),
        {"count": 2, "pair": {"p": [0.75, "1/4"], "q": ["1/4", "3/4"]}},
    ),
    (
        noise_cases.entry(renyi=[["2", "1/50"], ["10", "1/10"]]),
        {"renyi": [["10", 0.1], [2, "1/50"]]},
    ),
    (noise_cases.entry(bounded_range="1/4"), {"bounded_range": "2^-2"}),
)


@pytest.mark.parametrize("stated", range(len(BY_NOISE)))
def test_noise_is_compared_in_canonical_text(stated: int, tmp_path: Path) -> None:
    """Of whatever a statement says, and whether it is proved: what is asked comes first."""
    document = noise_cases.orders([BY_NOISE[stated][0]], "20", "2")
    [file] = written([seal(document)], tmp_path)
    for number, (_, entry) in enumerate(BY_NOISE):
        ledger = {"mechanisms": [entry], "neighbouring": document["statement"]["neighbouring"]}
        line = assert_same_answer(file, json.dumps(ledger).encode())
        assert ("not about this ledger" in line) == (number != stated), (line, entry)


def test_interactive_mechanisms_are_about_no_ledger(tmp_path: Path) -> None:
    [file] = written([seal(interactive_cases.accepts()["post-processing"])], tmp_path)
    assert "not about a ledger" in assert_same_answer(file, b'{"mechanisms":[]}')


# --- claims -------------------------------------------------------------------------------------

CLAIMS = (
    ("1.7", "1e-3"),
    (" 2 ", "1"),
    ("ln(6)", "0.001"),
    ("ln(4) + 0.4", "1"),
    ("17/10 + ln(4) - 2*ln(2)", "2^-9"),
    ("1.7 + ln(2) - 1/2*ln(4)", "0.001"),
    ("+1.70e0", "1.E-3"),
    ("17.0/10", "10^-3"),
    (f"1.7{'0' * 50}", "1"),
    ("1.69", "1e-3"),
    ("1.7", "9e-4"),
    ("ln(5)", "1"),
    ("1.6", "1e-3"),
    ("0", "0"),
    ("1000", "0.0005"),
    ("x", "0"),
    ("1", ""),
    ("-1", "0"),
    ("1", "2"),
    ("1", "ln(2)"),
    ("1 + 1", "0"),
    ("01", "0"),
    ("1e99999999", "0"),
)


@pytest.mark.parametrize("document", [UPPER, LOWER, NEVER], ids=["upper", "lower", "every"])
def test_a_claim_is_settled_or_not(document: Document, tmp_path: Path) -> None:
    [file] = written([seal(document)], tmp_path)
    lines = {claim: assert_same_answer(file, claim=claim) for claim in CLAIMS}
    verb = "proves" if document is UPPER else "refutes"
    assert sum(f" — {verb} the claim (" in line for line in lines.values()) >= 2
    assert any(line.startswith("REJECTED") for line in lines.values())
