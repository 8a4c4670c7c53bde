"""Compare today's answers with the golden file, one line a difference; ``--write``: keep them.

    python -m tools.golden [--write]

Whatever changes is listed in ``tests/golden/changes.md`` with its reason, in the same commit.
"""

from __future__ import annotations

import json
import sys
from typing import Final

from tests.golden.answers import FILE, Kept, all_answers, differences

USAGE: Final = 2


def main(arguments: list[str]) -> int:
    """Exit code 0 if nothing differs or the file was written, 1 if something differs."""
    if arguments not in ([], ["--write"]):
        print("usage: python -m tools.golden [--write]", file=sys.stderr)
        return USAGE
    answers = all_answers()
    before: dict[str, Kept] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    changed = differences(before, answers)
    for line in changed:
        print(line)
    if arguments:
        FILE.write_text(_text(answers), encoding="utf-8")
        return 0
    return 1 if changed else 0


def _text(answers: dict[str, Kept]) -> str:
    """One answer a line, so that a change is read as a change of that line."""
    lines = (
        f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(kept, ensure_ascii=False)}"
        for name, kept in answers.items()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
