r"""What is known of what an attack on membership gains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    floor_log10,
    scientific_above,
    scientific_below,
    short_text,
    shortest_text,
)
from exactdp.attacks.results import RightGuesses, Risk, TruePositives
from exactdp.composition.answers.results import EvidenceKind, ProfilePoint
from exactdp.pages.facts import Fact, fact, result_of, shown
from exactdp.pages.number_text import aligned, rational_text
from exactdp.pages.phrases import attacked

_ENDS: Final = ("lower", "upper")
_DIGITS: Final = 10
_CLAIMED: Final = 20
_FURTHER: Final = 2
_LEAST: Final = mpq(1, 10**_DIGITS)


def risk_rows(found: Risk) -> list[list[Fact]]:
    """True positives, right guesses and the advantage, each in a line."""
    rows = [*map(_rate_row, found.rates), *map(_guess_row, found.guesses)]
    lower, upper = _texts(found.gain.lower, found.gain.upper)
    kinds = (found.advantage_evidence,) * 2
    told = _told("advantage", "", (lower, upper), kinds)
    return [*rows, [*told, fact("lower", lower), fact("upper", upper), _evidence(kinds)]]


def risk_facts(found: Risk, rows: Sequence[Sequence[Fact]]) -> list[Fact]:
    """The same for programs, in three parts."""
    results, rates = [result_of(row) for row in rows], len(found.rates)
    return [
        fact("true_positives", results[:rates]),
        fact("right_guesses", results[rates:-1]),
        fact("advantage", results[-1]),
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
            f"a false-positive rate of at most {rate}, has a true-positive rate above {most}",
        )
    prior = rational_text(found.guesses[0].prior)
    return attacked(unit, relation, f"a prior of {prior}, is right with a probability above {most}")


def _rate_row(rate: TruePositives) -> list[Fact]:
    texts = _texts(rate.lower_end, rate.upper_end)
    told = _told("true positives", f"FPR {rational_text(rate.fpr)}", texts, rate.evidence)
    found = [fact("fpr", short_text(rate.fpr)), fact("tpr", dict(zip(_ENDS, texts, strict=True)))]
    return [*told, *found, _evidence(rate.evidence), *map(_by, rate.above)]


def _guess_row(guess: RightGuesses) -> list[Fact]:
    texts, kinds = _texts(guess.lower_end, guess.upper_end), (guess.evidence,) * 2
    told = _told("right guesses", f"prior {rational_text(guess.prior)}", texts, kinds)
    ends = dict(zip(_ENDS, texts, strict=True))
    found = [fact("prior", short_text(guess.prior)), fact("success", ends)]
    return [*told, *found, _evidence(kinds), _by(guess.point)]


def _told(
    what: str, at: str, texts: tuple[str, str], kinds: tuple[EvidenceKind, EvidenceKind]
) -> list[Fact]:
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


def _evidence(kinds: tuple[EvidenceKind, EvidenceKind]) -> Fact:
    return fact("evidence", dict(zip(_ENDS, kinds, strict=True)))


def _by(point: ProfilePoint) -> Fact:
    """The claim that implies an upper end."""
    delta = scientific_above(point.upper_end, _CLAIMED)
    return fact("by", {"epsilon": shortest_text(point.epsilon), "delta": delta})


def _texts(lower: mpq, upper: mpq) -> tuple[str, str]:
    """Decimals around an interval, of as many digits as tell its ends apart."""
    apart = max(upper - lower, upper * _LEAST)
    digits = floor_log10(upper) - floor_log10(apart) + _FURTHER
    return aligned(scientific_below(lower, digits), scientific_above(upper, digits))
