r"""``exactdp init``: a ledger or a policy to begin with, with comments.

Rules of this file: what it writes is read by the same version without a change; nothing is written
over.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from exactdp.cli.files import check_file, write_together
from exactdp.cli.options import command
from exactdp.cli.output import print_json, write
from exactdp.readable import printable
from exactdp.templates import init

_NEXT: Final = {
    ".csv": "exactdp compose {name} --delta 1e-6",
    ".json": "exactdp audit {name}",
    ".toml": "exactdp gate {name}",
}


@command("init")
def init_command(name: str, *, as_json: bool) -> int:
    """Write FILE to begin with: a ledger (.csv or .json), or a policy (.toml).

    It has comments, and can be used as it is. Without FILE it is ledger.csv.
    """
    path = Path(name)
    text = init(name)
    check_file(path, "FILE")
    write_together({path: text.encode()}, "FILE")
    following = _NEXT[path.suffix].format(name=name)
    if as_json:
        print_json("init", {"written": name, "next": following})
    else:
        kind = "policy" if path.suffix == ".toml" else "ledger"
        write(f"A {kind} to begin with was written to {printable(name)}.\n")
        write(f"next: {printable(following)}\n")
    return 0
