"""Certificates and reports of a ledger under a clock that is over once it was asked so often.

Of each end there is a certificate that the verifier accepts, or ``compose`` says that time left
none; what is written is what is named. Time passes by asking, and not otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest
from gmpy2 import mpq

from exactdp.cli import ledger_proofs
from exactdp.composition.answers import proving
from exactdp.composition.answers.compose import compose
from exactdp.ledger.reading import read_ledger
from exactdp.pages.accepted import certificate_files
from exactdp.pages.facts import result_of, rows_of
from exactdp.pages.left_out import left_out
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import ask
from exactdp.timing.reading import reading
from exactdp.verifier import verify_bytes
from tests.cli.running import Answer, exactdp
from tests.cli.test_time_limit import LIMIT, REFUSED, AskedTime, asked
from tests.workloads.workloads import stepping

__all__ = ["asked"]

TIMES: Final = (1, 3, 6, 12, 10**6)
ENDS: Final = {"upper", "lower"}
PROOFS: Final = ("--certificates", "proofs", "--report", "page.html")
LEDGERS: Final[Mapping[str, Sequence[Mapping[str, object]]]] = {
    "few ε": [{"epsilon": "1/10", "count": 30}, {"epsilon": "1/7", "delta": "1e-9"}],
    "different ε": [{"epsilon": f"{7 * i + 1}/1009"} for i in range(40)],
    "logarithms": [{"epsilon": f"ln({100 + i}/99)"} for i in range(12)],
    "ρ beside ε": [{"rho": "1/1000"}, *({"epsilon": f"{i + 1}/100"} for i in range(5))],
    "μ beside ε": [{"mu": "1/10"}, *({"epsilon": f"{i + 1}/100"} for i in range(5))],
    "laplace": [{"laplace": {"scale": 10, "sensitivity": 1}, "count": 5}, {"epsilon": "1/10"}],
}


def composed(name: str, *options: str) -> Answer:
    """What the command says of a ledger, within the limit."""
    Path("proofs").mkdir(exist_ok=True)
    document = {"neighbouring": "add-remove-one", "mechanisms": LEDGERS[name]}
    Path("ledger.json").write_text(json.dumps(document), encoding="utf-8")
    asked_for = ("--delta", "1e-6", "--time-limit", str(LIMIT), "--json")
    return exactdp("compose", "ledger.json", *asked_for, *options)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEDGERS)
def test_each_end_of_a_ledger_is_proved_or_said_to_be_left_out(asked: AskedTime, name: str) -> None:
    truth = None
    for times in TIMES:
        asked.over_after(times)
        answer = composed(name, *PROOFS)
        if answer.code == REFUSED:
            assert answer.error["field"] in ("--time-limit", "time_limit")
            continue
        assert answer.code == 0, answer.err
        truth = truth or compose(read_ledger("ledger.json"), delta="1e-6")
        assert truth.lower_end is not None
        assert truth.upper_end is not None
        assert mpq(answer.result["epsilon"]["lower"]) <= truth.upper_end
        assert mpq(answer.result["epsilon"]["upper"]) >= truth.lower_end
        assert_proved_or_said(answer)


def assert_proved_or_said(answer: Answer) -> None:
    """Each end has a certificate or a line about it, and no other file is named."""
    left_out = {each["bound"] for each in answer.result.get("certificates_left_out", [])}
    listed = [Path(path) for path in answer.result.get("certificates", [])]
    made = {path.name.split(".")[1] for path in listed}
    assert not made & left_out
    assert made | left_out == ENDS
    for path in listed:
        assert verify_bytes(path.read_bytes()).status == "accepted"
        path.unlink()
    page = Path("page.html").read_text(encoding="utf-8")
    assert ("--time-limit left no time for it" in page) == bool(left_out)


def test_what_does_not_end_in_time_is_named_with_a_remedy() -> None:
    with reading(stepping(10**9)):
        proofs: proving.Proofs[object] = proving.proofs_of_ends(
            {"upper": ask, "lower": ask}, Clock(1)
        )
    assert proofs.left_out == ("upper", "lower")
    assert rows_of(left_out(proofs))[0] == (
        "upper certificate",
        "left out: --time-limit left no time for it; allow more time by --time-limit",
    )
    assert str(result_of(left_out(proofs))).count(proving.REMEDY) == len(proofs.left_out)


def test_without_a_limit_both_ends_are_proved(tmp_path: Path) -> None:
    answer = compose([("1/10", 0, 30)], delta="1e-6")
    proofs = ledger_proofs.proofs_within(answer, None, Clock())
    assert set(proofs.made) == ENDS
    files = certificate_files(tmp_path, "some", proofs.made)
    assert {path.name for path in files} == {"some.upper.json", "some.lower.json"}
