"""The corpora ``certs/reject`` and ``certs/accept``, made by hand and written deterministically.

Each file that must be rejected comes with the same certificate without the defect, which must be
accepted, so that the named clause is what stands between the two.

    python -m tests.verifier.make_rejects
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from tests.verifier import (
    allocated_cases,
    atom_cases,
    budget_cases,
    case_tree_cases,
    chains,
    constraints_cases,
    conversion_cases,
    experiment_cases,
    factorized_cases,
    fixed_size_cases,
    format_cases,
    fourier_cases,
    greatest_loss_cases,
    group_noise_cases,
    group_path_cases,
    handmade,
    integer_noise_cases,
    interactive_cases,
    large_grid_cases,
    misfits,
    noise_batch_cases,
    noise_cases,
    noise_class_cases,
    noise_fourier_cases,
    noise_shapes,
    noise_workload_cases,
    notion_cases,
    optimum_cases,
    pair_case_cases,
    parallel_cases,
    person_cases,
    remainder_cases,
    replacing_cases,
    report_cases,
    selection_cases,
    share_cases,
    square_cases,
)
from tests.verifier.format_cases import BASE, Case, Certificate, written
from tests.verifier.optimum_cases import (
    HUNDRED,
    LOSSY,
    TENS,
    TENS_ABOVE,
    TENS_BELOW,
    TINY,
    TWELVE,
    RuleCase,
)

CERTS = Path(__file__).resolve().parents[2] / "certs"


@cache
def rejects() -> tuple[Case, ...]:
    """Made once in a process."""
    return tuple(_rejects())


def _rejects() -> Iterator[Case]:
    yield from format_cases.cases()
    for name, bad, good, clause in (
        *conversion_cases.parameter_cases(),
        *fourier_cases.parameter_cases(),
        *large_grid_cases.parameter_cases(),
    ):
        yield Case(f"{name}.json", written(bad), "malformed", clause, written(good))
    yield from _workload_shape_cases()
    for rule, bad, good, clause in (*_rule_cases(), *chains.rejects()):
        name, _, what = rule.partition("/")
        yield Case(f"{name}/{what}.json", written(bad), "rejected", clause, written(good))
    for name, bad, clause in budget_cases.shapes():
        good = budget_cases.BELOW_MU if name.startswith("fixed") else budget_cases.PURE
        yield Case(f"{name}.json", written(bad), "malformed", clause, written(good))
    for name, bad, good, clause in (
        *noise_shapes.shapes(),
        *noise_batch_cases.shapes(),
        *allocated_cases.shapes(),
        *constraints_cases.shapes(),
        *fixed_size_cases.shapes(),
        *person_cases.shapes(),
        *factorized_cases.shapes(),
        *selection_cases.shapes(),
        *remainder_cases.shapes(),
        *report_cases.shapes(),
        *square_cases.shapes(),
        *experiment_cases.shapes(),
        *notion_cases.shapes(),
        *noise_workload_cases.shapes(),
    ):
        yield Case(f"{name}.json", written(bad), "malformed", clause, written(good))
    for name, bad, good, clause in interactive_cases.shapes():
        yield Case(f"interactive/{name}.json", written(bad), "malformed", clause, written(good))
    yield from _misfit_cases()


# --- the rules ----------------------------------------------------------------------------------


def _workload_shape_cases() -> Iterator[Case]:
    for name, value, clause in parallel_cases.shapes():
        about_a_row = name.startswith("rows")
        good = parallel_cases.WITNESS if about_a_row else parallel_cases.COLOURING
        yield Case(f"{name}.json", written(value), "malformed", clause, written(good))
    for name, value, clause in case_tree_cases.shapes():
        good = case_tree_cases.CASES
        yield Case(f"{name}.json", written(value), "malformed", clause, written(good))
    for name, value, clause in share_cases.shapes():
        yield Case(f"{name}.json", written(value), "malformed", clause, written(share_cases.GOOD))
    for name, value, clause in pair_case_cases.shapes():
        good = pair_case_cases.CASES
        yield Case(f"{name}.json", written(value), "malformed", clause, written(good))
    for name, value, clause in replacing_cases.shapes():
        about_rows = name.startswith("two-rows")
        good = replacing_cases.TWO_ROWS if about_rows else replacing_cases.CLASSES
        yield Case(f"{name}.json", written(value), "malformed", clause, written(good))


def _rule_cases() -> Iterator[RuleCase]:
    yield from optimum_cases.cases()
    yield from fourier_cases.cases()
    yield from fourier_cases.gaussian_cases()
    yield from conversion_cases.rule_cases()
    yield from large_grid_cases.cases()
    yield from parallel_cases.cases()
    yield from case_tree_cases.cases()
    yield from share_cases.cases()
    yield from replacing_cases.cases()
    yield from pair_case_cases.cases()
    yield from interactive_cases.cases()
    yield from budget_cases.cases()
    yield from atom_cases.cases()
    yield from noise_cases.cases()
    yield from noise_batch_cases.cases()
    yield from allocated_cases.cases()
    yield from constraints_cases.cases()
    yield from fixed_size_cases.cases()
    yield from person_cases.cases()
    yield from factorized_cases.cases()
    yield from selection_cases.cases()
    yield from group_noise_cases.cases()
    yield from group_path_cases.cases()
    yield from remainder_cases.cases()
    yield from report_cases.cases()
    yield from experiment_cases.cases()
    yield from noise_workload_cases.cases()
    yield from noise_class_cases.cases()
    yield from notion_cases.cases()
    yield from greatest_loss_cases.cases()
    yield from noise_fourier_cases.cases()


# --- what does not fit --------------------------------------------------------------------------


def _misfit_cases() -> Iterator[Case]:
    """Steps that do not fit, and those that were accepted before that was asked.

    ``misfits`` has more: also those on premises that do not fit the statement themselves.
    """
    made = {name: handmade.read_back(data) for name, data in accepts().items()}
    for case in (each for each in misfits.misfits(made) if each.of_its_subject):
        data, repaired = written(case.certificate), written(case.repaired)
        yield Case(f"misfits/{case.name}.json", data, "rejected", misfits.CLAUSE, repaired)
    for rule, bad, good in _about_no_mechanisms():
        name = f"misfits/reduced-workload-{rule}.json"
        yield Case(name, written(bad), "rejected", misfits.CLAUSE, written(good))


def _about_no_mechanisms() -> Iterator[tuple[str, Certificate, Certificate]]:
    """Rules about interactive mechanisms that are given a reduced workload, and so no mechanisms.

    The first was accepted: three queries of (1000, 1/2) about the same rows as (0, 0)-DP.
    """
    queries = [parallel_cases.query(epsilon="1000", delta="1/2")] * 3
    domain = [{"name": "a", "size": "2"}]
    nothing = interactive_cases.simulated([], "0", "0", "1", [["1", "1", "1", "1"]])
    bad = parallel_cases.colouring(queries, [["0"], ["1"], ["2"]], adaptive(nothing), domain)
    yield "post-processing", bad, parallel_cases.COLOURING
    for name, epsilon in (("", "0"), ("-every", "every")):
        nothing = interactive_cases.told_apart([], epsilon, "0", "1", [])
        bad = parallel_cases.witness(queries, [], adaptive(nothing), domain)
        yield f"distinguishing-adversary{name}", bad, parallel_cases.WITNESS


def adaptive(certificate: Certificate) -> Certificate:
    """The same, about mechanisms that run one after the other."""
    claim = certificate["statement"] | {"interaction": "adaptive"}
    return handmade.resealed({**certificate, "statement": claim})


# --- good files ---------------------------------------------------------------------------------


@cache
def accepts() -> Mapping[str, bytes]:
    """One certificate for each rule and bound: the worked examples of the SPEC. Made once."""
    found: Callable[..., Certificate] = handmade.simple
    good = {
        "trivial-upper": handmade.trivial(TWELVE),
        "sum-upper": BASE,
        "sum-lower": found("sum", "lower", TWELVE, "119/100", "0"),
        "trivial-lower": found("trivial", "lower", LOSSY, "every", "9/50"),
        "grid-upper": handmade.grid("upper", HUNDRED, "596706683/100000000", TINY, unit="1/10"),
        "grid-lower": handmade.grid("lower", HUNDRED, "298353341/50000000", TINY, unit="1/10"),
        "mesh-upper-responses": handmade.mesh_upper(TENS, TENS_ABOVE, "1/1000", unit="1/100"),
        "mesh-lower-responses": handmade.mesh_lower(TENS, TENS_BELOW, "1/1000", unit="1/100"),
        "empty-ledger": found("sum", "upper", [], "0", "0"),
        **fourier_cases.accepts(),
        **large_grid_cases.accepts(),
        **conversion_cases.accepts(),
        **parallel_cases.accepts(),
        **case_tree_cases.accepts(),
        **share_cases.accepts(),
        **atom_cases.accepts(),
        **replacing_cases.accepts(),
        **pair_case_cases.accepts(),
        **budget_cases.accepts(),
        **noise_cases.accepts(),
        **noise_batch_cases.accepts(),
        **allocated_cases.accepts(),
        **constraints_cases.accepts(),
        **fixed_size_cases.accepts(),
        **person_cases.accepts(),
        **factorized_cases.accepts(),
        **selection_cases.accepts(),
        **square_cases.accepts(),
        **group_noise_cases.accepts(),
        **group_path_cases.accepts(),
        **remainder_cases.accepts(),
        **report_cases.accepts(),
        **experiment_cases.accepts(),
        **integer_noise_cases.accepts(),
        **noise_workload_cases.accepts(),
        **noise_fourier_cases.accepts(),
        **noise_class_cases.accepts(),
        **notion_cases.accepts(),
        **greatest_loss_cases.accepts(),
    }
    good |= chains.accepts()
    good |= interactive_cases.accepts()
    return MappingProxyType({f"{name}.json": written(value) for name, value in good.items()})


def manifest() -> bytes:
    """The verdict and the words that must occur in the reason, for each bad file."""
    entries = {case.name: {"verdict": case.verdict, "clause": case.clause} for case in rejects()}
    return (json.dumps(entries, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


def main() -> None:
    """Write both corpora."""
    files = {f"reject/{case.name}": case.data for case in rejects()}
    files["reject/manifest.json"] = manifest()
    files |= {f"accept/{name}": data for name, data in accepts().items()}
    for name, data in files.items():
        target = CERTS / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


if __name__ == "__main__":
    main()
