"""A function in processes: results in order, errors where their results would stand."""

from __future__ import annotations

import os
import pickle
import signal
from contextlib import closing
from pathlib import Path

import pytest

from exactdp.errors import CostLimitError, InputError, InternalError
from exactdp.many.mapping import Calls, mapped


def square(value: int) -> int:
    if value < 0:
        raise CostLimitError(field="value", value=value, expected="a number at least 0")
    return value * value


def divide(value: int) -> float:
    return 1 / value


def end(place: str) -> str:
    path = Path(place)
    if not path.name.startswith("often") and path.exists():
        return "survived"
    path.touch()
    os.kill(os.getpid(), signal.SIGKILL)
    return "never"


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 3])
def test_results_are_in_the_order_of_the_values(jobs: int) -> None:
    assert [*mapped(square, range(100), jobs=jobs)] == [n * n for n in range(100)]
    assert [*mapped(square, [], jobs=jobs)] == []


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_is_raised_with_its_fields_after_the_results_before_it(jobs: int) -> None:
    results = mapped(square, [1, 2, -3, 4], jobs=jobs)
    assert [next(results), next(results)] == [1, 4]
    with pytest.raises(CostLimitError, match=r"value: -3: expected a number at least 0") as caught:
        next(results)
    assert (caught.value.field, caught.value.exit_code) == ("value", 3)


@pytest.mark.slow
def test_an_error_of_another_kind_is_one_of_ours() -> None:
    with pytest.raises(InternalError, match="ZeroDivisionError: division by zero"):
        list(mapped(divide, [1, 0], jobs=2))


@pytest.mark.slow
def test_a_call_whose_worker_ends_is_made_once_more(tmp_path: Path) -> None:
    places = [str(tmp_path / name) for name in ("a", "b")]
    assert [*mapped(end, places, jobs=2)] == ["survived", "survived"]
    with pytest.raises(InternalError, match="ended twice"):
        list(mapped(end, [str(tmp_path / "often 1"), str(tmp_path / "often 2")], jobs=2))


@pytest.mark.slow
def test_whoever_stops_early_is_not_waited_for() -> None:
    with closing(mapped(square, range(10_000), jobs=2)) as results:
        assert next(results) == 0


@pytest.mark.slow
def test_calls_share_their_processes_though_one_was_stopped_early() -> None:
    with closing(Calls(2)) as calls:
        assert next(calls(square, range(1000))) == 0
        assert [*calls(square, range(50))] == [n * n for n in range(50)]
        assert [*calls(divide, [1, 2, 4])] == [1.0, 0.5, 0.25]


def test_an_error_is_the_same_after_a_journey() -> None:
    error = InputError(field="a", value="b", expected="c", path="d", remedy="e", code="f")
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    assert (str(copy), vars(copy), type(copy)) == (str(error), vars(error), InputError)
