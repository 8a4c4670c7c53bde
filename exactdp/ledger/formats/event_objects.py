r"""dp-accounting's events as objects, read as :mod:`exactdp.ledger.formats.dp_events` reads JSON.

Rules of this file: nothing of dp-accounting is imported, so that whatever has its interface is an
event; a double stands for its exact value, as that is what the mechanism ran with; an event of
another library is refused, whatever its class is called.
"""

from __future__ import annotations

import json
import numbers
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from exactdp.errors import InputError, shorten
from exactdp.ledger.formats import dp_events
from exactdp.ledger.model import Ledger


def ledger_of_event(event: object, relation: str = "") -> Ledger:
    """The ledger of an event, or of a list of some, each double at its exact value.

    Args:
        event: of dp-accounting's interface.
        relation: as for :func:`exactdp.ledger.formats.dp_events.read`.

    Raises:
        InputError: as :func:`exactdp.ledger.formats.dp_events.read` does, or an event of another
            library.
    """
    text = event_text(event)
    if isinstance(event, list | tuple) and not hasattr(event, "_asdict"):
        text = f'{{"class_name": "ComposedDpEvent", "events": {text}}}'
    check_modules(json.loads(text))
    return dp_events.read(text.encode(), relation)


def check_modules(tree: Any) -> None:  # noqa: ANN401 (a JSON tree)
    """Refuse an event of another library, whatever its class is called.

    Raises:
        InputError: there is one.
    """
    if isinstance(tree, dict):
        named = tree.get("module_name", dp_events.MODULE)
        if named != dp_events.MODULE:
            raise InputError(
                field="module_name", value=shorten(str(named)), expected=dp_events.MODULE
            )
        tree = list(tree.values())
    if isinstance(tree, list):
        for each in tree:
            check_modules(each)


def event_text(value: Any) -> str:  # noqa: ANN401 (an event or a field of one)
    """The JSON of an event, its doubles with every digit.

    Raises:
        InputError: a field is no number.
    """
    if hasattr(value, "to_named_tuple"):
        value = value.to_named_tuple()
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(event_text, value))}]"
    if isinstance(value, Mapping):
        return (
            f"{{{', '.join(f'{json.dumps(str(k))}: {event_text(v)}' for k, v in value.items())}}}"
        )
    if isinstance(value, str | bool) or value is None:
        return json.dumps(value)
    return _number_text(value)


def _number_text(value: object) -> str:
    """The text of a number of any library, exactly.

    Raises:
        InputError: it is none.
    """
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return str(Decimal(float(value)))
    raise InputError(
        field="event", value=shorten(repr(value)), expected="events whose fields are numbers"
    )
