"""The page of the manual: every command and every option, in the formatter's own language."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from exactdp.cli.commands import COMMANDS
from tools import make_release


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("manual") / "exactdp.1"
    assert make_release.main(["--manual", str(path)]) == 0
    return path


def test_every_command_has_its_section(page: Path) -> None:
    sections = re.findall(r"^\.SS exactdp (\w+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert list(dict.fromkeys(sections)) == list(COMMANDS)


def test_options_and_groups_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert r".B \-\-tolerance T" in text
    assert ".SS exactdp filter spend" in text


def test_no_text_is_taken_for_a_request(page: Path) -> None:
    requests = re.findall(r"^[.'](\S*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert {*requests} <= {"TH", "SH", "SS", "TP", "B", "I"}
    assert make_release._escaped(".x\\") == "\\&.x\\e"


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed")
def test_the_formatter_warns_of_nothing(page: Path) -> None:
    man = str(shutil.which("man"))
    done = subprocess.run(
        [man, "--warnings", "-E", "UTF-8", "-l", str(page)], capture_output=True, check=True
    )
    assert b"compose" in done.stdout
    assert done.stderr == b""
