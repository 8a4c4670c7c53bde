r"""``exactdp hunt``: search for a ledger on which an accountant under-reports.

Rules of this file: what is found leaves this program as a ledger, a certificate that the verifier
has accepted, the verifier in one file, a script of five lines, and a text for the accountant's
maintainers; the text says what is proved and what is not, and nothing about anybody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final

import click
from gmpy2 import mpq

import exactdp
from exactdp.arithmetic.decimal_text import scientific_below, short_text, shortest_text
from exactdp.arithmetic.numbers import as_rational
from exactdp.cli.accountant_options import accountant_options
from exactdp.cli.accountants import accountants_of, limits_of
from exactdp.cli.asides import aside_options
from exactdp.cli.commands.crosscheck import (
    claim_text,
    describe,
    file_name,
    neighbours,
    refutation,
    row_json,
)
from exactdp.cli.composition_options import find_ledger
from exactdp.cli.exit_codes import REFUTED, UNDECIDED
from exactdp.cli.files import check_directory, check_place, write_together
from exactdp.cli.many import ManyCommand
from exactdp.cli.many_options import cores, many_options
from exactdp.cli.options import json_option, output_option, stem_of
from exactdp.cli.output import print_json, say
from exactdp.cli.progress import working
from exactdp.cli.rendering import columns, facts, grouped, rational_text, show
from exactdp.cli.replacing import CERTIFICATE
from exactdp.cli.sentences import counted
from exactdp.cli.tables import Table
from exactdp.cli.verifier_file import NAME, archive
from exactdp.crosscheck.accountants import Accountant
from exactdp.crosscheck.hunted import Case, Hunted, Searched
from exactdp.crosscheck.hunting import fresh_seeds, hunt, hunt_each
from exactdp.crosscheck.partners import MetamorphicPartner, PartnerOutcome
from exactdp.crosscheck.protocol import AccountantAnswer
from exactdp.crosscheck.reproductions import reproduction
from exactdp.crosscheck.shrinking import hunt_from
from exactdp.errors import DomainError, InputError
from exactdp.ledger.formats.fields import Texts
from exactdp.ledger.formats.json_ledger import mechanism_entry
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import write_ledger

_DIGITS: Final = 10


def _draws_ledgers(params: Mapping[str, Any]) -> bool:
    return not params["source"]


@click.command("hunt", cls=ManyCommand, without_inputs=_draws_ledgers)
@click.argument("source", metavar="[LEDGER…]", nargs=-1)
@many_options(
    timeout="--ledger-timeout",
    jobs="Search with N seeds at a time, or from N ledgers, in as many processes "
    "(default: one for each core).",
)
@accountant_options(timeout=3.0)
@click.option(
    "--time",
    "seconds",
    type=click.IntRange(min=1),
    default=300,
    show_default=True,
    metavar="SECONDS",
    help="Stop searching and shrinking after so long.",
)
@click.option(
    "--seed",
    "seeds",
    type=click.IntRange(min=0),
    multiple=True,
    metavar="N",
    help="Repeat a search; may be repeated (default: five fresh ones, which are printed).",
)
@click.option(
    "--gap",
    metavar="G",
    help="By how much the ε must be too small; relative for δ (default: 1e-6, and 1e-3 of δ).",
)
@click.option(
    "--noise",
    is_flag=True,
    help="Draw DP-SGD (Gaussian noise on samples), as is always done for Opacus.",
)
@output_option("Where ledger, certificate, verifier, script and text go.", "hunt")
@aside_options
@json_option
def hunt_command(  # noqa: PLR0913 (one argument for each option)
    source: str | tuple[()] = (),
    *,
    names: tuple[str, ...],
    pythons: tuple[str, ...],
    programs: tuple[str, ...],
    timeout: float,
    memory: float,
    seconds: int,
    seeds: tuple[int, ...],
    gap: str | None,
    noise: bool,
    output: Path,
    as_json: bool,
    jobs: int | None = None,
) -> int:
    """Search for a small ledger on which an accountant promises what is false.

    Ledgers are drawn at random, of (ε, δ) or of DP-SGD; or the search begins at each LEDGER, at its
    own target_delta.
    Of a package all settings are searched, one after the other.
    Exit code 1 if one is found, 3 if none is and no answer could be judged.
    """
    accountants = _accountants(names, pythons, programs)
    least_gap = None if gap is None else _gap(gap)
    if source:
        output /= stem_of(source)
    _check_output(output, accountants)
    chosen_seeds = () if source else seeds or fresh_seeds()
    if chosen_seeds and not as_json:
        say(f"seeds {' '.join(map(str, chosen_seeds))}")
    search = partial(hunt, seeds=chosen_seeds, jobs=jobs or cores(), noise=noise)
    if source:
        search = partial(hunt_from, ledger=find_ledger(source, ()))
    with working("hunting", as_json=as_json):
        limits = limits_of(timeout, memory)
        hunted = hunt_each(
            accountants,
            seconds,
            lambda one, share: search(one, seconds=share, limits=limits, least_gap=least_gap),
        )
        files = {}
        if hunted.case is not None:
            accountant = accountants[len(hunted.searched) - 1]
            files = case_files(accountant, hunted.case, output, hunted.partner)
    write_together(files, "--output")
    written = [str(path) for path in files]
    if as_json:
        print_json("hunt", _json(chosen_seeds, hunted, written))
    else:
        _show(hunted, written, timeout)
    return exit_code(hunted)


def exit_code(hunted: Hunted) -> int:
    """1 if there is a case, 3 if there is none and no answer could be judged, else 0."""
    if hunted.case is not None:
        return REFUTED
    return 0 if hunted.judged else UNDECIDED


def _accountants(
    names: Sequence[str], pythons: Sequence[str], programs: Sequence[str]
) -> tuple[Accountant, ...]:
    """The one accountant that is meant; of a package, all its settings."""
    if len(names) > 1 or not (names or len(programs) == 1):
        raise InputError(
            field="--accountant",
            value=", ".join(names) or "nothing",
            expected="one accountant to hunt",
            code="usage",
        )
    return accountants_of(names, pythons, programs)


def _check_output(directory: Path, accountants: Sequence[Accountant]) -> None:
    """Refuse before a long search what could not be written after it."""
    check_directory(directory, "--output")
    if not directory.is_dir():
        return
    for accountant, (ending, like) in product(accountants, _LIKE.items()):
        stem = directory / file_name(accountant.name)
        check_place(Path(f"{stem}{ending}"), like, "--output")


def _gap(text: str) -> mpq:
    gap = as_rational(text, "--gap")
    if gap < 0:
        raise DomainError(field="--gap", value=text, expected="a rational at least 0")
    return gap


def case_files(
    accountant: Accountant, case: Case, directory: Path, partner: MetamorphicPartner | None = None
) -> dict[Path, bytes]:
    """What a case leaves behind, by path.

    Raises:
        InternalError: the verifier rejects the certificate.
    """
    certificate = refutation(case.question.ledger, case.checked.verdict)
    assert certificate is not None
    stem = directory / file_name(accountant.name)
    script = reproduction(accountant, case.question)
    texts = {
        f"{stem}.ledger.json": write_ledger(case.question.ledger),
        f"{stem}.py": script,
        f"{stem}.md": issue_text(case, script, stem.name, partner),
    }
    files = {Path(name): text.encode() for name, text in texts.items()}
    return {Path(f"{stem}.lower.json"): certificate, **files, directory / NAME: archive()}


def issue_text(
    case: Case, script: str, stem: str, partner: MetamorphicPartner | None = None
) -> str:
    """A text for those who maintain the accountant."""
    name, verdict = case.checked.accountant, case.checked.verdict
    versions, ledger = case.checked.answer.versions, case.question.ledger
    delta = rational_text(case.question.delta or mpq(0))
    return _ISSUE.format(
        name=name,
        delta=delta,
        mechanisms=_mechanisms(case),
        claim=claim_text(verdict, delta=None),
        verdict=describe(verdict).partition(": ")[2],
        script=script,
        neighbours=_WHERE.get(ledger.neighbouring, ""),
        proved=(_BY_PARAMETERS if ledger.is_approximate else _BY_NOISE)[0],
        other=(_BY_PARAMETERS if ledger.is_approximate else _BY_NOISE)[1],
        partner=f"{partner_text(partner)}\n\n" if partner is not None else "",
        verifier=NAME,
        stem=stem,
        versions=", ".join(f"{each} {number}" for each, number in versions.items()) or "unknown",
        exactdp=exactdp.__version__,
        seed=_found_by(case),
    )


def partner_text(partner: MetamorphicPartner) -> str:
    """What the accountant says of the same mechanisms in their second form."""
    asked = f"Asked with the copies written out, as {partner.entries} groups"
    return f"{asked}, it {_PARTNERS[partner.outcome].format(_answer_text(partner.answer))}."


_PARTNERS: Final[Mapping[PartnerOutcome, str]] = {
    "same": "says the same, which shows nothing",
    "different": "says {}: another number for the same mechanisms",
    "no-number": "gives no number ({}), which shows nothing",
}
"""What is said of a second answer, beside the first."""


def _answer_text(answer: AccountantAnswer) -> str:
    if answer.state != "answered":
        return answer.message
    numbers = (("ε", answer.epsilon), ("δ", answer.delta))
    return ", ".join(
        f"{letter} = {value if isinstance(value, str) else scientific_below(value, _DIGITS)}"
        for letter, value in numbers
        if value is not None
    )


_LIKE: Final = {".lower.json": CERTIFICATE, ".ledger.json": b"{", ".py": b"", ".md": b""}
"""What is left of a case, and of what kind: a script or text of another case is kept."""

_RESPONSES: Final = """\
Some mechanisms with exactly these parameters (randomized responses, which the optimal composition \
theorem shows to be the worst)"""
_BY_PARAMETERS: Final = (_RESPONSES, "mechanisms that are more private than their (ε, δ)")
_BY_NOISE: Final = (
    "These very mechanisms, on some neighbouring inputs,",
    "mechanisms with more noise, or inputs that are nearer to each other",
)
_WHERE: Final[Mapping[str, str]] = {
    "add-remove-one": ", where neighbours differ by a record that is added or removed",
    "replace-one": ", where neighbours differ by a record that is replaced",
}
_ISSUE: Final = """\
# {name} reports too small a bound for the composition of {mechanisms}

Adaptive composition of {mechanisms}, with parameters fixed in advance, at δ = \
{delta}{neighbours}. The answer is {claim}; {verdict}.

```python
{script}```

{partner}**What is proved.** {proved} do not compose to the (ε, δ) above. \
`{stem}.lower.json` is a certificate: a small program that uses nothing but Python's standard \
library checks it with whole numbers, from the claim alone; it is one file, and needs \
no other:

    python {verifier} --ledger {stem}.ledger.json {stem}.lower.json

The parameters in the script were rounded so that the question is, if anything, harder than that \
of the ledger; so the difference is not one of rounding decimals to doubles.

**What is not.** Nothing is said about {other}, nor about any data release, nor about the cause.

Versions: {versions}. Found by exactdp {exactdp}, `exactdp hunt`, {seed}.
"""


def _found_by(case: Case) -> str:
    if case.is_given:
        return "a ledger that was given"
    return "its fixed list of corners" if case.seed is None else f"seed {case.seed}"


def _mechanisms(case: Case) -> str:
    ledger = case.question.ledger
    if not ledger.is_approximate:
        from exactdp.cli.report.shares import parameters_of  # noqa: PLC0415 (only for noise)

        return " and ".join(
            f"{grouped(entry.count)} × ({parameters_of(entry)})" for entry in ledger.mechanisms
        )
    parts = [
        f"{grouped(m.count)} × ({shortest_text(m.epsilon)}, {rational_text(m.delta)})"
        for m in ledger.approximate()
    ]
    return " and ".join(parts) + "-DP mechanisms"


def _json(seeds: Sequence[int], hunted: Hunted, written: Sequence[str]) -> Mapping[str, object]:
    return {
        "searched": [_searched_json(each) for each in hunted.searched],
        "seeds": list(seeds),
        "questions": hunted.questions,
        "judged": hunted.judged,
        "complete": hunted.complete,
        "found": None if hunted.case is None else _case_json(hunted.case, written, hunted.partner),
    }


def _searched_json(searched: Searched) -> dict[str, object]:
    outcomes = [(str(outcome), number) for outcome, number in searched.outcomes.items()]
    return {"accountant": searched.accountant, "outcomes": dict(outcomes)}


def _partner_json(partner: MetamorphicPartner) -> dict[str, object]:
    return {
        "entries": partner.entries,
        "outcome": partner.outcome,
        "answer": _answer_text(partner.answer),
    }


def _case_json(
    case: Case, written: Sequence[str], partner: MetamorphicPartner | None
) -> dict[str, object]:
    return {
        "accountant": row_json(case.checked, written[0]),
        "mechanisms": _mechanisms_json(case.question.ledger),
        "delta": short_text(case.question.delta or mpq(0)),
        "neighbouring": case.question.ledger.neighbouring,
        "seed": case.seed,
        "partner": None if partner is None else _partner_json(partner),
        "files": list(written),
    }


def _mechanisms_json(ledger: Ledger) -> list[dict[str, object]]:
    if not ledger.is_approximate:
        texts = Texts()
        return [mechanism_entry(each, texts) | {"count": each.count} for each in ledger.mechanisms]
    return [
        {"epsilon": shortest_text(m.epsilon), "delta": short_text(m.delta), "count": m.count}
        for m in ledger.approximate()
    ]


def _table(ledger: Ledger) -> Table:
    if not ledger.is_approximate:
        from exactdp.cli.report.shares import parameters_of  # noqa: PLC0415 (only for noise)

        rows = [(parameters_of(each), grouped(each.count)) for each in ledger.mechanisms]
        return columns(["mechanism", "count"], rows)
    cells = [
        (shortest_text(m.epsilon), rational_text(m.delta), grouped(m.count))
        for m in ledger.approximate()
    ]
    return columns(["ε", "δ", "count"], cells)


def _show(hunted: Hunted, written: Sequence[str], timeout: float) -> None:
    names = ", ".join(each.accountant for each in hunted.searched)
    rows = [
        ("accountant" if not i else "", f"{each.accountant}: {_outcomes_text(each)}")
        for i, each in enumerate(hunted.searched)
    ]
    case = hunted.case
    if case is None:
        rows.append(("found", hunted.found))
        if hunted.last is not None:
            rows.append(("the last doubt", describe(hunted.last)))
        if not hunted.judged:
            rows.append(("try", f"--timeout with more than {timeout:g} seconds for an answer"))
        show(_nothing_found(names, hunted), "", facts(rows))
        return
    shrunk = "" if hunted.complete else " (time ended the shrinking)"
    rows += [
        ("found", f"by {_found_by(case)}{shrunk}"),
        ("at δ", rational_text(case.question.delta or mpq(0))),
        *neighbours(case.question.ledger),
        ("claims", claim_text(case.checked.verdict, delta=case.question.delta)),
        ("verdict", describe(case.checked.verdict)),
        *([("its partner", partner_text(hunted.partner))] if hunted.partner is not None else []),
        *(("written" if not i else "", path) for i, path in enumerate(written)),
    ]
    claims = claim_text(case.checked.verdict, delta=case.question.delta)
    mechanisms = counted(case.question.ledger.size, "mechanism")
    sentence = (
        f"The accountant {case.checked.accountant} says {claims} of {mechanisms}, which is false."
    )
    show(sentence, "", facts(rows), "", _table(case.question.ledger))


def _outcomes_text(searched: Searched) -> str:
    """How many questions were asked, and what came of them."""
    listed = ", ".join(f"{grouped(n)} {outcome}" for outcome, n in searched.outcomes.items())
    return f"{counted(searched.questions, 'question')} ({listed})" if listed else "no question"


def _nothing_found(names: str, hunted: Hunted) -> str:
    asked = counted(hunted.questions, "question")
    if not hunted.judged:
        return f"Nothing was checked: {asked} to {names} brought no answer that can be judged."
    judged = counted(hunted.judged, "answer")
    return f"No ledger was found, by {judged} to {asked}, on which {names} says what is false."
