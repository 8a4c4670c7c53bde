"""Good and bad certificates about batches of a fixed size.

Written from certs/SPEC.md, sections 7, 11.1, 11.5 and 11.6, alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.verifier.handmade import changed
from tests.verifier.noise_cases import Certificate, Entry, RuleCase, dots, entry, plan, score

ZEROED: Final = {"relation": "zero-out"}
GIVEN_WAY: Final = {"relation": "replace-one"}


def drawn(sigma: str, batch: object, records: object, count: int = 1) -> Entry:
    return entry(count, sigma=sigma, fixed_size={"batch": str(batch), "records": str(records)})


STEPS: Final = [drawn("1", 2, 10, 2)]
STEP: Final = [drawn("1", 2, 10)]
WINDOW: Final = plan([(-80, 160)], (-160, 320, 1))
BACK: Final = plan([(-160, 80)], (-320, 160, 1))
ABOVE: Final = dots(STEPS, "11/2", "1/20", WINDOW, BACK, **ZEROED)
BELOW: Final = score(STEPS, "51/10", "1/20", WINDOW, 108, **ZEROED)
BACK_ONCE: Final = plan([(-160, 80)])
BELOW_BACK: Final = score(
    STEP, "1/20", "1/20", BACK_ONCE, 1, direction="add", delta="1/1000", **ZEROED
)
REPLACED_ABOVE: Final = dots(STEPS, "13", "1/20", WINDOW, **GIVEN_WAY)
REPLACED_BELOW: Final = score(STEPS, "9", "1/20", WINDOW, 190, **GIVEN_WAY)


def accepts() -> dict[str, Certificate]:
    """Steps of which a record is zeroed out, or replaced."""
    return {
        "mesh-upper-fixed-size": ABOVE,
        "mesh-upper-fixed-size-replaced": REPLACED_ABOVE,
        "mesh-lower-fixed-size": BELOW,
        "mesh-lower-fixed-size-back": BELOW_BACK,
        "mesh-lower-fixed-size-replaced": REPLACED_BELOW,
    }


def cases() -> Iterator[RuleCase]:
    """Claims that do not hold."""
    above, below = "is not proved to be at most Δ", "is not proved to be above Δ"
    for name, entries, epsilon in (
        ("epsilon", STEPS, "51/10"),
        ("sigma", [drawn("9/10", 2, 10, 2)], "11/2"),
        ("batch", [drawn("1", 3, 10, 2)], "11/2"),
        ("count", [drawn("1", 2, 10, 3)], "11/2"),
    ):
        bad = dots(entries, epsilon, "1/20", WINDOW, BACK, **ZEROED)
        yield f"mesh-upper/fixed-size-{name}", bad, ABOVE, above
    for name, entries, epsilon, threshold in (
        ("epsilon", STEPS, "11/2", 108),
        ("records", [drawn("1", 2, 20, 2)], "51/10", 108),
        ("threshold", STEPS, "51/10", 20),
    ):
        bad = score(entries, epsilon, "1/20", WINDOW, threshold, **ZEROED)
        yield f"mesh-lower/fixed-size-{name}", bad, BELOW, below
    bad = dots(STEPS, "11/2", "1/20", WINDOW, **GIVEN_WAY)
    yield "mesh-upper/fixed-size-replaced", bad, REPLACED_ABOVE, above
    bad = score(STEPS, "9", "1/20", WINDOW, 190, **ZEROED)
    yield "mesh-lower/fixed-size-zeroed", bad, REPLACED_BELOW, below
    for relation in ("add-remove-one", "unspecified"):
        bad = changed(ABOVE, "statement.neighbouring", relation)
        yield f"mesh-upper/fixed-size-{relation}", bad, ABOVE, "has zero-out or replace-one"


def shapes() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    """Malformed entries, each one change away from a good certificate."""
    first = "statement.subject.mechanisms.0"
    for name, path, value, clause in (
        ("batch-all", f"{first}.fixed_size.batch", "10", "a batch is not less than all records"),
        ("batch-zero", f"{first}.fixed_size.batch", "0", "batch is not an integer from 1"),
        ("records", f"{first}.fixed_size.records", ..., "fixed_size: missing key records"),
        ("epochs", f"{first}.fixed_size.epochs", "1", "fixed_size: unknown key epochs"),
        ("rate", f"{first}.rate", "1/2", "mechanism: unknown key rate"),
        ("sigma", f"{first}.sigma", "0", "a mechanism's sigma is 0"),
    ):
        yield f"fixed-size/{name}", changed(BELOW, path, value), BELOW, clause
