r"""Labels: which mechanisms of a ledger a question about a budget means.

Rules of this file: a label is that of a mechanism, or #N for the N-th of the ledger, as mechanisms
on the command line have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from exactdp.errors import InputError, shorten
from exactdp.ledger.model import Ledger

_SHOWN_LABELS: Final = 8
_MOST_DIGITS: Final = 18


def known_labels(ledger: Ledger, labels: Sequence[str]) -> tuple[str, ...]:
    """The labels, once each, all of which the ledger has; #N is the N-th mechanism.

    Raises:
        InputError: it does not have one of them.
    """
    if isinstance(labels, str):
        raise InputError(
            field="hold",
            value=labels,
            expected="a list of labels",
            remedy=f"pass [{labels!r}]",
        )
    known = {each.label for each in ledger.mechanisms if each.label}
    for label in labels:
        if label not in known and _number(ledger, label) is None:
            raise _unknown(label, sorted(known))
    return tuple(dict.fromkeys(labels))


def index_of(ledger: Ledger, label: str) -> int:
    """Where the first mechanism of this label stands, or the N-th for #N.

    Raises:
        InputError: there is none, or there are different ones.
    """
    mechanisms = ledger.mechanisms
    number = _number(ledger, label)
    if number is not None:
        return number - 1
    known_labels(ledger, [label])
    places = [index for index, each in enumerate(mechanisms) if each.label == label]
    if len({mechanisms[place].times(1) for place in places}) > 1:
        raise InputError(
            field="label",
            value=label,
            expected="a label whose mechanisms all have the same parameters",
            remedy="give the one to be added a label of its own",
        )
    return places[0]


def _number(ledger: Ledger, label: str) -> int | None:
    """N for #N, if there is an N-th mechanism."""
    number = label.removeprefix("#")
    if not (label.startswith("#") and number.isdecimal() and len(number) <= _MOST_DIGITS):
        return None
    return int(number) if 1 <= int(number) <= len(ledger.mechanisms) else None


def _unknown(label: str, known: Sequence[str]) -> InputError:
    close = get_close_matches(label, known, n=3, cutoff=0.5)
    if close:
        remedy = f"did you mean {' or '.join(shorten(each) for each in close)}?"
    elif known:
        shown = ", ".join(shorten(each) for each in known[:_SHOWN_LABELS])
        remedy = f"it has {shown}{', …' if len(known) > _SHOWN_LABELS else ''}"
    else:
        remedy = (
            "its mechanisms have no labels; #1 is the first, #2 the second; in a table, the column "
            "label names them"
        )
    return InputError(
        field="label", value=label, expected="the label of a mechanism of the ledger", remedy=remedy
    )
