"""``exactdp partition``: count multiplicative partitions with privacy profiles."""

from __future__ import annotations

from time import process_time
from typing import Final

from exactdp.cli.options import command
from exactdp.cli.output import print_json
from exactdp.cli.progress import working
from exactdp.cli.rendering import facts, show
from exactdp.errors import InputError
from exactdp.hardness.reductions import MOST_BITS, MOST_DIVISOR, Counted, count_partitions
from exactdp.pages.number_text import grouped

_MOST_DIGITS: Final = len(str(2**MOST_BITS))


@command("partition")
def partition_command(
    integers: tuple[str, ...], *, divisor: str, max_cost: int, as_json: bool
) -> int:
    """How many sets of the integers Z have the same product as those left out.

    Optimal composition is asked four times; nothing else is known of the integers.
    """
    values = [_integer(text, "Z") for text in integers]
    begun = process_time()
    with working("composing", as_json=as_json):
        counted = count_partitions(
            values, divisor=_integer(divisor, "--divisor"), max_cost=max_cost
        )
    if as_json:
        print_json("partition", _json(counted, values))
    else:
        _show(counted, values, process_time() - begun)
    return 0


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


def _json(counted: Counted, integers: list[int]) -> dict[str, object]:
    return {
        "integers": [str(z) for z in integers],
        "partitions": str(counted.count),
        "oracle_calls": counted.oracle_calls,
    }


def _show(counted: Counted, integers: list[int], seconds: float) -> None:
    have = "has" if counted.count == 1 else "have"
    show(
        f"{grouped(counted.count)} of the sets of these {grouped(len(integers))} integers {have} "
        "the same product as what is left out.",
        "",
        facts(
            [
                ("integers", grouped(len(integers))),
                ("partitions", grouped(counted.count)),
                ("privacy profiles", f"{counted.oracle_calls} points, in {seconds:.2g} s"),
            ]
        ),
    )
