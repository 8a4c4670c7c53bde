"""A file is read up to its limit, and refused in a sentence beyond it."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactdp.errors import InputError
from exactdp.ledger.formats.bounded import read_bounded


def test_a_file_of_just_the_limit_is_read_and_one_byte_more_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_bounded(path, 5, "thing") == b"12345"
    with pytest.raises(InputError, match=r"thing: .*expected a file of at most 4 bytes; do so"):
        read_bounded(path, 4, "thing", "do so")


@pytest.mark.parametrize("name", ["missing", ".", "a\0b"])
def test_what_cannot_be_read_is_refused_with_the_systems_reason(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a file that can be read") as caught:
        read_bounded(f"{tmp_path}/{name}", 4, "thing")
    assert caught.value.code == "unreadable"
