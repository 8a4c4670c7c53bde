"""The verified checker and the Fourier rules where no certificate of ``certs`` leads.

Needs the checker (``make -C proofs checker``), as ``test_checker`` does.
"""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from pathlib import Path

import pytest

from exactdp import compose
from exactdp.verifier import DEFAULT_MAX_COST, verify_bytes
from tests.mutation.mutate import Document, seal
from tests.proofs.checker import said_of
from tests.verifier.fourier_cases import fourier
from tests.verifier.handmade import Entry

ACCEPTED = Path(__file__).resolve().parents[2] / "certs/accept"
MANY_POINTS = {
    "blocks": "208",
    "cut": "31",
    "factors": ["0", "1", "2"],
    "far": "433",
    "last": "72380",
    "near": "8",
    "noise": "24349/67108864",
    "step": "17890197/67108864",
    "tilt": "43/32",
}
WILD: list[Entry] = [("17/100", "0", 50), ("ln(11/10)", "0", 100), ("ln(6/5)", "0", 300)]
pytestmark = pytest.mark.usefixtures("checker")


@pytest.mark.parametrize("name", ["fourier-upper", "fourier-upper-mu"])
def test_bounds_of_ledgers_carry_over_to_workloads(name: str, tmp_path: Path) -> None:
    document = _read("cases-one-leaf-upper")
    ledger = _read(name)
    claim, derivation = document["statement"], document["derivation"]
    claim["theorem"] = ledger["statement"]["theorem"]
    claim["subject"]["queries"] = queries = _queries(ledger["statement"]["subject"]["mechanisms"])
    derivation[0]["parameters"]["tree"] = [
        {"colours": [[str(number)] for number in range(len(queries))]}
    ]
    derivation[1] = {**ledger["derivation"][0], "premises": ["0"]}
    for key in ("delta", "epsilon"):
        claim[key] = ledger["statement"][key]
    assert _verdicts(document, tmp_path) == ("accepted", "ACCEPTED")
    bound = Fraction(claim["epsilon"]) / 2
    claim["epsilon"] = derivation[1]["parameters"]["epsilon"] = str(bound)
    assert _verdicts(document, tmp_path) == ("rejected", "REJECTED")


def _queries(mechanisms: list[dict[str, str]]) -> list[dict[str, object]]:
    """Of rows that all of them meet."""
    queries: list[dict[str, object]] = []
    for mechanism in mechanisms:
        kept = {name: text for name, text in mechanism.items() if name != "count"}
        queries += [{**kept, "where": [["0", "0", "2"]]} for _ in range(int(mechanism["count"]))]
    return queries


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "epsilon", "slopes"),
    [
        ("upper", "219670147/10000000", {}),
        ("lower", "219670141/10000000", {"left": "75/32", "right": "77/32"}),
    ],
)
def test_many_points_are_passed_over(
    kind: str, epsilon: str, slopes: dict[str, str], tmp_path: Path
) -> None:
    good = fourier(kind, epsilon, WILD, "1/1000000", **MANY_POINTS, **slopes)
    assert _verdicts(good, tmp_path) == ("accepted", "ACCEPTED")
    beyond = "219670141/10000000" if kind == "upper" else "219670147/10000000"
    bad = fourier(kind, beyond, WILD, "1/1000000", **MANY_POINTS, **slopes)
    assert _verdicts(bad, tmp_path) == ("rejected", "REJECTED")


MANY_PARAMETERS = [(Fraction(100_003 + i * 7919 % 900_000, 10**8), 0, 20) for i in range(1, 366)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["upper", "lower"])
def test_many_different_parameters_are_multiplied(kind: str, tmp_path: Path) -> None:
    answer = compose(MANY_PARAMETERS, delta="1e-6", tolerance="1e-6", method="fourier")
    above = kind == "upper"
    certificate = answer.upper_certificate() if above else answer.lower_certificate()
    assert certificate is not None
    document = json.loads(certificate.to_bytes())
    assert document["derivation"][-1]["rule"] == f"fourier-{kind}"
    assert _verdicts(document, tmp_path) == ("accepted", "ACCEPTED")
    beyond = str(answer.lower_end if above else answer.upper_end)
    document["statement"]["epsilon"] = document["derivation"][-1]["parameters"]["epsilon"] = beyond
    assert _verdicts(document, tmp_path) == ("rejected", "REJECTED")


def _read(name: str) -> Document:
    document: Document = json.loads((ACCEPTED / f"{name}.json").read_bytes())
    return document


def _verdicts(document: Document, folder: Path) -> tuple[str, str]:
    data = seal(copy.deepcopy(document))
    file = folder / "certificate.json"
    file.write_bytes(data)
    [said] = said_of([file], DEFAULT_MAX_COST)
    return verify_bytes(data).status, said
