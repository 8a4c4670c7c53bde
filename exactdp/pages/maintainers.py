r"""A text about a case of ``exactdp hunt``, for those who maintain the accountant.

Rules of this file: it says what is proved and what is not, and nothing about anybody; what was
computed is told apart from what a certificate shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gmpy2 import mpq

from exactdp.accountants.hunted import Case
from exactdp.accountants.noise_hunting import REPLACED
from exactdp.accountants.noise_lines import fixed_size_step
from exactdp.accountants.partners import MetamorphicPartner, PartnerOutcome
from exactdp.accountants.protocol import AccountantAnswer
from exactdp.arithmetic.decimal_text import scientific_below, shortest_text
from exactdp.mechanisms.family import GivenBy
from exactdp.pages.facts.accountants import claim_text, describe
from exactdp.pages.number_text import grouped, rational_text
from exactdp.pages.verifier_file import NAME
from exactdp.version import __version__

_DIGITS: Final = 10


def issue_text(
    case: Case, script: str, stem: str, partner: MetamorphicPartner | None = None
) -> str:
    """A text for those who maintain the accountant."""
    name, verdict = case.checked.accountant, case.checked.verdict
    versions, ledger = case.checked.answer.versions, case.question.ledger
    relation = REPLACED if case.question.fixed_size else ledger.neighbouring
    delta = rational_text(case.question.delta or mpq(0))
    return _ISSUE.format(
        name=name,
        delta=delta,
        mechanisms=_mechanisms(case),
        claim=claim_text(verdict, delta=None),
        verdict=describe(verdict).partition(": ")[2],
        script=script,
        neighbours=_WHERE.get(relation, ""),
        proved=_proved(case, stem),
        other=_TOLD[ledger.given_by][1],
        partner=f"{partner_text(partner)}\n\n" if partner is not None else "",
        versions=", ".join(f"{each} {number}" for each, number in versions.items()) or "unknown",
        exactdp=__version__,
        seed=found_by(case),
    )


def _proved(case: Case, stem: str) -> str:
    """What is proved, and what checks it; or that it was computed."""
    subject = _TOLD[case.question.ledger.given_by][0]
    text = _COMPUTED if case.checked.verdict.certificate is None else _PROVED
    pair = f"\n\n{_PAIR}" if case.question.fixed_size else ""
    return text.format(subject=subject, stem=stem, verifier=NAME) + pair


def partner_text(partner: MetamorphicPartner) -> str:
    """What the accountant says of the same mechanisms in their second form."""
    asked = f"Asked with the copies written out, as {partner.entries} groups"
    return f"{asked}, it {_PARTNERS[partner.outcome].format(answer_text(partner.answer))}."


_PARTNERS: Final[Mapping[PartnerOutcome, str]] = {
    "same": "says the same, which shows nothing",
    "different": "says {}: another number for the same mechanisms",
    "no-number": "gives no number ({}), which shows nothing",
}
"""What is said of a second answer, beside the first."""


def answer_text(answer: AccountantAnswer) -> str:
    """The numbers of an answer, or why there is none."""
    if answer.state != "answered":
        return answer.message
    numbers = (("ε", answer.epsilon), ("δ", answer.delta))
    return ", ".join(
        f"{letter} = {value if isinstance(value, str) else scientific_below(value, _DIGITS)}"
        for letter, value in numbers
        if value is not None
    )


_RESPONSES: Final = """\
Some mechanisms with exactly these parameters (randomized responses, which the optimal composition \
theorem shows to be the worst)"""
_BY_PARAMETERS: Final = (_RESPONSES, "mechanisms that are more private than their (ε, δ)")
_BY_NOISE: Final = (
    "These very mechanisms, on some neighbouring inputs,",
    "mechanisms with more noise, or inputs that are nearer to each other",
)
_TOLD: Final[Mapping[GivenBy, tuple[str, str]]] = {
    "epsilon-delta": _BY_PARAMETERS,
    "rho-mu": _BY_NOISE,
    "noise": _BY_NOISE,
}
"""What attains the lower end, and of what an accountant may be right."""
_WHERE: Final[Mapping[str, str]] = {
    "add-remove-one": ", where neighbours differ by a record that is added or removed",
    "replace-one": ", where neighbours differ by a record that is replaced",
}
_PAIR: Final = """\
The ledger describes one pair of inputs. Every other record contributes −C, and the one that is \
replaced −C or C, where C bounds what a record contributes and σ is relative to it. On one input a \
step is noise around one point; on the other it is noise around that point, or around one that is \
2C further with the probability that a batch has the record. So it is a Poisson sample with \
sensitivity 2C where a record is added or removed; the least ε of batches is not below its own."""
_PROVED: Final = """\
**What is proved.** {subject} do not compose to the (ε, δ) above. \
`{stem}.lower.json` is a certificate: a small program that uses nothing but Python's standard \
library checks it with whole numbers, from the claim alone; it is one file, and needs \
no other:

    python {verifier} --ledger {stem}.ledger.json {stem}.lower.json"""
_COMPUTED: Final = """\
**What is computed.** {subject} do not compose to the (ε, δ) above. That was computed exactly; no \
certificate shows it, as there is no rule for such claims yet."""
_ISSUE: Final = """\
# {name} reports too small a bound for the composition of {mechanisms}

Adaptive composition of {mechanisms}, with parameters fixed in advance, at δ = \
{delta}{neighbours}. The answer is {claim}; {verdict}.

```python
{script}```

{partner}{proved}

The parameters in the script were rounded so that the question is, if anything, harder than that \
of the ledger; so the difference is not one of rounding decimals to doubles.

**What is not.** Nothing is said about {other}, nor about any data release, nor about the cause.

Versions: {versions}. Found by exactdp {exactdp}, `exactdp hunt`, {seed}.
"""


def found_by(case: Case) -> str:
    """Where a case comes from."""
    if case.is_given:
        return "a ledger that was given"
    return "its fixed list of boundary cases" if case.seed is None else f"seed {case.seed}"


def _mechanisms(case: Case) -> str:
    ledger = case.question.ledger
    if case.question.fixed_size:
        return " and ".join(
            f"{grouped(entry.count)} × (Gaussian noise with σ = {rational_text(sigma)} on batches "
            f"of {grouped(batch)} of {grouped(examples)} records)"
            for entry in ledger.mechanisms
            for sigma, batch, examples in [fixed_size_step(entry)]
        )
    if ledger.given_by != "epsilon-delta":
        from exactdp.pages.shares import parameters_of  # noqa: PLC0415 (only for noise)

        return " and ".join(
            f"{grouped(entry.count)} × ({parameters_of(entry)})" for entry in ledger.mechanisms
        )
    parts = [
        f"{grouped(m.count)} × ({shortest_text(m.epsilon)}, {rational_text(m.delta)})"
        for m in ledger.approximate()
    ]
    return " and ".join(parts) + "-DP mechanisms"
