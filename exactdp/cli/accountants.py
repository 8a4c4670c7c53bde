r"""The accountants that options name, and the certificates of what refutes them.

Rules of this file: an accusation leaves this program with a certificate that the verifier has
accepted, for that ledger and that claim, or says that it was computed without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from gmpy2 import mpq

from exactdp.accountants.checking import Checked
from exactdp.accountants.protocol import AccountantQuestion
from exactdp.accountants.verdicts import AnswerVerdict
from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.numbers import ExactNumber, as_number, as_rational
from exactdp.cli.composition_options import find_ledger
from exactdp.cli.rendering import REFUTED, UNDECIDED
from exactdp.cli.verification import read_file
from exactdp.errors import DomainError, InputError
from exactdp.ledger.formats import dp_events
from exactdp.ledger.model import Ledger
from exactdp.pages.accepted import verified


def certificates_of(
    ledger: Ledger, rows: Sequence[Checked], directory: Path, stem: str
) -> tuple[dict[Path, bytes], dict[int, str]]:
    """The verified bytes of certificates by path, and the path for each row that has one."""
    files: dict[Path, bytes] = {}
    names: dict[int, str] = {}
    for number, row in enumerate(rows):
        data = refutation(ledger, row.verdict)
        if data is None:
            continue
        path = directory / f"{stem}.{file_name(row.accountant)}.lower.json"
        while path in files:
            path = path.with_name(f"{path.name.removesuffix('.lower.json')}-{number}.lower.json")
        files[path] = data
        names[number] = str(path)
    return files, names


def refutation(ledger: Ledger, verdict: AnswerVerdict) -> bytes | None:
    """The certificate of a verdict, which the verifier accepts for this ledger and this claim.

    A claim with a negative number is refuted by refuting 0.
    """
    if verdict.certificate is None or verdict.epsilon is None or verdict.delta is None:
        return None
    epsilon = ExactNumber(mpq(0)) if sign(verdict.epsilon) < 0 else verdict.epsilon
    claim = (str(epsilon), str(max(verdict.delta, mpq(0))))
    return verified(verdict.certificate, ledger=ledger, claim=claim)


def file_name(accountant: str) -> str:
    """The name of an accountant as a part of a file's name.

    >>> file_name("dp-accounting/pld-1e-4")
    'dp-accounting-pld-1e-4'
    """
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in accountant)


def question_of(
    source: str | None, inline: tuple[str, ...], delta: str | None, epsilon: str | None
) -> AccountantQuestion:
    """What accountants are asked: ε at δ, or δ at ε.

    Raises:
        InputError: the ledger cannot be read, or it is not said at which.
    """
    ledger = find_ledger(source, inline)
    events = _events(source)
    if epsilon is not None:
        if delta is not None:
            raise InputError(
                field="--epsilon",
                value=epsilon,
                expected="--delta or --epsilon, not both",
                code="usage",
            )
        return AccountantQuestion(ledger, epsilon=as_number(epsilon, "--epsilon"), events=events)
    target = ledger.target_delta if delta is None else as_rational(delta, "--delta")
    if target is None:
        raise InputError(
            field="--delta",
            value="nothing",
            expected="a global δ, as the ledger states no target_delta",
            remedy="pass --delta, for example 1e-6",
        )
    return AccountantQuestion(ledger, delta=target, events=events)


def _events(source: str | None) -> object:
    """The tree of dp-accounting's events in the file LEDGER, or None."""
    if source in (None, "-"):
        return None
    data = read_file(str(source), "ledger")
    return dp_events.plain_tree(data) if dp_events.recognises_begin(data.lstrip()) else None


def exit_code(verdicts: Iterable[AnswerVerdict]) -> int:
    """1 if somebody is accused, 3 if something is open or no promise was judged, else 0."""
    standings = {verdict.standing for verdict in verdicts}
    if "accused" in standings:
        return REFUTED
    return UNDECIDED if "open" in standings or "judged" not in standings else 0


def tolerance_of(text: str | None) -> mpq | None:
    """The greatest width of the certified interval; None for what is found in seconds.

    Raises:
        DomainError: it is not above 0.
    """
    if text is None:
        return None
    tolerance = as_rational(text, "--tolerance")
    if tolerance <= 0:
        raise DomainError(field="--tolerance", value=text, expected="a rational above 0")
    return tolerance
