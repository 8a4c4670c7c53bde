"""The verifier that stands in the documentation, in another language, on what is published."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from exactdp.verifier import verify_bytes

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = (ROOT / "docs" / "another-verifier.md").read_text(encoding="utf-8")
NODE: Final = shutil.which("node")


def _files() -> list[Path]:
    """Accepted certificates, and those that must be rejected, but for a few large ones."""
    found = [*ROOT.glob("certs/accept/*.json"), *ROOT.glob("certs/deployments/*.json")]
    found += ROOT.glob("certs/reject/*/*.json")
    return sorted(path for path in found if path.stat().st_size < 2**20)


def _rests_on_a_plain_sum(path: Path) -> bool:
    """Whether one step proves it, by ``sum``, and all its numbers are rational."""
    data = path.read_bytes()
    rules = [step["rule"] for step in json.loads(data)["derivation"]]
    return rules == ["sum"] and b"ln(" not in data


@pytest.mark.skipif(NODE is None, reason="node, which runs it, is not installed")
def test_it_accepts_what_rests_on_a_plain_sum_and_nothing_that_is_not_accepted(
    tmp_path: Path,
) -> None:
    [source] = re.findall(r"^```js\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    program = tmp_path / "sum.mjs"
    program.write_text(source, encoding="utf-8")
    files = _files()
    done = subprocess.run(
        [str(NODE), str(program), *map(str, files)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    words = [line.split(maxsplit=2)[:2] for line in done.stdout.splitlines()]
    assert [Path(path) for _, path in words] == files, done.stderr
    accepted = {Path(path) for word, path in words if word == "ACCEPTED"}
    assert len(accepted) > 10
    assert all(verify_bytes(path.read_bytes()).status == "accepted" for path in accepted)
    published = [path for path in files if path.parent.name in ("accept", "deployments")]
    assert accepted == {path for path in published if _rests_on_a_plain_sum(path)}
