"""No byte of a certificate that a terminal obeys is in what the verified checker says of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_said_letters import CERTIFICATE, changed, strings, written
from tests.proofs.checker import CHECKER
from tests.proofs.test_said_letters import CONTROLS, assert_one_line_each, said

pytestmark = pytest.mark.usefixtures("checker")


def test_no_text_of_a_certificate_is_said_raw_by_the_checker(tmp_path: Path) -> None:
    document = json.loads(CERTIFICATE.read_bytes())
    files: list[Path] = []
    for path, is_key in strings(document):
        for control in CONTROLS:
            for data in written(changed(document, path, is_key, control.__add__)):
                files.append(tmp_path / f"{len(files)}.json")
                files[-1].write_bytes(data)
    lines = said(CHECKER, files)
    assert_one_line_each(lines, len(files))
    assert not [line for line in lines if b"ACCEPTED" in line]
