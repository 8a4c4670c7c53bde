"""``exactdp partition``: count multiplicative partitions with privacy profiles."""

from __future__ import annotations

from time import process_time
from typing import Final

from exactdp.cli.options import command
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer
from exactdp.errors import InputError
from exactdp.hardness.reductions import MOST_BITS, MOST_DIVISOR, count_partitions
from exactdp.pages.facts import COMPUTED, fact, titled
from exactdp.pages.number_text import grouped

_MOST_DIGITS: Final = len(str(2**MOST_BITS))


@command("partition")
def partition_command(integers: tuple[str, ...], *, divisor: str, max_cost: int) -> int:
    """How many sets of the integers Z have the same product as those left out.

    Optimal composition is asked four times; nothing else is known of the integers.
    """
    values = [_integer(text, "Z") for text in integers]
    begun = process_time()
    with working("composing"):
        counted = count_partitions(
            values, divisor=_integer(divisor, "--divisor"), max_cost=max_cost
        )
    seconds, number = process_time() - begun, grouped(counted.count)
    have = "has" if counted.count == 1 else "have"
    size, calls = grouped(len(values)), counted.oracle_calls
    known = [
        fact("integers", [str(z) for z in values], "integers", size),
        fact("partitions", str(counted.count), titled("partitions", COMPUTED), number),
        fact("evidence", COMPUTED),
        fact("oracle_calls", calls, "privacy profiles", f"{calls} points, in {seconds:.2g} s"),
    ]
    sentence = f"{number} of the sets of these {size} integers {have} the same product as what is "
    return answer(known, f"{sentence}left out.")


def _integer(text: str, field: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > _MOST_DIGITS:
        raise InputError(
            field=field,
            value=text,
            expected="a whole number at least 1, in plain digits"
            if field == "Z"
            else f"a whole number from 1 to {MOST_DIVISOR}",
        )
    return int(text)
