"""Links in a folder that is checked: what they lead to is never read, and so never printed."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.cli.running import EXECUTABLE, exactdp
from tests.marking import slow_after

TOKEN: Final = "t0ken-5e3b"  # noqa: S105 (of nothing)
SECRETS: Final = {
    "text": f"AWS_SECRET={TOKEN}\n",
    "toml": f'AWS_SECRET = "{TOKEN}"\n["{TOKEN}"]\n',
    "json": f'{{"mechanisms": [{{"epsilon": "{TOKEN}"}}], "{TOKEN}": 1}}',
    "csv": f"epsilon,{TOKEN}\n{TOKEN},{TOKEN}\n",
    "ledger": f'{{"mechanisms": [{{"epsilon": "1", "label": "{TOKEN}"}}], "name": "{TOKEN}"}}',
}
_SLOW: Final = ("text", "toml", "csv")
LINKS: Final = {
    "led/x.json": "../../outside/secret",
    "led/absolute.json": "OUTSIDE/secret",
    "led/chain.json": "x.json",
    "led/up": "../../outside",
    "led/deep/er/x.csv": "../../../.env",
    "led/hidden.json": "../.env",
    "folder": "../outside",
}
"""Where a link stands, and where it leads: one to a hidden file of the folder itself."""
PATTERNS: Final = (
    *("**/*", "*/*", "led/*.json", "**/up/*", "folder/**/*"),
    *("led/x.json", "**/secret", "*/*/*/x.csv"),
)


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "repository" / "led" / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "repository")


def link(name: str, to: str, secret: str) -> None:
    """Make a link, and whatever it leads through, with a secret at its end."""
    outside = Path("..", "outside").resolve()
    (outside / "secret").write_text(secret)
    Path(".env").write_text(secret)
    Path(name).symlink_to(to.replace("OUTSIDE", str(outside)))
    if "chain" in name:
        Path("led", "x.json").symlink_to(LINKS["led/x.json"])


def everything_said(*arguments: str) -> tuple[int, str]:
    """The exit code, and all that is printed or written."""
    codes, said = set(), ""
    for options in (
        [],
        ["--json"],
        ["--junit", "j.xml", "--sarif", "s.json", "--certificates", "c"],
    ):
        answer = exactdp("gate", *arguments, *options)
        codes.add(answer.code)
        said += answer.out + answer.err
    for path in (Path("j.xml"), Path("s.json"), *Path().glob("c/*")):
        said += path.read_text("utf-8") if path.exists() else ""
    assert len(codes) == 1
    return codes.pop(), said


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.slow] * (kind in _SLOW)) for kind in SECRETS]
)
@pytest.mark.parametrize("name", slow_after(2, LINKS))
def test_what_a_link_leads_to_is_never_said_whatever_the_pattern(name: str, kind: str) -> None:
    link(name, LINKS[name], SECRETS[kind])
    refused = 0
    for pattern in PATTERNS:
        Path("exactdp.toml").write_text(
            f'format = "exactdp-policy/1"\nledgers = ["{pattern}"]\n'
            '[[budgets]]\nscope = "together"\nepsilon = 9\n'
            '[[budgets]]\nscope = "each"\nepsilon = 9\n'
        )
        code, said = everything_said(".")
        assert TOKEN not in said, (pattern, said)
        assert code in (2, 3), pattern  # 3: the pattern matches no file
        refused += "not what a symbolic link leads to" in said
    assert refused > 0


@pytest.mark.parametrize("kind", SECRETS)
def test_a_policy_that_is_a_link_is_not_read(kind: str) -> None:
    link("led/exactdp.toml", "../../outside/secret", SECRETS[kind])
    code, said = everything_said(".")
    assert (code, TOKEN in said) == (2, False)
    assert "led/exactdp.toml: expected a file of the folder itself" in said


@pytest.mark.parametrize("source", ["led", "led/*", "led/*.json", "**/*.json"])
def test_ledgers_of_a_folder_that_are_judged_alone_are_no_links(source: str) -> None:
    Path("exactdp.toml").write_text('format = "exactdp-policy/1"\nledgers = ["*.json"]\n')
    link("led/x.json", LINKS["led/x.json"], SECRETS["json"])
    answer = exactdp("gate", "--policy", "exactdp.toml", source)
    assert (answer.code, TOKEN in answer.out + answer.err) == (2, False)
    assert "led/x.json: expected a file of the folder itself" in answer.err


def test_a_folder_that_is_itself_behind_a_link_is_checked() -> None:
    Path("led", "x.json").write_text('{"mechanisms": [{"epsilon": "1"}], "name": "x"}')
    Path("led", "exactdp.toml").write_text(
        'format = "exactdp-policy/1"\nledgers = ["*.json"]\n'
        '[[budgets]]\nscope = "each"\nepsilon = 1\n'
    )
    Path("way").symlink_to("led")
    assert exactdp("gate", "way").code == 0


def test_patterns_without_end_come_to_one() -> None:
    for names in ("a/b/c/d/e/f", "a/b/c/x/y/z", "q/w/e/r/t/y"):
        below = Path(names)
        below.mkdir(parents=True)
        (below / "x.json").write_text('{"mechanisms": [{"epsilon": "1"}]}')
    stars = "**/" * 200 + "*.json"
    Path("exactdp.toml").write_text(
        f'format = "exactdp-policy/1"\nledgers = ["{stars}"]\n'
        '[[budgets]]\nscope = "each"\nepsilon = 1\n'
    )
    answer = exactdp("gate")
    assert answer.code == 0
    assert "3 of 3 requirements hold" in answer.out


GOOD, DEAR = (f'{{"mechanisms": [{{"epsilon": "{size}"}}]}}' for size in (1, 9))
KINDS: Final = ("file", "linked file", "linked folder", "dangling link", "pipe", "socket")
PLACES: Final = {
    "**/*.json": ("x.json", "team/x.json", "team/deep/x.json"),
    "team/*.json": ("team/x.json",),
    "*/deep/*.json": ("team/deep/x.json",),
    "team/**/*": ("team/x.json", "team/deep/x.json"),
    "team/**": ("team/x.json", "team/deep/x.json"),
}
"""Patterns, and where something that each of them matches may stand."""
POLICY: Final = (
    'format = "exactdp-policy/1"\nledgers = ["{}"]\n[[budgets]]\nscope = "together"\nepsilon = 2\n'
)


def put(kind: str, name: str, content: str) -> str:
    """Put something of a kind at a name; what a finding must name."""
    path, real = Path(name), Path("..", "outside", "real").resolve()
    if kind == "file":
        path.write_text(content)
    if kind == "linked folder":
        real.mkdir()
        (real / path.name).write_text(content)
        path = path.with_name("linked")
    if kind == "linked file":
        real.write_text(content)
    if kind.startswith(("linked", "dangling")):
        path.symlink_to(real)
    if kind == "pipe":
        os.mkfifo(path)
    if kind == "socket":
        with socket.socket(socket.AF_UNIX) as opened:
            opened.bind(name)
    return str(path)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("pattern", "name"), [(pattern, name) for pattern, names in PLACES.items() for name in names]
)
def test_nothing_that_a_pattern_matches_or_would_enter_is_passed_over(
    pattern: str, name: str, kind: str
) -> None:
    for folder in ("", "team", "team/deep"):
        Path(folder).mkdir(exist_ok=True)
    Path(name).with_name("ok.json").write_text(GOOD)
    Path("exactdp.toml").write_text(POLICY.format(pattern))
    assert exactdp("gate").code == 0
    named = put(kind, name, DEAR)
    answer = exactdp("gate", "--json")
    entered = kind != "linked folder" or "**" in pattern
    refused = {each["message"] for each in answer.result["findings"] if each["status"] == "invalid"}
    if kind == "file":
        assert answer.code == 1
    elif entered:
        assert answer.code == 2
        assert refused
        assert all(message.startswith(f"ledger: {named}: expected") for message in refused)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("folder", ["", "team", "team/deep"])
def test_a_policy_that_is_no_file_is_named_and_the_others_are_checked(
    kind: str, folder: str
) -> None:
    Path("team/deep").mkdir(parents=True)
    Path("other").mkdir()
    Path("other", "x.json").write_text(DEAR)
    Path("other", "exactdp.toml").write_text(POLICY.format("*.json"))
    assert exactdp("gate").code == 1
    named = put(kind, str(Path(folder, "exactdp.toml")), POLICY.format("*.json"))
    answer = exactdp("gate", "--json")
    statuses = {(each["policy"], each["status"]) for each in answer.result["findings"]}
    assert ("other/exactdp.toml", "failed") in statuses
    if kind == "file":
        assert answer.code == 1
    else:
        [refused] = [each for each in answer.result["findings"] if each["status"] == "invalid"]
        assert answer.code == 2
        assert (refused["kind"], named in refused["message"]) == ("policy", True)


READERS: Final = {
    "ledger": ("compose", "PIPE", "--delta", "0"),
    "claims": ("audit", "PIPE"),
    "policy": ("gate", "--policy", "PIPE", "x.json"),
    "alone": ("gate", "--policy", "good.toml", "PIPE"),
    "place": ("gate", "PIPE"),
    "certificate": ("verify", "PIPE"),
    "of a ledger": ("verify", "x.json", "--ledger", "PIPE"),
    "log": ("filter", "status", "PIPE"),
    "replayed log": ("filter", "audit", "PIPE"),
    "spent log": ("filter", "spend", "PIPE", "-m", "rho=1/4"),
    "record": ("filter", "import", "w.log", "PIPE", "--from", "csv", "--budget", "rho=1"),
    "workload": ("parallel", "PIPE"),
    "converted": ("convert", "PIPE", "--to", "csv"),
}


@pytest.mark.parametrize("reader", READERS)
def test_no_reader_waits_for_a_pipe_that_stands_in_a_folder(reader: str) -> None:
    os.mkfifo("pipe")
    Path("x.json").write_text(GOOD)
    Path("good.toml").write_text('format = "exactdp-policy/1"\nledgers = ["*.json"]\n')
    answer = exactdp(*("pipe" if each == "PIPE" else each for each in READERS[reader]))
    assert answer.code == 2
    assert "pipe" in answer.err + answer.out


@pytest.mark.slow
def test_what_the_shell_gives_in_the_place_of_a_ledger_is_read() -> None:
    for name in ("/dev/stdin", "/dev/fd/0", "-"):
        command = [*EXECUTABLE, "compose", name, "--delta", "0", "--json"]
        done = subprocess.run(command, input=GOOD, text=True, capture_output=True, check=True)
        assert json.loads(done.stdout)["result"]["mechanisms"]
