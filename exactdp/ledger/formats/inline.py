r"""Inline mechanisms: ``-m EPS[,DELTA][*COUNT]`` on the command line.

Rules of this file: the last ``*INTEGER`` is always the count, and multipliers stand before
``ln``; so ``ln(3)*2`` is two mechanisms of ln 3, and ``2*ln(3)`` is one of 2 ln 3. Other notions
and families are named: ``rho=RHO[*COUNT]``, ``mu=MU[*COUNT]``; what belongs to a family follows
it: ``sigma=1.1,rate=256/60000*14063``, ``laplace=2,sensitivity=1``,
``discrete_gaussian=4,shifts=1+1``. A sensitivity is 1 where none is given, and so is a shift.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from exactdp.errors import InputError, shorten
from exactdp.ledger.formats.fields import count_of
from exactdp.ledger.formats.noise_entries import BESIDE, noise_of_cells
from exactdp.ledger.model import (
    ConcentratedMechanism,
    Entry,
    Ledger,
    Mechanism,
)

EXPECTED: Final = "EPS[,DELTA][*COUNT], such as 0.1 or 0.1,1e-9*50 or ln(3)*2"
EXPECTED_NAMES: Final = (
    "NAME=VALUE[,NAME=VALUE...][*COUNT] that begins with rho, mu, sigma, laplace, "
    "discrete_laplace, discrete_gaussian or bounded_range, such as sigma=1.1,rate=0.01*1000"
)


def parse_inline(text: str) -> Entry:
    """Read a mechanism as the option ``-m`` states it.

    Raises:
        InputError: the path is "-m TEXT".

    >>> parse_inline("0.1,1e-9*50").count
    50
    >>> print(parse_inline("1/2*ln(3)*5").epsilon)
    1/2*ln(3)
    >>> parse_inline("mu=1/2*3")
    GaussianMechanism(mu=mpq(1,2), count=3, label='')
    """
    try:
        return _mechanism(text)
    except InputError as error:
        raise error.located(f"-m {shorten(text)}") from None


def ledger_of_inline(texts: Iterable[str]) -> Ledger:
    """The ledger of several options ``-m``, in their order."""
    return Ledger(tuple(parse_inline(text) for text in texts))


def _mechanism(text: str) -> Entry:
    parameters, count = _split_count(text)
    if "=" in parameters:
        return _named(parameters, count)
    epsilon, *deltas = parameters.split(",")
    if len(deltas) > 1:
        raise InputError(
            field="mechanism",
            value=text,
            expected=EXPECTED,
            remedy="decimals take a point, and each mechanism an option -m of its own",
        )
    if deltas and (misplaced := _last_factor(epsilon)):
        before, factor = misplaced
        raise InputError(
            field="count",
            value=text,
            expected=EXPECTED,
            remedy=f"put the count last: {shorten(f'{before},{deltas[0].strip()}*{factor}')}",
        )
    try:
        return Mechanism(epsilon, deltas[0] if deltas else 0, count)
    except InputError as error:
        raise _with_cure(error, epsilon, deltas) from None


def _named(text: str, count: int) -> Entry:
    """A mechanism whose parameters are named."""
    cells: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        name = name.strip()
        if not equals or name in cells or (not cells and name not in BESIDE):
            raise InputError(
                field="mechanism", value=text, expected=EXPECTED_NAMES, remedy=_remedy(name)
            )
        cells[name] = value
    if "rho" in cells and len(cells) == 1:
        return ConcentratedMechanism(cells["rho"], count)
    return noise_of_cells(cells, count)


def _remedy(name: str) -> str:
    if name in ("pair", "renyi"):
        return "a table stands in a ledger file in JSON"
    return "a plain mechanism is 0.1 or 0.1,1e-9" if name in ("epsilon", "eps") else ""


def _split_count(text: str) -> tuple[str, int]:
    """The text before the count, and the count (1 if there is none)."""
    last = _last_factor(text)
    if last is None:
        return text, 1
    before, factor = last
    try:
        return before, count_of(factor)
    except InputError as error:
        raise InputError(
            field="count",
            value=factor or "nothing",
            expected=error.expected,
            remedy=""
            if len(factor) > len("1000") and factor.isdigit()
            else f"a count is a whole number like 1000: {shorten(before)}*1000",
        ) from None


def _last_factor(text: str) -> tuple[str, str] | None:
    """What stands before and after the last "*", if what follows was meant as a count."""
    before, star, factor = text.rpartition("*")
    if not star or any(letter in "()," for letter in factor):
        return None
    return before.strip(), factor.strip()


def _with_cure(error: InputError, epsilon: str, deltas: list[str]) -> InputError:
    """The error, with the cure for a decimal comma or a second count where that is likely."""
    if error.field == "delta" and deltas[0].strip().isdigit() and epsilon.strip().isdigit():
        remedy = f"decimals take a point: {shorten(f'{epsilon.strip()}.{deltas[0].strip()}')}"
    elif error.field == "epsilon" and _last_factor(epsilon):
        remedy = "a mechanism takes one count, and it stands last"
    else:
        return error
    return type(error)(
        field=error.field,
        value=error.value,
        expected=error.expected,
        remedy=remedy,
        code=error.code,
    )
