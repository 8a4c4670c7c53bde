"""Whatever stands in a record of another tool and is not understood is refused, at its place."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any, Final

import pytest

from exactdp.cli.folding import folded
from exactdp.errors import InputError
from exactdp.ledger.formats.strict_json import json_path, nodes
from exactdp.ledger.reading import read_ledger
from exactdp.spending.records import FORMATS as SPENT
from exactdp.spending.records import read_record
from tests.cli.running import exactdp
from tests.ledger.formats.descriptions import (
    FILTER,
    LAPLACE,
    RESPONSE,
    described,
    measured,
)
from tests.ledger.formats.descriptions import GAUSSIAN as GAUSSIAN_OF_OPENDP
from tests.marking import each_case


def _event(name: str, **fields: object) -> dict[str, Any]:
    return {"module_name": "dp_accounting.dp_event", "class_name": name, **fields}


GAUSSIAN: Final = _event("GaussianDpEvent", noise_multiplier=1)
BASES: Final = (
    GAUSSIAN,
    _event("LaplaceDpEvent", noise_multiplier=1),
    _event("DiscreteLaplaceDpEvent", noise_parameter=1, sensitivity=1),
    _event("DiscreteGaussianDpEvent", sigma=1, sensitivity=1, dimension=1),
    _event("ExponentialMechanismDpEvent", epsilon=1),
)
EVENTS: Final = (
    *BASES,
    *(_event("PoissonSampledDpEvent", sampling_probability=p, event=e)
      for e in BASES for p in (0, 0.5, 1)),
    _event("PoissonSampledDpEvent", sampling_probability=0.5, event=_event("NoOpDpEvent")),
    _event("NoOpDpEvent"),
    _event("PermuteAndFlipDpEvent", epsilon=1),
    _event("EpsilonDeltaDpEvent", epsilon=1, delta=0),
    _event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=2),
    _event("ZCDpEvent", rho=1, xi=0),
    _event("ComposedDpEvent", events=[GAUSSIAN, GAUSSIAN]),
    _event("SelfComposedDpEvent", event=GAUSSIAN, count=2),
)  # fmt: skip
UNKNOWN: Final = (
    *("count", "sensitivity", "epsilon", "delta", "rho", "events", "event", "Count", "weight", ""),
    *("noise_multiplier", "sampling_probability", "note", "dimension", "xi"),
)


@each_case("event", EVENTS)
def test_an_event_with_a_field_that_its_class_has_not_is_refused_at_its_place(
    event: dict[str, Any],
) -> None:
    read_ledger(json.dumps(event).encode(), "dp-accounting")
    for keys, value in nodes(event):
        if not isinstance(value, dict):
            continue
        for unknown in UNKNOWN:
            if unknown in value:
                continue
            changed = json.loads(json.dumps(event))
            place: Any = changed
            for key in keys:
                place = place[key]
            place[unknown] = 1000
            with pytest.raises(InputError, match="no key but") as caught:
                read_ledger(json.dumps(changed).encode(), "dp-accounting")
            assert caught.value.path == json_path([*keys, unknown])
            assert caught.value.code == "unknown-key"


def test_a_count_in_a_gaussian_event_is_refused_and_the_class_that_repeats_is_named() -> None:
    event = json.dumps({**GAUSSIAN, "count": 1000}).encode()
    answer = exactdp("compose", "-", "--delta", "1e-6", stdin=event)
    assert answer.code == 2
    assert "count at $.count: 1000" in answer.err
    assert "SelfComposedDpEvent" in answer.err


VARIANTS: Final = {
    "Pure DP": {"epsilon": "5"},
    "Approximate DP": {"epsilon": "5", "delta": "1e-9"},
    "Zero-concentrated DP": {"rho": "5"},
}
BESIDE: Final = ("count", "Count", "rho", "mu", "epsilons", "Epsilon", "runs", "note", "<<")


def _entry(variant: str, *, flat: bool) -> dict[str, Any]:
    deployment = {
        "name": "A release",
        "dp_variant": {"variant_name": variant},
        "privacy_loss": {"privacy_unit": "a user", "privacy_parameters": VARIANTS[variant]},
        "accounting": {"composition": "basic"},
    }
    return deployment if flat else {"url_slug": "a", "deployment": deployment}


def _yaml(tree: dict[str, Any], indent: str = "") -> str:
    """Block mappings."""
    written = ""
    for key, value in tree.items():
        inner = isinstance(value, dict)
        text = f"{indent}{key}:" + ("\n" + _yaml(value, indent + "  ") if inner else f" {value}\n")
        written += text
    return written


def _changed(tree: dict[str, Any], keys: list[str | int], more: dict[str, Any]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(tree))
    place = copy
    for key in keys:
        place = place[str(key)]
    place.update(more)
    return copy


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_key_beside_the_parameters_of_an_entry_or_a_parameter_elsewhere_is_refused(
    variant: str, flat: bool
) -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    entry = _entry(variant, flat=flat)
    read_ledger(_yaml(entry).encode(), "deployments-registry")
    loss = [*([] if flat else ["deployment"]), "privacy_loss"]
    closed = [loss, [*loss, "privacy_parameters"]]
    for keys, value in nodes(entry):
        if not isinstance(value, dict):
            continue
        for key in BESIDE:
            elsewhere = keys not in closed and key in ("note", "<<", "epsilons")
            if elsewhere or key in value:
                continue
            text = _yaml(_changed(entry, keys, {key: "52"})).encode()
            with pytest.raises(
                InputError, match=r"expected (?:no key but|parameters in)"
            ) as caught:
                read_ledger(text, "deployments-registry")
            assert caught.value.path == ".".join(map(str, [*keys, key]))


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_key_of_yaml_that_stands_twice_is_refused_with_its_line(variant: str, flat: bool) -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    lines = _yaml(_entry(variant, flat=flat)).splitlines()
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        end = next(
            (n for n in range(number + 1, len(lines))
             if len(lines[n]) - len(lines[n].lstrip()) <= indent),
            len(lines),
        )  # fmt: skip
        again = line.partition(":")[0] + ": 0.1"
        text = "\n".join([*lines[:end], again, *lines[end:]]) + "\n"
        with pytest.raises(InputError, match="a key that stands twice") as caught:
            read_ledger(text.encode(), "deployments-registry")
        assert caught.value.path == f"line {end + 1}"


@pytest.mark.parametrize("value", ["[1e-5]", "{a: 1e-5}"])
def test_a_delta_that_is_no_number_is_no_delta_that_is_missing(value: str) -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    entry = _yaml(_entry("Pure DP", flat=True)).replace(
        "epsilon: 5", f"epsilon: 5\n    delta: {value}"
    )
    with pytest.raises(InputError, match=r"delta at privacy_loss.*one number"):
        read_ledger(entry.encode(), "deployments-registry")


@pytest.mark.parametrize("text", ["a: &a {b: *a}\n", "a: &a [1]\nb: [*a, *a]\n"])
def test_an_alias_of_yaml_is_refused_as_it_may_hold_itself(text: str) -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    with pytest.raises(InputError, match="an alias"):
        read_ledger(text.encode(), "deployments-registry")


BUDGETS: Final = (
    "PureDPBudget(epsilon=5)",
    "ApproxDPBudget(epsilon=5, delta=1e-09)",
    "RhoZCDPBudget(rho=5)",
)
UNREAD: Final = (
    *BUDGETS,
    *("PureDPBudget(5)", "PureDPBudget()", "PureDPBudget", "RhoZCDPBudget(rho=float('5'))"),
)


@each_case("budget", BUDGETS)
@each_case("other", UNREAD)
@each_case("between", [", ", " ", "", "; ", " then "])
def test_two_budgets_of_tumult_on_one_line_are_refused_in_either_order(
    budget: str, other: str, between: str
) -> None:
    for line in (f"{budget}{between}{other}", f"{other}{between}{budget}"):
        text = f"a: PureDPBudget(epsilon=1)\nb: {line}\n"
        for read in (read_ledger, read_record):
            with pytest.raises(InputError, match=r"line 2.*as Tumult prints it"):
                read(text.encode(), "tumult", budgets="spent")


@each_case("budget", BUDGETS)
@each_case("word", ["3 *", "3*", "3 x", "52x", "3 ×", "a +", "1/"])
def test_a_budget_of_tumult_that_is_multiplied_is_refused(budget: str, word: str) -> None:
    for line in (f"{word} {budget}", f"{budget} {word}", f"{budget} * 3"):
        with pytest.raises(InputError, match=r"line 1.*as Tumult prints it"):
            read_ledger(f"{line}\n".encode(), "tumult")


@each_case("budget", BUDGETS)
@each_case("key", ["count", "delta", "rho", "epsilon", "weight"])
def test_an_argument_that_a_budget_of_tumult_has_not_or_has_twice_is_refused(
    budget: str, key: str
) -> None:
    for text in (f"{budget[:-1]}, {key}=0.1)", budget.replace("(", f"({key}=0.1, ")):
        with pytest.raises(InputError, match="line 1"):
            read_ledger(text.encode(), "tumult")


CHAIN: Final = described(
    "make_chain_mt",
    measurement1=LAPLACE,
    transformation0=described(
        "make_chain_tt",
        transformation1=described("make_count"),
        transformation0=described("make_clamp"),
    ),
)
APPROXIMATE: Final = described(
    "make_privacy_filter",
    odometer=measured("approximate", "max_divergence"),
    d_in=1,
    d_out={"__tuple__": [1, 1e-6]},
)
LOGS: Final = ([FILTER, LAPLACE, RESPONSE, CHAIN], [APPROXIMATE, GAUSSIAN_OF_OPENDP])


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("read", [read_ledger, read_record])
def test_a_key_or_an_argument_that_a_description_of_opendp_has_not_is_refused_at_its_place(
    log: list[Any], read: Callable[[bytes, str], object]
) -> None:
    read(json.dumps(log).encode(), "opendp")
    for keys, value in nodes(log):
        if not isinstance(value, dict) or "__tuple__" in value:
            continue
        for unknown in ("count", "stability", "d_mids", "__args__"):
            changed = json.loads(json.dumps(log))
            place = changed
            for key in keys:
                place = place[key]
            place[unknown] = 52
            with pytest.raises(InputError, match="no key") as caught:
                read(json.dumps(changed).encode(), "opendp")
            assert caught.value.path == json_path([*keys, unknown])
            with pytest.raises(InputError, match=f"{unknown} at line {int(keys[0]) + 1}"):
                read("\n".join(map(json.dumps, changed)).encode(), "opendp")


@pytest.mark.parametrize("read", [read_ledger, read_record])
@pytest.mark.parametrize("distance", ["0", "-1", "0e5"])
def test_no_distance_of_neighbours_is_0(read: Callable[..., object], distance: str) -> None:
    for measurement in (LAPLACE, GAUSSIAN_OF_OPENDP, RESPONSE):
        with pytest.raises(InputError, match=r"--d-in.*above 0"):
            read(json.dumps(measurement).encode(), "opendp", distance=distance)
        own = json.dumps(FILTER).replace('"d_in": 1.0', f'"d_in": {distance}')
        with pytest.raises(InputError, match=r"d_in at line 1.*above 0"):
            read(f"{own}\n{json.dumps(measurement)}".encode(), "opendp")


@pytest.mark.parametrize("name", ["[{},]", '"{}"'])
def test_the_rows_of_a_matrix_that_are_numbered_are_all_there(name: str) -> None:
    for numbers in itertools.product(range(5), repeat=3):
        rows = "\n".join(f"{name.format(n)} 0.1 0" if n else "0.1 0" for n in numbers)
        if numbers in ((1, 2, 3), (0, 0, 0)):
            assert read_ledger(rows.encode(), "psi").size == 3
        else:
            with pytest.raises(InputError, match="row at line"):
                read_ledger(rows.encode(), "psi")


@each_case("read", [read_ledger, read_record])
@each_case("name", ["diffprivlib", "smartnoise-sql"])
@each_case(
    "arguments",
    [
        *("count=52, ", "epsilon=1, count=52, ", "epsilon=1, epsilon=2, ", "epsilon, ", "delta=, "),
        *("spent=[(5, 0)], ", "spent_budget=[(5, 0)], ", "(5, 0), ", "n_jobs=2, epsilon=1, ", ", "),
    ],
)
def test_an_argument_that_a_budget_accountant_has_not_or_has_twice_is_refused(
    read: Callable[[bytes, str], object], name: str, arguments: str
) -> None:
    spent = "spent_budget=[(0.1, 0)]"
    read(f"BudgetAccountant({spent})".encode(), name)
    for text in (f"{arguments}{spent}", f"{spent}, {arguments.removesuffix(', ')}"):
        with pytest.raises(InputError, match=r"BudgetAccountant|ledger|delta"):
            read(f"BudgetAccountant({text})".encode(), name)


@pytest.mark.parametrize(
    "text", ["spent_budget", "spent_budget=", "spent_budget=x", "x", "[(5, 0)]"]
)
def test_a_budget_accountant_that_is_not_understood_is_no_empty_one(text: str) -> None:
    with pytest.raises(InputError, match=r"BudgetAccountant|ledger"):
        read_ledger(f"BudgetAccountant({text})".encode())


@pytest.mark.parametrize("key", ["count", "epsilon", "weight"])
def test_a_pair_is_no_object(key: str) -> None:
    for text in (f'[[0.1, 0], {{"{key}": 5}}]', f'[[0.1, 0, {{"{key}": 5}}]]'):
        with pytest.raises(InputError, match="a pair of"):
            read_ledger(text.encode(), "smartnoise-sql")


LONG: Final = 50_000
"""So long that a search which tries every part of a run would take above 10^9 steps."""
SHORT: Final = 2000
RUNS: Final = (" ", "\t", "a", "0", "-", "(", '"', "1,", "a ", "\n")
WITH_RUNS: Final = {
    "tumult": ("PureDPBudget(epsilon=1)\nx{}y\n", "PureDPBudget({}\n", "{}PureDPBudget(epsilon=1"),
    "csv": ("epsilon,x{}y\n1,2\n", "epsilon\n1{}y\n", "{}sep=,\nepsilon\n1\n"),
    "psi": ("1 0\nx{}y\n", "[1,]{}y\n", "[,1]{}x\n"),
    "diffprivlib": ("BudgetAccountant(epsilon=1{0}y){0}x\n", "BudgetAccountant({}x)\n", "[[{}"),
    "deployments-registry": ("a:{}y: b: c\n", "{}a:\n"),
    "json": ('{{"mechanisms": [{{"epsilon": "1{}y"}}]}}', '{{"{}": 1}}'),
    "dp-accounting": ('{{"class_name": "x{}y"}}',),
    "opendp": ('{{"__function__": "x{}y", "__kwargs__": {{}}}}',),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_RUNS)
def test_a_long_run_of_one_letter_is_answered_in_every_format(name: str) -> None:
    if name == "deployments-registry":
        pytest.importorskip("yaml", reason="PyYAML is an extra")
    for text, run in itertools.product(WITH_RUNS[name], RUNS):
        long = text.format(run * LONG).encode()
        assert len(_refusal(read_ledger, long, name)) < SHORT
        assert len(_refusal(read_ledger, long, None)) < SHORT
        if name in SPENT:
            assert len(_refusal(read_record, long, name)) < SHORT


def _refusal(read: Callable[..., object], data: bytes, name: str | None) -> str:
    """Why the data is refused; nothing where it is read."""
    try:
        read(data, name)
    except InputError as error:
        return str(error)
    return ""


def test_the_page_of_a_label_of_blanks_is_folded_without_trying_each_of_them() -> None:
    page = folded("a" + " " * LONG + "b", None)
    assert page.split() == ["a", "b"]
    assert not any(line.endswith(" ") for line in page.splitlines())


def test_a_line_above_a_table_that_reads_like_yaml_is_no_puzzle() -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    with pytest.raises(InputError, match="begin the lines above its header with #"):
        read_ledger(b"Runs: 52\nepsilon,delta\n1,0\n")
