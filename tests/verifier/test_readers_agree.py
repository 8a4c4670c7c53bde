"""The engine and the verifier read one file as one subject, or both refuse it.

Files are made by changing good ones: every key that a schema knows, and some that none knows, is
put into every object, with values of every type. So a key that is added to a schema is tested
without a line here.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp import verifier
from exactdp.composition.answers.compose import compose
from exactdp.errors import InputError, NothingComposedError
from exactdp.ledger.reading import read_ledger
from exactdp.ledger.schema import schema as ledger_schema
from exactdp.verifier import verify_bytes
from exactdp.verifier.certificate import read_certificate
from exactdp.verifier.kernel import Certificate
from exactdp.verifier.rules import RULES
from exactdp.verifier.subjects import SUBJECTS
from exactdp.workloads.certify import upper_certificate
from exactdp.workloads.composing import compose_parallel
from exactdp.workloads.reading import read_workload
from exactdp.workloads.schema import schema as workload_schema

Tree = dict[str, Any]
Change = tuple[int, str, object]
"""Which object of the file, which key of it, and what is put there (or taken away)."""

AWAY: Final = object()
VALUES: Final = [
    AWAY, 1, 0.5, -1, 100, "1/2", "text", "", None, [], {}, [1], ["f"], [0, 1],
    {"range": [0, "2"]}, {"not": ["f"]}, {"url": "text"}, {"url": 1}, [{"epsilon": 1}],
    "add-remove-one", "replace-one", "unspecified", "adaptive", "composition", "exactdp-ledger/1",
]  # fmt: skip
WORKLOAD: Final[Tree] = {
    "domain": {"sex": {"values": ["f", "m"]}, "age": {"size": 3}},
    "queries": [
        {"label": "x", "epsilon": "1", "where": {"sex": ["f"], "age": {"range": [0, 2]}}},
        {"rho": "1/2", "where": {"age": {"not": [1]}}},
        {"mu": "1"},
    ],
}
LEDGER: Final[Tree] = {
    "mechanisms": [
        {"label": "x", "epsilon": "1", "delta": "1/2", "count": 2},
        {"rho": "1/2"},
        {"mu": "1"},
        {"sigma": "2", "sensitivity": "1"},
    ],
    "claims": [
        {"epsilon": "1", "delta": "1/2", "basis": "composition", "source": "x"},
        {"rho": "1", "basis": "finer-structure", "source": "x"},
    ],
}
TREES: Final = {"workload": WORKLOAD, "ledger": LEDGER}
NOT_READ: Final = ("claims", "target_delta")
"""Numbers under these keys are read by the engine alone; certificates say nothing of them."""


def known_keys(part: object) -> set[str]:
    """The keys that a schema, or a part of it, knows anywhere."""
    if isinstance(part, list):
        return {key for each in part for key in known_keys(each)}
    if not isinstance(part, dict):
        return set()
    properties = part.get("properties", {})
    return set(properties) | {key for each in part.values() for key in known_keys(each)}


KEYS: Final = sorted(
    known_keys(ledger_schema())
    | known_keys(workload_schema())
    | {"unknown", "Count", "weight", "sex", "age", "income"}
)


def objects(tree: Any) -> Iterator[Tree]:  # noqa: ANN401 (a JSON tree)
    """All objects of a tree, in one order for all copies of it."""
    if isinstance(tree, dict):
        yield tree
    members = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    for member in list(members):
        yield from objects(member)


def changed(tree: Tree, changes: list[Change]) -> bytes:
    """A file like ``tree``, with changes."""
    new = copy.deepcopy(tree)
    places = list(objects(new))
    for place, key, value in changes:
        if value is AWAY:
            places[place].pop(key, None)
        else:
            places[place][key] = copy.deepcopy(value)
    return json.dumps(new).encode()


def certificate_about(data: bytes) -> bytes | None:
    """A certificate of a true claim about what the engine reads, or None if it refuses."""
    try:
        if b'"queries"' in data:
            made = upper_certificate(compose_parallel(read_workload(data), delta="1"))
        else:
            made = compose(read_ledger(data), delta="1").upper_certificate()  # type: ignore[assignment]  # either kind
    except (InputError, NothingComposedError):
        return None
    assert made is not None
    return made.to_bytes()


@cache
def certificate_about_the_original(data: bytes) -> bytes:
    certificate = certificate_about(data)
    assert certificate is not None
    return certificate


def status(certificate: bytes, data: bytes) -> str:
    return verify_bytes(certificate, ledger=data).status


def check(tree: Tree, changes: list[Change]) -> None:
    original = certificate_about_the_original(changed(tree, []))
    data = changed(tree, changes)
    about = certificate_about(data)
    if about is None:
        assert status(original, data) != "accepted", data
        return
    assert status(about, data) == "accepted", data
    same = json.loads(about)["statement"] == json.loads(original)["statement"]
    assert status(original, data) == ("accepted" if same else "rejected"), data


def single_changes(tree: Tree) -> list[Change]:
    return [
        (place, key, value)
        for place, part in enumerate(objects(tree))
        for key in KEYS
        for value in VALUES
        if not _is_unread(part, key, value)
    ]


def _is_unread(part: Tree, key: str, value: object) -> bool:
    """Whether the change is to a number that the verifier does not read."""
    is_number = isinstance(value, int | float | str) and not isinstance(value, bool)
    in_claim = "basis" in part
    return is_number and (key in NOT_READ or (in_claim and key not in ("basis", "source")))


@cache
def several_changes(name: str) -> st.SearchStrategy[list[Change]]:
    return st.lists(st.sampled_from(single_changes(TREES[name])), min_size=2, max_size=4)


@pytest.fixture(autouse=True, scope="module")
def _a_certificate_is_read_once() -> Iterator[None]:
    """What is read of the same bytes is the same: only the file beside them changes."""

    @cache
    def read_once(data: bytes) -> Certificate:
        return read_certificate(data, SUBJECTS, RULES)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verifier, "read_certificate", lambda data, *_: read_once(data))
        yield


def test_the_base_files_are_read_alike() -> None:
    check(WORKLOAD, [])
    check(LEDGER, [])


@pytest.mark.slow
@pytest.mark.parametrize(
    "every",
    [
        pytest.param(1, marks=pytest.mark.slow),  # thousands of files
        7,  # a sample that meets every key
    ],
)
@pytest.mark.parametrize("name", TREES)
def test_every_key_means_the_same_to_both_readers(name: str, every: int) -> None:
    changes = single_changes(TREES[name])[::every]
    assert {key for _, key, _ in changes} == set(KEYS)
    for change in changes:
        check(TREES[name], [change])


@pytest.mark.slow
@given(st.data())
def test_several_keys_together_mean_the_same_to_both_readers(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(TREES)))
    check(TREES[name], data.draw(several_changes(name)))


def test_a_count_that_the_workload_format_does_not_know_is_refused() -> None:
    one = changed({"domain": {}, "queries": [{"epsilon": "1"}]}, [])
    hundred = changed({"domain": {}, "queries": [{"epsilon": "1", "count": 100}]}, [])
    certificate = certificate_about_the_original(one)
    assert status(certificate, one) == "accepted"
    verdict = verify_bytes(certificate, ledger=hundred)
    assert (verdict.status, verdict.exit_code) == ("malformed", 2)
    assert verdict.reason == "query: unknown key count"
