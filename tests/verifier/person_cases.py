"""Good and bad certificates about a person with several records in a sample.

Written from certs/SPEC.md, sections 7, 11.1, 11.5 and 11.6, alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.verifier.handmade import changed
from tests.verifier.noise_cases import Certificate, Entry, RuleCase, dots, entry, plan, score

THERE: Final = {"relation": "add-remove-one"}


def person(mu: str, rate: str, records: object, count: int = 1) -> Entry:
    return entry(count, mu=mu, rate=rate, records_per_person=str(records))


STEPS: Final = [person("1", "1/10", 3, 2)]
WINDOW: Final = plan([(-80, 160)], (-160, 320, 1))
BACK: Final = plan([(-160, 80)], (-320, 160, 1))
ABOVE: Final = dots(STEPS, "33/5", "1/20", WINDOW, BACK, **THERE)
BELOW: Final = score(STEPS, "61/10", "1/20", WINDOW, 126, **THERE)


def accepts() -> dict[str, Certificate]:
    """Steps of which a person's records are added or removed, or zeroed out."""
    return {
        "mesh-upper-person": ABOVE,
        "mesh-upper-person-zeroed": changed(ABOVE, "statement.neighbouring", "zero-out"),
        "mesh-lower-person": BELOW,
    }


def cases() -> Iterator[RuleCase]:
    """Claims that do not hold."""
    above, below = "is not proved to be at most Δ", "is not proved to be above Δ"
    for name, entries, epsilon in (
        ("epsilon", STEPS, "61/10"),
        ("mu", [person("11/10", "1/10", 3, 2)], "33/5"),
        ("rate", [person("1", "1/8", 3, 2)], "33/5"),
        ("records", [person("1", "1/10", 4, 2)], "33/5"),
        ("count", [person("1", "1/10", 3, 3)], "33/5"),
    ):
        bad = dots(entries, epsilon, "1/20", WINDOW, BACK, **THERE)
        yield f"mesh-upper/person-{name}", bad, ABOVE, above
    for name, entries, epsilon in (
        ("epsilon", STEPS, "33/5"),
        ("records", [person("1", "1/10", 2, 2)], "61/10"),
    ):
        bad = score(entries, epsilon, "1/20", WINDOW, 126, **THERE)
        yield f"mesh-lower/person-{name}", bad, BELOW, below
    for relation in ("replace-one", "unspecified"):
        bad = changed(ABOVE, "statement.neighbouring", relation)
        yield f"mesh-upper/person-{relation}", bad, ABOVE, "has add-remove-one or zero-out"


def shapes() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    """Malformed entries, each one change away from a good certificate."""
    first = "statement.subject.mechanisms.0"
    for name, path, value, clause in (
        ("one", f"{first}.records_per_person", "1", "records_per_person is not an integer from 2"),
        ("many", f"{first}.records_per_person", "1001", "records_per_person is not an integer"),
        ("rate", f"{first}.rate", ..., "mechanism: unknown key records_per_person"),
        ("rate-one", f"{first}.rate", "1", "a mechanism's rate is not between 0 and 1"),
        ("mu", f"{first}.mu", "0", "a mechanism's mu is 0"),
        ("laplace", f"{first}.laplace", {}, "mechanism: unknown key laplace"),
    ):
        yield f"person/{name}", changed(BELOW, path, value), BELOW, clause
