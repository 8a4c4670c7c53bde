r"""``exactdp help``: the page of a command, and how a mechanism is written after ``-m``.

Rules of this file: ``-m`` is explained here and nowhere else. What the page does not mention of the
keys of all families (:data:`exactdp.mechanisms.entries.BESIDE`) is listed below it, as the families
describe it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from exactdp.cli.commands import COMMANDS
from exactdp.errors import InputError

MECHANISMS: Final = "mechanisms"
_PAGE: Final = """\
Usage: -m MECHANISM, as often as there are mechanisms, instead of a LEDGER.

A mechanism is written in one line, without blanks. *COUNT at its end repeats it.

By its privacy parameters:
  0.1                      ε = 0.1, pure
  0.1,1e-9*50              ε = 0.1 and δ = 1e-9, fifty times
  ln(3)*2                  ε = ln 3, twice
  rho=1/8*3                zero-concentrated DP, three times
  mu=1/2                   Gaussian DP

By its noise, which is tighter:
  laplace=2                Laplace noise of scale 2
  sigma=1.1                Gaussian noise of standard deviation 1.1
  variance=2               Gaussian noise of variance 2
  gaussian_rho=0.81        Gaussian noise with ρ = 0.81
  mu_squared=1.62          Gaussian noise with μ² = 1.62, the same
  bounded_range=0.1        a choice of bounded range, such as the exponential mechanism's
  discrete_laplace=2       discrete Laplace (geometric) noise of scale 2
  discrete_gaussian=4      discrete Gaussian noise of variance 4
  skellam=4                Skellam noise of variance 4

Beside noise, after commas and in any order:
  sensitivity=1            of laplace, sigma, variance: the most that one record moves the sum
  shifts=1+1               of noise on integers: how far one record moves each count
  rate=256/60000           on a Poisson sample: with which probability a record is in it
  records_per_person=4     with a rate on sigma: how many records one person has at most
  clip=1                   with a rate, for sensitivity and shifts: the clipping norm
  batches=234,epochs=2     of sigma: shuffled, cut into batches (order=fresh or persistent)

Sensitivity and shifts are 1 unless they are given. Numbers are exact: 0.1, 1/10, 1e-9, ln(3).

  exactdp compose -m 0.1,1e-9*50 --delta 1e-6
  exactdp compose -m sigma=1.1,rate=256/60000*14063 --delta 1e-5
  exactdp compose -m laplace=10,sensitivity=2*12 -m rho=1/100 --delta 1e-6

A file may say more: docs/ledgers.md, or exactdp init to begin with one.
"""


def mechanisms_page() -> str:
    """How a mechanism is written after ``-m``."""
    from exactdp.mechanisms.entries import BESIDE, FLAT, KEYS  # noqa: PLC0415 (this page alone)

    known = {"epsilon", "delta", *re.findall(r"(\w+)=", _PAGE)}
    others = [name for name in (*BESIDE, *FLAT) if name not in known]
    meant = {name: text for key in KEYS.values() for name, text in key.means.items()}
    lines = [f"  {f'{name}=…':<25}{meant.get(name, 'see docs/ledgers.md')}\n" for name in others]
    head = ["\nFurther words:\n"] if lines else []
    return "".join([_PAGE, *head, *lines])


def page_of(topic: Sequence[str]) -> list[str]:
    """The command line that shows the page on a command, or that of all.

    Raises:
        InputError: there is no such command.
    """
    if topic and topic[0] not in COMMANDS:
        from exactdp.cli.usage import nearest  # noqa: PLC0415 (it is said where it is wrong)

        raise InputError(
            field="help",
            value=topic[0],
            expected=f"a command, or {MECHANISMS}",
            remedy=nearest(topic[0], [*COMMANDS, MECHANISMS]) or "see exactdp --help",
            code="usage",
        )
    return [*topic, "--help"]
