"""Links in a folder that is checked: what they lead to is never read, and so never printed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.cli.running import exactdp

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
@pytest.mark.parametrize(("name", "to"), [*LINKS.items()])
def test_what_a_link_leads_to_is_never_said_whatever_the_pattern(
    name: str, to: str, kind: str
) -> None:
    link(name, to, SECRETS[kind])
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
