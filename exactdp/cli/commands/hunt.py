r"""``exactdp hunt``: search for a ledger on which an accountant under-reports.

Rules of this file: what is found leaves this program as a ledger, a certificate that the verifier
has accepted, the verifier in one file, a script of five lines, and a text for the accountant's
maintainers; the text says what is proved and what is not, and nothing about anybody. What was
computed, as no rule certifies it yet, leaves without a certificate and verifier, and says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final

from gmpy2 import mpq

from exactdp.accountants.accountants import Accountant
from exactdp.accountants.hunted import Case, Hunted, Searched
from exactdp.accountants.hunting import fresh_seeds, hunt, hunt_each
from exactdp.accountants.noise_hunting import questions_of
from exactdp.accountants.partners import MetamorphicPartner
from exactdp.accountants.reproductions import reproduction
from exactdp.accountants.shrinking import hunt_from
from exactdp.arithmetic.decimal_text import short_text, shortest_text
from exactdp.arithmetic.numbers import as_rational
from exactdp.cli.accountants import accountants_of, limits_of
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
from exactdp.cli.maintainers import answer_text, found_by, issue_text, partner_text
from exactdp.cli.many import ManyCommand
from exactdp.cli.many_options import cores
from exactdp.cli.options import command, stem_of
from exactdp.cli.output import print_json, say
from exactdp.cli.progress import working
from exactdp.cli.rendering import columns, facts, show
from exactdp.cli.replacing import CERTIFICATE
from exactdp.cli.tables import Table
from exactdp.cli.verifier_file import NAME, archive
from exactdp.errors import DomainError, InputError
from exactdp.ledger.formats.fields import Texts
from exactdp.ledger.formats.json_ledger import mechanism_entry
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import write_ledger
from exactdp.pages.number_text import grouped, rational_text
from exactdp.pages.phrases import counted

_BATCHES: Final = "batches of a fixed size, where a record is replaced: one pair of their inputs"


def _draws_ledgers(params: Mapping[str, Any]) -> bool:
    return not params["source"]


@command("hunt", cls=ManyCommand, without_inputs=_draws_ledgers)
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
    batches: bool,
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
    questions = questions_of(noise=noise, batches=batches)
    search = partial(hunt, seeds=chosen_seeds, jobs=jobs or cores(), questions=questions)
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
    stem = directory / file_name(accountant.name)
    script = reproduction(accountant, case.question)
    texts = {
        f"{stem}.ledger.json": write_ledger(case.question.ledger),
        f"{stem}.py": script,
        f"{stem}.md": issue_text(case, script, stem.name, partner),
    }
    files = {Path(name): text.encode() for name, text in texts.items()}
    if certificate is None:
        return files
    return {Path(f"{stem}.lower.json"): certificate, **files, directory / NAME: archive()}


_LIKE: Final = {".lower.json": CERTIFICATE, ".ledger.json": b"{", ".py": b"", ".md": b""}
"""What is left of a case, and of what kind: a script or text of another case is kept."""


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
        "answer": answer_text(partner.answer),
    }


def _case_json(
    case: Case, written: Sequence[str], partner: MetamorphicPartner | None
) -> dict[str, object]:
    certificate = None if case.checked.verdict.certificate is None else written[0]
    return {
        "accountant": row_json(case.checked, certificate),
        "mechanisms": _mechanisms_json(case.question.ledger),
        "delta": short_text(case.question.delta or mpq(0)),
        "neighbouring": case.question.ledger.neighbouring,
        "fixed_size": case.question.fixed_size,
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
        from exactdp.pages.shares import parameters_of  # noqa: PLC0415 (only for noise)

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
        if not hunted.judged and not any("undecided" in each.outcomes for each in hunted.searched):
            rows.append(("try", f"--timeout with more than {timeout:g} seconds for an answer"))
        show(_nothing_found(names, hunted), "", facts(rows))
        return
    shrunk = "" if hunted.complete else " (time ended the shrinking)"
    rows += [
        ("found", f"by {found_by(case)}{shrunk}"),
        ("at δ", rational_text(case.question.delta or mpq(0))),
        *neighbours(case.question.ledger),
        *([("stands for", _BATCHES)] if case.question.fixed_size else []),
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
