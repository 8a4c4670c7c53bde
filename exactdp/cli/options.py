r"""Options as click has them, made from their table (:mod:`exactdp.cli.option_table`).

Rules of this file: nothing of the engine is imported before a value asks for it, as ``verify`` does
without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import click

from exactdp.asides import asides, saying
from exactdp.cli.option_table import LAST, SHARED, TAKES
from exactdp.cli.output import hear, remember_json
from exactdp.cli.replacing import remember_force
from exactdp.errors import DomainError, InputError

_GREATEST_COST: Final = 10**30
_POWER: Final = re.compile(r"([1-9])e([12]?[0-9])")


def keep_remarks(ctx: click.Context, _option: click.Parameter, names: tuple[str, ...]) -> None:
    """Let what is read know which columns are remarks; what is not read is said and in JSON.

    The root ends it: click leaves the context of a command open whose line has a mistake.
    """
    ctx.find_root().with_resource(saying(replace(asides(), remarks=names, tell=hear)))


def keep_decimal(ctx: click.Context, _option: click.Parameter, decimal: str | None) -> None:
    """Let what is read know how tables write decimals."""
    ctx.find_root().with_resource(saying(replace(asides(), decimal=decimal)))


def keep_distance(ctx: click.Context, _option: click.Parameter, distance: str | None) -> None:
    """Let what is read know how far apart neighbours are."""
    ctx.find_root().with_resource(saying(replace(asides(), distance=distance)))


def keep_name(ctx: click.Context, _option: click.Parameter, name: str | None) -> None:
    """Let what is read be called so."""
    ctx.find_root().with_resource(saying(replace(asides(), name=name)))


def keep_budgets(ctx: click.Context, _option: click.Parameter, budgets: str | None) -> None:
    """Let what is read know what Tumult's budgets are."""
    ctx.find_root().with_resource(saying(replace(asides(), budgets=budgets)))


_KEPT: Final = {
    "--force": remember_force,
    "--json": remember_json,
    "--d-in": keep_distance,
    "--decimal": keep_decimal,
    "--name": keep_name,
    "--remark": keep_remarks,
    "--spent": keep_budgets,
    "--remaining": keep_budgets,
}
"""What keeps the value of an option that commands are not given."""


_FIRST: Final = ("mechanism", "name")
_LAST: Final = LAST.split()


class Option(click.Option):
    """An option that is also understood by names of before, which help does not show."""

    def __init__(self, names: list[str], *, former: list[str], **told: Any) -> None:  # noqa: ANN401 (click's own)
        super().__init__([*former, *names], **told)
        self.former = former

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """What help says, without former names."""
        known = self.opts
        self.opts = [name for name in known if name not in self.former]
        try:
            return super().get_help_record(ctx)
        finally:
            self.opts = known


def _flag(param: click.Parameter | None) -> str:
    return "" if param is None else param.opts[-1]


BARE: Final = Path("/")
"""An option whose value is left out, where it may be."""


class _Cost(click.ParamType):  # type: ignore[type-arg]  # generic in new versions alone
    """A limit of work."""

    name = "N"

    def convert(
        self, value: object, _param: click.Parameter | None, _ctx: click.Context | None
    ) -> int:
        """The whole number that is meant, such as 1e12.

        Raises:
            DomainError: it is none, or out of range.
        """
        if found := _POWER.fullmatch(str(value)):
            power: int = 10 ** int(found[2])
            return int(found[1]) * power
        from exactdp.arithmetic.numbers import as_rational  # noqa: PLC0415 (rule of this file)

        cost = as_rational(value, "--max-cost")
        if cost.denominator != 1 or not 1 <= cost <= _GREATEST_COST:
            raise DomainError(
                field="--max-cost",
                value=str(value),
                expected="a whole number from 1 to 1e30, such as 1e12",
            )
        return int(cost)


class _Place(click.ParamType):  # type: ignore[type-arg]  # as above
    """A file or directory to write to."""

    name = "PATH"

    def convert(
        self, value: object, param: click.Parameter | None, _ctx: click.Context | None
    ) -> Path:
        """The path that is meant.

        Raises:
            InputError: it is none.
        """
        if value == BARE:
            return BARE
        if value in ("", "-"):
            raise InputError(
                field=_flag(param),
                value=str(value) or "nothing",
                expected="the name of a file or directory",
                remedy="standard output is for the answer" if value else "",
            )
        return Path(str(value))


class _Pair(click.ParamType):  # type: ignore[type-arg]  # as above
    """A name and what belongs to it, as in NAME=COMMAND."""

    name = "NAME=VALUE"

    def convert(
        self, value: object, param: click.Parameter | None, _ctx: click.Context | None
    ) -> tuple[str, str]:
        """Both parts.

        Raises:
            InputError: one is missing.
        """
        name, _, text = str(value).partition("=")
        if name and text:
            return name, text
        expected = self.name if param is None else str(param.metavar)
        cure = f"for example {_flag(param)} 'ours=python ours.py'" if "COMMAND" in expected else ""
        raise InputError(field=_flag(param), value=str(value), expected=expected, remedy=cure)


class _Bytes(click.FloatRange):
    """A number of GiB, as whole bytes."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 (click's own)
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> int:
        """So many bytes."""
        return int(super().convert(value, param, ctx) * 2**30)


Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""What an option of pairs gives."""


def command(name: str, group: click.Group | None = None, **others: Any) -> Callable[..., Any]:  # noqa: ANN401 (click's own)
    """Make a command of a function, with the options that the table lists for it."""
    make = click.command if group is None else group.command
    return make(name.rpartition(" ")[2], params=parameters(name), **others)


def parameters(name: str) -> list[click.Parameter]:
    """What a command takes, in the order of its help: by use."""
    return sorted(map(_parameter, _definitions(TAKES[name])), key=_place_in_help)


def _place_in_help(parameter: click.Parameter) -> tuple[int, int]:
    """Arguments, the mechanisms, what is needed, the command's own options, and those of many."""
    if isinstance(parameter, click.Argument):
        return 0, 0
    flag = _flag(parameter).removeprefix("--")
    if flag in _FIRST:
        return 1, _FIRST.index(flag)
    return (4, _LAST.index(flag)) if flag in _LAST else (2 if parameter.required else 3, 0)


def _definitions(block: str) -> Iterator[str]:
    for line in _lines(block):
        if " #" in line:
            yield line
            continue
        for word in line.split():
            if word.startswith("@"):
                yield from _definitions(TAKES[word])
            else:
                yield _SHARED[word]


def _lines(block: str) -> list[str]:
    return block.strip().replace("\n    ", " ").split("\n")


def _key(line: str) -> str:
    """What an option is called in the table: its long flag, or the name of an argument."""
    flags = [word[2:] for word in line.partition(" #")[0].split() if word.startswith("--")]
    return flags[0] if flags else f"<{line.partition(' ')[0]}>"


_SHARED: Final = {_key(line): line for line in _lines(SHARED)}


def _parameter(line: str) -> click.Parameter:
    head, _, meaning = line.partition(" #")
    names: list[str] = []
    former: list[str] = []
    told: dict[str, Any] = {}
    needed = repeated = may_be_bare = False
    for word in head.split():
        if word == "!":
            needed = True
        elif word == "*":
            repeated = True
        elif word[0] == ":":
            told["type"] = _kind(word[1:])
        elif word[0] in "=~":
            told |= _default(word)
        elif word[0] == "(":
            former.append(word[1:-1])
        elif word[0] == "-" or (word.isidentifier() and word.islower()):
            names.append(word)
        else:
            told["metavar"] = word.replace("_", " ")
            may_be_bare = word == "[FILE]" and names[0].startswith("-")
    if not names[0].startswith("-"):
        return click.Argument(names, required=needed, nargs=-1 if repeated else 1, **told)
    told |= _called(names[0]) | (
        {"flag_value": BARE, "type": _KINDS["file"]} if may_be_bare else {}
    )
    if former and names[-1].startswith("-"):
        names.append(names[-1][2:].replace("-", "_"))
    is_flag = not told.keys() & {"metavar", "type", "flag_value"}
    told["help"] = meaning.strip() or None
    told |= {
        "required": needed,
        "multiple": repeated,
        "is_flag": False if may_be_bare else is_flag or None,
    }
    return Option(names, former=former, **told)


def _kind(text: str) -> Any:  # noqa: ANN401 (a type of click, of whatever value)
    """The kind of a value: a place, a cost, a range of numbers, or choices."""
    if text in _KINDS:
        return _KINDS[text]
    least, dots, most = text.partition("..")
    if not dots:
        return click.Choice(text.split("|"))
    if "." in least:
        kind = _Bytes if most == "GiB" else click.FloatRange
        return kind(min=float(least))
    return click.IntRange(int(least), int(float(most)) if most else None)


def _default(word: str) -> dict[str, Any]:
    """A default, whether help shows it, and one that it shows for a ledger with noise."""
    text, is_shown = word[1:], word[0] == "="
    plain, slash, with_noise = text.partition("/")
    if slash:
        return {"show_default": f"{plain}, or {with_noise} with noise"}
    return {"default": text} | ({"show_default": True} if is_shown else {})


def _called(flag: str) -> dict[str, Any]:
    if flag == "--method":
        return {"callback": _refuse_algorithm}
    if flag not in _KEPT:
        return {}
    told: dict[str, Any] = {"callback": _KEPT[flag], "expose_value": False}
    return told | ({"flag_value": flag[2:]} if told["callback"] is keep_budgets else {})


def _refuse_algorithm(
    _context: click.Context, _option: click.Parameter, method: str | None
) -> str | None:
    """The engine; an algorithm of the papers is none.

    Raises:
        InputError: the name is that of an algorithm of the papers.
    """
    if method is None:
        return None
    from exactdp.composition.engines.engine import METHODS  # noqa: PLC0415 (rule of this file)
    from exactdp.literature import ALGORITHMS  # noqa: PLC0415 (as above)

    if method in ALGORITHMS:
        raise InputError(
            field="--method",
            value=method,
            expected=" or ".join(METHODS),
            remedy=f"the papers' algorithms have a command of their own: exactdp papers {method}",
        )
    return method


_KINDS: Final = {"file": _Place(), "cost": _Cost(), "pair": _Pair()}


def stem_of(source: str | None) -> str:
    """What files are called that are made from this ledger or workload."""
    return "ledger" if source in (None, "-") else Path(str(source)).stem
