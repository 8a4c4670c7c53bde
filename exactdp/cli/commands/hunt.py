r"""``exactdp hunt``: search for a ledger on which an accountant under-reports.

Rules of this file: what is found leaves this program as a ledger, a certificate that the verifier
has accepted, the verifier in one file, a script of five lines, and a text for the accountant's
maintainers; the text says what is proved and what is not, and nothing about anybody. What was
computed, as no rule certifies it yet, leaves without a certificate and verifier, and says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from exactdp.accountants.accountants import chosen
from exactdp.accountants.hunting import fresh_seeds, hunt, hunt_each
from exactdp.accountants.noise_hunting import questions_of
from exactdp.accountants.process import Limits
from exactdp.accountants.shrinking import hunt_from
from exactdp.arithmetic.numbers import as_rational
from exactdp.cli.composition_options import find_ledger
from exactdp.cli.hunted_files import case_files, check_output
from exactdp.cli.many import ManyCommand
from exactdp.cli.many_options import cores
from exactdp.cli.options import Pairs, command, stem_of
from exactdp.cli.output import say, wants_json
from exactdp.cli.progress import working
from exactdp.cli.rendering import REFUTED, UNDECIDED, answer, tables
from exactdp.errors import DomainError, InputError
from exactdp.pages.facts.hunted import hunt_facts, hunt_sentence, mechanism_facts


def _draws_ledgers(params: Mapping[str, Any]) -> bool:
    return not params["source"]


@command("hunt", cls=ManyCommand, without_inputs=_draws_ledgers)
def hunt_command(  # noqa: PLR0913 (one argument for each option)
    source: str | tuple[()] = (),
    *,
    names: tuple[str, ...],
    pythons: Pairs,
    programs: Pairs,
    timeout: float,
    memory: int,
    seconds: int,
    seeds: tuple[int, ...],
    gap: str | None,
    noise: bool,
    batches: bool,
    output: Path,
    jobs: int | None = None,
) -> int:
    """Search for a small ledger on which an accountant promises what is false.

    Ledgers are drawn at random, of (ε, δ) or of DP-SGD; or the search begins at each LEDGER, at its
    own target_delta.
    Of a package all settings are searched, one after the other.
    Exit code 1 if one is found, 3 if none is and no answer could be judged.
    """
    if len(names) > 1 or not (names or len(programs) == 1):
        raise InputError(
            field="--accountant",
            value=", ".join(names) or "nothing",
            expected="one accountant to hunt",
            code="usage",
        )
    accountants = chosen(names, pythons=dict(pythons), programs=dict(programs))
    least_gap = None if gap is None else _gap(gap)
    if source:
        output /= stem_of(source)
    check_output(output, accountants)
    chosen_seeds = () if source else seeds or fresh_seeds()
    if chosen_seeds and not wants_json():
        say(f"seeds {' '.join(map(str, chosen_seeds))}")
    questions = questions_of(noise=noise, batches=batches)
    search = partial(hunt, seeds=chosen_seeds, jobs=jobs or cores(), questions=questions)
    if source:
        search = partial(hunt_from, ledger=find_ledger(source, ()))
    with working("hunting"):
        limits = Limits(timeout, memory)
        hunted = hunt_each(
            accountants,
            seconds,
            lambda one, share: search(one, seconds=share, limits=limits, least_gap=least_gap),
        )
        files = {}
        if hunted.case is not None:
            accountant = accountants[len(hunted.searched) - 1]
            files = case_files(accountant, hunted.case, output, hunted.partner)
    case, nothing = hunted.case, 0 if hunted.judged else UNDECIDED
    return answer(
        hunt_facts(hunted, chosen_seeds, [*map(str, files)], timeout),
        hunt_sentence(hunted),
        below=[] if case is None else tables(mechanism_facts(case.question.ledger)),
        files=files,
        field="--output",
        code=nothing if case is None else REFUTED,
    )


def _gap(text: str) -> mpq:
    gap = as_rational(text, "--gap")
    if gap < 0:
        raise DomainError(field="--gap", value=text, expected="a rational at least 0")
    return gap
