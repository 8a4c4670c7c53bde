r"""Write the tables of the documentation that follow from what the code declares.

    python tools/declared_tables.py [--check]

They are those of closed forms, in ``docs/bounds.md``, and of the keys of mechanisms, in
``docs/ledgers.md``. With ``--check`` nothing is written: exit code 1 if a page differs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from exactdp.certificate.rule_table import CLOSED_FORMS
from exactdp.mechanisms.entries import DEFAULTS, JOINING, KEYS
from exactdp.mechanisms.keys import Key

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
_BEGIN: Final = "<!-- written by tools/declared_tables.py -->\n"
_END: Final = "<!-- end -->\n"


def closed_forms() -> str:
    """A row for each closed form."""
    rows = ["| row | rule | ε is at most | theorem |", "|---|---|---|---|"]
    rows += [
        f"| {form.name} | `{rule}` | {form.formula} | {form.published} |"
        for rule, form in CLOSED_FORMS.items()
    ]
    return "\n".join(rows) + "\n"


def keys() -> str:
    """A row for each key of a mechanism, and one for each parameter that may be left out."""
    rows = ["| key | in JSON | in cells | beside it |", "|---|---|---|---|"]
    rows += [
        f"| `{key.name}` | `{json.dumps(_shape(key), ensure_ascii=False)}` | "
        f"{_codes(key.columns) or '–'} | {_codes(_beside(key)) or '–'} |"
        for key in KEYS.values()
    ]
    rows += ["", "| left out | means |", "|---|---|"]
    rows += [f"| `{name}` | `{_value(value)}` |" for name, value in DEFAULTS.items()]
    return "\n".join(rows) + "\n"


def _shape(key: Key) -> dict[str, Any]:
    """An entry with the key and its further parameters."""
    further: dict[str, Any] = {
        name: ["…"] if isinstance(default, list) else "…" for name, default in key.further.items()
    }
    if key.first is None:
        return {key.name: "…", **further}
    return {key.name: {key.first: "…", **further} if key.first else further}


def _beside(key: Key) -> list[str]:
    return [other.name for other in JOINING if key.name in other.joins]


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _value(value: Any) -> str:  # noqa: ANN401 (a text, a number or a list of texts)
    return f"[{', '.join(value)}]" if isinstance(value, list) else str(value)


TABLES: Final[dict[Path, Callable[[], str]]] = {
    DOCS / "bounds.md": closed_forms,
    DOCS / "ledgers.md": keys,
}


def refreshed(page: str, table: Callable[[], str]) -> str:
    """The page, with the table as it is now."""
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}{table()}{_END}{after}"


def main() -> int:
    """Write the pages, or compare them; return the exit code."""
    pages = {path: path.read_text(encoding="utf-8") for path in TABLES}
    new = {path: refreshed(page, TABLES[path]) for path, page in pages.items()}
    if "--check" in sys.argv[1:]:
        return int(new != pages)
    for path, page in new.items():
        path.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
