r"""``exactdp.interactive``: the privacy loss of interactive mechanisms, from files or values."""

from __future__ import annotations

import os

from exactdp.arithmetic.numbers import Number
from exactdp.interaction.answers import Examination, examine
from exactdp.interaction.mechanism import InteractiveMechanism
from exactdp.interaction.reading import read_mechanism


def interactive(
    *mechanisms: InteractiveMechanism | str | os.PathLike[str], delta: Number = 0
) -> Examination:
    """The exact privacy loss of a mechanism, or of several that are used concurrently.

    Args:
        *mechanisms: one to eight, or the paths of files in the format exactdp-interactive/1.
        delta: δ.

    Raises:
        InputError: bad arguments, or a file that cannot be read.
        CostLimitError: together they have too many histories.

    >>> from exactdp.interaction.mechanism import randomized_response
    >>> from gmpy2 import mpq
    >>> print(interactive(randomized_response(mpq(3))).epsilon)
    ln(3)
    """
    read = [
        each if isinstance(each, InteractiveMechanism) else read_mechanism(os.fspath(each))
        for each in mechanisms
    ]
    return examine(read, delta=delta)
