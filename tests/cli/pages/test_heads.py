"""A page begins as the command does that writes it: one head, rendered twice.

For every command that has ``--report``, and for each outcome that it knows: the first line printed
is the first sentence of the page, and its colour is what the exit code says.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import click
import pytest

from exactdp.cli.application import exactdp_command
from exactdp.pages.standing import HEADWORDS, Opening, Standing
from tests.cli.pages.pages import Page
from tests.cli.running import exactdp

Standings = tuple[Standing, ...]

BASES: Final = {"2": "composition", "1/2": "composition", "1/4": "amplification"}
HOLDS, FAILS, ELSEWHERE = (
    {"epsilon": epsilon, "delta": "0", "basis": basis, "source": "here"}
    for epsilon, basis in BASES.items()
)
PLAN: Final = ("--examples", "1000", "--epochs", "1", "--delta", "1e-5", "--tolerance", "1e-2")
LEAKY: Final = ("dpsgd", "--batch", "100", "--noise", "1", *PLAN)
"""Shuffled batches do not keep what sampled ones promise."""
INLINE: Final = ("-m", "0.1,1e-9*50", "--delta", "1e-6")

CASES: Final[dict[str, tuple[tuple[str, ...], Standings]]] = {
    "audit-holds": (("audit", "holds.json"), ("proved",)),
    "audit-fails": (("audit", "fails.json"), ("refuted",)),
    "audit-elsewhere": (("audit", "elsewhere.json"), ("unsettled",)),
    "audit-mixed": (("audit", "mixed.json"), ("proved", "refuted", "unsettled")),
    "audit-several": (("audit", "holds.json", "fails.json"), ("proved", "refuted")),
    "audit-computed": (("audit", "computed.json"), ("computed",)),
    "audit-all": (
        ("audit", "computed.json", "mixed.json"),
        ("computed", "proved", "refuted", "unsettled"),
    ),
    "compose-computed": (("compose", "computed.json"), ("computed", "computed")),
    "compose-feasible": (("compose", *INLINE), ("proved",)),
    "compose-infeasible": (("compose", "-m", "0.1,1/10", "--delta", "1e-6"), ("infeasible",)),
    "compose-claims": (("compose", "mixed.json"), ("proved", "proved", "refuted", "unsettled")),
    "certify-proved": (("certify", *INLINE, "--epsilon", "4"), ("proved",)),
    "certify-refuted": (("certify", "mixed.json", "--epsilon", "0", "--delta", "0"), ("refuted",)),
    "crosscheck-sound": (("crosscheck", *INLINE, "--value", "5"), ("proved",)),
    "crosscheck-unsound": (("crosscheck", *INLINE, "--value", "2"), ("refuted",)),
    "crosscheck-both": (
        ("crosscheck", *INLINE, "--value", "2", "--value", "5"),
        ("refuted", "proved"),
    ),
    "dpsgd-sampled": (LEAKY, ("proved",)),
    "dpsgd-shuffled": ((*LEAKY, "--loader", "shuffled", "--epsilon", "1/9"), ("refuted", "proved")),
    "filter-status": (("filter", "status", "week.log"), ("proved",)),
    "parallel-feasible": (("parallel", "two.json"), ("proved",)),
    "parallel-infeasible": (("parallel", "leaky.json", "--delta", "1e-6"), ("infeasible",)),
}
ABOUT_CLAIMS: Final = ("audit", "certify", "crosscheck")
"""Commands whose exit codes are about the claims; others have answered, whatever they say."""


@pytest.fixture(autouse=True)
def files(place: Path) -> None:
    """What the commands read."""
    mechanisms = [{"epsilon": "1", "delta": "0"}]
    claims = {"holds": [HOLDS], "fails": [FAILS], "elsewhere": [ELSEWHERE]}
    claims["mixed"] = [HOLDS, FAILS, ELSEWHERE]
    for name, claimed in claims.items():
        ledger = {"format": "exactdp-ledger/1", "target_delta": "0", "mechanisms": mechanisms}
        ledger |= {"claims": claimed}
        (place / f"{name}.json").write_text(json.dumps(ledger))
    nine = HOLDS | {"epsilon": "9"}
    noisy: dict[str, object] = {"format": "exactdp-ledger/1", "target_delta": "0"}
    noisy |= {"claims": [nine], "neighbouring": "replace-one"}
    clipped = {"laplace": {"scale": "10"}, "clip": "1", "rate": "1/2"}
    noisy |= {"mechanisms": [{**clipped, "count": 90}]}
    (place / "computed.json").write_text(json.dumps(noisy))
    for name, query in (("two", {"epsilon": "1"}), ("leaky", {"epsilon": "1", "delta": "1/10"})):
        workload = {"domain": {"age": {"size": 9}}, "queries": [query]}
        (place / f"{name}.json").write_text(json.dumps(workload))
    exactdp("filter", "init", "week.log", "--budget", "rho=1/2", "--delta", "1e-6")


def commands_with_pages(command: click.Command, name: str = "") -> Iterator[str]:
    """The commands that write a page beside what they print, by their first names."""
    if any("--report" in each.opts and not each.required for each in command.params):
        yield name
    if isinstance(command, click.Group):
        with click.Context(command) as context:
            for each in command.list_commands(context):
                found = command.get_command(context, each)
                assert found is not None
                yield from commands_with_pages(found, name or each)


def slow_but_audits(names: Iterable[str]) -> list[Any]:
    """Those about audits are fast, and have every colour; each other takes its time."""
    return [
        name if name.startswith("audit") else pytest.param(name, marks=pytest.mark.slow)
        for name in names
    ]


def test_every_command_that_writes_a_page_is_asked() -> None:
    assert {each.partition("-")[0] for each in CASES} == {*commands_with_pages(exactdp_command)}


@pytest.mark.parametrize("name", slow_but_audits(CASES))
def test_a_page_begins_as_the_command_and_in_the_colour_of_what_it_found(name: str) -> None:
    arguments, standings = CASES[name]
    answer = exactdp(*arguments, "--report", "page.html")
    page = Page(Path("page.html").read_bytes())
    first = page.all("div", "conclusion")[0]
    head, sentence, *_ = (each.typed for each in first.inside if each.name == "p")
    expected = Opening((), standings)
    assert (sentence, head) == (answer.out.splitlines()[0], expected.headword)
    assert first.attributes["class"].split() == ["conclusion", expected.standing]
    if arguments[0] in ABOUT_CLAIMS:
        assert (answer.code == 1) == ("refuted" in standings)


@pytest.mark.slow
def test_what_is_said_of_shuffling_stands_on_the_page_of_a_plan() -> None:
    answer = exactdp(*LEAKY, "--all", "--loader", "shuffled", "--report", "page.html")
    page = Page(Path("page.html").read_bytes())
    whole, *loaders = page.all("div", "conclusion")
    assert whole.inside[1].typed == answer.out.splitlines()[0]
    findings = [line for line in answer.out.splitlines() if line.startswith("A loader that")]
    promise = "(drop_last=False) does not keep what sampling promises"
    assert any(promise in each for each in findings)
    assert {*findings} <= {each.typed for each in whole.inside}
    colours = {each.attributes["class"].split()[1] for each in loaders}
    assert colours == {"proved", "mixed"}


@pytest.mark.parametrize(
    "names",
    [
        ["computed"],
        ["computed", "mixed"],
        ["holds"],
        ["fails"],
        ["mixed"],
        ["holds", "fails", "mixed"],
    ],
)
def test_the_line_of_a_report_and_its_page_name_the_same_standings(names: list[str]) -> None:
    ledgers = [f"{name}.json" for name in names]
    answer = exactdp("report", *ledgers, "-o", "page.html")
    as_json = exactdp("report", *ledgers, "-o", "page.html", "--force", "--json").result
    page = Page(Path("page.html").read_bytes())
    found = [Opening((), tuple(each["standings"])) for each in as_json["ledgers"]]
    assert [each.text for each in page.all("p", "headword")] == [each.headword for each in found]
    assert [each["standing"] for each in as_json["ledgers"]] == [each.standing for each in found]
    line = answer.out.splitlines()[0]
    parts = (each.standing for each in found) if len(found) > 1 else found[0].standings
    assert all(each in line or HEADWORDS[each].lower() in line for each in parts if each != "mixed")


def test_a_page_with_a_claim_that_holds_and_one_refuted_is_not_red_alone() -> None:
    exactdp("report", "mixed.json", "-o", "page.html")
    page = Page(Path("page.html").read_bytes())
    [headword] = page.all("p", "headword")
    words = {each.attributes["class"]: each.text for each in headword.inside}
    assert words == {"proved": "1 proved", "refuted": "1 refuted", "unsettled": "1 not settled"}
    assert page.all("div", "conclusion refuted") == []


def test_a_claim_that_holds_as_computed_is_said_to_hold_and_never_to_be_unsettled() -> None:
    answers = [exactdp(name, "computed.json", *more) for name, more in COMMANDS_ON_CLAIMS]
    page = Page(Path("page.html").read_bytes())
    said = " ".join([*(each.out for each in answers), *(each.text for each in page.all("p"))])
    assert "holds" in answers[0].out
    assert "not settled" not in said.casefold()
    assert [each.text for each in page.all("p", "headword")] == ["Computed"]
    captions = " ".join(each.text for each in page.all("figcaption"))
    assert "between computed bounds" in captions
    assert "certified" not in captions
    both = exactdp("audit", "computed.json", "mixed.json")
    assert both.lines[0] == (
        "1 of 4 claims in 2 ledgers follows from the parameters, 1 follows as computed, without a "
        "certificate, 1 is refuted, and 1 is not settled."
    )


COMMANDS_ON_CLAIMS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("audit", ()),
    ("compose", ()),
    ("report", ("-o", "page.html")),
)


def test_a_delta_at_which_nothing_is_promised_refutes_no_claim() -> None:
    ledger = {"mechanisms": [{"epsilon": "1", "delta": "1/10"}], "target_delta": "1/1000"}
    Path("bare.json").write_text(json.dumps({"format": "exactdp-ledger/1"} | ledger))
    answer = exactdp("report", "bare.json", "-o", "page.html")
    page = Page(Path("page.html").read_bytes())
    assert [each.text for each in page.all("p", "headword")] == ["Infeasible"]
    assert "infeasible" in answer.lines[0]
    assert "Refuted" not in " ".join(each.text for each in page.all("p"))
