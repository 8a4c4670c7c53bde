r"""Make what a release consists of: wheel, source, verifiers, manual, bill of materials.

Rules of this file: the same commit gives the same bytes; the tag says the version, and both stand
in the changelog; nothing is published here. The manual is written from the commands themselves.

    python tools/make_release.py [--tag vX.Y.Z] [-o DIRECTORY]
    python tools/make_release.py --manual FILE
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

import exactdp
from exactdp.cli.application import exactdp_command
from exactdp.cli.commands import COMMANDS
from exactdp.pages.page import checking_page
from exactdp.pages.verifier_file import NAME, archive

ROOT: Final = Path(__file__).resolve().parent.parent
LOCK: Final = ROOT / "requirements.lock"
SUMS: Final = "SHA256SUMS"
MANUAL: Final = "exactdp.1"
BILL: Final = "exactdp.cdx.json"
CHECKER: Final = "exactdp-check.html"
_PIN: Final = re.compile(r"^([\w.-]+)==([^\s;\\]+)")
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_HEAD: Final = """\
.TH EXACTDP 1 "" "exactdp {version}" "User Commands"
.SH NAME
exactdp \\- optimal composition of differential privacy: exact, certain, certified
.SH SYNOPSIS
.B exactdp
.I COMMAND
[OPTIONS] [ARGUMENTS]
.SH COMMANDS
"""
_FOOT: Final = """\
.SH EXIT STATUS
0 done, 1 refuted or rejected, 2 bad input, 3 undecided within limits, 70 internal error, 130
interrupted. With several files the worst counts.
.SH ENVIRONMENT
.TP
.B NO_COLOR
If set, verdicts are not coloured.
"""


def check_tag(tag: str, changelog: str) -> None:
    """See that a tag, the version and the changelog agree.

    Raises:
        ValueError: they do not.
    """
    if tag != f"v{exactdp.__version__}":
        message = f"the tag {tag} is not that of version {exactdp.__version__}"
        raise ValueError(message)
    if f"## [{exactdp.__version__}]" not in changelog:
        message = f"CHANGELOG.md has no section [{exactdp.__version__}]"
        raise ValueError(message)


def bill_of_materials(lock: str) -> bytes:
    """A CycloneDX 1.6 document of what ``requirements.lock`` pins."""
    component = {"type": "library", "name": "exactdp", "version": exactdp.__version__}
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**component, "licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": list(_components(lock)),
    }
    return json.dumps(document, indent=1).encode() + b"\n"


def _components(lock: str) -> Iterator[dict[str, object]]:
    for entry in lock.replace("\\\n", " ").splitlines():
        pin = _PIN.match(entry)
        if pin is not None:
            yield {
                "type": "library",
                "bom-ref": f"pkg:pypi/{pin[1]}@{pin[2]}",
                "name": pin[1],
                "version": pin[2],
                "purl": f"pkg:pypi/{pin[1]}@{pin[2]}",
                "properties": [
                    {"name": "exactdp:file-sha256", "value": digest}
                    for digest in _HASH.findall(entry)
                ],
            }


def manual() -> str:
    """The page of the manual."""
    context = click.Context(
        exactdp_command, info_name="exactdp", **exactdp_command.context_settings
    )
    lines = [_HEAD.format(version=exactdp.__version__)]
    for name in COMMANDS:
        command = exactdp_command.get_command(context, name)
        assert command is not None
        lines += _command(command, click.Context(command, context, name))
    return "".join([*lines, _FOOT])


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f".SS {_escaped(usage)}\n"
    yield f"{_escaped(' '.join((command.help or '').split()))}\n"
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            yield f".TP\n.B {_escaped(record[0])}\n{_escaped(' '.join(record[1].split()))}\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _command(below, click.Context(below, context, name))


def _escaped(text: str) -> str:
    """Text that the formatter takes as text: no line begins with a request."""
    shown = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{shown}" if shown.startswith((".", "'")) else shown


def build(output: Path) -> None:
    """Write all files of a release into a directory, with their checksums.

    Raises:
        CalledProcessError: the build failed; the reason has been printed.
    """
    output.mkdir(parents=True, exist_ok=True)
    environment = {"SOURCE_DATE_EPOCH": "315532800"} | os.environ  # 1980, as in the verifier
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(output.resolve())]
    subprocess.run(command, check=True, cwd=ROOT, env=environment)  # noqa: S603 (our own command)
    (output / NAME).write_bytes(archive())
    (output / CHECKER).write_bytes(checking_page())
    (output / MANUAL).write_text(manual(), encoding="utf-8")
    (output / BILL).write_bytes(bill_of_materials(LOCK.read_text(encoding="utf-8")))
    files = sorted(path for path in output.iterdir() if path.name != SUMS)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (output / SUMS).write_text("".join(lines), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a release; return the exit code."""
    parser = argparse.ArgumentParser(description="Make the files of a release.")
    parser.add_argument("--tag", help="the tag that it is made for (default: a dry run)")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--manual", type=Path, help="write the page of the manual there, no more")
    parsed = parser.parse_args(arguments)
    if parsed.manual is not None:
        parsed.manual.write_text(manual(), encoding="utf-8")
        return 0
    if parsed.tag is not None:
        try:
            check_tag(parsed.tag, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
        except ValueError as error:
            sys.stderr.write(f"{error}\n")
            return 2
    build(parsed.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
