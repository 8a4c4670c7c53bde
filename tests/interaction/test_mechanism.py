from __future__ import annotations

import pytest
from gmpy2 import mpq

from exactdp.errors import DomainError, InputError
from exactdp.interaction.mechanism import END, InteractiveMechanism, randomized_response

COIN = {"heads": ("3/4", "1/4"), "tails": ("1/4", "3/4")}


def test_a_tree_is_counted() -> None:
    tree = {"toss": {**COIN, "heads": ("3/4", "1/4", {"toss": COIN, "roll": {"six": (1, 1)}})}}
    mechanism = InteractiveMechanism.of(tree)
    assert mechanism.root.rounds == 2
    assert mechanism.root.size == 1 + 2 + 3
    assert mechanism.root.adversaries == 2


def test_swapping_twice_changes_nothing() -> None:
    coin = InteractiveMechanism.of({"toss": COIN})
    assert coin.swapped() != coin
    assert coin.swapped().swapped() == coin


def test_randomized_response_tells_with_probability_delta() -> None:
    answers = randomized_response(mpq(3), mpq(1, 5)).root.queries["ask"]
    assert {name: (a.p, a.q) for name, a in answers.items()} == {
        "it is 0": (mpq(1, 5), 0),
        "0": (mpq(3, 5), mpq(1, 5)),
        "1": (mpq(1, 5), mpq(3, 5)),
        "it is 1": (0, mpq(1, 5)),
    }


def test_a_mechanism_cannot_be_changed() -> None:
    coin = InteractiveMechanism.of({"toss": COIN})
    with pytest.raises(TypeError, match="does not support item assignment"):
        coin.root.queries["toss"] = {}  # type: ignore[index]


@pytest.mark.parametrize(
    ("tree", "error", "words"),
    [
        ({"a": {}}, InputError, "sum to 0"),
        ({"a": {"x": (1, "1/2")}}, InputError, r"q at \$\.a: probabilities that sum to 1/2"),
        ({"a": {"x": (2, 1), "y": (-1, 0)}}, DomainError, "at least 0"),
        ({"a": {"x": (1, 1, {"b": {"y": (0, 1)}})}}, InputError, r"\$\.a\.x\.b"),
        ({"a": {"x": (0.5, 0.5), "y": (0.5, 0.5)}}, InputError, r"exactdp\.written\(0\.5\)"),
        ({"a": {"x": ("ln(2)", 1)}}, InputError, r"\$\.a\.x: ln\(2\): expected a rational"),
        ({"a": {"x": (1,)}}, InputError, "what follows"),
        ({"a": 3}, InputError, "answers with their probabilities"),
        ([], InputError, "queries with their answers"),
    ],
)
def test_what_is_no_mechanism_is_refused(
    tree: dict[str, object], error: type[InputError], words: str
) -> None:
    with pytest.raises(error, match=words):
        InteractiveMechanism.of(tree)


def test_more_rounds_than_allowed_are_refused() -> None:
    tree: dict[str, object] = {}
    for _ in range(65):
        tree = {"a": {"x": (1, 1, tree)}}
    with pytest.raises(DomainError, match="at most 64 rounds"):
        InteractiveMechanism.of(tree)


def test_the_end_offers_nothing() -> None:
    assert (END.rounds, END.size, END.adversaries) == (0, 1, 1)
