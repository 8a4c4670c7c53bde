r"""What is known of what an attack on membership gains."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import starmap
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    floor_log10,
    scientific_above,
    scientific_below,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.attacks.proofs import delta_implying, delta_of_guesses
from exactdp.attacks.results import RightGuesses, Risk, TruePositives
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.point_proofs import PointProofs
from exactdp.composition.answers.results import EvidenceKind
from exactdp.pages.facts import COMPUTED, Fact, fact, labelled, result_of, shown
from exactdp.pages.number_text import aligned, rational_text
from exactdp.pages.phrases import attacked

DUALITY: Final = "Dong, Roth, Su 2022, Proposition 6"
"""By which true positives and right guesses follow from (ε, δ)."""
Kinds = tuple[EvidenceKind, ...]
"""What a lower and an upper end rest on."""
_ENDS: Final = ("lower", "upper")
_DIGITS: Final = 10
_FURTHER: Final = 2
_LEAST: Final = mpq(1, 10**_DIGITS)


def printed_ends(found: Risk) -> list[tuple[mpq, mpq]]:
    """The ends of true positives, of right guesses and of the advantage, as they are printed."""
    exact = [(each.lower_end, each.upper_end) for each in found.rates]
    exact += [(each.lower_end, each.upper_end) for each in found.guesses]
    texts = starmap(_texts, [*exact, (found.gain.lower, found.gain.upper)])
    return [(mpq(lower), mpq(upper)) for lower, upper in texts]


def risk_rows(found: Risk, proofs: Sequence[PointProofs] = ()) -> list[list[Fact]]:
    """True positives, right guesses and the advantage, each in a line.

    Args:
        found: what an attack gains.
        proofs: the certificates of each line, where they were asked for.
    """
    kinds = _kinds_of(found)
    for at, proof in enumerate(proofs):
        pairs = zip(_ENDS, kinds[at], strict=True)
        kinds[at] = tuple(COMPUTED if end in proof.missing else kind for end, kind in pairs)
    first = len(found.rates)
    rows = [_rate_row(*each) for each in zip(found.rates, kinds, strict=False)]
    rows += [_guess_row(*each) for each in zip(found.guesses, kinds[first:], strict=False)]
    texts = _texts(found.gain.lower, found.gain.upper)
    told = _told("advantage", "", texts, kinds[-1])
    ends = (fact(end, text) for end, text in zip(_ENDS, texts, strict=True))
    return [*rows, [*told, *ends, _evidence(kinds[-1])]]


def _kinds_of(found: Risk) -> list[Kinds]:
    """What the lower and the upper end of each line rest on, as far as is known without proofs."""
    both = [each.evidence for each in found.guesses] + [found.advantage_evidence]
    return [*(each.evidence for each in found.rates), *((each, each) for each in both)]


def risk_certificates(found: Risk, proofs: Sequence[PointProofs]) -> dict[str, Certificate]:
    """The certificates, by what the names of their files end in."""
    names = [f"fpr-{number}" for number, _ in enumerate(found.rates, start=1)]
    names += [f"prior-{number}" for number, _ in enumerate(found.guesses, start=1)]
    return {
        f"{name}.{bound}": each
        for name, proof in zip([*names, "advantage"], proofs, strict=True)
        for bound, each in proof.made.items()
    }


def risk_facts(found: Risk, rows: Sequence[Sequence[Fact]]) -> list[Fact]:
    """The same for programs, in three parts."""
    results, rates = [result_of(row) for row in rows], len(found.rates)
    return [
        fact("true_positives", results[:rates]),
        fact("right_guesses", results[rates:-1]),
        fact("advantage", results[-1]),
        fact("theorem", DUALITY),
        fact("mechanisms", found.ledger.size),
        fact("neighbouring", found.ledger.neighbouring),
    ]


def risk_sentence(found: Risk, rows: Sequence[Sequence[Fact]]) -> str:
    """What no attack exceeds: the first rate, or else the first prior."""
    most, unit = rows[0][3].lines[0], found.ledger.unit_of_privacy
    relation = found.ledger.neighbouring
    if found.rates:
        rate = rational_text(found.rates[0].fpr)
        return attacked(
            unit,
            relation,
            f"True-positive rate ≤ {most} at a false-positive rate of at most {rate}",
        )
    prior = rational_text(found.guesses[0].prior)
    return attacked(unit, relation, f"Right with a probability ≤ {most} from a prior of {prior}")


def _rate_row(rate: TruePositives, kinds: Kinds) -> list[Fact]:
    texts = _texts(rate.lower_end, rate.upper_end)
    told = _told("true positives", f"FPR {rational_text(rate.fpr)}", texts, kinds)
    found = [fact("fpr", short_text(rate.fpr)), fact("tpr", dict(zip(_ENDS, texts, strict=True)))]
    by = []
    if rate.ratio is not None:
        by = [_by(kinds, *delta_implying(rate.ratio, rate.fpr, mpq(texts[1])))]
    return [*told, *found, _evidence(kinds), *by]


def _guess_row(guess: RightGuesses, kinds: Kinds) -> list[Fact]:
    texts = _texts(guess.lower_end, guess.upper_end)
    told = _told("right guesses", f"prior {rational_text(guess.prior)}", texts, kinds)
    ends = dict(zip(_ENDS, texts, strict=True))
    found = [fact("prior", short_text(guess.prior)), fact("success", ends)]
    by = _by(kinds, *delta_of_guesses(guess.prior, mpq(texts[1])))
    return [*told, *found, _evidence(kinds), by]


def _told(what: str, at: str, texts: tuple[str, str], kinds: Kinds) -> list[Fact]:
    marked = [
        text if kind == "certificate" else f"{text} (computed)"
        for text, kind in zip(texts, kinds, strict=True)
    ]
    return [
        shown("", what),
        shown("at", at),
        shown("at least", marked[0]),
        shown("at most", marked[1]),
    ]


def _evidence(kinds: Kinds) -> Fact:
    return fact("evidence", dict(zip(_ENDS, kinds, strict=True)))


def _by(kinds: Kinds, epsilon: ExactNumber, delta: mpq) -> Fact:
    """The claim that implies an upper end, as it is printed."""
    claim = {"epsilon": shortest_text(epsilon), "delta": short_text(delta)}
    return labelled("by", claim, kinds[1])


def _texts(lower: mpq, upper: mpq) -> tuple[str, str]:
    """Decimals around an interval, of as many digits as tell its ends apart."""
    apart = max(upper - lower, upper * _LEAST)
    digits = floor_log10(upper) - floor_log10(apart) + _FURTHER
    return aligned(scientific_below(lower, digits), scientific_above(upper, digits))
