"""The verified checker and the verifier accept the same statements.

The checker looks at nothing that decides nothing about truth. So of
what is altered there it may accept what the verifier does not; then the same statement has a
certificate that the verifier accepts.

Needs the checker (``make -C proofs checker``), which continuous integration builds before it runs
the tests; without it there is nothing to compare. The files are all of certs/, and all single
mutants of all accepted certificates with their digests right: about 14 000; and of each a hundred
with a changed claim and another field changed too. What uses a rule without a check,
which the checker does not know, is only seen not to be accepted.
"""

from __future__ import annotations

import json
import random
import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from exactdp.verifier import DEFAULT_MAX_COST, verify_bytes
from exactdp.workloads.certify import upper_certificate
from exactdp.workloads.composing import compose_parallel
from exactdp.workloads.workload import REPLACE_ONE
from tests.mutation.mutate import (
    MAX_COST,
    Document,
    checked,
    seal,
    single_mutants,
)
from tests.mutation.singles import checked_singles
from tests.proofs.agreement import (
    COORDINATED,
    NOT_PROVED,
    assert_agreement,
    assert_agreement_on,
    written,
)
from tests.proofs.checker import CHECKER, coordinated_mutants, lines_of, said_of
from tests.proofs.unproved import MORE_THAN_CLONES, is_beyond_the_checker
from tests.verifier import handmade, handmade_conversions, noise_cases
from tests.verifier.handmade_conversions import Subject
from tests.verifier.make_rejects import accepts
from tests.verifier.misfits import CLAUSE, misfits
from tests.workloads.workloads import at_random
from tools.adversaries import of_ledger, pair
from tools.denial_of_service import FOLDER, LIMIT, MANIFEST

ROOT = Path(__file__).resolve().parents[2]
CERTIFICATES = ROOT / "certs"
LISTED = json.loads(MANIFEST.read_bytes())["certificates"]
ACCEPTED = sorted(CERTIFICATES.glob("accept/*.json"))
NOT_READ = "MALFORMED  not a statement"

pytestmark = pytest.mark.usefixtures("checker")


def test_levels_decide_for_no_certificate_of_the_corpus() -> None:
    files = sorted(CERTIFICATES.glob("accept/*.json"))
    lines = lines_of(files, DEFAULT_MAX_COST)
    undecided = {file.stem for file, line in zip(files, lines, strict=True) if line == NOT_PROVED}
    assert undecided == MORE_THAN_CLONES


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["accept", "deployments", "crosscheck"])
def test_both_agree_on_every_good_certificate(folder: str) -> None:
    files = sorted(CERTIFICATES.glob(f"{folder}/*.json"))
    assert_agreement([file for file in files if _is_certificate(file)], DEFAULT_MAX_COST)


def _is_certificate(file: Path) -> bool:
    return "derivation" in json.loads(file.read_bytes())


def test_both_refuse_every_bad_certificate() -> None:
    assert_agreement(sorted(CERTIFICATES.glob("reject/*/*.json")), DEFAULT_MAX_COST)


def test_both_say_the_same_of_what_asks_for_much_work() -> None:
    assert_agreement([FOLDER / each["file"] for each in LISTED], LIMIT)


def test_a_step_that_does_not_fit_is_rejected_as_such(tmp_path: Path) -> None:
    made = misfits({name: json.loads(data) for name, data in accepts().items()})
    files = written((handmade.canonical_bytes(each.certificate) for each in made), tmp_path)
    assert files
    for file, line in zip(files, lines_of(files, DEFAULT_MAX_COST), strict=True):
        assert not line.startswith("ACCEPTED"), file.read_text()
        if line != NOT_READ and not is_beyond_the_checker(file):
            assert line.startswith("REJECTED"), (line, file.read_text())
            assert CLAUSE in line or "unknown rule" in line, (line, file.read_text())


INTERLEAVING = (
    "vadhan-wang-2021-theorem-5.4",
    "lyu-2022-approximate-dp",
    "lyu-2022-renyi-dp",
    "vadhan-zhang-2023-f-dp",
)


def asked_concurrently() -> dict[str, Document]:
    """Every accepted certificate about a ledger, under each theorem about interleaved questions."""
    made = {}
    for source in ACCEPTED:
        document = json.loads(source.read_bytes())
        if document["statement"]["subject"]["type"] == "mechanisms":
            theorems = (*INTERLEAVING, document["statement"]["theorem"])
            for theorem in theorems:
                changed = handmade.changed(document, "statement.interaction", "concurrent")
                made[f"{source.stem} by {theorem}"] = handmade.changed(
                    changed, "statement.theorem", theorem
                )
    return made


def test_both_say_the_same_of_every_ledger_asked_concurrently(tmp_path: Path) -> None:
    made = asked_concurrently()
    files = written(map(seal, made.values()), tmp_path)
    assert_agreement(files, MAX_COST)
    accepted = {
        name
        for name, file in zip(made, files, strict=True)
        if not is_beyond_the_checker(file)
        and verify_bytes(file.read_bytes(), max_cost=MAX_COST).status == "accepted"
    }
    for rule in ("group-deltas", "group-", "gaussian", "grid-upper", "grid-lower"):
        assert any(name.startswith(rule) for name in accepted), rule


ZERO = "2*ln(2) - ln(4)"
MANY = 10**18


def in_groups(group: int, epsilon: str, delta: str) -> Document:
    """From a mixture about what a ledger is for a group of so many, a bound for that group."""
    ledger = Subject((("1", "0", 4),), (("1/100", 1),))
    document = handmade_conversions.mixture("upper", ledger, epsilon, delta)
    document["statement"]["group"] = str(group)
    bound = {"bound": "upper", "delta": delta, "epsilon": epsilon}
    further = {"deltas": ["0"], "digits": "30", "group": str(group)}
    step = {"parameters": bound | further, "premises": ["0"], "rule": "group"}
    document["derivation"].append(step)
    return document


def for_two(premise: Document, epsilon: str, delta: str) -> Document:
    """From a bound for neighbours to one for groups of two, by `group`."""
    document: Document = json.loads(json.dumps(premise))
    kind = document["statement"]["kind"]
    document["statement"] |= {"delta": delta, "epsilon": epsilon, "group": "2"}
    parameters = {"bound": kind, "delta": delta, "digits": "30", "epsilon": epsilon, "group": "2"}
    document["derivation"].append({"parameters": parameters, "premises": ["0"], "rule": "group"})
    return document


NOISY = Subject(gaussian=(("1/2", 4),))
OF_ALL_NOTIONS = Subject((("1/10", "1/1000000000", 3),), (("1/2", 4),), (("1/100", 2),))
MIXED = Subject((("1/2", "0", 10),), (("1", 1),))
KNOWN_NOISE = [
    noise_cases.entry(3, epsilon="ln(3/2)", delta="1/100000000"),
    noise_cases.entry(2, epsilon="1/10", delta="0"),
    noise_cases.entry(2, mu="1/3"),
    noise_cases.entry(2, rho="1/20"),
    noise_cases.entry(5, bounded_range="1/2"),
    noise_cases.entry(2, discrete_gaussian={"shifts": ["1", "2", "2"], "variance": "25/4"}),
    noise_cases.entry(discrete_gaussian={"shifts": ["1"], "variance": "40"}),
    noise_cases.entry(2, discrete_laplace={"scale": "7/3", "shifts": ["1", "1", "2"]}),
    noise_cases.entry(discrete_laplace={"scale": "5", "shifts": ["3"]}),
    noise_cases.entry(3, renyi=[["3/2", "1/50"], ["5", "1/10"], ["32", "1/2"]]),
    noise_cases.entry(renyi=[["4", "1/7"]]),
    noise_cases.entry(2, pair={"p": ["1/2", "3/10", "1/5", "0"], "q": ["1/3", "5/12", "1/4", "0"]}),
]
SAMPLED_NOISE = [
    noise_cases.entry(5, mu="1/4", rate="1/3"),
    noise_cases.laplace("1", 7, rate="1/50"),
    noise_cases.entry(3, discrete_laplace={"scale": "2", "shifts": ["3"]}, rate="1/10"),
    noise_cases.entry(2, discrete_gaussian={"shifts": ["2"], "variance": "40"}, rate="9/10"),
]
LOPSIDED = noise_cases.entry(pair={"p": ["1/1000000", "999999/1000000"], "q": ["1/3", "2/3"]})
DEMANDING: dict[str, Document] = {
    "a-tie-a-billion-billion-times": handmade.simple("sum", "upper", [(ZERO, "0", MANY)], "0", "0"),
    "a-tie-with-a-fine-unit": handmade.certificate(
        "grid",
        "upper",
        [(ZERO, "0", 1)],
        "0",
        "0",
        digits="30",
        unit="1/100000000000",
    ),
    "many-gaussian-units-out": handmade_conversions.gaussian(
        "upper", Subject(gaussian=(("1/1000", 5),)), "3", "1/1000000"
    ),
    "between-near-and-far": handmade_conversions.gaussian(
        "upper", Subject(gaussian=(("300", 1),)), "50000", "1/1000"
    ),
    "far-from-above": handmade_conversions.gaussian(
        "upper", Subject(gaussian=(("3000", 1),)), "5000000", "1/1000"
    ),
    "far-from-below": handmade_conversions.gaussian(
        "lower", Subject(gaussian=(("3000", 1),)), "4490000", "1/1000"
    ),
    "groups-of-a-thousand": in_groups(1000, "5000", "1/10"),
    "a-group-of-gaussians": for_two(
        handmade_conversions.gaussian("upper", NOISY, "10943/2500", "1/100000"), "9", "1/1000"
    ),
    "a-group-of-gaussians-from-below": for_two(
        handmade_conversions.gaussian("lower", NOISY, "43771/10000", "1/100000"),
        "43771/10000",
        "1/100000",
    ),
    "a-group-of-all-notions": for_two(
        handmade_conversions.moments(OF_ALL_NOTIONS, "6", "1/100000", alpha="5"),
        "12",
        "1/10",
    ),
    "a-pair-for-rho-beside-a-mu-of-0": handmade_conversions.pair(
        Subject((("1/2", "0", 10),), (("0", 3),), (("1/1000000", 1),)),
        "21/4",
        "1/1000000",
        pair="3/500",
        alpha="3158",
        unit="1/20",
    ),
    "noise-of-all-families-that-it-knows": noise_cases.orders(KNOWN_NOISE, "16", "4"),
    "samples-of-four-kinds": noise_cases.orders(SAMPLED_NOISE, "14/5", "8"),
    **{
        f"a-mixture-at-{epsilon}-of-{digits}-digits": handmade_conversions.mixture(
            "upper", MIXED, epsilon, "1/1000000", digits=digits
        )
        for epsilon in ("18", "22", "30", "35")
        for digits in (10, 30, 60)
    },
}
"""What once took the checker too long, too much memory or too deep a stack, or was not proved."""


@pytest.mark.parametrize("name", DEMANDING)
def test_both_accept_what_asks_much_of_a_checker(name: str, tmp_path: Path) -> None:
    files = written([seal(DEMANDING[name])], tmp_path)
    assert verify_bytes(files[0].read_bytes(), max_cost=MAX_COST).status == "accepted"
    assert said_of(files, MAX_COST) == ["ACCEPTED"]


@pytest.mark.parametrize("alpha", ["3/2", "7/2", "4"])
def test_both_find_the_same_epsilon_of_noise_at_an_order(alpha: str, tmp_path: Path) -> None:
    made = [
        seal(noise_cases.orders(KNOWN_NOISE, str(Fraction(tenths, 10)), alpha))
        for tenths in range(20, 400, 20)
    ]
    files = written(made, tmp_path)
    assert_agreement(files, MAX_COST)
    assert {verify_bytes(data).status for data in made} == {"accepted", "rejected"}


@pytest.mark.parametrize("alpha", ["2", "8", "40", "5/2"])
def test_both_find_the_same_epsilon_of_samples_at_an_order(alpha: str, tmp_path: Path) -> None:
    made = [
        seal(noise_cases.orders(SAMPLED_NOISE, str(Fraction(twentieths, 20)), alpha))
        for twentieths in [*range(20, 80), *range(200, 300, 4)]
    ]
    files = written(made, tmp_path)
    assert_agreement(files, MAX_COST)
    lines = said_of(files, MAX_COST)
    assert ("ACCEPTED" in lines) == (alpha != "5/2")
    assert lines[0].startswith("REJECTED")


@pytest.mark.parametrize("alpha", ["3/2", "2", "21/2", "100000"])
def test_both_find_the_same_epsilon_of_a_table_that_is_greater_in_one_direction(
    alpha: str, tmp_path: Path
) -> None:
    exponents = range(-4, 10)
    made = [
        seal(noise_cases.orders([LOPSIDED], str(Fraction(3, 2) ** exponent), alpha))
        for exponent in exponents
    ]
    assert_agreement(written(made, tmp_path), MAX_COST)
    assert {verify_bytes(data).status for data in made} == {"accepted", "rejected"}


@pytest.mark.parametrize("neighbouring", ["replace-one", "unspecified", "zero-out"])
def test_a_table_is_about_a_record_that_is_there_or_not(neighbouring: str, tmp_path: Path) -> None:
    document = noise_cases.orders([LOPSIDED], "100", "2")
    for relation in (document["statement"]["neighbouring"], neighbouring):
        changed = handmade.changed(document, "statement.neighbouring", relation)
        assert_agreement(written([seal(changed)], tmp_path), MAX_COST)
    assert said_of([tmp_path / "0.json"], MAX_COST) == ["REJECTED"]


def test_probabilities_of_many_denominators_are_summed(tmp_path: Path) -> None:
    even = Fraction(1, 20)
    law = [str(even + (-1) ** i * Fraction(1, 10**250 + i // 2)) for i in range(20)]
    entry = noise_cases.entry(pair={"p": law, "q": [str(even)] * 20})
    [file] = written([seal(noise_cases.orders([entry], "20", "32"))], tmp_path)
    assert verify_bytes(file.read_bytes(), max_cost=MAX_COST).status == "accepted"
    assert said_of([file], MAX_COST) == ["ACCEPTED"]


@pytest.mark.slow
def test_both_agree_on_mutants_of_noise_of_all_families_that_the_checker_knows(
    tmp_path: Path,
) -> None:
    document = DEMANDING["noise-of-all-families-that-it-knows"]
    chance = random.Random(11)  # noqa: S311 (a fixed sample)
    mutants = [checked(each) for each in single_mutants(document)]
    mutants += coordinated_mutants(document, chance, COORDINATED)
    assert_agreement_on(mutants, tmp_path)


def test_many_logarithms_that_share_factors_end_in_a_verdict(tmp_path: Path) -> None:
    arguments = [3 * n for n in range(10_001, 10_601)]
    entries = [(f"ln({r})", "0", 1) for r in sorted(arguments, key=str)]
    document = handmade.simple("sum", "upper", entries, "10000", "0")
    files = written([seal(document)], tmp_path)
    assert said_of(files, MAX_COST) == ["ACCEPTED"]


@pytest.mark.slow
def test_a_table_may_be_longer_than_the_stack_is_deep(tmp_path: Path) -> None:
    entries: list[handmade.Entry] = [("1/100", "0", 123_456)]
    document = handmade.mesh_lower(entries, "10", "1/1000000", unit="1/5000")
    files = written([seal(document)], tmp_path)
    assert said_of(files, DEFAULT_MAX_COST) == ["ACCEPTED"]


@pytest.mark.slow
def test_more_denominators_than_memory_holds_are_refused_by_the_checker(tmp_path: Path) -> None:
    entries = [pair(Fraction(1, 2 * i + 10**9)) for i in range(20_000)]
    data = of_ledger("sum", "20 000 denominators", entries, ("1", "0")).data
    assert verify_bytes(data).status == "accepted"
    [line] = lines_of(written([data], tmp_path), DEFAULT_MAX_COST)
    assert line == "REJECTED  rule sum: the denominators are too many, or too large"


@pytest.mark.slow
def test_grids_whose_counts_memory_would_not_hold_are_refused_by_the_checker(
    tmp_path: Path,
) -> None:
    options = {"digits": "30", "unit": "1/900000"}
    claim = ("1", "1/2")
    data = of_ledger("grid-counts", "long", [pair(Fraction(1), 2)], claim, **options).data
    assert verify_bytes(data).status == "accepted"
    [line] = lines_of(written([data], tmp_path), DEFAULT_MAX_COST)
    assert line == "REJECTED  rule grid-counts: the grid is too long for as many digits"


@pytest.mark.slow
def test_both_accept_what_is_certified_of_any_small_workload_where_rows_are_replaced(
    tmp_path: Path,
) -> None:
    chance = random.Random(7)  # noqa: S311 (a fixed sample)
    workloads = [at_random(chance, most_queries=12) for _ in range(60)]
    replaced = [replace(one, neighbouring=REPLACE_ONE) for one in workloads]
    answers = [compose_parallel(one, delta="0", time_limit=None) for one in replaced]
    certificates = [upper_certificate(answer) for answer in answers]
    files = written((each.to_bytes() for each in certificates if each is not None), tmp_path)
    assert any(b'"row":"leaving"' in file.read_bytes() for file in files)
    assert set(said_of(files, DEFAULT_MAX_COST)) == {"ACCEPTED"}
    assert all(verify_bytes(file.read_bytes()).status == "accepted" for file in files)


@pytest.mark.slow
@pytest.mark.parametrize("source", ACCEPTED, ids=lambda source: source.stem)
def test_both_agree_on_mutants(
    source: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    mutants = checked_singles(source, tmp_path_factory)
    assert mutants
    assert_agreement_on(mutants, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("source", ACCEPTED, ids=lambda source: source.stem)
def test_both_agree_on_coordinated_mutants(source: Path, tmp_path: Path) -> None:
    chance = random.Random(source.stem)  # noqa: S311 (no secret)
    mutants = list(coordinated_mutants(json.loads(source.read_bytes()), chance, COORDINATED))
    assert len(mutants) in (0, COORDINATED)
    assert_agreement_on(mutants, tmp_path)


@pytest.mark.parametrize("arguments", [[], ["no-such-file.json"], ["--max-cost", "x", "a.json"]])
def test_what_cannot_be_read_is_accepted_by_nobody(arguments: list[str]) -> None:
    run = subprocess.run([CHECKER, *arguments], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "ACCEPTED" not in run.stdout
