"""The rule ``trivial`` of mechanisms by their noise: what fails whatever ε is."""

from __future__ import annotations

from typing import Any, Final

import pytest

from exactdp.verifier import verify_bytes
from tests.verifier import handmade

ADDED: Final = "add-remove-one"
REPLACED: Final = "replace-one"


def pair(p: list[str], q: list[str], **more: str) -> dict[str, Any]:
    return {"count": "1", "pair": {"p": p, "q": q}, **more}


def on_integers(family: str, amount: str, **more: object) -> dict[str, Any]:
    return {"count": "2", family: {amount: "4", "shifts": ["1"]}, **more}


HALF: Final = pair(["1/2", "1/2"], ["0", "1"])
APART: Final = pair(["1", "0"], ["0", "1"])
BACK: Final = pair(["1", "0"], ["1/2", "1/2"])
MU: Final = {"count": "1", "mu": "1"}
RHO: Final = {"count": "1", "rho": "1/10"}
SAMPLED_MU: Final = {"count": "1", "mu": "1", "rate": "1/10"}
LAPLACE: Final = {"count": "3", "laplace": {"scale": "1", "sensitivity": "1"}}
RANGE: Final = {"bounded_range": "1", "count": "1"}
RENYI: Final = {"count": "1", "renyi": [["2", "1"]]}
FAILING: Final = {"count": "1", "delta": "1/2", "epsilon": "1"}
SHUFFLED: Final = {
    "count": "1",
    "shuffled": {"batches": "10", "epochs": "1", "order": "fresh"},
    "sigma": "1",
}

ALLOCATED: Final = {"allocated": {"batches": "3", "epochs": "1"}, "count": "1", "sigma": "1"}
DRAWN: Final = {"count": "1", "fixed_size": {"batch": "1", "records": "3"}, "sigma": "1"}


def factorized(coefficient: str) -> dict[str, Any]:
    matrix = {"steps": "3", "toeplitz": [coefficient]}
    parts = {"factorization": matrix, "participation": {"every": "2"}, "sigma": "1"}
    return {"count": "1", **parts}


def clipped(**noise: object) -> dict[str, Any]:
    return {"clip": "1", "count": "1", "rate": "1/10", **noise}


def status_of(entries: list[dict[str, Any]], delta: str, relation: str) -> str:
    def without_count(entry: dict[str, Any]) -> bytes:
        return handmade.canonical_bytes({k: v for k, v in entry.items() if k != "count"})

    claim = handmade.statement("lower", [], "every", delta, "definition")
    claim["neighbouring"] = relation
    claim["subject"]["mechanisms"] = sorted(entries, key=without_count)
    bound = {"bound": "lower", "delta": delta, "epsilon": "every"}
    step = {"parameters": bound, "premises": [], "rule": "trivial"}
    return verify_bytes(handmade.canonical_bytes(handmade.sealed(claim, [step]))).status


@pytest.mark.parametrize(
    ("entries", "most", "attained", "relation"),
    [
        ([HALF], "1/2", False, ADDED),
        ([{**HALF, "count": "2"}], "3/4", False, ADDED),
        ([HALF, FAILING], "3/4", False, ADDED),
        ([HALF, MU], "1/2", True, ADDED),
        ([HALF, RHO], "1/2", True, ADDED),
        ([HALF, SAMPLED_MU], "1/2", True, ADDED),
        ([BACK], "1/2", False, ADDED),
        ([BACK, SAMPLED_MU], "1/2", False, ADDED),
        ([HALF, BACK], "1/2", False, ADDED),
        ([{**HALF, "rate": "1/10"}], "1/20", False, ADDED),
        ([{**BACK, "rate": "1/10"}, FAILING], "1/2", False, ADDED),
        ([LAPLACE, RANGE, RENYI, FAILING], "1/2", False, "unspecified"),
        ([SAMPLED_MU], "0", True, ADDED),
        ([on_integers("discrete_laplace", "scale"), FAILING], "1/2", False, "unspecified"),
        ([on_integers("discrete_gaussian", "variance"), FAILING], "1/2", True, "unspecified"),
        ([on_integers("skellam", "variance")], "0", True, "unspecified"),
        ([SHUFFLED], "0", True, REPLACED),
        ([ALLOCATED, HALF], "1/2", True, ADDED),
        ([ALLOCATED], "0", True, "zero-out"),
        ([DRAWN], "0", True, "zero-out"),
        ([factorized("1")], "0", True, "zero-out"),
        ([factorized("1"), HALF], "1/2", True, ADDED),
        ([factorized("0"), FAILING], "1/2", False, REPLACED),
        ([DRAWN, FAILING], "1/2", True, REPLACED),
        ([clipped(sigma="1"), FAILING], "1/2", True, REPLACED),
        ([clipped(laplace={"scale": "1"}), FAILING], "1/2", False, REPLACED),
        ([clipped(discrete_gaussian={"variance": "4"})], "0", True, REPLACED),
        ([clipped(discrete_laplace={"scale": "1"}), FAILING], "1/2", False, REPLACED),
    ],
)
def test_more_than_delta_fails_up_to_a_delta_and_there_if_a_loss_has_no_greatest_value(
    entries: list[dict[str, Any]], most: str, *, attained: bool, relation: str
) -> None:
    if most != "0":
        below = {"1/2": "499999/1000000", "3/4": "749999/1000000", "1/20": "49999/1000000"}[most]
        assert status_of(entries, below, relation) == "accepted"
    assert status_of(entries, most, relation) == ("accepted" if attained else "rejected")
    assert status_of(entries, "999/1000", relation) == "rejected"


@pytest.mark.parametrize(("delta", "status"), [("999/1000", "accepted"), ("1", "rejected")])
def test_laws_that_lie_apart_fail_at_every_delta_but_one(delta: str, status: str) -> None:
    assert status_of([APART, MU], delta, ADDED) == status


@pytest.mark.parametrize("entry", [LAPLACE, RANGE, RENYI, clipped(laplace={"scale": "1"})])
def test_what_has_a_greatest_loss_or_an_unknown_one_needs_no_delta(entry: dict[str, Any]) -> None:
    relation = REPLACED if "clip" in entry else "unspecified"
    assert status_of([entry], "0", relation) == "rejected"
