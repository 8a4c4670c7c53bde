r"""``exactdp init``: a ledger or a policy to begin with, with comments.

Rules of this file: what it writes is read by the same version without a change; nothing is written
over.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from exactdp.cli.files import check_file
from exactdp.cli.options import command
from exactdp.cli.rendering import answer
from exactdp.pages.facts import fact
from exactdp.templates import init

_NEXT: Final = {
    ".csv": "exactdp compose {name} --delta 1e-6",
    ".json": "exactdp audit {name}",
    ".toml": "exactdp gate {name}",
}


@command("init")
def init_command(name: str) -> int:
    """Write FILE to begin with: a ledger (.csv or .json), or a policy (.toml).

    It has comments, and can be used as it is. Without FILE it is ledger.csv.
    """
    path = Path(name)
    text = init(name)
    check_file(path, "FILE")
    following = _NEXT[path.suffix].format(name=name)
    kind = "policy" if path.suffix == ".toml" else "ledger"
    return answer(
        [fact("written", name), fact("next", following)],
        f"A {kind} to begin with was written to {name}.",
        f"next: {following}",
        files={path: text.encode()},
        field="FILE",
    )
