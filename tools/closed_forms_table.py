r"""Write the table of closed forms in ``docs/bounds.md``, from the table of rules.

    python tools/closed_forms_table.py [--check]

With ``--check`` nothing is written: exit code 1 if the page differs.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from exactdp.certificate.rule_table import CLOSED_FORMS

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "bounds.md"
_BEGIN: Final = "<!-- written by tools/closed_forms_table.py -->\n"
_END: Final = "<!-- end -->\n"


def table() -> str:
    """The table, a row for each closed form."""
    rows = ["| row | rule | ε is at most | theorem |", "|---|---|---|---|"]
    rows += [
        f"| {form.name} | `{rule}` | {form.formula} | {form.published} |"
        for rule, form in CLOSED_FORMS.items()
    ]
    return "\n".join(rows) + "\n"


def refreshed(page: str) -> str:
    """The page, with the table as it is now."""
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}{table()}{_END}{after}"


def main() -> int:
    """Write the page, or compare it; return the exit code."""
    page = PAGE.read_text(encoding="utf-8")
    if "--check" in sys.argv[1:]:
        return int(page != refreshed(page))
    PAGE.write_text(refreshed(page), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
