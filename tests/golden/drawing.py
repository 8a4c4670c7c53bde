r"""The questions of the golden file: drawn ledgers, and the commands that they are handed to.

Rules of this file: nothing depends on the engine, on the time, or on the order of a dictionary, so
that the same questions are drawn by every version of the program.

Theory of operation: every family meets every neighbouring relation and every command once. What
stands beside the family in a ledger, and its parameters, are drawn by a generator whose seed is the
number of the question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Final

from tests.families import NOISE_ON_INTEGERS

Object = dict[str, object]
Draw = Callable[[Random], Object]

RELATIONS: Final = ("add-remove-one", "replace-one", "zero-out", "unspecified")
INTERACTIONS: Final = ("adaptive", "adaptive", "adaptive", "concurrent")
DELTAS: Final = ("1e-5", "1e-6", "2^-30", "1/100")

COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "compose": (),
    "profile": ("--epsilon", "1/2", "--epsilon", "3", "--tolerance", "1e-3"),
    "certify": ("--epsilon", "2"),
    "audit": (),
    "budget": ("--epsilon", "2", "--tolerance", "1/20"),
    "bounds": (),
}
"""The commands, with what stands after the ledger."""


@dataclass(frozen=True, slots=True)
class Question:
    """A command about a drawn ledger.

    Attributes:
        name: its number, command, relation and family.
        family: the family of the first mechanism.
        command: the name of the command.
        arguments: what stands after the ledger.
        ledger: the object of a ledger file.
    """

    name: str
    family: str
    command: str
    arguments: tuple[str, ...]
    ledger: Object


def _decimal(random: Random, low: int, high: int) -> str:
    """A decimal number from ``low`` to ``high`` hundredths."""
    return f"{random.randint(low, high) / 100:.2f}"


def _rate(random: Random) -> str:
    return random.choice(("1/100", "0.02", "1/4"))


def _approximate(random: Random) -> Object:
    delta = random.choice(("1e-9", "1e-8", "2^-40"))
    return {"epsilon": _decimal(random, 5, 50), "delta": delta}


def _laplace(random: Random) -> Object:
    return {"laplace": {"scale": _decimal(random, 200, 900), "sensitivity": "1"}}


def _discrete_laplace(random: Random) -> Object:
    shifts = [1] * random.randint(1, 2)
    return {"discrete_laplace": {"scale": str(random.randint(2, 9)), "shifts": shifts}}


def _discrete_gaussian(random: Random) -> Object:
    shifts = [1] * random.randint(1, 2)
    return {"discrete_gaussian": {"variance": str(random.randint(4, 60)), "shifts": shifts}}


def _gaussian(random: Random) -> Object:
    return {"sigma": _decimal(random, 200, 900), "sensitivity": "1"}


def _table(random: Random) -> Object:
    truth = random.randint(55, 70)
    p = [f"{truth}/100", f"{100 - truth}/100"]
    return {"pair": {"p": p, "q": p[::-1]}}


def _orders(random: Random) -> Object:
    divergence = random.randint(1, 9)
    return {"renyi": [[str(order), f"{divergence * order}/100"] for order in (2, 4, 8, 16)]}


def _shuffled(random: Random) -> Object:
    return {"sigma": _decimal(random, 100, 300), "shuffled": {"batches": random.randint(2, 6)}}


def _sampled(base: Draw) -> Draw:
    return lambda random: {**base(random), "rate": _rate(random)}


def _clipped(random: Random) -> Object:
    return {"sigma": _decimal(random, 100, 300), "clip": "1", "rate": _rate(random)}


_DRAWN: Final = ("discrete_laplace", "discrete_gaussian")
BESIDE: Final[Mapping[str, Draw]] = {
    "pure": lambda random: {"epsilon": _decimal(random, 5, 50)},
    "logarithm": lambda random: {"epsilon": f"ln({random.randint(2, 5)})"},
    "approximate": _approximate,
    "zero-concentrated": lambda random: {"rho": f"1/{random.randint(20, 200)}"},
    "Gaussian DP": lambda random: {"mu": f"1/{random.randint(2, 9)}"},
    "Gaussian": _gaussian,
    "Laplace": _laplace,
    "discrete Laplace": _discrete_laplace,
    "discrete Gaussian": _discrete_gaussian,
    "bounded range": lambda random: {"bounded_range": _decimal(random, 10, 80)},
    "table": _table,
    "Rényi": _orders,
    "shuffled Gaussian": _shuffled,
    "sampled Gaussian": _sampled(_gaussian),
    "sampled Laplace": _sampled(_laplace),
    "sampled discrete Gaussian": _sampled(_discrete_gaussian),
    "sampled table": _sampled(_table),
    "clipped Gaussian": _clipped,
}
"""One object of the kinds that a ledger may hold beside others."""
FAMILIES: Final[Mapping[str, Draw]] = {
    **BESIDE,
    **{noise.key: noise.drawn for noise in NOISE_ON_INTEGERS if noise.key not in _DRAWN},
}
"""One object of every kind that a ledger may hold: those that came later are beside none."""


def questions() -> tuple[Question, ...]:
    """Every family under every relation before every command, in a fixed order."""
    parts = product(FAMILIES, RELATIONS, COMMANDS)
    return tuple(_question(number, *each) for number, each in enumerate(parts))


def _question(number: int, family: str, relation: str, command: str) -> Question:
    random = Random(number)  # noqa: S311 - draws, no secrets
    others = random.sample(sorted(BESIDE), random.choice((0, 0, 1, 2)))
    mechanisms = [
        {**FAMILIES[each](random), "count": random.choice((1, 2, 5, 12))}
        for each in (family, *others)
    ]
    ledger: Object = {
        "mechanisms": mechanisms,
        "neighbouring": relation,
        "interaction": random.choice(INTERACTIONS),
        "target_delta": random.choice(DELTAS),
        "claims": [
            {"epsilon": "1", "delta": "1e-6", "basis": "composition", "source": "drawn"},
            {"epsilon": "20", "delta": "1e-6", "basis": "composition", "source": "drawn"},
        ],
    }
    name = f"{number:03} {command} {relation} {family}"
    arguments = COMMANDS[command]
    if command in {"certify", "budget"}:
        arguments = (*arguments, "--delta", str(ledger["target_delta"]))
    return Question(name, family, command, arguments, ledger)
