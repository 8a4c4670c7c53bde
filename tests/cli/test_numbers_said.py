"""What a number is taken for, and that a number of which nothing is known is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from exactdp.cli.commands import COMMANDS
from exactdp.verifier import verify_bytes
from tests.cli.numbers_said import answers, is_number, silent_places, unlabelled
from tests.cli.running import exactdp
from tests.marking import each_case

FOUND: dict[str, Any] = {
    "command": "compose",
    "result": {"epsilon": {"lower": "1", "upper": "2"}, "delta": "1e-6", "method": "grid"},
}


def test_a_number_without_evidence_is_found_and_one_that_was_asked_about_is_not() -> None:
    assert unlabelled(FOUND) == ["compose.epsilon.lower", "compose.epsilon.upper"]
    told = FOUND["result"] | {"evidence": "computed"}
    assert unlabelled(FOUND | {"result": told}) == []
    half = FOUND["result"] | {"evidence": {"epsilon": {"lower": "computed"}}}
    assert unlabelled(FOUND | {"result": half}) == ["compose.epsilon.upper"]


def test_the_schema_says_of_every_number_of_every_command_what_it_rests_on() -> None:
    assert {*answers()} - {"composeForGroup"} == {*COMMANDS}
    assert silent_places() == []


def test_numbers_are_told_from_texts() -> None:
    numbers: tuple[object, ...] = (1, 0.5, "1e-6", "ln(3/2)", "inf", "-1/10 + 105*ln(231/230)")
    others: tuple[object, ...] = (True, None, "grid", "2.64 at δ = 0", "2020 Census")
    assert all(map(is_number, numbers))
    assert not any(map(is_number, others))


@each_case(
    "arguments",
    [
        ("profile", "-m", "ln(3)*2", "--epsilon", "0", "--epsilon", "ln(3)", "--epsilon", "9"),
        ("profile", "-m", "mu=1", "-m", "rho=1/9", "--epsilon", "2"),
        ("profile", "-m", "0.1,1e-9*9", "--epsilon", "2", "--group", "2"),
        ("risk", "-m", "ln(3)*2", "--fpr", "1/100", "--prior", "1/3"),
        ("risk", "-m", "mu=1", "--prior", "9/10"),
    ],
)
def test_every_end_that_is_said_to_be_certified_has_a_file(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    place = tmp_path / "-".join(arguments).replace("/", "_")
    result = exactdp(*arguments, "--json", "--certificates", str(place)).result
    files = [Path(name) for name in result["certificates"]]
    assert sorted(place.iterdir()) == sorted(files)
    for each in files:
        assert verify_bytes(each.read_bytes()).status == "accepted"
    assert len(files) == _certified(result)


def _certified(value: Any) -> int:  # noqa: ANN401 (a value of JSON)
    """How many ends say that a certificate shows them, but for those that say nothing."""
    if isinstance(value, list):
        return sum(map(_certified, value))
    if not isinstance(value, dict):
        return 0
    nested: int = sum(_certified(each) for key, each in value.items() if key != "by")
    if "epsilon" in value and value.get("evidence") == "certificate":
        below: str = value["delta"]["lower"]
        return nested + 1 + (below != "0")
    if isinstance(value.get("evidence"), dict):
        kinds: list[str] = [*value["evidence"].values()]
        return nested + kinds.count("certificate")
    return nested
