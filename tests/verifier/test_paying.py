"""Each loop, power, shift and ``Fraction`` of the verifier pays, or its bound is said here.

Theory of operation: the trees of the sources are walked. A function that has one of these and calls
``pay`` nowhere stands in one of three tables, by why it need not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

VERIFIER: Final = Path(__file__).resolve().parents[2] / "exactdp" / "verifier"
Table = Mapping[str, str]
"""The names of functions, by files."""

IN_PROPORTION: Final[Table] = {
    "__init__.py": "verify_together _said _accepted",
    "__main__.py": "_run _run_together _print_json version _sources",
    "certificate.py": "read_certificate _read_step",
    "format/numbers.py": ("Number.size normal_form _sum canonical _parsed _power"),
    "format/shapes.py": "members increasing",
    "format/strict_json.py": "read_canonical _object _inspect",
    "kernel.py": "Form.__str__ prove _check_forms _form _subjects",
    "question/claim.py": "TruePositives.follows TruePositives.fails read_claim texts_of_claim",
    "question/together.py": "check_together _odds",
    "question/ledger_file.py": "check_ledger _check_remarks _by_parameters",
    "question/factorized_entries.py": "_factorization _participation _numbers _integers",
    "question/noise_entries.py": (
        "_of_person noise_entry _clipped _in_batches _reports _shape _orders _constraints "
        "_selected _numbers _shifts _mu_squared"
    ),
    "question/outcome_file.py": "_texts _counts",
    "question/spend_log.py": "_check_line",
    "question/workload_file.py": (
        "check_workload _FileReader.__init__ _FileReader.query "
        "_FileReader._ranges _FileReader._listed_values _joined"
    ),
    "rules/budget.py": "Budget.read Budget.limit _measure_of _read_line",
    "rules/cases.py": ("_read_tree _read_node _read_class _sides Cases.require _require_leaf"),
    "rules/experiment.py": "Experiment.read",
    "rules/domination.py": "_Once.of greatest",
    "rules/shares.py": "_read_shares Shares.require",
    "rules/filters.py": "_read_ledger Filter.check_given _at_once _charge _sum",
    "rules/fourier.py": "_read_noise _factors Parts.of Parts.count Parts.blur FourierLower.laws",
    "rules/gaussian.py": "NoiseRule.square",
    "rules/groups.py": "scaled",
    "rules/group_noise.py": (
        "GroupNoise.require GroupNoise._for_group GroupNoise.check_given _moved _read_scales"
    ),
    "rules/group_path.py": (
        "GroupPath.check_given GroupPath.conclude _read_steps check_path _along"
    ),
    "rules/interactive.py": (
        "_read_choices _read_simulation _histories _histories_by_length _logarithm"
    ),
    "rules/entries.py": "Gaussian.square read_parameters",
    "rules/ledger.py": (
        "Ledger.listed Ledger.of Ledger.merged Ledger.counts Ledger.count Ledger.groups "
        "Ledger.has_rho Ledger.failures Ledger.families"
    ),
    "rules/noise.py": "_apart _others attained divergences_of dominating is_directed",
    "rules/by_noise.py": (
        "Noisy.relations Noisy.dominating Noisy.attained neighbours_of read_noise _read_clipped "
        "_read_allocated _read_constraints _read_factorized _read_selection "
        "_clipped_law _read_person _read_square _read_laplace _read_on_integers _read_shifts "
        "_read_pair _read_divergences _read_law"
    ),
    "rules/greatest_loss.py": "signs_of _laws _greatest",
    "rules/notions.py": (
        "NotionSum.check ZcdpSum.most ZcdpSum.least GdpSum.most GdpSum.least _pairs _rho"
    ),
    "rules/parallel.py": "size_of read_row _read_rows Rows.require",
    "rules/pairs_of_laws.py": "Pair.at_infinity",
    "rules/points.py": "read_mesh_unit read_points",
    "rules/allocated.py": "read_ratios",
    "rules/plans.py": ("Plan.of Plan.require Plan.reach read_plan read_plans"),
    "rules/rule.py": "read_parameters BoundRule.theorems",
    "rules/responses.py": "leaves",
    "rules/sensitivity.py": "Rows.span Apart.regular of_patterns of_programme",
    "rules/shuffled.py": "Shuffled.dominating read_cuts read_shuffled",
    "rules/remainder.py": "_read_height read_heights read_remainder read_scores",
    "rules/factorized.py": (
        "Factorized.squares _read_factorization "
        "_read_toeplitz _fixed _read_rows _numbers _read_participation _read_listed"
    ),
    "rules/constraints.py": "read_constraints",
    "rules/fixed_size.py": "read_fixed_size",
    "rules/selection.py": "_read_inner _read_orders orders_of",
    "rules/trivial.py": "Trivial.check _fails",
    "rules/trees.py": (
        "Trees.read _read_tree _read_query _read_answer _is_depth_first _following _rounds"
    ),
    "rules/workload.py": (
        "Workload.read Workload.families Workload.neighbouring read_attribute _check_names "
        "_read_query _read_ranges"
    ),
    "statement.py": "notion_of read_bound",
    "verdicts.py": "malformed escaped",
    "wording.py": "number_text decimal_text",
}
"""Takes time in proportion to what was read, or less; a byte of that has paid a thousand units."""

PAID_BEFORE: Final[Table] = {
    "arithmetic/binomial.py": "_side",
    "arithmetic/circle.py": "_series slant_of",
    "arithmetic/counts.py": "_joined _powers _discounted _total",
    "arithmetic/dots.py": "Mesh.scale Points.count _between",
    "arithmetic/enclosures.py": "_exp_series",
    "arithmetic/far_values.py": "FarValues._product _turned far_unit rescaled _rough_power",
    "arithmetic/period.py": "PeriodicSum._weight PeriodicSum._resolvent _powers",
    "arithmetic/signs.py": "_vector",
    "arithmetic/sweep.py": (
        "Sweep._layer _Layer._graded _Strings.__init__ _Points.__init__ _beside _bounds "
        "_entries sag_between _ramp _every_cell _node_logs _log2_below _log2_above "
        "_squares"
    ),
    "arithmetic/time_values.py": "kappa Kernel.__init__ Kernel.at",
    "arithmetic/waves.py": "Tilted.factor Tilted.squeeze Tilted.damping _slanted",
    "format/numbers.py": "in_pairs",
    "rules/atoms.py": "_Losses._packed _Losses.coordinates _divergence",
    "rules/cases.py": "_narrowed",
    "rules/constraints.py": "_loss _odds _masses _is_exact Constrained._deltas",
    "rules/curves.py": "in_order",
    "rules/discrete_noise.py": "_symmetric Skellam._reach",
    "rules/interactive.py": (
        "_queries TreesRule.sum TreesRule.check_numbers PostProcessing._total_row "
        "PostProcessing._checked_row DistinguishingAdversary._part"
    ),
    "rules/parallel.py": "satisfies disjoint _meet",
    "rules/replaced.py": "Replaced.tails _between logarithm_of _mixed",
    "rules/selection.py": "Poisson._divergence _ln_of_sum",
    "rules/reports.py": ("Counts.at_odds _rest _Event.add _Half.__init__ _Half.grow"),
    "rules/report_tables.py": "Histogram._answers _reported _spread",
    "rules/tables.py": "Table.dots Table.scores",
    "rules/three_laws.py": "_against_all",
}
"""Works on what its caller paid for, or a few operations on numbers of the precision at hand."""

PARTS_PAY: Final[Table] = {
    "arithmetic/enclosures.py": "_known_ln enclose_rationals total",
    "arithmetic/far_points.py": (
        "Spectrum.theta Damping.__init__ Damping._computed _Needs._computed"
    ),
    "arithmetic/normal.py": "gaussian_profile signed_tail",
    "arithmetic/period.py": (
        "PeriodicSum.__init__ PeriodicSum.ends PeriodicSum._exponentials "
        "PeriodicSum._remaining PeriodicSum._ratios PeriodicSum._share "
        "PeriodicSum._first PeriodicSum._moved PeriodicSum._aliases _squares"
    ),
    "arithmetic/products.py": "two_factors _two",
    "arithmetic/scaled.py": "fixed power_of_ratio",
    "arithmetic/signs.py": "sign_of_sum _sign distinct_arguments ceil_quotient",
    "arithmetic/spectrum.py": (
        "Divergence.__init__ Divergence._heights "
        "Divergence._far_sum Divergence._squeeze Divergence._growth "
        "Divergence._between Divergence._beyond Divergence._aliases Divergence._alias "
        "Divergence._known_aliases Divergence._power_of_e Divergence._distance "
        "Divergence._scale"
    ),
    "arithmetic/sweep.py": "Sweep.remaining Sweep._looked_at Sweep._one_by_one",
    "arithmetic/waves.py": "Tilted.__init__ Laplace.height DiscreteLaplace.height _power_of_e",
    "rules/atoms.py": (
        "Atoms._check_rounded Atoms._law Atoms._odds_bound _has_rational_odds _odds_size"
    ),
    "rules/bracket.py": "Mesh.stretch on_mesh",
    "rules/conversion.py": "noise log_failure log_delta",
    "rules/curves.py": "Curve.dots Range.at SampledCut.cut",
    "rules/divergent.py": "read_orders Divergent._line _value",
    "rules/exact.py": "Sum.check",
    "rules/formula.py": "Formula._of_orders",
    "rules/fixed_point.py": "Comparison.decide Comparison.decide_by Comparison._kept",
    "rules/gaussian.py": "NoiseRule.rounded Gaussian.check",
    "rules/grid.py": "stretch on_grid _blocks",
    "rules/groups.py": "Group.about Group.check_given",
    "rules/growth.py": "plus exceeds",
    "rules/large_grids.py": ("GridRule.multiples GridCounts.check GridFourier.check"),
    "rules/ledger.py": "Ledger.delta Ledger.sign_of_delta",
    "rules/mesh.py": "MeshUpper.check MeshUpper.parts",
    "rules/mixtures.py": "ZcdpPair.check ZcdpPair._failure ZcdpPair._with_pair",
    "rules/moments.py": "Moments.check",
    "rules/noise_moments.py": "of_noise _most _rho _of_laplace",
    "rules/cases.py": "Cases.entries _two_greatest",
    "rules/plans.py": "Plan.composed _factors",
    "rules/records_of_person.py": (
        "Person.at Person.cut Person.tails Person._ratio Person._near _logarithms"
    ),
    "rules/replaced.py": (
        "ReplacedNormal.near ReplacedLaplace.at ReplacedLaplace.near ReplacedLaplace.cut "
        "ReplacedLaplace.beyond _beyond ReplacedTable._loss"
    ),
    "rules/responses.py": "Leaf.dots _ends",
    "rules/shuffled.py": "Maximum.scores",
    "rules/allocated.py": "Allocated.scores",
    "rules/remainder.py": "Epoch.dots Scored.scores",
    "rules/sums_of_laws.py": "power",
    "rules/sensitivity.py": "rows_above",
    "rules/tables.py": (
        "Response.atoms GeneralizedResponse.atoms Written.atoms Written.at_infinity "
        "SampledTable.at_infinity SampledTable._sampled"
    ),
}
"""Calls, in each round or for each of a few values, what pays by itself and takes longer."""
PLAIN_CACHES: Final = {
    ("arithmetic/sweep.py", name) for name in ("_every_cell", "_log2_above", "_ramp")
}
"""Of what is of a limited size, and does not pay."""


def functions(nodes: Sequence[ast.stmt], path: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions and methods of a file, by their names."""
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            yield from functions(node.body, f"{path}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            yield path + node.name, node


def may_be_long(function: ast.FunctionDef) -> bool:
    """Whether it has a loop, a power, a shift or a ``Fraction``."""
    return any(
        isinstance(node, ast.For | ast.While | ast.comprehension | ast.Pow | ast.LShift)
        or (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Fraction")
        for node in ast.walk(function)
    )


def pays(function: ast.FunctionDef) -> bool:
    """Whether it calls ``pay``, by name or of itself."""
    return any(
        isinstance(node, ast.Call)
        and "pay" in (getattr(node.func, "id", ""), getattr(node.func, "attr", ""))
        for node in ast.walk(function)
    )


def not_paying() -> set[tuple[str, str]]:
    return {
        (path.relative_to(VERIFIER).as_posix(), name)
        for path in VERIFIER.rglob("*.py")
        for name, function in functions(ast.parse(path.read_text("utf-8")).body)
        if may_be_long(function) and not pays(function)
    }


def listed(table: Table) -> set[tuple[str, str]]:
    return {(file, name) for file, names in table.items() for name in names.split()}


def test_what_may_be_long_pays_or_stands_in_one_table_with_its_bound() -> None:
    tables = [listed(each) for each in (IN_PROPORTION, PAID_BEFORE, PARTS_PAY)]
    together = set().union(*tables)
    assert sum(map(len, tables)) == len(together)
    assert sorted(not_paying() - together) == []
    assert sorted(together - not_paying()) == []


def test_a_loop_that_does_not_pay_is_found() -> None:
    free, paid = ast.parse("def f(x):\n return x << 1\ndef g(x):\n pay(x)\n return x << 1").body
    assert isinstance(free, ast.FunctionDef)
    assert isinstance(paid, ast.FunctionDef)
    assert may_be_long(free)
    assert not pays(free)
    assert pays(paid)


def test_a_cache_remembers_what_was_paid() -> None:
    """Where a cache of another kind stands, nothing within it pays."""
    assert {
        (path.relative_to(VERIFIER).as_posix(), name)
        for path in VERIFIER.rglob("*.py")
        for name, function in functions(ast.parse(path.read_text("utf-8")).body)
        for decorator in function.decorator_list
        if "lru_cache" in ast.unparse(decorator)
    } == PLAIN_CACHES
