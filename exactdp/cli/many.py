r"""Commands that take many inputs, and when they do.

Rules of this file: a single file is answered as ever, in this process; nothing of
:mod:`exactdp.many` is imported for that. A folder, a pattern, ``--jobs``, ``--cluster`` or
``--store`` ask for many, as do several files where a command has no answer for these of its own.
Some commands can also be asked without inputs; ``--jobs`` is then how many processes share that.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from exactdp.cli.many_options import CommandOnInputs, ManyOptions, take_many_options
from exactdp.errors import InputError

_PATTERN: Final = frozenset("*?[")


class ManyCommand(CommandOnInputs):
    """A command that answers one input itself, and many in processes."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 (click's own)
        """Answer one input, or many."""
        options = take_many_options(ctx.params)
        sources: tuple[str, ...] = ctx.params[self.source]
        if self.without_inputs is not None and self.without_inputs(ctx.params):
            _refuse_options_of_many(str(self.name), options)
            ctx.params["jobs"] = options.jobs
            return super().invoke(ctx)
        if self._asks_for_many(sources, options):
            from exactdp.cli.streaming import stream  # noqa: PLC0415 (a single file does without)

            if ctx.params.get("report") is not None:
                raise InputError(
                    field="--report",
                    value="given",
                    expected="one input beside it",
                    remedy="exactdp report takes several ledgers",
                    code="usage",
                )
            del ctx.params[self.source]
            return stream(self, sources, dict(ctx.params), options)
        if not self.takes_several:
            ctx.params[self.source] = sources[0] if sources else None
        return super().invoke(ctx)

    def _asks_for_many(self, sources: tuple[str, ...], options: ManyOptions) -> bool:
        if options.are_given:
            return True
        if len(sources) > 1 and not self.takes_several:
            return True
        return any("\0" not in each and _means_several(each) for each in sources)


def _refuse_options_of_many(command: str, options: ManyOptions) -> None:
    if (name := options.beside_jobs) is not None:
        raise InputError(
            field=name,
            value=f"exactdp {command} without ledgers",
            expected="ledgers, each of which has an answer of its own",
            remedy=f"name files, folders or patterns (see exactdp {command} --help), or leave it "
            "out: --jobs alone shares the work",
            code="usage",
        )


def _means_several(source: str) -> bool:
    path = Path(source)
    try:
        if path.is_dir() or _PATTERN.isdisjoint(source) or path.exists():
            return path.is_dir()
    except (OSError, ValueError):
        return False
    from exactdp.many.inputs import named_files  # noqa: PLC0415 (few names are patterns)

    return named_files([source]) != [source]
