"""Certificates of every kind of workload under a clock that is over once it was asked so often.

Of each end there is a certificate that the verifier accepts, or the command says that time left
none; nothing long is begun late, and what is written is what is named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

from exactdp.composition.answers.proving import REMEDY
from exactdp.timing.clock import Clock
from exactdp.workloads import anytime
from exactdp.workloads.certify import proofs_within
from exactdp.workloads.composing import compose_parallel
from exactdp.workloads.json_workload import read
from tests.cli.running import Answer, exactdp
from tests.cli.test_time_limit import (
    DIFFERENT_NOISE,
    LIMIT,
    NOISE,
    PARAMETERS,
    REFUSED,
    SHAPE_OF,
    AskedTime,
    answered,
    asked,
    assert_encloses,
    unlimited,
    written,
)

__all__ = ["asked"]

TIMES: Final = (1, 100, 10**6)
PROOFS: Final = ("--certificates", "proofs", "--report", "page.html")
ENDS: Final = {"upper", "lower"}


@pytest.fixture
def proving_time(asked: AskedTime) -> AskedTime:
    """A place for certificates."""
    Path("proofs").mkdir()
    return asked


def assert_proved_or_said(answer: Answer) -> set[str]:
    """The ends that were left out; of all others there is a certificate that is accepted."""
    listed = answer.result.get("certificates", [])
    assert {str(path) for path in Path("proofs").iterdir()} == set(listed)
    made = {end for end in ENDS if f"proofs/workload.{end}.json" in listed}
    left_out = {each["bound"] for each in answer.result.get("certificates_left_out", [])}
    without = {"upper"} if answer.result["epsilon"]["upper"] == "inf" else set()
    without |= {"lower"} if answer.result["epsilon"]["lower"] == "0" else set()
    assert not made & left_out
    assert made | left_out == ENDS - without
    assert bool(listed) == bool(made or not left_out)
    if made:
        assert exactdp("verify", *(f"proofs/workload.{end}.json" for end in made)).code == 0
    for each in answer.result.get("certificates_left_out", []):
        assert each["remedy"] == REMEDY
    page = Path("page.html").read_text()
    assert {end for end in ENDS if f"workload.{end}.json" in page} == made
    assert {end for end in ENDS if f"The {end} certificate was left out" in page} == left_out
    return left_out


def _anew(asked: AskedTime, times: int) -> None:
    asked.over_after(times)
    for path in (*Path("proofs").iterdir(), Path("page.html")):
        path.unlink(missing_ok=True)


@pytest.mark.slow
@pytest.mark.parametrize("parameters", PARAMETERS)
def test_whenever_the_time_is_up_each_end_is_proved_or_said_to_be_left_out(
    proving_time: AskedTime, parameters: str
) -> None:
    data = written(SHAPE_OF[parameters], PARAMETERS[parameters], queries=8)
    truth, left_out = unlimited(data, "1e-6"), ENDS
    for times in TIMES:
        _anew(proving_time, times)
        answer = answered(data, "--delta", "1e-6", *PROOFS)
        assert_encloses(answer, truth)
        left_out = assert_proved_or_said(answer)
        assert proving_time.begun_late == [], times
    assert left_out == set()


@pytest.mark.slow
@pytest.mark.parametrize("parameters", ["few ε", "all ε different", "different ε, ρ and μ"])
def test_where_one_row_replaces_another_too(proving_time: AskedTime, parameters: str) -> None:
    data = written("ranges", PARAMETERS[parameters], neighbouring="replace-one", queries=8)
    truth = unlimited(data, "1e-6")
    for times in TIMES:
        _anew(proving_time, times)
        answer = answered(data, "--delta", "1e-6", *PROOFS)
        assert_encloses(answer, truth)
        assert_proved_or_said(answer)
        assert proving_time.begun_late == [], times


LONG: Final = dict.fromkeys(
    ("laplace", "laplace, sampled", "gaussian, sampled", "bounded range"), pytest.mark.slow
)


@pytest.mark.parametrize(
    "given",
    [
        *(
            pytest.param([each, {"epsilon": "1/10"}], id=name, marks=LONG.get(name, ()))
            for name, each in NOISE.items()
        ),
        *(
            pytest.param(each, marks=pytest.mark.slow, id=f"different {name}")
            for name, each in DIFFERENT_NOISE.items()
        ),
    ],
)
def test_of_queries_by_their_noise_too(
    proving_time: AskedTime,
    monkeypatch: pytest.MonkeyPatch,
    given: Sequence[Mapping[str, object]],
) -> None:
    data = written("ranges", given, queries=4)
    truth = unlimited(data, "1e-6")
    monkeypatch.setattr(anytime, "_LEVELS_OF_NOISE", (2,))
    for times in (1, 100):
        _anew(proving_time, times)
        answer = answered(data, "--delta", "1e-6", "--tolerance", "1e-2", *PROOFS)
        if answer.code == REFUSED:
            assert answer.error["field"] == "time_limit"
            assert not list(Path("proofs").iterdir())
        else:
            assert_encloses(answer, truth)
            assert_proved_or_said(answer)
        assert proving_time.begun_late == [], times


def test_what_was_left_out_is_named_with_a_remedy(proving_time: AskedTime) -> None:
    Path("workload.json").write_bytes(written("ranges", PARAMETERS["all ε different"]))
    proving_time.over_after(1)
    asked_for = ("--delta", "1e-6", "--time-limit", str(LIMIT), "--certificates", "proofs")
    said = exactdp("parallel", "workload.json", *asked_for)
    assert said.code == 0
    remedy = f"left out: --time-limit left no time for it; {REMEDY}"
    left_out = {
        end for end in ENDS if re.search(f"^{end} certificate +{remedy}$", said.out, re.MULTILINE)
    }
    assert left_out
    assert {end for end in ENDS if Path(f"proofs/workload.{end}.json").exists()} == ENDS - left_out


def test_without_a_limit_nothing_is_left_out() -> None:
    answer = compose_parallel(read(written("ranges", PARAMETERS["few ε"])), delta="1e-6")
    proofs = proofs_within(answer, Clock())
    assert set(proofs.made) == ENDS
    assert proofs.left_out == ()
