"""A store is never believed: whatever is changed in it, what it gives is what was put there."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from pathlib import Path

import pytest

from exactdp.errors import InputError
from exactdp.many.messages import Answered
from exactdp.many.reading_store import results
from exactdp.many.store import FILE, Asked, Store
from exactdp.many.store_key import VARIABLE, StoreKey, key_of_user
from tests.many.poisoning import mutations

ASKED = Asked("gate", "1", "a question")
HONEST = {
    "a" * 64: Answered(
        '"result":{"outcome":"FAILED","refuted":1}', 1, {"@/ledger.lower.json": b"1"}
    ),
    "b" * 64: Answered('"result":{"outcome":"PASSED"}', 0, {"@/ledger.upper.json": b"2"}),
    "c" * 64: Answered('"error":{"code":"bad-input"}', 2),
}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with an answer of each kind."""
    kept = Store(tmp_path / "honest", ASKED)
    for number, (key, answered) in enumerate(HONEST.items()):
        kept.put(key, answered)
        kept.name(f"{number}.json", key)
    kept.close()
    return tmp_path / "honest"


def poisoned(store: Path, number: int) -> Path:
    place = store.with_name(f"poisoned {number}")
    shutil.copytree(store, place)
    return place


def told(store: Path) -> set[tuple[object, ...]]:
    return {tuple(row.values()) for row in results(store)}


def test_an_honest_store_gives_all_that_was_put_there(store: Path) -> None:
    kept = Store(store, ASKED)
    assert {key: kept.get(key) for key in HONEST} == HONEST
    assert (kept.disbelieved, kept.remark) == (0, "")
    kept.close()
    assert len(told(store)) == 3


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*left out:UserWarning")
def test_no_cell_that_is_changed_changes_what_a_store_gives_or_tells(store: Path) -> None:
    honest = told(store)
    disbelieved = seen = 0
    for number, mutation in enumerate(mutations(store)):
        place = poisoned(store, number)
        mutation.apply(place)
        try:
            assert told(place) <= honest, mutation
            kept = Store(place, ASKED)
        except InputError:  # a file that is none of ours any more is refused
            continue
        for key, answered in HONEST.items():
            found = kept.get(key)
            assert found in (None, answered), mutation
            if found is None:
                kept.put(key, answered)
                assert kept.get(key) == answered, mutation
        disbelieved += kept.disbelieved
        kept.close()
        seen += 1
        shutil.rmtree(place)
    assert seen > 400
    assert disbelieved > 200


def test_a_view_that_somebody_has_put_into_a_store_tells_nothing(store: Path) -> None:
    honest = told(store)
    base = sqlite3.connect(store / FILE)
    base.execute("DROP VIEW result")
    base.execute("CREATE VIEW result AS SELECT 'all is well' AS file, * FROM answer")
    base.commit()
    base.close()
    assert told(store) == honest


def test_what_another_user_has_kept_is_computed_again_and_left_out(store: Path) -> None:
    other = Store(store, ASKED, StoreKey(b"another"))
    assert [other.get(key) for key in HONEST] == [None] * 3
    assert other.disbelieved == 3
    key = next(iter(HONEST))
    other.put(key, Answered('"result":"a lie"', 0))
    other.close()
    with pytest.warns(UserWarning, match="1 result was not written with this user's key"):
        assert len(told(store)) == 2


def test_a_store_of_an_earlier_version_is_used_and_its_answers_are_computed_again(
    store: Path,
) -> None:
    base = sqlite3.connect(store / FILE)
    base.execute("ALTER TABLE answer DROP COLUMN tag")
    base.execute("ALTER TABLE input DROP COLUMN tag")
    base.commit()
    base.close()
    with pytest.raises(InputError, match="where every answer has a tag"):
        told(store)
    kept = Store(store, ASKED)
    assert [kept.get(key) for key in HONEST] == [None] * 3
    kept.close()


def test_a_key_is_made_once_for_the_user_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    first = key_of_user()
    assert (first, first.remark) == (key_of_user(), "")
    [made] = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert first.secret.hex() not in repr(first)
    made.write_text("rubbish")
    with pytest.raises(InputError, match="expected 64 hexadecimal digits"):
        key_of_user()


def test_without_a_place_for_a_key_the_next_run_believes_nothing_and_this_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE)
    (tmp_path / "state").write_text("a file")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    first, second = key_of_user(), key_of_user()
    assert first != second
    assert "the next run believes nothing of it" in first.remark


def test_a_secret_of_the_environment_is_the_key_and_a_short_one_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(VARIABLE, "x" * 32)
    assert key_of_user() == key_of_user()
    monkeypatch.setenv(VARIABLE, "x" * 31)
    with pytest.raises(InputError, match="31 letters"):
        key_of_user()
