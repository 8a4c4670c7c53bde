r"""Opacus's histories: of each run of steps its noise multiplier, sample rate and length.

Purpose: an accountant of Opacus keeps ``history``, a list of ``(noise_multiplier, sample_rate,
steps)``. ``state_dict()`` saves it, and people save the list itself, or the accountant's own
attributes under ``_state_dict``.

Rules of this file: a step is the Gaussian mechanism on a Poisson sample, where a record is added or
removed, and the ledger says that this was read; a history that says more is refused.

Theory of operation: Opacus clips each gradient to C, draws every batch by Poisson sampling (unless
``poisson_sampling=False``, which its history does not show), and adds noise of deviation
``noise_multiplier`` · C. So a step is what dp-accounting calls a Gaussian event on a Poisson
sample, and is read as one.

Sources: Opacus 1.5.4, ``accountants/accountant.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import as_rational
from exactdp.errors import DomainError, InputError, shorten
from exactdp.ledger.formats.fields import count_of
from exactdp.ledger.formats.strict_json import check_keys, json_path, parse
from exactdp.ledger.model import Ledger
from exactdp.ledger.written import written
from exactdp.mechanisms import Entry, GaussianMechanism, SampledMechanism

NAME: Final = "opacus"
_KEYS: Final = ("_state_dict", "state_dict", "history")
_BEGIN: Final = 200
_ENTRY: Final = "[noise multiplier, sample rate, steps]"
_LIKE_A_DELTA: Final = mpq(1, 1000)

_TextOf = Callable[[Any], str]
_Keys = list[str | int]


def recognises(data: bytes) -> bool:
    """Whether the bytes begin as a history does, or a state that holds one."""
    begin = b"".join(data[:_BEGIN].split())
    if begin.startswith(b"{"):
        return any(begin.startswith(f'{{"{key}":'.encode()) for key in _KEYS)
    row = begin.removeprefix(b"[[").partition(b"]")[0]
    return begin.startswith(b"[[") and row.count(b",") == 2 and row[:1].isdigit()


def read_recognised(data: bytes) -> Ledger:
    """Read what :func:`recognises`; a bare list whose rates look like δ is refused.

    Raises:
        InputError: as for :func:`read`, or nobody can know what the numbers are.
    """
    ledger, document = read(data), parse(data)
    rows = document.tree if isinstance(document.tree, list) else []
    if any(as_rational(document.text_of(row[1]), "rate") < _LIKE_A_DELTA for row in rows):
        raise InputError(
            field="history",
            value="three numbers in each entry, the second below 1/1000",
            path="$[0]",
            expected=f"entries that can only be {_ENTRY}, and not ε, δ and a count",
            remedy=f"exactdp convert --from {NAME} if so (in Python exactdp.from_opacus)",
        )
    return ledger


def read(data: bytes) -> Ledger:
    """Read a history, or a state that holds one.

    Raises:
        InputError: not JSON, or no history.

    >>> read(b"[[2.0, 0.01, 100]]").size
    100
    """
    document = parse(data)
    tree, keys = document.tree, list[str | int]()
    while isinstance(tree, Mapping):
        check_keys(tree, (*_KEYS, "mechanism"), document, keys, of="a state of Opacus")
        name = next((key for key in _KEYS if key in tree), _KEYS[-1])
        tree, keys = tree.get(name), [*keys, name]
    return _ledger(tree, document.text_of, document.shown, keys)


def ledger_of_opacus(engine: Any) -> Ledger:  # noqa: ANN401 (Opacus's)
    """The ledger of what an engine of Opacus has run so far, or an accountant of it.

    Every number is the shortest decimal that reads back as the double in the history, as in a saved
    history. A step is the Gaussian mechanism on a Poisson sample, with one record added or removed.

    Args:
        engine: a ``PrivacyEngine``, one of its accountants, its ``state_dict()``, or a history.

    Raises:
        InputError: there is no history, or one that a ledger cannot hold.

    >>> ledger_of_opacus([(1.1, 0.01, 1000)]).mechanisms[0].count
    1000
    """
    accountant = getattr(engine, "accountant", engine)
    history = accountant.get("history") if isinstance(accountant, Mapping) else accountant
    return _ledger(getattr(history, "history", history), lambda each: str(written(each)), repr, [])


def _ledger(history: Any, text_of: _TextOf, shown: _TextOf, keys: _Keys) -> Ledger:  # noqa: ANN401 (anybody's)
    if not isinstance(history, list | tuple):
        raise InputError(
            field="history",
            value="nothing" if history is None else shorten(shown(history)),
            path=json_path(keys),
            expected=f"a history of Opacus: a list of {_ENTRY}",
        )
    entries = []
    for index, entry in enumerate(history):
        place = json_path([*keys, index])
        if not isinstance(entry, list | tuple) or len(entry) != 3:
            raise InputError(
                field="history", value=shorten(shown(entry)), path=place, expected=_ENTRY
            )
        try:
            entries.extend(_steps(*map(text_of, entry)))
        except InputError as error:
            raise error.located(place) from None
    sentence = f"a history of Opacus, {len(history)} × {_ENTRY}, with batches by Poisson sampling"
    return Ledger(tuple(entries), neighbouring="add-remove-one", reading=(sentence,))


def _steps(noise: str, rate: str, steps: str) -> list[Entry]:
    """The mechanism of a run of steps; none where nobody is sampled."""
    multiplier, probability = as_rational(noise, "noise_multiplier"), as_rational(rate, "rate")
    if multiplier <= 0:
        raise DomainError(
            field="noise_multiplier",
            value=noise,
            expected="a number above 0: without noise, no privacy",
        )
    base = GaussianMechanism.of_noise(multiplier, 1)
    count = count_of(steps)
    if probability in (0, 1):
        return [base.times(count)] if probability else []
    return [SampledMechanism(base, probability, count)]
